package emails

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/unicode"

	"agentd/domains/internal/pytext"
)

var encodedWord = regexp.MustCompile(`=\?([^?\n]*)\?([qQbB])\?(.*?)\?=`)

// word is a run of a header's text. Those that were not encoded have no charset.
type word struct {
	bytes   []byte
	charset string
	encoded bool
}

// decodeWords undoes the encoded words of a header as Python does: white space
// between two of them is dropped, as is what a line begins with.
func decodeWords(value string) string {
	if !strings.Contains(value, "=?") || !encodedWord.MatchString(value) {
		return value
	}
	words, ok := splitWords(value)
	if !ok {
		return value
	}
	var b strings.Builder
	for n := 0; n < len(words); {
		run := words[n]
		for n++; n < len(words) && words[n].encoded == run.encoded && words[n].charset == run.charset; n++ {
			if !run.encoded {
				run.bytes = append(run.bytes, ' ')
			}
			run.bytes = append(run.bytes, words[n].bytes...)
		}
		b.WriteString(decodeCharset(run.bytes, run.charset))
	}
	return b.String()
}

// splitWords returns the words; false if one of them cannot be decoded.
func splitWords(value string) ([]word, bool) {
	var words []word
	blank := func(w word) bool { return !w.encoded && len(pytext.Strip(string(w.bytes))) == 0 }
	plain := func(text string) {
		if text != "" {
			words = append(words, word{bytes: rawUnicodeEscape(text)})
		}
	}
	for _, line := range pytext.SplitLines(value) {
		line = pytext.StripLeft(line)
		start := 0
		for _, at := range encodedWord.FindAllStringSubmatchIndex(line, -1) {
			plain(line[start:at[0]])
			start = at[1]
			bytes, ok := decodeWord(line[at[4]:at[5]], line[at[6]:at[7]])
			if !ok {
				return nil, false
			}
			if n := len(words); n > 1 && words[n-2].encoded && blank(words[n-1]) {
				words = words[:n-1]
			}
			words = append(words, word{bytes, pytext.Lower(line[at[2]:at[3]]), true})
		}
		plain(line[start:])
	}
	return words, true
}

// octet is an encoded one in an encoded word.
var octet = regexp.MustCompile(`=[0-9A-Fa-f]{2}`)

func decodeWord(encoding, text string) ([]byte, bool) {
	if strings.EqualFold(encoding, "b") {
		return decodeBase64(text)
	}
	raw := rawUnicodeEscape(strings.ReplaceAll(text, "_", " "))
	return octet.ReplaceAllFunc(raw, decodeQuotedPrintable), true
}

// rawUnicodeEscape is str.encode("raw-unicode-escape"): Latin-1 where that suffices, otherwise \uXXXX.
func rawUnicodeEscape(text string) []byte {
	out := make([]byte, 0, len(text))
	for _, r := range text {
		switch {
		case r < 0x100:
			out = append(out, byte(r))
		case r < 0x10000:
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			out = fmt.Appendf(out, `\U%08x`, r)
		}
	}
	return out
}

// decodeCharset reads bytes in a charset. One that is missing or unknown is
// taken for UTF-8; bytes that do not fit become U+FFFD.
func decodeCharset(bytes []byte, charset string) string {
	isASCII := !slices.ContainsFunc(bytes, func(c byte) bool { return c >= utf8.RuneSelf })
	if isASCII && !strings.HasPrefix(charset, "utf-16") && !strings.HasPrefix(charset, "iso-2022") {
		return string(bytes)
	}
	decoded, err := charsetOf(charset).NewDecoder().Bytes(bytes)
	if err != nil {
		return strings.ToValidUTF8(string(bytes), string(utf8.RuneError))
	}
	return string(decoded)
}

func charsetOf(name string) encoding.Encoding {
	name = strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}), "-")
	switch name {
	case "", "utf-8", "utf8", "us-ascii", "ascii": // Beyond ASCII nothing fits the last two.
		return unicode.UTF8
	case "latin-1":
		return charmap.ISO8859_1
	}
	if e, err := ianaindex.MIME.Encoding(name); err == nil && e != nil {
		return e
	}
	if e, err := htmlindex.Get(name); err == nil {
		return e
	}
	return unicode.UTF8
}
