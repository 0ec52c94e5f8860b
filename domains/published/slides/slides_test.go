package slides

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/vfs"
)

// TestPublishedReading has the rules of the published parser; an item is written
// as "kind text @x,y level".
func TestPublishedReading(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		text string
		want []string
	}{
		"what stands above the first slide is not read":   {"- a\n# b\n## T\n- c", []string{"title T", "bullet c"}},
		"other headings divide nothing":                   {"## T\n### U\n# V\n - ## W", []string{"title T", "bullet ## W"}},
		"a heading needs a blank":                         {"##T\n## U", []string{"title U"}},
		"an indented heading is none":                     {"## T\n ## U", []string{"title T"}},
		"front matter ends at the second rule":            {"---\na: b\n---\n## T", []string{"title T"}},
		"wherever it stands":                              {"---\na: b\n## T\n|---|\n## U", []string{"title U"}},
		"a byte order mark hides front matter":            {"\ufeff---\n## T\n---\n## U", []string{"title T", "title U"}},
		"a single rule is text":                           {"---\n## T", []string{"title T"}},
		"an empty heading takes its first line":           {"## \n\n- a\n- b", []string{"title - a", "bullet b"}},
		"a slide may be empty":                            {"## ", []string{"title "}},
		"a title has a position":                          {"## T [@(1,2) | 30pt]", []string{"title T @1,2"}},
		"the first mark counts and all go":                {"## T\n- a [@(x)] b [@(3,4)]  [@(5,6)] c", []string{"title T", "bullet a b c @3,4"}},
		"blanks after the comma are no position":          {"## T\n- a [@(3, 4)]", []string{"title T", "bullet a"}},
		"nor are decimals":                                {"## T\n- a [@(3.0,4)]", []string{"title T", "bullet a"}},
		"digits of any script":                            {"## T\n- a [@(٣,4)]", []string{"title T", "bullet a @3,4"}},
		"a font size needs its unit":                      {"## T\n- a [@(3,4) | 12]", []string{"title T", "bullet a"}},
		"a mark that is not closed stays":                 {"## T\n- a [@(3,4) b", []string{"title T", "bullet a [@(3,4) b"}},
		"two white-space characters are a level":          {"## T\n- a\n  - b\n     - c\n\t\t- d", []string{"title T", "bullet a", "bullet b 1", "bullet c 2", "bullet d 1"}},
		"other bullets are not read":                      {"## T\n* a\n+ b\n1. c\n-d", []string{"title T"}},
		"unless they have a second star":                  {"## T\n* a *b*", []string{"title T", "subtitle a *b"}},
		"a subtitle":                                      {"## T\n**a b** [@(1,1)]", []string{"title T", "subtitle a b @1,1"}},
		"an image":                                        {"## T\n[IMAGE: a b.png @(1,2)] c", []string{"title T", "image a b.png @1,2"}},
		"an image without a position":                     {"## T\n[IMAGE:a.png]", []string{"title T", "image a.png"}},
		"a decimal position erases the name":              {"## T\n[IMAGE: a.png @(1.5,2)]", []string{"title T", "image "}},
		"so does another at":                              {"## T\n[CHART: a@b]", []string{"title T", "chart "}},
		"letter case tells":                               {"## T\n[Image: a.png]", []string{"title T"}},
		"a table placeholder has no text":                 {"## T\n[TABLE: 3x4 [@(1,2)]", []string{"title T", "table placeholder  @1,2"}},
		"rows without rulers and empty cells":             {"## T\n| a |  | b |\n|:--|-:|\n|||", []string{"title T", "table row a | b"}},
		"a missing last bar loses the last cell":          {"## T\n| a | b", []string{"title T", "table row a"}},
		"rows without outer bars are none":                {"## T\na | b", []string{"title T"}},
		"notes are one text with their marks":             {"## T\n::: {.notes}\n a [@(1,1)]\n\n- b\n:::\n- c", []string{"title T", "notes a [@(1,1)] - b", "bullet c"}},
		"notes that are not closed swallow the slide":     {"## T\n::: {.notes}\na\n- b\n## U\n- c", []string{"title T", "title U", "bullet c"}},
		"empty notes are none":                            {"## T\n::: {.notes}\n\n:::\n- c", []string{"title T", "bullet c"}},
		"other fences open no notes":                      {"## T\n::: notes\n- a\n:::", []string{"title T", "bullet a"}},
		"carriage returns are blanks in a candidate":      {"## T\r\n- a\r\n", []string{"title T", "bullet a"}},
		"a next line, a line separator end nothing":       {"## T\n- a\u2028- b", []string{"title T", "bullet a\u2028- b"}},
		"code and comments are read":                      {"```\n## T\n<!--\n- a\n-->", []string{"title T", "bullet a"}},
		"a heading straight after the front matter":       {"------## T\n## U", []string{"title T", "title U"}},
		"marks of which the parenthesis holds marks go":   {"## T\n- a [@( [@(1,2)] b", []string{"title T", "bullet a b @1,2"}},
		"a bracket after the bar ends a mark":             {"## T\n- a [@(1,2) | x [y] z", []string{"title T", "bullet a z"}},
		"a parenthesis without its bracket does not":      {"## T\n- a [@(1) b [@(2)]", []string{"title T", "bullet a [@(1) b"}},
		"positions too large for anything are far enough": {"## T [@(99999999999999999999,1)]", []string{"title T @10000000000000000,1"}},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			d, err := Parse(vfs.Files{"a.md": c.text, "b.markdown": "## no", "c.MD": "## no"})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, it := range d {
				got = append(got, itemText(it))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func itemText(it item) string {
	s := KindNames[it.kind] + " " + it.text
	if it.at.given {
		s += fmt.Sprintf(" @%d,%d", it.at.x, it.at.y)
	}
	if it.level > 0 {
		s += fmt.Sprintf(" %d", it.level)
	}
	return s
}
