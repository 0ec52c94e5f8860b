package chess

import "testing"

func TestEvaluationsAreFoundInComments(t *testing.T) {
	t.Parallel()
	for comment, want := range map[string]float64{
		"[%eval 0.25]": 0.25, "[%eval -1]": -1, "x [%eval\n+2.5] [%eval 3]": 2.5, "[%eval #3] [%eval 7.1]": 7.1, "[%eval0.5]": 0.5,
	} {
		if got, ok := Evaluation(comment); !ok || got != want {
			t.Errorf("%q: %v, %v, want %v", comment, got, ok, want)
		}
	}
	for _, comment := range []string{"", "[%eval #-4]", "[%eval 0.25,12]", "[%eval 0.3 ]", "[%eval .5]", "%eval 1]", "[%clk 0:01:00]"} {
		if got, ok := Evaluation(comment); ok {
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
