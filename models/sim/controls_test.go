package sim

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAnswersAreCutAfterTheirFirstCharacters(t *testing.T) {
	t.Parallel()
	calls := func(arguments ...string) (all []invocation) {
		for _, a := range arguments {
			all = append(all, invocation{"write_file", a})
		}
		return all
	}
	for name, c := range map[string]struct {
		given message
		text  string
		calls []invocation
	}{
		"a text":                        {say("Here are the files."), "Here are t", nil},
		"characters, not bytes":         {say("ünïcödé 𝄞𝄞𝄞𝄞"), "ünïcödé 𝄞𝄞", nil},
		"a short text":                  {say("Done."), "Done.", nil},
		"a call":                        {call(calls(`{"path": "a.txt"}`)), "", calls(`{"path": "`)},
		"a call that was not begun":     {call(calls(`{"path": "a.txt"}`, `{}`)), "", calls(`{"path": "`)},
		"calls that are short":          {call(calls(`{}`, `{"path": ""}`)), "", calls(`{}`, `{"path":`)},
		"a picture that is not all had": {message{Role: assistant, Images: []image{{}}}, "", nil},
	} {
		m := c.given
		m.cutOff(cutAfter)
		var got []invocation
		for _, call := range m.ToolCalls {
			got = append(got, call.Function)
		}
		if diff := cmp.Diff(c.calls, got); diff != "" || m.text() != c.text || len(m.Images) > 0 {
			t.Errorf("%s: text %q, %d pictures, calls %s", name, m.text(), len(m.Images), diff)
		}
	}
}

// What was copied for want of documents does not come back twice; what no name is left for
// does come back.
func TestAnEchoLosesNoDocumentAndDoublesNone(t *testing.T) {
	t.Parallel()
	job := echo(Job{Renamed: func([]string) (map[string]string, []string) {
		return map[string]string{"all.txt": "a.csv"}, []string{"b.csv", "c.csv", "unread.csv"}
	}}, nil)
	got := job.Do(map[string]string{"a.csv": "1\n", "b.csv": "1\n", "c.csv": "2\n"}, Damage{})
	if diff := cmp.Diff(map[string]string{"all.txt": "1\n", "c.csv": "2\n"}, got); diff != "" {
		t.Error(diff)
	}
}
