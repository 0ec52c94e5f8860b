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
	var scan scanner
	at := context{section: 1}
	carry := newCarrier()
	var words []span
	for i := range s.lines {
		l := &s.lines[i]
		if l.section != scoreSection || l.tag {
			continue
		}
		code, comments := scan.scan(l.text)
		words = appendWords(words[:0], code)
		switch scoreKind(code, words) {
		case blankLine:
			for _, c := range comments {
				f.comment(c, "the score")
			}
		case eventLine:
			f.event(carry.resolve(code, words), comments, &at)
		case tableLine:
			fields := at.fields(pFields(&tableNames, code, words[1:]))
			f.add(tableKind, "f"+pField(code, words, 1), withComments(fields, comments)...)
		case controlLine:
			f.control(code, words, comments, &at, carry)
		case macroLine:
			f.add("macro", "macro", withComments(macroFields(code[words[0].start:], "the score"), comments)...)
		case strayLine:
			f.stray(squeezed(l.text))
		}
	}
}

func pField(code string, words []span, n int) string {
	if n >= len(words) {
		return ""
	}
	return normal(words[n].of(code))
}

var (
	eventNames = numbered("p", "instrument", "start", "duration")
	tableNames = numbered("p", "number", "time", "size", "generator")
	otherNames = numbered("p")
)

// pFields are the fields of a statement.
func pFields(names *fieldNames, code string, words []span) []domains.Field {
	fields := make([]domains.Field, 0, len(words)+2)
	for n, w := range words {
		fields = append(fields, field(names.of(n), normal(w.of(code))))
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
func (f *flattener) control(code string, words []span, comments []string, at *context, carry *carrier) {
	letter := words[0].of(code)
	fields := append([]domains.Field{field("statement", letter)}, at.fields(pFields(&otherNames, code, words[1:]))...)
	if letter != "e" || len(words) > 1 {
		f.add("score statement", letter+" statement", withComments(fields, comments)...)
	} else {
		for _, c := range comments {
			f.comment(c, "the score")
		}
	}
	switch letter {
	case "s":
		carry.endSection()
		*at = context{section: at.section + 1, ended: at.ended}
	case "b":
		at.base = pField(code, words, 1)
	case "v":
		at.tempo = pField(code, words, 1)
	case "{":
		at.loops++
	case "}":
		at.loops = max(at.loops-1, 0)
	case "e":
		at.ended = true
	}
}
