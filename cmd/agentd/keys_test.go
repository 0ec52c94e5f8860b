package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"agentd/models"
)

// echoed answers in a dialect with a key everywhere: in the text, the reasoning, the
// signature, a call's arguments.
func echoed(api models.API, key string) string {
	return strings.ReplaceAll(map[models.API]string{
		models.Chat: `{"choices": [{"message": {"content": "KEY", "reasoning_content": "KEY", "reasoning_details": [{"type": "x", "data": "KEY"}],
			"tool_calls": [{"id": "c", "function": {"name": "read_file", "arguments": "{\"filename\": \"KEY\"}"}, "extra_content": {"s": "KEY"}}]}, "finish_reason": "tool_calls"}]}`,
		models.Messages: `{"content": [{"type": "thinking", "thinking": "KEY", "signature": "KEY"}, {"type": "text", "text": "KEY"},
			{"type": "tool_use", "id": "c", "name": "read_file", "input": {"filename": "KEY"}}], "stop_reason": "tool_use"}`,
		models.Responses: `{"status": "completed", "output": [{"type": "reasoning", "id": "r", "summary": [{"type": "summary_text", "text": "KEY"}], "encrypted_content": "KEY"},
			{"type": "message", "content": [{"type": "output_text", "text": "KEY"}]}, {"type": "function_call", "call_id": "c", "name": "read_file", "arguments": "{\"filename\": \"KEY\"}"}]}`,
		models.Gemini: `{"candidates": [{"content": {"parts": [{"text": "KEY", "thought": true}, {"text": "KEY"}, {"functionCall": {"name": "read_file", "args": {"filename": "KEY"}}, "thoughtSignature": "KEY"}]}, "finishReason": "STOP"}]}`,
	}[api], "KEY", key)
}

// The key of every maker, repeated by its server in all that it sends, is in no database,
// log, trace, recording, export or error, not among the arguments of processes, and goes
// to no other host.
func TestKeysOfAllMakersStayHidden(t *testing.T) {
	t.Parallel()
	for api, variable := range map[models.API]string{
		models.Chat: "OPENAI_API_KEY", models.Responses: "XAI_API_KEY", models.Messages: "ANTHROPIC_API_KEY", models.Gemini: "GEMINI_API_KEY",
	} {
		t.Run(string(api), func(t *testing.T) {
			t.Parallel()
			key := "sk-planted-0a1b2c3d4e5f-" + string(api)
			var elsewhere, asked atomic.Int32
			other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
			t.Cleanup(other.Close)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if !strings.Contains(fmt.Sprint(r.Header), key) {
					t.Error("the server was asked without the key")
				}
				switch n := asked.Add(1); {
				case n%7 == 3:
					w.Header().Set("Location", other.URL+"/?"+key)
					w.WriteHeader(http.StatusTemporaryRedirect)
				case n%7 == 5:
					w.WriteHeader(http.StatusBadRequest)
					fmt.Fprintf(w, `{"error": {"message": "Your key %s may not", "code": %q, "status": %[2]q}}`, key, key)
				default:
					fmt.Fprint(w, echoed(api, key))
				}
			}))
			t.Cleanup(server.Close)
			dir := t.TempDir()
			experiment := filepath.Join(dir, "x.yaml")
			text := fmt.Sprintf(`
name: keys
models: [{name: m, api: %s, base_url: %q, key_env: %s, reasoning: low, attempts: 1}]
policies: [agentic, direct, {use: exec, command: [sh, -c, "env >&2; cat /proc/*/cmdline /proc/*/environ >&2; false"], name: nosy}]
environments: {names: [accounting1]}
relay: {round_trips: 3, on_fault: go-on}
`, api, server.URL, variable)
			if err := os.WriteFile(experiment, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			db := filepath.Join(dir, "x.db")
			agentd := func(args ...string) {
				command := exec.Command("agentd", args...)
				command.Dir = dir
				command.Env = append(os.Environ(), variable+"="+key)
				out, _ := command.CombinedOutput() // the run may fail: its server is no good
				if err := os.WriteFile(filepath.Join(dir, args[0]+args[1]+".out"), out, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			agentd("run", "x.yaml", "--db", db, "--trace", "full", "--record", filepath.Join(dir, "x.jsonl"))
			agentd("export", "--db", db, "--contents", "--to", filepath.Join(dir, "export.jsonl"))
			agentd("trace", "1", "--db", db, "--contents")
			agentd("report", "--db", db)
			files, err := filepath.Glob(filepath.Join(dir, "*"))
			if err != nil {
				t.Fatal(err)
			}
			found := false
			for _, file := range files {
				raw, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if at := strings.Index(string(raw), "planted-0a1b"); at >= 0 {
					t.Errorf("%s holds the key: …%s…", filepath.Base(file), raw[max(0, at-100):min(len(raw), at+60)])
				}
				found = found || strings.HasSuffix(file, "export.jsonl") && strings.Contains(string(raw), "(key)")
			}
			if !found || asked.Load() < 7 {
				t.Errorf("asked %d times; the export shows a hidden key: %t", asked.Load(), found)
			}
			if elsewhere.Load() != 0 {
				t.Error("a redirect was followed")
			}
		})
	}
}
