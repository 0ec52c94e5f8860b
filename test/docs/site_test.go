package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"agentd/harness/experiment"
)

// The pages of docs are a site, in which every page has its place and every link is good.
func TestTheSiteIsBuilt(t *testing.T) {
	t.Parallel()
	mkdocs, err := filepath.Abs("../site/.venv/bin/mkdocs")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(mkdocs); err != nil {
		t.Fatalf("mkdocs is not installed; run: make packages (make test does): %v", err)
	}
	site := t.TempDir()
	command := exec.CommandContext(t.Context(), mkdocs, "build", "--strict", "--quiet", "--site-dir", site)
	command.Dir = root
	command.Env = append(os.Environ(), "NO_MKDOCS_2_WARNING=1", "PYTHONDONTWRITEBYTECODE=1")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, page := range []string{"index.html", "first-hour/index.html", "tutorials/researcher/index.html", "reference/commands/index.html"} {
		if _, err := os.Stat(filepath.Join(site, page)); err != nil {
			t.Error(err)
		}
	}
}

// CITATION.cff names the version that agentd version prints.
func TestTheCitationIsOfThisVersion(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(filepath.Join(root, "CITATION.cff"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "\nversion: " + experiment.Version + "\n"; !strings.Contains(string(raw), want) {
		t.Errorf("CITATION.cff has no line %q", strings.TrimSpace(want))
	}
}
