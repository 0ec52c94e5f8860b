package genealogy

import (
	"maps"
	"slices"
	"strconv"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// elements flattens files of any name. A family is taken apart into what holds between two people: what one spouse's
// page would say of the family, that two are a couple, that one is the child of the other. So a person that is lost
// takes along exactly what concerned them.
func elements(files vfs.Files) []domains.Element {
	f := flattener{
		named:  map[string]*line{},
		uses:   map[string]int{},
		claims: map[claim][]*line{},
	}
	for _, name := range files.Names() {
		f.gather(read(files[name]))
	}
	f.labelRecords()
	f.addHeader()
	for _, r := range f.others {
		f.add("record", r.title.key, append(f.facts(r), domains.Field{Name: "record", Value: r.written()}))
	}
	for _, r := range f.individuals {
		f.add(counted, r.title.key, f.facts(r))
		f.addAssociations(r)
	}
	for _, m := range f.marriages {
		f.addFamily(m)
	}
	f.addUnreturned()
	return f.all
}

type flattener struct {
	heads, individuals, others []*line
	marriages                  []*marriage
	named                      map[string]*line  // the first record of each pointer
	uses                       map[string]int    // how often something points to a pointer
	claims                     map[claim][]*line // the FAMC and FAMS lines not met yet
	all                        []domains.Element
}

func (f *flattener) add(kind, key string, fields []domains.Field) {
	f.all = plain.Append(f.all, domains.Element{Kind: kind, Key: key, Fields: fields})
}

// gather sorts the records of a file and takes out the lines that are none of GEDCOM. A record other than of a person
// or family that an earlier file has too is not counted again: the parts of a divided tree each need their sources.
func (f *flattener) gather(records []*line) {
	earlier := maps.Clone(f.named)
	for _, r := range records {
		r.each(func(l *line) {
			if l.tag == "" {
				f.add("line", "line outside records", []domains.Field{{Value: folded(l.value)}})
			} else if link := l.link(); link != "" {
				f.uses[link]++
			}
		})
		if r.pointer != "" && f.named[r.pointer] == nil {
			f.named[r.pointer] = r
		}
		switch {
		case r.tag == "", r.tag == "TRLR" && len(r.lines) == 0:
		case r.tag == "HEAD":
			f.heads = append(f.heads, r)
		case r.tag == "INDI":
			f.individuals = plain.Append(f.individuals, r)
			for _, l := range r.lines {
				if l.tag == "FAMC" || l.tag == "FAMS" {
					c := claim{r, l.tag, l.link()}
					f.claims[c] = append(f.claims[c], l)
				}
			}
		case r.tag == "FAM":
			f.marriages = plain.Append(f.marriages, newMarriage(r))
		case r.sameAs(earlier[r.pointer]):
		default:
			f.others = plain.Append(f.others, r)
		}
	}
}

func (l *line) sameAs(other *line) bool {
	return other != nil && print([]*line{l}) == print([]*line{other})
}

// addHeader makes one element of all headers: the parts of a divided tree have one each.
func (f *flattener) addHeader() {
	if len(f.heads) == 0 {
		return
	}
	var fields []domains.Field
	met := map[domains.Field]bool{}
	var walk func(path string, l *line)
	walk = func(path string, l *line) {
		for _, below := range l.lines {
			if below.isText() {
				continue
			}
			field := domains.Field{Name: path + below.written(), Value: f.value(below)}
			if !met[field] && (field.Value != "" || len(below.lines) == 0) {
				met[field] = true
				fields = append(fields, field)
			}
			walk(field.Name+" ", below)
		}
	}
	for _, head := range f.heads {
		walk("", head)
	}
	f.add("header", "header", fields)
}

// addAssociations adds what ties a person to another outside of families, such as a godparent.
func (f *flattener) addAssociations(r *line) {
	for _, l := range r.lines {
		if f.isAssociation(l) {
			f.add("association", r.title.key+", "+l.tag+" "+f.called(l), []domains.Field{
				{Name: "person", Value: r.title.label}, {Name: l.written(), Value: f.who(l)}, {Name: "details", Value: f.details(l, 1)},
			})
		}
	}
}

func (f *flattener) isAssociation(l *line) bool {
	other := f.named[l.link()]
	return other != nil && other.tag == "INDI"
}

// once are the events that happen once; more than one of a kind are accounts of
// the same, of which the first is preferred.
var once = []string{
	"BIRT", "CHR", "BAPM", "CONF", "DEAT", "BURI", "CREM",
	"ENGA", "MARB", "MARC", "MARL", "MARS", "MARR", "DIV", "DIVF", "ANUL",
}

// facts are what a record says, links to families and people aside.
func (f *flattener) facts(r *line) []domains.Field {
	return f.factsOf(r, func(l *line) bool {
		return r.tag == "INDI" && (l.tag == "FAMC" || l.tag == "FAMS" || f.isAssociation(l))
	})
}

// factsOf makes a field of every fact, with all that is below it; of names and events a field of each part.
func (f *flattener) factsOf(r *line, leave func(*line) bool) []domains.Field {
	fields := make([]domains.Field, 0, len(r.lines)+4)
	add := func(name, value string) { fields = append(fields, domains.Field{Name: name, Value: value}) }
	if text := normalText(r.fullText()); text != "" {
		add("text", text)
	}
	met := map[string]bool{}
	for _, l := range r.lines {
		if l.isText() || leave(l) {
			continue
		}
		again := met[l.tag]
		met[l.tag] = true
		switch {
		case l.tag == "NAME" && r.tag == "INDI":
			fields = append(fields, f.nameFields(l, again)...)
		case slices.Contains(once, l.tag) && again:
			add("further "+l.written(), f.assertion(l)+f.details(l, 1))
		case slices.Contains(once, l.tag):
			add(l.written(), f.assertion(l))
			for _, part := range l.lines {
				if !part.isText() {
					add(l.tag+" "+part.written(), f.whole(part))
				}
			}
		default:
			add(l.written(), f.whole(l))
		}
	}
	return fields
}

// assertion is the value of an event, Y where only what is below says that it happened.
func (f *flattener) assertion(l *line) string {
	if value := f.value(l); value != "" || len(l.lines) == 0 {
		return value
	}
	return "Y"
}

// nameFields are the first, preferred name in its parts, or a further one. Given
// name and surname are fields whether they stand below the name or only in it.
func (f *flattener) nameFields(l *line, further bool) []domains.Field {
	name := readName(l)
	rest := *l
	rest.lines = slices.DeleteFunc(slices.Clone(l.lines), (*line).isText)
	if further {
		rest.lines = slices.DeleteFunc(rest.lines, name.repeats)
		return []domains.Field{{Name: "further " + l.written(), Value: name.String() + f.details(&rest, 1)}}
	}
	fields := []domains.Field{{Name: l.written(), Value: name.String()}}
	met := map[string]bool{}
	for _, part := range rest.lines {
		value := f.whole(part)
		if part.tag == "GIVN" || part.tag == "SURN" {
			value = foldedLower(value)
		}
		met[part.tag] = true
		fields = append(fields, domains.Field{Name: "NAME " + part.written(), Value: value})
	}
	for _, part := range []domains.Field{{Name: "GIVN", Value: name.given}, {Name: "SURN", Value: name.surname}} {
		if part.Value != "" && !met[part.Name] {
			fields = append(fields, domains.Field{Name: "NAME " + part.Name, Value: part.Value})
		}
	}
	return fields
}

// isText reports whether the line is no fact: it continues the text of the line
// above it and no more, or is none of GEDCOM.
func (l *line) isText() bool {
	return l.tag == "" || (l.tag == "CONC" || l.tag == "CONT") &&
		!slices.ContainsFunc(l.lines, func(below *line) bool { return below.tag != "" })
}

// written is the tag, with what only a slip puts there: a pointer on a line
// that is no record, and a level that was jumped to.
func (l *line) written() string {
	name := l.tag
	if l.pointer != "" && l.level > 0 {
		name = l.pointer + " " + name
	}
	if l.jumped {
		name += " at level " + strconv.Itoa(l.level)
	}
	return name
}
