package markdown

import (
	"strings"
	"testing"

	"agentd/vfs"
)

// TestAboveTheBoundsMarksAreText says that nothing of a document is lost above the bounds.
func TestAboveTheBoundsMarksAreText(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"quotes":       {strings.Repeat(">", 150) + " tide", "tide"},
		"list items":   {strings.Repeat("1. ", 80) + "tide", "tide"},
		"links":        {strings.Repeat("[a](b) ", 1200) + "tide", "[a](b) tide"},
		"emphasis":     {strings.Repeat("*a* ", 1200) + "tide", `\*a\* tide`},
		"sparse table": {strings.Repeat("|a", 400) + "\n" + strings.Repeat("|-", 400) + "\n" + strings.Repeat("|\n", 900) + "tide", "tide"},
	} {
		got := elements(vfs.Files{"a.md": c.text})
		if n := len(got); n == 0 || !strings.HasSuffix(got[n-1].Fields[0].Value, c.want) {
			t.Errorf("%s: the last of %d elements does not end in %q", name, n, c.want)
		}
		changed := strings.Replace(c.text, "tide", "ebb", 1)
		if len(New().Differences(vfs.Files{"a.md": c.text}, vfs.Files{"a.md": changed})) == 0 {
			t.Errorf("%s: a changed word is no difference", name)
		}
	}
}

func TestBelowTheBoundsNothingIsMasked(t *testing.T) {
	t.Parallel()
	text := sample + strings.Repeat("> ", 40) + "deep\n\n" + strings.Repeat("[a](b) *c* ", 300)
	if string(mask([]byte(text))) != text {
		t.Error("an ordinary document is masked")
	}
}
