package chess

import (
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"agentd/domains/internal/pytext"
)

var errBadFEN = errors.New("this is no position")

// readFEN reads a position in Forsyth-Edwards notation, of which all but the
// board may be missing. Whether it can occur in a game is not asked.
func readFEN(text string, shuffled bool) (position, error) {
	p := position{shuffled: shuffled, enPassant: noSquare, number: 1, kings: [2]int8{noSquare, noSquare}}
	parts := pytext.Fields(text)
	if len(parts) == 0 || len(parts) > 6 {
		return p, fmt.Errorf("%q: %w", text, errBadFEN)
	}
	part := func(i int, missing string) string {
		if i < len(parts) {
			return parts[i]
		}
		return missing
	}
	turn, passant := part(1, "w"), part(3, "-")
	p.black = turn == "b"
	ok := p.readSquares(parts[0]) && (turn == "w" || turn == "b") && p.readCastling(part(2, "-"))
	if passant != "-" {
		to, isSquare := readSquare(passant)
		p.enPassant, ok = int8(to), ok && isSquare
	}
	quiet, err1 := strconv.Atoi(part(4, "0"))
	number, err2 := strconv.Atoi(part(5, "1"))
	if !ok || err1 != nil || err2 != nil || quiet < 0 || number < 0 {
		return p, fmt.Errorf("%q: %w", text, errBadFEN)
	}
	p.quiet, p.number = quiet, max(number, 1)
	if !p.shuffled {
		standard := p
		standard.dropIdleCastling()
		p.shuffled = true
		p.dropIdleCastling()
		p.shuffled = p.castling != standard.castling
		return p, nil
	}
	p.dropIdleCastling()
	return p, nil
}

func readSquare(name string) (int, bool) {
	if len(name) != 2 || name[0] < 'a' || name[0] > 'h' || name[1] < '1' || name[1] > '8' {
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
				at := square(file, 7-i)
				p.squares[at] = c
				if kind(c) == 'K' {
					side := 0
					if isBlack(c) {
						side = 1
					}
					p.kings[side] = max(p.kings[side], int8(at))
				}
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
		if isWhite(c) && black > 0 || strings.IndexByte("KQABCDEFGHkqabcdefgh", c) < 0 {
			return false
		}
		rank, side := 0, 0
		if isBlack(c) {
			rank, side = 7, 1
			black++
		} else {
			white++
		}
		p.castling |= 1 << square(p.rookFile(kind(c), rank, int(p.kings[side])), rank)
	}
	return white <= 2 && black <= 2
}

func (p *position) rookFile(letter byte, rank, king int) int {
	rook := byte('R')
	if rank == 7 {
		rook = 'r'
	}
	switch letter {
	case 'Q':
		for file := range 8 {
			if at := square(file, rank); p.squares[at] == rook {
				if king != noSquare && at < king {
					return file
				}
				break
			}
		}
		return 0
	case 'K':
		for file := 7; file >= 0; file-- {
			if at := square(file, rank); p.squares[at] == rook {
				if king != noSquare && at > king {
					return file
				}
				break
			}
		}
		return 7
	}
	return int(letter - 'A')
}

// dropIdleCastling takes away the rights for which king or rook do not stand
// where they must.
func (p *position) dropIdleCastling() {
	kept := uint64(0)
	for side, rank := range [2]int{0, 7} {
		rook := byte('R')
		if side == 1 {
			rook = 'r'
		}
		king := int(p.kings[side])
		if king == noSquare || rankOf(king) != rank || !p.shuffled && fileOf(king) != 4 {
			continue
		}
		rights := uint64(0)
		for file := range 8 {
			at := square(file, rank)
			inPlace := p.shuffled || file == 0 || file == 7
			if p.castling>>at&1 == 1 && p.squares[at] == rook && inPlace {
				rights |= 1 << at
			}
		}
		if rights == 0 {
			continue
		}
		if !p.shuffled {
			kept |= rights
			continue
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

// fen writes the position. The square of a capture en passant is named only
// where one is legal.
func (p *position) fen() string {
	var b strings.Builder
	for rank := 7; rank >= 0; rank-- {
		empty := 0
		flush := func() {
			if empty > 0 {
				b.WriteByte('0' + byte(empty))
			}
			empty = 0
		}
		for file := range 8 {
			piece := p.squares[square(file, rank)]
			if piece == 0 {
				empty++
				continue
			}
			flush()
			b.WriteByte(piece)
		}
		flush()
		if rank > 0 {
			b.WriteByte('/')
		}
	}
	turn := "w"
	if p.black {
		turn = "b"
	}
	return fmt.Sprintf("%s %s %s %s %d %d", b.String(), turn, p.castlingRights(), p.passant(), p.quiet, p.number)
}

func (p *position) castlingRights() string {
	var rights []byte
	for side, rank := range [2]int{0, 7} {
		for file := 7; file >= 0; file-- {
			if p.castling>>square(file, rank)&1 == 0 {
				continue
			}
			letter := byte('A' + file)
			if !p.shuffled {
				letter = 'K'
				if file == 0 {
					letter = 'Q'
				}
			}
			rights = append(rights, letter|byte(side)<<5)
		}
	}
	if len(rights) == 0 {
		return "-"
	}
	return string(rights)
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
