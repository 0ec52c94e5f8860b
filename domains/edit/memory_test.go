package edit_test

import (
	"testing"

	"agentd/domains/edit"
	"agentd/vfs"
)

// However many programs begin with a file, it is cut once; what they make of it is cut each time. No program sees what another did
// to the parts.
func TestFilesAreCutOnce(t *testing.T) {
	t.Parallel()
	files := vfs.Files{"a.txt": "b 3\na 1\nc 2\nb 2\n"}
	cuts := map[string]int{}
	lines := edit.Lines()
	format := edit.Format{
		Document: "list", Part: "line", Parts: "lines", Patterns: []string{"*.txt"}, Attributes: []edit.Attribute{edit.Has("letter", "letters", `^[a-z]`)},
		Cut: func(text string) edit.Pieces {
			cuts[text]++
			return lines(text)
		},
	}
	remembering := format.Remembering(files)
	if _, err := remembering.Propose(files, 1); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		for _, verb := range []edit.Verb{
			{SortBy: edit.Several[string]{"letter"}, Table: "order.csv", Document: "a.txt"}, {Reverse: true, Document: "a.txt"},
		} {
			program, err := remembering.Program(verb)
			if err != nil {
				t.Fatal(err)
			}
			there, err := program.Forward(files)
			if err != nil {
				t.Fatal(err)
			}
			if want := "a 1\nb 3\nb 2\nc 2\n"; !verb.Reverse && there["a.txt"] != want {
				t.Errorf("sorted: %q", there["a.txt"])
			}
		}
	}
	if n := cuts[files["a.txt"]]; n != 1 {
		t.Errorf("the file was cut %d times", n)
	}
	if n := cuts["a 1\nb 3\nb 2\nc 2\n"]; n != 3 {
		t.Errorf("what was made of it was cut %d times", n)
	}
}
