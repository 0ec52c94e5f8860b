package edit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"agentd/internal/lazyregexp"
)

// Condition is what a part must meet: one of its clauses.
type Condition = Several[Clause]

// Clause has tests of attributes, all of which must hold. One that has several tests meets it if one of them holds.
type Clause map[string]Several[string]

// test compares a value with a constant.
type test struct {
	comparison
	constant string
}

// comparison is what a test begins with, as in "above 1000".
type comparison struct {
	words string
	// holds compares a value; nil for those that look at whether there is one.
	holds func(value, constant string) bool
	// reads says what the constant must be; nil if that is any text.
	reads func(constant string) error
}

// comparisons are all there are. Where one begins with the words of another, it comes first.
var comparisons = []comparison{
	{"above", sized(func(c int) bool { return c > 0 }), isNumber},
	{"below", sized(func(c int) bool { return c < 0 }), isNumber},
	{"at least", sized(func(c int) bool { return c >= 0 }), isNumber},
	{"at most", sized(func(c int) bool { return c <= 0 }), isNumber},
	{"before", timed(func(c int) bool { return c < 0 }), isMoment},
	{"after", timed(func(c int) bool { return c > 0 }), isMoment},
	{"from", timed(func(c int) bool { return c >= 0 }), isMoment},
	{"until", timed(func(c int) bool { return c <= 0 }), isMoment},
	{isNot, func(value, constant string) bool { return value != constant }, nil},
	{"is", func(value, constant string) bool { return value == constant }, nil},
	{"begins with", strings.HasPrefix, nil},
	{"ends with", strings.HasSuffix, nil},
	{"contains", strings.Contains, nil},
	{missing, nil, isNothing},
	{"present", nil, isNothing},
}

const (
	isNot   = "is not"
	missing = "missing"
)

func sized(right func(order int) bool) func(value, constant string) bool {
	return func(value, constant string) bool {
		_, ok := ReadNumber(value)
		return ok && right(byNumber([]string{value, constant})(0, 1))
	}
}

func timed(right func(order int) bool) func(value, constant string) bool {
	return func(value, constant string) bool {
		_, _, ok := readMoment(value)
		return ok && right(byMoment([]string{value, constant})(0, 1))
	}
}

func isNumber(constant string) error {
	if _, ok := ReadNumber(constant); !ok {
		return fmt.Errorf("%q is no number", constant)
	}
	return nil
}

func isMoment(constant string) error {
	if _, _, ok := readMoment(constant); !ok {
		return fmt.Errorf("%q is no date or time such as 2024-05-01, 2024-05-01 10:30 or 10:30:00", constant)
	}
	return nil
}

func isNothing(constant string) error {
	if constant != "" {
		return fmt.Errorf("%q follows what takes nothing", constant)
	}
	return nil
}

// joint is a word between two tests.
var joint = lazyregexp.New(` (and|or) `)

// readTests reads tests that are joined by words: one of the lists must hold in full. A word
// joins only where a comparison follows it, so that a constant may have it.
func readTests(text string) ([][]test, error) {
	all := [][]test{{}}
	rest := text
	for {
		rest = strings.TrimSpace(rest)
		found, ok := comparisonOf(rest)
		if !ok {
			return nil, fmt.Errorf("%q does not begin with one of %s", rest, strings.Join(comparisonWords(), ", "))
		}
		constant, word, next := untilJoint(rest[len(found.words):])
		t := test{found, unquoted(strings.TrimSpace(constant))}
		if t.reads != nil {
			if err := t.reads(t.constant); err != nil {
				return nil, fmt.Errorf("%s: %w", found.words, err)
			}
		}
		all[len(all)-1] = append(all[len(all)-1], t)
		if word == "" {
			return all, nil
		}
		if word == "or" {
			all = append(all, nil)
		}
		rest = next
	}
}

// untilJoint cuts a text at the first word that joins.
func untilJoint(text string) (constant, word, rest string) {
	for _, at := range joint.FindAllStringSubmatchIndex(text, -1) {
		if _, ok := comparisonOf(text[at[1]:]); ok && strings.Count(text[:at[0]], `"`)%2 == 0 {
			return text[:at[0]], text[at[2]:at[3]], text[at[1]:]
		}
	}
	return text, "", ""
}

func comparisonOf(text string) (comparison, bool) {
	for _, c := range comparisons {
		if text == c.words || strings.HasPrefix(text, c.words+" ") {
			return c, true
		}
	}
	return comparison{}, false
}

func comparisonWords() []string {
	words := make([]string, len(comparisons))
	for i, c := range comparisons {
		words[i] = c.words
	}
	return words
}

func unquoted(text string) string {
	if len(text) > 1 && text[0] == '"' && text[len(text)-1] == '"' {
		return text[1 : len(text)-1]
	}
	return text
}

// meet reports whether values of an attribute meet tests in full: one value those that look at a
// value, and all values each "is not".
func meet(values []string, tests []test) bool {
	one := false // a test looks for a value
	for _, t := range tests {
		switch {
		case t.words == missing && len(values) > 0, t.words == isNot && slices.Contains(values, t.constant):
			return false
		case t.words != missing && t.words != isNot:
			one = true
		}
	}
	return !one || slices.ContainsFunc(values, func(value string) bool {
		return !slices.ContainsFunc(tests, func(t test) bool { return t.holds != nil && !t.holds(value, t.constant) })
	})
}

// checkCondition returns what is wrong with a condition, other than its attributes.
func checkCondition(c Condition) error {
	for _, clause := range c {
		for _, name := range slices.Sorted(maps.Keys(clause)) {
			for _, text := range clause[name] {
				if _, err := readTests(text); err != nil {
					return fmt.Errorf("if %s: %w", name, err)
				}
			}
		}
	}
	return nil
}

// condition makes a function that reports whether a part meets a condition; any part meets one without clauses.
func (f *Format) condition(c Condition) (func(part string) bool, error) {
	type looked struct {
		at    *Attribute
		tests [][]test
	}
	var clauses [][]looked
	for _, clause := range c {
		var all []looked
		for _, name := range slices.Sorted(maps.Keys(clause)) {
			a, err := f.attribute(name)
			if err != nil {
				return nil, err
			}
			l := looked{at: a}
			for _, text := range clause[name] {
				tests, err := readTests(text)
				if err != nil {
					return nil, err
				}
				l.tests = append(l.tests, tests...)
			}
			all = append(all, l)
		}
		clauses = append(clauses, all)
	}
	return func(part string) bool {
		return len(clauses) == 0 || slices.ContainsFunc(clauses, func(clause []looked) bool {
			return !slices.ContainsFunc(clause, func(l looked) bool {
				values := l.at.values(part)
				return !slices.ContainsFunc(l.tests, func(tests []test) bool { return meet(values, tests) })
			})
		})
	}, nil
}
