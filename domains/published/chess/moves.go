package chess

import (
	"cmp"
	"errors"
	"strings"
)

// Notation is a move as it is written: in short or long algebraic notation, or in coordinates.
type Notation struct {
	Piece      byte // its kind, 0 if none is named
	File, Rank int8 // where it comes from, NoSquare if that is not said
	To         int8
	Promotion  byte
	Castling   byte // 'K' or 'Q' for the side, 0 for none
	null       bool
}

// writtenApart are the moves that do not name a square.
var writtenApart = []struct {
	text string
	is   Notation
}{
	{"--", Notation{null: true}}, {"Z0", Notation{null: true}}, {"0000", Notation{null: true}}, {"@@@@", Notation{null: true}},
	{"O-O-O", Notation{Castling: 'Q'}}, {"0-0-0", Notation{Castling: 'Q'}},
	{"O-O", Notation{Castling: 'K'}}, {"0-0", Notation{Castling: 'K'}},
}

// ReadNotation reads the move at the beginning of a text and returns its length,
// 0 if there is none. Of optional parts it takes as many as it can.
func ReadNotation(text string) (Notation, int) {
	n := Notation{File: NoSquare, Rank: NoSquare}
	at := 0
	if at < len(text) && strings.IndexByte("NBKRQ", text[at]) >= 0 {
		n.Piece = text[at]
		at++
	}
	// The first square of two may lack its file or rank.
	file, rank := int8(NoSquare), int8(NoSquare)
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
		n.File, n.Rank, n.To = file, rank, int8(to)
		return n.promoted(text, next+2)
	}
	if file != NoSquare && rank != NoSquare {
		n.To = 8*rank + file
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
func (n Notation) promoted(text string, at int) (Notation, int) {
	next := at
	if next < len(text) && text[next] == '=' {
		next++
	}
	if next < len(text) && strings.IndexByte("nbrqkNBRQK", text[next]) >= 0 {
		n.Promotion = Kind(text[next])
		return n, next + 1
	}
	return n, at
}

func isFile(c byte) bool { return 'a' <= c && c <= 'h' }
func isRank(c byte) bool { return '1' <= c && c <= '8' }

// From reports whether the notation allows a move from a square.
func (n *Notation) From(at int) bool {
	return (n.File == NoSquare || int(n.File) == FileOf(at)) && (n.Rank == NoSquare || int(n.Rank) == RankOf(at))
}

// Why a notation names no move of a position.
var (
	ErrIllegal   = errors.New("illegal move")
	ErrAmbiguous = errors.New("ambiguous move")
)

// Find returns the one legal move that a notation can mean.
func (p *Position) Find(n Notation) (Move, error) {
	switch {
	case n.null:
		return Move{}, nil
	case n.Castling != 0:
		return p.FindCastling(n.Castling)
	case n.Piece == 0 && n.File != NoSquare && n.Rank != NoSquare:
		return p.findCoordinates(n)
	}
	piece := p.Sought(&n)
	var found Move
	for from, other := range p.Squares {
		if other != piece || !n.From(from) || !p.Reaches(from, int(n.To)) {
			continue
		}
		m := Move{int8(from), n.To, n.Promotion}
		if !p.Promotes(m) || !p.Safe(m) {
			continue
		}
		if found != (Move{}) {
			return found, ErrAmbiguous
		}
		found = m
	}
	if found == (Move{}) {
		return found, ErrIllegal
	}
	return found, nil
}

// Sought returns the piece that a notation means. Of a pawn's move straight ahead it adds the file.
func (p *Position) Sought(n *Notation) byte {
	switch {
	case n.Piece != 0:
		return p.Ours(n.Piece)
	case n.File == NoSquare:
		n.File = int8(FileOf(int(n.To)))
	case n.Rank != NoSquare:
		return p.Squares[Square(int(n.File), int(n.Rank))]
	}
	return p.Ours('P')
}

func (p *Position) findCoordinates(n Notation) (Move, error) {
	from := Square(int(n.File), int(n.Rank))
	m := Move{int8(from), n.To, n.Promotion}
	if !p.Own(p.Squares[from]) {
		return m, ErrIllegal
	}
	if Kind(p.Squares[from]) == 'K' && n.Promotion == 0 {
		for _, side := range [...]byte{'K', 'Q'} {
			castling, err := p.FindCastling(side)
			rook, _ := p.Castles(castling)
			if err == nil && castling.From == m.From && (castling.To == m.To || rook == int(m.To)) {
				return castling, nil
			}
		}
	}
	if !p.Reaches(from, int(n.To)) || !p.Promotes(m) || !p.Safe(m) {
		return m, ErrIllegal
	}
	return m, nil
}

// Promotes reports whether the move names a promotion exactly where there is one.
func (p *Position) Promotes(m Move) bool {
	last := Kind(p.Squares[m.From]) == 'P' && RankOf(int(m.To)) == BackRank(!p.Black)
	return last && m.Promotion != 0 && m.Promotion != 'K' || !last && m.Promotion == 0
}

// Reaches reports whether the piece on a square can go to another, castling and the safety of the king aside.
func (p *Position) Reaches(from, to int) bool {
	piece, taken := p.Squares[from], p.Squares[to]
	if taken != 0 && isBlack(taken) == isBlack(piece) {
		return false
	}
	if Kind(piece) != 'P' {
		return p.attacks(from, to)
	}
	ahead, halfway, fifth := to-from, RankOf(to) <= 3, 4
	if isBlack(piece) {
		ahead, halfway, fifth = from-to, RankOf(to) >= 4, 3
	}
	switch ahead {
	case 8:
		return taken == 0
	case 16:
		return halfway && taken == 0 && p.free(from, to)
	}
	passant := to == int(p.EnPassant) && RankOf(from) == fifth
	return (taken != 0 || passant) && p.attacks(from, to)
}

// attacks reports whether the piece on a square could take one on another square.
func (p *Position) attacks(from, to int) bool {
	files, ranks := FileOf(to)-FileOf(from), RankOf(to)-RankOf(from)
	wide, high := max(files, -files), max(ranks, -ranks)
	switch piece := p.Squares[from]; Kind(piece) {
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
func (p *Position) free(from, to int) bool {
	step := 8*cmp.Compare(RankOf(to), RankOf(from)) + cmp.Compare(FileOf(to), FileOf(from))
	for at := from + step; at != to; at += step {
		if p.Squares[at] != 0 {
			return false
		}
	}
	return true
}

// Safe reports whether a move leaves the own king out of check.
func (p *Position) Safe(m Move) bool {
	after := *p
	after.Play(m)
	return !after.InCheck(p.Black)
}

// FindCastling returns the legal castling to a side.
func (p *Position) FindCastling(side byte) (Move, error) {
	king, rank := p.King(p.Black), BackRank(p.Black)
	if king == NoSquare || RankOf(king) != rank {
		return Move{}, ErrIllegal
	}
	for file := range 8 {
		rook := Square(file, rank)
		if p.Castling>>rook&1 == 0 || (rook > king) != (side == 'K') || !p.canCastle(king, rook) {
			continue
		}
		if p.Shuffled {
			return Move{From: int8(king), To: int8(rook)}, nil
		}
		kingTo, _ := castled(king, rook)
		return Move{From: int8(king), To: int8(kingTo)}, nil
	}
	return Move{}, ErrIllegal
}

func (p *Position) canCastle(king, rook int) bool {
	kingTo, rookTo := castled(king, rook)
	without := *p
	without.Squares[king], without.Squares[rook] = 0, 0
	for at, piece := range without.Squares {
		if piece != 0 && (between(at, king, kingTo) || between(at, rook, rookTo)) {
			return false
		}
	}
	without.Squares[rook] = p.Ours('R')
	for at := range without.Squares {
		if between(at, king, kingTo) && (at != kingTo || at == king) && without.attacked(at, !p.Black) {
			return false
		}
	}
	without.Squares[rook], without.Squares[rookTo] = 0, p.Ours('R')
	return !without.attacked(kingTo, !p.Black)
}

func between(at, a, b int) bool { return min(a, b) <= at && at <= max(a, b) }
