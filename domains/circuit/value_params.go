package circuit

import (
	"strings"
	"unicode"

	"agentd/domains/internal/pytext"
)

// readParameters reads .param commands. Of one name the first counts.
func readParameters(commands []entry) []parameter {
	var all []parameter
	known := map[string]bool{}
	for i := range commands {
		text := strings.ToLower(commands[i].text())
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

// parametersOf scans a .param line: a name, an equals sign or blanks, and a value
// in braces or quotes or that begins as a number does. The keyword is scanned
// too, so a first name that begins with e is taken for its value.
func parametersOf(text string) []parameter {
	var all []parameter
	for i := 0; i < len(text); {
		start := i + lengthOf(text[i:], func(r rune) bool { return !pytext.IsWord(r) })
		end := start + wordLength(text[start:])
		if end == start {
			break
		}
		at, ok := afterEquals(text, end)
		size := 0
		if ok {
			size = valueLength(text[at:])
		}
		if size == 0 {
			i = end
			continue
		}
		all = append(all, parameter{text[start:end], pytext.Strip(text[at : at+size])})
		i = at + size
	}
	return all
}

func wordLength(text string) int { return lengthOf(text, pytext.IsWord) }

// lengthOf is the length of a text's beginning that has only such characters.
func lengthOf(text string, is func(rune) bool) int {
	if n := strings.IndexFunc(text, func(r rune) bool { return !is(r) }); n >= 0 {
		return n
	}
	return len(text)
}

// afterEquals skips an equals sign with white space around it, or white space
// with a blank in it.
func afterEquals(text string, at int) (int, bool) {
	next := at + lengthOf(text[at:], pytext.IsSpace)
	if strings.HasPrefix(text[next:], "=") {
		next++
		return next + lengthOf(text[next:], pytext.IsSpace), true
	}
	return next, strings.Contains(text[at:next], " ")
}

// valueLength is the length of a parameter's value, 0 if there is none.
func valueLength(text string) int {
	if text == "" {
		return 0
	}
	switch text[0] {
	case '{':
		return 1 + strings.IndexByte(text, '}')
	case '"':
		if n := strings.IndexByte(text[1:], '"'); n >= 0 {
			return n + 2
		}
		return 0
	}
	n := lengthOf(text, func(r rune) bool { return unicode.IsDigit(r) || strings.ContainsRune(".+-eE", r) })
	if n == 0 {
		return 0
	}
	return n + lengthOf(text[n:], func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '%'
	})
}
