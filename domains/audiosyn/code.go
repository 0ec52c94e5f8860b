package audiosyn

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	published "agentd/domains/published/audiosyn"
	"agentd/vfs"
)

// codeFields adds the fields of an orchestra statement: its outputs, its opcode and the arguments.
func codeFields(fields []domains.Field, code string) []domains.Field {
	word := firstWord(code)
	switch word {
	case "if", "elseif", "while", "until", "goto", "igoto", "kgoto", "return":
		return append(fields, field("opcode", word), field("argument 1", normal(strings.Trim(code[len(word):], " \t"))))
	}
	cut := cuts(code)
	if cut.assign >= 0 {
		left, right := code[:cut.assign], code[cut.assign+1:]
		sign := "="
		if n := len(left); n > 0 && strings.IndexByte("+-*/", left[n-1]) >= 0 {
			sign, left = left[n-1:]+"=", left[:n-1]
		}
		fields = outputs(fields, left)
		fields = append(fields, field("opcode", sign))
		return arguments(fields, parts(right))
	}
	all := cut.parts(code)
	for n, part := range all {
		first, rest := cutWord(part)
		if rest == "" && n+1 < len(all) {
			continue
		}
		second, third := cutWord(rest)
		if n == 0 && !isArgument(third) {
			// An opcode without outputs.
			second, third = first, rest
		} else {
			fields = append(outputs(fields, strings.Join(all[:n], ",")), field(outputNames.of(n), first))
		}
		fields = append(fields, field("opcode", short(second)))
		if third != "" {
			all[n] = third
			return arguments(fields, all[n:])
		}
		return arguments(fields, all[n+1:])
	}
	return arguments(fields, all)
}

func outputs(fields []domains.Field, text string) []domains.Field {
	if strings.Trim(text, " \t") == "" {
		return fields
	}
	for n, name := range parts(text) {
		fields = append(fields, field(outputNames.of(n), normal(name)))
	}
	return fields
}

func arguments(fields []domains.Field, all []string) []domains.Field {
	for n, argument := range all {
		fields = append(fields, field(argumentNames.of(n), normal(argument)))
	}
	return fields
}

var outputNames, argumentNames = fieldNames{prefix: "output "}, fieldNames{prefix: "argument "}

// fieldNames are the names of the fields of a statement: the first ones as given, the others a prefix and a number, from 1.
type fieldNames struct {
	prefix string
	first  []string
}

// of returns the name of the n-th field, from 0.
func (f *fieldNames) of(n int) string {
	if n < len(f.first) {
		return f.first[n]
	}
	return f.prefix + strconv.Itoa(n+1)
}

// isArgument reports whether a text can begin an argument, other than one that an
// operator connects with what stands before.
func isArgument(text string) bool {
	if text == "" {
		return false
	}
	switch c := text[0]; c {
	case '"', '(', '.', '$', '{':
		return true
	case '-', '+', '~', '!':
		return len(text) > 1 && !isBlank(text[1]) && text[1] != '='
	default:
		return isWordByte(c)
	}
}

// cutPlaces are where a statement is divided, outside of quotes and parentheses.
type cutPlaces struct {
	commas []int
	assign int // the equals sign of an assignment, or -1
}

func cuts(code string) cutPlaces {
	c := cutPlaces{assign: -1}
	depth := 0
	for n := 0; n < len(code); n++ {
		switch code[n] {
		case '"':
			n += quoted(code[n+1:])
		case '(', '[':
			depth++
		case ')', ']':
			depth = max(depth-1, 0)
		case ',':
			if depth == 0 {
				c.commas = append(c.commas, n)
			}
		case '=':
			switch {
			case n+1 < len(code) && code[n+1] == '=':
				n++
			case depth == 0 && c.assign < 0 && n > 0 && strings.IndexByte("<>!", code[n-1]) < 0:
				c.assign = n
			}
		}
	}
	return c
}

// parts are the texts between the commas of a statement.
func parts(code string) []string {
	c := cuts(code)
	return c.parts(code)
}

func (c *cutPlaces) parts(code string) []string {
	all := make([]string, 0, len(c.commas)+1)
	at := 0
	for _, n := range c.commas {
		all = append(all, strings.Trim(code[at:n], " \t"))
		at = n + 1
	}
	return append(all, strings.Trim(code[at:], " \t"))
}

// cutWord cuts a text at its first blank outside of quotes and parentheses.
func cutWord(text string) (word, rest string) {
	depth := 0
	for n := 0; n < len(text); n++ {
		switch c := text[n]; {
		case c == '"':
			n += quoted(text[n+1:])
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			depth = max(depth-1, 0)
		case depth == 0 && isBlank(c):
			return text[:n], strings.TrimLeft(text[n:], " \t\r\f\v")
		}
	}
	return text, ""
}

