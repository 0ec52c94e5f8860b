package genealogy

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/wellformed"
	published "agentd/domains/published/genealogy"
	"agentd/vfs"
)

// elements flattens files of any name. A family is taken apart into what holds between two people: what one spouse's
// page would say of the family, that two are a couple, that one is the child of the other. So a person that is lost
// takes along exactly what concerned them.
func elements(files vfs.Files) []domains.Element {
	f := flattener{
		named:  map[string]*published.Line{},
		uses:   map[string]int{},
		claims: map[claim][]*published.Line{},
	}
	for _, name := range files.Names() {
		f.gather(read(files[name]))
	}
	f.labelRecords()
	f.addHeader()
	for _, r := range f.others {
		f.add("record", r.Title.Key, append(f.facts(r), domains.Field{Name: "record", Value: lineWritten(r)}))
	}
	for _, r := range f.individuals {
		f.add(counted, r.Title.Key, f.facts(r))
		f.addAssociations(r)
	}
	for _, m := range f.marriages {
		f.addFamily(m)
	}
	f.addUnreturned()
	return f.all
}

type flattener struct {
	heads, individuals, others []*published.Line
	marriages                  []*marriage
	named                      map[string]*published.Line  // the first record of each pointer
	uses                       map[string]int              // how often something points to a pointer
	claims                     map[claim][]*published.Line // the FAMC and FAMS lines not met yet
	all                        []domains.Element
}

func (f *flattener) add(kind, key string, fields []domains.Field) {
	f.all = plain.Append(f.all, domains.Element{Kind: kind, Key: key, Fields: fields})
}

// gather sorts the records of a file and takes out the lines that are none of GEDCOM. A record other than of a person
// or family that an earlier file has too is not counted again: the parts of a divided tree each need their sources.
func (f *flattener) gather(records []*published.Line) {
	earlier := maps.Clone(f.named)
	for _, r := range records {
		each(r, func(l *published.Line) {
			if l.Tag == "" {
				f.add("line", "line outside records", []domains.Field{{Value: plain.SingleBlanks(l.Value)}})
			} else if link := lineLink(l); link != "" {
				f.uses[link]++
			}
		})
		if r.Pointer != "" && f.named[r.Pointer] == nil {
			f.named[r.Pointer] = r
		}
		switch {
		case r.Tag == "", r.Tag == "TRLR" && len(r.Lines) == 0:
		case r.Tag == "HEAD":
			f.heads = append(f.heads, r)
		case r.Tag == "INDI":
			f.individuals = plain.Append(f.individuals, r)
			for _, l := range r.Lines {
				if l.Tag == "FAMC" || l.Tag == "FAMS" {
					c := claim{r, l.Tag, lineLink(l)}
					f.claims[c] = append(f.claims[c], l)
				}
			}
		case r.Tag == "FAM":
			f.marriages = plain.Append(f.marriages, newMarriage(r))
		case sameAs(r, earlier[r.Pointer]):
		default:
			f.others = plain.Append(f.others, r)
		}
	}
}

func sameAs(l *published.Line, other *published.Line) bool {
	return other != nil && print([]*published.Line{l}) == print([]*published.Line{other})
}

// addHeader makes one element of all headers: the parts of a divided tree have one each.
func (f *flattener) addHeader() {
	if len(f.heads) == 0 {
		return
	}
	var fields []domains.Field
	met, earlier := map[domains.Field]bool{}, map[domains.Field]bool{}
	var walk func(path string, l *published.Line)
	walk = func(path string, l *published.Line) {
		for _, below := range l.Lines {
			if below.IsText() {
				continue
			}
			field := domains.Field{Name: path + lineWritten(below), Value: f.value(below)}
			if !earlier[field] && (field.Value != "" || len(below.Lines) == 0) {
				met[field] = true
				fields = append(fields, field)
			}
			walk(field.Name+" ", below)
		}
	}
	for _, head := range f.heads {
		walk("", head)
		earlier = maps.Clone(met)
	}
	f.add("header", "header", fields)
}

// addAssociations adds what ties a person to another outside of families, such as a godparent.
func (f *flattener) addAssociations(r *published.Line) {
	for _, l := range r.Lines {
		if f.isAssociation(l) {
			f.add("association", r.Title.Key+", "+l.Tag+" "+f.called(l), []domains.Field{
				{Name: "person", Value: r.Title.Label}, {Name: lineWritten(l), Value: f.who(l)}, {Name: "details", Value: f.details(l, 1)},
			})
		}
	}
}

