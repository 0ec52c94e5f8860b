package exact

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// note is a document without parts.
type note struct{ text string }

var single = Single[*note]{
	Document: func(files vfs.Files) (*note, error) {
		for _, text := range files.Match([]string{"*.txt"}) {
			return &note{text}, nil
		}
		return nil, errors.New("no note")
	},
	Named: func(files vfs.Files, name string) (*note, error) {
		text, err := plain.File(files, name)
		return &note{text}, err
	},
	Print: func(n *note) string { return n.text },
}

func TestSingleRewritesAndLeadsBack(t *testing.T) {
	t.Parallel()
	steps := single.Rewrite("a.txt", "b.txt", func(n *note) (vfs.Files, error) {
		if n.text == "" {
			return nil, errors.New("an empty note")
		}
		n.text = strings.ToUpper(n.text)
		return nil, nil
	}, func(n *note, _ vfs.Files) error {
		n.text = strings.ToLower(n.text)
		return nil
	})
	made, err := steps.Forward(vfs.Files{"any.txt": "hello"})
	if diff := cmp.Diff(vfs.Files{"b.txt": "HELLO"}, made); diff != "" || err != nil {
		t.Error(diff, err)
	}
	again, err := steps.Backward(made)
	if diff := cmp.Diff(vfs.Files{"a.txt": "hello"}, again); diff != "" || err != nil {
		t.Error(diff, err)
	}
	for want, step := range map[string]func() (vfs.Files, error){
		"no note":          func() (vfs.Files, error) { return steps.Forward(vfs.Files{"a.csv": ""}) },
		"an empty note":    func() (vfs.Files, error) { return steps.Forward(vfs.Files{"a.txt": ""}) },
		"b.txt is missing": func() (vfs.Files, error) { return steps.Backward(vfs.Files{"a.txt": ""}) },
	} {
		if made, err := step(); err == nil || err.Error() != want || made != nil {
			t.Errorf("%v (%v), want %s", made, err, want)
		}
	}
}

func TestSingleChangesAndLeadsBack(t *testing.T) {
	t.Parallel()
	steps := single.Change("a.txt", "b.txt",
		func(n *note) { n.text = strings.ToUpper(n.text) },
		func(n *note) { n.text = strings.ToLower(n.text) })
	made, err := steps.Forward(vfs.Files{"any.txt": "hello"})
	if diff := cmp.Diff(vfs.Files{"b.txt": "HELLO"}, made); diff != "" || err != nil {
		t.Error(diff, err)
	}
	again, err := steps.Backward(made)
	if diff := cmp.Diff(vfs.Files{"a.txt": "hello"}, again); diff != "" || err != nil {
		t.Error(diff, err)
	}
}
