package sim_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/models"
	"agentd/vfs"
)

// agent plays one that somebody else wrote: a set of tools, a way to begin a conversation,
// and what it puts around the answers of its tools.
type agent struct {
	tools  []models.Tool
	before []models.Message // the task
	wrap   func(string) string
	ends   string // the command or the tool that ends the task; "" for an answer without calls
	refuse string // a tool that never works
}

func tool(name string, arguments ...string) models.Tool {
	var properties, required []string
	for _, argument := range arguments {
		kind := `"string"`
		argument, list := strings.CutSuffix(argument, "[]")
		if list {
			kind = `"array"`
		}
		properties = append(properties, fmt.Sprintf(`%q:{"type":%s}`, argument, kind))
		required = append(required, fmt.Sprintf("%q", argument))
	}
	return models.Tool{Name: name, Description: "a tool", Parameters: json.RawMessage(
		`{"type":"object","properties":{` + strings.Join(properties, ",") + `},"required":[` + strings.Join(required, ",") + `]}`)}
}

// work has a model do the task in a folder and returns the files that it left, and the
// names of the tools that it called.
func (a agent) work(t *testing.T, model models.Model, seed int64, files vfs.Files) (left vfs.Files, called []string) {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	messages := append(slices.Clone(a.before), models.Message{Role: models.User, Content: task(files)})
	for range 40 {
		answer, err := model.Complete(t.Context(), models.Request{Messages: messages, Tools: a.tools, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		messages = append(messages, answer.Message)
		ended := len(answer.Message.ToolCalls) == 0
		for _, call := range answer.Message.ToolCalls {
			called = append(called, call.Name)
			if len(call.Arguments) > 16<<10 && call.Name == "terminal" {
				t.Errorf("a terminal was sent %d bytes", len(call.Arguments))
			}
			said := a.carryOut(t, dir, call)
			ended = ended || call.Name == a.ends || a.ends != "" && strings.Contains(call.Arguments, a.ends)
			messages = append(messages, models.Message{Role: models.ToolRole, ToolCallID: call.ID, Content: a.wrap(said)})
		}
		if ended && (a.ends == "") == (len(answer.Message.ToolCalls) == 0) {
			return folder(t, dir), called
		}
	}
	t.Fatalf("not done after 40 turns: %v", called)
	return nil, nil
}

// task words the shouter's instruction as exec does.
func task(files vfs.Files) string {
	return instruction + "\n\nFiles in the workspace:\n- " + strings.Join(files.Names(), "\n- ") + "\n\nFiles to produce:\n- loud/*.txt\n- keep.txt\n\nAnd mind:\n- nothing"
}

func folder(t *testing.T, dir string) vfs.Files {
	t.Helper()
	left := vfs.Files{}
	err := filepath.WalkDir(dir, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(name)
		relative, wrong := filepath.Rel(dir, name)
		left[relative] = string(content)
		return errors.Join(err, wrong)
	})
	if err != nil {
		t.Fatal(err)
	}
	return left
}

// carryOut does a call in a folder.
func (a agent) carryOut(t *testing.T, dir string, call models.ToolCall) string {
	t.Helper()
	var args map[string]any
	if err := json.Unmarshal([]byte(call.Arguments), &args); err != nil {
		t.Fatalf("%s %s: %v", call.Name, call.Arguments, err)
	}
	at := slices.IndexFunc(a.tools, func(tool models.Tool) bool { return tool.Name == call.Name })
	if at < 0 {
		t.Fatalf("there is no tool %s", call.Name)
	}
	var schema struct{ Required []string }
	if err := json.Unmarshal(a.tools[at].Parameters, &schema); err != nil {
		t.Fatal(err)
	}
	for _, name := range schema.Required {
		if args[name] == nil {
			t.Errorf("%s was called without %s", call.Name, name)
		}
	}
	text := func(names ...string) string {
		for _, name := range names {
			if value, ok := args[name].(string); ok {
				return value
			}
		}
		return ""
	}
	path := text("file_path", "path")
	switch {
	case call.Name == a.refuse:
		return "Error: not today"
	case call.Name == "Read":
		content, err := os.ReadFile(path)
		return fmt.Sprint(string(content), err)
	case call.Name == "Write":
		return fmt.Sprint(errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text("content")), 0o600)))
	case call.Name == "Edit":
		content, err := os.ReadFile(path)
		if strings.Count(string(content), text("old_string")) != 1 {
			return "Error: not unique"
		}
		return fmt.Sprint(err, os.WriteFile(path, []byte(strings.Replace(string(content), text("old_string"), text("new_string"), 1)), 0o600))
	}
	words := []string{"bash", "-c", text("command", "cmd")}
	if list, ok := args["command"].([]any); ok {
		words = nil
		for _, word := range list {
			words = append(words, word.(string))
		}
	}
	command := exec.CommandContext(t.Context(), words[0], words[1:]...)
	command.Dir = dir
	out, err := command.CombinedOutput()
	return fmt.Sprintf("%s\nexit: %v", out, err)
}

