package layout

import (
	"slices"
	"strings"
	"testing"

	"github.com/jedib0t/go-pretty/v6/text"
)

func TestWrap(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text  string
		width int
		want  []string
	}{
		"at spaces":                  {"one two three", 7, []string{"one two", "three"}},
		"at its own newlines":        {"one\ntwo", 20, []string{"one", "two"}},
		"a number is never cut":      {"1234567890", 4, []string{"1234567890"}},
		"nor is a date":              {"2026-11-23", 6, []string{"2026-11-23"}},
		"a long name is":             {"sim:frontier", 6, []string{"sim:", "frontier"}},
		"a percent sign stays":       {"scores in 98 %", 12, []string{"scores in", "98 %"}},
		"words that are kept united": {"see " + Together("agentd report"), 14, []string{"see", "agentd report"}},
		"nothing":                    {"", 5, []string{""}},
		"what others wrote":          {"a\x1b[2J", 20, []string{"a␛[2J"}},
	} {
		if got := Wrap(c.text, c.width); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestThousands(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1000: "-1,000", -100: "-100"} {
		if got := Thousands(n); got != want {
			t.Errorf("%d is written %s, want %s", n, got, want)
		}
	}
}

func TestATableGivesWayStepByStep(t *testing.T) {
	t.Parallel()
	series := &Table{Columns: []Column{{Head: "arm", Label: true}}}
	var row []any
	for _, head := range []string{"@2", "@4", "@6", "@8"} {
		series.Columns = append(series.Columns, Column{Head: head, Number: true, Moment: true})
		row = append(row, "10"+head[1:]+".0")
	}
	series.Row(append([]any{"a model"}, row...)...)
	for width, want := range map[int][]string{60: {"@2", "@4", "@6", "@8"}, 40: {"@2", "@4", "@6", "@8"}} {
		lines, whole := series.Lines(Screen{Width: width})
		if got := strings.Fields(lines[0])[1:]; !slices.Equal(got, want) || !whole {
			t.Errorf("at %d columns: %q, whole %v", width, got, whole)
		}
	}
	for range 4 {
		series.Columns = slices.Insert(series.Columns, 2, Column{Head: "@3", Number: true, Moment: true})
		series.Rows[0] = slices.Insert(series.Rows[0], 2, Cell{Text: "103.0"})
	}
	lines, whole := series.Lines(Screen{Width: 40})
	if heads := strings.Fields(lines[0]); heads[1] != "@2" || heads[len(heads)-1] != "@8" || whole {
		t.Errorf("the first and the last moment stay: %q, whole %v", heads, whole)
	}
	wide := &Table{Columns: []Column{{Head: "arm", Label: true}}, Divide: true}
	cells := []any{"accounting"}
	for range 12 {
		wide.Columns = append(wide.Columns, Column{Head: "1234567", Number: true})
		cells = append(cells, "100.0")
	}
	wide.Row(cells...)
	if text := wide.String(Screen{Width: 40}); strings.Count(text, "accounting") < 3 || strings.Count(text, "100.0") != 12 {
		t.Errorf("a divided table repeats its labels and keeps its numbers:\n%s", text)
	}
	wide.Divide = false
	if lines, _ := wide.Lines(Screen{Width: 40}); lines[0] != "accounting" || len(lines) != 13 {
		t.Errorf("a row that does not fit is a list: %q", lines)
	}
}

func TestTheWidthOfATextIsThatOfItsCharacters(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]int{"": 0, "a b~": 4, "é": 1, "e\u0301": 1, "日本": 4, "a日": 3} {
		if got := textWidth(content); got != want {
			t.Errorf("%q takes %d columns, want %d", content, got, want)
		}
	}
	for c := ' '; c <= '~'; c++ {
		if got := text.StringWidth(string(c)); got != textWidth(string(c)) {
			t.Errorf("%q takes %d columns, want %d", c, textWidth(string(c)), got)
		}
	}
}
