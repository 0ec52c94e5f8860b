package foodmenu

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// Names of fields.
const (
	nameField        = "name"
	descriptionField = "description"
	sectionField     = "section"
	noteField        = "note"
)

// elements flattens a menu: its headings, sections, items, the meanings of its
// codes, and all other lines. Files follow each other; the next may go on with
// a section, under its header again or not, and may repeat the title block.
func elements(files vfs.Files) []domains.Element {
	f := flattener{headings: map[string]int{}}
	for _, name := range files.Names() {
		f.file(read(files[name]))
	}
	return f.all
}

type flattener struct {
	all             []domains.Element
	number          int            // of the file in hand
	headings        map[string]int // the first file of each
	section, folded string         // the header in force

	items, sections, lines, headingLines int // so far
}

func (f *flattener) file(entries []entry) {
	f.number++
	first := true // of the headers of sections
	for i := range entries {
		e := &entries[i]
		switch e.kind {
		case headingEntry:
			if text := folded(e.lines[0]); !f.repeats(text) {
				f.heading(e.lines[0], text)
			}
		case sectionEntry:
			if !first || folded(e.name) != f.folded {
				f.header(e.name)
			}
			first = false
		case itemEntry:
			f.item(e.dish)
		case legendEntry:
			f.legend(e.lines[0])
		case textEntry:
			f.line(e.lines[0])
		}
	}
}

// repeats reports whether a file before has the heading.
func (f *flattener) repeats(text string) bool {
	first, said := f.headings[text]
	if !said {
		f.headings[text] = f.number
	}
	return said && first != f.number
}

func (f *flattener) add(kind, key string, position int, fields ...domains.Field) {
	f.all = plain.Append(f.all, domains.Element{Kind: kind, Key: key, Position: position, Fields: fields})
}

func (f *flattener) heading(line, text string) {
	f.headingLines++
	key, _, ok := strings.Cut(pytext.Collapse(line), ":")
	if !ok || strings.Contains(key, " ") {
		key = "title block"
	}
	f.add("heading", key, f.headingLines, domains.Field{Value: text})
}

func (f *flattener) header(name string) {
	f.section, f.folded = name, folded(name)
	f.sections++
	f.add("section", "section "+name, f.sections, domains.Field{Value: f.folded})
}

func (f *flattener) line(line string) {
	f.lines++
	fields := []domains.Field{{Value: folded(line)}}
	key := "line outside of items"
	if f.section != "" {
		key = f.section + ", " + key
		fields = append(fields, domains.Field{Name: sectionField, Value: f.folded})
	}
	f.add("line", key, f.lines, fields...)
}

func (f *flattener) item(d *dish) {
	f.items++
	name, description := d.divided()
	key := name
	if f.section != "" {
		key = f.section + ": " + name
	}
	fields := make([]domains.Field, 0, 5+len(d.codes)+len(d.marks)+len(d.more))
	add := func(name, value string) {
		if value != "" {
			fields = append(fields, domains.Field{Name: name, Value: value})
		}
	}
	add(nameField, folded(name))
	add(descriptionField, folded(description))
	add("price", d.price)
	for n, further := range d.more {
		add("price "+strconv.Itoa(n+2), further)
	}
	for _, code := range d.codes {
		add("allergen", code)
	}
	for _, mark := range d.marks {
		add("mark", mark)
	}
	add(noteField, folded(d.note))
	add(sectionField, f.folded)
	f.add(counted, key, f.items, fields...)
}

// folded is a text without letter case, blanks and the shape of quotes.
func folded(text string) string {
	text = pytext.Collapse(text)
	const quoted = "\xe2\x80" // what the four of them begin with
	if strings.Contains(text, quoted) {
		text = quotes.Replace(text)
	}
	return strings.ToLower(text)
}

var quotes = strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`)

// without leaves out items with all of their lines.
func without(_, text string, leave func() bool) string {
	return printed(slices.DeleteFunc(read(text), func(e entry) bool { return e.kind == itemEntry && leave() }))
}
