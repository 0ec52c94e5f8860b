package sim_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"agentd/models"
	"agentd/models/sim"
	"agentd/policies"
	"agentd/policies/agentic"
	"agentd/policies/direct"
	"agentd/policies/editor"
	"agentd/policies/programmatic"
	"agentd/policies/prompt"
	"agentd/policies/prompt/published/publishedtest"
	"agentd/policies/verify"
	"agentd/sandbox"
	"agentd/tools"
	"agentd/vfs"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// shouter knows one instruction: it writes the documents, which end in .txt, in
// capitals under loud/, keeps keep.txt as well and uses the others up. Where it
// is to do damage, a number shows which.
type shouter struct{}

const instruction = "Write it in capitals and produce for each file:\n- one in loud/\n- nothing else\n\nRules:\n- keep.txt stays\n"

func (shouter) Find(text string, files, targets []string) (sim.Job, bool) {
	slices.Sort(targets)
	if !strings.Contains(text, strings.TrimSpace(instruction)) || targets != nil && !slices.Equal(targets, []string{"keep.txt", "loud/*.txt"}) ||
		slices.ContainsFunc(files, func(f string) bool { return strings.Contains(f, " ") }) {
		return sim.Job{}, false
	}
	return sim.Job{Exact: true,
		IsDocument: func(name string) bool { return strings.HasSuffix(name, ".txt") },
		Do: func(files map[string]string, damage sim.Damage) map[string]string {
			result := map[string]string{}
			for name, content := range files {
				switch {
				case name == "keep.txt":
					result[name] = content
				case strings.HasSuffix(name, ".txt"):
					result["loud/"+name] = strings.ToUpper(content)
				}
			}
			if !damage.None() {
				result["keep.txt"] += fmt.Sprintln(damage.Random.IntN(1 << 30))
			}
			return result
		}}, true
}

var (
	documents = vfs.Files{
		"a.txt": "one\n", "b.txt": "```\ntwo\n````\n`````x\n", "c.txt": "\"\\\" ünï 𝄞\n", "d.txt": "tab\there\n", "keep.txt": "kept\n",
	}
	empty       = vfs.Files{"empty.txt": "", "keep.txt": "kept\n"}
	distractors = vfs.Files{"x.md": "x", "y.md": "y", "z.csv": "z"}
)

func shouted(documents vfs.Files) vfs.Files {
	job, _ := shouter{}.Find(instruction, nil, []string{"loud/*.txt", "keep.txt"})
	return job.Do(documents, sim.Damage{})
}

func listen(t *testing.T) *sim.Server {
	t.Helper()
	server, err := sim.Listen("127.0.0.1:0", shouter{}, sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		if err := server.Wait(); err != nil {
			t.Error(err)
		}
	})
	return server
}

