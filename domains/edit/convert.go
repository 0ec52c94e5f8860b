package edit

import (
	"encoding/json"
	"fmt"
	"maps"
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
	write := map[Form]func() (string, error){AsJSON: s.json, AsTable: s.csv, AsMarkdown: s.markdown}[s.verb.Convert]
	text, err := write()
	if err != nil {
		return nil, err
	}
	return s.document.with(vfs.Files{s.verb.To: text}), nil
}

// unconvert writes the document again.
func (p *Program) unconvert(files vfs.Files) (vfs.Files, error) {
	text, err := plain.File(files, p.verb.To)
	if err != nil {
		return nil, err
	}
	read := map[Form]func(string) (Pieces, string, error){AsJSON: p.fromJSON, AsTable: p.fromTable, AsMarkdown: p.fromMarkdown}[p.verb.Convert]
	pieces, separator, err := read(text)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", p.verb.To, err)
	}
	d := document{name: p.verb.Document, rest: maps.Clone(files)}
	delete(d.rest, p.verb.To)
	return d.with(vfs.Files{d.name: pieces.with(pieces.Parts, separator).Text()}), nil
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
func (s *step) json() (string, error) {
	list := make([]map[string]string, len(s.Parts))
	for i, part := range s.Parts {
		list[i] = map[string]string{"text": part}
		for _, a := range s.format.columns() {
			list[i][a.Name] = a.value(part)
		}
	}
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(map[string]any{before: s.Before, between: s.separator(), after: s.After, s.format.list(): list})
	return b.String(), err
}

// list is the name of the list of parts.
func (f *Format) list() string { return slug(f.Parts) }

func (p *Program) fromJSON(text string) (Pieces, string, error) {
	var whole map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &whole); err != nil {
		return Pieces{}, "", err
	}
	var pieces Pieces
	var separator string
	var list []struct {
		Text string `json:"text"`
	}
	for name, into := range map[string]any{before: &pieces.Before, between: &separator, after: &pieces.After, p.format.list(): &list} {
		if err := json.Unmarshal(whole[name], into); err != nil {
			return Pieces{}, "", fmt.Errorf("%s: %w", name, err)
		}
	}
	for _, part := range list {
		pieces.Parts = append(pieces.Parts, part.Text)
	}
	return pieces, separator, nil
}

// csv writes a table with a row for each part.
func (s *step) csv() (string, error) {
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
	return plain.WriteCSV(append(table, row(between, s.separator()), row(after, s.After))), nil
}

func (p *Program) fromTable(text string) (Pieces, string, error) {
	rows, err := plain.Columns(text, "row", "text")
	var pieces Pieces
	var separator string
	for _, row := range rows {
		switch row[0] {
		case before:
			pieces.Before = row[1]
		case between:
			separator = row[1]
		case after:
			pieces.After = row[1]
		default:
			pieces.Parts = append(pieces.Parts, row[1])
		}
	}
	return pieces, separator, err
}

// markdown writes a section for each piece, its text in a fence that is longer than any in it.
func (s *step) markdown() (string, error) {
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
	return b.String(), nil
}

func (p *Program) fromMarkdown(text string) (Pieces, string, error) {
	var pieces Pieces
	var separator string
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
			switch content := strings.Join(inside, "\n"); heading {
			case before:
				pieces.Before = content
			case between:
				separator = content
			case after:
				pieces.After = content
			default:
				pieces.Parts = append(pieces.Parts, content)
			}
		case fence != "":
			inside = append(inside, line)
		}
	}
	if len(pieces.Parts) == 0 {
		return pieces, "", fmt.Errorf("%w in sections with a fence", ErrNoParts)
	}
	return pieces, separator, nil
}
