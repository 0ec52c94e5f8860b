package translation

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/sets"
)

// pluralForms is the rule by which a language chooses one of its plural forms,
// as in "nplurals=2; plural=(n > 1);".
type pluralForms struct {
	count int
	expression
}

// expression is a C expression in n.
type expression struct {
	text string                // without needless parentheses, so that what reads alike is written alike
	of   func(n uint64) uint64 // its value
}

var errPluralForms = errors.New("no plural rule")

func readPluralForms(text string) (pluralForms, error) {
	const longest = 2000 // bytes; the longest known rule has 200
	count, rule, ok := strings.Cut(text, ";")
	number, counts := strings.CutPrefix(strings.TrimSpace(count), "nplurals=")
	expr, chooses := strings.CutPrefix(strings.TrimSpace(rule), "plural=")
	n, err := strconv.Atoi(strings.TrimSpace(number))
	if !ok || !counts || !chooses || err != nil || len(expr) > longest {
		return pluralForms{}, errPluralForms
	}
	p := expressionParser{rest: strings.TrimRight(expr, "; \t")}
	e := p.choice(0)
	if p.failed || strings.TrimSpace(p.rest) != "" {
		return pluralForms{}, errPluralForms
	}
	return pluralForms{n, e}, nil
}

// String writes a rule so that rules that are written differently but read alike are equal.
func (p pluralForms) String() string { return fmt.Sprintf("nplurals=%d; plural=%s", p.count, p.text) }

func truth(is bool) uint64 { return uint64(sets.OneIf(is)) }

type expressionParser struct {
	rest   string
	failed bool
}

// deepest is the number of parentheses up to which a rule is read.
const deepest = 50

// choice reads a ? b : c, or only a.
func (p *expressionParser) choice(depth int) expression {
	if depth > deepest {
		p.failed = true
		return expression{}
	}
	condition := p.binary(depth, 0)
	if !p.next("?") {
		return condition
	}
	yes := p.choice(depth + 1)
	p.failed = !p.next(":") || p.failed
	no := p.choice(depth + 1)
	return expression{fmt.Sprintf("(%s?%s:%s)", condition.text, yes.text, no.text), func(n uint64) uint64 {
		if condition.of(n) != 0 {
			return yes.of(n)
		}
		return no.of(n)
	}}
}

// operator is one between two numbers.
type operator struct {
	mark string
	of   func(a, b uint64) uint64
}

// levels are the operators, the weakest first. What is divided by 0 is 0.
var levels = [][]operator{
	{{"||", func(a, b uint64) uint64 { return truth(a != 0 || b != 0) }}},
	{{"&&", func(a, b uint64) uint64 { return truth(a != 0 && b != 0) }}},
	{
		{"==", func(a, b uint64) uint64 { return truth(a == b) }},
		{"!=", func(a, b uint64) uint64 { return truth(a != b) }},
	},
	{
		{"<=", func(a, b uint64) uint64 { return truth(a <= b) }},
		{">=", func(a, b uint64) uint64 { return truth(a >= b) }},
		{"<", func(a, b uint64) uint64 { return truth(a < b) }},
		{">", func(a, b uint64) uint64 { return truth(a > b) }},
	},
	{
		{"+", func(a, b uint64) uint64 { return a + b }},
		{"-", func(a, b uint64) uint64 { return a - b }},
	},
	{
		{"*", func(a, b uint64) uint64 { return a * b }},
		{"/", func(a, b uint64) uint64 { return a / max(b, 1) * truth(b != 0) }},
		{"%", func(a, b uint64) uint64 { return a % max(b, 1) }},
	},
}

func (p *expressionParser) binary(depth, level int) expression {
	if level == len(levels) {
		return p.unary(depth)
	}
	left := p.binary(depth, level+1)
	for {
		at := slices.IndexFunc(levels[level], func(o operator) bool { return p.next(o.mark) })
		if at < 0 {
			return left
		}
		by, a, b := levels[level][at], left, p.binary(depth, level+1)
		left = expression{"(" + a.text + by.mark + b.text + ")", func(n uint64) uint64 { return by.of(a.of(n), b.of(n)) }}
	}
}

func (p *expressionParser) unary(depth int) expression {
	switch {
	case depth > deepest:
		p.failed = true
	case p.next("("):
		inside := p.choice(depth + 1)
		p.failed = !p.next(")") || p.failed
		return inside
	case p.next("!"):
		not := p.unary(depth + 1)
		return expression{"!" + not.text, func(n uint64) uint64 { return truth(not.of(n) == 0) }}
	case p.next("n"):
		return expression{"n", func(n uint64) uint64 { return n }}
	}
	digits := p.rest[:len(p.rest)-len(strings.TrimLeft(p.rest, "0123456789"))]
	p.rest = p.rest[len(digits):]
	number, err := strconv.ParseUint(digits, 10, 32)
	p.failed = p.failed || err != nil
	return expression{strconv.FormatUint(number, 10), func(uint64) uint64 { return number }}
}

// next takes a mark off what is left, if it begins with it.
func (p *expressionParser) next(mark string) bool {
	p.rest = strings.TrimLeft(p.rest, " \t")
	rest, ok := strings.CutPrefix(p.rest, mark)
	if ok {
		p.rest = rest
	}
	return ok
}
