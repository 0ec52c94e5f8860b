package edit

import (
	"encoding/json"
	"fmt"
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
	if p.verb.Convert == AsTree {
		return p.print(files)
	}
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
	return d.with(vfs.Files{d.name: w.document().Text()}), nil
}

// whole is what is read of a document's other forms. What stands between two parts is the same
// for all, but for those below which something else does.
type whole struct {
	Pieces
	separator string
	own       map[int]string // what stands below a part, by its place
}

// take takes in a piece by what it is called there. Any other name is that of a part.
func (w *whole) take(what, text string) {
	switch what {
	case before:
		w.Before = text
	case between:
		w.stands(text)
	case after:
		w.After = text
	default:
		w.Parts = append(w.Parts, text)
	}
}

// stands says what stands below the part that was taken last: the last of all these is usual.
func (w *whole) stands(text string) {
	if w.own == nil {
		w.own = make(map[int]string)
	}
	w.own[len(w.Parts)-1] = text
	w.separator = text
}

// document puts the pieces together.
func (w *whole) document() Pieces {
	for i := range len(w.Parts) - 1 {
		if gap, ok := w.own[i]; ok {
			w.Between = append(w.Between, gap)
		} else {
			w.Between = append(w.Between, w.separator)
		}
	}
	return w.Pieces
}

// odd is what stands below a part, if that is not the usual separator.
func (p Pieces) odd(i int, usual string) (gap string, ok bool) {
	if i >= len(p.Between) {
		return "", false
	}
	return p.Between[i], p.Between[i] != usual
}

// columns are the attributes that a table of the parts has: those named, or all but those named as
// a column that it has in any case. The names are among the attributes.
func (f *Format) columns(named []string) []Attribute {
	var all []Attribute
	for _, a := range f.Attributes {
		if a.Name != "row" && a.Name != "text" && len(named) == 0 {
			all = append(all, a)
		}
	}
	for _, name := range named {
		if a, err := f.attribute(name); err == nil {
			all = append(all, *a)
		}
	}
	return all
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
	usual := s.separator()
	list := make([]map[string]string, len(s.Parts))
	for i, part := range s.Parts {
		list[i] = map[string]string{"text": part}
		for _, a := range s.format.columns(s.verb.Columns) {
			list[i][a.Name] = a.value(part)
		}
		if gap, odd := s.odd(i, usual); odd {
			list[i][between] = gap
		}
	}
	return plain.WriteJSON(map[string]any{before: s.Before, between: usual, after: s.After, s.format.list(): list})
}

// list is the name of the list of parts.
func (f *Format) list() string { return slug(f.Parts) }

func (p *Program) fromJSON(text string, w *whole) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &members); err != nil {
		return err
	}
	var list []struct {
		Text    string  `json:"text"`
		Between *string `json:"between"`
	}
	for name, into := range map[string]any{before: &w.Before, between: &w.separator, after: &w.After, p.format.list(): &list} {
		if err := json.Unmarshal(members[name], into); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	usual := w.separator
	for _, part := range list {
		w.Parts = append(w.Parts, part.Text)
		if part.Between != nil {
			w.stands(*part.Between)
		}
	}
	w.separator = usual
	return nil
}

// csv writes a table with a row for each part.
func (s *step) csv() string {
	usual := s.separator()
	columns := s.format.columns(s.verb.Columns)
	row := func(what, text string) []string {
		return append(append([]string{what}, make([]string, len(columns))...), text)
	}
	table := [][]string{append(append([]string{"row"}, namesOf(columns)...), "text"), row(before, s.Before)}
	for i, part := range s.Parts {
		cells := row(slug(s.format.Part), part)
		for k, a := range columns {
			cells[k+1] = a.value(part)
		}
		table = append(table, cells)
		if gap, odd := s.odd(i, usual); odd {
			table = append(table, row(between, gap))
		}
	}
	return plain.WriteCSV(append(table, row(between, usual), row(after, s.After)))
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
	usual := s.separator()
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
		if gap, odd := s.odd(i, usual); odd {
			section(between, gap)
		}
	}
	section(between, usual)
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
