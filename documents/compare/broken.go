package compare

import (
	"agentd/domains"
	"agentd/internal/printable"
)

// Slip is a syntax error: a place where the tools of a format would stop reading a file.
type Slip = domains.Slip

// KindBroken is the label printed before a slip, in the column of the kinds.
const KindBroken = "broken"

// broken are slips under the name that the file has.
func (p Pair) broken(slips []Slip) []Slip {
	if p.As != "" {
		for i := range slips {
			slips[i].File = p.Name
		}
	}
	return slips
}

// slipLine is a slip on one line; its file is named where the document, whose name is given, has several.
func slipLine(s Slip, document string) string { return printable.Line(s.In(document)) }

// BrokenLines returns one line for each syntax error: "broken: line 3: a comma is missing".
func (d *Document) BrokenLines() []string { return brokenLines(d.Broken, d.Name) }

func brokenLines(slips []Slip, document string) []string {
	var lines []string
	for _, s := range slips[:min(len(slips), mostShown)] {
		lines = append(lines, KindBroken+": "+slipLine(s, document))
	}
	return lines
}
