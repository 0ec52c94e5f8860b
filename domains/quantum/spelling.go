package quantum

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"agentd/domains/internal/element"
	"agentd/domains/internal/plain"
	published "agentd/domains/published/quantum"
)

// mostAliases is how many constants are followed that stand for each other.
const mostAliases = 16

// spelling writes tokens so that what means the same is spelled the same.
type spelling struct {
	// aliases are the constants whose value is an expression of others, such as d - 1. A size may be given by either.
	aliases map[string]string
}

func newSpelling(files []*published.File) spelling {
	s := spelling{map[string]string{}}
	for _, f := range files {
		f.Top(func(_ int32, st *published.Statement) {
			if st.Form != published.ConstantForm {
				return
			}
			list := partsOf(f, st)
			name, value := list[1], list[2]
			if strings.ContainsFunc(textOf(&f.Source, value), unicode.IsLetter) {
				s.aliases[f.Of(name.From)] = expression(&f.Source, value.From, value.To)
			}
		})
	}
	return s
}

func textOf(s *published.Source, p published.Part) string {
	if p.From >= p.To {
		return ""
	}
	return s.Text[s.Tokens[p.From].Start:s.Tokens[p.To-1].End]
}

// size is an expression for a size. One of numbers alone is its value.
func (s *spelling) size(src *published.Source, from, to int32) string {
	if to-from > 1 {
		if value, err := (&evaluator{Source: src}).value(from, to); err == nil {
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
func (s *spelling) kind(src *published.Source, from, to int32) string {
	if to-from > 3 && src.Is(from+1, "[") && src.Is(to-1, "]") {
		return src.Of(from) + "[" + s.size(src, from+2, to-1) + "]"
	}
	return expression(src, from, to)
}

// expression is an expression without blanks, idle zeros and brackets that change nothing.
func expression(s *published.Source, from, to int32) string {
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
		t := s.Tokens[at]
		if t.Kind != published.MarkToken && before {
			b.WriteByte(' ')
		}
		before = t.Kind != published.MarkToken
		b.WriteString(spelled(s, at))
	}
	return b.String()
}

// idleBrackets marks the round brackets that hold all that stands between others, commas or colons, or a single token.
func idleBrackets(s *published.Source, from, to int32) map[int32]bool {
	idle := map[int32]bool{}
	var open []int32
	for at := from; at < to; at++ {
		if s.Tokens[at].Kind != published.MarkToken {
			continue
		}
		switch s.Of(at) {
		case "(":
			open = append(open, at)
		case ")":
			if len(open) == 0 {
				continue
			}
			start := open[len(open)-1]
			open = open[:len(open)-1]
			if start > from && s.EndsOperand(start-1) {
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
func alone(s *published.Source, at, from, to int32) bool {
	return at < from || at >= to || slices.Contains([]string{"(", ")", "[", "]", ",", ":"}, s.Of(at))
}

// spelled is a token.
func spelled(s *published.Source, at int32) string {
	text := s.Of(at)
	switch s.Tokens[at].Kind {
	case published.WordToken:
		switch text {
		case "π":
			return "pi"
		case "τ":
			return "tau"
		case "ℇ":
			return "euler"
		}
	case published.QuotedToken:
		return strings.ReplaceAll(text, "'", `"`)
	case published.NumberToken:
		return number(text)
	}
	return text
}

// number is a number by value, with its unit.
func number(text string) string {
	if strings.Trim(text, "0123456789") == "" && (len(text) == 1 || text[0] != '0') {
		return text
	}
	text = joined.Replace(text)
	if len(text) > 1 && text[0] == '0' && unicode.IsLetter(rune(text[1])) {
		return strings.ToLower(text)
	}
	end := len(text)
	for end > 0 && !('0' <= text[end-1] && text[end-1] <= '9' || text[end-1] == '.') {
		end--
	}
	return plain.Number(text[:end]) + micro.Replace(text[end:])
}

var (
	joined = strings.NewReplacer("_", "", " ", "", "\t", "")
	micro  = strings.NewReplacer("µ", "u", "μ", "u")
)

// evaluator computes expressions of integers.
type evaluator struct {
	*published.Source
	values map[string]int64 // of constants
	at, to int32
	depth  int
}

var (
	errNotInteger = errors.New("no expression of integers")
	errTooLarge   = errors.New("the value is too large")
)

// value computes an expression.
func (e *evaluator) value(from, to int32) (int64, error) {
	e.at, e.to, e.depth = from, to, 0
	v, err := e.operands(0)
	if err == nil && e.at < e.to {
		err = fmt.Errorf("%w: %s", errNotInteger, e.Of(e.at))
	}
	return v, err
}

// levels are how tightly marks bind.
var levels = map[string]int{"+": 1, "-": 1, "*": 2, "/": 2, "%": 2}

// operands computes operands with marks between them that bind more tightly than a level.
func (e *evaluator) operands(level int) (int64, error) {
	left, err := e.factor()
	for err == nil && e.at < e.to && levels[e.Of(e.at)] > level {
		mark := e.Of(e.at)
		e.at++
		var right int64
		if right, err = e.operands(levels[mark]); err == nil {
			left, err = apply(mark, left, right)
		}
	}
	return left, err
}

// mostNested is how deep brackets and signs may stand in each other.
const mostNested = 64

func (e *evaluator) factor() (int64, error) {
	if e.depth++; e.depth > mostNested {
		return 0, errNotInteger
	}
	defer func() { e.depth-- }()
	if e.at >= e.to {
		return 0, errNotInteger
	}
	text := e.Of(e.at)
	e.at++
	switch text {
	case "-":
		v, err := e.factor()
		return -v, err
	case "(":
		v, err := e.operands(0)
		if err == nil && (e.at >= e.to || e.Of(e.at) != ")") {
			err = errNotInteger
		}
		e.at++
		return v, err
	}
	if v, ok := e.values[text]; ok {
		return v, nil
	}
	v, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0, fmt.Errorf("%w: %s", errNotInteger, text)
	}
	return v, nil
}

// apply computes; a quotient is cut to an integer.
func apply(mark string, a, b int64) (v int64, err error) {
	switch mark {
	case "+":
		v = a + b
	case "-":
		v = a - b
	case "*":
		v = a * b
	default:
		if b == 0 {
			return 0, errNotInteger
		}
		if v = a / b; mark == "%" {
			v = a % b
		}
	}
	if v > math.MaxInt32 || v < math.MinInt32 {
		return 0, errTooLarge
	}
	return v, nil
}

const commentElement = element.RemarkKind

// sayings are the lines of a comment without marks and decoration, those that say
// something.
func sayings(f *published.File, c *published.Comment) []string {
	text := f.Text[c.Start:c.End]
	if strings.HasPrefix(text, "/*") {
		text = strings.TrimSuffix(text, "*/")
	}
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		words := strings.Fields(strings.TrimLeft(line, "/*! \t"))
		if len(words) > 0 && isDecoration(words[0]) {
			words = words[1:]
		}
		if n := len(words) - 1; n >= 0 && isDecoration(words[n]) {
			words = words[:n]
		}
		if len(words) > 0 {
			lines = append(lines, strings.Join(words, " "))
		}
	}
	return lines
}

func isDecoration(word string) bool { return strings.Trim(word, "/*-=#~_") == "" }
