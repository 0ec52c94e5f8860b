package circuit

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"agentd/domains/internal/lists"
	"agentd/domains/internal/pytext"
	"agentd/internal/lazyregexp"
)

// What may stand after the value of an element: parameters, a comment after a semicolon, a backslash and blanks.
const (
	comment     = `(?:\s+;(?s:.*)|\\?\s*)$`
	given       = `=[\s\w{}()\-+*/%.,'"]+`
	tail        = `(?:\s+\w+\s*(?:` + given + `)?)*` + comment // parameters may lack a value
	valuedTail  = `(?:\s+\w+\s*` + given + `)*` + comment
	openTail    = `(?:\s+\w+\s*=(?s:.*)|` + comment + `)` // anything after a word and =
	quantity    = `("(?s:.*)"|'(?s:.*)'|[{}](?s:.*)\}|\S*)` + tail
	noValue     = `\s?()` + tail
	modelValue  = `\s+([\w.\-{}]+)` + tail
	sourceValue = `\s+((?s:.*?))` + valuedTail
	restValue   = `\s+((?s:.*))`
)

// elementForms are how the published reader takes the lines of a kind of element: a name, as many
// nodes as fit, then a value.
var elementForms = sync.OnceValue(func() map[byte]*lazyregexp.Regexp {
	forms := map[byte]*lazyregexp.Regexp{}
	add := func(letters, nodes, value string) {
		for _, letter := range []byte(letters) {
			forms[letter] = pytext.Pattern(`^(.\w+)((?:\s+[\w+,\-.¥«»]+)` + nodes + `)` + value)
		}
	}
	for _, letter := range []string{"r", "c", "l"} { // perhaps with the letter and an equals sign before the value
		add(letter, `{2}`, `\s+(?:`+letter+`\s?=\s?)?`+quantity)
	}
	add("d", `{2}`, modelValue)
	add("q", `{3,5}`, modelValue)
	add("m", `{3,4}`, modelValue)
	add("jzu", `{3}`, modelValue)
	add("o", `{4}`, modelValue)
	add("y", `{2,4}`, modelValue)
	add("np", `{2,}`, modelValue)
	add("x", `+`, `\s+([\w.\-{}]+)`+openTail)
	add("vi", `{2}`, sourceValue)
	add("efgh", `{2}`, restValue)
	add("w", `{3}`, restValue)
	add("s", `{4}`, restValue)
	add("a", `{8}`, restValue)
	add("b", `{2}`, `\s+([vibr]\s*=(?:[<>]=|[^=])+)`+tail)
	add("k", `{2,}`, `\s+([0-9.e+\-]+[kmuµnpgt]?)`+comment)
	add("t", `{4}`, noValue)
	return forms
})

// readElement reads an element line. One that does not have its form is false, with its first letter for a name.
func readElement(line string) (component, bool) {
	text := strings.ToLower(onOneLine(line))
	if form := elementForms()[text[0]]; form != nil {
		if found := form.FindStringSubmatch(text); found != nil {
			return component{found[1], pytext.Fields(found[2]), pytext.Strip(found[3])}, true
		}
	}
	return component{name: text[:1]}, false
}

// onOneLine makes a blank of the line ends within a line, with the white space after each.
func onOneLine(line string) string {
	if n := strings.IndexByte(line, '\n'); n < 0 || n == len(line)-1 {
		return line
	}
	parts := lists.Map(strings.Split(line, "\n"), pytext.StripLeft)
	rest := slices.DeleteFunc(parts[1:], func(part string) bool { return part == "" })
	return strings.Join(parts[:1+len(rest)], " ") + "\n"
}

// readParameters reads .param commands. Of one name the first counts.
func readParameters(commands []string) []parameter {
	var all []parameter
	known := map[string]bool{}
	for _, command := range commands {
		text := strings.ToLower(command)
		if word, _, _ := strings.Cut(strings.ReplaceAll(text, "\t", " "), " "); word != ".param" {
			continue
		}
		for _, p := range parametersOf(text) {
			if !known[p.name] {
				known[p.name] = true
				all = append(all, p)
			}
		}
	}
	return all
}

