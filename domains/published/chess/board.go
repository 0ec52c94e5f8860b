package chess

import (
	"bytes"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/pytext"
)

// Position is a board with what decides which moves are legal on it. Squares count from a1, 0, along the ranks to h8,
// 63; pieces are their letters in FEN, 0 where there is none.
//
// No library takes its place: github.com/corentings/chess v2.3.2 knows no Chess960, refuses "0-0", null moves and
// FEN with missing fields, and takes 3.3 ms for what this board plays in 0.09 ms.
type Position struct {
	Squares  [64]byte
	Black    bool // whose turn it is
	Shuffled bool // whether castling is written as in Chess960
	// castling has the squares of the rooks that may still castle.
	Castling  uint64
	EnPassant int8 // the square after a pawn that has just moved two
	Quiet     int  // half-moves since a capture or a pawn's move
	Number    int  // of the move
}

// NoSquare is the place of no square; Start is the usual starting position in FEN.
const (
	NoSquare = -1
	Start    = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
)

// Square is the number of a square by its name, such as e4.
func Square(file, rank int) int { return 8*rank + file }

// FileOf is the file of a square, 0 for a.
func FileOf(square int) int { return square & 7 }

// RankOf is the rank of a square, 0 for the first.
func RankOf(square int) int { return square >> 3 }

func isBlack(piece byte) bool { return piece >= 'a' }

// Kind is the letter of a piece of either side, in upper case.
func Kind(piece byte) byte { return piece &^ 0x20 }

// Letter is that of a kind of piece of a side.
func Letter(kind byte, black bool) byte {
	if black {
		return kind | 0x20
	}
	return kind
}

// Own reports whether a piece is of the side to move.
func (p *Position) Own(piece byte) bool { return piece != 0 && isBlack(piece) == p.Black }

// Ours is the letter of a kind of piece of the side to move.
func (p *Position) Ours(kind byte) byte { return Letter(kind, p.Black) }

// King is where a side's king stands, NoSquare if it has none.
func (p *Position) King(black bool) int { return bytes.LastIndexByte(p.Squares[:], Letter('K', black)) }

// BackRank is the rank on which a side began.
func BackRank(black bool) int {
	if black {
		return 7
	}
	return 0
}

// attacked reports whether a side's pieces attack a square.
func (p *Position) attacked(at int, byBlack bool) bool {
	for from, piece := range p.Squares {
		if piece != 0 && isBlack(piece) == byBlack && p.attacks(from, at) {
			return true
		}
	}
	return false
}

// InCheck reports whether a side's king is attacked.
func (p *Position) InCheck(black bool) bool {
	king := p.King(black)
	return king != NoSquare && p.attacked(king, !black)
}

// Move is from one square to another. Castling is the king's move of two
// squares, in Chess960 that onto its rook. The zero value is a null move.
type Move struct {
	From, To  int8
	Promotion byte // a kind of piece, 0 for none
}

// Castles returns the rook's square if the move is castling.
func (p *Position) Castles(m Move) (rook int, is bool) {
	from, to := int(m.From), int(m.To)
	if Kind(p.Squares[from]) != 'K' {
		return 0, false
	}
	if p.Own(p.Squares[to]) && from != to {
		return to, true
	}
	if rank := BackRank(p.Black); !p.Shuffled && from == Square(4, rank) && RankOf(to) == rank {
		switch FileOf(to) {
		case 6:
			return Square(7, rank), true
		case 2:
			return Square(0, rank), true
		}
	}
	return 0, false
}

// Play makes a move, legal or not. Only the squares it names matter.
func (p *Position) Play(m Move) {
	after := int(p.EnPassant)
	p.EnPassant = NoSquare
	p.Quiet++
	if p.Black {
		p.Number++
	}
	if m != (Move{}) {
		p.displace(m, after)
	}
	p.Black = !p.Black
}

func (p *Position) displace(m Move, enPassant int) {
	from, to := int(m.From), int(m.To)
	piece, taken := p.Squares[from], p.Squares[to]
	if Kind(piece) == 'K' {
		p.Castling &^= 0xff << (8 * BackRank(p.Black))
	}
	if rook, is := p.Castles(m); is {
		kingTo, rookTo := castled(from, rook)
		p.Squares[from], p.Squares[rook] = 0, 0
		p.Squares[kingTo], p.Squares[rookTo] = p.Ours('K'), p.Ours('R')
		return
	}
	p.Castling &^= 1<<from | 1<<to
	if Kind(piece) == 'P' || taken != 0 {
		p.Quiet = 0
	}
	switch {
	case Kind(piece) != 'P':
	case to-from == 16 && RankOf(from) == 1, from-to == 16 && RankOf(from) == 6:
		p.EnPassant = int8((from + to) / 2)
	case to == enPassant && FileOf(from) != FileOf(to) && taken == 0:
		p.Squares[Square(FileOf(to), RankOf(from))] = 0
	}
	p.Squares[from], p.Squares[to] = 0, piece
	if m.Promotion != 0 {
		p.Squares[to] = p.Ours(m.Promotion)
	}
}

