package chess

import (
	"math"
	"strconv"
)

// first is the first game of a part; nil if it has none.
func first(part string) *game {
	if d := read(part); len(d.games) > 0 {
		return d.games[0]
	}
	return nil
}

// halfMoves is how many a game has in its main line.
func halfMoves(part string) string {
	if g := first(part); g != nil {
		return strconv.Itoa(g.plies())
	}
	return ""
}

// finalPosition is the position after a game's main line in Forsyth-Edwards notation; empty if a
// move is not legal.
func finalPosition(part string) string {
	g := first(part)
	if g == nil {
		return ""
	}
	at := begin(g)
	for k := range g.items {
		if i := &g.items[k]; i.kind == moveItem && at.step(i).err != nil {
			return ""
		}
	}
	return at.now.fen()
}

// reply is Black's half of a move.
func reply(part string) string {
	if halves := mainLine(part); len(halves) > 1 {
		return halves[1].move
	}
	return ""
}

// replyLoss is by how many pawns the evaluation after Black's half of a move is above the one after
// White's, to hundredths; empty if one of these is missing or a mate.
func replyLoss(part string) string {
	halves := mainLine(part)
	if len(halves) < 2 || !halves[0].evaluated || !halves[1].evaluated {
		return ""
	}
	loss := math.Round((halves[1].pawns-halves[0].pawns)*100) / 100
	return strconv.FormatFloat(loss+0, 'f', -1, 64) // a negative zero is none
}

// half is a half-move with its evaluation.
type half struct {
	move      string
	pawns     float64
	evaluated bool
}

// mainLine are the half-moves of a part's first game.
func mainLine(part string) []half {
	g := first(part)
	if g == nil {
		return nil
	}
	var all []half
	for _, i := range g.items {
		if i.kind == moveItem {
			all = append(all, half{move: i.text})
		} else if pawns, ok := evaluation(i.text); ok && i.kind == commentItem && len(all) > 0 {
			all[len(all)-1].pawns, all[len(all)-1].evaluated = pawns, true
		}
	}
	return all
}
