package published_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agentd/internal/download"
	"agentd/models"
	"agentd/policies"
	"agentd/policies/agentic"
	"agentd/policies/direct"
	"agentd/policies/prompt"
	"agentd/policies/prompt/published"
	"agentd/policies/prompt/published/publishedtest"
	"agentd/vfs"
	"agentd/vfs/fenced"
)

// Words that say nothing of the length of a text, and words that do.
const noLength, someLength = 0, 120

// The prompts of the policies are what plain substitution makes of the files.
func TestPromptsSayWhatTheFilesSay(t *testing.T) {
	t.Parallel()
	release, files := publishedtest.Release()
	compareWithFiles(t, release, publishedtest.Folder(t, files))
}

// AGENTD_PUBLISHED_PROMPTS names a folder with the published files, as agentd prompts
// pull leaves them.
func TestPublishedPromptsSayWhatTheFilesSay(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("AGENTD_PUBLISHED_PROMPTS")
	if dir == "" {
		t.Skip("AGENTD_PUBLISHED_PROMPTS names no folder with the published files: agentd prompts pull --to DIR")
	}
	compareWithFiles(t, published.Pinned(), dir)
}

func compareWithFiles(t *testing.T, release published.Release, dir string) {
	for _, words := range []int{noLength, someLength} {
		for domain, file := range map[string]string{"accounting": "documents", "python": "python", "fiction": "fiction"} {
			task := newTask(t, domain, words)
			contents := fenced.Format(mustSnapshot(t, task), task.FileOrder)
			target := "5" // as many words as it has
			if words == someLength {
				target = "120"
			}
			want := strings.NewReplacer("[[INPUT_CONTEXT]]", contents, "[[FILE_NAMES]]", prompt.Phrase(task.Targets),
				"[[EDITING_OPERATION]]", task.Instruction, "[[CURRENT_LENGTH]]", "5", "[[TARGET_LENGTH]]", target,
			).Replace(read(t, dir, "prompts/domain_"+file+".txt"))
			asked := ask(t, release, dir, "direct", task)
			if len(asked) != 1 || len(asked[0].Messages) != 1 {
				t.Fatalf("direct asks %v", asked)
			}
			if diff := cmp.Diff(want, asked[0].Messages[0].Content); diff != "" {
				t.Errorf("direct, %s, %d words: %s", file, words, diff)
			}
		}
		task := newTask(t, "fiction", words)
		want := inPython(t, release, filepath.Join(dir, "model_agentic.py"), task, words)
		asked := ask(t, release, dir, "agentic", task)
		if len(asked) != 3 {
			t.Fatalf("agentic asks %d times", len(asked))
		}
		last := asked[2].Messages
		got := spoken{
			System: last[0].Content, User: last[1].Content, Nudge: last[3].Content, Acknowledged: last[5].Content,
			Tools: offered(t, asked[0].Tools),
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("agentic, %d words: %s", words, diff)
		}
	}
}