func (f *flattener) isAssociation(l *published.Line) bool {
	other := f.named[lineLink(l)]
	return other != nil && other.Tag == "INDI"
}

// once are the events that happen once; more than one of a kind are accounts of
// the same, of which the first is preferred.
var once = []string{
	"BIRT", "CHR", "BAPM", "CONF", "DEAT", "BURI", "CREM",
	"ENGA", "MARB", "MARC", "MARL", "MARS", "MARR", "DIV", "DIVF", "ANUL",
}

// facts are what a record says, links to families and people aside.
func (f *flattener) facts(r *published.Line) []domains.Field {
	return f.factsOf(r, func(l *published.Line) bool {
		return r.Tag == "INDI" && (l.Tag == "FAMC" || l.Tag == "FAMS" || f.isAssociation(l))
	})
}

// factsOf makes a field of every fact, with all that is below it; of names and events a field of each part.
func (f *flattener) factsOf(r *published.Line, leave func(*published.Line) bool) []domains.Field {
	fields := make([]domains.Field, 0, len(r.Lines)+4)
	add := func(name, value string) { fields = append(fields, domains.Field{Name: name, Value: value}) }
	if text := normalText(fullText(r)); text != "" {
		add("text", text)
	}
	met := map[string]bool{}
	for _, l := range r.Lines {
		if l.IsText() || leave(l) {
			continue
		}
		again := met[l.Tag]
		met[l.Tag] = true
		switch {
		case l.Tag == "NAME" && r.Tag == "INDI":
			fields = append(fields, f.nameFields(l, again)...)
		case slices.Contains(once, l.Tag) && again:
			add("further "+lineWritten(l), f.assertion(l)+f.details(l, 1))
		case slices.Contains(once, l.Tag):
			add(lineWritten(l), f.assertion(l))
			for _, part := range l.Lines {
				if !part.IsText() {
					add(l.Tag+" "+lineWritten(part), f.whole(part))
				}
			}
		default:
			add(lineWritten(l), f.whole(l))
		}
	}
	return fields
}

// assertion is the value of an event, Y where only what is below says that it happened.
func (f *flattener) assertion(l *published.Line) string {
	if value := f.value(l); value != "" || len(l.Lines) == 0 {
		return value
	}
	return "Y"
}

// nameFields are the first, preferred name in its parts, or a further one. Given
// name and surname are fields whether they stand below the name or only in it.
func (f *flattener) nameFields(l *published.Line, further bool) []domains.Field {
	name := readName(l)
	rest := *l
	rest.Lines = slices.DeleteFunc(slices.Clone(l.Lines), (*published.Line).IsText)
	if further {
		rest.Lines = slices.DeleteFunc(rest.Lines, name.repeats)
		return []domains.Field{{Name: "further " + lineWritten(l), Value: pytext.Lower(name.String()) + f.details(&rest, 1)}}
	}
	fields := []domains.Field{{Name: lineWritten(l), Value: name.String()}}
	met := map[string]bool{}
	for _, part := range rest.Lines {
		value := f.whole(part)
		if part.Tag == "GIVN" || part.Tag == "SURN" {
			value = plain.SingleBlanks(value)
		}
		met[part.Tag] = true
		fields = append(fields, domains.Field{Name: "NAME " + lineWritten(part), Value: value})
	}
	for _, part := range []domains.Field{{Name: "GIVN", Value: name.given}, {Name: "SURN", Value: name.surname}} {
		if part.Value != "" && !met[part.Name] {
			fields = append(fields, domains.Field{Name: "NAME " + part.Name, Value: part.Value})
			if l.Value != "" {
				fields = append(fields, domains.Field{Name: unwritten(part.Name), Value: part.Value})
			}
		}
	}
	return fields
}

// unwritten names the field of a part of a name that no line says below the name.
func unwritten(part string) string { return "NAME without " + part }

// forgiven is what Strict compares: names in one spelling, and no lines below names that say again what the name says. Where nearly all names of
// the reference have such a line, and most of the candidate, the lines were not left out on purpose, so one that is lost counts.
func forgiven(reference, candidate []domains.Element) (ref, got []domains.Element) {
	ref, got = respelled(reference, candidate)
	counts := map[string]map[string]bool{} // by the field, the people of whose names the line must be there
	for _, part := range []string{"GIVN", "SURN"} {
		was, had := withoutPart(ref, part)
		is, have := withoutPart(got, part)
		const nearlyAll = 10 // of so many names, one may go without
		isKept := len(had) > 2 && len(was)*nearlyAll <= len(had) && 2*len(is) < len(have)
		said := map[string]bool{} // the people of whose names the reference has the line
		for _, i := range had {
			said[ref[i].Key] = isKept
		}
		for _, i := range was {
			said[ref[i].Key] = false
		}
		counts[unwritten(part)] = said
	}
	withoutFields(ref, func(_, field string) bool { return counts[field] != nil })
	withoutFields(got, func(person, field string) bool {
		said := counts[field]
		return said != nil && !said[person]
	})
	return ref, got
}

