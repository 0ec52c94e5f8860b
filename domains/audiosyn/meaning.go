package audiosyn

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/wellformed"
	"agentd/vfs"
)

// elements flattens files by the rules of Csound: an element for each event, table
// and other statement of the score, each option, setting, macro, instrument and
// statement of the orchestra, each comment, and each line that is none of these.
func elements(files vfs.Files) []domains.Element {
	var f flattener
	read := readFiles(files)
	withoutIncluded(read)
	tagged := false
	for i := range read {
		f.all = slices.Grow(f.all, len(read[i].lines))
		f.options(&read[i])
	}
	for i := range read {
		s := &read[i]
		f.orchestra(s)
		f.score(s)
		f.rest(s)
		tagged = tagged || s.tagged
	}
	if !tagged && slices.ContainsFunc(f.all, func(e domains.Element) bool { return e.Kind != "line" }) {
		f.add(bareKind, "options", field("", "those of the command line"))
	}
	return f.all
}

const (
	optionKind = "option"
	bareKind   = "missing options" // of an orchestra and score without a CSD file
	inOptions  = "options"
)

// forgives compares no options where one side is an orchestra and a score in files
// of their own, which have no place for them.
func forgives(reference, candidate []domains.Element) (ref, got []domains.Element) {
	isBare := func(e domains.Element) bool { return e.Kind == bareKind }
	if slices.ContainsFunc(reference, isBare) == slices.ContainsFunc(candidate, isBare) {
		return reference, candidate
	}
	return withoutOptions(reference), withoutOptions(candidate)
}

func withoutOptions(all []domains.Element) []domains.Element {
	kept := make([]domains.Element, 0, len(all))
	for i := range all {
		e := &all[i]
		if e.Kind != optionKind && e.Kind != bareKind && (e.Kind != "comment" || e.Value("in") != inOptions) {
			kept = append(kept, *e)
		}
	}
	return kept
}

type flattener struct {
	all        []domains.Element
	comments   int
	statements int // of the orchestra
	others     int // lines of other sections
}

func field(name, value string) domains.Field { return domains.Field{Name: name, Value: value} }

func (f *flattener) add(kind, key string, fields ...domains.Field) *domains.Element {
	f.all = plain.Append(f.all, domains.Element{Kind: kind, Key: key, Fields: fields})
	return &f.all[len(f.all)-1]
}

// within adds to a key where the element stands.
func within(key, in string) string {
	switch {
	case in == "":
		return key
	case strings.HasPrefix(in, "above "):
		return key + " " + in
	}
	return key + " in " + in
}

func (f *flattener) comment(text, in string) {
	said := commentText(text)
	if said == "" {
		return
	}
	f.comments++
	f.add("comment", within("comment", in), field("", said), field("in", in)).Position = f.comments
}

// withComments adds the comments after a statement to its fields.
func withComments(fields []domains.Field, comments []string) []domains.Field {
	for _, c := range comments {
		if said := commentText(c); said != "" {
			fields = append(fields, field("comment", said))
		}
	}
	return fields
}

func (f *flattener) options(s *source) {
	for i := range s.lines {
		l := &s.lines[i]
		if l.section != optionSection || l.tag {
			continue
		}
		text := strings.Trim(l.text, " \t")
		if n := strings.IndexAny(text, ";#"); n >= 0 {
			f.comment(strings.TrimLeft(text[n:], "#"), inOptions)
			text = text[:n]
		}
		for _, o := range readOptions(text) {
			f.add(optionKind, strings.TrimSpace("option "+o.flag), field("flag", o.flag), field("value", o.value))
		}
	}
}

// rest adds what stands outside of the sections that Csound reads, and what is wrong with the tags.
func (f *flattener) rest(s *source) {
	for i := range s.lines {
		l := &s.lines[i]
		said := plain.SingleBlanks(l.text)
		switch {
		case l.tag || said == "":
		case l.section == outside:
			f.stray(said)
		case l.section == otherSection:
			f.others++
			f.add("line of another section", "line of another section", field("", said)).Position = f.others
		}
	}
	for _, fault := range s.faults {
		f.add("line", "tag", field("", fault))
	}
}

// stray adds a line outside of all sections, which Csound passes over.
func (f *flattener) stray(text string) {
	kind := "line"
	if strings.HasPrefix(text, ";") {
		kind = "comment"
	}
	f.add(kind, kind+" outside the piece", field("", text))
}

