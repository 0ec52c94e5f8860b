package chess

import (
	"strings"
)

// without leaves out moves of the main lines. No move can be taken out of the
// middle of a game, since those after it would not be legal any more, so as many
// are left out at its end, with all that belongs to them. A game that loses all
// of its moves goes as a whole.
func without(_, text string, leave func() bool) string {
	d := read(text)
	var b strings.Builder
	at := 0
	for _, g := range d.games {
		plies, gone := g.plies(), 0
		for range plies {
			if leave() {
				gone++
			}
		}
		if gone == 0 {
			continue
		}
		b.WriteString(d.text[at:g.start])
		if gone < plies {
			b.WriteString(d.shortened(g, plies-gone))
		}
		at = g.end
	}
	b.WriteString(d.text[at:])
	return b.String()
}

// shortened is the text of a game with only its first moves. Its result stays.
func (d *document) shortened(g *game, kept int) string {
	var cut int
	result := ""
	for i := range g.items {
		switch {
		case g.items[i].kind == moveItem && kept > 0:
			kept--
		case g.items[i].kind == moveItem && cut == 0:
			cut = g.items[i].at
		case g.items[i].kind == resultItem && cut > 0:
			result += " " + g.items[i].text
		}
	}
	return strings.TrimRight(d.text[g.start:cut], " \t\n") + result + "\n"
}
