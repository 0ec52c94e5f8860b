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

// elements flattens a menu: its headings, sections, items, the meanings of its codes, and all other lines. Files follow
// each other; the next may go on with a section, under its header again or not, and may repeat the title block.
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

// division is the text of an item as a name and a description, on its own.
type division struct{ name, description string }

// forgives divides the text of a candidate's item as the reference's item of the same words is: where names in capitals
// became small, or descriptions large, or stand on lines of their own, nothing else tells the two apart.
func forgives(ref, got []domains.Element) (same, divided []domains.Element) {
	if !slices.ContainsFunc(ref, hasDescription) && !slices.ContainsFunc(got, hasDescription) {
		return ref, got
	}
	divisions := map[string]division{}
	eachText(ref, func(_ int, text string, d division) { divisions[text] = d })
	divided = slices.Clone(got)
	eachText(got, func(i int, text string, d division) {
		if wanted := divisions[text]; wanted.name != "" && wanted != d {
			divided[i].Fields = wanted.in(got[i].Fields)
		}
	})
	return ref, divided
}

func hasDescription(e domains.Element) bool {
	return e.Kind == counted && len(e.Fields) > 1 && e.Fields[1].Name == descriptionField
}

// eachText visits the items with their texts.
func eachText(elements []domains.Element, visit func(i int, text string, d division)) {
	for i := range elements {
		e := &elements[i]
		if e.Kind != counted || e.Fields[0].Name != nameField {
			continue
		}
		d := division{name: e.Fields[0].Value}
		text := d.name
		if hasDescription(*e) {
			d.description = e.Fields[1].Value
			text += " " + d.description
		}
		visit(i, text, d)
	}
}

// in returns an item's fields with this name and description.
func (d division) in(fields []domains.Field) []domains.Field {
	all := []domains.Field{{Name: nameField, Value: d.name}, {Name: descriptionField, Value: d.description}}
	if d.description == "" {
		all = all[:1]
	}
	for _, f := range fields {
		if f.Name != nameField && f.Name != descriptionField {
			all = append(all, f)
		}
	}
	return all
}

// evidence counts the items of a menu, none if other lines outnumber them.
func evidence(files vfs.Files, elements []domains.Element) int {
	found := domains.Where(isDish)(files, elements)
	if domains.OfKinds(domains.ForeignKind)(files, elements) > found {
		return 0
	}
	return found
}

// isDish reports whether an element is an item whose line ends soon after the price,
// as in "per person". A price in the middle of a text makes no dish of it.
func isDish(e *domains.Element) bool {
	const most = 8 // words after the price
	return e.Kind == counted && len(pytext.Fields(e.Value(noteField))) <= most
}

// counted is the kind of element that is counted.
const counted = "item"

var bullet = pytext.Pattern(`^\s*[-•*]\s+`)
