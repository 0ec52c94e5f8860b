// Package chess is the domain of chess games in Portable Game Notation: tags, moves in algebraic notation, evaluations
// and other comments, marks of quality, variations. The half-moves of the main lines are counted, those of all games.
//
// The published score is that of python-chess 1.11.2 for the first game alone: a move that is not legal there, or a
// line in the wrong place, loses all that follows. It sees neither comments nor variations nor most tags. Strict looks
// at all games. Each move is compared by the squares it goes from and to, with its marks, evaluation, clock and
// comment; where a move is not legal the piece that was most likely meant makes it, so that the moves after it keep
// their sense. Tags, results, the moves of variations, comments before the first move and text that is no part of a
// game are elements too, next to the moves. How a move is spelt and numbered and how a game is laid out mean nothing to
// it.
package chess

import (
	"math"
	"strconv"

	"agentd/domains"
	"agentd/domains/edit"
	published "agentd/domains/published/chess"
	"agentd/vfs"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[*published.Record]{
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
		Score:      published.Score,
		Stats:      published.Stats,
		Form:       wellFormed,
		Elements:   elements,
		Evidence:   domains.Prevailing(counted, "tag"),
		Forgives:   alignGames,
		Without:    without,
		Sampling:   domains.Sampling{Entry: gameKind},
		Vocabulary: vocabulary,
	})
}

// parse is the published reading, with the half-moves of all games counted.
func parse(files vfs.Files) (*published.Record, error) {
	r, err := published.Parse(files)
	for _, text := range files.Match([]string{"*.pgn"}) {
		for _, g := range Read(text).Games {
			r.Counts += g.Plies()
		}
	}
	return r, err
}

// variation is one in parentheses, with two more levels in it.
const (
	inVariation = `[^(){}]|\{[^}]*\}`
	variation   = `\((?:` + inVariation + `|\((?:` + inVariation + `|\((?:` + inVariation + `)*\))*\))*\)`
)

// evaluated is the value of an evaluation in pawns.
const evaluated = `\[%eval (-?\d+(?:\.\d+)?)\]`

// Begins, and passes over what is no move of a main line. A result ends a game.
const (
	moveBegins = `\b\d+\.[ \t\n]*[KQRBNOa-h0-]`
	noMove     = `^\[.*$|^%.*$|\{[^}]*\}|` + variation + `|;.*$|\d+[ \t]*\.\.+`
	gameEnds   = `\b(?:1-0|0-1|1/2-1/2)|\*`
)

// vocabulary makes parts of games; of the moves of the first one where there are few. An edit
// may have those of all games too.
func vocabulary() edit.Format {
	moves := edit.Format{
		Document: "game", Part: "game-1 move", Parts: "game-1 moves",
		Cut: edit.Inline(moveBegins, noMove, gameEnds),
		Attributes: []edit.Attribute{
			edit.Key("moved piece", "moved pieces", `\A\d+\.\s*([KQRBNO])`),
			edit.Key("white move", "white moves", `\A\d+\.\s*([^\s!?{(]+)`),
			edit.Key("target square", "target squares", `\A\d+\.\s*[^\s{(]*?([a-h][1-8])`),
			edit.Key("replying piece", "replying pieces", `\A\d+\.\s*[^\s]+(?:\s+(?:\{[^}]*\}|\$\d+|\d+\.\.\.+|\([^()]*\)))*\s*([KQRBNO])`),
			edit.HasNumber("evaluation", "evaluations", `\[%eval (-?\d+\.\d+)`),
			edit.Has("clock time", "clock times", `\[%clk ([\d:.]+)`),
			edit.Has("comment", "comments", `\{\s*(?:\[%[^\]]*\]\s*)*([^\s\[\]{}](?:[^\[\]{}]*[^\s\[\]{}])?)\s*(?:\[%[^\]]*\]\s*)*\}`),
			edit.Computed("black move", "black moves", reply),
			edit.ComputedNumber("loss of the reply", "losses of replies", replyLoss),
		},
	}
	return edit.Format{
		Document: "game file", Part: "game", Parts: "games",
		Cut:    edit.Starting(`^\[Event\s`, ""),
		Remark: "; Computed: {}", RemarkAt: edit.Above,
		Attributes: []edit.Attribute{
			header("result", "results", "Result"), header("white player", "white players", "White"), header("black player", "black players", "Black"),
			header("date", "dates", "(?:UTC)?Date"), header("opening", "openings", "Opening"), header("opening code", "opening codes", "ECO"),
			header("round", "rounds", "Round"), header("site", "sites", "Site"),
			edit.HasNumber("white rating", "white ratings", `^\[WhiteElo[ \t]+"(\d+)"`),
			header("team", "teams", "(?:White|Black)Team"),
			edit.HasNumber("evaluation", "evaluations", evaluated),
			edit.Has("clock time", "clock times", `\[%clk ([\d:]+)\]`),
			edit.Has("variation", "variations", `\{[^}]*\}|^\[.*$|;.*$|\(`+`((?:`+inVariation+`|`+variation+`)*)\)`),
			edit.ComputedNumber("half-moves", "numbers of half-moves", halfMoves),
			edit.Computed("final position", "final positions", finalPosition),
		},
		Finer: &moves,
		Named: func(parts string) (edit.Format, bool) {
			all := moves
			all.Part, all.Parts, all.Cut = "move", "moves", edit.Inline(moveBegins, noMove+`|`+gameEnds, "")
			return all, parts == all.Parts
		},
	}
}

// header is the value of a header tag.
func header(name, plural, tag string) edit.Attribute {
	return edit.Has(name, plural, `^\[`+tag+`[ \t]+"([^"\n]+)"`)
}

// first is the first game of a part; nil if it has none.
func first(part string) *Game {
	if d := Read(part); len(d.Games) > 0 {
		return d.Games[0]
	}
	return nil
}

// halfMoves is how many a game has in its main line.
func halfMoves(part string) string {
	if g := first(part); g != nil {
		return strconv.Itoa(g.Plies())
	}
	return ""
}

// finalPosition is the position after a game's main line in Forsyth-Edwards notation; empty if a move is not legal.
func finalPosition(part string) string {
	g := first(part)
	if g == nil {
		return ""
	}
	at := begin(g)
	for k := range g.Items {
		if i := &g.Items[k]; i.Kind == MoveItem && at.step(i).err != nil {
			return ""
		}
	}
	return positionFen(&at.now)
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
	for _, i := range g.Items {
		if i.Kind == MoveItem {
			all = append(all, half{move: i.Text})
		} else if pawns, ok := published.Evaluation(i.Text); ok && i.Kind == CommentItem && len(all) > 0 {
			all[len(all)-1].pawns, all[len(all)-1].evaluated = pawns, true
		}
	}
	return all
}
