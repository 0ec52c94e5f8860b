package element

import (
	"strings"
	"testing"
)

// documentOf is a list of elements of one letter, of files with a comma between them.
func documentOf(text string) (all []Element) {
	for file, letters := range strings.Split(text, ",") {
		for i, letter := range letters {
			all = append(all, Element{Kind: "row", Fields: []Field{{Value: string(letter)}}, Position: InFile(file, i+1)})
		}
	}
	return all
}

func TestFilesMayFollowOneAnotherInAnyOrder(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		ref, got string
		moved    bool
	}{
		"one file":                                 {"abcd", "abcd", false},
		"one file in another order":                {"abcd", "bacd", true},
		"two files":                                {"abcd", "ab,cd", false},
		"names in another order":                   {"abcd", "cd,ab", false},
		"three files":                              {"abcdef", "ef,ab,cd", false},
		"another order in a file":                  {"abcd", "dc,ab", true},
		"files that cannot follow one another":     {"abcd", "ac,bd", true},
		"a divided reference":                      {"ab,cd", "abcd", false},
		"both are divided":                         {"ab,cd", "cd,ab", false},
		"a file that the reference has nothing of": {"abcd", "cd,xy,ab", false},
	} {
		ref, got := AlignFiles(documentOf(c.ref), documentOf(c.got), "row")
		moved := false
		for _, d := range Compare(ref, got, "row").Differences {
			moved = moved || d.Kind == Moved
		}
		if moved != c.moved {
			t.Errorf("%s: moved %v: %v", rule, moved, Compare(ref, got, "row").Differences)
		}
	}
}
