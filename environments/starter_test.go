package environments_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/vfs"
)

// A starter can be read, is unfinished, and works once its placeholders are replaced.
func TestAStarterWaitsToBeFilledIn(t *testing.T) {
	t.Parallel()
	for _, d := range catalog.All() {
		t.Run(d.Info().Name, func(t *testing.T) {
			t.Parallel()
			to := t.TempDir()
			own := environments.Own{
				Name: "fresh", Documents: vfs.Files{"a: \"b\" #c.txt": "x\n", "d.bin.txt": "y\n"},
				Distractors: vfs.Files{"minutes, \"of\" a: meeting.md": "z\n"},
			}
			if err := own.SaveStarter(d, to); err != nil {
				t.Fatal(err)
			}
			drafts, err := environments.Drafts(to)
			if err != nil || len(drafts) != 1 {
				t.Fatalf("%d drafts, %v", len(drafts), err)
			}
			env := drafts[0].Environment
			if env.Name != "fresh" || env.Domain != d.Info().Name || !env.Seed.Equal(own.Documents) || !env.Distractors.Equal(own.Distractors) {
				t.Errorf("the environment is %+v", env)
			}
			const places = "title, licence, origin, edit example, forward, edit example, backward, edit example, targets, distractor minutes, \"of\" a: meeting.md"
			if got := strings.Join(env.Unfinished(), ", "); got != places {
				t.Errorf("to fill in: %s, want %s", got, places)
			}
			if _, err := environments.Load(to); err == nil || !strings.Contains(err.Error(), "fresh is unfinished: title begins with") {
				t.Errorf("a relay could run on it: %v", err)
			}
			if err := own.SaveStarter(d, to); !errors.Is(err, fs.ErrExist) {
				t.Errorf("written twice: %v", err)
			}
			file := filepath.Join(to, "fresh", "environment.yaml")
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			filled := strings.ReplaceAll(string(text), environments.Placeholder+" ", "")
			if err := os.WriteFile(file, []byte(filled), 0o644); err != nil {
				t.Fatal(err)
			}
			if _, err := environments.Load(to); err != nil {
				t.Errorf("filled in: %v", err)
			}
		})
	}
}
