package chess

import "testing"

func TestComputedAttributesOfGames(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ part, halfMoves, position string }{
		"variations and comments are passed over": {
			"[Event \"?\"]\n\n1. f3 {1. e4} e5 2. g4 (2. e4 Nf6) Qh4# 0-1\n", "4",
			"rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
		},
		"from a position of its own": {
			"[Event \"?\"]\n[FEN \"4k3/P7/8/3pP3/8/8/8/R3K3 w Q d6 4 10\"]\n\n10. exd6 Kf7 11. a8=Q *\n", "3",
			"Q7/5k2/3P4/8/8/8/8/R3K3 b Q - 0 11",
		},
		"a move is not legal": {"[Event \"?\"]\n\n1. e4 e4 *\n", "2", ""},
		"no game":             {"; board 3\n", "", ""},
	} {
		if got := halfMoves(c.part); got != c.halfMoves {
			t.Errorf("%s: %q half-moves, want %q", name, got, c.halfMoves)
		}
		if got := finalPosition(c.part); got != c.position {
			t.Errorf("%s: final position %q, want %q", name, got, c.position)
		}
	}
}

func TestComputedAttributesOfMoves(t *testing.T) {
	t.Parallel()
	for part, want := range map[string][2]string{
		"10. O-O {[%eval 0.38]} 10... f6?! {[%eval 0.95] bad}": {"f6", "0.57"},
		"6. Be3 {[%eval 0.26]} (6. c4 {[%eval 2]} a6) 6... a6": {"a6", ""},
		"9. c4 {[%eval 0.1]} a5 {[%eval -0.2]}":                {"a5", "-0.3"},
		"9. c4 {[%eval 0.1]} a5 {[%eval 0.1]}":                 {"a5", "0"},
		"24. Qg6+ {[%eval 7.55]} Kc5 {[%eval #7]}":             {"Kc5", ""},
		"19. Rxg5# {[%clk 0:39:52]} 1-0":                       {"", ""},
	} {
		if got := [2]string{reply(part), replyLoss(part)}; got != want {
			t.Errorf("%s: %q, want %q", part, got, want)
		}
	}
}
