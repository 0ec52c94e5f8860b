package exec

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/models"
)

// A call that the model asks for and the command passes on to our tools is one call,
// however the command names our tools, and in any order in which it passes calls on.
func TestCallsThatArePassedOnAreCountedOnce(t *testing.T) {
	t.Parallel()
	const a, b = `{"path":"a.txt"}`, `{"path":"b.txt"}`
	type call struct{ name, arguments string }
	for name, c := range map[string]struct {
		asked []call // of the model
		came  []call // by MCP
		want  string // the trace: turn, tool and arguments of each call
	}{
		"by our names":                   {[]call{{"view", a}}, []call{{"view", a}}, "1 view a"},
		"as Claude Code and Qwen Code":   {[]call{{"mcp__agentd__read_file", a}}, []call{{"read_file", a}}, "1 read_file a"},
		"as Gemini CLI":                  {[]call{{"mcp_agentd_read_file", a}}, []call{{"read_file", a}}, "1 read_file a"},
		"as opencode":                    {[]call{{"agentd_read_file", a}}, []call{{"read_file", a}}, "1 read_file a"},
		"with a dot":                     {[]call{{"agentd.read_file", a}}, []call{{"read_file", a}}, "1 read_file a"},
		"with a dash":                    {[]call{{"agentd-read_file", a}}, []call{{"read_file", a}}, "1 read_file a"},
		"with a slash":                   {[]call{{"Agentd/read_file", a}}, []call{{"read_file", a}}, "1 read_file a"},
		"with a name of the user's":      {[]call{{"docs_read_file", a}}, []call{{"read_file", a}}, "1 read_file a"},
		"written otherwise":              {[]call{{"docs_read_file", "{ \"path\" : \"a\\u002etxt\" }"}}, []call{{"read_file", a}}, "1 read_file a"},
		"with a default that was added":  {[]call{{"agentd_read_file", `{}`}}, []call{{"read_file", a}}, "1 read_file a"},
		"without arguments":              {[]call{{"docs_finish", ""}}, []call{{"finish", "{}"}}, "1 finish {}"},
		"four calls":                     {[]call{{"mcp__agentd__view", a}, {"mcp__agentd__view", b}, {"mcp__agentd__list", "{}"}, {"mcp__agentd__view", a}}, []call{{"view", a}, {"view", b}, {"list", "{}"}, {"view", a}}, "1 view a, 1 view b, 1 list {}, 1 view a"},
		"in another order":               {[]call{{"agentd_view", a}, {"agentd_view", b}}, []call{{"view", b}, {"view", a}}, "1 view a, 1 view b"},
		"twice the same":                 {[]call{{"agentd_view", a}, {"agentd_view", a}}, []call{{"view", a}, {"view", a}}, "1 view a, 1 view a"},
		"a third one of its own":         {[]call{{"agentd_view", a}}, []call{{"view", a}, {"view", b}}, "1 view a, 1 view b"},
		"one that is not passed on":      {[]call{{"bash", a}, {"agentd_view", a}}, []call{{"view", a}}, "1 bash a, 1 view a"},
		"a tool of the command's":        {[]call{{"file_view", a}}, []call{{"view", b}}, "1 file_view a, 1 view b"},
		"a name that only ends the same": {[]call{{"review", a}}, []call{{"view", a}}, "1 review a, 1 view a"},
		"ours before the command's":      {[]call{{"file_view", a}, {"agentd_view", a}}, []call{{"view", a}}, "1 file_view a, 1 view a"},
		"the name before the arguments":  {[]call{{"file_view", a}, {"agentd_view", b}}, []call{{"view", a}}, "1 file_view a, 1 view a"},
		"another tool":                   {[]call{{"agentd_view", a}}, []call{{"list", a}}, "1 agentd_view a, 1 list a"},
	} {
		m := &model{}
		for i, asked := range c.asked {
			m.answer.ToolCalls = append(m.answer.ToolCalls, models.ToolCall{ID: fmt.Sprint(i), Name: asked.name, Arguments: asked.arguments})
		}
		s := newDesk(t, m)
		if status, answer := s.request(t, toChat, `{"messages":[{"role":"user","content":"x"}]}`); status != http.StatusOK {
			t.Fatalf("%d %s", status, answer)
		}
		for _, came := range c.came {
			if status, answer := s.callTool(t, calling(came.name, came.arguments)); status != http.StatusOK {
				t.Fatalf("%d %s", status, answer)
			}
		}
		var got []string
		for _, call := range s.task.Trace.Calls {
			arguments := strings.NewReplacer(a, "a", b, "b").Replace(*call.Arguments)
			got = append(got, fmt.Sprintf("%d %s %s", call.Turn, call.Tool, arguments))
		}
		if diff := cmp.Diff(strings.Split(c.want, ", "), got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
