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

// Difference is one thing that is not as it was. All commands that name differences do it by this type.
type Difference struct {
	Kind    string `json:"kind"`    // lost, added, changed or moved
	Element string `json:"element"` // what it happened to, as in "transaction"
	// Field is the field of the element that changed or was lost. It is empty where the whole element was lost or added, or
	// moved, and where a field without a name changed.
	Field string `json:"field,omitempty"`
	Where string `json:"where"`
	Was   string `json:"was,omitempty"` // of moved, the place
	Is    string `json:"is,omitempty"`
}

// Kinds are the kinds of differences, in the order in which their numbers are said.
func Kinds() []string {
	return []string{domains.Lost.String(), domains.Changed.String(), domains.Added.String(), domains.Moved.String()}
}

// DifferencesOf are the differences of a review. A field that is gone of an element that stays is lost.
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

// ofBytes reports whether the difference says that bytes differ.
func (d Difference) ofBytes() bool {
	return d.Element == wholeFile && strings.Contains(d.Was+d.Is, " bytes, sha256 ")
}

// String is the difference on one line, its kind first.
func (d Difference) String() string { return d.Kind + " " + d.words() }

// words are the difference without its kind.
func (d Difference) words() string {
	words := d.Where
	switch {
	case d.Kind == domains.Lost.String() && d.Field == "":
		words += " (" + d.Was + ")"
	case d.Kind == domains.Added.String():
		words += " (" + d.Is + ")"
	case d.Kind == KindRenamed:
		words = d.Was + " -> " + d.Is
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
	Width    int    // columns after which lines are wrapped; 0 for never
	Coloured bool   // the writer must let escape sequences through
	Indent   string // in front of every line
}

// StyleOf is the style for a writer: lines are wrapped on a terminal, and where COLUMNS is set.
func StyleOf(w io.Writer) Style {
	return Style{Width: printable.Width(w, 0), Coloured: printable.Coloured(w)}
}

// All stands for no bound on the number of differences.
const All = int(^uint(0) >> 1)

// careful stands where a difference has its kind, in front of a warning.
const careful = "careful"

// colours of the words that lines begin with.
var colours = map[string]text.Colors{
	domains.Lost.String(): {text.FgRed}, domains.Added.String(): {text.FgGreen},
	domains.Changed.String(): {text.FgYellow}, domains.Moved.String(): {text.FgCyan}, KindRenamed: {text.FgCyan}, careful: {text.FgRed, text.Bold}, KindBroken: {text.FgRed, text.Bold},
}

// Broken is a line for each slip of form in a document, which stand first.
func (s Style) Broken(slips []Slip, document string) string {
	var b strings.Builder
	for _, slip := range slips[:min(len(slips), mostShown)] {
		s.line(&b, KindBroken, slipLine(slip, document))
	}
	return b.String()
}

// Text is a line for each warning and then for each difference, with kinds in a column of their own. most bounds how many
// differences are named.
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

// line writes one line with what it begins with.
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

// Lines are Text for places that have no columns, such as a message.
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

// more says how many differences are not named; it is empty if all are.
func more(differences []Difference, most int) string {
	if n := len(differences) - most; n > 0 {
		return fmt.Sprintf("and %s more", layout.Thousands(n))
	}
	return ""
}