// The stand-in works with the tools of agents that it was never told of.
func TestToolsOfOthersArePlayed(t *testing.T) {
	t.Parallel()
	plain := func(said string) string { return said }
	files := vfs.Files{"keep.txt": "kept\n", "other.md": "- not asked for:\n"}
	for name, content := range long {
		if name != "keep.txt" {
			files[name] = content
		}
	}
	files["large.txt"] = strings.Repeat("a line that is not short at all\n", 800)
	model := open(t, listen(t), "sim:perfect")
	for name, a := range map[string]agent{
		"a shell alone": {tools: []models.Tool{tool("terminal", "command")}, wrap: plain},
		"a shell of words, after other messages, with its output in JSON": {
			tools: []models.Tool{tool("shell", "command[]")},
			before: []models.Message{
				{Role: models.System, Content: "You are careful."}, {Role: models.User, Content: "<environment>\n- a list\n</environment>"},
			},
			wrap: func(said string) string {
				raw, _ := json.Marshal(map[string]string{"output": said})
				return string(raw)
			},
		},
		"a shell that ends the task": {
			tools: []models.Tool{tool("bash", "command")}, ends: "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT",
			before: []models.Message{{Role: models.System, Content: "At the end run: echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"}},
			wrap:   func(said string) string { return "<output>\n" + said + "</output>" },
		},
		"tools for files too": {
			tools: []models.Tool{tool("Bash", "command", "description"), tool("Read", "file_path"), tool("Write", "file_path", "content"), tool("Edit", "file_path", "old_string", "new_string")},
			wrap:  plain,
		},
		"a tool that writes but never works": {
			tools: []models.Tool{tool("Bash", "cmd"), tool("Write", "file_path", "content")}, refuse: "Write", wrap: plain,
		},
		"a tool to finish": {tools: []models.Tool{tool("execute_bash", "command"), tool("finish", "message")}, ends: "finish", wrap: plain},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := shouted(files)
			want["other.md"] = files["other.md"]
			written := 0
			for seed := range int64(3) {
				left, called := a.work(t, model, seed, files)
				if diff := cmp.Diff(want, left); diff != "" {
					t.Errorf("seed %d: %s", seed, diff)
				}
				if slices.Contains(called, "Write") {
					written++
				}
			}
			if offers := slices.ContainsFunc(a.tools, func(tool models.Tool) bool { return tool.Name == "Write" }); offers == (written == 0) {
				t.Errorf("it wrote by Write in %d of 3", written)
			}
		})
	}
}

// A model without tools answers with blocks where the agent asks for them.
func TestSearchReplaceBlocksArePlayed(t *testing.T) {
	t.Parallel()
	model := open(t, listen(t), "sim:perfect")
	files := vfs.Files{"a.txt": "one\ntwo\n", "b.txt": "```\nthree\n", "keep.txt": "kept\n", "x.md": "other\n"}
	shown := "Here are the files:\n\na.txt\n````\none\ntwo\n````\n\nb.txt\n````\n```\nthree\n````\n\nkeep.txt\n````\nkept\n````\n\nx.md\n````\nother\n````\n"
	answer, err := model.Complete(t.Context(), models.Request{Messages: []models.Message{
		{Role: models.System, Content: "Answer with *SEARCH/REPLACE* blocks."},
		{Role: models.User, Content: shown}, {Role: models.Assistant, Content: "Ok."},
		{Role: models.User, Content: task(files)},
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := "Here are the changes.\n\nloud/a.txt\n```\n<<<<<<< SEARCH\n=======\nONE\nTWO\n>>>>>>> REPLACE\n```\n" +
		"\nloud/b.txt\n````\n<<<<<<< SEARCH\n=======\n```\nTHREE\n>>>>>>> REPLACE\n````\n"
	if diff := cmp.Diff(want, answer.Message.Content); diff != "" {
		t.Error(diff)
	}

	// Where the agent takes suggestions for its shell, one removes what was used up.
	answer, err = model.Complete(t.Context(), models.Request{Messages: []models.Message{
		{Role: models.System, Content: "Answer with *SEARCH/REPLACE* blocks. Suggest any shell commands in ```bash blocks."},
		{Role: models.User, Content: shown}, {Role: models.User, Content: task(files)},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want+"\n```bash\nrm -- 'a.txt' 'b.txt'\n```\n", answer.Message.Content); diff != "" {
		t.Error(diff)
	}
}
