package quantum

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// mostParts bounds the fields of an element, of which the matcher compares each with each.
const mostParts = 128

const operationElement = "operation"

// elements flattens files by the format's rules: an element for each declaration and definition, for each operation and
// head of a block, for each line of a comment, and for each line that is none of these. Definitions have no order,
// operations have one within their definition.
func elements(files vfs.Files) []domains.Element {
	read := readFiles(files)
	f := flattener{
		spelling: newSpelling(read), files: len(read), once: map[string]bool{},
		scopes: map[string]*scope{},
	}
	for _, file := range read {
		f.once["include "+path.Base(file.name)] = f.files > 1 // is the document's own
	}
	for _, file := range read {
		f.flatten(file)
	}
	f.order()
	return f.all
}

type flattener struct {
	spelling spelling
	read     parts // of the statement in hand
	file     *file
	all      []domains.Element
	files    int
	once     map[string]bool // what several files may repeat
	scopes   map[string]*scope
	within   string // the definition in hand
}

// scope is the program or a definition.
type scope struct {
	name       string
	in         string         // how its operations are called
	operations []int          // in the list of all elements
	counts     map[string]int // of operations by name
}

// inScope is the scope in hand.
func (f *flattener) inScope() *scope {
	s := f.scopes[f.within]
	if s == nil {
		s = &scope{name: f.within, counts: map[string]int{}}
		if f.within != "" {
			s.in = " in " + f.within
		}
		f.scopes[f.within] = s
	}
	return s
}

func field(name, value string) domains.Field { return domains.Field{Name: name, Value: value} }

func (f *flattener) add(kind, key string, fields ...domains.Field) {
	f.all = append(f.all, domains.Element{Kind: kind, Key: key, Fields: fields})
}

func (f *flattener) flatten(file *file) {
	f.file = file
	f.all = slices.Grow(f.all, len(file.statements)+len(file.comments))
	for i := range file.statements {
		s := &file.statements[i]
		if s.parent < 0 {
			f.within = ""
		}
		f.statement(s)
		if s.open {
			f.add("line", "the end of "+file.word(s), field("", "missing"), field("in", f.within))
		}
	}
	at := ""
	for i := range file.comments {
		switch owner := file.owners[i]; {
		case owner < 0:
			at = ""
		case i == 0 || owner != file.owners[i-1]:
			at = f.called(&file.statements[owner])
		}
		for _, said := range file.sayings(&file.comments[i]) {
			key := "comment"
			if at != "" {
				key += " at " + at
			}
			f.add(commentElement, key, field("", said), field("at", at))
		}
	}
}

// called is how a statement at top level is called.
func (f *flattener) called(s *statement) string {
	f.read.formOf(&f.file.source, s.from, s.to)
	switch {
	case s.form >= operation:
		return "the program"
	case s.form == version || s.form == include:
		return "the beginning"
	}
	for _, p := range f.read.list {
		if p.name == "name" {
			return kinds[s.form] + " " + expression(&f.file.source, p.from, p.to)
		}
	}
	return "a line outside the program"
}

// kinds are the kinds of elements that have a name.
var kinds = map[form]string{
	version: "version", include: "include", constantForm: "constant", registerForm: "register",
	externForm: "extern", gateForm: "gate", subroutineForm: counted, variable: "variable", alias: "alias",
}

func (f *flattener) statement(s *statement) {
	f.read.formOf(&f.file.source, s.from, s.to)
	switch {
	case s.form == foreign:
		f.lines(s)
	case s.form >= operation, s.parent >= 0, s.form == variable && f.read.count("value") > 0:
		f.operation(s)
	default:
		f.definition(s)
	}
}

// fields are those of the parts that are read.
func (f *flattener) fields() []domains.Field {
	const more = 2
	fields := make([]domains.Field, 0, min(len(f.read.list), mostParts)+more)
	n := 0 // of the parts of one name, which stand together
	for i, p := range f.read.list {
		if n++; i == 0 || f.read.list[i-1].name != p.name {
			n = 1
		}
		if i == mostParts {
			fields = append(fields, field("rest", f.file.text[f.file.tokens[p.from].start:f.file.tokens[f.read.until-1].end]))
			break
		}
		name, text := p.name, ""
		switch name {
		case "type", "returns":
			text = f.spelling.kind(&f.file.source, p.from, p.to)
		case "size":
			text = f.spelling.size(&f.file.source, p.from, p.to)
		case "parameter", "argument", "qubit", "angle", "modifier", "value":
			if name == "argument" || name == "parameter" {
				text = f.typedPart(p)
			} else {
				text = expression(&f.file.source, p.from, p.to)
			}
			if name != "value" {
				name += " " + strconv.Itoa(n)
			}
		default:
			text = expression(&f.file.source, p.from, p.to)
		}
		fields = append(fields, field(name, text))
	}
	return fields
}

// typedPart is a parameter or an argument: a type, a type with a name, or an expression.
func (f *flattener) typedPart(p part) string {
	s := &f.file.source
	if !isType(s.of(p.from)) || p.to-p.from < 2 {
		return expression(s, p.from, p.to)
	}
	if s.isWord(p.to - 1) {
		return f.spelling.kind(s, p.from, p.to-1) + " " + s.of(p.to-1)
	}
	return f.spelling.kind(s, p.from, p.to)
}

