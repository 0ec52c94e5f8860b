package chess

import (
	"errors"
	"strings"
	"testing"

	"agentd/vfs"
)

// recorded is what the published reader finds: the moves with marks and comments
// and the result.
func recorded(text string) (string, error) {
	r, err := parse(vfs.Files{"game.pgn": text})
	if err != nil {
		return "", err
	}
	var words []string
	for i := range r.plies {
		ply := &r.plies[i]
		word := ply.move.uci()
		for _, mark := range ply.marks {
			word += "$" + mark
		}
		if ply.comment != "" {
			word += "{" + ply.comment + "}"
		}
		words = append(words, word)
	}
	return strings.Join(append(words, r.tags["Result"]), " "), nil
}

func TestThePublishedReader(t *testing.T) {
	t.Parallel()
	const head = "[Event \"x\"]\n"
	for name, c := range map[string]struct{ text, want string }{
		"a game":                            {head + "\n1. e4 e5 2. Nf3 *\n", "e2e4 e7e5 g1f3 *"},
		"no text":                           {" \n\n", ""},
		"any text":                          {"Dear all\n", "*"},
		"moves within words":                {head + "\nGb4 a49\n", "b2b4 *"},
		"the result of the moves":           {head + "\n1. e4 1-0\n", "e2e4 1-0"},
		"the header's result stays":         {head + "[Result \"0-1\"]\n\n1. e4 1-0\n", "e2e4 0-1"},
		"moves after the result":            {head + "\n1. e4 1-0 e5\n", "e2e4 e7e5 1-0"},
		"a repeated tag":                    {"[Result \"0-1\"]\n[Result \"1-0\"]\n\ne4\n", "e2e4 1-0"},
		"an empty line among tags":          {head + "\n[Result \"1-0\"]\n\n1. e4\n", "e2e4 1-0"},
		"two empty lines end the game":      {head + "\n\n1. e4\n", "*"},
		"an empty line ends the moves":      {head + "\n1. e4\n\n1... e5\n", "e2e4 *"},
		"one in a comment does not":         {head + "\n1. e4 {a\n\nb} e5\n", "e2e4{a\n\nb} e7e5 *"},
		"lines that are kept back":          {"% a\n; b\n" + head + "%c\n\n1. e4\n;e5\n%e6\nc5\n", "e2e4 c7c5 *"},
		"comments are joined":               {head + "\n1. e4 {a} { b } {} e5\n", "e2e4{a b} e7e5 *"},
		"a comment before the moves":        {head + "\n{a} 1. e4\n", "e2e4 *"},
		"one after a variation":             {head + "\n1. e4 (1. d4) {a} e5\n", "e2e4{a} e7e5 *"},
		"one after an empty variation":      {head + "\n1. e4 () {a} e5\n", "e2e4 e7e5 *"},
		"a comment to the end of the line":  {head + "\n1. e4 ; c5\ne5\n", "e2e4 e7e5 *"},
		"marks":                             {head + "\n1. e4! $14 $1 e5?!\n", "e2e4$1$14 e7e5$6 *"},
		"marks without a move":              {head + "\n! $3 1. e4\n", "e2e4 *"},
		"an illegal move":                   {head + "\n1. e4 e4 2. d4 1-0\n", "e2e4 *"},
		"an illegal move in a variation":    {head + "\n1. e4 (1. e5 e6 (1. d3) d4) e5 2. Nf3\n", "e2e4 *"},
		"and another board after it":        {head + "\n1. e4 (1. d4 d4) c5\n", "e2e4 c7c5 *"},
		"a variation before any move":       {head + "\n(1. d4) 1. e4\n", "d2d4 *"},
		"a variation of a variation's move": {head + "\n1. e4 e5 (1... c5 (1... e6 2. d4) 2. c3) 2. d4\n", "e2e4 e7e5 d2d4 *"},
		"brackets at once":                  {head + "\n1. e4 e5 ((1. c4 c5) 1... d5) 2. d4\n", "e2e4 e7e5 d2d4 *"},
		"a null move":                       {head + "\n1. e4 -- 2. d4 Z0 3. c4\n", "e2e4 0000 d2d4 0000 c2c4 *"},
		"a position":                        {"[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8N a8\n", "a7a8n *"},
		"no position":                       {"[FEN \"8/8 w\"]\n\n1. a8=N 1-0\n", "*"},
	} {
		got, err := recorded(c.text)
		if err != nil || strings.TrimSpace(got) != c.want {
			t.Errorf("%s: %q, %v, want %q", name, got, err, c.want)
		}
	}
}

func TestTheReaderLosesTrack(t *testing.T) {
	t.Parallel()
	for _, moves := range []string{
		"1. e4 (1. e5) e5 2. e5) {a}",
		"1. e4 e4 ) 2. d4) {a}",
		"1. e4 e4 ) $1",
		"1. e4 e4 ) (",
		"1. e4 e4 ) e5",
	} {
		if got, err := recorded("[Event \"x\"]\n\n" + moves + "\n"); !errors.Is(err, errLostTrack) {
			t.Errorf("%s: %q, %v, want an error", moves, got, err)
		}
	}
}

func TestEvaluationsAreFoundInComments(t *testing.T) {
	t.Parallel()
	for comment, want := range map[string]float64{
		"[%eval 0.25]": 0.25, "[%eval -1]": -1, "x [%eval\n+2.5] [%eval 3]": 2.5, "[%eval #3] [%eval 7.1]": 7.1, "[%eval0.5]": 0.5,
	} {
		if got, ok := evaluation(comment); !ok || got != want {
			t.Errorf("%q: %v, %v, want %v", comment, got, ok, want)
		}
	}
	for _, comment := range []string{"", "[%eval #-4]", "[%eval 0.25,12]", "[%eval 0.3 ]", "[%eval .5]", "%eval 1]", "[%clk 0:01:00]"} {
		if got, ok := evaluation(comment); ok {
			t.Errorf("%q: %v, want none", comment, got)
		}
	}
}

func TestTheHeaderIsComparedByNineTags(t *testing.T) {
	t.Parallel()
	was := map[string]string{"Event": "Ladder", "White": "Ann ", "ECO": "B25", "Round": "3"}
	for name, c := range map[string]struct {
		is   map[string]string
		want float64
	}{
		"the same":              {was, 1},
		"letter case and ends":  {map[string]string{"Event": " LADDER", "White": "ann", "ECO": "b25"}, 1},
		"one of three":          {map[string]string{"Event": "Ladder", "White": "Ann", "ECO": "B26"}, 2.0 / 3},
		"one more":              {map[string]string{"Event": "Ladder", "White": "Ann", "ECO": "B25", "Site": "x"}, 0.75},
		"those that count none": {map[string]string{"Event": "Ladder", "White": "Ann", "ECO": "B25", "Date": "x"}, 1},
	} {
		if got := headerScore(was, c.is); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
