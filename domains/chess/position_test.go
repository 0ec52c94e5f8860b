package chess

import (
	"strings"
	"testing"
)

// perft counts the lines of legal moves of a length.
func perft(p *position, depth int) int {
	moves := legalMoves(p)
	if depth == 1 {
		return len(moves)
	}
	n := 0
	for _, m := range moves {
		after := *p
		after.play(m)
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
		"start":              {start, 3, 8902},
		"castling and pins":  {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 2, 2039},
		"taking en passant":  {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 3, 2812},
		"castling in check?": {"r3k2r/8/8/8/4Q3/8/8/R3K2R b KQkq - 0 1", 1, 4},
	} {
		p, err := readFEN(c.fen, false)
		if err != nil {
			t.Fatal(err)
		}
		if got := perft(&p, c.depth); got != c.want {
			t.Errorf("%s: %d lines of %d moves, want %d", name, got, c.depth, c.want)
		}
		if got := p.fen(); got != c.fen {
			t.Errorf("%s: written as %s", name, got)
		}
	}
}

// played is the position after moves from the start, or the move that cannot be
// made.
func played(fen string, moves string) (position, string) {
	p, err := readFEN(fen, strings.HasPrefix(fen, "bqnb"))
	if err != nil {
		return p, err.Error()
	}
	for word := range strings.FieldsSeq(moves) {
		n, length := readNotation(word)
		if length == 0 {
			return p, word + " is no move"
		}
		m, err := p.find(n)
		if err != nil {
			return p, word + ": " + err.Error()
		}
		p.play(m)
	}
	return p, ""
}

func TestMovesAreFoundByTheirNotation(t *testing.T) {
	t.Parallel()
	const knights = "4k3/8/8/8/8/8/8/1N1NK3 w - - 0 1"
	for name, c := range map[string]struct{ fen, moves, want, problem string }{
		"a pawn takes en passant": {start, "e4 a6 e5 d5 exd6", "rnbqkbnr/1pp1pppp/p2P4/8/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3", ""},
		"the square after it is named where it counts": {start, "e4 a6 e5 d5",
			"rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3", ""},
		"not where nobody can take": {start, "e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", ""},
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
		"long notation":             {start, "Ng1-f3 e7-e5", "rnbqkbnr/pppp1ppp/8/4p3/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 2", ""},
		"a null move":               {start, "--", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 1 1", ""},
		"no position":               {"8/8/8 w", "", "", `"8/8/8 w": this is no position`},
	} {
		p, problem := played(c.fen, c.moves)
		if problem != c.problem {
			t.Errorf("%s: problem %q, want %q", name, problem, c.problem)
		} else if got := p.fen(); problem == "" && got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestSANNamesTheOriginWhereNeeded(t *testing.T) {
	t.Parallel()
	for move, want := range map[string]string{
		"b1c3": "Nbc3", "d1e3": "Ne3", "h1h8": "Rh8#", "g6g7": "Rg7", "a2a4": "a4", "e5d6": "exd6",
	} {
		p, err := readFEN("k7/8/6R1/3pP3/8/8/P7/1N1NK2R w K d6 0 20", false)
		if err != nil {
			t.Fatal(err)
		}
		n, _ := readNotation(move)
		m, err := p.find(n)
		if err != nil {
			t.Fatalf("%s: %v", move, err)
		}
		if got := p.san(m); strings.TrimRight(got, "+#") != strings.TrimRight(want, "+#") {
			t.Errorf("%s is %s, want %s", move, got, want)
		}
	}
}

// hasMove reports whether the side to move has a legal one, castling aside:
// where that is legal, so is the king's step towards it.
func (p *position) hasMove() bool {
	for from, piece := range p.squares {
		if !p.own(piece) {
			continue
		}
		for to := range p.squares {
			if p.reaches(from, to) && p.safe(move{from: int8(from), to: int8(to)}) {
				return true
			}
		}
	}
	return false
}

// san writes a legal move in standard algebraic notation.
func (p *position) san(m move) string {
	text := p.sanWithoutCheck(m)
	after := *p
	after.play(m)
	switch {
	case !after.inCheck(after.black):
		return text
	case after.hasMove():
		return text + "+"
	}
	return text + "#"
}

func (p *position) sanWithoutCheck(m move) string {
	from, to := int(m.from), int(m.to)
	if m == (move{}) {
		return "--"
	}
	if rook, is := p.castles(m); is {
		if rook > from {
			return "O-O"
		}
		return "O-O-O"
	}
	piece := kind(p.squares[from])
	takes := ""
	if p.squares[to] != 0 || piece == 'P' && fileOf(from) != fileOf(to) {
		takes = "x"
	}
	if piece != 'P' {
		return string(piece) + p.origin(m) + takes + squareName(to)
	}
	text := squareName(to)
	if takes != "" {
		text = squareName(from)[:1] + "x" + text
	}
	if m.promotion != 0 {
		text += "=" + string(m.promotion)
	}
	return text
}

// origin is what must be said of the square a piece comes from, as others of its
// kind can go to the same one.
func (p *position) origin(m move) string {
	from, to := int(m.from), int(m.to)
	others, sameFile, sameRank := false, false, false
	for at, piece := range p.squares {
		if at == from || piece != p.squares[from] || !p.reaches(at, to) || !p.safe(move{from: int8(at), to: m.to}) {
			continue
		}
		others = true
		sameFile = sameFile || fileOf(at) == fileOf(from)
		sameRank = sameRank || rankOf(at) == rankOf(from)
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
