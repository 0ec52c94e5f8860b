// Package chess is the domain of chess games in Portable Game Notation: tags,
// moves in algebraic notation, evaluations and other comments, marks of quality,
// variations. The half-moves of the main lines are counted, those of all games.
//
// The published score is that of python-chess 1.11.2 for the first game alone: a
// move that is not legal there, or a line in the wrong place, loses all that
// follows. It sees neither comments nor variations nor most tags. Strict looks at
// all games. Each move is compared by the squares it goes from and to, with its
// marks, evaluation, clock and comment; where a move is not legal the piece that
// was most likely meant makes it, so that the moves after it keep their sense.
// Tags, results, the moves of variations, comments before the first move and text
// that is no part of a game are elements too, next to the moves. How a move is spelt
// and numbered and how a game is laid out mean nothing to it.
package chess

import "agentd/domains"

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[*record]{
		Info: domains.Info{
			Name:       "chess",
			Title:      "Chess games in PGN",
			Category:   "Everyday",
			Patterns:   []string{"*.pgn"},
			Element:    counted,
			Example:    "1. e4 e5 2. Nf3 Nc6",
			Components: []string{"moves", "annotation", "header", "result"},
		},
		Parse:      parse,
		Score:      score,
		Stats:      stats,
		Elements:   elements,
		Evidence:   domains.Prevailing(counted),
		Forgives:   alignGames,
		Without:    without,
		Sampling:   domains.Sampling{Entry: gameKind},
		Vocabulary: vocabulary,
	})
}
