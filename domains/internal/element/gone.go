package element

import (
	"slices"
	"strings"
	"unicode"
)

// Missing is the value of a field that says that a part is not there which the format demands. The field has one of the
// names that follow.
const (
	Missing     = "missing"
	End         = "end"
	EndOfRecord = "end of record"
	EndOfText   = "end of the text"
	Type        = "type"
	Version     = "version of the table"
	EndOfModel  = "ENDMDL" // of PDB files
	EndOfBlock  = "M  END" // of mol blocks
)

var demanded = []string{End, EndOfRecord, EndOfText, Type, Version, EndOfModel, EndOfBlock}

// Values stand in wrong columns where a field Columns, or one whose name ends in that word, is OutOfPlace, and where one whose name
// begins with ColumnsOf is ColumnsLost.
const (
	Columns     = "columns"
	OutOfPlace  = "out of place"
	ColumnsOf   = "columns of "
	ColumnsLost = "lost"
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
	return strings.Trim(value, `"`) == Missing && slices.Contains(demanded, name)
}

// misplaced reports whether a field says that values stand in wrong columns. Where it goes they were put right.
func misplaced(name, value string) bool {
	return value == OutOfPlace && (name == Columns || strings.HasSuffix(name, " "+Columns)) ||
		value == ColumnsLost && strings.HasPrefix(name, ColumnsOf)
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
