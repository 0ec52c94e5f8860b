package environments

import "regexp"

var (
	revealing = regexp.MustCompile(`(?i)\b(undo(es|ing)?|undone|revers(e|ed|es|ing|al|ible|ibly|ibility)|revert\w*|lossless\w*|round[- ]?trip\w*)\b`)
	hinting   = regexp.MustCompile(`(?i)\b(original(ly)?|restor\w*|back|again|previous(ly)?|later)\b`)
)

// Reveals returns the first word of an instruction that says outright that a step is one of a
// round trip, such as undo; empty if there is none.
func Reveals(instruction string) string { return revealing.FindString(instruction) }

// Hints returns the first word that suggests it: that something was, or will be, as it is not
// now. The released instructions have them. It is empty if there is none.
func Hints(instruction string) string { return hinting.FindString(instruction) }
