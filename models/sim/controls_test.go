package sim

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/models/wire"
)

func TestAnswersAreCutAfterTheirFirstCharacters(t *testing.T) {
	t.Parallel()
	calls := func(arguments ...string) (all []toolCall) {
		for _, a := range arguments {
			all = append(all, toolCall{Name: "write_file", Arguments: a})
		}
		return all
	}
	for name, c := range map[string]struct {
		given message
		text  string
		calls []toolCall
	}{
		"a text":                        {say("Here are the files."), "Here are t", nil},
		"characters, not bytes":         {say("ünïcödé 𝄞𝄞𝄞𝄞"), "ünïcödé 𝄞𝄞", nil},
		"a short text":                  {say("Done."), "Done.", nil},
		"a call":                        {call(calls(`{"path": "a.txt"}`)...), "", calls(`{"path": "`)},
		"a call that was not begun":     {call(calls(`{"path": "a.txt"}`, `{}`)...), "", calls(`{"path": "`)},
		"calls that are short":          {call(calls(`{}`, `{"path": ""}`)...), "", calls(`{}`, `{"path":`)},
		"a picture that is not all had": {message{Role: assistant, Pictures: []wire.Picture{{}}}, "", nil},
	} {
		m := c.given
		endAfter(&m, cutAfter)
		var got []toolCall
		for _, call := range m.ToolCalls {
			call.ID = ""
			got = append(got, call)
		}
		if diff := cmp.Diff(c.calls, got); diff != "" || m.Text(between) != c.text || len(m.Pictures) > 0 {
			t.Errorf("%s: text %q, %d pictures, calls %s", name, m.Text(between), len(m.Pictures), diff)
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
