package pairs_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentd/domains/catalog"
	"agentd/harness/pairs"
	"agentd/internal/usage"
)

const cues = "1\n00:00:01,000 --> 00:00:02,000\nOne\n\n2\n00:00:03,000 --> 00:00:04,000\nTwo\n"

func TestAPairOfPaths(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	file := write("a/one.srt", cues)
	half := write("b/one.srt", cues[:strings.Index(cues, "\n\n")+1])
	unread := write("c/one.srt", "no cues")
	s := pairs.Scorer{Find: catalog.Lookup}
	for name, c := range map[string]struct {
		paths pairs.Paths
		whole bool
	}{
		"a file with itself":    {pairs.Paths{Reference: file, Candidate: file}, true},
		"a folder and its file": {pairs.Paths{Reference: filepath.Dir(file), Candidate: file}, true},
		"half of it":            {pairs.Paths{Reference: file, Candidate: half}, false},
	} {
		scored, err := s.ScorePaths("subtitles", c.paths)
		if err != nil || (scored.Score.Strict == 1) != c.whole || (len(scored.Differences) == 0) != c.whole || scored.Domain.Info().Name != "subtitles" {
			t.Errorf("%s: %+v, %v", name, scored, err)
		}
	}
	var wrong usage.Error
	for name, c := range map[string]struct{ domain, reference, candidate, scaffold, want string }{
		"no domain":                {"subtitle", file, file, "", "unknown domain"},
		"no reference":             {"subtitles", file + "x", file, "", "reading documents"},
		"no candidate":             {"subtitles", file, file + "x", "", "reading documents"},
		"no scaffold":              {"subtitles", file, file, file + "x", "reading documents"},
		"a reference without cues": {"subtitles", unread, file, "", "--reference " + unread},
	} {
		_, err := s.ScorePaths(c.domain, pairs.Paths{Reference: c.reference, Candidate: c.candidate, Scaffold: c.scaffold})
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}

// What a candidate made dangerous stands above its numbers, and the score knows nothing of it.
func TestWarningsComeFirst(t *testing.T) {
	t.Parallel()
	write := func(text string) string {
		path := filepath.Join(t.TempDir(), "Dockerfile")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	s := pairs.Scorer{Find: catalog.Lookup}
	scored, err := s.ScorePaths("docker", pairs.Paths{Reference: write("FROM alpine\nRUN ls\nUSER app\n"), Candidate: write("FROM alpine\nRUN ls\nUSER root\n")})
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range pairs.Formats() {
		var b strings.Builder
		if err := scored.Write(&b, format, "x", 1); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), "the last stage runs as root") || format == pairs.Text && !strings.HasPrefix(b.String(), "careful: the last stage") {
			t.Errorf("%s: %s", format, &b)
		}
	}
}

// A field that is gone of an element that stays is lost, and the element still counts as changed.
func TestFieldsThatAreLost(t *testing.T) {
	t.Parallel()
	write := func(text string) string {
		path := filepath.Join(t.TempDir(), "a.csv")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	s := pairs.Scorer{Find: catalog.Lookup}
	scored, err := s.ScorePaths("spreadsheet", pairs.Paths{Reference: write("id,name,price\n1,Rope,4\n2,Buoy,12\n"), Candidate: write("id,name,price\n1,Rope,5\n2,Buoy,\n")})
	if err != nil {
		t.Fatal(err)
	}
	for format, want := range map[string][]string{
		pairs.Text: {"2 of 2 changed, 1 field lost", "price: 12 -> (nothing)"},
		pairs.JSON: {`"changed":2,"lost":0,"added":0,"moved":0,"fields_lost":1`, `"change":"lost","element":"row","field":"price"`, `"change":"changed","element":"row"`},
	} {
		var b strings.Builder
		if err := scored.Write(&b, format, "x", 0); err != nil {
			t.Fatal(err)
		}
		for _, text := range want {
			if !strings.Contains(b.String(), text) {
				t.Errorf("%s: %q is missing: %s", format, text, &b)
			}
		}
	}
}

func TestStandardInputEndsWithTheContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	endless, writer := io.Pipe()
	defer writer.Close()
	in, err := pairs.Open(ctx, "-", endless)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	cancel()
	if _, err := io.ReadAll(in); !errors.Is(err, context.Canceled) {
		t.Errorf("reading ends with %v", err)
	}
	text, err := pairs.Open(t.Context(), "-", strings.NewReader("a pair"))
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	if got, err := io.ReadAll(text); string(got) != "a pair" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}
