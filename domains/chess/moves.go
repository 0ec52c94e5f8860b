package chess

import (
	"cmp"
	"errors"
	"strings"
)

// notation is a move as it is written: in short or long algebraic notation, or in coordinates.
type notation struct {
	piece      byte // its kind, 0 if none is named
	file, rank int8 // where it comes from, noSquare if that is not said
	to         int8
	promotion  byte
	castling   byte // 'K' or 'Q' for the side, 0 for none
	null       bool
}

// writtenApart are the moves that do not name a square.
var writtenApart = []struct {
	text string
	is   notation
}{
	{"--", notation{null: true}}, {"Z0", notation{null: true}}, {"0000", notation{null: true}}, {"@@@@", notation{null: true}},
	{"O-O-O", notation{castling: 'Q'}}, {"0-0-0", notation{castling: 'Q'}},
	{"O-O", notation{castling: 'K'}}, {"0-0", notation{castling: 'K'}},
}

// readNotation reads the move at the beginning of a text and returns its length,
// 0 if there is none. Of optional parts it takes as many as it can.
func readNotation(text string) (notation, int) {
	n := notation{file: noSquare, rank: noSquare}
	at := 0
	if at < len(text) && strings.IndexByte("NBKRQ", text[at]) >= 0 {
		n.piece = text[at]
		at++
	}
	// The first square of two may lack its file or rank.
	file, rank := int8(noSquare), int8(noSquare)
	if at < len(text) && isFile(text[at]) {
		file = int8(text[at] - 'a')
		at++
	}
	if at < len(text) && isRank(text[at]) {
		rank = int8(text[at] - '1')
		at++
	}
	next := at
	if next < len(text) && (text[next] == '-' || text[next] == 'x') {
		next++
	}
	if to, ok := readSquare(text[next:min(next+2, len(text))]); ok {
		n.file, n.rank, n.to = file, rank, int8(to)
		return n.promoted(text, next+2)
	}
	if file != noSquare && rank != noSquare {
		n.to = 8*rank + file
		return n.promoted(text, at)
	}
	for _, apart := range writtenApart {
		if strings.HasPrefix(text, apart.text) {
			return apart.is, len(apart.text)
		}
	}
	return n, 0
}

// promoted reads the piece a pawn becomes.
func (n notation) promoted(text string, at int) (notation, int) {
	next := at
	if next < len(text) && text[next] == '=' {
		next++
	}
	if next < len(text) && strings.IndexByte("nbrqkNBRQK", text[next]) >= 0 {
		n.promotion = kind(text[next])
		return n, next + 1
	}
	return n, at
}

func isFile(c byte) bool { return 'a' <= c && c <= 'h' }
func isRank(c byte) bool { return '1' <= c && c <= '8' }

// from reports whether the notation allows a move from a square.
func (n *notation) from(at int) bool {
	return (n.file == noSquare || int(n.file) == fileOf(at)) && (n.rank == noSquare || int(n.rank) == rankOf(at))
}

var (
	errIllegal   = errors.New("illegal move")
	errAmbiguous = errors.New("ambiguous move")
)

// find returns the one legal move that a notation can mean.
func (p *position) find(n notation) (move, error) {
	switch {
	case n.null:
		return move{}, nil
	case n.castling != 0:
		return p.findCastling(n.castling)
	case n.piece == 0 && n.file != noSquare && n.rank != noSquare:
		return p.findCoordinates(n)
	}
	piece := p.sought(&n)
	var found move
	for from, other := range p.squares {
		if other != piece || !n.from(from) || !p.reaches(from, int(n.to)) {
			continue
		}
		m := move{int8(from), n.to, n.promotion}
		if !p.promotes(m) || !p.safe(m) {
			continue
		}
		if found != (move{}) {
			return found, errAmbiguous
		}
		found = m
	}
	if found == (move{}) {
		return found, errIllegal
	}
	return found, nil
}

// sought returns the piece that a notation means. Of a pawn's move straight ahead it adds the file.
func (p *position) sought(n *notation) byte {
	switch {
	case n.piece != 0:
		return p.ours(n.piece)
	case n.file == noSquare:
		n.file = int8(fileOf(int(n.to)))
	case n.rank != noSquare:
		return p.squares[square(int(n.file), int(n.rank))]
	}
	return p.ours('P')
}

