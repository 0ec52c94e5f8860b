package sim_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/models/sim"
	"agentd/policies"
	"agentd/vfs"
)

// long has a document that no single script can print, and what terminals do not
// show as it is.
var long = vfs.Files{
	"a.txt":    strings.Repeat("näh \x1b[1m \u0085 \u2028 \\ \" 𝄞 <&>\tx\r\n", 300),
	"open.txt": "first\nlast", "keep.txt": "kept\n", "blank.txt": "\n\n", "empty.txt": "",
}

func TestEveryToolSetIsPlayed(t *testing.T) {
	t.Parallel()
	model := open(t, listen(t), "sim:perfect")
	for mode, c := range map[string]struct {
		never []string // tools that the stand-in must not have used
		ends  int      // calls of finish
	}{
		"editor":       {[]string{"read_file"}, 1},
		"programmatic": {[]string{"read_file", "write_file", "delete_file", "view"}, 1},
		"verify":       {[]string{"view"}, 2},
	} {
		for seed := range int64(3) {
			task, got := edit(t, mode, model, seed, long, python{t})
			if diff := cmp.Diff(shouted(long), got); diff != "" {
				t.Errorf("%s, seed %d: %s", mode, seed, diff)
			}
			if task.Trace.Ending != policies.Finished || used(task, "finish") != c.ends {
				t.Errorf("%s, seed %d: ended %s after %d finishes", mode, seed, task.Trace.Ending, used(task, "finish"))
			}
			for _, tool := range c.never {
				if used(task, tool) > 0 {
					t.Errorf("%s, seed %d: used %s", mode, seed, tool)
				}
			}
			for _, call := range task.Trace.Calls {
				if call.Error != "" {
					t.Errorf("%s, seed %d: %+v", mode, seed, call)
				}
			}
		}
	}
}

// A file that is a copy of a document is made before the document is changed.
func TestCopiesAreOfDocumentsAsTheyWere(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("AS IT IS\n", 100)
	documents := map[string]string{"a.txt": body + "first\n"}
	result := map[string]string{"a.txt": body + "FIRST\n", "b.txt": body + "first\n"}
	for seed := range int64(6) {
		var job editing = func(map[string]string) map[string]string { return result }
		server, err := sim.Listen("127.0.0.1:0", job, sim.Options{})
		if err != nil {
			t.Fatal(err)
		}
		_, got := edit(t, "editor", open(t, server, "sim:perfect"), seed, documents, python{t})
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(vfs.Files(result), got); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
	}
}

// editing is an editor that does one thing, regardless of what it is told.
type editing func(files map[string]string) map[string]string

func (e editing) Find(string, []string, []string) (sim.Job, bool) {
	return sim.Job{
		IsDocument: func(name string) bool { return strings.HasSuffix(name, ".txt") },
		Do:         func(files map[string]string, _ sim.Damage) map[string]string { return e(files) },
	}, true
}

// What of a document stays is not written again.
func TestAnEditorChangesInPlace(t *testing.T) {
	t.Parallel()
	model := open(t, listen(t), "sim:perfect")
	mostlyCapitals := strings.Repeat("AS IT SHALL BE\n", 1000)
	documents := vfs.Files{
		"one.txt": mostlyCapitals + "this changes\n" + mostlyCapitals, "same.txt": mostlyCapitals + "SAME\n", "keep.txt": "kept\n",
	}
	inPlace := 0
	for seed := range int64(6) {
		task, got := edit(t, "editor", model, seed, documents, python{t})
		if diff := cmp.Diff(shouted(documents), got); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
		if used(task, "run_python") > 0 {
			continue
		}
		inPlace++
		if used(task, "copy") != 2 || used(task, "str_replace") != 1 {
			t.Errorf("seed %d: %d copies, %d replacements, want 2 and 1", seed, used(task, "copy"), used(task, "str_replace"))
		}
		sent := 0
		for _, call := range task.Trace.Calls {
			sent += call.In
		}
		if sent > 2000 {
			t.Errorf("seed %d: the calls have %d bytes of arguments", seed, sent)
		}
	}
	if inPlace == 0 {
		t.Error("no interaction was edited without a script")
	}
}
