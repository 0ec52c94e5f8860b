package quantum

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"agentd/domains/internal/plain"
)

// mostAliases is how many constants are followed that stand for each other.
const mostAliases = 16

// spelling writes tokens so that what means the same is spelled the same.
type spelling struct {
	// aliases are the constants whose value is an expression of others, such as d - 1. A size may be given by either.
	aliases map[string]string
}

func newSpelling(files []*file) spelling {
	s := spelling{map[string]string{}}
	for _, f := range files {
		f.top(func(_ int32, st *statement) {
			if st.form != constantForm {
				return
			}
			list := f.partsOf(st)
			name, value := list[1], list[2]
			if strings.ContainsFunc(f.textOf(value), unicode.IsLetter) {
				s.aliases[f.of(name.from)] = expression(&f.source, value.from, value.to)
			}
		})
	}
	return s
}

func (s *source) textOf(p part) string {
	if p.from >= p.to {
		return ""
	}
	return s.text[s.tokens[p.from].start:s.tokens[p.to-1].end]
}

// size is an expression for a size. One of numbers alone is its value.
func (s *spelling) size(src *source, from, to int32) string {
	if to-from > 1 {
		if value, err := (&evaluator{source: src}).value(from, to); err == nil {
			return strconv.FormatInt(value, 10)
		}
	}
	text := expression(src, from, to)
	for range mostAliases {
		value, ok := s.aliases[text]
		if !ok {
			break
		}
		text = value
	}
	return text
}

// kind is a type.
func (s *spelling) kind(src *source, from, to int32) string {
	if to-from > 3 && src.is(from+1, "[") && src.is(to-1, "]") {
		return src.of(from) + "[" + s.size(src, from+2, to-1) + "]"
	}
	return expression(src, from, to)
}

// expression is an expression without blanks, idle zeros and brackets that change nothing.
func expression(s *source, from, to int32) string {
	if to-from == 1 {
		return spelled(s, from)
	}
	idle := idleBrackets(s, from, to)
	var b strings.Builder
	before := false // an operand
	for at := from; at < to; at++ {
		if idle[at] {
			continue
		}
		t := s.tokens[at]
		if t.kind != markToken && before {
			b.WriteByte(' ')
		}
		before = t.kind != markToken
		b.WriteString(spelled(s, at))
	}
	return b.String()
}

// idleBrackets marks the round brackets that hold all that stands between others, commas or colons, or a single token.
func idleBrackets(s *source, from, to int32) map[int32]bool {
	idle := map[int32]bool{}
	var open []int32
	for at := from; at < to; at++ {
		if s.tokens[at].kind != markToken {
			continue
		}
		switch s.of(at) {
		case "(":
			open = append(open, at)
		case ")":
			if len(open) == 0 {
				continue
			}
			start := open[len(open)-1]
			open = open[:len(open)-1]
			if start > from && s.endsOperand(start-1) {
				continue // the arguments of a call
			}
			if at-start == 2 || alone(s, start-1, from, to) && alone(s, at+1, from, to) && at-start > 1 {
				idle[start], idle[at] = true, true
			}
		}
	}
	return idle
}

// alone reports whether an expression ends at a token, which is not part of it.
func alone(s *source, at, from, to int32) bool {
	return at < from || at >= to || slices.Contains([]string{"(", ")", "[", "]", ",", ":"}, s.of(at))
}

// spelled is a token.
func spelled(s *source, at int32) string {
	text := s.of(at)
	switch s.tokens[at].kind {
	case wordToken:
		switch text {
		case "π":
			return "pi"
		case "τ":
			return "tau"
		case "ℇ":
			return "euler"
		}
	case quotedToken:
		return strings.ReplaceAll(text, "'", `"`)
	case numberToken:
		return number(text)
	}
	return text
}

// number is a number by value, with its unit.
func number(text string) string {
	if strings.Trim(text, "0123456789") == "" && (len(text) == 1 || text[0] != '0') {
		return text
	}
	text = strings.NewReplacer("_", "", " ", "", "\t", "").Replace(text)
	if len(text) > 1 && text[0] == '0' && unicode.IsLetter(rune(text[1])) {
		return strings.ToLower(text)
	}
	end := len(text)
	for end > 0 && !('0' <= text[end-1] && text[end-1] <= '9' || text[end-1] == '.') {
		end--
	}
	unit := strings.NewReplacer("µ", "u", "μ", "u").Replace(text[end:])
	return plain.Number(text[:end]) + unit
}
