package chess

import "agentd/domains/edit"

// variation is one in parentheses, with two more levels in it.
const (
	inVariation = `[^(){}]|\{[^}]*\}`
	variation   = `\((?:` + inVariation + `|\((?:` + inVariation + `|\((?:` + inVariation + `)*\))*\))*\)`
)

// vocabulary makes parts of games; of the moves of the first one where there are few.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "game file", Part: "game", Parts: "games",
		Cut: edit.Starting(`^\[Event\s`, ""),
		Attributes: []edit.Attribute{
			header("result", "results", "Result"), header("white player", "white players", "White"), header("black player", "black players", "Black"),
			header("date", "dates", "(?:UTC)?Date"), header("opening", "openings", "Opening"), header("opening code", "opening codes", "ECO"),
			header("round", "rounds", "Round"), header("site", "sites", "Site"),
			edit.HasNumber("white rating", "white ratings", `^\[WhiteElo[ \t]+"(\d+)"`),
		},
		Finer: &edit.Format{
			Document: "game", Part: "game-1 move", Parts: "game-1 moves",
			Cut: edit.Inline(`\b\d+\.[ \t\n]*[KQRBNOa-h0-]`, `^\[.*$|^%.*$|\{[^}]*\}|`+variation+`|;.*$|\d+[ \t]*\.\.+`, `\b(?:1-0|0-1|1/2-1/2)|\*`),
			Attributes: []edit.Attribute{
				edit.Key("moved piece", "moved pieces", `\A\d+\.\s*([KQRBNO])`),
				edit.Key("white move", "white moves", `\A\d+\.\s*([^\s!?{(]+)`),
				edit.Key("target square", "target squares", `\A\d+\.\s*[^\s{(]*?([a-h][1-8])`),
				edit.Key("replying piece", "replying pieces", `\A\d+\.\s*[^\s]+(?:\s+(?:\{[^}]*\}|\$\d+|\d+\.\.\.+|\([^()]*\)))*\s*([KQRBNO])`),
				edit.HasNumber("evaluation", "evaluations", `\[%eval (-?\d+\.\d+)`),
				edit.Has("clock time", "clock times", `\[%clk ([\d:.]+)`),
				edit.Has("comment", "comments", `\{\s*(?:\[%[^\]]*\]\s*)*([^\s\[\]{}](?:[^\[\]{}]*[^\s\[\]{}])?)\s*(?:\[%[^\]]*\]\s*)*\}`),
			},
		},
	}
}

// header is the value of a header tag.
func header(name, plural, tag string) edit.Attribute {
	return edit.Has(name, plural, `^\[`+tag+`[ \t]+"([^"\n]+)"`)
}
