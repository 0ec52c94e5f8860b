package chess

import (
	"strings"
	"testing"

	"agentd/vfs"
)

const match = `[Event "Castle Ward ladder"]
[Site "?"]
[Date "2023.02.11"]
[Round "3"]
[White "Quirk, Alan"]
[Black "Rome, Vera"]
[Result "1-0"]

{Played on a Thursday.} 1. e4 e5 2. Nf3 Nc6 3. Bb5 {[%eval 0.2] [%clk 0:58:05]} a6 4. Bxc6 dxc6
5. O-O Bg4 6. h3 h5!? $36 {Alapin's old idea} 7. d3 (7. hxg4 hxg4 8. Nxe5? Qh4 {wins}) 7... Qf6 8. Nbd2 Ne7 1-0

[Event "Castle Ward ladder"]
[Round "4"]
[White "Rome, Vera"]
[Black "Gill, Sam"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1
`

// inMatch is the match with some texts replaced, given in pairs.
func inMatch(pairs ...string) vfs.Files {
	return vfs.Files{"match.pgn": strings.NewReplacer(pairs...).Replace(match)}
}

// secondGame is where the second game begins.
var secondGame = strings.Index(match, "\n\n[Event") + 2

func TestWhatStrictForgives(t *testing.T) {
	t.Parallel()
	for name, candidate := range map[string]vfs.Files{
		"another file name":            {"ladder.txt": match},
		"a game a file":                {"1.pgn": match[:secondGame], "2.pgn": match[secondGame:]},
		"a code fence":                 {"match.pgn": "```pgn\n" + match + "```\n"},
		"a byte order mark":            {"match.pgn": "\ufeff" + match},
		"line ends of Windows":         {"match.pgn": strings.ReplaceAll(match, "\n", "\r\n")},
		"other line breaks":            inMatch("dxc6\n5.", "dxc6 5.", "8. Nbd2 Ne7", "8.\nNbd2\nNe7"),
		"a comment that is wrapped":    inMatch("Alapin's old", "Alapin's\n\n  old"),
		"numbers of moves":             inMatch("2. Nf3", "2.Nf3", "7... Qf6", "Qf6", "6. h3", "h3", "5. O-O", "55. O-O"),
		"missing check marks":          inMatch("Qh4#", "Qh4"),
		"zeros for castling":           inMatch("O-O", "0-0"),
		"long notation":                inMatch("Nbd2", "Nb1-d2", "2. Nf3", "2. Ng1f3"),
		"coordinates":                  inMatch("2. Nf3 Nc6", "2. g1f3 b8c6", "O-O", "e1g1"),
		"a capture without its sign":   inMatch("Bxc6", "Bc6"),
		"numbers for marks":            inMatch("h5!?", "h5 $5", "Nxe5?", "Nxe5 $2"),
		"marks in another order":       inMatch("h5!? $36", "h5 $36 $5"),
		"the order of tags":            inMatch("[Event \"Castle Ward ladder\"]\n[Site \"?\"]\n", "[Round \"3\"]\n[Event \"Castle Ward ladder\"]\n", "[Round \"3\"]\n", ""),
		"unknown tags of the roster":   inMatch("[Site \"?\"]\n", "", "[Round \"4\"]", "[Round \"4\"]\n[Date \"????.??.??\"]"),
		"zeros of an evaluation":       inMatch("0.2]", "+0.20]"),
		"digits of a clock":            inMatch("0:58:05", "00:58:05"),
		"commands in other comments":   inMatch("[%eval 0.2] [%clk 0:58:05]", "[%clk 0:58:05]} {[%eval 0.2]"),
		"a comment to the end of line": inMatch("{Alapin's old idea}", "; Alapin's old idea\n"),
		"one empty line among tags":    inMatch("[Date", "\n[Date"),
	} {
		if score := New().Compare(inMatch(), candidate); score.Strict != 1 {
			t.Errorf("%s: %v", name, New().Differences(inMatch(), candidate))
		}
	}
}

