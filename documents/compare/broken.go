package compare

import (
	"agentd/domains"
	"agentd/internal/printable"
)

// Slip is a place at which the tools of a format would stop reading a file.
type Slip = domains.Slip

// KindBroken stands where a difference has its kind, in front of a slip.
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

// BrokenLines say where the form is lost, a line each: "broken: line 3: a comma is missing".
func (d *Document) BrokenLines() []string { return brokenLines(d.Broken, d.Name) }

func brokenLines(slips []Slip, document string) []string {
	var lines []string
	for _, s := range slips[:min(len(slips), mostShown)] {
		lines = append(lines, KindBroken+": "+slipLine(s, document))
	}
	return lines
}
