// Package text is the domain of plain text: a file of lines whose order means something.
//
// Every line with something in it is an element. Blanks at a line's end, the kind of line ends, and how many blank
// lines stand between two lines mean nothing. Whether there is one tells paragraphs apart, so it is a field of the line
// below. There is no published evaluator: RS is Strict.
package text

import (
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/edit"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// counted is the kind of element that is counted. It is not domains.ForeignKind: no line is foreign to a plain text.
const counted = "text line"

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[struct{}]{
		Info: domains.Info{
			Name:     "text",
			Title:    "Plain text",
			Category: domains.General,
			Patterns: []string{"*.txt", "*.text", "*.log"},
			Element:  counted,
			AnyText:  true,
			Example:  "Tide tables are on the shelf next to the door.",
		},
		Elements:   elements,
		Without:    without,
		Vocabulary: vocabulary,
	})
}

// lines are those of a text, blanks at their ends left out.
func lines(content string) []string {
	all := strings.Split(pytext.UniversalNewlines(strings.TrimPrefix(content, "\ufeff")), "\n")
	for i := range all {
		all[i] = strings.TrimRight(all[i], " \t\v\f")
	}
	return all
}

func elements(files vfs.Files) []domains.Element {
	var all []domains.Element
	for _, name := range files.Names() {
		blank := false
		for n, line := range lines(files[name]) {
			if line == "" {
				blank = true
				continue
			}
			e := domains.Element{Kind: counted, Key: "line " + strconv.Itoa(n+1), Position: len(all) + 1}
			if len(files) > 1 {
				e.Key = name + ", " + e.Key
			}
			e.Fields = append(e.Fields, domains.Field{Value: line})
			if blank {
				e.Fields = append(e.Fields, domains.Field{Name: "blank line above", Value: "yes"})
			}
			all = append(all, e)
			blank = false
		}
	}
	return all
}

// without leaves out lines, counted over all files in the order of their names.
func without(_, text string, leave func() bool) string {
	var kept []string
	blank := "" // what to write above the next line
	for _, line := range strings.SplitAfter(text, "\n") {
		if lines(line)[0] == "" {
			blank = "\n"
			continue
		}
		if !leave() {
			kept = append(kept, blank, line)
		}
		blank = ""
	}
	return strings.Join(kept, "")
}

// vocabulary cuts into paragraphs, between blank lines, or into lines where there are few of these.
func vocabulary() edit.Format {
	words := func() []edit.Attribute {
		return []edit.Attribute{
			edit.Has("first word", "first words", `\A\W*([\pL\pN]+)`),
			edit.Has("first letter", "first letters", `\A\W*([\pL\pN])`),
			edit.Has("last word", "last words", `([\pL\pN]+)[^\pL\pN]*\z`),
			edit.Has("date", "dates", `\b(\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4})\b`),
			edit.Has("time of day", "times of day", `\b(\d{1,2}:\d\d)\b`),
			edit.HasNumber("number", "numbers", `(?:^|[ (])(\d+(?:\.\d+)?)(?:[ ,;)]|\.?$)`),
			edit.Has("name in capitals", "names in capitals", `\b([A-Z][A-Z0-9]{2,})\b`),
			edit.Has("remark in brackets", "remarks in brackets", `\(([^()\n]+)\)`),
		}
	}
	return edit.Format{
		Document: "text", Part: "paragraph", Parts: "paragraphs", Cut: edit.Blocks(""), Attributes: words(),
		Finer: &edit.Format{Document: "text", Part: "line", Parts: "lines", Cut: edit.Lines(), Attributes: words()},
	}
}