func (f *flattener) definition(s *statement) {
	fields := f.fields()
	switch {
	case s.form == registerForm && f.read.count("size") == 0:
		fields = append(fields, field("size", "1"))
	case (s.form == subroutineForm || s.form == externForm) && f.read.count("returns") == 0:
		fields = append(fields, field("returns", "nothing"))
	case f.file.is(s.from, "creg"):
		fields = asBits(fields)
	}
	kind := kinds[s.form]
	name := ""
	for _, value := range fields {
		if value.Name == "name" {
			name = value.Value
		}
	}
	if s.form == version || s.form == include {
		what := kind + " " + name
		if s.form == include {
			what = kind + " " + path.Base(strings.Trim(name, `"`))
		}
		if f.once[what] {
			return
		}
		f.once[what] = f.files > 1
	}
	if s.form.defines() {
		f.within = kind + " " + name
	}
	f.add(kind, kind+" "+name, fields...)
}

// asBits makes of the fields of `creg c[2]` those of `bit[2] c`.
func asBits(fields []domains.Field) []domains.Field {
	for i := range fields {
		if fields[i].Name == "size" {
			fields[i] = field("type", "bit["+fields[i].Value+"]")
			return fields
		}
	}
	return append(fields, field("type", "bit"))
}

func (f *flattener) operation(s *statement) {
	name := f.file.word(s)
	if len(f.read.list) > 0 {
		name = expression(&f.file.source, f.read.list[0].from, f.read.list[0].from+1)
	}
	in := f.inScope()
	in.counts[name]++
	fields := f.fields()
	if in.name != "" {
		fields = append(fields, field("in", in.name))
	}
	if s.nested != "" {
		fields = append(fields, field("within", s.nested))
	}
	in.operations = plain.Append(in.operations, len(f.all))
	f.add(operationElement, name+" "+strconv.Itoa(in.counts[name])+in.in, fields...)
}

// lines adds the lines of a text that is no statement.
func (f *flattener) lines(s *statement) {
	for at := s.from; at < s.to; {
		end := at + 1
		for end < s.to && f.file.tokens[end].line == f.file.tokens[at].line {
			end++
		}
		text := f.file.text[f.file.tokens[at].start:f.file.tokens[end-1].end]
		f.add("line", "line outside the program", field("", strings.Join(strings.Fields(text), " ")))
		at = end
	}
}

// order numbers the operations, definition by definition.
func (f *flattener) order() {
	n := 0
	for _, name := range slices.Sorted(maps.Keys(f.scopes)) {
		for _, i := range f.scopes[name].operations {
			n++
			f.all[i].Position = n
		}
	}
}

// countOperations is the number of operations at top level, those with a block being one.
func countOperations(files vfs.Files) int {
	n := 0
	for _, f := range readFiles(files) {
		f.top(func(_ int32, s *statement) {
			if s.form >= operation && s.form <= block {
				n++
			}
		})
	}
	return n
}

// forgives leaves out what is told already by a lost or added subroutine, and comments that were added.
func forgives(reference, candidate []domains.Element) (ref, got []domains.Element) {
	lost, added := missing(reference, candidate), missing(candidate, reference)
	switch { // where there are both, one may be the other renamed
	case len(added) == 0:
		reference = withoutBodies(reference, lost)
	case len(lost) == 0:
		candidate = withoutBodies(candidate, added)
	}
	return withoutAddedComments(reference, candidate)
}

// missing are the subroutines of some elements that others do not have.
func missing(of, in []domains.Element) map[string]bool {
	lacks := map[string]bool{}
	for i := range of {
		if of[i].Kind == counted {
			lacks[of[i].Key] = true
		}
	}
	for i := range in {
		if in[i].Kind == counted {
			delete(lacks, in[i].Key)
		}
	}
	return lacks
}

// withoutBodies leaves out the operations and comments of subroutines.
func withoutBodies(elements []domains.Element, of map[string]bool) []domains.Element {
	if len(of) == 0 {
		return elements
	}
	return slices.DeleteFunc(slices.Clone(elements), func(e domains.Element) bool {
		return e.Kind == operationElement && of[e.Value("in")] || e.Kind == commentElement && of[e.Value("at")]
	})
}

// withoutAddedComments leaves the comments of a candidate that the reference does not have out, if it has all those of
// the reference: no one who reads a program loses by them.
func withoutAddedComments(reference, candidate []domains.Element) (ref, got []domains.Element) {
	type said struct{ text, at string }
	of := func(e *domains.Element) said { return said{e.Value(""), e.Value("at")} }
	wanted, absent := map[said]int{}, 0
	for i := range reference {
		if e := &reference[i]; e.Kind == commentElement {
			wanted[of(e)]++
			absent++
		}
	}
	got = slices.DeleteFunc(slices.Clone(candidate), func(e domains.Element) bool {
		if e.Kind != commentElement {
			return false
		}
		if wanted[of(&e)] == 0 {
			return true
		}
		wanted[of(&e)]--
		absent--
		return false
	})
	if absent > 0 {
		return reference, candidate
	}
	return reference, got
}
