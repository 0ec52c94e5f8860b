package circuit

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

func decimal(n int) string { return strconv.Itoa(n) }

// mostWords bounds the fields of an element, of which the matcher compares each with each.
const mostWords = 200

// elements flattens files by the rules of a simulator: an element for each element line, subcircuit, parameter, model,
// command, control line and comment, and for each line that is none of these.
func elements(files vfs.Files) []domains.Element {
	var f flattener
	read := lists.Map(files.Names(), func(name string) netFile { return readFile(name, files[name]) })
	dropIncludes(read)
	for n, file := range read {
		f.all = slices.Grow(f.all, len(file.statements))
		for i := range file.statements {
			before := len(f.all)
			f.statement(&file.statements[i])
			if n > 0 && i == 0 && file.hasNetlist() && len(f.all) == before+1 && f.all[before].Kind == commentKind {
				f.all[before].Key = headingKey
			}
			if file.unclosed[i] {
				f.add("line", "the end of "+file.statements[i].word, "", field("", "missing"))
			}
		}
	}
	return f.all
}

const (
	commentKind = "comment"
	headingKey  = "heading of a further file" // of a comment that is the first line of one, its title
)

// forgives leaves out the headings of the further files of a candidate that the reference does not have: the first
// line of a file is its title.
func forgives(reference, candidate []domains.Element) (ref, got []domains.Element) {
	said := map[string]bool{}
	for i := range reference {
		if reference[i].Kind == commentKind {
			said[reference[i].Fields[0].Value] = true
		}
	}
	isAdded := func(e domains.Element) bool { return e.Key == headingKey && !said[e.Fields[0].Value] }
	if !slices.ContainsFunc(candidate, isAdded) {
		return reference, candidate
	}
	return reference, slices.DeleteFunc(slices.Clone(candidate), isAdded)
}

// dropIncludes blanks the lines that divide a document into files: an include of
// another of its files, and that file's heading.
func dropIncludes(files []netFile) {
	if len(files) == 1 {
		return
	}
	at := map[string]int{}
	for i := range files {
		at[path.Base(files[i].name)] = i
	}
	for i := range files {
		for k := range files[i].statements {
			s := &files[i].statements[k]
			if other, ok := at[path.Base(s.included())]; ok && other != i {
				s.kind = blankLine
				files[other].dropHeading()
			}
		}
	}
}

// included is the file that a statement includes, empty if none.
func (s *statement) included() string {
	if s.kind != commandLine || commandName(s.word) != ".include" {
		return ""
	}
	words := s.words()
	if len(words) < 2 {
		return ""
	}
	return strings.Trim(words[1].text, `"'`)
}

// hasNetlist reports whether a file has elements or commands, and not only text.
func (f *netFile) hasNetlist() bool {
	return slices.ContainsFunc(f.statements, func(s statement) bool { return s.kind == elementLine || s.kind == commandLine })
}

func (f *netFile) dropHeading() {
	if len(f.statements) > 0 && (f.statements[0].kind == commentLine || f.statements[0].kind == titleLine) {
		f.statements[0].kind = blankLine
	}
}

type flattener struct {
	all     []domains.Element
	control int // lines
}

func field(name, value string) domains.Field { return domains.Field{Name: name, Value: value} }

func (f *flattener) add(kind, key, scope string, fields ...domains.Field) *domains.Element {
	if scope != "" {
		key += " in " + lastOf(scope)
		fields = append(fields, field("in", scope))
	}
	f.all = append(f.all, domains.Element{Kind: kind, Key: key, Fields: fields})
	return &f.all[len(f.all)-1]
}

func (f *flattener) comment(text, scope string) {
	if said := commentText(text); said != "" {
		f.add(commentKind, "comment", scope, field("", strings.ToLower(said)))
	}
}

// commentText is what a comment says, without its marks and decoration.
func commentText(text string) string {
	return strings.TrimRight(plain.SingleBlanks(strings.TrimLeft(text, "*;$#/ \t")), "* ")
}

func (f *flattener) statement(s *statement) {
	switch s.kind {
	case commentLine:
		for line := range strings.SplitSeq(s.text, "\n") {
			f.comment(line, s.scope)
		}
	case titleLine:
		f.comment(s.text, "")
	case elementLine:
		f.element(s)
	case commandLine:
		f.command(s)
	case controlLine:
		f.controlLine(s)
	case otherLine:
		f.add("line", "line outside the netlist", "", field("", plain.SingleBlanks(s.text)))
	}
}

