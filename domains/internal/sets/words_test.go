package sets

import (
	"maps"
	"testing"
)

func TestWords(t *testing.T) {
	t.Parallel()
	if got, want := Words(" if\n\telse  if "), map[string]bool{"if": true, "else": true}; !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
