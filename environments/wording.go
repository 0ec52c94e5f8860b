package environments

import "agentd/internal/lazyregexp"

var (
	revealing = lazyregexp.New(`(?i)\b(undo(es|ing)?|undone|revers(e|ed|es|ing|al|ible|ibly|ibility)|revert\w*|lossless\w*|round[- ]?trip\w*)\b`)
	hinting   = lazyregexp.New(`(?i)\b(original(ly)?|restor\w*|back|again|previous(ly)?|later)\b`)
)

// Reveals returns the first word of an instruction that clearly reveals the round trip, such as
// undo; "" if there is none.
func Reveals(instruction string) string { return revealing.FindString(instruction) }

// Hints returns the first word that hints at it, by referring to an earlier or later state; "" if
// there is none. The released instructions have such words.
func Hints(instruction string) string { return hinting.FindString(instruction) }
