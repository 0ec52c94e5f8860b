package chess

import "agentd/domains/edit"

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
