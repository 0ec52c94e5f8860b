package edit

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// What the pieces of a document are called in its other forms.
const (
	before  = "before"
	between = "between"
	after   = "after"
)

// convert writes the whole document in another form.
func (s *step) convert() (vfs.Files, error) {
	write := map[Form]func() string{AsJSON: s.json, AsTable: s.csv, AsMarkdown: s.markdown}[s.verb.Convert]
	return s.document.with(vfs.Files{s.verb.To: write()}), nil
}

// unconvert writes the document again.
func (p *Program) unconvert(files vfs.Files) (vfs.Files, error) {
	text, err := plain.File(files, p.verb.To)
	if err != nil {
		return nil, err
	}
	var w whole
	read := map[Form]func(string, *whole) error{AsJSON: p.fromJSON, AsTable: fromTable, AsMarkdown: fromMarkdown}[p.verb.Convert]
	if err := read(text, &w); err != nil {
		return nil, fmt.Errorf("reading %s: %w", p.verb.To, err)
	}
	d := p.to(files, p.verb.To)
	return d.with(vfs.Files{d.name: w.with(w.Parts, w.separator).Text()}), nil
}

// whole is what is read of a document's other forms. What stands between two parts is the same
// for all.
type whole struct {
	Pieces
	separator string
}

// take takes in a piece by what it is called there. Any other name is that of a part.
func (w *whole) take(what, text string) {
	switch what {
	case before:
		w.Before = text
	case between:
		w.separator = text
	case after:
		w.After = text
	default:
		w.Parts = append(w.Parts, text)
	}
}

// columns are the attributes that a table of the parts has: all but those named as a column that
// it has in any case.
func (f *Format) columns() []Attribute {
	return slices.DeleteFunc(slices.Clone(f.Attributes), func(a Attribute) bool { return a.Name == "row" || a.Name == "text" })
}

// namesOf are the names of attributes.
func namesOf(attributes []Attribute) []string {
	names := make([]string, len(attributes))
	for i, a := range attributes {
		names[i] = a.Name
	}
	return names
}

// json writes an object with the parts as a list of objects.
func (s *step) json() string {
	list := make([]map[string]string, len(s.Parts))
	for i, part := range s.Parts {
		list[i] = map[string]string{"text": part}
		for _, a := range s.format.columns() {
			list[i][a.Name] = a.value(part)
		}
	}
	return plain.WriteJSON(map[string]any{before: s.Before, between: s.separator(), after: s.After, s.format.list(): list})
}

// list is the name of the list of parts.
func (f *Format) list() string { return slug(f.Parts) }

func (p *Program) fromJSON(text string, w *whole) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &members); err != nil {
		return err
	}
	var list []struct {
		Text string `json:"text"`
	}
	for name, into := range map[string]any{before: &w.Before, between: &w.separator, after: &w.After, p.format.list(): &list} {
		if err := json.Unmarshal(members[name], into); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	for _, part := range list {
		w.Parts = append(w.Parts, part.Text)
	}
	return nil
}

// csv writes a table with a row for each part.
func (s *step) csv() string {
	columns := s.format.columns()
	row := func(what, text string) []string {
		return append(append([]string{what}, make([]string, len(columns))...), text)
	}
	table := [][]string{append(append([]string{"row"}, namesOf(columns)...), "text"), row(before, s.Before)}
	for _, part := range s.Parts {
		cells := row(slug(s.format.Part), part)
		for i, a := range columns {
			cells[i+1] = a.value(part)
		}
		table = append(table, cells)
	}
	return plain.WriteCSV(append(table, row(between, s.separator()), row(after, s.After)))
}

func fromTable(text string, w *whole) error {
	rows, err := plain.Columns(text, "row", "text")
	for _, row := range rows {
		w.take(row[0], row[1])
	}
	return err
}

// markdown writes a section for each piece, its text in a fence that is longer than any in it.
func (s *step) markdown() string {
	fence := "```"
	for strings.Contains(s.Text(), fence) {
		fence += "`"
	}
	var b strings.Builder
	section := func(heading, text string) { fmt.Fprintf(&b, "## %s\n\n%s\n%s\n%s\n\n", heading, fence, text, fence) }
	fmt.Fprintf(&b, "# %s\n\n", s.name)
	section(before, s.Before)
	for i, part := range s.Parts {
		section(fmt.Sprintf("%s %d", s.format.Part, i+1), part)
	}
	section(between, s.separator())
	section(after, s.After)
	return b.String()
}

func fromMarkdown(text string, w *whole) error {
	heading, fence := "", ""
	var inside []string
	for _, line := range strings.Split(text, "\n") {
		switch {
		case fence == "" && strings.HasPrefix(line, "## "):
			heading = strings.TrimPrefix(line, "## ")
		case fence == "" && strings.HasPrefix(line, "```"):
			fence, inside = line, nil
		case fence != "" && line == fence:
			fence = ""
			w.take(heading, strings.Join(inside, "\n"))
		case fence != "":
			inside = append(inside, line)
		}
	}
	if len(w.Parts) == 0 {
		return fmt.Errorf("%w in sections with a fence", ErrNoParts)
	}
	return nil
}
