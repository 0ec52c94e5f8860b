package chess

import "strings"

// position is a board with what decides which moves are legal on it. Squares
// count from a1, 0, along the ranks to h8, 63; pieces are their letters in FEN,
// 0 where there is none.
type position struct {
	squares  [64]byte
	kings    [2]int8 // where the kings stand, noSquare for none
	black    bool    // whose turn it is
	shuffled bool    // whether castling is written as in Chess960
	// castling has the squares of the rooks that may still castle.
	castling  uint64
	enPassant int8 // the square after a pawn that has just moved two
	quiet     int  // half-moves since a capture or a pawn's move
	number    int  // of the move
}

const (
	noSquare = -1
	start    = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
)

func square(file, rank int) int { return 8*rank + file }
func fileOf(square int) int     { return square & 7 }
func rankOf(square int) int     { return square >> 3 }

func squareName(square int) string {
	return string([]byte{'a' + byte(fileOf(square)), '1' + byte(rankOf(square))})
}

func onBoard(file, rank int) bool { return uint(file) < 8 && uint(rank) < 8 }

func isBlack(piece byte) bool { return piece >= 'a' }
func isWhite(piece byte) bool { return piece != 0 && piece < 'a' }
func kind(piece byte) byte    { return piece &^ 0x20 }

// own reports whether a piece is of the side to move.
func (p *position) own(piece byte) bool {
	if p.black {
		return isBlack(piece)
	}
	return isWhite(piece)
}

// ours is the letter of a kind of piece of the side to move.
func (p *position) ours(kind byte) byte {
	if p.black {
		return kind | 0x20
	}
	return kind
}

func (p *position) side() int {
	if p.black {
		return 1
	}
	return 0
}

// backRank is the rank on which the side to move began.
func (p *position) backRank() int { return 7 * p.side() }

var (
	knightSteps   = [8][2]int{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}
	straightSteps = [4][2]int{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}
	diagonalSteps = [4][2]int{{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}
)

// attacked reports whether a side's pieces attack a square.
func (p *position) attacked(at int, byBlack bool) bool {
	file, rank := fileOf(at), rankOf(at)
	of := func(kind byte) byte {
		if byBlack {
			return kind | 0x20
		}
		return kind
	}
	after := rank - 1
	if byBlack {
		after = rank + 1
	}
	for _, f := range [2]int{file - 1, file + 1} {
		if onBoard(f, after) && p.squares[square(f, after)] == of('P') {
			return true
		}
	}
	for _, step := range knightSteps {
		if f, r := file+step[0], rank+step[1]; onBoard(f, r) && p.squares[square(f, r)] == of('N') {
			return true
		}
	}
	return p.seen(at, straightSteps, of('R'), of('Q'), of('K')) || p.seen(at, diagonalSteps, of('B'), of('Q'), of('K'))
}

// seen reports whether the first piece in one of the directions is the slider or
// the queen, or the king on the next square.
func (p *position) seen(at int, steps [4][2]int, slider, queen, king byte) bool {
	for _, step := range steps {
		f, r := fileOf(at)+step[0], rankOf(at)+step[1]
		for near := true; onBoard(f, r); near = false {
			if piece := p.squares[square(f, r)]; piece != 0 {
				if piece == slider || piece == queen || near && piece == king {
					return true
				}
				break
			}
			f, r = f+step[0], r+step[1]
		}
	}
	return false
}

// inCheck reports whether the king of the side to move is attacked.
func (p *position) inCheck() bool {
	king := p.kings[p.side()]
	return king != noSquare && p.attacked(int(king), !p.black)
}

// move is from one square to another. Castling is the king's move of two
// squares, in Chess960 that onto its rook. The zero value is a null move.
type move struct {
	from, to  int8
	promotion byte // a kind of piece, 0 for none
}

// uci is the move in coordinates.
func (m move) uci() string {
	if m == (move{}) {
		return "0000"
	}
	text := squareName(int(m.from)) + squareName(int(m.to))
	if m.promotion != 0 {
		text += strings.ToLower(string(m.promotion))
	}
	return text
}

// castles returns the rook's square if the move is castling.
func (p *position) castles(m move) (rook int, is bool) {
	from, to := int(m.from), int(m.to)
	if kind(p.squares[from]) != 'K' {
		return 0, false
	}
	if p.own(p.squares[to]) && from != to {
		return to, true
	}
	if rank := rankOf(from); !p.shuffled && fileOf(from) == 4 && rank == p.backRank() && rankOf(to) == rank {
		switch fileOf(to) {
		case 6:
			return square(7, rank), true
		case 2:
			return square(0, rank), true
		}
	}
	return 0, false
}

// play makes a move, legal or not. Only the squares it names matter.
func (p *position) play(m move) {
	after := int(p.enPassant)
	p.enPassant = noSquare
	p.quiet++
	if p.black {
		p.number++
	}
	if m != (move{}) {
		p.displace(m, after)
	}
	p.black = !p.black
}

func (p *position) displace(m move, enPassant int) {
	from, to := int(m.from), int(m.to)
	piece := p.squares[from]
	if rook, is := p.castles(m); is {
		p.castle(from, rook)
		return
	}
	taken := p.squares[to]
	p.castling &^= 1<<from | 1<<to
	switch kind(piece) {
	case 'K':
		p.castling &^= 0xff << (8 * p.backRank())
		p.kings[p.side()] = int8(to)
	case 'P':
		p.quiet = 0
		switch {
		case to-from == 16 && rankOf(from) == 1, from-to == 16 && rankOf(from) == 6:
			p.enPassant = int8((from + to) / 2)
		case to == enPassant && fileOf(from) != fileOf(to) && taken == 0:
			p.squares[square(fileOf(to), rankOf(from))] = 0
		}
	}
	if taken != 0 {
		p.quiet = 0
	}
	for side, king := range p.kings {
		if int(king) == to && side != p.side() {
			p.kings[side] = noSquare
		}
	}
	p.squares[from] = 0
	p.squares[to] = piece
	if m.promotion != 0 {
		p.squares[to] = p.ours(m.promotion)
	}
}

func (p *position) castle(king, rook int) {
	rank := rankOf(king)
	p.squares[king], p.squares[rook] = 0, 0
	kingTo, rookTo := square(6, rank), square(5, rank)
	if rook < king {
		kingTo, rookTo = square(2, rank), square(3, rank)
	}
	p.squares[kingTo], p.squares[rookTo] = p.ours('K'), p.ours('R')
	p.kings[p.side()] = int8(kingTo)
	p.castling &^= 0xff << (8 * p.backRank())
}