func open(t *testing.T, server *sim.Server, name string) models.Model {
	t.Helper()
	model, err := models.Open(models.Spec{Name: name, BaseURL: server.URL(), Seeded: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return model
}

// python runs scripts with the machine's Python in a folder of their own.
// These are the stand-in's scripts; no model wrote them.
type python struct{ t *testing.T }

func (p python) RunPython(ctx context.Context, ws *vfs.Workspace, script sandbox.Script) (sandbox.Result, error) {
	before, err := ws.Snapshot()
	if err != nil {
		return sandbox.Result{}, err
	}
	after, printed := runScript(p.t, before, script)
	for name := range before {
		if _, kept := after[name]; !kept {
			err = ws.Delete(name)
		}
	}
	for name, content := range after {
		if old, ok := before[name]; !ok || old != content {
			err = ws.Write(name, content)
		}
	}
	return sandbox.Result{Stdout: printed + "exit code: 7"}, err
}

func (python) RunCommand(context.Context, *vfs.Workspace, sandbox.Command) (sandbox.Result, error) {
	return sandbox.Result{}, errors.ErrUnsupported
}

func (python) Close() error { return nil }

func runScript(t *testing.T, files vfs.Files, script sandbox.Script) (after vfs.Files, printed string) {
	t.Helper()
	above := t.TempDir()
	dir := filepath.Join(above, "workspace")
	for name, content := range files {
		if err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700), os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.Command("python3", "-I", "-c", script.Code)
	command.Dir = above
	if script.Cwd == sandbox.InWorkspace {
		command.Dir = dir
	}
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s\n%s", err, out, script.Code)
	}
	after = vfs.Files{}
	err = filepath.WalkDir(dir, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		raw, err := os.ReadFile(name)
		relative, _ := filepath.Rel(dir, name)
		after[filepath.ToSlash(relative)] = string(raw)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return after, string(out)
}

// exits is a sandbox in which every script does nothing and exits so.
type exits int

func (e exits) RunPython(context.Context, *vfs.Workspace, sandbox.Script) (sandbox.Result, error) {
	return sandbox.Result{ExitCode: int(e)}, nil
}

func (exits) RunCommand(context.Context, *vfs.Workspace, sandbox.Command) (sandbox.Result, error) {
	return sandbox.Result{}, errors.ErrUnsupported
}

func (exits) Close() error { return nil }

// otherWords begins the names of modes whose prompts have the shape of the published
// ones and none of our words.
const otherWords = "other words, "

func inOtherWords(t *testing.T) *prompt.Source {
	t.Helper()
	release, files := publishedtest.Release()
	replacements, err := release.Replacements(publishedtest.Folder(t, files), policies.Published)
	if err != nil {
		t.Fatal(err)
	}
	return prompt.NewReplaced(replacements)
}

// edit carries one interaction out and returns what it left.
func edit(t *testing.T, mode string, model models.Model, seed int64, documents vfs.Files, runner sandbox.Runner) (*policies.Task, vfs.Files) {
	t.Helper()
	source, err := prompt.NewSource("")
	if err != nil {
		t.Fatal(err)
	}
	loop := agentic.Loop{Model: model, Limits: policies.DefaultLimits()}
	protocol := policies.Published
	if rest, clean := strings.CutPrefix(mode, "clean "); clean {
		mode, protocol = rest, policies.Clean
	}
	if rest, ok := strings.CutPrefix(mode, otherWords); ok {
		mode, source = rest, inOtherWords(t)
	}
	var policy policies.Policy
	switch mode {
	case "direct":
		policy, err = direct.New(model, "", nil, protocol, source)
	case "agentic":
		policy, err = agentic.New(agentic.Of(protocol), loop, source)
	case "editor":
		policy, err = agentic.New(editor.Kind(), loop, source)
	case "programmatic":
		policy, err = agentic.New(programmatic.Kind(), loop, source)
	case "verify":
		first, _ := agentic.New(agentic.Clean(), loop, source) // as above
		loop.Tools = tools.Standard()
		policy, err = verify.New(first, loop, source)
	}
	if err != nil {
		t.Fatal(err)
	}
	workspace, err := vfs.New(documents, distractors)
	if err != nil {
		t.Fatal(err)
	}
	task := &policies.Task{
		Instruction: instruction, Workspace: workspace, Targets: []string{"loud/*.txt", "keep.txt"},
		FileOrder: append([]string{"x.md"}, slices.DeleteFunc(workspace.Names(), func(n string) bool { return n == "x.md" })...),
		Seed:      seed, NewRunner: func() (sandbox.Runner, error) { return runner, nil }, Trace: &policies.Trace{},
	}
	if err := policy.Edit(t.Context(), task); err != nil {
		t.Fatalf("seed %d: %v; calls %v", seed, err, task.Trace.Calls)
	}
	if task.Answer != nil {
		return task, task.Answer
	}
	output, err := workspace.Output()
	if err != nil {
		t.Fatal(err)
	}
	return task, output
}

func used(task *policies.Task, tool string) int {
	n := 0
	for _, call := range task.Trace.Calls {
		if call.Tool == tool {
			n++
		}
	}
	return n
}

func TestTheDirectAnswerHoldsTheFiles(t *testing.T) {
	t.Parallel()
	model := open(t, listen(t), "sim:perfect")
	for _, mode := range []string{"direct", "clean direct", otherWords + "direct"} {
		_, got := edit(t, mode, model, 1, documents, nil)
		if diff := cmp.Diff(shouted(documents), got); diff != "" {
			t.Errorf("%s: %s", mode, diff)
		}
	}
}

func TestAFileWithoutANewlineAtItsEndKeepsNone(t *testing.T) {
	t.Parallel()
	open := open(t, listen(t), "sim:perfect")
	documents := vfs.Files{"a.txt": "one", "keep.txt": "```\nkept"}
	for _, mode := range []string{"direct", otherWords + "direct"} {
		_, got := edit(t, mode, open, 1, documents, nil)
		if diff := cmp.Diff(shouted(documents), got); diff != "" {
			t.Errorf("%s: %s", mode, diff)
		}
	}
}

func TestEveryWayOfEditingComesToTheSame(t *testing.T) {
	t.Parallel()
	model := open(t, listen(t), "sim:perfect")
	for _, mode := range []string{"agentic", "clean agentic", otherWords + "agentic"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			everyWay(t, mode, model)
		})
	}
}

