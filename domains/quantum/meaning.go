package quantum

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/element"
	"agentd/domains/internal/plain"
	published "agentd/domains/published/quantum"
	"agentd/vfs"
)

// mostParts bounds the fields of an element, of which the matcher compares each with each.
const mostParts = 128

const operationElement = "operation"

// elements flattens files by the format's rules: an element for each declaration and definition, for each operation and
// head of a block, for each line of a comment, and for each line that is none of these. Definitions have no order,
// operations have one within their definition.
func elements(files vfs.Files) []domains.Element {
	read := published.ReadFiles(files)
	f := flattener{
		spelling: newSpelling(read), files: len(read), once: map[string]bool{},
		scopes: map[string]*scope{},
	}
	for _, file := range read {
		f.once["include "+path.Base(file.Name)] = f.files > 1 // is the document's own
	}
	for _, file := range read {
		f.flatten(file)
	}
	f.order()
	return f.all
}

type flattener struct {
	spelling spelling
	read     published.Parts // of the statement in hand
	file     *published.File
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

func (f *flattener) flatten(file *published.File) {
	f.file = file
	f.all = slices.Grow(f.all, len(file.Statements)+len(file.Comments))
	for i := range file.Statements {
		s := &file.Statements[i]
		if s.Parent < 0 {
			f.within = ""
		}
		f.statement(s)
		if s.Open {
			f.add("line", "the end of "+file.Word(s), field("", "missing"), field("in", f.within))
		}
	}
	at := ""
	for i := range file.Comments {
		switch owner := file.Owners[i]; {
		case owner < 0:
			at = ""
		case i == 0 || owner != file.Owners[i-1]:
			at = f.called(&file.Statements[owner])
		}
		for _, said := range sayings(file, &file.Comments[i]) {
			key := "comment"
			if at != "" {
				key += " at " + at
			}
			f.add(commentElement, key, field("", said), field("at", at))
		}
	}
}

// called is how a statement at top level is called.
func (f *flattener) called(s *published.Statement) string {
	f.read.FormOf(&f.file.Source, s.From, s.To)
	switch {
	case s.Form >= published.Operation:
		return "the program"
	case s.Form == published.Version || s.Form == published.Include:
		return "the beginning"
	}
	for _, p := range f.read.List {
		if p.Name == "name" {
			return kinds[s.Form] + " " + expression(&f.file.Source, p.From, p.To)
		}
	}
	return "a line outside the program"
}

// kinds are the kinds of elements that have a name.
var kinds = map[published.Form]string{
	published.Version: "version", published.Include: "include", published.ConstantForm: "constant", published.RegisterForm: "register",
	published.ExternForm: "extern", published.GateForm: "gate", published.SubroutineForm: counted, published.Variable: "variable", published.Alias: "alias",
}

func (f *flattener) statement(s *published.Statement) {
	f.read.FormOf(&f.file.Source, s.From, s.To)
	switch {
	case s.Form == published.Foreign:
		f.lines(s)
	case s.Form >= published.Operation, s.Parent >= 0, s.Form == published.Variable && f.read.Count("value") > 0:
		f.operation(s)
	default:
		f.definition(s)
	}
}

// fields are those of the parts that are read.
func (f *flattener) fields() []domains.Field {
	const more = 2
	fields := make([]domains.Field, 0, min(len(f.read.List), mostParts)+more)
	n := 0 // of the parts of one name, which stand together
	for i, p := range f.read.List {
		if n++; i == 0 || f.read.List[i-1].Name != p.Name {
			n = 1
		}
		if i == mostParts {
			fields = append(fields, field("rest", f.file.Text[f.file.Tokens[p.From].Start:f.file.Tokens[f.read.Until-1].End]))
			break
		}
		name, text := p.Name, ""
		switch name {
		case "type", "returns":
			text = f.spelling.kind(&f.file.Source, p.From, p.To)
		case "size":
			text = f.spelling.size(&f.file.Source, p.From, p.To)
		case "parameter", "argument", "qubit", "angle", "modifier", "value":
			if name == "argument" || name == "parameter" {
				text = f.typedPart(p)
			} else {
				text = expression(&f.file.Source, p.From, p.To)
			}
			if name != "value" {
				name += " " + strconv.Itoa(n)
			}
		default:
			text = expression(&f.file.Source, p.From, p.To)
		}
		fields = append(fields, field(name, text))
	}
	return fields
}

// typedPart is a parameter or an argument: a type, a type with a name, or an expression.
func (f *flattener) typedPart(p published.Part) string {
	s := &f.file.Source
	if !published.IsType(s.Of(p.From)) || p.To-p.From < 2 {
		return expression(s, p.From, p.To)
	}
	if s.IsWord(p.To - 1) {
		return f.spelling.kind(s, p.From, p.To-1) + " " + s.Of(p.To-1)
	}
	return f.spelling.kind(s, p.From, p.To)
}

func (f *flattener) definition(s *published.Statement) {
	fields := f.fields()
	switch {
	case s.Form == published.RegisterForm && f.read.Count("size") == 0:
		fields = append(fields, field("size", "1"))
	case (s.Form == published.SubroutineForm || s.Form == published.ExternForm) && f.read.Count("returns") == 0:
		fields = append(fields, field("returns", "nothing"))
	case f.file.Is(s.From, "creg"):
		fields = asBits(fields)
	}
	kind := kinds[s.Form]
	name := ""
	for _, value := range fields {
		if value.Name == "name" {
			name = value.Value
		}
	}
	if s.Form == published.Version || s.Form == published.Include {
		what := kind + " " + name
		if s.Form == published.Include {
			what = kind + " " + path.Base(strings.Trim(name, `"`))
		}
		if f.once[what] {
			return
		}
		f.once[what] = f.files > 1
	}
	if s.Form.Defines() {
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

func (f *flattener) operation(s *published.Statement) {
	name := f.file.Word(s)
	if len(f.read.List) > 0 {
		name = expression(&f.file.Source, f.read.List[0].From, f.read.List[0].From+1)
	}
	in := f.inScope()
	in.counts[name]++
	fields := f.fields()
	if in.name != "" {
		fields = append(fields, field("in", in.name))
	}
	if s.Nested != "" {
		fields = append(fields, field("within", s.Nested))
	}
	in.operations = plain.Append(in.operations, len(f.all))
	f.add(operationElement, name+" "+strconv.Itoa(in.counts[name])+in.in, fields...)
}

// lines adds the lines of a text that is no statement.
func (f *flattener) lines(s *published.Statement) {
	for at := s.From; at < s.To; {
		end := at + 1
		for end < s.To && f.file.Tokens[end].Line == f.file.Tokens[at].Line {
			end++
		}
		text := f.file.Text[f.file.Tokens[at].Start:f.file.Tokens[end-1].End]
		f.add("line", "line outside the program", field("", plain.SingleBlanks(text)))
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

// forgives leaves out what is told already by a lost or added subroutine, and comments that were added.
func forgives(reference, candidate []domains.Element) (ref, got []domains.Element) {
	lost, added := missing(reference, candidate), missing(candidate, reference)
	switch { // where there are both, one may be the other renamed
	case len(added) == 0:
		reference = withoutBodies(reference, lost)
	case len(lost) == 0:
		candidate = withoutBodies(candidate, added)
	}
	return element.Harmless{Place: func(e *domains.Element) string { return e.Value("at") }}.Forgive(reference, candidate)
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

// without leaves out subroutines, or operations at top level where there are no
// subroutines, with the comments that stand at them.
func without(files vfs.Files, leave func() bool) vfs.Files {
	read := published.ReadFiles(files)
	subroutines := slices.ContainsFunc(read, func(f *published.File) bool {
		return slices.ContainsFunc(f.Statements, func(s published.Statement) bool { return s.Form == published.SubroutineForm })
	})
	left := vfs.Files{}
	for _, f := range read {
		out := map[int32]bool{}
		f.Top(func(n int32, s *published.Statement) {
			isCounted := s.Form == published.SubroutineForm || !subroutines && s.Form >= published.Operation && s.Form <= published.Block
			if isCounted && leave() {
				out[n] = true
			}
		})
		left[f.Name] = files[f.Name]
		if len(out) > 0 {
			left[f.Name] = leaving(f, out)
		}
	}
	return left
}

// leaving is the text without some of the statements at top level.
func leaving(f *published.File, out map[int32]bool) string {
	var gaps []splice
	for i, owner := range f.Owners {
		if out[owner] {
			gaps = append(gaps, splice{f.Comments[i].Start, f.Comments[i].End, gap})
		}
	}
	for n := range out {
		start, end := fileSpan(f, &f.Statements[n])
		gaps = append(gaps, splice{start, end, gap})
	}
	return withoutGaps(spliced(f, gaps))
}

// partsOf are the parts of a statement.
func partsOf(f *published.File, s *published.Statement) []published.Part {
	var p published.Parts
	p.FormOf(&f.Source, s.From, s.To)
	return p.List
}

// splice is a text in place of a part of another.
type splice struct {
	start, end int32
	text       string
}

// spliced puts texts in place of parts, which do not overlap.
func spliced(f *published.File, changes []splice) string {
	return plain.Splice(f.Text, changes, func(c splice) (int, int, string) { return int(c.start), int(c.end), c.text })
}

// span is where a statement begins and ends.
func fileSpan(f *published.File, s *published.Statement) (start, end int32) {
	return f.Tokens[s.From].Start, f.Tokens[s.End-1].End
}

// gap marks where something was taken out of a text.
const gap = "\x00"

// withoutGaps drops the lines on which nothing is left, and of two blank lines around them one.
func withoutGaps(text string) string {
	var kept []string
	taken := false
	for line := range strings.SplitSeq(text, "\n") {
		bare := strings.ReplaceAll(line, gap, "")
		switch {
		case bare != line && strings.TrimSpace(bare) == "":
			taken = true
			continue
		case taken && strings.TrimSpace(line) == "" && len(kept) > 0 && strings.TrimSpace(kept[len(kept)-1]) == "":
			continue
		}
		taken = false
		kept = append(kept, strings.TrimRight(bare, " \t"))
	}
	return strings.Join(kept, "\n")
}

const counted = "subroutine"
