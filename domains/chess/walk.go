package chess

import (
	"cmp"
	"strconv"
	"strings"

	published "agentd/domains/published/chess"
)

// step is a move on the way through a line of play.
type step struct {
	number int // of the move
	black  bool
	move   published.Move
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
	now    published.Position
	before published.Position // that of the last move, where variations begin
}

// begin goes to the start of a game, the usual one if its own cannot be read.
func begin(g *Game) play {
	first, err := gamePosition(g)
	if err != nil {
		first, _ = published.ReadFEN(published.Start, false)
	}
	return play{first, first}
}

// position is where the game begins.
func gamePosition(g *Game) (published.Position, error) {
	return published.StartOf(cmp.Or(gameValue(g, "FEN"), published.Start), gameValue(g, "Variant"))
}

// aside begins a variation that replaces the last move.
func (p *play) aside() play { return play{p.before, p.before} }

// step finds the move that an item means. Where the number in front of it says that it is the other side's, and it is
// no move of this side, a move is missing and the position changes accordingly.
func (p *play) step(i *Item) step {
	n, _ := published.ReadNotation(PlainPieces(i.Text))
	m, err := p.now.Find(n)
	if err != nil && (i.Turn == 'w' && p.now.Black || i.Turn == 'b' && !p.now.Black) {
		p.now.Play(published.Move{})
		m, err = p.now.Find(n)
	}
	s := step{p.now.Number, p.now.Black, m, true, err}
	if err == published.ErrIllegal {
		s.move, s.known = likely(&p.now, n)
	}
	p.before = p.now
	if s.known {
		p.now.Play(s.move)
	} else {
		p.now.Play(published.Move{})
	}
	return s
}

// likely returns the move of the nearest piece that a notation can mean.
func likely(p *published.Position, n published.Notation) (published.Move, bool) {
	if n.Castling != 0 {
		king := p.King(p.Black)
		file := map[byte]int{'K': 6, 'Q': 2}[n.Castling]
		return published.Move{From: int8(king), To: int8(published.Square(file, published.BackRank(p.Black)))}, king != published.NoSquare
	}
	piece := p.Sought(&n)
	best, nearest := published.Move{}, 100
	for from, other := range p.Squares {
		if other != piece || !p.Own(piece) || !n.From(from) || from == int(n.To) {
			continue
		}
		files, ranks := published.FileOf(from)-published.FileOf(int(n.To)), published.RankOf(from)-published.RankOf(int(n.To))
		distance := max(files, -files) + max(ranks, -ranks)
		if p.Reaches(from, int(n.To)) {
			distance = 0
		}
		if distance < nearest {
			best, nearest = published.Move{From: int8(from), To: n.To, Promotion: n.Promotion}, distance
		}
	}
	return best, nearest < 100
}

// without leaves out moves of the main lines. No move can be taken out of the middle of a game, since those after it
// would not be legal any more, so as many are left out at its end, with all that belongs to them. A game that loses all
// of its moves goes as a whole.
func without(_, text string, leave func() bool) string {
	d := Read(text)
	var b strings.Builder
	at := 0
	for _, g := range d.Games {
		plies, gone := g.Plies(), 0
		for range plies {
			if leave() {
				gone++
			}
		}
		if gone == 0 {
			continue
		}
		b.WriteString(d.Text[at:g.Start])
		if gone < plies {
			b.WriteString(shortened(&d, g, plies-gone))
		}
		at = g.End
	}
	b.WriteString(d.Text[at:])
	return b.String()
}

// shortened is the text of a game with only its first moves. Its result stays.
func shortened(d *Document, g *Game, kept int) string {
	var cut int
	result := ""
	for i := range g.Items {
		switch {
		case g.Items[i].Kind == MoveItem && kept > 0:
			kept--
		case g.Items[i].Kind == MoveItem && cut == 0:
			cut = g.Items[i].At
		case g.Items[i].Kind == ResultItem && cut > 0:
			result += " " + g.Items[i].Text
		}
	}
	return strings.TrimRight(d.Text[g.Start:cut], " \t\n") + result + "\n"
}