// castled returns the squares on which a king and a rook that castle come to stand.
func castled(king, rook int) (kingTo, rookTo int) {
	if rank := RankOf(king); rook > king {
		return Square(6, rank), Square(5, rank)
	}
	return Square(2, RankOf(king)), Square(3, RankOf(king))
}

// StartOf is the position in which a game begins.
func StartOf(fen, variant string) (Position, error) {
	return ReadFEN(fen, slices.Contains(shuffledNames, pytext.Lower(variant)))
}

var shuffledNames = []string{"chess960", "chess 960", "fischerandom", "fischerrandom", "fischer random"}

var errBadFEN = errors.New("this is no position")

// ReadFEN reads a position in Forsyth-Edwards notation, of which all but the
// board may be missing. Whether it can occur in a game is not asked.
func ReadFEN(text string, shuffled bool) (Position, error) {
	p := Position{Shuffled: shuffled, EnPassant: NoSquare, Number: 1}
	parts := pytext.Fields(text)
	if len(parts) == 0 || len(parts) > 6 {
		return p, fmt.Errorf("%q: %w", text, errBadFEN)
	}
	parts = append(parts, []string{"", "w", "-", "-", "0", "1"}[len(parts):]...)
	turn, passant := parts[1], parts[3]
	p.Black = turn == "b"
	ok := p.readSquares(parts[0]) && (turn == "w" || turn == "b") && p.readCastling(parts[2])
	if passant != "-" {
		to, isSquare := readSquare(passant)
		p.EnPassant, ok = int8(to), ok && isSquare
	}
	quiet, err1 := strconv.Atoi(parts[4])
	number, err2 := strconv.Atoi(parts[5])
	if !ok || err1 != nil || err2 != nil || quiet < 0 || number < 0 {
		return p, fmt.Errorf("%q: %w", text, errBadFEN)
	}
	p.Quiet, p.Number = quiet, max(number, 1)
	standard := p
	standard.dropIdleCastling()
	p.Shuffled = true
	p.dropIdleCastling()
	p.Shuffled = shuffled || p.Castling != standard.Castling
	return p, nil
}

func readSquare(name string) (int, bool) {
	if len(name) != 2 || !isFile(name[0]) || !isRank(name[1]) {
		return 0, false
	}
	return Square(int(name[0]-'a'), int(name[1]-'1')), true
}

func (p *Position) readSquares(text string) bool {
	rows := strings.Split(text, "/")
	if len(rows) != 8 {
		return false
	}
	for i, row := range rows {
		file := 0
		for k := range len(row) {
			switch c := row[k]; {
			case '1' <= c && c <= '8':
				file += int(c - '0')
			case strings.IndexByte("PNBRQKpnbrqk", c) >= 0 && file < 8:
				p.Squares[Square(file, 7-i)] = c
				file++
			default:
				return false
			}
		}
		if file != 8 {
			return false
		}
	}
	return true
}

// readCastling reads rights to castle: K and Q stand for the outermost rook on
// their side of the king, other letters for the rook on that file.
func (p *Position) readCastling(text string) bool {
	if text == "-" {
		return true
	}
	for i := range len(text) {
		c := text[i]
		if strings.IndexByte("KQABCDEFGHkqabcdefgh", c) < 0 {
			return false
		}
		p.Castling |= 1 << Square(p.rookFile(Kind(c), isBlack(c)), BackRank(isBlack(c)))
	}
	return true
}

func (p *Position) rookFile(right byte, black bool) int {
	from := Square(0, BackRank(black))
	rank, rook, king := p.Squares[from:from+8], Letter('R', black), p.King(black)
	switch right {
	case 'Q':
		if file := bytes.IndexByte(rank, rook); file >= 0 && from+file < king {
			return file
		}
		return 0
	case 'K':
		if file := bytes.LastIndexByte(rank, rook); king != NoSquare && from+file > king {
			return file
		}
		return 7
	}
	return int(right - 'A')
}

// dropIdleCastling takes away the rights for which king or rook do not stand
// where they must. Of several rooks on a side the outermost keeps its right.
func (p *Position) dropIdleCastling() {
	kept := uint64(0)
	for _, black := range [2]bool{false, true} {
		rank, king := BackRank(black), p.King(black)
		if king == NoSquare || RankOf(king) != rank || !p.Shuffled && FileOf(king) != 4 {
			continue
		}
		rights := uint64(0)
		for file := range 8 {
			at := Square(file, rank)
			if p.Squares[at] == Letter('R', black) && (p.Shuffled || file == 0 || file == 7) {
				rights |= p.Castling & (1 << at)
			}
		}
		if first := bits.TrailingZeros64(rights); first < king {
			kept |= 1 << first
		}
		if last := 63 - bits.LeadingZeros64(rights); last > king {
			kept |= 1 << last
		}
	}
	p.Castling = kept
}
