package lose

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The folder and one line in the catalog are all that the program needs: the policy is
// listed, its option read from a command line and from a file, kept, and obeyed.
func TestOneLineAddsThePolicy(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	agentd := withTheLine(t, dir)
	run := func(args ...string) string {
		c := exec.Command(agentd, args...)
		c.Dir = dir
		out, _ := c.CombinedOutput() // what it says tells whether it failed
		return string(out)
	}
	if err := os.WriteFile(filepath.Join(dir, "lose.yaml"), []byte("policies: [{use: lose, every: 3}]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	work := []string{"run", "--env", "accounting1", "--round-trips", "1", "--name", "losses", "--policy"}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"policies"}, "options: every\n"},
		{[]string{"run", "--dry-run", "lose.yaml"}, "lose(every=3)"},
		{[]string{"run", "--dry-run", "--policy", "lose(evry=3)"}, `policy lose has no option "evry"; it has every`},
		{[]string{"run", "--dry-run", "--policy", "lose(every=0.5)"}, `option every: "0.5" is no int`},
		{append(work, "noop,lose(every=5,name=lossy)"), " noop      –       0.0         – "},
		{append(work, "noop,lose(every=6,name=lossy)"), "was begun with other policy_specs (lossy)"},
	} {
		if out := run(c.args...); !strings.Contains(out, c.want) {
			t.Errorf("agentd %s says %s, want %s", strings.Join(c.args, " "), out, c.want)
		}
	}
}

// withTheLine builds agentd with the policy in the catalog.
func withTheLine(t *testing.T, dir string) (program string) {
	t.Helper()
	catalog, err := filepath.Abs("../../policies/catalog/catalog.go")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(catalog)
	if err != nil {
		t.Fatal(err)
	}
	const list, imports = "[]entry.Entry{\n", "import (\n"
	added := strings.NewReplacer(list, list+"lose.Entry(),\n", imports, imports+"\"agentd/examples/lose\"\n").Replace(string(text))
	changed, overlay, program := filepath.Join(dir, "catalog.go"), filepath.Join(dir, "overlay.json"), filepath.Join(dir, "agentd")
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{catalog: changed}})
	if err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string]string{changed: added, overlay: string(replace)} {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("go", "build", "-ldflags", "-s -w", "-overlay", overlay, "-o", program, "agentd/cmd/agentd").CombinedOutput(); err != nil {
		t.Fatalf("building: %v: %s", err, out)
	}
	return program
}

// docs/policies.md shows the program as it is.
func TestThePageShowsThisPolicy(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/policies.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("lose.go")
	if err != nil {
		t.Fatal(err)
	}
	_, shown, _ := strings.Cut(string(page), "## Add it, with an option")
	shown, _, found := strings.Cut(shown, "With the line `lose.Entry(),`")
	lines := 0
	for line := range strings.Lines(shown) {
		code, indented := strings.CutPrefix(line, "    ")
		code, _, _ = strings.Cut(strings.ReplaceAll(code, "    ", "\t"), "…")
		if !indented {
			continue
		}
		if lines++; !strings.Contains(string(source), strings.TrimRight(code, " ")) {
			t.Errorf("lose.go has no line %q", code)
		}
	}
	if !found || lines < 10 {
		t.Errorf("the page has %d lines of a program", lines)
	}
}
