package tools

import (
	"image"
	"strings"
	"testing"

	"agentd/internal/picture"
	"agentd/sandbox"
	"agentd/vfs"
)

// withPicture are files of which one is a picture, and one has a picture's name only.
func withPicture(t *testing.T) vfs.Files {
	t.Helper()
	content, err := picture.Encode(image.NewNRGBA(image.Rect(0, 0, 12, 7)))
	if err != nil {
		t.Fatal(err)
	}
	return vfs.Files{"scene.png": content, "torn.jpg": "\xff\xd8\x00", "notes.txt": "a note\n"}
}

// Tools say what a binary file is in place of its bytes, and refuse to write text into one with
// what to do instead.
func TestToolsOnBinaryFiles(t *testing.T) {
	t.Parallel()
	type args = map[string]any
	const (
		said    = "scene.png is a binary file: PNG picture, 12 × 7 pixels, "
		open    = "Its content is not shown; open it with run_python, for example with Pillow"
		refused = "scene.png is a picture by its name, and this tool writes text only; write the picture with run_python"
		mixed   = "is a picture by its name and the other is text; convert it with run_python"
	)
	for name, c := range map[string]struct {
		tools  []Tool
		tool   string
		args   args
		failed bool
		want   []string
	}{
		"read_file, published":    {Published(), ReadFile, args{"filename": "scene.png"}, false, []string{said, open}},
		"read_file":               {Standard(), ReadFile, args{"path": "scene.png"}, false, []string{said, open}},
		"view":                    {Editor(), View, args{"path": "scene.png"}, false, []string{said, open}},
		"what is no picture":      {Standard(), ReadFile, args{"path": "torn.jpg"}, false, []string{"torn.jpg is a binary file: 3 bytes, no picture that can be read", open}},
		"write_file, published":   {Published(), WriteFile, args{"filename": "scene.png", "content": "iVBORw0"}, true, []string{refused}},
		"write_file":              {Standard(), WriteFile, args{"path": "scene.png", "content": "iVBORw0"}, true, []string{refused}},
		"a new picture":           {Standard(), WriteFile, args{"path": "new.webp", "content": "x"}, true, []string{"new.webp is a picture by its name"}},
		"str_replace":             {Editor(), Replace, args{"path": "scene.png", "old": "PNG", "new": "x"}, true, []string{refused}},
		"insert":                  {Editor(), Insert, args{"path": "scene.png", "line": 0, "text": "x"}, true, []string{refused}},
		"a copy as text":          {Editor(), Copy, args{"from": "scene.png", "to": "scene.txt"}, true, []string{mixed}},
		"text renamed to picture": {Editor(), Rename, args{"from": "notes.txt", "to": "notes.png"}, true, []string{mixed}},
		"a copy as picture":       {Editor(), Copy, args{"from": "scene.png", "to": "copy.PNG"}, false, []string{"copy.PNG"}},
	} {
		ws, err := vfs.New(withPicture(t), nil)
		if err != nil {
			t.Fatal(err)
		}
		before, err := ws.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		runner := func() (sandbox.Runner, error) { return nil, sandbox.ErrUnavailable }
		s := NewSession(ws, runner, c.tools)
		if strings.HasSuffix(name, "published") {
			s = NewPublished(ws, runner, c.tools)
		}
		outcome := call(t, s, c.tool, c.args)
		for _, want := range c.want {
			if outcome.Failed != c.failed || !strings.Contains(outcome.Text, want) {
				t.Errorf("%s: failed %v, %q; want %v, %q", name, outcome.Failed, outcome.Text, c.failed, want)
			}
		}
		if strings.ContainsAny(outcome.Text, "\x00\ufffd") || strings.Contains(outcome.Text, "IHDR") {
			t.Errorf("%s shows bytes: %q", name, outcome.Text)
		}
		after, err := ws.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		if c.failed && !after.Equal(before) {
			t.Errorf("%s was refused, but changed the files", name)
		}
		if !c.failed && c.tool == Copy && after["copy.PNG"] != before["scene.png"] {
			t.Errorf("%s: the copy has other bytes", name)
		}
	}
}

// What lists files, compares them or looks into them leaves out the bytes, too.
func TestAnEditorOnBinaryFiles(t *testing.T) {
	t.Parallel()
	ws, err := vfs.New(withPicture(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	s := NewSession(ws, func() (sandbox.Runner, error) { return nil, sandbox.ErrUnavailable }, Editor())
	if err := ws.Write("scene.png", "now torn\x00"); err != nil {
		t.Fatal(err)
	}
	for tool, c := range map[string]struct {
		args map[string]any
		want string
	}{
		Grep: {map[string]any{"pattern": "."}, "notes.txt:1:a note\n"},
		Diff: {nil, "was: PNG picture, 12 × 7 pixels, "},
		List: {nil, "(1 lines, 7 bytes)"},
	} {
		outcome := call(t, s, tool, c.args)
		if !strings.Contains(outcome.Text, c.want) || strings.Contains(outcome.Text, "IHDR") || strings.ContainsRune(outcome.Text, 0) {
			t.Errorf("%s: %q, want %q", tool, outcome.Text, c.want)
		}
	}
}
