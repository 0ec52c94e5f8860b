package chess

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/pytext"
)

// startOf is the position in which a game begins.
func startOf(fen, variant string) (position, error) {
	return readFEN(fen, slices.Contains(shuffledNames, pytext.Lower(variant)))
}

var shuffledNames = []string{"chess960", "chess 960", "fischerandom", "fischerrandom", "fischer random"}

var errBadFEN = errors.New("this is no position")

// readFEN reads a position in Forsyth-Edwards notation, of which all but the
// board may be missing. Whether it can occur in a game is not asked.
func readFEN(text string, shuffled bool) (position, error) {
	p := position{shuffled: shuffled, enPassant: noSquare, number: 1}
	parts := pytext.Fields(text)
	if len(parts) == 0 || len(parts) > 6 {
		return p, fmt.Errorf("%q: %w", text, errBadFEN)
	}
	parts = append(parts, []string{"", "w", "-", "-", "0", "1"}[len(parts):]...)
	turn, passant := parts[1], parts[3]
	p.black = turn == "b"
	ok := p.readSquares(parts[0]) && (turn == "w" || turn == "b") && p.readCastling(parts[2])
	if passant != "-" {
		to, isSquare := readSquare(passant)
		p.enPassant, ok = int8(to), ok && isSquare
	}
	quiet, err1 := strconv.Atoi(parts[4])
	number, err2 := strconv.Atoi(parts[5])
	if !ok || err1 != nil || err2 != nil || quiet < 0 || number < 0 {
		return p, fmt.Errorf("%q: %w", text, errBadFEN)
	}
	p.quiet, p.number = quiet, max(number, 1)
	standard := p
	standard.dropIdleCastling()
	p.shuffled = true
	p.dropIdleCastling()
	p.shuffled = shuffled || p.castling != standard.castling
	return p, nil
}

func readSquare(name string) (int, bool) {
	if len(name) != 2 || !isFile(name[0]) || !isRank(name[1]) {
		return 0, false
	}
	return square(int(name[0]-'a'), int(name[1]-'1')), true
}

func (p *position) readSquares(text string) bool {
	rows := strings.Split(text, "/")
	if len(rows) != 8 {
		return false
	}
	for i, row := range rows {
		file, before := 0, byte('/')
		for k := range len(row) {
			c := row[k]
			switch {
			case '1' <= c && c <= '8' && !('1' <= before && before <= '8'):
				file += int(c - '0')
			case strings.IndexByte("PNBRQKpnbrqk", c) >= 0 && file < 8:
				p.squares[square(file, 7-i)] = c
				file++
			case c == '~' && before >= 'B':
			default:
				return false
			}
			before = c
		}
		if file != 8 {
			return false
		}
	}
	return true
}

// readCastling reads rights to castle: K and Q stand for the outermost rook on
// their side of the king, other letters for the rook on that file.
func (p *position) readCastling(text string) bool {
	if text == "-" {
		return true
	}
	white, black := 0, 0
	for i := range len(text) {
		c := text[i]
		if !isBlack(c) && black > 0 || strings.IndexByte("KQABCDEFGHkqabcdefgh", c) < 0 {
			return false
		}
		if isBlack(c) {
			black++
		} else {
			white++
		}
		p.castling |= 1 << square(p.rookFile(kind(c), isBlack(c)), backRank(isBlack(c)))
	}
	return white <= 2 && black <= 2
}

func (p *position) rookFile(right byte, black bool) int {
	from := square(0, backRank(black))
	rank, rook, king := p.squares[from:from+8], letter('R', black), p.king(black)
	switch right {
	case 'Q':
		if file := bytes.IndexByte(rank, rook); file >= 0 && from+file < king {
			return file
		}
		return 0
	case 'K':
		if file := bytes.LastIndexByte(rank, rook); king != noSquare && from+file > king {
			return file
		}
		return 7
	}
	return int(right - 'A')
}

// dropIdleCastling takes away the rights for which king or rook do not stand
// where they must. Of several rooks on a side the outermost keeps its right.
func (p *position) dropIdleCastling() {
	kept := uint64(0)
	for _, black := range [2]bool{false, true} {
		rank, king := backRank(black), p.king(black)
		if king == noSquare || rankOf(king) != rank || !p.shuffled && fileOf(king) != 4 {
			continue
		}
		rights := uint64(0)
		for file := range 8 {
			at := square(file, rank)
			if p.squares[at] == letter('R', black) && (p.shuffled || file == 0 || file == 7) {
				rights |= p.castling & (1 << at)
			}
		}
		if first := bits.TrailingZeros64(rights); first < king {
			kept |= 1 << first
		}
		if last := 63 - bits.LeadingZeros64(rights); last > king {
			kept |= 1 << last
		}
	}
	p.castling = kept
}

// runs writes empty squares as their number.
var runs = strings.NewReplacer("11111111", "8", "1111111", "7", "111111", "6", "11111", "5", "1111", "4", "111", "3", "11", "2")

// fen writes the position. The square of a capture en passant is named only
// where one is legal.
func (p *position) fen() string {
	var ranks []string
	for rank := range slices.Chunk(p.squares[:], 8) {
		ranks = append(ranks, strings.ReplaceAll(string(rank), "\x00", "1"))
	}
	slices.Reverse(ranks)
	turn := "w"
	if p.black {
		turn = "b"
	}
	board := runs.Replace(strings.Join(ranks, "/"))
	return fmt.Sprintf("%s %s %s %s %d %d", board, turn, p.castlingRights(), p.passant(), p.quiet, p.number)
}

func (p *position) castlingRights() string {
	var rights []byte
	for _, black := range [2]bool{false, true} {
		for file := 7; file >= 0; file-- {
			right := byte('A' + file)
			switch {
			case p.castling>>square(file, backRank(black))&1 == 0:
				continue
			case !p.shuffled && file == 0:
				right = 'Q'
			case !p.shuffled:
				right = 'K'
			}
			rights = append(rights, letter(right, black))
		}
	}
	return cmp.Or(string(rights), "-")
}

func (p *position) passant() string {
	if p.enPassant == noSquare {
		return "-"
	}
	to := int(p.enPassant)
	for from, piece := range p.squares {
		if piece == p.ours('P') && fileOf(from) != fileOf(to) && p.reaches(from, to) && p.safe(move{from: int8(from), to: int8(to)}) {
			return squareName(to)
		}
	}
	return "-"
}
