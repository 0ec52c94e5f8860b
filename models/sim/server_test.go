package sim

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"agentd/models/wire"
)

func TestRequestsThatCannotBeServed(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(Handler(nil, Options{}))
	t.Cleanup(server.Close)
	for name, c := range map[string]struct {
		method, path, body string
		status             int
		says               string
	}{
		"an unknown model names those there are": {"POST", "/v1/chat/completions", `{"model": "sim:strong"}`, 404, "sim:perfect, sim:frontier, sim:weak"},
		"what is not JSON is refused":            {"POST", "/v1/chat/completions", `{"model": `, 400, "cannot be read"},
		"no other method":                        {"GET", "/v1/chat/completions", "", 405, ""},
		"no other path":                          {"POST", "/v1/embeddings", "{}", 404, ""},
		"models are listed":                      {"GET", "/v1/models", "", 200, `"id":"sim:frontier"`},
	} {
		t.Run(name, func(t *testing.T) {
			request, err := http.NewRequestWithContext(t.Context(), c.method, server.URL+c.path, strings.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			response, err := server.Client().Do(request)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			body, err := io.ReadAll(response.Body)
			if err != nil {
				t.Fatal(err)
			}
			if response.StatusCode != c.status || !strings.Contains(string(body), c.says) {
				t.Errorf("%s: %s, want %d with %q", response.Status, body, c.status, c.says)
			}
		})
	}
}

func TestToolsAreCountedAsPrompt(t *testing.T) {
	t.Parallel()
	r, m := &request{Request: wire.Request{Messages: []message{{Role: user, Content: "four"}}}}, say("eight by")
	plain := used(r, &m)
	r.Tools = make([]wire.Tool, 1)
	r.Tools[0].Name = strings.Repeat("n", 400)
	offered := used(r, &m)
	if plain.Prompt != 1 || plain.Completion != 2 || plain.Total() != 3 || offered.Prompt < 100 {
		t.Errorf("%+v without, %+v with a tool", plain, offered)
	}
}

func TestScriptsWriteContentsExactly(t *testing.T) {
	t.Parallel()
	var controls strings.Builder
	for c := rune(1); c < 0xa1; c++ {
		controls.WriteRune(c)
	}
	documents := map[string]string{"old.txt": "spent", "same.txt": "a\r\nb"}
	result := map[string]string{
		"same.txt":           "changed",
		"deep/er/new.txt":    "",
		"quotes.txt":         `'''"""\"\'\\ \n \u0041 \N{BULLET} {x} %s \`,
		"lines.txt":          "a\r\nb\rc\n\nd\u2028e\u2029f\u0085g",
		"unicode.txt":        "ünï 𝄞 😀 \ufeff \ufffd \U0010ffff <&>",
		"controls.txt":       controls.String(),
		`odd " ' \ name.txt`: "x",
	}
	dir := t.TempDir()
	for name, content := range documents {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	code := filepath.Join(t.TempDir(), "script.py")
	if err := os.WriteFile(code, []byte(script(documents, result, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.Command("python3", "-I", code)
	command.Dir = dir
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if want := "old.txt 5\nsame.txt 4\n"; string(out) != want {
		t.Errorf("it printed %q, want %q", out, want)
	}
	for name, want := range result {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s holds %q, want %q, error %v", name, got, want, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "old.txt")); !os.IsNotExist(err) {
		t.Errorf("old.txt is still there, error %v", err)
	}
}