func (p *position) findCoordinates(n notation) (move, error) {
	from := square(int(n.file), int(n.rank))
	m := move{int8(from), n.to, n.promotion}
	if !p.own(p.squares[from]) {
		return m, errIllegal
	}
	if kind(p.squares[from]) == 'K' && n.promotion == 0 {
		for _, side := range [...]byte{'K', 'Q'} {
			castling, err := p.findCastling(side)
			rook, _ := p.castles(castling)
			if err == nil && castling.from == m.from && (castling.to == m.to || rook == int(m.to)) {
				return castling, nil
			}
		}
	}
	if !p.reaches(from, int(n.to)) || !p.promotes(m) || !p.safe(m) {
		return m, errIllegal
	}
	return m, nil
}

// promotes reports whether the move names a promotion exactly where there is one.
func (p *position) promotes(m move) bool {
	last := kind(p.squares[m.from]) == 'P' && rankOf(int(m.to)) == backRank(!p.black)
	return last && m.promotion != 0 && m.promotion != 'K' || !last && m.promotion == 0
}

// reaches reports whether the piece on a square can go to another, castling and the safety of the king aside.
func (p *position) reaches(from, to int) bool {
	piece, taken := p.squares[from], p.squares[to]
	if taken != 0 && isBlack(taken) == isBlack(piece) {
		return false
	}
	if kind(piece) != 'P' {
		return p.attacks(from, to)
	}
	ahead, halfway, fifth := to-from, rankOf(to) <= 3, 4
	if isBlack(piece) {
		ahead, halfway, fifth = from-to, rankOf(to) >= 4, 3
	}
	switch ahead {
	case 8:
		return taken == 0
	case 16:
		return halfway && taken == 0 && p.free(from, to)
	}
	passant := to == int(p.enPassant) && rankOf(from) == fifth
	return (taken != 0 || passant) && p.attacks(from, to)
}

// attacks reports whether the piece on a square could take one on another square.
func (p *position) attacks(from, to int) bool {
	files, ranks := fileOf(to)-fileOf(from), rankOf(to)-rankOf(from)
	wide, high := max(files, -files), max(ranks, -ranks)
	switch piece := p.squares[from]; kind(piece) {
	case 'P':
		return wide == 1 && high == 1 && (ranks < 0) == isBlack(piece)
	case 'N':
		return wide*high == 2
	case 'K':
		return wide <= 1 && high <= 1
	case 'B':
		return wide == high && p.free(from, to)
	case 'R':
		return wide*high == 0 && p.free(from, to)
	}
	return (wide == high || wide*high == 0) && p.free(from, to)
}

// free reports whether no piece stands between two squares on a line.
func (p *position) free(from, to int) bool {
	step := 8*cmp.Compare(rankOf(to), rankOf(from)) + cmp.Compare(fileOf(to), fileOf(from))
	for at := from + step; at != to; at += step {
		if p.squares[at] != 0 {
			return false
		}
	}
	return true
}

// safe reports whether a move leaves the own king out of check.
func (p *position) safe(m move) bool {
	after := *p
	after.play(m)
	return !after.inCheck(p.black)
}

// findCastling returns the legal castling to a side.
func (p *position) findCastling(side byte) (move, error) {
	king, rank := p.king(p.black), backRank(p.black)
	if king == noSquare || rankOf(king) != rank {
		return move{}, errIllegal
	}
	for file := range 8 {
		rook := square(file, rank)
		if p.castling>>rook&1 == 0 || (rook > king) != (side == 'K') || !p.canCastle(king, rook) {
			continue
		}
		if p.shuffled {
			return move{from: int8(king), to: int8(rook)}, nil
		}
		kingTo, _ := castled(king, rook)
		return move{from: int8(king), to: int8(kingTo)}, nil
	}
	return move{}, errIllegal
}

func (p *position) canCastle(king, rook int) bool {
	kingTo, rookTo := castled(king, rook)
	without := *p
	without.squares[king], without.squares[rook] = 0, 0
	for at, piece := range without.squares {
		if piece != 0 && (between(at, king, kingTo) || between(at, rook, rookTo)) {
			return false
		}
	}
	without.squares[rook] = p.ours('R')
	for at := range without.squares {
		if between(at, king, kingTo) && (at != kingTo || at == king) && without.attacked(at, !p.black) {
			return false
		}
	}
	without.squares[rook], without.squares[rookTo] = 0, p.ours('R')
	return !without.attacked(kingTo, !p.black)
}

func between(at, a, b int) bool { return min(a, b) <= at && at <= max(a, b) }
