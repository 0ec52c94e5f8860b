// Package e2e tries agentd with programs that others wrote: the MCP inspector, the
// openai package for Node, OpenAI's Agents SDK, and a browser with axe-core. make
// test installs them, packages from the lock files.
package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	domaincatalog "agentd/domains/catalog"
	"agentd/environments"
	"agentd/harness/standin"
	"agentd/models/sim"
	"agentd/vfs"
)

// agentd is the program under test, built for it.
var agentd string

func TestMain(m *testing.M) { os.Exit(build(m)) }

func build(m *testing.M) int {
	dir, err := os.MkdirTemp("", "agentd-e2e-*")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	agentd = filepath.Join(dir, "agentd")
	if out, err := exec.Command("go", "build", "-o", agentd, "agentd/cmd/agentd").CombinedOutput(); err != nil {
		panic(string(out))
	}
	return m.Run()
}

// installed fails unless the packages of a folder are there.
func installed(t *testing.T, folder, name string) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(folder, "node_modules", name)); err != nil {
		t.Fatalf("%s is not installed; run: npm ci --prefix %s (make test does)", name, folder)
	}
}

// run runs a program and returns what it printed.
func run(t *testing.T, stdin []byte, env []string, name string, args ...string) (stdout, stderr string) {
	t.Helper()
	return ended(t, []int{0}, stdin, env, name, args...)
}

// done runs an experiment some of whose arms may do nothing, and returns what is on standard output.
func done(t *testing.T, env []string, args ...string) string {
	t.Helper()
	out, _ := ended(t, []int{0, nothingDone}, nil, env, agentd, args...)
	return out
}

// nothingDone is the exit status of a run in which an arm did nothing.
const nothingDone = 4

// ended runs a program to the end, and fails where its exit status is none of the given ones.
func ended(t *testing.T, statuses []int, stdin []byte, env []string, name string, args ...string) (stdout, stderr string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, args...)
	command.Stdin, command.Env = bytes.NewReader(stdin), append(os.Environ(), env...)
	var out, errs bytes.Buffer
	command.Stdout, command.Stderr = &out, &errs
	err := command.Run()
	if exit := new(exec.ExitError); err != nil && (!errors.As(err, &exit) || !slices.Contains(statuses, exit.ExitCode())) {
		t.Fatalf("%s %s: %v\n%s%s", filepath.Base(name), strings.Join(args, " "), err, &out, &errs)
	}
	return out.String(), errs.String()
}

// inspect runs the inspector's command line on a server.
func inspect(t *testing.T, args ...string) (stdout, stderr string) {
	t.Helper()
	installed(t, ".", "@modelcontextprotocol/inspector")
	home := []string{"HOME=" + t.TempDir()} // where it keeps its settings
	return run(t, nil, home, filepath.Join("node_modules", ".bin", "mcp-inspector"), append([]string{"--cli"}, args...)...)
}

func TestTheInspectorUsesTheToolsOverStdio(t *testing.T) {
	t.Parallel()
	server := []string{agentd, "mcp", "--env", "accounting1", "--edit", "1"}
	out, _ := inspect(t, append(server, "--method", "tools/list")...)
	var list struct {
		Tools []struct {
			Name        string
			InputSchema struct{ Type string }
		}
	}
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	names := map[string]bool{}
	for _, tool := range list.Tools {
		names[tool.Name] = tool.InputSchema.Type == "object"
	}
	for _, name := range []string{"read_file", "view", "str_replace", "run_python", "finish"} {
		if !names[name] {
			t.Errorf("%s is not listed: %s", name, out)
		}
	}
	out, score := inspect(t, append(server, "--method", "tools/call", "--tool-name", "view", "--tool-arg", "path=makerspace.ledger", "--tool-arg", "end=2")...)
	if text := answerText(t, out); !strings.HasPrefix(text, "     1\t") || strings.Count(text, "\n") != 2 {
		t.Errorf("view shows %q", text)
	}
	if !regexp.MustCompile(`accounting1 \S+, forward: .*failed: missing target, stopped after 1 tool calls`).MatchString(score) {
		t.Errorf("when the client leaves, the score is %q", score)
	}
}

// answerText is the text of a tool's answer.
func answerText(t *testing.T, out string) string {
	t.Helper()
	var answer struct{ Content []struct{ Text string } }
	if err := json.Unmarshal([]byte(out), &answer); err != nil || len(answer.Content) == 0 {
		t.Fatalf("%v: %s", err, out)
	}
	return answer.Content[0].Text
}

