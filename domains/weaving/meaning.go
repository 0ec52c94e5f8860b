package weaving

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/element"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// elements flattens files of any name: an element for each entry, comment and foreign line. Threads and picks are known
// by their numbers, so no order means anything.
func elements(files vfs.Files) []domains.Element {
	f := flattener{repeats: map[string]bool{}}
	for _, name := range files.Names() {
		f.file(read(files[name]))
	}
	return f.all
}

type flattener struct {
	all     []domains.Element
	fields  []domains.Field // room for many elements
	repeats map[string]bool // entries of sections that each file may repeat
}

func (f *flattener) file(from file) {
	eachEntry(from, func(s *section, l *line) {
		written := s.name + "\n" + l.written()
		switch {
		case l.kind == foreign:
			f.add("line", "line "+s.in(), field("", pytext.Strip(l.print())))
		case !mayRepeat[s.name]:
			f.entry(s, l)
		case !f.repeats[written]:
			f.repeats[written] = true
			f.entry(s, l)
		}
	})
	for i := range from.sections {
		f.comments(&from.sections[i])
	}
}

// written is an entry as it is told from others.
func (l *line) written() string { return l.key + "=" + l.value }

// mayRepeat are the sections that each file of a divided draft has.
var mayRepeat = map[string]bool{"WIF": true, "CONTENTS": true}

// eachEntry calls do with the entries and foreign lines of a file. Of an entry
// that occurs several times in the sections of one name only the first counts.
func eachEntry(from file, do func(*section, *line)) {
	seen := map[string]map[string]bool{}
	for i := range from.sections {
		s := &from.sections[i]
		if seen[s.name] == nil {
			seen[s.name] = map[string]bool{}
		}
		met := seen[s.name]
		for k := range s.lines {
			switch l := &s.lines[k]; {
			case l.kind == foreign:
				do(s, l)
			case l.kind == entry && !met[l.written()]:
				met[l.written()] = true
				do(s, l)
			}
		}
	}
}

// in says where a line stands.
func (s *section) in() string {
	if s.head == "" {
		return "before the first section"
	}
	return "in " + s.name
}

func (f *flattener) comments(s *section) {
	add := func(text string) {
		if text = commentText(text); text != "" {
			f.add("comment", "comment "+s.in(), field("", text), field("section", s.name))
		}
	}
	if at := strings.LastIndexByte(s.head, ']'); at >= 0 {
		add(s.head[at+1:])
	}
	for i := range s.lines {
		switch l := &s.lines[i]; l.kind {
		case comment:
			add(l.before)
		case entry:
			add(l.tail)
		}
	}
}

func field(name, value string) domains.Field { return domains.Field{Name: name, Value: value} }

func (f *flattener) add(kind, key string, fields ...domains.Field) {
	const room = 4096
	if cap(f.fields)-len(f.fields) < len(fields) {
		f.fields = make([]domains.Field, 0, max(room, len(fields)))
	}
	start := len(f.fields)
	f.fields = append(f.fields, fields...)
	f.all = plain.Append(f.all, domains.Element{Kind: kind, Key: key, Fields: slices.Clip(f.fields[start:])})
}

// table says how the entries of a section of numbers are called.
type table struct{ kind, key, number, value string }

var tables = map[string]table{
	"THREADING": {counted, "warp thread ", "thread", "shaft"},
	"TREADLING": {counted, "pick ", "pick", "treadle"},
	"TIEUP":     {"tie", "tie-up of treadle ", "treadle", "shaft"},
	"LIFTPLAN":  {"lift", "liftplan of pick ", "pick", "shaft"},
}

func (f *flattener) entry(s *section, l *line) {
	t, isTable := tables[s.name]
	number := plain.Number(l.key)
	switch {
	case isTable:
		fields := []domains.Field{field(t.number, number)}
		for _, n := range numbers(l.value) {
			fields = append(fields, field(t.value, n))
		}
		if len(fields) > 1 || t.kind == counted { // a treadle without ties is none
			f.add(t.kind, t.key+number, fields...)
		}
	case s.name == "COLOR TABLE":
		f.add("color", "color "+number, colorFields(number, l.value)...)
	case numberSections[s.name]:
		what := strings.ToLower(s.name)
		f.add(what, what+" "+number, field("number", number), field("", strings.Join(numbers(l.value), ",")))
	case s.name == "NOTES":
		f.add("note", "note "+number, field("number", number), field("", l.value))
	default:
		f.add("setting", l.key+" "+s.in(), field("name", s.name+", "+strings.ToLower(l.key)), field("", s.meaning(l)))
	}
}

// numbers are those of a list. Zero and nothing both mean none.
func numbers(list string) []string {
	const most = 128
	parts := strings.SplitN(strings.ReplaceAll(list, "，", ","), ",", most)
	kept := parts[:0]
	for _, part := range parts {
		if part = plain.Number(part); part != "" && part != "0" {
			kept = append(kept, part)
		}
	}
	return kept
}

func colorFields(number, value string) []domains.Field {
	fields := []domains.Field{field("number", number)}
	names := []string{"red", "green", "blue", "more"}
	for i, part := range strings.SplitN(value, ",", len(names)) {
		fields = append(fields, field(names[i], plain.Number(part)))
	}
	return fields
}

// meaning is the value of a setting in a form that is equal for equal ones.
func (s *section) meaning(l *line) string {
	if s.isText() {
		return l.value
	}
	value := pytext.Lower(l.value)
	if s.name == "CONTENTS" || strings.EqualFold(l.key, "Rising Shed") {
		if word, known := truths[value]; known {
			return word
		}
		return value
	}
	if n, ok := inWords(value); ok {
		return n
	}
	return strings.Join(lists.Map(strings.Split(value, ","), plain.Number), ",")
}

// truths are the truth values that the format gives words.
var truths = map[string]string{
	"true": "true", "yes": "true", "on": "true", "1": "true", "false": "false", "no": "false", "off": "false", "0": "false",
}

// forgives drops comments that only the candidate has: the loom does not read them. As many as the reference lost stay,
// to be taken for those.
func forgives(reference, candidate []domains.Element) (ref, got []domains.Element) {
	return element.ForgiveAddedAt(reference, candidate, func(*domains.Element) string { return "" })
}

// without leaves out threads and picks.
func without(_, text string, leave func() bool) string {
	f := read(text)
	gone := map[string]bool{}
	eachEntry(f, func(s *section, l *line) {
		if tables[s.name].kind == counted && l.kind == entry && leave() {
			gone[s.name+"\n"+l.written()] = true
		}
	})
	for i := range f.sections {
		s := &f.sections[i]
		s.lines = slices.DeleteFunc(s.lines, func(l line) bool {
			return l.kind == entry && gone[s.name+"\n"+l.written()]
		})
	}
	return f.print()
}

var (
	ones = strings.Fields(`zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
		fifteen sixteen seventeen eighteen nineteen`)
	tens = strings.Fields("twenty thirty forty fifty sixty seventy eighty ninety")
)

// inWords is the number that English words below a hundred stand for.
func inWords(text string) (string, bool) {
	if n := slices.Index(ones, text); n >= 0 {
		return strconv.Itoa(n), true
	}
	first, second, compound := strings.Cut(text, "-")
	ten := slices.Index(tens, first)
	if ten < 0 {
		return "", false
	}
	one := 0
	if compound {
		if one = slices.Index(ones[:10], second); one < 1 {
			return "", false
		}
	}
	return strconv.Itoa((ten+2)*10 + one), true
}

const counted = "thread"