// withoutPart are the places of the people whose name has a part, and of those of them where no line says it.
func withoutPart(elements []domains.Element, part string) (without, all []int) {
	written, missing := "NAME "+part, unwritten(part)
	for i := range elements {
		if elements[i].Kind != counted || elements[i].Value(written) == "" {
			continue
		}
		all = append(all, i)
		if elements[i].Value(missing) != "" {
			without = append(without, i)
		}
	}
	return without, all
}

// withoutFields leaves the fields that leave accepts out of elements, which are the copies that respelled made. Their lists of fields stay as they are.
func withoutFields(elements []domains.Element, leave func(key, field string) bool) {
	for i := range elements {
		e := &elements[i]
		isLeft := func(f domains.Field) bool { return leave(e.Key, f.Name) }
		if slices.ContainsFunc(e.Fields, isLeft) {
			e.Fields = slices.DeleteFunc(slices.Clone(e.Fields), isLeft)
		}
	}
}

// respelled gives the names of a candidate that differ from one of the reference in letter case alone that one's spelling,
// since capitals are only a way of writing surnames.
func respelled(reference, candidate []domains.Element) (ref, got []domains.Element) {
	isName := func(f *domains.Field) bool { return f.Name == "NAME" || f.Name == "NAME GIVN" || f.Name == "NAME SURN" }
	spelling := map[domains.Field]string{} // by the name of the field and the value in small letters
	for i := range reference {
		for k := range reference[i].Fields {
			if f := &reference[i].Fields[k]; isName(f) {
				spelling[domains.Field{Name: f.Name, Value: pytext.Lower(f.Value)}] = ""
			}
		}
	}
	lower := func(elements []domains.Element) []domains.Element {
		elements = slices.Clone(elements)
		for i := range elements {
			e := &elements[i]
			cloned := false
			for k, f := range e.Fields {
				if !isName(&f) {
					continue
				}
				small := domains.Field{Name: f.Name, Value: pytext.Lower(f.Value)}
				first, known := spelling[small]
				if known && first == "" {
					first = f.Value
					spelling[small] = first
				}
				if !known || first == f.Value {
					continue
				}
				if !cloned {
					e.Fields, cloned = slices.Clone(e.Fields), true
				}
				e.Fields[k].Value = first
			}
		}
		return elements
	}
	return lower(reference), lower(candidate)
}

// written is the tag, with what only a slip puts there: a pointer on a line
// that is no record, and a level that was jumped to.
func lineWritten(l *published.Line) string {
	name := l.Tag
	if l.Pointer != "" && l.Level > 0 {
		name = l.Pointer + " " + name
	}
	if l.Jumped {
		name += " at level " + strconv.Itoa(l.Level)
	}
	return name
}

// wellFormed checks that a file begins with HEAD and ends with TRLR, and that each line has a level and a tag.
var wellFormed = wellformed.All(
	wellformed.Begins(`^\s*0 +HEAD\b`, "0 HEAD is not the first line"),
	wellformed.Ends(`^\s*0 +TRLR\b`, "0 TRLR is not the last line"),
	wellformed.Lines(`^\s*\d{1,2} +(?:@[^@]+@ +)?[A-Za-z0-9_]+(?: |$)`, "a level and a tag do not begin the line"),
	levels,
)

// levels finds lines that are more than one level below the line above them.
func levels(_, text string) []domains.Slip {
	var all []domains.Slip
	n, above := 0, -1
	for line := range strings.Lines(text) {
		n++
		digits, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		level, err := strconv.Atoi(digits)
		if err != nil {
			continue
		}
		if level > above+1 {
			all = append(all, domains.Slip{Line: n, What: "the line is more than one level below the one above", Text: strings.TrimSpace(line)})
		}
		above = level
	}
	return all
}

const counted = "individual"

// surname is what stands between slashes.
func surname(individual domains.Element) string {
	_, after, _ := strings.Cut(individual.Value("NAME"), "/")
	name, _, _ := strings.Cut(after, "/")
	return name
}
