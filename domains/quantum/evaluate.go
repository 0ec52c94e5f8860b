package quantum

import (
	"errors"
	"fmt"
	"math"
	"strconv"
)

// evaluator computes expressions of integers.
type evaluator struct {
	*source
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
		err = fmt.Errorf("%w: %s", errNotInteger, e.of(e.at))
	}
	return v, err
}

// levels are how tightly marks bind.
var levels = map[string]int{"+": 1, "-": 1, "*": 2, "/": 2, "%": 2}

// operands computes operands with marks between them that bind more tightly than a level.
func (e *evaluator) operands(level int) (int64, error) {
	left, err := e.factor()
	for err == nil && e.at < e.to && levels[e.of(e.at)] > level {
		mark := e.of(e.at)
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
	text := e.of(e.at)
	e.at++
	switch text {
	case "-":
		v, err := e.factor()
		return -v, err
	case "(":
		v, err := e.operands(0)
		if err == nil && (e.at >= e.to || e.of(e.at) != ")") {
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
