// Package harbor writes environments as tasks of Harbor, a framework that runs agents on tasks in
// containers. A task is a relay: its steps are the forward and backward steps of round trips, and
// each is scored by agentd in a container of its own, so that no agent sees the exact programs.
package harbor

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"text/template"

	"agentd/domains"
	"agentd/environments"
	"agentd/internal/datafile"
	"agentd/internal/lazyregexp"
	"agentd/internal/usage"
	"agentd/results"
	"agentd/vfs"
)

//go:embed files
var files embed.FS

// ErrNoExact says that no edit of an environment has an exact program that works, so that no step
// of it could be scored.
var ErrNoExact = errors.New("no edit has an exact program that works on the seed")

// step is an edit in one direction, with what its exact program makes of the documents.
type step struct {
	Name        string
	Edit        environments.Edit
	Direction   results.Direction
	Instruction string
	Targets     []string
	TargetWords int
	Gone        []string // documents that are not there afterwards
	documents   vfs.Files
}

// task is what the templates are filled in with.
type task struct {
	Env         *environments.Environment
	Package     string // organisation/name
	Description string
	Steps       []step
}

// Write writes an environment as a task into a new folder with its name in dir, with the given number
// of round trips; 0 means one for each edit. Edits without an exact program are omitted; the others are
// repeated in order. It returns the number of steps. Without any such edit the error is ErrNoExact. If
// the folder exists, the error is a usage.Error that wraps fs.ErrExist. After any other error the folder
// is removed.
func Write(dir string, env *environments.Environment, d domains.Domain, roundTrips int) (steps int, err error) {
	t := task{Env: env, Package: "agentd/" + portable(env.Name)}
	if t.Steps, err = relay(env, d, roundTrips); err != nil {
		return 0, fmt.Errorf("writing %s as a task: %w", env.Name, err)
	}
	t.Description = fmt.Sprintf("Edits of %s documents, there and back: %s", env.Domain, env.Title)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	if err := root.Mkdir(env.Name, 0o755); errors.Is(err, fs.ErrExist) {
		return 0, usage.Errorf("%s is there already; move it away, or choose another folder: %w", path.Join(dir, env.Name), fs.ErrExist)
	} else if err != nil {
		return 0, err
	}
	if err := t.writeIn(root, path.Join(dir, env.Name)); err != nil {
		return 0, errors.Join(fmt.Errorf("writing %s as a task: %w", env.Name, err), root.RemoveAll(env.Name))
	}
	return len(t.Steps), nil
}

// relay is the steps of round trips. Exact programs lead back to the seed, so each step begins with
// the seed or with what an edit makes of it.
func relay(env *environments.Environment, d domains.Domain, roundTrips int) ([]step, error) {
	var pairs [][2]step
	words := env.TargetWords()
	for _, edit := range env.Edits {
		if roundTrips > 0 && len(pairs) == roundTrips {
			break
		}
		exact, ok := env.OracleFor(edit, d)
		if !ok {
			continue
		}
		there, err := exact.Forward(env.Seed)
		if err != nil {
			continue
		}
		back, err := exact.Backward(there)
		if err != nil {
			continue
		}
		pairs = append(pairs, [2]step{
			{Edit: edit, Direction: results.Forward, Instruction: edit.Forward, Targets: edit.Targets, TargetWords: words, Gone: gone(env.Seed, there), documents: there},
			{Edit: edit, Direction: results.Backward, Instruction: edit.Backward, Targets: env.Targets, TargetWords: words, Gone: gone(there, back), documents: back},
		})
	}
	if len(pairs) == 0 {
		return nil, ErrNoExact
	}
	if roundTrips == 0 {
		roundTrips = len(pairs)
	}
	var steps []step
	for trip := range roundTrips {
		for _, s := range pairs[trip%len(pairs)] {
			s.Name = fmt.Sprintf("%02d-%s-%s", len(steps)+1, portable(s.Edit.Name), s.Direction)
			steps = append(steps, s)
		}
	}
	return steps, nil
}

// gone are the files before that are not among those after.
func gone(before, after vfs.Files) []string {
	var names []string
	for _, name := range before.Names() {
		if _, stays := after[name]; !stays {
			names = append(names, name)
		}
	}
	return names
}

// writeIn writes the files of the task below its folder in root, which is at the given path.
func (t *task) writeIn(root *os.Root, at string) error {
	if err := t.Env.Save(path.Join(at, "tests", "environments")); err != nil {
		return err
	}
	own, err := root.OpenRoot(t.Env.Name)
	if err != nil {
		return err
	}
	write := func(dir string, files vfs.Files) {
		for name, content := range files {
			err = errors.Join(err, datafile.Create(own, path.Join(dir, name), []byte(content)))
		}
	}
	fill := func(name, file string, values any) {
		text, failed := filledIn(file, values)
		err = errors.Join(err, failed, datafile.Create(own, name, text))
		if failed == nil && strings.HasSuffix(name, ".sh") {
			err = errors.Join(err, own.Chmod(name, 0o755))
		}
	}
	fill("task.toml", "task.toml.tmpl", t)
	fill("environment/Dockerfile", "environment.Dockerfile", nil)
	fill("tests/Dockerfile", "tests.Dockerfile", nil)
	fill("tests/test.sh", "test.sh.tmpl", t)
	write("environment/work", t.Env.Seed)
	write("environment/work", t.Env.Distractors)
	for i := range t.Steps {
		s := &t.Steps[i]
		dir := path.Join("steps", s.Name)
		fill(path.Join(dir, "instruction.md"), "instruction.md.tmpl", s)
		fill(path.Join(dir, "solution/solve.sh"), "solve.sh.tmpl", s)
		write(path.Join(dir, "solution/documents"), s.documents)
	}
	return errors.Join(err, own.Close())
}

// filledIn is a file of the task: a template with values, or as it is.
func filledIn(name string, values any) ([]byte, error) {
	text, err := files.ReadFile("files/" + name)
	if err != nil || values == nil {
		return text, err
	}
	t, err := template.New(name).Funcs(template.FuncMap{"toml": inTOML, "shell": inShell}).Parse(string(text))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, values)
	return b.Bytes(), err
}

// inTOML is a text as TOML writes it: as JSON does, but for the delete character.
func inTOML(text any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(text)
	return strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\x7f", `\u007f`), err
}

// inShell is a text as one word of a shell.
func inShell(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

var unportable = lazyregexp.New(`[^A-Za-z0-9_-]+`)

// portable is a name that any file system and Harbor take.
func portable(name string) string { return unportable.ReplaceAllString(name[:min(len(name), 80)], "-") }
