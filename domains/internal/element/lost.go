package element

import (
	"strings"
	"unicode"
)

// loses reports whether a pair of fields that differ takes something away and puts nothing in its
// place: the field is gone, its value is empty, or a number was cut out of the value.
func (p *fieldPair) loses() bool {
	switch {
	case !p.inRef || missing(p.name, p.is):
		return missing(p.name, p.is)
	case missing(p.name, p.was) || misplaced(p.name, p.was):
		return false
	case !p.inGot:
		return true
	case empty(p.is):
		return !empty(p.was)
	}
	return cutsNumber(p.was, p.is)
}

// empty reports whether a value holds nothing, in the spelling of any format: a word for nothing, or blanks, quotes,
// brackets and dashes alone.
func empty(value string) bool {
	switch value {
	case "null", "nil", "None", "nothing":
		return true
	}
	for _, c := range value {
		if !unicode.IsSpace(c) && !strings.ContainsRune("\"'`()[]{}<>-–—_~?.,;:|", c) {
			return false
		}
	}
	return true
}

// missing reports whether a field says that a part is not there which the format demands. Where such a
// field comes that part is lost, and where it goes the part is there again.
func missing(name, value string) bool {
	if strings.Trim(value, `"`) != "missing" {
		return false
	}
	switch name {
	case "end", "end of record", "end of the text", "type", "ENDMDL", "M  END", "version of the table":
		return true
	}
	return false
}

// misplaced reports whether a field says that values stand in wrong columns. Where it goes they were put right.
func misplaced(name, value string) bool {
	return value == "out of place" && (name == "columns" || strings.HasSuffix(name, " columns")) ||
		value == "lost" && strings.HasPrefix(name, "columns of ")
}

// cutsNumber reports whether words were taken out of a value, a number, a date or a code among
// them, and none was put in: "Assets:Cash 12 EUR" that becomes "Assets:Cash" has lost its amount.
func cutsNumber(was, is string) bool {
	left := strings.Fields(is)
	cut := false
	for word := range strings.FieldsSeq(was) {
		switch {
		case len(left) > 0 && word == left[0]:
			left = left[1:]
		case strings.ContainsFunc(word, unicode.IsDigit):
			cut = true
		}
	}
	return cut && len(left) == 0
}
