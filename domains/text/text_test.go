package text

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"agentd/domains/domaintest"
	"agentd/vfs"
)

func suite(t testing.TB) domaintest.Suite {
	t.Helper()
	word := rapid.SampledFrom(strings.Fields("tide buoy chain mast keel lamp quay rope hull sail"))
	return domaintest.Suite{
		Domain: New(), Seed: domaintest.Seed(t, "text1"),
		Generate: rapid.Custom(func(t *rapid.T) vfs.Files {
			var b strings.Builder
			for i := range rapid.IntRange(4, 12).Draw(t, "lines") {
				fmt.Fprintf(&b, "%s %d\n", strings.Join(rapid.SliceOfN(word, 1, 7).Draw(t, "words"), " "), i)
				if rapid.IntRange(0, 4).Draw(t, "paragraph") == 0 {
					b.WriteString("\n")
				}
			}
			return vfs.Files{"notes.txt": b.String()}
		}),
	}
}

func TestSuite(t *testing.T) {
	t.Parallel()
	suite(t).Run(t)
}

func FuzzCompare(f *testing.F) { domaintest.Fuzz(f, New(), domaintest.Seed(f, "text1")) }

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "text1"))
}

func TestWhatMeansSomething(t *testing.T) {
	t.Parallel()
	const sample = "The key\nhangs inside.\n\nSee the rota.\n"
	for name, c := range map[string]struct {
		text string
		same bool
	}{
		"blanks at a line's end": {"The key  \nhangs inside.\t\n\nSee the rota.\n", true},
		"no last line feed":      {"The key\nhangs inside.\n\nSee the rota.", true},
		"more blank lines":       {"The key\nhangs inside.\n\n\n\nSee the rota.\n", true},
		"carriage returns":       {"The key\r\nhangs inside.\r\n\r\nSee the rota.\r\n", true},
		"a byte order mark":      {"\ufeff" + sample, true},
		"a line indented":        {"The key\n  hangs inside.\n\nSee the rota.\n", false},
		"paragraphs joined":      {"The key\nhangs inside.\nSee the rota.\n", false},
		"a paragraph more":       {"The key\n\nhangs inside.\n\nSee the rota.\n", false},
		"lines exchanged":        {"hangs inside.\nThe key\n\nSee the rota.\n", false},
		"a letter":               {"The key\nhangs inside.\n\nSee the rote.\n", false},
		"a line joined":          {"The key hangs inside.\n\nSee the rota.\n", false},
	} {
		reference, candidate := vfs.Files{"a.txt": sample}, vfs.Files{"a.txt": c.text}
		if strict := New().Compare(reference, candidate).Strict; (strict == 1) != c.same {
			t.Errorf("%s: Strict %v: %v", name, strict, New().Differences(reference, candidate))
		}
	}
}
