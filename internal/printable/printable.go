// Package printable shows text that agentd did not write on a terminal, in a log or in
// a table, without that text doing anything there.
//
// What models, servers, data sets and databases say may hold control characters:
// escape sequences that clear the screen, set its title, write to the clipboard or
// hide lines, and marks that turn the direction of what follows. Each such character
// is shown as a picture of itself, or as U+FFFD, the replacement character. Newlines
// stay only where the layout has room for them; elsewhere they could fake lines of
// agentd's own.
package printable

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Line shows a text on one line.
func Line(text string) string { return mapped(text, inLine) }

// Text shows a text that may have several lines and tabs.
func Text(text string) string { return mapped(text, inText) }

// Block marks an argument of Fprintf that may have several lines.
type Block string

// Fprintf is fmt.Fprintf, but what the arguments say is shown on one line, or as Text
// if it is a Block. The format is agentd's own and stays as it is.
func Fprintf(w io.Writer, format string, args ...any) (int, error) {
	showAll(args)
	return fmt.Fprintf(w, format, args...)
}

// Sprintf is fmt.Sprintf with arguments as in Fprintf.
func Sprintf(format string, args ...any) string {
	showAll(args)
	return fmt.Sprintf(format, args...)
}

// showAll changes arguments in their place, so that go vet knows Fprintf for what it
// is, and checks its callers.
func showAll(args []any) {
	for i, arg := range args {
		switch arg := arg.(type) {
		case int, shown, shownBlock: // an int may be a width
		case Block:
			args[i] = shownBlock(Text(string(arg)))
		default:
			args[i] = shown{arg}
		}
	}
}

// shownBlock is a Block that has been shown.
type shownBlock string

// shown formats a value as ever, and then shows the result on one line.
type shown struct{ value any }

func (s shown) Format(f fmt.State, verb rune) {
	_, _ = io.WriteString(f, Line(fmt.Sprintf(fmt.FormatString(f, verb), s.value))) // f takes all
}

// inLine returns what to show for a character of one line.
func inLine(r rune) rune {
	const pictures, pictureOfDelete = '␀', '␡'
	switch {
	case r < ' ':
		return pictures + r
	case r == 0x7f:
		return pictureOfDelete
	case isDangerous(r):
		return utf8.RuneError
	}
	return r
}

// inText returns what to show for a character of several lines.
func inText(r rune) rune {
	if r == '\n' || r == '\t' {
		return r
	}
	return inLine(r)
}

// isDangerous reports whether a character beyond ASCII may do something on a
// terminal: the controls of one character (C1), separators of lines, and marks that
// turn the direction of text and could so make it say something else.
func isDangerous(r rune) bool {
	switch {
	case r >= 0x80 && r < 0xa0,
		r == '\u2028', r == '\u2029',
		r >= '\u202a' && r <= '\u202e',
		r >= '\u2066' && r <= '\u2069':
		return true
	}
	return false
}

// mapped maps every character, and bytes that are none to U+FFFD. A text that is
// harmless is returned as it is.
func mapped(text string, by func(rune) rune) string {
	for i, r := range text {
		if by(r) != r || r == utf8.RuneError {
			var b strings.Builder
			b.WriteString(text[:i])
			for _, r := range text[i:] {
				b.WriteRune(by(r))
			}
			return b.String()
		}
	}
	return text
}
