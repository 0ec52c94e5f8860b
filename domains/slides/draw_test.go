package slides

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"agentd/vfs"
)

// drawDeck draws a deck with the habits of one author.
func drawDeck(t *rapid.T) vfs.Files {
	d := drawer{
		T:      t,
		marked: rapid.IntRange(0, 3).Draw(t, "of four parts, how many have a position"),
		indent: rapid.SampledFrom([]string{"  ", "  ", "    "}).Draw(t, "indentation"),
	}
	if rapid.IntRange(0, 4).Draw(t, "front matter") > 0 {
		d.add("---", "title: "+rapid.SampledFrom([]string{`"Spring meeting"`, "Pumps: a look back", "'It''s done'"}).Draw(t, "title"),
			"author: R. Askwith", "---", "")
	}
	if rapid.IntRange(0, 3).Draw(t, "comment above") == 0 {
		d.add("<!-- not", "for printing -->", "")
	}
	for range rapid.IntRange(1, 9).Draw(t, "slides") {
		d.slide()
	}
	content := strings.Join(d.lines, "\n") + "\n"
	if d.one("of Windows", 6) {
		content = strings.ReplaceAll(content, "\n", "\r\n")
		if d.lines[0] == frontRule { // the published reader loses a slide after a byte order mark
			content = "\ufeff" + content
		}
	}
	return vfs.Files{document: content}
}

type drawer struct {
	*rapid.T
	lines  []string
	marked int
	indent string
}

func (d *drawer) add(lines ...string) { d.lines = append(d.lines, lines...) }

// one is true once in so many times.
func (d *drawer) one(what string, in int) bool { return rapid.IntRange(1, in).Draw(d.T, what) == in }

var deckText = rapid.OneOf(
	rapid.SampledFrom([]string{
		"Questions?", "Off-gas tests", "DO of 0.6 to 2.2 mg/l", "£115k under", "41 trips, 30 mbar", `"Who cleans the probes?"`,
		"Tests, lane 3 (cont.)", "NH4 < 3; BOD > 15", "Größe × 2", "A|B", "# of pumps", "* not final", "Why *now*?", "Slide 4 again",
		"a -> b --> c", "Prices, as of June", "x, y; z",
	}),
	rapid.StringMatching(`[A-Z][a-zé]{1,9}( [a-z0-9,'"%-]{1,9}){0,9}[.?!]?`),
)

// mark draws a position and a size, or nothing.
func (d *drawer) mark(sized bool) string {
	if rapid.IntRange(0, 3).Draw(d.T, "marked") > d.marked {
		return ""
	}
	at := fmt.Sprintf("@(%d,%d)", rapid.IntRange(0, 15).Draw(d.T, "x"), rapid.IntRange(0, 8).Draw(d.T, "y"))
	switch {
	case !sized:
		return " " + at
	case d.one("with a font", 3):
		return fmt.Sprintf(" [%s | %dpt]", at, rapid.IntRange(9, 40).Draw(d.T, "font"))
	}
	return " [" + at + "]"
}

func (d *drawer) slide() {
	title := deckText.Draw(d.T, "title")
	if d.one("placeholder", 4) {
		title = fmt.Sprintf("Slide %d", rapid.IntRange(1, 9).Draw(d.T, "number"))
	}
	d.add("## " + title + d.mark(true))
	if !d.one("no blank line", 3) {
		d.add("")
	}
	for range rapid.IntRange(0, 9).Draw(d.T, "parts") {
		d.part()
	}
	d.add("")
}

func (d *drawer) part() {
	text := deckText.Draw(d.T, "text")
	switch rapid.IntRange(0, 14).Draw(d.T, "part") {
	case 0, 1:
		d.add(fmt.Sprintf("[IMAGE: %s%s]", rapid.SampledFrom([]string{"old hall.jpg", "bl101.png", "lane2", "Lane2.jpeg"}).Draw(d.T, "image"), d.mark(false)))
	case 2:
		d.add(fmt.Sprintf("[CHART: kWh by month%s]", d.mark(false)))
	case 3:
		d.table()
	case 4:
		d.add("::: {.notes}", text, "and more. "+deckText.Draw(d.T, "spoken"), ":::")
	case 5:
		d.add("*" + text + "*" + d.mark(true))
	case 6:
		d.add(text)
	case 7:
		d.add("```", "if a {", "    - b", "}", "```")
	case 8:
		d.add("", "1. "+text)
	case 9:
		d.add("[TABLE: prices" + d.mark(false) + "]")
	case 10:
		d.add(d.indent + "- " + text + d.mark(true))
	case 11:
		d.add("* "+text, "+ a plus")
	default:
		d.add("- " + text + d.mark(true))
	}
}

func (d *drawer) table() {
	d.add("| Item | £k |", "| --- | ---: |")
	for range rapid.IntRange(1, 5).Draw(d.T, "rows") {
		d.add(fmt.Sprintf("| %s | %d |", rapid.SampledFrom([]string{"discs", "", `a\|b`, "valves"}).Draw(d.T, "item"), rapid.IntRange(0, 999).Draw(d.T, "price")))
	}
}
