package environments

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"agentd/internal/peak"
	"agentd/vfs"
)

// released47 is the file of released excerpts, read where it is.
func released47(t *testing.T) string {
	t.Helper()
	file := filepath.Join("..", "..", "shared", "released", "excerpts.jsonl")
	if dir := os.Getenv("AGENTD_RELEASED"); dir != "" {
		file = filepath.Join(dir, "excerpts.jsonl")
	}
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no released excerpts at %s: set AGENTD_RELEASED to their folder to load them", file)
	}
	return file
}

func TestReleasedExcerptsLoad(t *testing.T) {
	t.Parallel()
	environments, err := Load(released47(t))
	if err != nil {
		t.Fatal(err)
	}
	edits := 0
	for _, env := range environments {
		edits += len(env.Edits)
		if len(env.Seed.Match(env.Targets)) != len(env.Seed) {
			t.Errorf("%s: seed files %v do not all match the targets %v", env.Name, env.Seed.Names(), env.Targets)
		}
	}
	if len(environments) != 47 || edits != 325 {
		t.Errorf("%d environments with %d edits, want 47 with 325", len(environments), edits)
	}
}

func write(t *testing.T, name, content string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

const small = `{"sample_id":"x1","sample_type":"accounting","sample_name":"X","metadata":{"start_state":"s","group_key":"a,b","target_length":300},` +
	`"states":[{"state_id":"s","context":["a.ledger"],"solution_folder":"s","prompts":[{"prompt_id":"p","target_state":"t","prompt":"Go","semantic_operations":["split & merge"]}]},` +
	`{"state_id":"t","context":["*.csv"],"prompts":[{"prompt_id":"q","target_state":"s","prompt":"Come"}]}],` +
	`"files":{"s/a.ledger":"2023/01/01 X","distractor_context/sub/b.md":"hm","other/c":"ignored"}}`

func TestReleasedFormat(t *testing.T) {
	t.Parallel()
	environments, err := Load(write(t, "x.jsonl", "\n"+small+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	env := environments[0]
	edit := env.Edits[0]
	if edit.Forward != "Go" || edit.Backward != "Come" || edit.Targets[0] != "*.csv" || edit.Operations[0] != "split and merge" {
		t.Errorf("edit: %+v", edit)
	}
	if !env.Distractors.Equal(vfs.Files{"sub/b.md": "hm"}) || len(env.Seed) != 1 {
		t.Errorf("files: %v, %v", env.Seed, env.Distractors)
	}
	if env.Metadata["group_key"] != "a,b" || env.Metadata["target_length"] != "300" {
		t.Errorf("metadata: %v", env.Metadata)
	}
}

func TestUnreadableDataNamesItsLine(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ content, want string }{
		"not JSON":          {small + "\n{oops}\n", "line 2: not an environment"},
		"no start state":    {strings.Replace(small, `"start_state":"s"`, `"start_state":"z"`, 1), `line 1: x1: start state "z"`},
		"no way back":       {strings.Replace(small, `"target_state":"s","prompt":"Come"`, `"target_state":"t","prompt":"Come"`, 1), "line 1: x1, prompt p"},
		"no seed":           {strings.Replace(small, `"s/a.ledger"`, `"q/a.ledger"`, 1), "line 1: x1: it has no seed"},
		"path out of reach": {strings.Replace(small, `"s/a.ledger"`, `"s/../../etc/x"`, 1), "line 1: x1: invalid path"},
		"empty":             {"\n\n", "no environment"},
	} {
		if _, err := Load(write(t, "x.jsonl", c.content)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if _, err := Load("no/such/file"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
}

func TestFolderLayout(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	env := filepath.Join(dir, "mine1")
	for name, content := range map[string]string{
		"environment.yaml": "name: mine1\ndomain: accounting\nedits:\n  - name: e\n    forward: Go\n    backward: Come\n    targets: [b.csv]\n",
		"seed/a.ledger":    "2023/01/01 X\n",
	} {
		file := filepath.Join(env, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	environments, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := environments[0]; got.Name != "mine1" || got.Targets[0] != "a.ledger" || got.Edits[0].Backward != "Come" {
		t.Errorf("%+v", got)
	}
	if err := os.WriteFile(filepath.Join(env, "seed", "a.ledger"), []byte{0xff, 0xfe, 0x00}, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), "seed/a.ledger is not a text file") {
		t.Errorf("a file that is not text: %v", err)
	}
	if err := os.WriteFile(filepath.Join(env, "environment.yaml"), []byte("name: mine1\nediting: []\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), "editing") {
		t.Errorf("an unknown key: %v", err)
	}
}

func TestAModuleThatWasNeverReleased(t *testing.T) {
	t.Parallel()
	importing := vfs.Files{"a.py": "import json\nfrom utils_eval import score\n"}
	supplied := importing.Clone()
	tests := vfs.Files{"testing.py": "def run_tests(s): ...\n"}
	supplied["utils_eval.py"] = "def score(): ...\n"
	for name, c := range map[string]struct {
		env  Environment
		want string
	}{
		"imported":       {Environment{Domain: "python", Seed: importing, Scaffold: tests}, "a.py imports utils_eval, which was never released"},
		"supplied":       {Environment{Domain: "python", Seed: supplied, Scaffold: tests}, ""},
		"only mentioned": {Environment{Domain: "python", Seed: vfs.Files{"a.py": "# like utils_eval\nimport json\n"}, Scaffold: tests}, ""},
		"without tests":  {Environment{Domain: "python", Seed: supplied}, "it has no testing.py"},
		"another domain": {Environment{Domain: "emails", Seed: importing}, ""},
	} {
		if got := c.env.Unscorable(); !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// A scaffold is found again in every form that an environment takes.
func TestScaffoldIsKept(t *testing.T) {
	t.Parallel()
	env := builtinNamed(t, "python1")
	if _, ok := env.Scaffold["testing.py"]; !ok || len(env.Scaffold) < 2 {
		t.Fatalf("the scaffold is %v", env.Scaffold.Names())
	}
	workspace, err := vfs.New(env.Seed, env.Distractors)
	if err != nil {
		t.Fatal(err)
	}
	for name := range env.Scaffold {
		if slices.Contains(workspace.Names(), name) {
			t.Errorf("a policy sees %s", name)
		}
	}
	stored, err := Decode(env.Encode())
	if err != nil || !stored.Scaffold.Equal(env.Scaffold) {
		t.Errorf("stored: %v, %v", stored.Scaffold.Names(), err)
	}
	to := t.TempDir()
	if err := env.Save(to); err != nil {
		t.Fatal(err)
	}
	saved, err := Load(to)
	if err != nil || !saved[0].Scaffold.Equal(env.Scaffold) || saved[0].Hash() != env.Hash() {
		t.Errorf("saved: %v, %v", saved, err)
	}
	released := env.Sample()
	released.Files["blind_names/blind.py"] = "x = 1\n" // of a state
	again, err := released.environment()
	if err != nil || !again.Scaffold.Equal(env.Scaffold) {
		t.Errorf("released: %v, %v", again.Scaffold.Names(), err)
	}
	if _, _, loose := released.Split(); len(loose) != 1 {
		t.Errorf("loose files: %v", loose)
	}
}

func builtinNamed(t *testing.T, name string) Environment {
	t.Helper()
	all, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return all[slices.IndexFunc(all, func(e Environment) bool { return e.Name == name })]
}

func FuzzParseReleased(f *testing.F) {
	f.Add(small)
	f.Add(`{"sample_id":"x","states":[{}],"files":{"basic_state/":""}}`)
	f.Add(strings.Replace(small, `"files":{`, `"files":{"testing.py":"","../../x":"",`, 1))
	f.Fuzz(func(t *testing.T, line string) {
		sample, err := parseSample([]byte(line))
		if err != nil {
			return
		}
		env, err := sample.environment()
		if err != nil {
			return
		}
		if _, err := vfs.New(env.Seed, env.Distractors); err != nil {
			t.Errorf("an environment that cannot be run: %v", err)
		}
		above := t.TempDir()
		if err := env.Save(filepath.Join(above, "to")); err != nil {
			return // a name that the file system does not take
		}
		if beside, err := os.ReadDir(above); err != nil || len(beside) != 1 {
			t.Errorf("beside the folder: %v, %v", beside, err)
		}
		again, err := Load(filepath.Join(above, "to"))
		if diff := cmp.Diff([]Environment{env}, again, cmpopts.EquateEmpty()); diff != "" || err != nil {
			t.Errorf("saved and loaded: %v, %s", err, diff)
		}
	})
}

// BenchmarkMemory measures the peak of the heap for lines of a data set that are taken,
// and take as much as possible.
func BenchmarkMemory(b *testing.B) {
	files := `"s/a.ledger":"x"`
	for i := range 900 {
		files += fmt.Sprintf(`,"s/%d":"x"`, i)
	}
	for name, line := range map[string]string{
		"one large document": strings.Replace(small, "2023/01/01 X", strings.Repeat("x", 15<<20), 1),
		"escapes":            strings.Replace(small, "2023/01/01 X", strings.Repeat(`\u0061`, 5<<20), 1),
		"many files":         strings.Replace(small, `"s/a.ledger":"2023/01/01 X"`, files, 1),
		"many empty states":  strings.Replace(small, `"states":[`, `"states":[`+strings.Repeat("{},", 90_000), 1),
		"many numbers":       strings.Replace(small, `"metadata":{`, `"metadata":{"x":[`+strings.Repeat("1,", 190_000)+`1],`, 1),
	} {
		b.Run(name, func(b *testing.B) {
			raw := []byte(line)
			peak.Benchmark(b, len(raw), func() {
				sample, err := parseSample(raw)
				if err == nil {
					_, err = sample.environment()
				}
				if err != nil {
					b.Fatal(err)
				}
			})
		})
	}
}

func TestEditsAreFoundByNameAndNumber(t *testing.T) {
	t.Parallel()
	env := Environment{Name: "x", Edits: []Edit{{Name: "csv"}, {Name: "split"}}}
	for name, want := range map[string]string{"1": "csv", "2": "split", "split": "split"} {
		if edit, err := env.EditNamed(name); edit.Name != want || err != nil {
			t.Errorf("%s is %s, want %s, %v", name, edit.Name, want, err)
		}
	}
	for name, want := range map[string]string{"0": "1 to 2", "3": "1 to 2", "spli": "unknown edit"} {
		if _, err := env.EditNamed(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", name, err, want)
		}
	}
}
