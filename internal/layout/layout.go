// Package layout fits text and tables into the columns of a terminal.
//
// A table that is too wide is made narrower step by step, so that no number is ever cut:
// its words wrap, then moments of a series are left out from the middle, then the gaps
// between columns shrink. What still does not fit is written as several tables, one below
// the other, or as a list with a line for each number.
//
// Texts may be those of others: they are shown harmlessly, as package printable does.
package layout

import (
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/jedib0t/go-pretty/v6/text"

	"agentd/internal/printable"
)

// Widths of terminals, in columns.
const (
	Narrowest = 40 // less is laid out as if there were so many
	Usual     = 80 // where a file or a program reads
)

// Screen is what a text is laid out for.
type Screen struct {
	Width  int  // columns; 0 for Usual
	Colour bool // whether colours may be used
}

// ScreenOf returns the screen that a writer writes to.
func ScreenOf(w io.Writer) Screen {
	return Screen{Width: printable.Width(w, Usual), Colour: printable.Coloured(w)}
}

// Columns is the width to use: Usual where none is given, at least Narrowest.
func (s Screen) Columns() int {
	if s.Width == 0 {
		return Usual
	}
	return max(s.Width, Narrowest)
}

// Paragraph wraps a text for the screen. Lines after the first are indented by so many
// spaces. It ends with a newline.
func (s Screen) Paragraph(text string, indent int) string {
	lines := Wrap(text, s.Columns()-indent)
	return strings.Join(lines, "\n"+strings.Repeat(" ", indent)) + "\n"
}

// Entry is a line of a list: a name in a column of its own, and a text about it, which
// wraps in its column. Where the screen is too narrow for two columns, the text follows
// below the name. It ends with a newline.
func (s Screen) Entry(name string, nameColumns int, about string) string {
	const gap, leastText = 2, 24
	name = printable.Line(name)
	indent := nameColumns + gap
	if s.Columns()-indent < leastText {
		indent = gap
	}
	lines := Wrap(about, s.Columns()-indent)
	var b strings.Builder
	if width := textWidth(name); width > indent-gap {
		b.WriteString(name)
		if lines[0] != "" {
			b.WriteString("\n" + strings.Repeat(" ", indent))
		}
	} else {
		b.WriteString(name)
		if lines[0] != "" {
			b.WriteString(strings.Repeat(" ", indent-width))
		}
	}
	b.WriteString(strings.Join(lines, "\n"+strings.Repeat(" ", indent)))
	b.WriteString("\n")
	return b.String()
}

// List is names with a text about each.
type List struct{ names, abouts []string }

// Add appends a name with a text about it.
func (l *List) Add(name, about string) {
	l.names, l.abouts = append(l.names, name), append(l.abouts, about)
}

// String is the list laid out for a screen, an Entry for each name.
func (l *List) String(s Screen) string {
	const widest = 24
	columns := 0
	for _, name := range l.names {
		columns = max(columns, min(textWidth(printable.Line(name)), widest))
	}
	var b strings.Builder
	for i, name := range l.names {
		b.WriteString(s.Entry(name, columns, l.abouts[i]))
	}
	return b.String()
}

// Write prints the list for the screen that w writes to.
func (l *List) Write(w io.Writer) error {
	_, err := io.WriteString(printable.Exact(w), l.String(ScreenOf(w)))
	return err
}

// noBreak is a space at which no line ends.
const noBreak = '\u00a0'

// Together keeps the words of a text on one line when it is wrapped.
func Together(text string) string { return strings.ReplaceAll(text, " ", string(noBreak)) }

// Wrap breaks a text into lines of at most width columns, at spaces and at its own
// newlines; a percent sign stays with its number. A word that is longer than a line is broken after one of / _ - : , = ] where
// no digit follows, so that a number or a date is never cut; a word without such a place
// stays whole. It returns at least one line.
func Wrap(content string, width int) []string {
	width = max(width, 1)
	var lines []string
	for paragraph := range strings.SplitSeq(printable.Text(content), "\n") {
		line := ""
		for _, word := range words(paragraph) {
			switch {
			case line == "":
				line = word
			case textWidth(line)+1+textWidth(word) <= width:
				line += " " + word
			default:
				lines = append(lines, line)
				line = word
			}
			for columns := textWidth(line); columns > width; {
				at := breakOf(line, width)
				if at == 0 {
					break
				}
				lines = append(lines, line[:at])
				columns -= textWidth(line[:at]) // adding it up each time would take quadratic time
				line = line[at:]
			}
		}
		lines = append(lines, line)
	}
	for i, line := range lines {
		lines[i] = strings.ReplaceAll(line, string(noBreak), " ")
	}
	return lines
}

// textWidth returns how many columns a text takes. Printable ASCII, the usual case, needs no tables of Unicode, in
// which looking up each character takes most of the time of a report.
func textWidth(s string) int {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return text.StringWidth(s)
		}
	}
	return len(s)
}

// breakOf returns the last place within width columns where a long word may be broken, or
// the first one after them; 0 for none.
func breakOf(word string, width int) int {
	best, columns := 0, 0
	previous := ' '
	for i, r := range word {
		if strings.ContainsRune("/_-:,=]", previous) && !unicode.IsDigit(r) && i > 0 {
			if columns > width && best > 0 {
				return best
			}
			best = i
			if columns > width {
				return best
			}
		}
		columns += text.RuneWidth(r)
		previous = r
	}
	return best
}

// longestWord is how many columns the longest word of a text has, or, if long words are
// broken, the longest piece of one.
func longestWord(content string, broken bool) int {
	longest := 0
	for _, word := range words(printable.Text(content)) {
		if !broken {
			longest = max(longest, textWidth(word))
			continue
		}
		for _, piece := range Wrap(word, 1) {
			longest = max(longest, textWidth(piece))
		}
	}
	return longest
}

// words are the parts of a text between which a line may end.
func words(content string) []string {
	content = strings.ReplaceAll(content, " %", string(noBreak)+"%")
	return strings.FieldsFunc(content, func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' })
}

// Thousands writes a number with commas between its thousands.
func Thousands(n int) string {
	digits := strconv.Itoa(n)
	start := 0
	if n < 0 {
		start = 1
	}
	for at := len(digits) - 3; at > start; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}
