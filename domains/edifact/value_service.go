package edifact

import (
	"errors"
	"unicode"
	"unicode/utf8"
)

var errVersion = errors.New("no syntax version")

// checkSyntax refuses a UNB whose first element names no syntax version, in a second
// component or in the second character of its only one. Other service segments are
// not checked: the published reader comes without the tables for it.
func checkSyntax(s *segment) error {
	if s.tag != "UNB" || len(s.elements) > 0 && len(s.elements[0]) > 1 || utf8.RuneCountInString(s.at(1, 1)) > 1 {
		return nil
	}
	return errVersion
}

// publishedTag reports whether a text is a tag to the published reader: three letters
// or digits of any script, at least one of them a capital and none small.
func publishedTag(tag string) bool {
	capitals := 0
	for _, r := range tag {
		switch {
		case unicode.IsUpper(r):
			capitals++
		case unicode.IsLower(r), unicode.IsTitle(r), !unicode.IsLetter(r) && !unicode.IsNumber(r):
			return false
		}
	}
	return utf8.RuneCountInString(tag) == 3 && capitals > 0
}
