package tokens_test

import (
	"testing"

	"agentd/environments/tokens"
	"agentd/vfs"
)

func TestCount(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files vfs.Files
		want  int
	}{
		"nothing":          {nil, 0},
		"two words":        {vfs.Files{"a": "hello world"}, 2},
		"files are summed": {vfs.Files{"a": "hello world", "b": "hello world"}, 4},
		"digits by threes": {vfs.Files{"a": "1234567"}, 3},
	} {
		if got, err := tokens.Count(c.files); err != nil || got != c.want {
			t.Errorf("%s: %d (%v), want %d", name, got, err, c.want)
		}
	}
}