func everyWay(t *testing.T, mode string, model models.Model) {
	ways := map[string]int{}
	for seed := int64(1); seed <= 40 && len(ways) < 3; seed++ {
		task, got := edit(t, mode, model, seed, documents, python{t})
		if diff := cmp.Diff(shouted(documents), got); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
		scripts, writes, deletes := used(task, "run_python"), used(task, "write_file"), used(task, "delete_file")
		ways[fmt.Sprint(scripts, writes, deletes)]++
		if task.Trace.Ending != policies.Finished || used(task, "finish") != 1 {
			t.Errorf("seed %d ended %s", seed, task.Trace.Ending)
		}
		for _, read := range task.Workspace.Reads() {
			if read.Origin != vfs.Document {
				t.Errorf("seed %d read %v", seed, read)
			}
		}
		for _, call := range task.Trace.Calls {
			if call.Error != "" {
				t.Errorf("seed %d: %+v", seed, call)
			}
		}
	}
	for _, way := range []string{"1 0 0", "1 1 0", "0 5 4"} { // scripts, writes, deletes
		if ways[way] == 0 {
			t.Errorf("no interaction with %s among %v", way, ways)
		}
	}
}

func TestAFailedScriptIsMadeUpFor(t *testing.T) {
	t.Parallel()
	model := open(t, listen(t), "sim:perfect")
	scripts := 0
	for seed := range int64(10) {
		task, got := edit(t, "agentic", model, seed, documents, exits(1))
		scripts += used(task, "run_python")
		if diff := cmp.Diff(shouted(documents), got); diff != "" {
			t.Errorf("seed %d: %s", seed, diff)
		}
	}
	if scripts == 0 {
		t.Error("no interaction ran a script")
	}
}

func TestAnEmptyDocumentStaysEmpty(t *testing.T) {
	t.Parallel()
	model := open(t, listen(t), "sim:perfect")
	_, got := edit(t, "agentic", model, 1, empty, python{t})
	if diff := cmp.Diff(shouted(empty), got); diff != "" {
		t.Error(diff)
	}
}

func TestEqualRequestsGetEqualAnswers(t *testing.T) {
	t.Parallel()
	server := listen(t)
	for _, mode := range []string{"direct", "agentic", "clean direct", "clean agentic"} {
		run := func(name string, seed int64) string {
			task, got := edit(t, mode, open(t, server, name), seed, documents, python{t})
			var tools []string
			for _, call := range task.Trace.Calls {
				tools = append(tools, call.Tool)
			}
			return fmt.Sprint(got, tools, task.Workspace.Reads())
		}
		first := run("sim:weak", 7)
		for label, c := range map[string]struct {
			name  string
			seed  int64
			equal bool
		}{
			"again": {"sim:weak", 7, true}, "another seed": {"sim:weak", 8, false}, "another profile": {"sim:frontier", 7, false},
		} {
			if got := run(c.name, c.seed); (got == first) != c.equal {
				t.Errorf("%s, %s: %s\nfirst: %s", mode, label, got, first)
			}
		}
	}
}

func TestSharesAreThoseOfTheProfile(t *testing.T) {
	t.Parallel()
	server := listen(t)
	for _, profile := range sim.Profiles() {
		if profile.Control() {
			continue
		}
		t.Run(profile.Name, func(t *testing.T) {
			t.Parallel()
			model := open(t, server, sim.Prefix+profile.Name)
			const runs = 200
			var script, both, write, reads int
			for seed := range int64(runs) {
				task, _ := edit(t, "agentic", model, seed, empty, exits(0))
				switch scripts, writes := used(task, "run_python"), used(task, "write_file"); {
				case scripts > 0 && writes > 0:
					both++
				case scripts > 0:
					script++
				case writes > 0:
					write++
				}
				for _, read := range task.Workspace.Reads() {
					if read.Origin == vfs.Distractor {
						reads++
					}
				}
			}
			expectShare(t, "script", script, runs, profile.Script)
			expectShare(t, "both", both, runs, profile.Both)
			expectShare(t, "write_file", write, runs, 1-profile.Script-profile.Both)
			expectShare(t, "distractors read", reads, runs*len(distractors), profile.Distractor)
		})
	}
}

// expectShare allows four standard deviations. The seeds are fixed, so that it
// fails always or never.
func expectShare(t *testing.T, what string, n, of int, want float64) {
	t.Helper()
	got := float64(n) / float64(of)
	if math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/float64(of)) {
		t.Errorf("%s: %d of %d, want a share of %v", what, n, of, want)
	}
}

func TestUsageCountsWhatWasSentBeforeAsCached(t *testing.T) {
	t.Parallel()
	task, _ := edit(t, "agentic", open(t, listen(t), "sim:weak"), 3, documents, exits(0))
	turns := task.Trace.Turns
	if len(turns) < 3 {
		t.Fatalf("%d turns", len(turns))
	}
	sent := 0
	for i, turn := range turns {
		u := turn.Usage
		if u.Cached != sent || u.Prompt <= sent || u.Completion <= 0 {
			t.Errorf("turn %d: %+v, want %d cached, more than that sent, and an answer", i+1, u, sent)
		}
		sent = u.Prompt
	}
}
