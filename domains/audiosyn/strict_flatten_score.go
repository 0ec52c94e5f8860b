package audiosyn

import (
	"strconv"

	"agentd/domains"
)

// context is what the statements before an event say of it.
type context struct {
	section int    // from 1
	base    string // of a b statement
	tempo   string // of a v statement
	loops   int    // that are open
	ended   bool   // by an e statement
}

func (c *context) fields(fields []domains.Field) []domains.Field {
	if c.section > 1 {
		fields = append(fields, field("section", strconv.Itoa(c.section)))
	}
	if c.base != "" {
		fields = append(fields, field("base time", c.base))
	}
	if c.tempo != "" {
		fields = append(fields, field("local tempo", c.tempo))
	}
	if c.loops > 0 {
		fields = append(fields, field("loops", strconv.Itoa(c.loops)))
	}
	if c.ended {
		fields = append(fields, field("after", "the end"))
	}
	return fields
}

// score adds the statements of the score.
func (f *flattener) score(s *source) {
	at := context{section: 1}
	carry := newCarrier()
	for l := range s.score() {
		switch l.kind {
		case blankLine:
			f.scoreComments(l.comments)
		case eventLine:
			f.event(carry.resolve(l.code, l.words), l.comments, &at)
		case tableLine:
			f.add(tableKind, "f"+normal(l.field(1)), withComments(at.fields(pFields(&tableNames, &l)), l.comments)...)
		case controlLine:
			f.control(&l, &at)
			if l.endsSection() {
				carry.endSection()
			}
		case macroLine:
			f.add("macro", "macro", withComments(macroFields(l.code[l.words[0].start:], "the score"), l.comments)...)
		case strayLine:
			f.stray(squeezed(s.lines[l.line].text))
		}
	}
}

func (f *flattener) scoreComments(comments []string) {
	for _, c := range comments {
		f.comment(c, "the score")
	}
}

var (
	eventNames = numbered("p", "instrument", "start", "duration")
	tableNames = numbered("p", "number", "time", "size", "generator")
	otherNames = numbered("p")
)

// pFields are the fields of a statement.
func pFields(names *fieldNames, l *scoreLine) []domains.Field {
	fields := make([]domains.Field, 0, len(l.words)+1)
	for n, w := range l.words[1:] {
		fields = append(fields, field(names.of(n), normal(w.of(l.code))))
	}
	return fields
}

// event has a field for each p-field, carried or not.
func (f *flattener) event(resolved, comments []string, at *context) {
	f.fields = f.fields[:0]
	for n, value := range resolved {
		f.fields = append(f.fields, field(eventNames.of(n), value))
	}
	f.fields = withComments(at.fields(f.fields), comments)
	key := "i" + resolved[0]
	if len(resolved) > 1 {
		key += " at " + resolved[1]
	}
	f.add(counted, key, f.fields...)
}

// control reads a statement that sets what those after it are in. An e statement
// without a time says nothing where nothing follows.
func (f *flattener) control(l *scoreLine, at *context) {
	letter := l.letter()
	fields := append([]domains.Field{field("statement", letter)}, at.fields(pFields(&otherNames, l))...)
	if letter != "e" || len(l.words) > 1 {
		f.add("score statement", letter+" statement", withComments(fields, l.comments)...)
	} else {
		f.scoreComments(l.comments)
	}
	switch letter {
	case "s":
		*at = context{section: at.section + 1, ended: at.ended}
	case "b":
		at.base = normal(l.field(1))
	case "v":
		at.tempo = normal(l.field(1))
	case "{":
		at.loops++
	case "}":
		at.loops = max(at.loops-1, 0)
	case "e":
		at.ended = true
	}
}
