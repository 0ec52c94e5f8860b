package translation

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// pluralForms is the rule by which a language chooses one of its plural forms,
// as in "nplurals=2; plural=(n > 1);".
type pluralForms struct {
	count int
	rule  *expression
}

// expression is a C expression in n: a number, the variable, or an operator and
// what it works on.
type expression struct {
	operator string // empty for a number
	number   uint64
	operands []*expression
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

// String writes a rule without needless parentheses, so that rules that are
// written differently but read alike are equal.
func (p pluralForms) String() string { return fmt.Sprintf("nplurals=%d; plural=%v", p.count, p.rule) }

func (e *expression) String() string {
	switch len(e.operands) {
	case 0:
		if e.operator == "" {
			return strconv.FormatUint(e.number, 10)
		}
		return e.operator
	case 1:
		return e.operator + e.operands[0].String()
	case 2:
		return fmt.Sprintf("(%v%s%v)", e.operands[0], e.operator, e.operands[1])
	}
	return fmt.Sprintf("(%v?%v:%v)", e.operands[0], e.operands[1], e.operands[2])
}

// of is the number of the form for n.
func (p pluralForms) of(n uint64) uint64 { return p.rule.value(n) }

func (e *expression) value(n uint64) uint64 {
	switch {
	case e.operator == "":
		return e.number
	case e.operator == "n":
		return n
	}
	a := e.operands[0].value(n)
	switch e.operator {
	case "!":
		return truth(a == 0)
	case "?":
		if a != 0 {
			return e.operands[1].value(n)
		}
		return e.operands[2].value(n)
	}
	return binary(e.operator, a, e.operands[1].value(n))
}

func binary(operator string, a, b uint64) uint64 {
	switch operator {
	case "||":
		return truth(a != 0 || b != 0)
	case "&&":
		return truth(a != 0 && b != 0)
	case "==":
		return truth(a == b)
	case "!=":
		return truth(a != b)
	case "<=":
		return truth(a <= b)
	case ">=":
		return truth(a >= b)
	case "<":
		return truth(a < b)
	case ">":
		return truth(a > b)
	case "+":
		return a + b
	case "-":
		return a - b
	case "*":
		return a * b
	}
	switch {
	case b == 0:
		return 0
	case operator == "/":
		return a / b
	}
	return a % b
}

func truth(is bool) uint64 {
	if is {
		return 1
	}
	return 0
}

type expressionParser struct {
	rest   string
	failed bool
}

// deepest is the number of parentheses up to which a rule is read.
const deepest = 50

// choice reads a ? b : c, or only a.
func (p *expressionParser) choice(depth int) *expression {
	if depth > deepest {
		p.failed = true
		return &expression{}
	}
	condition := p.binary(depth, 0)
	if !p.next("?") {
		return condition
	}
	yes := p.choice(depth + 1)
	p.failed = !p.next(":") || p.failed
	return &expression{operator: "?", operands: []*expression{condition, yes, p.choice(depth + 1)}}
}

// levels are the binary operators, the weakest first.
var levels = [][]string{{"||"}, {"&&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"+", "-"}, {"*", "/", "%"}}

func (p *expressionParser) binary(depth, level int) *expression {
	if level == len(levels) {
		return p.unary(depth)
	}
	left := p.binary(depth, level+1)
	for {
		at := slices.IndexFunc(levels[level], p.next)
		if at < 0 {
			return left
		}
		left = &expression{operator: levels[level][at], operands: []*expression{left, p.binary(depth, level+1)}}
	}
}

func (p *expressionParser) unary(depth int) *expression {
	switch {
	case depth > deepest:
		p.failed = true
	case p.next("("):
		inside := p.choice(depth + 1)
		p.failed = !p.next(")") || p.failed
		return inside
	case p.next("!"):
		return &expression{operator: "!", operands: []*expression{p.unary(depth + 1)}}
	case p.next("n"):
		return &expression{operator: "n"}
	}
	digits := p.rest[:len(p.rest)-len(strings.TrimLeft(p.rest, "0123456789"))]
	p.rest = p.rest[len(digits):]
	number, err := strconv.ParseUint(digits, 10, 32)
	p.failed = p.failed || err != nil
	return &expression{number: number}
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
