package circuit

import (
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/pytext"
)

// form is how the published reader takes the lines of a kind of element: at
// least and at most so many nodes, as many as fit, then a value.
type form struct {
	least, most int
	value       valueForm
}

type valueForm uint8

const (
	modelValue    valueForm = iota // a model's name, then parameters
	quantityValue                  // a number, a formula or a word, then parameters
	sourceValue                    // a text up to parameters that have values
	restValue                      // all the rest
	formulaValue                   // an expression after V=, I=, R= or B=
	factorValue                    // a number
	instanceValue                  // a subcircuit's name, then anything after a word and =
	noValue                        // nothing but parameters
)

var elementForms = map[byte]form{
	'r': {2, 2, quantityValue}, 'c': {2, 2, quantityValue}, 'l': {2, 2, quantityValue},
	'd': {2, 2, modelValue}, 'q': {3, 5, modelValue}, 'm': {3, 4, modelValue}, 'j': {3, 3, modelValue},
	'z': {3, 3, modelValue}, 'u': {3, 3, modelValue}, 'o': {4, 4, modelValue}, 'y': {2, 4, modelValue},
	'n': {2, 99, modelValue}, 'p': {2, 99, modelValue},
	'x': {1, 99, instanceValue},
	'v': {2, 2, sourceValue}, 'i': {2, 2, sourceValue},
	'e': {2, 2, restValue}, 'f': {2, 2, restValue}, 'g': {2, 2, restValue}, 'h': {2, 2, restValue},
	'w': {3, 3, restValue}, 's': {4, 4, restValue}, 'a': {8, 8, restValue},
	'b': {2, 2, formulaValue}, 'k': {2, 99, factorValue}, 't': {4, 4, noValue},
}

// read reads an element line. One that does not have its form is false,
// with its first letter for a name.
func (r *formReader) read(line string) (component, bool) {
	text := strings.ToLower(onOneLine(line))
	unread := component{name: text[:1]}
	at := 1 + wordLength(text[1:])
	f, known := elementForms[text[0]]
	if !known || at == 1 {
		return unread, false
	}
	r.text, r.kind = text, f.value
	name := text[:at]
	ends := append(r.ends[:0], at)
	for len(ends) <= f.most {
		next, ok := r.node(ends[len(ends)-1])
		if !ok {
			break
		}
		ends = append(ends, next)
	}
	r.ends = ends
	r.findTails()
	for n := len(ends) - 1; n >= f.least; n-- {
		if value, ok := r.value(ends[n], text[0]); ok {
			return component{name, pytext.Fields(text[at:ends[n]]), pytext.Strip(value)}, true
		}
	}
	return unread, false
}

// onOneLine makes a blank of the line ends within a line, with the white space
// after each.
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

// formReader reads element lines, one after the other.
type formReader struct {
	text string // in lower case, with no line end but the last
	kind valueForm
	ends []int // of the words up to each number of nodes
	// tails says from which places the rest of the line is one that may follow
	// a value.
	tails []bool
}

func isNodeRune(r rune) bool { return pytext.IsWord(r) || strings.ContainsRune("+,-.¥«»", r) }

// node returns where the node after a place ends.
func (r *formReader) node(at int) (end int, ok bool) {
	start := at + lengthOf(r.text[at:], pytext.IsSpace)
	end = start + lengthOf(r.text[start:], isNodeRune)
	return end, start > at && end > start
}

// value reads what stands after the nodes.
func (r *formReader) value(at int, letter byte) (string, bool) {
	if r.kind == noValue {
		return "", r.tails[at] || r.tails[min(at+oneSpace(r.text[at:]), len(r.text))]
	}
	start := at + lengthOf(r.text[at:], pytext.IsSpace)
	if start == at {
		return "", false
	}
	switch r.kind {
	case modelValue, instanceValue:
		end := start + lengthOf(r.text[start:], func(c rune) bool { return pytext.IsWord(c) || strings.ContainsRune(".-{}", c) })
		return r.text[start:end], end > start && r.tails[end]
	case quantityValue:
		return r.quantity(at, start, letter)
	case sourceValue:
		for end := start; end <= len(r.text); end++ {
			if r.tails[end] {
				return r.text[start:end], true
			}
		}
		return "", false
	case formulaValue:
		return r.formula(start)
	case factorValue:
		end := start + lengthOf(r.text[start:], func(c rune) bool { return '0' <= c && c <= '9' || strings.ContainsRune(".e+-", c) })
		if end == start {
			return "", false
		}
		if c, size := utf8.DecodeRuneInString(r.text[end:]); strings.ContainsRune("kmuµnpgt", c) {
			end += size
		}
		return r.text[start:end], r.tails[end]
	}
	return r.text[start:], true
}

// quantity reads the value of a resistor, capacitor or inductor: with its letter
// and an equals sign before it, or without.
func (r *formReader) quantity(at, start int, letter byte) (string, bool) {
	if rest := r.text[start:]; rest != "" && rest[0] == letter {
		next := 1 + oneSpace(rest[1:])
		if strings.HasPrefix(rest[next:], "=") {
			next++
			next += oneSpace(rest[next:])
			if value, ok := r.quantityAt(start + next); ok {
				return value, true
			}
		}
	}
	if value, ok := r.quantityAt(start); ok {
		return value, true
	}
	_, size := utf8.DecodeRuneInString(r.text[at:])
	return "", at+size < start && r.tails[at+size]
}

// quantityAt takes as much as there is between quotes or braces, or a word.
func (r *formReader) quantityAt(start int) (string, bool) {
	rest := r.text[start:]
	if rest != "" {
		closing := rest[0]
		if closing == '{' {
			closing = '}'
		}
		if strings.IndexByte("\"'}", closing) >= 0 {
			for n := strings.LastIndexByte(rest, closing); n > 0; n = strings.LastIndexByte(rest[:n], closing) {
				if r.tails[start+n+1] {
					return rest[:n+1], true
				}
			}
		}
	}
	end := start + lengthOf(rest, func(c rune) bool { return !pytext.IsSpace(c) })
	return r.text[start:end], r.tails[end]
}

func oneSpace(text string) int {
	c, size := utf8.DecodeRuneInString(text)
	if pytext.IsSpace(c) {
		return size
	}
	return 0
}

// formula takes the longest text without an equals sign, save in >= and <=, that
// parameters may follow.
func (r *formReader) formula(start int) (string, bool) {
	rest := r.text[start:]
	if rest == "" || strings.IndexByte("vibr", rest[0]) < 0 {
		return "", false
	}
	first := 1 + lengthOf(rest[1:], pytext.IsSpace)
	if !strings.HasPrefix(rest[first:], "=") {
		return "", false
	}
	first++
	end := first
	for end < len(rest) && (rest[end] != '=' || end > first && strings.IndexByte("<>", rest[end-1]) >= 0) {
		end++
	}
	for ; end > first; end-- {
		if r.tails[start+end] {
			return rest[:end], true
		}
	}
	return "", false
}
