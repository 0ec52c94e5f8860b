package models

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWhatIsSentToServers(t *testing.T) { // not in parallel: it sets variables
	for _, name := range []string{"OPENAI_API_KEY", "ANTHROPIC_API_KEY", "A_KEY", "B_KEY"} {
		t.Setenv(name, "x")
	}
	t.Setenv("EMPTY", " ")
	for name, c := range map[string]struct {
		spec  Spec
		sends []Secret
		maker bool
	}{
		"OpenAI's key to OpenAI":             {Spec{Name: "gpt-5.4"}, []Secret{{"https://api.openai.com", "OPENAI_API_KEY"}}, true},
		"a maker's key to the maker":         {Spec{Name: "claude-x"}, []Secret{{"https://api.anthropic.com", "ANTHROPIC_API_KEY"}}, true},
		"the usual key to another server":    {Spec{Name: "m", BaseURL: "https://Evil.example/v1"}, []Secret{{"https://evil.example", "OPENAI_API_KEY"}}, false},
		"a maker's key to another one":       {Spec{Name: "claude-x", KeyEnv: "OPENAI_API_KEY"}, []Secret{{"https://api.anthropic.com", "OPENAI_API_KEY"}}, false},
		"another key to a maker":             {Spec{Name: "gpt-5.4", KeyEnv: "A_KEY"}, []Secret{{"https://api.openai.com", "A_KEY"}}, false},
		"a maker without encryption":         {Spec{Name: "m", BaseURL: "http://api.openai.com/v1"}, []Secret{{"http://api.openai.com", "OPENAI_API_KEY"}}, false},
		"a maker's name before another host": {Spec{Name: "m", BaseURL: "https://api.openai.com@evil.example/v1"}, []Secret{{"https://evil.example", "OPENAI_API_KEY"}}, false},
		"a maker's name and a port":          {Spec{Name: "m", BaseURL: "https://api.openai.com:8443/v1"}, []Secret{{"https://api.openai.com:8443", "OPENAI_API_KEY"}}, false},
		"a header with variables": {Spec{Name: "m", BaseURL: "https://h", KeyEnv: "EMPTY", Headers: map[string]string{"X": "${A_KEY}-${B_KEY}-${EMPTY}"}},
			[]Secret{{"https://h", "A_KEY"}, {"https://h", "B_KEY"}}, false},
		"a header of a stand-in":    {Spec{Name: "sim:x", StandIn: true, BaseURL: "https://h", Headers: map[string]string{"X": "${A_KEY}"}}, []Secret{{"https://h", "A_KEY"}}, false},
		"a key that is not set":     {Spec{Name: "m", BaseURL: "https://h", KeyEnv: "EMPTY"}, nil, false},
		"a recording sends nothing": {Spec{Name: "m", Replay: "x.jsonl"}, nil, false},
	} {
		got, err := c.spec.Sends()
		if diff := cmp.Diff(c.sends, got); diff != "" || err != nil {
			t.Errorf("%s: %v %s", name, err, diff)
			continue
		}
		for _, secret := range got {
			if secret.OfMaker() != c.maker {
				t.Errorf("%s: OfMaker is %v", name, !c.maker)
			}
		}
	}
	if _, err := (Spec{Name: "m", BaseURL: "file:///etc/passwd"}).Sends(); err == nil {
		t.Error("an address without a host was taken")
	}
}

func TestSecretsAsPeopleWriteThem(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Secret{
		"api.example.org=KEY":            {"https://api.example.org", "KEY"},
		"API.example.org:8443=KEY":       {"https://api.example.org:8443", "KEY"},
		"http://127.0.0.1:8000/v1=KEY":   {"http://127.0.0.1:8000", "KEY"},
		"https://api.example.org/v1=KEY": {"https://api.example.org", "KEY"},
		"KEY":                            {}, "=KEY": {}, "host=": {}, "file:///x=KEY": {}, "host=KEY OTHER": {}, "": {},
	} {
		got, err := ParseSecret(text)
		if got != want || (err == nil) != (want != Secret{}) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
}