// An interaction by several clients, one after the other, until finish.
func TestTheInspectorFinishesAnInteractionOverHTTP(t *testing.T) {
	t.Parallel()
	command := exec.CommandContext(t.Context(), agentd, "mcp", "--env", "accounting1", "--edit", "1", "--direction", "backward", "--listen", "127.0.0.1:0")
	pipe, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(pipe)
	if !lines.Scan() {
		t.Fatal("the server says nothing")
	}
	url := lines.Text()
	call := func(tool string, args ...string) string {
		all := []string{url, "--transport", "http", "--method", "tools/call", "--tool-name", tool}
		for _, arg := range args {
			all = append(all, "--tool-arg", arg)
		}
		out, _ := inspect(t, all...)
		return answerText(t, out)
	}
	if got := call("write_file", "path=makerspace.ledger", "content=; nothing\n"); !strings.HasPrefix(got, "Wrote") {
		t.Errorf("write_file: %s", got)
	}
	if got := call("read_file", "path=makerspace.ledger"); !strings.HasPrefix(got, "; nothing") {
		t.Errorf("read_file finds %q: the clients do not share the interaction", got)
	}
	call("finish")
	if !lines.Scan() || !strings.Contains(lines.Text(), "backward: RS 0.0000 strict 0.0000, finished after 3 tool calls") {
		t.Errorf("the score: %q", lines.Text())
	}
	if err := command.Wait(); err != nil {
		t.Error(err)
	}
}

func builtin(t *testing.T) []environments.Environment {
	t.Helper()
	envs, err := environments.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return envs
}

func TestTheOpenAIPackageCompletesAnInteraction(t *testing.T) {
	t.Parallel()
	installed(t, ".", "openai")
	envs := builtin(t)
	server, err := sim.Listen("127.0.0.1:0", standin.NewIndex(envs, domaincatalog.Lookup), sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	env := &envs[0]
	domain, _ := domaincatalog.Lookup(env.Domain)
	for _, edit := range env.Edits {
		oracle, ok := env.OracleFor(edit, domain)
		if !ok {
			t.Fatalf("%s has no exact program", edit.Name)
		}
		task, err := json.Marshal(map[string]any{"instruction": edit.Forward, "files": env.Seed, "targets": edit.Targets})
		if err != nil {
			t.Fatal(err)
		}
		out, _ := run(t, task, []string{"OPENAI_BASE_URL=" + server.URL(), "OPENAI_API_KEY=none", "OPENAI_MODEL=sim:perfect"}, "node", "openai.mjs")
		var got vfs.Files
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			t.Fatal(err)
		}
		want, err := oracle.Forward(env.Seed)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", edit.Name, diff)
		}
	}
}

// The clients that makers publish for Node and for Python work against the stand-in server,
// each in its own dialect, at once and streamed. The server refuses a turn that does not
// come back as it was sent.
func TestTheMakersClientsCompleteAnInteraction(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"openai", "@anthropic-ai/sdk", "@google/genai"} {
		installed(t, ".", name)
	}
	envs := builtin(t)
	server, err := sim.Listen("127.0.0.1:0", standin.NewIndex(envs, domaincatalog.Lookup), sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	env := &envs[0]
	domain, _ := domaincatalog.Lookup(env.Domain)
	edit := env.Edits[1]
	oracle, ok := env.OracleFor(edit, domain)
	if !ok {
		t.Fatalf("%s has no exact program", edit.Name)
	}
	want, err := oracle.Forward(env.Seed)
	if err != nil {
		t.Fatal(err)
	}
	task, err := json.Marshal(map[string]any{"instruction": edit.Forward, "files": env.Seed, "targets": edit.Targets})
	if err != nil {
		t.Fatal(err)
	}
	at := []string{"SIM_URL=" + strings.TrimSuffix(server.URL(), "/v1")}
	for _, program := range [][]string{{"node", "makers.mjs"}, {python(t), "makers.py"}} {
		for _, dialect := range []string{"chat", "responses", "messages", "gemini"} {
			for _, way := range []string{"create", "stream"} {
				t.Run(program[1]+" "+dialect+" "+way, func(t *testing.T) {
					out, _ := run(t, task, at, program[0], program[1], dialect, way)
					var got vfs.Files
					if err := json.Unmarshal([]byte(out), &got); err != nil {
						t.Fatal(err)
					}
					if diff := cmp.Diff(want, got); diff != "" {
						t.Error(diff)
					}
				})
			}
		}
	}
}

// python is the interpreter that has the packages of requirements.txt.
func python(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(".venv", "bin", "python"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatal("the packages of requirements.txt are not installed; make test installs them (make packages)")
	}
	return path
}

// The official client speaks the Responses API to the proxy, from inside of the
// sandbox, in both ways that it has.
func TestTheOpenAIPackageSpeaksTheResponsesAPI(t *testing.T) {
	t.Parallel()
	installed(t, ".", "openai")
	dir := t.TempDir()
	agent := filepath.Join(dir, "agent")
	script, err := os.ReadFile("responses.mjs")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(agent, "node_modules", "openai"), os.DirFS("node_modules/openai")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(agent, "responses.mjs"), script, 0o644); err != nil {
		t.Fatal(err)
	}
	experiment := filepath.Join(dir, "experiment.yaml")
	if err := os.WriteFile(experiment, fmt.Appendf(nil, `
name: responses
models: ["sim:perfect"]
policies:
  - {use: exec, command: [node, /agent/responses.mjs, create], files: %[1]q, name: create}
  - {use: exec, command: [node, /agent/responses.mjs, stream], files: %[1]q, name: stream}
environments: {names: [accounting1, subtitles1]}
relay: {round_trips: 2}
`, agent), 0o644); err != nil {
		t.Fatal(err)
	}
	out, _ := run(t, nil, wide, agentd, "run", "--report", experiment, "--db", filepath.Join(dir, "x.db"))
	for _, policy := range []string{"create", "stream"} {
		for _, line := range []string{policy + ` +2 +100\.0 +100\.0`, policy + ` +8 +0 +0 +100\.0 +4 +[0-9]+\.[0-9]*[1-9]`} {
			if !regexp.MustCompile(line).MatchString(out) {
				t.Errorf("no line %s in\n%s", line, out)
			}
		}
	}
}

