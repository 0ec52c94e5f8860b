package treebank

import "testing"

func TestWordsOf(t *testing.T) {
	t.Parallel()
	for part, want := range map[string]string{
		"# text = It's\n1-2\tIt's\t_\n1\tIt\tit\n2\t's\tbe\n2.1\tgone\tgo\n": "2",
		"# text = none\n": "0",
	} {
		if got := wordsOf(part); got != want {
			t.Errorf("%s: %q, want %q", part, got, want)
		}
	}
}
