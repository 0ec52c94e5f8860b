package compare

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
	"golang.org/x/text/unicode/norm"

	"agentd/domains"
	"agentd/internal/layout"
	"agentd/internal/printable"
)

// Difference is one change of a document. All commands print differences with this type.
type Difference struct {
	Kind    string `json:"kind"`    // lost, added, changed or moved
	Element string `json:"element"` // what changed, as in "transaction"
	// Field is the field of the element that changed or was lost. It is empty if the whole element was lost, added or
	// moved, and if the field has no name.
	Field string `json:"field,omitempty"`
	Where string `json:"where"`
	Was   string `json:"was,omitempty"` // for moved, the old place
	Is    string `json:"is,omitempty"`
}

// Kinds returns the kinds of differences in the order in which summaries list them.
func Kinds() []string {
	return []string{domains.Lost.String(), domains.Changed.String(), domains.Added.String(), domains.Moved.String()}
}

// DifferencesOf returns the differences of a review. If an element stays but one of its fields is gone, the field counts as lost.
func DifferencesOf(r domains.Review) []Difference {
	all := make([]Difference, len(r.Differences))
	for i, d := range r.Differences {
		part := r.Parts[i]
		if d.Gone && part.Field == "" {
			part.Field = "value" // so that it does not read as the loss of the element
		}
		all[i] = Difference{d.Verdict().String(), part.Element, part.Field, d.Where, d.Was, d.Is}
	}
	return all
}

// wholeFile is the element of differences of files whose bytes are compared.
const wholeFile = "file"

// ofBytes reports whether the difference is about a file whose bytes were compared.
func (d Difference) ofBytes() bool {
	return d.Element == wholeFile && strings.Contains(d.Was+d.Is, " bytes, sha256 ")
}

// String is the difference on one line, its kind first.
func (d Difference) String() string { return d.Kind + " " + d.words() }

// words returns the text of the difference without its kind.
func (d Difference) words() string {
	words := d.Where
	switch {
	case d.Kind == domains.Lost.String() && d.Field == "":
		words += " (" + d.Was + ")"
	case d.Kind == domains.Added.String():
		words += " (" + d.Is + ")"
	case d.Kind == KindRenamed:
		words = d.Was + " -> " + d.Is
	case d.Kind == domains.Moved.String() && d.Was == d.Is:
		words += ", past its neighbours"
	case d.Kind == domains.Moved.String():
		words += ", from place " + d.Was + " to " + d.Is
	default:
		words += ": " + orNothing(d.Was) + " -> " + orNothing(d.Is)
	}
	if d.Was != d.Is && norm.NFC.String(d.Was) == norm.NFC.String(d.Is) {
		words += " (the same letters, composed or decomposed)"
	}
	return printable.Line(words)
}

func orNothing(value string) string {
	if value == "" {
		return "(nothing)"
	}
	return value
}

// Style is how differences are printed as text.
type Style struct {
	Width    int    // line length in columns; 0 for no wrapping
	Coloured bool   // only if the writer passes escape sequences on
	Indent   string // prefix of every line
}

// StyleOf returns the style for a writer. Lines are wrapped on a terminal, and if COLUMNS is set.
func StyleOf(w io.Writer) Style {
	return Style{Width: printable.Width(w, 0), Coloured: printable.Coloured(w)}
}

// All means that the number of differences is not limited.
const All = int(^uint(0) >> 1)

// careful is the label printed before a warning, in the column of the kinds.
const careful = "careful"

// colours of the first word of a line.
var colours = map[string]text.Colors{
	domains.Lost.String(): {text.FgRed}, domains.Added.String(): {text.FgGreen},
	domains.Changed.String(): {text.FgYellow}, domains.Moved.String(): {text.FgCyan}, KindRenamed: {text.FgCyan}, careful: {text.FgRed, text.Bold}, KindBroken: {text.FgRed, text.Bold},
}

// Broken returns one line for each syntax error in a document; they come first.
func (s Style) Broken(slips []Slip, document string) string {
	var b strings.Builder
	for _, slip := range slips[:min(len(slips), mostShown)] {
		s.line(&b, KindBroken, slipLine(slip, document))
	}
	return b.String()
}

// Text returns one line for each warning and then for each difference, with the kinds in the first column. It names at most
// most differences.
func (s Style) Text(warnings []string, differences []Difference, most int) string {
	var b strings.Builder
	for _, warning := range warnings {
		s.line(&b, careful, printable.Line(warning))
	}
	for _, d := range differences[:min(len(differences), most)] {
		s.line(&b, d.Kind, d.words())
	}
	if more := more(differences, most); more != "" {
		b.WriteString(s.Indent + "  " + more + "\n")
	}
	return b.String()
}

// line writes one line with its label.
func (s Style) line(b *strings.Builder, kind, words string) {
	const between, column = "  ", len(careful)
	indent := s.Indent + between
	padded := kind + strings.Repeat(" ", column-len(kind))
	if s.Coloured {
		padded = colours[kind].EscapeSeq() + padded + text.EscapeReset
	}
	lines := []string{words}
	if room := s.Width - len(indent) - len(between) - column; s.Width > 0 && text.StringWidth(words) > room {
		lines = layout.Wrap(words, room)
	}
	b.WriteString(indent + padded + between + strings.Join(lines, "\n"+indent+strings.Repeat(" ", column)+between) + "\n")
}

// Lines is Text without columns, for messages.
func Lines(warnings []string, differences []Difference, most int) []string {
	var lines []string
	for _, warning := range warnings {
		lines = append(lines, careful+": "+printable.Line(warning))
	}
	for _, d := range differences[:min(len(differences), most)] {
		lines = append(lines, d.String())
	}
	if more := more(differences, most); more != "" {
		lines = append(lines, more)
	}
	return lines
}

// more says how many differences were omitted; it is empty if there are none.
func more(differences []Difference, most int) string {
	if n := len(differences) - most; n > 0 {
		return fmt.Sprintf("and %s more", layout.Thousands(n))
	}
	return ""
}
