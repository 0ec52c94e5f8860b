package python

import (
	"strconv"
	"strings"
	"unicode"

	"agentd/domains"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// stats counts as the published evaluator does, by how lines begin. Lines are
// what is counted of a script without definitions.
func stats(files vfs.Files) domains.Stats {
	functions, classes, imports, lines := 0, 0, 0, 0
	for _, text := range files {
		functions += definitionsOf(text, "def")
		classes += definitionsOf(text, "class")
		imports += importsOf(text)
		for line := range strings.Lines(text) {
			if pytext.Strip(line) != "" {
				lines++
			}
		}
	}
	counted := functions + classes
	if counted == 0 {
		counted = lines
	}
	return domains.Stats{Elements: counted, Counts: []domains.Count{
		{Name: "Functions", Value: strconv.Itoa(functions)},
		{Name: "Classes", Value: strconv.Itoa(classes)},
		{Name: "Imports", Value: strconv.Itoa(imports)},
	}}
}

// definitionsOf counts lines that begin with white space, the key word, white
// space and a word.
func definitionsOf(text, keyword string) int {
	return countLines(text, func(line string) int {
		start := strings.IndexFunc(line, func(r rune) bool { return r == '\n' || !pytext.IsSpace(r) })
		rest, ok := strings.CutPrefix(line[max(start, 0):], keyword)
		if !ok {
			return 0
		}
		name := pytext.StripLeft(rest)
		if len(name) == len(rest) || !startsWord(name) {
			return 0
		}
		return len(line) - len(name) + 1
	})
}

// importsOf counts lines that begin with import or from, white space and
// something.
func importsOf(text string) int {
	return countLines(text, func(line string) int {
		for _, keyword := range []string{"import", "from"} {
			if rest, ok := strings.CutPrefix(line, keyword); ok {
				if name := pytext.StripLeft(rest); name != "" && len(name) < len(rest) {
					return len(line) - len(name) + 1
				}
			}
		}
		return 0
	})
}

// countLines counts the places at which a line begins and match takes some of
// the text from there, which may span lines.
func countLines(text string, match func(text string) int) int {
	n := 0
	for text != "" {
		size := match(text)
		if size > 0 {
			n++
		}
		end := strings.IndexByte(text[size:], '\n')
		if end < 0 {
			break
		}
		text = text[size+end+1:]
	}
	return n
}

func startsWord(s string) bool {
	for _, r := range s {
		return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r)
	}
	return false
}
