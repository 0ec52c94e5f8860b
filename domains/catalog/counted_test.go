package catalog

import "testing"

func TestOneOfAThingIsSingular(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		noun string
		n    int
		want string
	}{{"event", 1, "event"}, {"event", 2, "events"}, {"entry", 3, "entries"}, {"key", 0, "keys"}} {
		if got := counted(c.noun, c.n); got != c.want {
			t.Errorf("%d %s, want %s", c.n, got, c.want)
		}
	}
}
