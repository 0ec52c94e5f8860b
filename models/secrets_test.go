package models

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"unicode"
)

// echoed is a key with everything that a spelling may change.
const echoed = "sk-Ab/Cd+Ef_12=34&56ghIJklMN"

// spelled returns a text with each character in a spelling of its own.
func spelled(format string) string {
	var b strings.Builder
	for _, c := range echoed {
		fmt.Fprintf(&b, format, c)
	}
	return b.String()
}

func TestKeysAreFoundHoweverAServerSpellsThem(t *testing.T) {
	t.Parallel()
	s := newSecrets([]string{"", echoed, "tiny"})
	for name, said := range map[string]string{
		"as it is":                      echoed,
		"in upper case":                 strings.ToUpper(echoed),
		"in a JSON string":              `sk-Ab\/Cd+Ef_12=34\u002656ghIJklMN`,
		"as JSON escapes":               spelled(`\u%04x`),
		"as escapes of JSON in JSON":    spelled(`\\u%04X`),
		"as escapes of Python":          spelled(`\x%02x`),
		"as wide escapes":               spelled(`\U%08x`),
		"as octal escapes":              spelled(`\%03o`),
		"in an address":                 url.QueryEscape(echoed),
		"all of it escaped":             spelled("%%%02X"),
		"escaped twice":                 spelled("%%25%02x"),
		"escaped three times":           spelled("%%2525%02x"),
		"in HTML":                       html.EscapeString(echoed),
		"as numbers of HTML":            spelled("&#%d;"),
		"as hexadecimal ones":           spelled("&#x%x;"),
		"as HTML in HTML":               html.EscapeString(spelled("&#%d;")),
		"in base64":                     base64.StdEncoding.EncodeToString([]byte(echoed)),
		"in the base64 of addresses":    base64.RawURLEncoding.EncodeToString([]byte(echoed)),
		"in base64 after a byte":        base64.StdEncoding.EncodeToString([]byte("x" + echoed + "yz")),
		"in base64 after two bytes":     base64.StdEncoding.EncodeToString([]byte("xy" + echoed + "z")),
		"in hexadecimal digits":         hex.EncodeToString([]byte(echoed)),
		"in hexadecimal digits by byte": spelled("%02X:"),
		"cut at its end":                echoed[:14],
		"cut at its beginning":          echoed[12:],
		"cut at both ends":              echoed[5:20],
		"cut in base64":                 base64.StdEncoding.EncodeToString([]byte(echoed))[4:28],
		"on two lines":                  echoed[:12] + "\n" + echoed[12:],
		"with spaces":                   spelled("%c "),
		"in quotes, piece by piece":     `"` + echoed[:9] + `" "` + echoed[9:] + `"`,
	} {
		got := s.hide("The server says " + said + " and more.")
		if left := shared(got, said); len(left) >= minEncoded || !strings.Contains(got, hidden) {
			t.Errorf("%s: %q was left of %q in %q", name, left, said, got)
		}
		if !strings.HasPrefix(got, "The server says ") || !strings.HasSuffix(got, "more.") {
			t.Errorf("%s: more than the key is hidden: %q", name, got)
		}
	}
	header := base64.StdEncoding.EncodeToString([]byte("Authorization: Bearer " + echoed + "\r\nHost: x"))
	if got := s.hide(header); got != "QXV0aG9yaXphdGlvbjogQmVhcmVyIH(key)4NCkhvc3Q6IHg=" {
		t.Errorf("the base64 of a header: %q", got)
	}
	if got := s.hide("a tiny key"); got != "a (key) key" {
		t.Errorf("a short key: %q", got)
	}
}

// shared is the longest run of letters and digits that a text shares with what was said.
func shared(text, said string) (longest string) {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len(word) > len(longest) && strings.Contains(said, word) {
			longest = word
		}
	}
	return longest
}

func TestWhatIsNoKeyIsShown(t *testing.T) {
	t.Parallel()
	s := newSecrets([]string{echoed})
	for _, text := range []string{
		"", "plain", "100 % of \\u00e9 & <b>", "Incorrect API key provided: sk-Ab***klMN", strings.Repeat("%", 100), strings.Repeat("\\", 101), "&#;&amp;&", "\xff\xfe",
		`{"error": {"message": "The model 'gpt-5' does not exist", "type": "invalid_request_error"}}`,
	} {
		if got := s.hide(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
	if got := newSecrets(nil).hide(echoed); got != echoed {
		t.Errorf("without a key: %q", got)
	}
}

func TestKeysAreNotShownWhereverAServerPutsThem(t *testing.T) {
	t.Parallel()
	encoded := base64.StdEncoding.EncodeToString([]byte("Bearer " + testKey))
	for name, answer := range map[string]http.HandlerFunc{
		"a message":            apiError(400, "bad "+testKey, ""),
		"a page":               status(400, "<p>"+strings.ReplaceAll(testKey, "-", "&#45;")),
		"base64":               apiError(400, "bad "+encoded, ""),
		"an error in a 200":    status(200, `{"error": {"message": "bad `+testKey+`"}}`),
		"an error without one": status(200, `{"error": ["`+testKey+`"]}`),
		"a redirect":           status(307, "", "Location", "https://x.example/?"+testKey),
	} {
		_, _, err := ask(t, Spec{Name: "m", BaseURL: serve(t, answer).URL, KeyEnv: testKeyEnv, Attempts: 1}, hello)
		if text := fmt.Sprint(err); err == nil || strings.Contains(text, testKey[3:]) || strings.Contains(text, encoded[12:24]) || !strings.Contains(text, hidden) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An answer is stored, so it must hold no key either. A short one is left: it might be
// a word of the document.
func TestKeysAreNotKeptOfAnswers(t *testing.T) {
	t.Parallel()
	t.Run("long", func(t *testing.T) {
		t.Parallel()
		body := strings.ReplaceAll(`{"choices": [{"message": {"content": "a KEY", "tool_calls": [{"id": "KEY", "function": {"name": "KEY", "arguments": "KEY"}}]}, "finish_reason": "KEY"}]}`, "KEY", testKey)
		got, _, err := ask(t, Spec{Name: "m", BaseURL: serve(t, status(200, body)).URL, KeyEnv: testKeyEnv}, hello)
		if err != nil || got.Message.Content != "a (key)" || strings.Contains(fmt.Sprintf("%+v", got), testKey) {
			t.Errorf("%+v, error %v", got, err)
		}
	})
	if got := newSecrets([]string{"ledger"}).hideWhole("a ledger"); got != "a ledger" {
		t.Errorf("a short key: %q", got)
	}
}

func FuzzHide(f *testing.F) {
	for _, text := range []string{echoed, `\u0073k-Ab`, "%73%6b-", "&#115;&#x6b;", `\\\163`, "&amp;#115;", strings.Repeat("%25", 50), "\xff\\"} {
		f.Add(text)
	}
	s := newSecrets([]string{echoed})
	f.Fuzz(func(t *testing.T, text string) {
		if got := s.hide(text); strings.Contains(got, echoed) {
			t.Errorf("%q became %q", text, got)
		}
		if got := s.hide(text + echoed); strings.Contains(got, echoed[2:]) {
			t.Errorf("%q became %q", text+echoed, got)
		}
	})
}