// option is a flag of Csound's command line with its value.
type option struct{ flag, value string }

// The single-letter flags that take a value, in the same word or in the next one.
const (
	textFlags   = "ioLMFQOUx@"
	numberFlags = "bBkrtmEHz"
)

// mostOptions is how many options a line has at most. Beyond, the rest of it is one.
const mostOptions = 1000

// readOptions reads a line of options. The program's name is none.
func readOptions(text string) []option {
	var all []option
	words := strings.Fields(text)
	for n := 0; n < len(words) && len(all) <= mostOptions; n++ {
		word := words[n]
		switch {
		case word == "csound":
		case len(word) < 2 || word[0] != '-':
			all = append(all, option{"", word})
		case word[1] == '-' || word[1] == '+':
			flag, value, _ := strings.Cut(word, "=")
			all = append(all, option{flag, value})
		default:
			next := ""
			if n+1 < len(words) && !strings.HasPrefix(words[n+1], "-") {
				next = words[n+1]
			}
			flags, used := letterFlags(word[1:], next)
			all = append(all, flags...)
			if used {
				n++
			}
		}
	}
	if len(all) > mostOptions {
		return append(all[:mostOptions], option{"", short(text)})
	}
	return all
}

// letterFlags reads flags of one letter each that are written together.
func letterFlags(letters, next string) (all []option, used bool) {
	for at := 0; at < len(letters) && len(all) <= mostOptions; {
		flag := letters[at : at+1]
		at++
		value := ""
		switch {
		case strings.Contains(textFlags, flag):
			value, at = letters[at:], len(letters)
		case strings.Contains(numberFlags, flag):
			start := at
			for at < len(letters) && (published.IsDigit(letters[at]) || letters[at] == '.') {
				at++
			}
			value = letters[start:at]
		default:
			all = append(all, option{"-" + flag, ""})
			continue
		}
		if value == "" && at == len(letters) && next != "" {
			value, used = next, true
		}
		all = append(all, option{"-" + flag, value})
	}
	return all, used
}

// withoutIncluded leaves out the statements that take in a file of the document: that says no more
// than that the document is divided there.
func withoutIncluded(read []source) {
	names := map[string]bool{}
	for i := range read {
		names[path.Base(read[i].name)] = true
	}
	for i := range read {
		read[i].lines = slices.DeleteFunc(read[i].lines, func(l line) bool {
			name, isInclude := strings.CutPrefix(strings.TrimSpace(l.text), "#include")
			return isInclude && names[path.Base(strings.Trim(name, " \t\""))]
		})
	}
}

// without leaves out events. Those that carried from them have their p-fields written out.
func without(files vfs.Files, leave func() bool) vfs.Files {
	left := files.Clone()
	for _, s := range readFiles(files) {
		if s.leaveOut(leave) {
			left[s.name] = s.print()
		}
	}
	return left
}

// leaveOut reports whether anything was left out.
func (s *source) leaveOut(leave func() bool) bool {
	was, is := newCarrier(), newCarrier()
	left := map[int]bool{}
	for l := range s.score() {
		switch {
		case l.endsSection():
			was.endSection()
			is.endSection()
		case l.kind == eventLine:
			want := was.resolve(l.code, l.words)
			if leave() {
				left[l.line] = true
				continue
			}
			if got := is.resolve(l.code, l.words); !slices.Equal(got, want) {
				s.lines[l.line].text = writtenOut(s.lines[l.line].text, l.words, got, want)
				is.remember(want)
			}
		}
	}
	kept := make([]line, 0, len(s.lines))
	for i, l := range s.lines {
		if !left[i] {
			kept = append(kept, l)
		}
	}
	s.lines = kept
	return len(left) > 0
}

// writtenOut writes out the p-fields of an event that have another value now than they should.
func writtenOut(text string, words []span, got, want []string) string {
	var changes []splice
	for n, w := range words[1:min(len(words), len(want)+1)] {
		if n >= len(got) || got[n] != want[n] {
			changes = append(changes, splice{w, want[n]})
		}
	}
	written := len(words) - 1
	if written < len(want) && !slices.Equal(got[min(written, len(got)):], want[written:]) {
		end := words[written].end
		changes = append(changes, splice{span{end, end}, " " + strings.Join(want[written:], " ")})
	}
	return spliced(text, changes)
}

// splice is a text in place of a word.
type splice struct {
	word span
	text string
}

// spliced is a text with others in place of some of its words, given in order.
func spliced(text string, changes []splice) string {
	return plain.Splice(text, changes, func(c splice) (start, end int, with string) {
		return int(c.word.start), int(c.word.end), c.text
	})
}
