package compare_test

import (
	"strings"
	"testing"

	"agentd/documents/compare"
	"agentd/domains/catalog"
	"agentd/vfs"
)

// scoredOf scores a document and names the differences.
func scoredOf(t *testing.T, domain string, reference, candidate vfs.Files) compare.Scored {
	t.Helper()
	d, err := catalog.Find(domain)
	if err != nil {
		t.Fatal(err)
	}
	s := compare.ScoredBy(d, d.Compare(reference, candidate))
	s.Name(d, reference, candidate)
	return s
}

// What a candidate made dangerous stands above its numbers, and the score knows nothing of it.
func TestWarningsComeFirstInScores(t *testing.T) {
	t.Parallel()
	scored := scoredOf(t, "docker", vfs.Files{"Dockerfile": "FROM alpine\nRUN ls\nUSER app\n"}, vfs.Files{"Dockerfile": "FROM alpine\nRUN ls\nUSER root\n"})
	for _, format := range compare.ScoreFormats() {
		var b strings.Builder
		if err := scored.Write(&b, format, 1); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), "the last stage runs as root") || format == compare.Text && !strings.HasPrefix(b.String(), "  careful  the last stage") {
			t.Errorf("%s: %s", format, &b)
		}
	}
}

// A field that is gone of an element that stays is lost, and the element still counts as changed.
func TestFieldsThatAreLost(t *testing.T) {
	t.Parallel()
	scored := scoredOf(t, "spreadsheet", vfs.Files{"a.csv": "id,name,price\n1,Rope,4\n2,Buoy,12\n"}, vfs.Files{"a.csv": "id,name,price\n1,Rope,5\n2,Buoy,\n"})
	for format, want := range map[string][]string{
		compare.Text: {"2 of 2 changed, 1 field lost", "price: 12 -> (nothing)"},
		compare.JSON: {`"changed":2,"lost":0,"added":0,"moved":0,"fields_lost":1`, `"change":"lost","element":"row","field":"price"`, `"change":"changed","element":"row"`},
	} {
		var b strings.Builder
		if err := scored.Write(&b, format, 0); err != nil {
			t.Fatal(err)
		}
		for _, text := range want {
			if !strings.Contains(b.String(), text) {
				t.Errorf("%s: %q is missing: %s", format, text, &b)
			}
		}
	}
}