// Of an edit that makes one picture of one the request says what the file says. Where it makes
// several, each is asked for by its name after that.
func TestAPictureIsAskedForInThePublishedWords(t *testing.T) {
	t.Parallel()
	release, files := publishedtest.Release()
	dir := publishedtest.Folder(t, files)
	workspace, err := vfs.New(vfs.Files{"scene.png": "any bytes"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	task := &policies.Task{
		Domain: "image", Instruction: "Make {it} [[night]].", Workspace: workspace,
		Targets: []string{"night.png"}, FileOrder: []string{"scene.png"}, Trace: &policies.Trace{},
	}
	want := strings.Replace(read(t, dir, "prompts/domain_image.txt"), "[[EDITING_OPERATION]]", task.Instruction, 1)
	for targets, want := range map[string]string{
		"night.png":         want,
		"night.png day.png": want + "\n\nAnswer with one picture: night.png\n\nAll files that the instruction makes, of which only that one is wanted now:\n- night.png\n- day.png\n",
	} {
		task.Targets = strings.Fields(targets)
		asked := ask(t, release, dir, "direct", task)
		if len(asked) != 1 || len(asked[0].Messages) != 1 || !asked[0].Draws {
			t.Fatalf("direct asks %v", asked)
		}
		if diff := cmp.Diff(want, asked[0].Messages[0].Content); diff != "" {
			t.Error(diff)
		}
	}
}

func newTask(t *testing.T, domain string, words int) *policies.Task {
	t.Helper()
	workspace, err := vfs.New(vfs.Files{"b.txt": "it has\nfive words {{here}}\n", "c/a.txt": ""}, vfs.Files{"x.md": "```\n[[1]]"})
	if err != nil {
		t.Fatal(err)
	}
	return &policies.Task{
		Domain: domain, Instruction: "Take {it} apart.\nPlease.", TargetWords: words, Workspace: workspace,
		Targets: []string{"a.txt", "*.csv", "b-*.md"}, FileOrder: []string{"x.md", "b.txt", "c/a.txt"}, Trace: &policies.Trace{},
	}
}

func mustSnapshot(t *testing.T, task *policies.Task) vfs.Files {
	t.Helper()
	files, err := task.Workspace.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// ask carries the task out, with the published prompts and as a worker has them, which
// knows what the manifest names, and returns what the model was asked.
func ask(t *testing.T, release published.Release, dir, mode string, task *policies.Task) []models.Request {
	t.Helper()
	replacements, err := release.Replacements(dir, policies.Published)
	if err != nil {
		t.Fatal(err)
	}
	source := prompt.NewReplaced(replacements)
	asked := carryOut(t, source, mode, task)
	task.Conversation = nil // the worker begins another one
	if again := carryOut(t, prompt.NewStored(source.Texts()), mode, task); !reflect.DeepEqual(again, asked) {
		t.Errorf("%s: a worker asks %v, not %v", mode, again, asked)
	}
	return asked
}

// carryOut has a model do the task that says nothing, then a call as text, then nothing
// any more, and returns what it was asked.
func carryOut(t *testing.T, source *prompt.Source, mode string, task *policies.Task) []models.Request {
	t.Helper()
	model := &script{says: []string{"Hm.", `{"filename": "b.txt"}`, ""}}
	var policy policies.Policy
	var err error
	if mode == "direct" {
		policy, err = direct.New(model, "", nil, policies.Published, source)
	} else {
		policy, err = agentic.New(agentic.Published(), agentic.Loop{Model: model, Limits: policies.Limits{Turns: 3, Tokens: 1e6}}, source)
	}
	if err != nil {
		t.Fatal(err)
	}
	var failure *policies.Failure
	if err := policy.Edit(t.Context(), task); !errors.As(err, &failure) {
		t.Fatal(err)
	}
	return model.asked
}

// script is a model that says what it is told to, in order.
type script struct {
	says  []string
	asked []models.Request
}

func (s *script) Name() string { return "script" }

func (s *script) Complete(_ context.Context, r models.Request) (models.Response, error) {
	s.asked = append(s.asked, r)
	return models.Response{Message: models.Message{Role: models.Assistant, Content: s.says[len(s.asked)-1]}}, nil
}

// spoken is what a model is told in the agentic mode.
type spoken struct {
	System, User, Nudge, Acknowledged string
	Tools                             any
}

// inPython is what Python makes of the program's strings.
func inPython(t *testing.T, release published.Release, file string, task *policies.Task, words int) spoken {
	t.Helper()
	question, err := json.Marshal(map[string]any{
		"file": file, "places": release.Agentic, "words": words,
		"targets": task.Targets, "files": mustSnapshot(t, task).Names(), "task": task.Instruction,
	})
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command("python3", "-c", `
import ast, json, sys
asked = json.load(sys.stdin)
places, program = asked["places"], open(asked["file"], "rb").read()
cut = lambda span: program[span["First"]:span["End"]].decode("utf-8")
said = lambda span: ast.literal_eval('"""' + cut(span) + '"""')
task = asked["task"]
if asked["words"]:
    task += said(places["TargetLength"]).format(target_length=asked["words"])
names = "\n".join("  - " + name for name in sorted(asked["files"]))
print(json.dumps({
    "System": said(places["System"]).format(target_filenames=", ".join(asked["targets"])),
    "User": "".join(said(part).format(file_list_str=names, task_str=task) for part in places["User"]),
    "Nudge": "".join(said(part) for part in places["Nudge"]),
    "Acknowledged": said(places["Acknowledged"]),
    "Tools": ast.literal_eval(cut(places["Tools"])),
}))`)
	command.Stdin, command.Stderr = bytes.NewReader(question), os.Stderr
	raw, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	var want spoken
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	return want
}

// offered are tools as requests have them.
func offered(t *testing.T, offered []models.Tool) any {
	t.Helper()
	var tools []any
	for _, tool := range offered {
		var parameters any
		if err := json.Unmarshal(tool.Parameters, &parameters); err != nil {
			t.Fatal(err)
		}
		tools = append(tools, map[string]any{"type": "function", "function": map[string]any{
			"name": tool.Name, "description": tool.Description, "parameters": parameters,
		}})
	}
	return tools
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Every text has the name of a prompt that its policy loads, save the judge's, which is as it
// was published.
func TestEveryTextIsLoaded(t *testing.T) {
	t.Parallel()
	release, files := publishedtest.Release()
	dir := publishedtest.Folder(t, files)
	texts, err := release.Texts(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := texts[published.JudgeOfFiction], read(t, dir, "prompts/domain_fiction_eval.txt"); got != want {
		t.Errorf("the judge is asked %q, want %q", got, want)
	}
	delete(texts, published.JudgeOfFiction)
	source := prompt.NewReplaced(prompt.Named(texts))
	carryOut(t, source, "direct", newTask(t, "", noLength))
	carryOut(t, source, "agentic", newTask(t, "", noLength))
	if diff := cmp.Diff(texts, source.Texts()); diff != "" {
		t.Errorf("the texts, and what is loaded: %s", diff)
	}
}

func TestFilesThatAreNotThePublishedOnes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(dir string) error
		says   string
	}{
		"nothing pulled":   {os.RemoveAll, "domain_"},
		"one is missing":   {func(dir string) error { return os.Remove(filepath.Join(dir, "model_agentic.py")) }, "no %/model_agentic.py"},
		"one byte differs": {alter("prompts/domain_fiction.txt", func(b []byte) []byte { b[9] ^= 1; return b }), "%/prompts/domain_fiction.txt has the SHA-256"},
		"a newline more":   {alter("prompts/domain_python.txt", func(b []byte) []byte { return append(b, '\n') }), "%/prompts/domain_python.txt has the SHA-256"},
		"one is cut off":   {alter("model_agentic.py", func(b []byte) []byte { return b[:len(b)-1] }), "%/model_agentic.py has the SHA-256"},
	} {
		release, files := publishedtest.Release()
		dir := publishedtest.Folder(t, files)
		if err := c.change(dir); err != nil {
			t.Fatal(err)
		}
		_, err := release.Replacements(dir, policies.Published)
		for _, says := range []string{strings.ReplaceAll(c.says, "%", dir), "fetch them with: agentd prompts pull --to " + dir} {
			if !errors.Is(err, published.ErrNotPulled) || !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %v, want ErrNotPulled with %q", name, err, says)
			}
		}
	}
}

// alter changes a file of a folder.
func alter(name string, change func([]byte) []byte) func(dir string) error {
	return func(dir string) error {
		name := filepath.Join(dir, name)
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(name, change(content), 0o644)
	}
}

// Whoever changes where the texts stand gets no other text for it.
func TestPlacesThatAreWrong(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		move func(*published.Agentic)
		says string
	}{
		"beyond the file":           {func(a *published.Agentic) { a.Tools.End = 1 << 20 }, "it has no bytes"},
		"the end before the start":  {func(a *published.Agentic) { a.System.End = 0 }, "it has no bytes"},
		"part of the tools":         {func(a *published.Agentic) { a.Tools.End-- }, "a value is missing at the end"},
		"more than the tools":       {func(a *published.Agentic) { a.Tools.First-- }, ""},
		"much more than the tools":  {func(a *published.Agentic) { a.Tools.First -= 3 }, "neither a string"},
		"no tools":                  {func(a *published.Agentic) { a.Tools = a.System }, "neither a string"},
		"part of a name in braces":  {func(a *published.Agentic) { a.TargetLength.End = a.TargetLength.First + 20 }, "take the place of {"},
		"another text, other names": {func(a *published.Agentic) { a.System = a.User[0] }, "take the place of {file_list_str}"},
	} {
		release, files := publishedtest.Release()
		c.move(&release.Agentic)
		_, err := release.Texts(publishedtest.Folder(t, files))
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
}

func TestThePublishedPromptsGoWithThePublishedProtocol(t *testing.T) {
	t.Parallel()
	release, files := publishedtest.Release()
	dir := publishedtest.Folder(t, files)
	if _, err := release.Replacements(dir, policies.Clean); err == nil || !strings.Contains(err.Error(), "with the protocol published alone") {
		t.Errorf("with the protocol clean: %v", err)
	}
}

func TestHowTheyAreNamed(t *testing.T) {
	t.Parallel()
	for setting, want := range map[string]struct {
		dir string
		ok  bool
	}{
		"published": {"", true}, "published:a/b": {"a/b", true}, "published:c:d": {"c:d", true},
		"": {"", false}, "./published": {"", false}, "mine": {"", false}, "mine:published": {"published", false},
	} {
		if dir, ok := published.Named(setting); ok != want.ok || ok && dir != want.dir {
			t.Errorf("%q: %q, %v, want %q, %v", setting, dir, ok, want.dir, want.ok)
		}
	}
}

// mirror is a server of files that counts what it is asked.
type mirror struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string // paths, with the first byte that was asked for
}

// serve starts a mirror. answer may answer in its place: it says so.
func serve(t *testing.T, files map[string]string, answer func(w http.ResponseWriter, path string, request int) bool) *mirror {
	t.Helper()
	m := &mirror{}
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := strings.TrimPrefix(r.URL.Path, "/base/")
		m.mu.Lock()
		m.asked = append(m.asked, strings.TrimSuffix(path+" "+strings.TrimPrefix(r.Header.Get("Range"), "bytes="), " "))
		n := len(m.asked)
		m.mu.Unlock()
		if answer != nil && answer(w, path, n) {
			return
		}
		content, ok := files[path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		http.ServeContent(w, r, path, time.Time{}, strings.NewReader(content))
	}))
	t.Cleanup(m.Close)
	return m
}

