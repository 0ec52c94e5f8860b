package sim_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"agentd/models/sim"
)

// documentedPrompts are the examples of the section of docs/models.md about prompts.
func documentedPrompts(t *testing.T) (prompts []string) {
	t.Helper()
	text, err := os.ReadFile("../../docs/models.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "### Prompts that a stand-in understands\n")
	section, _, _ = strings.Cut(section, "\n## ")
	for _, part := range strings.Split(section, "    INSTRUCTION\n")[1:] {
		prompt := strings.TrimSpace(instruction) + "\n"
		for line := range strings.Lines(part) {
			if line != "\n" && !strings.HasPrefix(line, "    ") {
				break
			}
			prompt += strings.TrimPrefix(line, "    ")
		}
		prompts = append(prompts, prompt)
	}
	return prompts
}

func TestADocumentedPromptIsUnderstood(t *testing.T) {
	t.Parallel()
	prompts := documentedPrompts(t)
	if len(prompts) != 2 {
		t.Fatalf("docs/models.md has %d prompts, want one without tools and one with tools", len(prompts))
	}
	tool := func(name string, arguments ...string) map[string]any {
		properties := map[string]any{}
		for _, argument := range arguments {
			properties[argument] = map[string]string{"type": "string"}
		}
		return map[string]any{"type": "function", "function": map[string]any{
			"name": name, "parameters": map[string]any{"type": "object", "properties": properties, "required": arguments}}}
	}
	for name, c := range map[string]struct {
		prompt string
		tools  []map[string]any
		want   string // in the answer's text and calls
	}{
		"files in blocks":         {prompts[0], nil, "```loud/a.txt\nONE\n```"},
		"agentd's tools":          {prompts[1], []map[string]any{tool("read_file", "path"), tool("write_file", "path", "content"), tool("finish")}, `read_file {"path":"a.txt"}`},
		"the tools of an MCP":     {prompts[1], []map[string]any{tool("mcp__agentd__view", "path"), tool("mcp__agentd__run_python", "code")}, `mcp__agentd__view {"path":"a.txt"}`},
		"a shell":                 {prompts[1], []map[string]any{tool("bash", "cmd")}, `bash {"cmd":"python3 - <<`},
		"without the instruction": {strings.ReplaceAll(prompts[0], strings.TrimSpace(instruction), "Do it."), nil, "I do not know this instruction."},
	} {
		body, err := json.Marshal(map[string]any{"model": "perfect", "tools": c.tools, "messages": []map[string]string{{"role": "user", "content": "Hello.\n\n" + c.prompt}}})
		if err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		sim.Handler(shouter{}, sim.Options{}).ServeHTTP(w,
			httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/chat/completions", strings.NewReader(string(body))))
		var answer struct {
			Choices []struct {
				Message struct {
					Content string
					Calls   []struct {
						Function struct{ Name, Arguments string }
					} `json:"tool_calls"`
				}
			}
		}
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || len(answer.Choices) == 0 {
			t.Fatalf("%s: %v: %s", name, err, w.Body)
		}
		got := answer.Choices[0].Message.Content
		for _, call := range answer.Choices[0].Message.Calls {
			got += call.Function.Name + " " + call.Function.Arguments + "\n"
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