// orchestra adds statements block by block.
func (f *flattener) orchestra(s *source) {
	o := readOrchestra(s.lines)
	of := make([][]int32, len(o.blocks))
	for i := range o.statements {
		b := o.statements[i].block
		of[b] = append(of[b], int32(i))
	}
	for _, n := range o.order() {
		b := &o.blocks[n]
		for _, i := range of[n] {
			f.statement(&o.statements[i], b)
		}
		if !b.closed {
			f.add("line", "the end of "+b.name, field("", b.name+" is not closed"))
		}
	}
}

func (f *flattener) statement(s *statement, b *block) {
	in := b.name
	switch s.kind {
	case noCode, blockEnd:
		if s.above {
			in = "above " + in
		}
		for _, c := range s.comments {
			f.comment(c, in)
		}
	case instrHead:
		fields := []domains.Field{}
		for _, name := range instrumentNames(s.code) {
			fields = append(fields, field("name", normal(name)))
		}
		f.add(instrumentKind, in, withComments(fields, s.comments)...)
	case opcodeHead:
		all := parts(strings.TrimLeft(s.code[len("opcode"):], " \t"))
		fields := []domains.Field{field("name", all[0])}
		for n, types := range all[1:] {
			fields = append(fields, field([]string{"outputs", "inputs"}[min(n, 1)], short(types)))
		}
		f.add("opcode", in, withComments(fields, s.comments)...)
	case macroCode:
		f.add("macro", "macro", withComments(macroFields(s.code, in), s.comments)...)
	case settingLine:
		name := firstWord(s.code)
		_, value, _ := strings.Cut(s.code, "=")
		fields := []domains.Field{field("name", name), field("value", normal(strings.Trim(value, " \t")))}
		f.add("setting", name, withComments(fields, s.comments)...)
	default:
		var fields []domains.Field
		if in != "" {
			fields = append(fields, field("in", in))
		}
		fields = withComments(codeFields(fields, s.code), s.comments)
		f.statements++
		f.add("orchestra statement", codeKey(s.code, in), fields...).Position = f.statements
	}
}

// codeKey names a statement by its first words.
func codeKey(code, in string) string {
	first, rest := cutWord(code)
	second, _ := cutWord(rest)
	key := short(first)
	if second != "" {
		key += " " + short(second)
	}
	return within(key, in)
}

// macroFields are the name and the text of a macro.
func macroFields(code, in string) []domains.Field {
	name, text, defined := strings.Cut(strings.TrimLeft(strings.TrimPrefix(code, "#define"), " \t"), "#")
	if !defined {
		return []domains.Field{field("text", squeezed(code)), field("in", in)}
	}
	text, _, _ = strings.Cut(text, "#")
	return []domains.Field{
		field("name", strings.Trim(name, " \t")), field("text", normal(strings.Trim(text, " \t"))), field("in", in),
	}
}

// context is what the statements before an event say of it.
type context struct {
	section int    // from 1
	base    string // of a b statement
	tempo   string // of a v statement
	loops   int    // that are open
	ended   bool   // by an e statement
}

func (c *context) fields(fields []domains.Field) []domains.Field {
	say := func(is bool, name, value string) {
		if is {
			fields = append(fields, field(name, value))
		}
	}
	say(c.section > 1, "section", strconv.Itoa(c.section))
	say(c.base != "", "base time", c.base)
	say(c.tempo != "", "local tempo", c.tempo)
	say(c.loops > 0, "loops", strconv.Itoa(c.loops))
	say(c.ended, "after", "the end")
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
	eventNames = fieldNames{"p", []string{"instrument", "start", "duration"}}
	tableNames = fieldNames{"p", []string{"number", "time", "size", "generator"}}
	otherNames = fieldNames{prefix: "p"}
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
	fields := make([]domains.Field, 0, len(resolved)+2)
	for n, value := range resolved {
		fields = append(fields, field(eventNames.of(n), value))
	}
	fields = withComments(at.fields(fields), comments)
	key := "i" + resolved[0]
	if len(resolved) > 1 {
		key += " at " + resolved[1]
	}
	f.add(counted, key, fields...)
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

const counted = "score event"

// Kinds of elements that a piece without score events is known by.
const (
	instrumentKind = "instrument"
	tableKind      = "function table"
)

// wellFormed checks that the sections, and in them instruments and opcodes, are closed.
var wellFormed = wellformed.All(
	wellformed.Blocks(`^\s*<((?:Cs|csLADSPA)\w+)[^>/]*>`, `^\s*</(\w+)>`, ""),
	wellformed.Blocks(`^\s*(instr|opcode)\b`, `^\s*(?:\w+:\s*)?(?:endin()|endop())\b`, ""),
	wellformed.Code{Line: []string{";", "//"}, Block: [][2]string{{"/*", "*/"}}, Long: []string{"{{"}}.Check,
)