// element has a field for the name, each node and each part of the value.
func (f *flattener) element(s *statement) {
	words, remarks := s.parts()
	d, nodes := s.device(), s.nodeCount(words)
	words, more := bounded(words)
	nodes = min(nodes, len(words)-1)
	fields := make([]domains.Field, 0, len(words)+2)
	fields = append(fields, field("name", s.word))
	for n := range nodes {
		fields = append(fields, field(d.terminal(n), strings.ToLower(words[1+n].text)))
	}
	rest := words[1+nodes:]
	switch s.word[0] {
	case 'b':
		fields = append(fields, expression(rest)...)
	case 'v', 'i':
		fields = sourceFields(fields, rest)
	default:
		fields = valueFields(fields, s.word[:1], rest)
	}
	fields = append(fields, more...)
	f.add(counted, d.name+" "+s.word, s.scope, withRemarks(fields, remarks)...)
}

// wordFields adds what has a value under its name, and the other words as called says: the i-th
// word of all, the n-th without a value. One without a name is left out.
func wordFields(fields []domains.Field, words []word, called func(i, n int, word string) (name, value string)) []domains.Field {
	n := 0
	for i, a := range assignments(words) {
		if a.given {
			fields = append(fields, field(normal(a.name.text), normal(a.value.text)))
		} else if name, value := called(i, n, a.name.text); name != "" {
			fields = append(fields, field(name, value))
			n++
		}
	}
	return fields
}

func withRemarks(fields []domains.Field, remarks []word) []domains.Field {
	remarks, more := bounded(remarks)
	for _, remark := range remarks {
		if said := commentText(remark.text); said != "" {
			fields = append(fields, field("comment", strings.ToLower(said)))
		}
	}
	return append(fields, more...)
}

// bounded cuts a list of words that is too long. What is left is one field.
func bounded(words []word) (few []word, rest []domains.Field) {
	if len(words) <= mostWords {
		return words, nil
	}
	var left strings.Builder
	for _, w := range words[mostWords:] {
		left.WriteString(normal(w.text) + " ")
	}
	return words[:mostWords], []domains.Field{field("rest", left.String())}
}

// expression is that of a behavioural source, without blanks.
func expression(words []word) []domains.Field {
	var b strings.Builder
	for _, w := range words {
		b.WriteString(strings.Join(strings.Fields(strings.ToLower(w.text)), ""))
	}
	quantity, value, _ := strings.Cut(b.String(), "=")
	return []domains.Field{field("quantity", quantity), field("expression", normal(value))}
}

// valueFields adds the value or model and the parameters.
func valueFields(fields []domains.Field, letter string, words []word) []domains.Field {
	first := "model"
	switch letter {
	case "r", "c", "l", "k", "e", "f", "g", "h":
		first = "value"
	case "x":
		first = "subcircuit"
	}
	before := len(fields)
	fields = wordFields(fields, words, func(_, n int, word string) (name, value string) {
		switch value = normal(word); {
		case value == "params:":
			return "", ""
		case n == 0:
			return first, value
		}
		return "word " + decimal(n+1), value
	})
	for i := range fields[before:] {
		if f := &fields[before+i]; f.Name == letter {
			f.Name = "value"
		}
	}
	return fields
}

// functions name the arguments of a source's function of time.
var functions = map[string][]string{
	"pulse": {"v1", "v2", "delay", "rise", "fall", "width", "period", "count"},
	"sin":   {"offset", "amplitude", "frequency", "delay", "damping", "phase"},
	"exp":   {"v1", "v2", "rise delay", "rise time", "fall delay", "fall time"},
	"sffm":  {"offset", "amplitude", "carrier", "index", "signal"},
	"pwl":   nil, "am": nil, "trnoise": nil, "trrandom": nil,
}

// sourceFields adds what a source's value consists of: its DC and AC values and the arguments of its function.
func sourceFields(fields []domains.Field, words []word) []domains.Field {
	part := "dc"
	var names []string
	count := 0
	return wordFields(fields, words, func(_, _ int, word string) (name, value string) {
		if value = normal(word); value == "sine" {
			value = "sin"
		}
		if arguments, ok := functions[value]; ok || value == "dc" || value == "ac" {
			part, names, count = value, arguments, 0
			if value == "dc" {
				return "", ""
			}
			return "function", value
		}
		count++
		if count <= len(names) {
			return part + " " + names[count-1], value
		}
		return part + " " + decimal(count), value
	})
}