// bringAlong copies packages of this folder, and those that they need, into another.
func bringAlong(t *testing.T, to string, packages ...string) {
	t.Helper()
	text, err := os.ReadFile("package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	var lock struct {
		Packages map[string]struct{ Dependencies map[string]string }
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	for len(packages) > 0 {
		folder := "node_modules/" + packages[0]
		packages = packages[1:]
		known, ok := lock.Packages[folder]
		if !ok || there[folder] {
			continue
		}
		there[folder] = true
		packages = slices.AppendSeq(packages, maps.Keys(known.Dependencies))
		if err := os.CopyFS(filepath.Join(to, folder), os.DirFS(folder)); err != nil {
			t.Fatalf("%v; run: npm ci --prefix test/e2e (make test does)", err)
		}
	}
}

// The clients that makers publish stream through the proxy from inside of the sandbox, each
// in its own dialect, with models of every dialect: verbatim where it is the same. The
// server reasons, and refuses a turn whose reasoning does not come back as it was sent.
func TestTheMakersClientsStreamThroughTheProxy(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	agent := filepath.Join(dir, "agent")
	bringAlong(t, agent, "openai", "@anthropic-ai/sdk", "@google/genai")
	for _, name := range []string{"makers.mjs", "command.py"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(agent, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	envs := builtin(t)
	server, err := sim.Listen("127.0.0.1:0", standin.NewIndex(envs, domaincatalog.Lookup), sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	text := []byte("name: streams\nenvironments: {names: [accounting1]}\nrelay: {round_trips: 1}\n")
	dialects := []string{"chat", "responses", "messages", "gemini"}
	text = append(text, "models:\n"...)
	for _, speaks := range dialects {
		text = fmt.Appendf(text, "  - {name: %[1]s-model, model: \"sim:perfect\", api: %[1]s, base_url: %[2]q, reasoning: high}\n", speaks, server.URL())
	}
	text = append(text, "policies:\n"...)
	for _, asks := range dialects {
		text = fmt.Appendf(text, "  - {use: exec, command: [python3, /agent/command.py, node, /agent/makers.mjs, %[1]s, stream], files: %[2]q, name: %[1]s}\n", asks, agent)
	}
	experiment, db := filepath.Join(dir, "streams.yaml"), filepath.Join(dir, "x.db")
	if err := os.WriteFile(experiment, text, 0o644); err != nil {
		t.Fatal(err)
	}
	run(t, nil, nil, agentd, "run", experiment, "--db", db)
	perfect(t, exported(t, db), len(dialects)*len(dialects), false)
}

// wide is the environment of a program that writes tables for a wide screen.
var wide = []string{"COLUMNS=250"}

// The openai package's own tool runner and OpenAI's Agents SDK are agents of
// other projects. They work inside of the sandbox, through the proxy, each in a dialect of
// its own, to a scored result, as do the examples in Python and in shell.
func TestExamplesRunAsPolicies(t *testing.T) {
	t.Parallel()
	installed(t, "../../examples/openai", "openai")
	installed(t, "../../examples/agents-sdk", "@openai/agents")
	out := done(t, wide, "run", "--report", "--db", filepath.Join(t.TempDir(), "x.db"), "--env", "accounting1,subtitles1",
		"--model", "sim:perfect", "--round-trips", "2", "--policy", "exec:../../examples/openai,exec:../../examples/agents-sdk,exec:../../examples/python,exec:../../examples/shell")
	for policy, want := range map[string][]string{
		"the runner": {`exec:openai +2 +100\.0 +100\.0`, `exec:openai +8 +0 +0 +100\.0 +4 +[0-9]+\.[0-9]*[1-9]`},
		"the SDK":    {`exec:agents-sdk +2 +100\.0 +100\.0`, `exec:agents-sdk +8 +0 +0 +100\.0 +4 +[0-9]+\.[0-9]*[1-9]`},
		"Python":     {`exec:python +2 +100\.0 +100\.0`, `exec:python +8 +0 +0 +100\.0 +4 +[0-9]+\.[0-9]*[1-9]`},
		"shell":      {`exec:shell +2 `, `exec:shell +8 +0 +[0-9]+ +[0-9.]+ +4 +0\.0000`},
	} {
		for _, line := range want {
			if !regexp.MustCompile(line).MatchString(out) {
				t.Errorf("%s: no line %s in\n%s", policy, line, out)
			}
		}
	}
}
