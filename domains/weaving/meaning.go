package weaving

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/doc"
	"agentd/domains/internal/element"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
)

// format is of files of any name: an element for each entry, comment and foreign line. Threads and picks are known by
// their numbers, so no order means anything.
var format = doc.Format{
	Counted: counted,
	Read: func(text string) []doc.Part {
		var f flattener
		lines := read(text)
		for l := range entries(lines) {
			if l.kind == foreign {
				f.add("line", "line "+l.in(), field("", pytext.Strip(l.Text)))
			} else {
				f.entry(l)
			}
		}
		for i := range lines {
			l := &lines[i]
			if text := commentText(l.comment); text != "" {
				f.add("comment", "comment "+l.in(), field("", text), field("section", l.section))
			}
		}
		return f.parts
	},
}

type flattener struct {
	parts  []doc.Part
	fields []domains.Field // room for many elements
}

// label tells an entry from others.
func (l *line) label() string { return l.section + "\n" + l.key + "=" + l.value }

// mayRepeat are the sections that each file of a divided draft has.
var mayRepeat = map[string]bool{"WIF": true, "CONTENTS": true}

// entries are those of a file, and its foreign lines. Of an entry that occurs several times in the sections of one name
// only the first counts.
func entries(lines []line) iter.Seq[*line] {
	return func(yield func(*line) bool) {
		seen := map[string]bool{}
		for i := range lines {
			l := &lines[i]
			if l.kind == entry && !seen[l.label()] {
				seen[l.label()] = true
			} else if l.kind != foreign {
				continue
			}
			if !yield(l) {
				return
			}
		}
	}
}

// in says where a line stands.
func (l *line) in() string {
	if l.section == "" {
		return "before the first section"
	}
	return "in " + l.section
}

func field(name, value string) domains.Field { return domains.Field{Name: name, Value: value} }

func (f *flattener) add(kind, key string, fields ...domains.Field) {
	const room = 4096
	if cap(f.fields)-len(f.fields) < len(fields) {
		f.fields = make([]domains.Field, 0, max(room, len(fields)))
	}
	start := len(f.fields)
	f.fields = append(f.fields, fields...)
	e := domains.Element{Kind: kind, Key: key, Fields: slices.Clip(f.fields[start:])}
	f.parts = plain.Append(f.parts, doc.Part{Element: e})
}

// table says how the entries of a section of numbers are called.
type table struct{ kind, key, number, value string }

var tables = map[string]table{
	"THREADING": {counted, "warp thread ", "thread", "shaft"},
	"TREADLING": {counted, "pick ", "pick", "treadle"},
	"TIEUP":     {"tie", "tie-up of treadle ", "treadle", "shaft"},
	"LIFTPLAN":  {"lift", "liftplan of pick ", "pick", "shaft"},
}

func (f *flattener) entry(l *line) {
	t, isTable := tables[l.section]
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
	case l.section == "COLOR TABLE":
		f.add("color", "color "+number, colorFields(number, l.value)...)
	case numberSections[l.section]:
		what := strings.ToLower(l.section)
		f.add(what, what+" "+number, field("number", number), field("", strings.Join(numbers(l.value), ",")))
	case l.section == "NOTES":
		f.add("note", "note "+number, field("number", number), field("", l.value))
	default:
		f.add("setting", l.key+" "+l.in(), field("name", l.section+", "+strings.ToLower(l.key)), field("", l.meaning()))
		f.parts[len(f.parts)-1].Head = mayRepeat[l.section]
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
func (l *line) meaning() string {
	if isText(l.section) {
		return l.value
	}
	value := pytext.Lower(l.value)
	if l.section == "CONTENTS" || strings.EqualFold(l.key, "Rising Shed") {
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

// comments may be added, because the loom does not read them. An added one is compared with a lost one, wherever the two stand.
var comments = element.Harmless{Place: func(*domains.Element) string { return "" }}

// without leaves out threads and picks, wherever they are repeated.
func without(_, text string, leave func() bool) string {
	lines := read(text)
	gone := map[string]bool{}
	for l := range entries(lines) {
		if l.kind == entry && tables[l.section].kind == counted && leave() {
			gone[l.label()] = true
		}
	}
	out := slices.DeleteFunc(lines, func(l line) bool { return l.kind != entry || !gone[l.label()] })
	return plain.Splice(text, out, func(l line) (int, int, string) { return l.From, l.To, "" })
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