// command has a field for each word, and an element for each parameter.
func (f *flattener) command(s *statement) {
	words, remarks := s.parts()
	if len(words) > 0 {
		words = words[1:]
	}
	switch name := commandName(s.word); name {
	case ".end", ".endc", ".control":
		f.remarks(s, remarks)
	case ".ends":
		if len(words) > 0 && !strings.EqualFold(words[0].text, lastOf(s.scope)) {
			f.add("line", ".ends of another name", s.scope, field("", strings.ToLower(words[0].text)))
		}
		f.remarks(s, remarks)
	case ".title":
		f.comment(strings.TrimSpace(s.text)[len(".title"):], "")
	case ".param":
		f.parameters(s, words, remarks)
	default:
		kind, key, fields := "command", name, []domains.Field{field("command", name)}
		if named := namedKinds[name]; named != "" {
			kind, key, fields = named, named, nil
			if len(words) > 0 {
				key += " " + strings.ToLower(words[0].text)
			}
		}
		words, more := bounded(words)
		fields = wordFields(fields, words, func(i, n int, word string) (string, string) { return wordOf(name, i, n, word) })
		f.add(kind, key, s.scope, withRemarks(append(fields, more...), remarks)...)
	}
}

// namedKinds are the kinds of elements that commands with a name make.
var namedKinds = map[string]string{".subckt": "subcircuit", ".model": "model"}

// wordOf calls a word of a command: the i-th word of all, the n-th without a value.
func wordOf(command string, i, n int, word string) (name, value string) {
	switch command {
	case ".subckt":
		switch value = strings.ToLower(word); {
		case i == 0:
			return "name", value
		case value == "params:":
			return "", ""
		}
		return "port " + decimal(n), value
	case ".model":
		return [...]string{"name", "type", "word"}[min(i, 2)], normal(word)
	case ".include", ".lib":
		return "word " + decimal(i+1), strings.Trim(word, `"'`)
	case ".options", ".global", ".save":
		return "word", normal(word)
	}
	return "word " + decimal(i+1), normal(word)
}

// remarks are comments after what is no element.
func (f *flattener) remarks(s *statement, remarks []word) {
	for _, remark := range remarks {
		f.comment(remark.text, s.scope)
	}
}

func lastOf(scope string) string { return scope[strings.LastIndexByte(scope, '/')+1:] }

// commandNames are other names of commands.
var commandNames = map[string]string{
	".inc": ".include", ".incl": ".include", ".opt": ".options", ".option": ".options", ".measure": ".meas", ".params": ".param",
}

// commandName is the one of several names of a command.
func commandName(word string) string { return cmp.Or(commandNames[word], word) }

// parameters makes an element of each, the first with the comment.
func (f *flattener) parameters(s *statement, words []word, remarks []word) {
	for _, a := range assignments(words) {
		name := strings.ToLower(a.name.text)
		fields := []domains.Field{field("name", name)}
		if a.given {
			fields = append(fields, field("value", normal(a.value.text)))
		}
		f.add("parameter", "parameter "+name, s.scope, withRemarks(fields, remarks)...)
		remarks = nil
	}
	f.remarks(s, remarks)
}

// textCommands are the control commands whose words keep their letter case.
var textCommands = []string{"echo", "load", "source", "write", "wrdata", "hardcopy", "shell", "cd"}

// controlLine has a field for each word. Its place counts.
func (f *flattener) controlLine(s *statement) {
	words := strings.Fields(strings.ReplaceAll(s.text, "\n+", " "))
	name := strings.ToLower(words[0])
	fields := []domains.Field{field("command", name)}
	for n, said := range words[1:] {
		if n == mostWords {
			fields = append(fields, field("rest", strings.Join(words[n+1:], " ")))
			break
		}
		if !slices.Contains(textCommands, name) && !strings.Contains(said, `"`) {
			said = normal(said)
		}
		fields = append(fields, field("word "+decimal(n+1), said))
	}
	f.control++
	f.add("control line", "control line "+name, s.scope, fields...).Position = f.control
}

const counted = "element"