// pull pulls from a mirror and returns the files that are there, and those that were
// there before.
func pull(t *testing.T, release published.Release, m *mirror, dir string) (all, before []string, err error) {
	t.Helper()
	release.URL = m.URL + "/base/"
	err = release.Pull(t.Context(), dir, func(f published.File, there bool) {
		all = append(all, f.Path)
		if there {
			before = append(before, f.Path)
		}
	})
	return all, before, err
}

// left are the files of a folder with their contents.
func left(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(filepath.Join(dir, name))
		files[name] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestPull(t *testing.T) {
	t.Parallel()
	release, files := publishedtest.Release()
	m, dir := serve(t, files, nil), filepath.Join(t.TempDir(), "new", "folder")
	paths := slices.Sorted(maps.Keys(files))
	for _, again := range []bool{false, true} {
		all, before, err := pull(t, release, m, dir)
		slices.Sort(all)
		if err != nil || !slices.Equal(all, paths) || again && len(before) != len(paths) || !again && before != nil {
			t.Errorf("again %v: %v, there before %v, %v", again, all, before, err)
		}
		if diff := cmp.Diff(files, left(t, dir)); diff != "" {
			t.Errorf("again %v: %s", again, diff)
		}
	}
	if slices.Sort(m.asked); !slices.Equal(m.asked, paths) {
		t.Errorf("asked for %v, want each file once", m.asked)
	}
	if err := os.Remove(filepath.Join(dir, paths[2])); err != nil {
		t.Fatal(err)
	}
	if _, before, err := pull(t, release, m, dir); err != nil || len(before) != len(paths)-1 || len(m.asked) != len(paths)+1 {
		t.Errorf("one was missing: %v were there before, %d requests, %v", before, len(m.asked), err)
	}
	if diff := cmp.Diff(files, left(t, dir)); diff != "" {
		t.Error(diff)
	}
}

func TestAPullThatWasCutOffIsResumed(t *testing.T) {
	t.Parallel()
	release, files := publishedtest.Release()
	const file = "model_agentic.py"
	down := true
	m := serve(t, files, func(w http.ResponseWriter, path string, _ int) bool {
		if path != file || !down {
			return false
		}
		down = false
		w.Header().Set("Content-Length", "1000000")
		_, _ = w.Write([]byte(files[file][:100]))
		return true
	})
	dir := t.TempDir()
	if _, _, err := pull(t, release, m, dir); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(files, left(t, dir)); diff != "" {
		t.Error(diff)
	}
	if !slices.Contains(m.asked, file+" 100-") {
		t.Errorf("asked for %v, want the rest of %s from byte 100", m.asked, file)
	}
}

func TestWhatIsNotTaken(t *testing.T) {
	t.Parallel()
	const file = "prompts/domain_python.txt"
	for name, c := range map[string]struct {
		served func(content string) (string, bool)
		kind   error
		says   string
	}{
		"one byte differs": {func(s string) (string, bool) { return "h" + s[1:], true }, download.ErrWrongFile, file},
		"a newline more":   {func(s string) (string, bool) { return s + "\n", true }, download.ErrWrongFile, file},
		"not there":        {func(string) (string, bool) { return "", false }, download.ErrRefused, file + ": the server does not serve the file: it answered 404"},
	} {
		release, files := publishedtest.Release()
		wanted := files[file]
		served, there := c.served(wanted)
		if files[file] = served; !there {
			delete(files, file)
		}
		dir := t.TempDir()
		all, _, err := pull(t, release, serve(t, files, nil), dir)
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) || slices.Contains(all, file) {
			t.Errorf("%s: %v, want %v with %q", name, err, c.kind, c.says)
		}
		got := left(t, dir)
		if _, ok := got[file]; ok || got[file+download.PartSuffix] != "" {
			t.Errorf("%s: it is left as %v", name, slices.Sorted(maps.Keys(got)))
		}
		// The right file is taken afterwards.
		files[file] = wanted
		if _, _, err := pull(t, release, serve(t, files, nil), dir); err != nil {
			t.Errorf("%s, afterwards: %v", name, err)
		}
	}
}

