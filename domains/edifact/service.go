package edifact

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// checker checks service segments as the published reader does: from a UNB on,
// by the tables of the syntax version that it names. Data segments, and the
// service segments of interactive and security exchanges, pass.
type checker struct{ version string }

func (c *checker) segment(s *segment) error {
	if s.tag == "UNB" {
		version, err := syntaxVersion(s)
		if err != nil {
			return err
		}
		c.version = version
	}
	rules, ok := serviceRules(c.version)[s.tag]
	if !ok {
		return nil
	}
	return rules.check(s)
}

// syntaxVersion is the second component of the syntax identifier, or where it
// has one component, the second character of that.
func syntaxVersion(s *segment) (string, error) {
	if len(s.elements) > 0 {
		if identifier := s.elements[0]; len(identifier) > 1 {
			return identifier[1], nil
		}
		if runes := []rune(s.elements[0][0]); len(runes) > 1 {
			return string(runes[1]), nil
		}
	}
	return "", fmt.Errorf("no syntax version")
}

// serviceRule is what holds for one service segment.
type serviceRule struct {
	least, most int
	required    []int // elements, counted from 1, that may not be empty
	forms       map[int]form
}

// form is what the single component of an element may be.
type form struct {
	kind formKind
	most int
}

type formKind uint8

const (
	text formKind = iota
	digits
	letters
)

var versions123 = map[string]serviceRule{
	"UNB": {5, 11, []int{1, 2, 3, 4, 5}, map[int]form{
		5: {text, 14}, 7: {text, 14}, 8: {letters, 1}, 9: {digits, 1}, 10: {text, 35}, 11: {digits, 1},
	}},
	"UNG": {7, 8, []int{1, 2, 3, 4, 5, 6, 7}, map[int]form{1: {text, 6}, 5: {text, 14}, 6: {text, 2}, 8: {text, 14}}},
	"UNH": {2, 4, []int{1, 2}, map[int]form{1: {text, 14}, 3: {text, 35}}},
	"UNS": {1, 1, []int{1}, map[int]form{1: {letters, 1}}},
	"UNT": {2, 2, []int{1, 2}, map[int]form{1: {digits, 6}, 2: {text, 14}}},
	"UNE": {2, 2, []int{1, 2}, map[int]form{1: {digits, 6}, 2: {text, 14}}},
	"UNZ": {2, 2, []int{1, 2}, map[int]form{1: {digits, 6}, 2: {text, 14}}},
}

var version4 = map[string]serviceRule{
	"UNB": versions123["UNB"],
	"UNG": {1, 6, []int{4}, map[int]form{4: {text, 14}, 5: {text, 3}, 6: {text, 14}}},
	"UNH": {2, 7, []int{1, 2}, map[int]form{1: {text, 14}, 3: {text, 35}}},
	"UNS": versions123["UNS"],
	"UNT": {2, 2, []int{1, 2}, map[int]form{1: {digits, 10}, 2: {text, 14}}},
	"UNE": versions123["UNE"],
	"UNZ": versions123["UNZ"],
}

func serviceRules(version string) map[string]serviceRule {
	switch version {
	case "1", "2", "3":
		return versions123
	case "4":
		return version4
	}
	return nil
}

func (r serviceRule) check(s *segment) error {
	if n := len(s.elements); n < r.least || n > r.most {
		return fmt.Errorf("%d elements", n)
	}
	for _, place := range r.required {
		if place <= len(s.elements) && isEmpty(s.elements[place-1]) {
			return fmt.Errorf("element %d is empty", place)
		}
	}
	for place, form := range r.forms {
		if place > len(s.elements) || isEmpty(s.elements[place-1]) {
			continue
		}
		if components := s.elements[place-1]; len(components) > 1 || !form.fits(components[0]) {
			return fmt.Errorf("element %d is %q", place, strings.Join(components, ":"))
		}
	}
	return nil
}

func isEmpty(components []string) bool { return len(components) == 1 && components[0] == "" }

func (f form) fits(component string) bool {
	if utf8.RuneCountInString(component) > f.most {
		return false
	}
	fits := func(r rune) bool { return true }
	switch f.kind {
	case digits:
		fits, component = unicode.IsDigit, strings.TrimSpace(component)
	case letters:
		fits = unicode.IsLetter
	}
	return component != "" && strings.IndexFunc(component, func(r rune) bool { return !fits(r) }) < 0
}