func TestWhatStrictSees(t *testing.T) {
	t.Parallel()
	const nearly = 0.93 // what a small damage leaves at least
	for name, c := range map[string]struct {
		candidate vfs.Files
		least     float64
		says      string
	}{
		"another move": {inMatch("8. Nbd2", "8. Nc3"), nearly,
			"Quirk, Alan – Rome, Vera, 8., move: b1d2 -> b1c3"},
		"an illegal move, not those after it": {inMatch("3. Bb5", "3. Bh5"), nearly,
			"Quirk, Alan – Rome, Vera, 3., move: f1b5 -> f1h5"},
		"an ambiguous move": {inMatch("Nbd2", "Nd2"), nearly,
			"Quirk, Alan – Rome, Vera, 8., as written: (nothing) -> Nd2"},
		"a move of Black that is missing": {inMatch("2. Nf3 Nc6", "2. Nf3"), nearly,
			"Quirk, Alan – Rome, Vera, 2...: lost (1 | b8c6)"},
		"a figurine": {inMatch("2. Nf3", "2. ♘f3"), nearly,
			"Quirk, Alan – Rome, Vera, 2., as written: (nothing) -> ♘f3"},
		"a mark":                       {inMatch("$36", "$40"), nearly, "Quirk, Alan – Rome, Vera, 6..., mark: $36 -> $40"},
		"a lost mark":                  {inMatch("!?", ""), nearly, "Quirk, Alan – Rome, Vera, 6..., mark: $5 -> (nothing)"},
		"an evaluation":                {inMatch("0.2]", "0.3]"), nearly, "Quirk, Alan – Rome, Vera, 3., evaluation: 0.2 -> 0.3"},
		"a clock":                      {inMatch("0:58:05", "0:58:50"), nearly, "Quirk, Alan – Rome, Vera, 3., %clk: 0:58:5 -> 0:58:50"},
		"a comment":                    {inMatch("old idea", "idea"), nearly, "Quirk, Alan – Rome, Vera, 6..., comment: Alapin's old idea -> Alapin's idea"},
		"a comment at another move":    {inMatch(" {Alapin's old idea}", "", "7. d3", "7. d3 {Alapin's old idea}"), 0.9, "Quirk, Alan – Rome, Vera, 6..., comment: Alapin's old idea -> (nothing)"},
		"a comment before the moves":   {inMatch("Thursday", "Tuesday"), nearly, "Quirk, Alan – Rome, Vera, comment before the moves, comment: Played on a Thursday. -> Played on a Tuesday."},
		"a move of a variation":        {inMatch("8. Nxe5?", "8. Ng5?"), nearly, "Quirk, Alan – Rome, Vera, beside 7. (1) 8., move: f3e5 -> f3g5"},
		"a variation cut in two":       {inMatch("hxg4 8.", "hxg4) (8."), 0.85, "Quirk, Alan – Rome, Vera, beside 7. (1) 8., variation: 7. (1) -> 7. (2)"},
		"a lost variation":             {inMatch(" (7. hxg4 hxg4 8. Nxe5? Qh4 {wins})", ""), 0.85, "Quirk, Alan – Rome, Vera, beside 7. (1) 7.: lost (1 | 7. (1) | h3g4)"},
		"a tag":                        {inMatch("Quirk", "Quark"), 0.9, "Quirk, Alan – Rome, Vera, White, White: Quirk, Alan -> Quark, Alan"},
		"the round of the second game": {inMatch("\"4\"", "\"5\""), nearly, "Rome, Vera – Gill, Sam, Round, Round: 4 -> 5"},
		"the result after the moves":   {inMatch("Ne7 1-0", "Ne7 0-1"), nearly, "Quirk, Alan – Rome, Vera, result after the moves: 1-0 -> 0-1"},
		"the games in another order": {vfs.Files{"match.pgn": match[secondGame:] + "\n" + match[:secondGame]}, nearly,
			"Quirk, Alan – Rome, Vera: moved from place 1 to 2"},
		"a lost game":                {vfs.Files{"match.pgn": match[secondGame:]}, 0.05, "Quirk, Alan – Rome, Vera, 1.: lost (1 | e2e4)"},
		"an empty line in the moves": {inMatch("dxc6\n5.", "dxc6\n\n5."), nearly, "empty line 1: added (within the moves)"},
		"empty lines below the tags": {inMatch("{Played", "\n\n{Played"), 0.9, "empty line 1: added (above the moves)"},
		"single quotes around a tag": {inMatch(`"3"]`, `'3']`), 0.9, "Quirk, Alan – Rome, Vera, Round: lost (1 | 3)"},
		"prose":                      {vfs.Files{"match.pgn": "Here is the file:\n\n" + match}, nearly, "line 1: added (Here is the file:)"},
		"words among the moves":      {inMatch("2. Nf3", "2. Nf3 and then"), nearly, "text in the moves 1: added (and then)"},
		"a brace that is missing":    {inMatch("{wins}", "wins}"), 0.9, "Quirk, Alan – Rome, Vera, beside 7. (1) 8..., comment: wins -> (nothing)"},
		"an escaped line":            {vfs.Files{"match.pgn": match + "\n% kept by Alan\n"}, nearly, "line 1: added (% kept by Alan)"},
	} {
		score := New().Compare(inMatch(), c.candidate)
		if score.Strict == 1 || score.Strict < c.least {
			t.Errorf("%s: Strict %.4f, want less than 1 and at least %v", name, score.Strict, c.least)
		}
		var says []string
		for _, d := range New().Differences(inMatch(), c.candidate) {
			says = append(says, d.String())
		}
		if !strings.Contains(strings.Join(says, "\n")+"\n", c.says+"\n") {
			t.Errorf("%s: no %q in\n%s", name, c.says, strings.Join(says, "\n"))
		}
	}
}