func TestAPullFollowsNoLinkOfAPart(t *testing.T) {
	t.Parallel()
	release, files := publishedtest.Release()
	dir, victim := t.TempDir(), filepath.Join(t.TempDir(), "victim")
	const file = "prompts/domain_documents.txt"
	if err := errors.Join(os.WriteFile(victim, []byte("as it was"), 0o644), os.Mkdir(filepath.Join(dir, "prompts"), 0o755),
		os.Symlink(victim, filepath.Join(dir, file+download.PartSuffix))); err != nil {
		t.Fatal(err)
	}
	if _, _, err := pull(t, release, serve(t, files, nil), dir); !errors.Is(err, download.ErrInTheWay) {
		t.Errorf("%v, want ErrInTheWay", err)
	}
	if text, err := os.ReadFile(victim); string(text) != "as it was" {
		t.Errorf("the file that the link leads to has %q, %v", text, err)
	}
}

func TestAPullFollowsRedirects(t *testing.T) {
	t.Parallel()
	release, files := publishedtest.Release()
	m := serve(t, files, nil)
	pointing := &mirror{Server: httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, m.URL+r.URL.Path, http.StatusFound)
	}))}
	t.Cleanup(pointing.Close)
	dir := t.TempDir()
	if _, _, err := pull(t, release, pointing, dir); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(files, left(t, dir)); diff != "" {
		t.Error(diff)
	}
}

func TestThePinnedRelease(t *testing.T) {
	t.Parallel()
	release := published.Pinned()
	if !strings.HasPrefix(release.URL, "https://") || !strings.HasSuffix(release.URL, "/microsoft/delegate52/"+release.Commit) {
		t.Errorf("its files are at %s", release.URL)
	}
	if len(release.Files) != 6 {
		t.Errorf("%d files", len(release.Files))
	}
	for _, f := range release.Files {
		if len(f.SHA256) != 64 || f.Bytes <= 0 {
			t.Errorf("%+v", f)
		}
	}
}
