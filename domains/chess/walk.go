package chess

import (
	"cmp"
	"strconv"
	"strings"
)

// step is a move on the way through a line of play.
type step struct {
	number int // of the move
	black  bool
	move   move
	// known is false if no piece could make the move.
	known bool
	// err says why the move is not legal, or which one is meant not clear.
	err error
}

// turn is how the move is numbered.
func (s *step) turn() string {
	if s.black {
		return strconv.Itoa(s.number) + "..."
	}
	return strconv.Itoa(s.number) + "."
}

// play goes through a line of play. Of a move that is not legal it assumes the piece that was most likely meant, so
// that what follows can mostly be read as before.
type play struct {
	now    position
	before position // that of the last move, where variations begin
}

// begin goes to the start of a game, the usual one if its own cannot be read.
func begin(g *game) play {
	first, err := g.position()
	if err != nil {
		first, _ = readFEN(start, false)
	}
	return play{first, first}
}

// position is where the game begins.
func (g *game) position() (position, error) {
	return startOf(cmp.Or(g.value("FEN"), start), g.value("Variant"))
}

// aside begins a variation that replaces the last move.
func (p *play) aside() play { return play{p.before, p.before} }

// step finds the move that an item means. Where the number in front of it says that it is the other side's, and it is
// no move of this side, a move is missing and the position changes accordingly.
func (p *play) step(i *item) step {
	n, _ := readNotation(plainPieces(i.text))
	m, err := p.now.find(n)
	if err != nil && (i.turn == 'w' && p.now.black || i.turn == 'b' && !p.now.black) {
		p.now.play(move{})
		m, err = p.now.find(n)
	}
	s := step{p.now.number, p.now.black, m, true, err}
	if err == errIllegal {
		s.move, s.known = p.now.likely(n)
	}
	p.before = p.now
	if s.known {
		p.now.play(s.move)
	} else {
		p.now.play(move{})
	}
	return s
}

// likely returns the move of the nearest piece that a notation can mean.
func (p *position) likely(n notation) (move, bool) {
	if n.castling != 0 {
		king := p.king(p.black)
		file := map[byte]int{'K': 6, 'Q': 2}[n.castling]
		return move{from: int8(king), to: int8(square(file, backRank(p.black)))}, king != noSquare
	}
	piece := p.sought(&n)
	best, nearest := move{}, 100
	for from, other := range p.squares {
		if other != piece || !p.own(piece) || !n.from(from) || from == int(n.to) {
			continue
		}
		files, ranks := fileOf(from)-fileOf(int(n.to)), rankOf(from)-rankOf(int(n.to))
		distance := max(files, -files) + max(ranks, -ranks)
		if p.reaches(from, int(n.to)) {
			distance = 0
		}
		if distance < nearest {
			best, nearest = move{int8(from), n.to, n.promotion}, distance
		}
	}
	return best, nearest < 100
}

// without leaves out moves of the main lines. No move can be taken out of the middle of a game, since those after it
// would not be legal any more, so as many are left out at its end, with all that belongs to them. A game that loses all
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
