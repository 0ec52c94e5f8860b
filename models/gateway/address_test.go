package gateway

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"agentd/models/wire"
)

func TestAddressesThatAModelsServerMayFetch(t *testing.T) {
	t.Parallel()
	for address, may := range map[string]bool{
		"data:image/png;base64,iVBORw0KGgo=":                   true,
		"DATA:image/png;base64,iVBORw0KGgo=":                   true,
		"data:,x":                                              true,
		"data:" + strings.Repeat("A", 1<<20):                   true,
		"https://example.com/a.png":                            true,
		"https://upload.wikimedia.org/a.png?x=1":               true,
		"https://example.co.uk:443/a.png":                      true,
		"HTTPS://EXAMPLE.COM/a.png":                            true,
		"https://xn--exmple-cua.com/a.png":                     true,
		"https://someone.github.io/a.png":                      true,
		"":                                                     false,
		"http://example.com/a.png":                             false,
		"http://169.254.169.254/latest/meta-data/":             false,
		"https://169.254.169.254/latest/meta-data/":            false,
		"https://127.0.0.1/":                                   false,
		"https://127.1/":                                       false,
		"https://2130706433/":                                  false,
		"https://0x7f000001/":                                  false,
		"https://0x7f.1/":                                      false,
		"https://0177.0.0.1/":                                  false,
		"https://[::1]/":                                       false,
		"https://[::ffff:127.0.0.1]/":                          false,
		"https://[fe80::1%25eth0]/":                            false,
		"https://localhost/":                                   false,
		"https://localhost:8080/":                              false,
		"https://vault.localhost/":                             false,
		"https://metadata.google.internal/":                    false,
		"https://kubernetes.default.svc/":                      false,
		"https://db.cluster.local/":                            false,
		"https://router.lan/":                                  false,
		"https://printer.home.arpa/":                           false,
		"https://intranet/":                                    false,
		"https://com/":                                         false,
		"https://github.io/":                                   false,
		"https://example.com./":                                false,
		"https://.example.com/":                                false,
		"https://a..example.com/":                              false,
		"https://example.com:8443/":                            false,
		"https://user@example.com/":                            false,
		"https://example.com@127.0.0.1/":                       false,
		"https://example.com\\@127.0.0.1/":                     false,
		"https://127.0.0.1\\.example.com/":                     false,
		"https://127。0。0。1/":                                   false,
		"https://exämple.com/":                                 false,
		"https://%31%32%37.0.0.1/":                             false,
		"https://example.com%00.internal/":                     false,
		"https:example.com":                                    false,
		"https:///a.png":                                       false,
		"//example.com/a.png":                                  false,
		"example.com/a.png":                                    false,
		" https://example.com/":                                false,
		"https://example.com/\n":                               false,
		"\tdata:,x":                                            false,
		"file:///etc/passwd":                                   false,
		"ftp://example.com/a":                                  false,
		"gopher://example.com/a":                               false,
		"jar:https://example.com!/":                            false,
		"x":                                                    false,
		"https://example.com/" + strings.Repeat("a", 10_000):   false,
		"javascript:alert(1)":                                  false,
		"blob:https://example.com/1":                           false,
		"s3://bucket/key":                                      false,
		"https://example.com#@127.0.0.1/":                      true, // what comes after # is no host
		"https://example.com?@127.0.0.1/":                      true,
		"https://169.254.169.254.nip.io.internal/":             false,
		"https://example.com:/":                                true,
		"https://example.com:99999/":                           false,
		"https://1.2.3.4.example.com/":                         true,
		"https://sub.domain.deep.example.org/path/../../x.gif": true,
	} {
		quoted, err := wire.Write(address)
		if err != nil {
			t.Fatal(err)
		}
		if got := checkAddress(quoted) == nil; got != may {
			t.Errorf("%.100q may be fetched: %v", address, got)
		}
	}
}

