package sets

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLastPairs(t *testing.T) {
	t.Parallel()
	got := LastPairs([]string{"a", "b", "a", "c", "d"}, []string{"d", "a", "x", "b", "b"})
	if diff := cmp.Diff([][2]int{{1, 4}, {2, 1}, {4, 0}}, got); diff != "" {
		t.Error(diff)
	}
	if got := LastPairs(nil, []int{1}); got != nil {
		t.Errorf("%v of nothing", got)
	}
}
