package circuit

import (
	"regexp"
	"strings"
	"sync"

	"agentd/domains/internal/pytext"
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
var elementForms = sync.OnceValue(func() map[byte]*regexp.Regexp {
	forms := map[byte]*regexp.Regexp{}
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
	var b strings.Builder
	for n, part := range strings.Split(line, "\n") {
		switch part = pytext.StripLeft(part); {
		case n == 0:
			b.WriteString(part)
		case part != "":
			b.WriteByte(' ')
			b.WriteString(part)
		}
	}
	b.WriteByte('\n')
	return b.String()
}