// Wherever a message has an address, and however its member is written, it is looked
// at; and nothing else is.
func TestAddressesAreFoundInMessages(t *testing.T) {
	t.Parallel()
	const inside = "http://10.0.0.1/"
	user := func(part string) string { return `{"messages":[{"role":"user","content":[` + part + `]}]}` }
	for name, c := range map[string]struct {
		dialect, body string
		refused       bool
	}{
		"a picture":                      {"chat", user(`{"type":"image_url","image_url":{"url":"` + inside + `","detail":"low"}}`), true},
		"a picture, in short":            {"chat", user(`{"type":"image_url","image_url":"` + inside + `"}`), true},
		"in a list":                      {"chat", user(`{"type":"image_url","image_url":["data:,x","` + inside + `"]}`), true},
		"in a list, after an object":     {"chat", user(`{"type":"image_url","image_url":[{"a":1},"` + inside + `"]}`), true},
		"a film":                         {"chat", user(`{"type":"video_url","video_url":{"url":"` + inside + `"}}`), true},
		"a source":                       {"chat", user(`{"type":"image","source":{"type":"url","url":"` + inside + `"}}`), true},
		"a name in other letters":        {"chat", user(`{"type":"image_url","Image_URL":{"Url":"` + inside + `"}}`), true},
		"a name in camel case":           {"chat", user(`{"type":"image","imageUrl":"` + inside + `"}`), true},
		"a name with escapes":            {"chat", user(`{"type":"image_url","image_\u0075rl":{"\u0075rl":"` + inside + `"}}`), true},
		"an address with escapes":        {"chat", user(`{"type":"image_url","image_url":{"url":"\u0068ttp:\/\/10.0.0.1"}}`), true},
		"the first of two":               {"chat", user(`{"type":"image_url","image_url":{"url":"` + inside + `","url":"data:,x"}}`), true},
		"the second of two":              {"chat", user(`{"type":"image_url","image_url":{"url":"data:,x","url":"` + inside + `"}}`), true},
		"of a tool":                      {"chat", `{"messages":[{"role":"tool","tool_call_id":"1","content":[{"type":"image_url","image_url":{"url":"` + inside + `"}}]}]}`, true},
		"of a later message":             {"chat", `{"messages":[{"role":"user","content":"x"},{"content":[{"image_url":"` + inside + `"}]}]}`, true},
		"data with escapes":              {"chat", user(`{"type":"image_url","image_url":{"url":"\u0064ata:,x"}}`), true},
		"data":                           {"chat", user(`{"type":"image_url","image_url":{"url":"data:,x"}}`), false},
		"public":                         {"chat", user(`{"type":"image_url","image_url":{"url":"https://example.com/a.png","detail":"low"}}`), false},
		"in a text":                      {"chat", user(`{"type":"text","text":"{\"url\": \"` + inside + `\"}"}`), false},
		"in a call's arguments":          {"chat", `{"messages":[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f","arguments":"{\"url\":\"` + inside + `\"}"}}]}]}`, false},
		"in a tool's schema":             {"chat", `{"messages":[{"role":"user"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"properties":{"url":{"type":"string","default":"` + inside + `"}},"url":"x"}}}]}`, false},
		"a text next to an address":      {"chat", user(`{"type":"image_url","image_url":{"url":"data:,x","detail":"` + inside + `"},"text":"` + inside + `"}`), false},
		"a picture of the other dialect": {"responses", `{"input":[{"role":"user","content":[{"type":"input_image","image_url":"` + inside + `"}]}]}`, true},
		"data of the other dialect":      {"responses", `{"input":[{"role":"user","content":[{"type":"input_image","image_url":"data:,x"}]}]}`, false},
		"public, of the other dialect":   {"responses", `{"input":[{"role":"user","content":[{"type":"input_image","image_url":"https://example.com/a.png"}]}]}`, false},
	} {
		m := &model{}
		status, answer := newDesk(t, m).answerTo(t, c.dialect, c.body, true)
		if refused := status == http.StatusBadRequest && strings.Contains(answer, "must be a data: URL"); refused != c.refused || status != http.StatusOK && !refused {
			t.Errorf("%s: %d %s", name, status, answer)
		}
		if (len(m.asked) == 0) != c.refused {
			t.Errorf("%s: the model was asked %d times", name, len(m.asked))
		}
	}
	_, answer := newDesk(t, &model{}).answerTo(t, "chat", user(`{},{"image_url":{"url":"`+inside+`"}}`), true)
	if want := "/messages/0/content/1/image_url/url: an address"; !strings.Contains(answer, want) {
		t.Errorf("the answer %s does not say %q", answer, want)
	}
}

func FuzzAddress(f *testing.F) {
	for _, address := range []string{"https://example.com/a.png", "https://127.0.0.1/", "data:,x", "https://a@b\\c", "https://[::1]:443/"} {
		f.Add(address)
	}
	f.Fuzz(func(t *testing.T, address string) {
		if !public(address) {
			return
		}
		r, err := http.NewRequest(http.MethodGet, address, nil)
		if err != nil || r.URL.Scheme != "https" || !strings.Contains(r.URL.Hostname(), ".") || strings.ContainsAny(r.URL.Hostname(), ":[]% ") {
			t.Errorf("%q is public: %v", address, fmt.Sprint(r, err))
		}
	})
}
