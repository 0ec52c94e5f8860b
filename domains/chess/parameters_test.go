package chess

import (
	"strings"
	"testing"

	"agentd/domains/domaintest"
	"agentd/vfs"
)

func TestOtherParameters(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ edit, parameters, file, want string }{
		{"cut_openings", `{"document": "casual.pgn", "opening": "o.pgn", "rest": "r.pgn", "moves": 1}`, "r.pgn",
			"\n2. g4?? {[%eval #-1]"},
		{"evaluations_apart", `{"document": "casual.pgn", "to": "c.pgn", "classes": [{"name": "slip", "least": 0.6}], "table": "e.csv"}`,
			"e.csv", "1,1,white,-0.6,-0.6,slip\n1,2,black,-0.7,-0.1,\n"},
		{"split_by_game", `{"document": "casual.pgn", "begins": "g", "table": "g.csv"}`, "g.csv", "g01.pgn,2,"},
	} {
		edit, err := domaintest.Edit(t, New(), c.edit).With(c.parameters)
		if err != nil {
			t.Fatal(err)
		}
		made, err := edit.Forward(vfs.Files{"a.pgn": casual})
		if err != nil || !strings.Contains(made[c.file], c.want) {
			t.Errorf("%s: %v %v", c.edit, err, made)
		}
		back, err := edit.Backward(made)
		if score := New().Compare(vfs.Files{"casual.pgn": casual}, back); err != nil || score.Strict != 1 {
			t.Errorf("%s: %v %v", c.edit, err, back)
		}
	}
}
