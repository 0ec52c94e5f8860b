package chess

import (
	"strings"
	"testing"

	published "agentd/domains/published/chess"
)

// perft counts the lines of legal moves of a length.
func perft(p *published.Position, depth int) int {
	moves := legalMoves(p)
	if depth == 1 {
		return len(moves)
	}
	n := 0
	for _, m := range moves {
		after := *p
		after.Play(m)
		n += perft(&after, depth-1)
	}
	return n
}

func TestLegalMovesAreCountedAsKnown(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fen         string
		depth, want int
	}{
		"start":              {published.Start, 3, 8902},
		"castling and pins":  {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 2, 2039},
		"taking en passant":  {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 3, 2812},
		"castling in check?": {"r3k2r/8/8/8/4Q3/8/8/R3K2R b KQkq - 0 1", 1, 4},
	} {
		p, err := published.ReadFEN(c.fen, false)
		if err != nil {
			t.Fatal(err)
		}
		if got := perft(&p, c.depth); got != c.want {
			t.Errorf("%s: %d lines of %d moves, want %d", name, got, c.depth, c.want)
		}
		if got := positionFen(&p); got != c.fen {
			t.Errorf("%s: written as %s", name, got)
		}
	}
}

// played is the position after moves from the start, or the move that cannot be
// made.
func played(fen string, moves string) (published.Position, string) {
	p, err := published.ReadFEN(fen, strings.HasPrefix(fen, "bqnb"))
	if err != nil {
		return p, err.Error()
	}
	for word := range strings.FieldsSeq(moves) {
		n, length := published.ReadNotation(word)
		if length == 0 {
			return p, word + " is no move"
		}
		m, err := p.Find(n)
		if err != nil {
			return p, word + ": " + err.Error()
		}
		p.Play(m)
	}
	return p, ""
}

func TestMovesAreFoundByTheirNotation(t *testing.T) {
	t.Parallel()
	const knights = "4k3/8/8/8/8/8/8/1N1NK3 w - - 0 1"
	for name, c := range map[string]struct{ fen, moves, want, problem string }{
		"a pawn takes en passant": {published.Start, "e4 a6 e5 d5 exd6", "rnbqkbnr/1pp1pppp/p2P4/8/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3", ""},
		"the square after it is named where it counts": {published.Start, "e4 a6 e5 d5",
			"rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3", ""},
		"not where nobody can take": {published.Start, "e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", ""},
		"castling":                  {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O 0-0-0", "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2", ""},
		"castling in coordinates":   {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1 e8c8", "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2", ""},
		"castling through check":    {"4kr2/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", "", "O-O: illegal move"},
		"a rook that moved":         {"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Rg1 Ke7 Rh1 Ke8 O-O", "", "O-O: illegal move"},
		"Chess960":                  {"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", "a4 O-O", "", "O-O: illegal move"},
		"a promotion":               {"8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8=N", "N7/7k/8/8/8/8/8/K7 b - - 0 1", ""},
		"a promotion without piece": {"8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8", "", "a8: illegal move"},
		"two knights":               {knights, "Nc3", "", "Nc3: ambiguous move"},
		"one of two knights":        {knights, "Nbc3", "4k3/8/8/8/8/2N5/8/3NK3 b - - 1 1", ""},
		"a pin decides":             {"4k3/4r3/8/8/8/2N5/4N3/4K3 w - - 0 1", "Nd5", "4k3/4r3/8/3N4/8/8/4N3/4K3 b - - 1 1", ""},
		"long notation":             {published.Start, "Ng1-f3 e7-e5", "rnbqkbnr/pppp1ppp/8/4p3/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 2", ""},
		"a null move":               {published.Start, "--", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 1 1", ""},
		"no position":               {"8/8/8 w", "", "", `"8/8/8 w": this is no position`},
	} {
		p, problem := played(c.fen, c.moves)
		if problem != c.problem {
			t.Errorf("%s: problem %q, want %q", name, problem, c.problem)
		} else if got := positionFen(&p); problem == "" && got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestSANNamesTheOriginWhereNeeded(t *testing.T) {
	t.Parallel()
	for move, want := range map[string]string{
		"b1c3": "Nbc3", "d1e3": "Ne3", "h1h8": "Rh8#", "g6g7": "Rg7", "a2a4": "a4", "e5d6": "exd6",
	} {
		p, err := published.ReadFEN("k7/8/6R1/3pP3/8/8/P7/1N1NK2R w K d6 0 20", false)
		if err != nil {
			t.Fatal(err)
		}
		n, _ := published.ReadNotation(move)
		m, err := p.Find(n)
		if err != nil {
			t.Fatalf("%s: %v", move, err)
		}
		if got := san(&p, m); strings.TrimRight(got, "+#") != strings.TrimRight(want, "+#") {
			t.Errorf("%s is %s, want %s", move, got, want)
		}
	}
}

// hasMove reports whether the side to move has a legal one, castling aside:
// where that is legal, so is the king's step towards it.
func hasMove(p *published.Position) bool {
	for from, piece := range p.Squares {
		if !p.Own(piece) {
			continue
		}
		for to := range p.Squares {
			if p.Reaches(from, to) && p.Safe(published.Move{From: int8(from), To: int8(to)}) {
				return true
			}
		}
	}
	return false
}

// san writes a legal move in standard algebraic notation.
func san(p *published.Position, m published.Move) string {
	text := sanWithoutCheck(p, m)
	after := *p
	after.Play(m)
	switch {
	case !after.InCheck(after.Black):
		return text
	case hasMove(&after):
		return text + "+"
	}
	return text + "#"
}

func sanWithoutCheck(p *published.Position, m published.Move) string {
	from, to := int(m.From), int(m.To)
	if m == (published.Move{}) {
		return "--"
	}
	if rook, is := p.Castles(m); is {
		if rook > from {
			return "O-O"
		}
		return "O-O-O"
	}
	piece := published.Kind(p.Squares[from])
	takes := ""
	if p.Squares[to] != 0 || piece == 'P' && published.FileOf(from) != published.FileOf(to) {
		takes = "x"
	}
	if piece != 'P' {
		return string(piece) + origin(p, m) + takes + squareName(to)
	}
	text := squareName(to)
	if takes != "" {
		text = squareName(from)[:1] + "x" + text
	}
	if m.Promotion != 0 {
		text += "=" + string(m.Promotion)
	}
	return text
}

// origin is what must be said of the square a piece comes from, as others of its
// kind can go to the same one.
func origin(p *published.Position, m published.Move) string {
	from, to := int(m.From), int(m.To)
	others, sameFile, sameRank := false, false, false
	for at, piece := range p.Squares {
		if at == from || piece != p.Squares[from] || !p.Reaches(at, to) || !p.Safe(published.Move{From: int8(at), To: m.To}) {
			continue
		}
		others = true
		sameFile = sameFile || published.FileOf(at) == published.FileOf(from)
		sameRank = sameRank || published.RankOf(at) == published.RankOf(from)
	}
	name := squareName(from)
	switch {
	case !others:
		return ""
	case !sameFile:
		return name[:1]
	case !sameRank:
		return name[1:]
	}
	return name
}