func parametersOf(text string) []parameter {
	return lists.Map(parameters.FindAllStringSubmatch(text, -1), func(found []string) parameter {
		return parameter{found[1], found[2]}
	})
}

// parameters are a name, an equals sign or blanks, and a value in braces or quotes or that begins as
// a number does. The keyword is scanned too, so a first name that begins with e is taken for its value.
var parameters = pytext.Pattern(`(\w+)(?:\s*=\s*|\s* \s*)(\{[^}]*\}|"[^"]*"|[\d.+\-eE]+[a-zA-Z%]*)`)

// LengthOf is the length of a text's beginning that has only such characters.
func LengthOf(text string, is func(rune) bool) int {
	if n := strings.IndexFunc(text, func(r rune) bool { return !is(r) }); n >= 0 {
		return n
	}
	return len(text)
}

// cleaned prepares a file for the published reader, as the published evaluator
// does. Its text begins with a comment and has a line `.end`.
func cleaned(text string) string {
	var lines []string
	for line := range strings.SplitSeq(pytext.UniversalNewlines(text), "\n") {
		if said, ok := strings.CutPrefix(pytext.StripLeft(line), "//"); ok {
			line = "*" + said
		}
		lines = append(lines, line)
	}
	var b strings.Builder
	b.Grow(len(text) + len(text)/8)
	if !strings.HasPrefix(pytext.Strip(lines[0]), "*") {
		b.WriteString("* netlist\n")
	}
	ends := false
	for i := 0; i < len(lines); {
		line := lines[i]
		first := i
		for i++; i < len(lines) && strings.HasPrefix(lines[i], "+"); i++ {
		}
		if i > first+1 {
			line = joinedLines(lines[first:i])
		}
		line = pytext.Strip(line)
		ends = ends || strings.EqualFold(line, ".end")
		b.WriteString(withUpperFirst(line))
		b.WriteByte('\n')
	}
	if !ends {
		b.WriteString(".end\n")
	}
	return b.String()
}

// joinedLines joins a line with those that continue it.
func joinedLines(lines []string) string {
	var b strings.Builder
	b.WriteString(lines[0])
	for _, line := range lines[1:] {
		b.WriteByte(' ')
		b.WriteString(pytext.StripLeft(line[1:]))
	}
	return b.String()
}

func withUpperFirst(line string) string {
	first, size := utf8.DecodeRuneInString(line)
	if upper := unicode.ToUpper(first); upper != first && first != utf8.RuneError {
		return string(upper) + line[size:]
	}
	return line
}

// lineReader reads the logical lines of a cleaned text as the published reader
// does: brackets and double quotes may hold line ends.
type lineReader struct {
	text string
	at   int
}

var errClosing = errors.New("a closing bracket does not match")

// next returns the next line with its line end.
func (r *lineReader) next() (line string, err error) {
	var before strings.Builder // what a continued line has had so far
	var open []byte
	quoted := false
	start := r.at
	for i := start; i < len(r.text); i++ {
		inside := quoted || len(open) > 0
		switch c := r.text[i]; c {
		case '{', '(', '[':
			open = append(open, c)
		case '}', ')', ']':
			if len(open) == 0 || open[len(open)-1] != "{(["[strings.IndexByte("})]", c)] {
				return "", fmt.Errorf("%w: %.60q", errClosing, r.text[start:])
			}
			open = open[:len(open)-1]
		case '"':
			quoted = !quoted
		case '\n':
			if inside {
				continue
			}
			if strings.HasPrefix(r.text[i+1:], "+") {
				before.WriteString(r.text[start:i])
				start = i + 2
				i++
				continue
			}
			r.at = i + 1
			return before.String() + r.text[start:r.at], nil
		case '*', ';':
			if inside || c == '*' && before.Len()+i-start > 0 {
				continue
			}
			r.at = len(r.text)
			if n := strings.IndexByte(r.text[i:], '\n'); n >= 0 {
				r.at = i + n + 1
			}
			return before.String() + r.text[start:r.at], nil
		}
	}
	r.at = len(r.text)
	if line = before.String() + r.text[start:]; line == "" {
		return "", errNotClosed
	}
	return line, nil
}
