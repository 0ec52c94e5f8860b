package trust

import (
	"bytes"
	"errors"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains/catalog"
	"agentd/internal/charset"
	"agentd/internal/usage"
	"agentd/vfs"
)

const (
	ledger    = "2026-03-02 * (R1) Mill  ; week: 9\n    expenses:flour    12.50 EUR\n    assets:cash\n\n2026-03-05 Baker\n    expenses:bread    3.20 EUR\n    assets:cash\n"
	stops     = "stop_id,stop_name,stop_lat,stop_lon\r\nA,\"Quay, north\",46.9,8.3\r\nB,Mill,46.8,8.2\r\n"
	routes    = "route_id,route_short_name,route_type\r\nF1,1,4\r\n"
	variables = "variable \"region\" {\n  default = \"eu\"\n}\n"
	bucket    = "resource \"aws_s3_bucket\" \"press\" {\n  bucket = var.region\n}\n"
)

// folder writes files below a temporary folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// look finds documents and shows each as its path, domain and files, relative to a folder.
func look(t *testing.T, dir, domain string, paths ...string) (found, skipped []string) {
	t.Helper()
	for i, p := range paths {
		paths[i] = dir + "/" + p
	}
	documents, left, err := Find(paths, domain, charset.Encoding{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range documents {
		found = append(found, strings.TrimPrefix(d.Path, dir+"/")+" "+d.Domain.Info().Name+" "+strings.Join(d.Files.Names(), ","))
	}
	for _, s := range left {
		mark := ""
		if s.Asked {
			mark = " asked"
		}
		skipped = append(skipped, strings.TrimPrefix(s.Path, dir+"/")+mark)
	}
	return found, skipped
}

func TestDocumentsAreFound(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{
		"books/2026.ledger": ledger, "books/2025.ledger": ledger, "books/old.journal": ledger,
		"feed/stops.txt": stops, "feed/routes.txt": routes, "feed/notes.rst": "By hand, every spring.\n",
		"net/main.tf": bucket, "net/variables.tf": variables, "net/sub/main.tf": bucket,
		".git/config": "[core]\n", "books/.draft.ledger": ledger, "logo.png": "\x89PNG\xff\xfe",
	})
	for name, c := range map[string]struct {
		domain         string
		paths          []string
		found, skipped []string
	}{
		"a folder": {paths: []string{""}, found: []string{
			"books/2025.ledger accounting 2025.ledger", "books/2026.ledger accounting 2026.ledger", "books/old.journal accounting old.ledger",
			"feed/ transit routes.txt,stops.txt", "net/ infra main.tf,variables.tf", "net/sub/main.tf infra main.tf",
		}, skipped: []string{"feed/notes.rst", "logo.png"}},
		"a file alone":              {paths: []string{"books/2026.ledger"}, found: []string{"books/2026.ledger accounting 2026.ledger"}},
		"a pattern":                 {paths: []string{"books/202?.ledger"}, found: []string{"books/2025.ledger accounting 2025.ledger", "books/2026.ledger accounting 2026.ledger"}},
		"files that are one":        {paths: []string{"feed/stops.txt", "feed/routes.txt"}, found: []string{"feed/ transit routes.txt,stops.txt"}},
		"a file that nothing reads": {paths: []string{"feed/notes.rst"}, skipped: []string{"feed/notes.rst asked"}},
		"a domain that is named": {domain: "accounting", paths: []string{"books"}, found: []string{
			"books/2025.ledger accounting 2025.ledger", "books/2026.ledger accounting 2026.ledger", "books/old.journal accounting old.ledger",
		}},
		"a domain that does not read it": {domain: "calendar", paths: []string{"net/main.tf"}, skipped: []string{"net/main.tf asked"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found, skipped := look(t, dir, c.domain, c.paths...)
			if diff := cmp.Diff(c.found, found); diff != "" {
				t.Errorf("documents: %s", diff)
			}
			if diff := cmp.Diff(c.skipped, skipped); diff != "" {
				t.Errorf("skipped: %s", diff)
			}
		})
	}
}

func TestPathsThatAreWrong(t *testing.T) {
	t.Parallel()
	var wrong usage.Error
	for _, c := range []struct{ path, domain string }{{"gone.ledger", ""}, {"gone/*.ledger", ""}, {".", "acounting"}} {
		if _, _, err := Find([]string{filepath.Join(t.TempDir(), c.path)}, c.domain, charset.Encoding{}); !errors.As(err, &wrong) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

func TestNeighboursBecomeDistractors(t *testing.T) {
	t.Parallel()
	long := strings.Repeat(ledger, 6)
	dir := folder(t, map[string]string{"2026.ledger": long, "notes.txt": "by hand\n", "old.ledger": ledger, ".hidden": "x", "big.txt": strings.Repeat("x", mostDistractorBytes+1), "logo.png": "\xff"})
	found, _, err := Find([]string{filepath.Join(dir, "2026.ledger")}, "", charset.Encoding{})
	if err != nil {
		t.Fatal(err)
	}
	envs, skipped := Prepare(found, Options{Edits: 8, Seed: 1, Distractors: true})
	if len(envs) != 1 || len(skipped) != 0 {
		t.Fatalf("%d environments, %v", len(envs), skipped)
	}
	for _, name := range envs[0].Distractors.Names() {
		if name != "notes.txt" && name != "old.ledger" {
			t.Errorf("%s is a distractor", name)
		}
	}
	if len(envs[0].Distractors) == 0 {
		t.Error("there are no distractors")
	}
	if envs[0].Title != filepath.ToSlash(found[0].Path) || len(envs[0].Edits) < leastEdits {
		t.Errorf("%s has %d edits", envs[0].Title, len(envs[0].Edits))
	}
}

// Documents of one name in two folders are two environments. Of a picture no edits can be
// derived, so the answer cannot be trusted.
func TestEveryDocumentIsAnEnvironmentOrIsAskedFor(t *testing.T) {
	t.Parallel()
	long := strings.Repeat(ledger, 6)
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 8, 8))); err != nil {
		t.Fatal(err)
	}
	dir := folder(t, map[string]string{"x/a/m.ledger": long, "y/a/m.ledger": long})
	found, _, err := Find([]string{dir}, "", charset.Encoding{})
	if err != nil {
		t.Fatal(err)
	}
	pictures, err := catalog.Find("image")
	if err != nil {
		t.Fatal(err)
	}
	found = append(found, Found{Path: "a.png", Files: vfs.Files{"a.png": picture.String()}, Domain: pictures})
	envs, skipped := Prepare(found, Options{Edits: 3, Seed: 1})
	if len(envs) != 2 || envs[0].Name == envs[1].Name {
		t.Errorf("%d environments", len(envs))
	}
	if len(skipped) != 1 || !skipped[0].Asked || !strings.Contains(skipped[0].Why, "no edits can be derived") {
		t.Errorf("%+v", skipped)
	}
}
