// Package requests lets another program use a sandbox: it keeps a workspace, and answers requests to run
// commands on it and to read and write its files, a JSON object a line.
//
// Each command runs in a sandbox of its own. Only the files of the workspace stay for the next one.
package requests

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"agentd/internal/datafile"
	"agentd/internal/jsonsafe"
	"agentd/sandbox"
	"agentd/vfs"
)

// MostSeconds is what a command may take, and takes at most where its request says nothing.
const MostSeconds = 3600

// mostOutput is how many characters of output a request may ask for.
const mostOutput = 10 << 20

// request is a line. Do says what is asked for:
//
//   - exec runs Args in the folder Cwd of the workspace, and answers with a sandbox.Result;
//   - read answers with the content of the file Name;
//   - write creates or replaces the file Name;
//   - list answers with the names of all files.
type request struct {
	Do      string            `json:"do"`
	Args    []string          `json:"args"`
	Cwd     string            `json:"cwd"`
	Env     map[string]string `json:"env"`
	Stdin   []byte            `json:"stdin"`   // in base64
	Seconds float64           `json:"seconds"` // wall time; 0 for MostSeconds
	Output  int               `json:"output"`  // characters of output kept; 0 for the sandbox's default
	Name    string            `json:"name"`
	Content []byte            `json:"content"` // in base64
}

// Kinds of errors, for programs.
const (
	KindRequest = "request" // the line is no request, or asks for what cannot be done
	KindAbsent  = "absent"  // there is no such file
	KindFolder  = "folder"  // the name is that of a folder
	KindPath    = "path"    // no workspace takes the name
	KindContent = "content" // the workspace does not take the content
)

// refusal is an error that belongs to one request.
type refusal struct {
	Text string `json:"error"`
	Kind string `json:"kind"`
}

func (r *refusal) Error() string { return r.Text }

// Serve answers requests until the input ends. A request that cannot be met is answered with
// {"error", "kind"}. The error is a fault of the machine, or ctx's.
func Serve(ctx context.Context, backend sandbox.Backend, in io.Reader, out io.Writer) (err error) {
	ws, err := vfs.New(nil, nil)
	if err != nil {
		return err
	}
	runner, err := backend.NewRunner(sandbox.DefaultLimits())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, runner.Close()) }()
	bench := &bench{workspace: ws, runner: runner}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for line := range datafile.Lines(in, datafile.MostLineBytes) {
		if err := cmp.Or(ctx.Err(), line.Err); err != nil {
			return fmt.Errorf("reading request %d: %w", line.Number, err)
		}
		if len(bytes.TrimSpace(line.Text)) == 0 {
			continue
		}
		answer, err := bench.answer(ctx, line.Text)
		if refused, ok := errors.AsType[*refusal](err); ok {
			answer, err = refused, nil
		}
		if err != nil {
			return fmt.Errorf("answering request %d: %w", line.Number, err)
		}
		if err := encoder.Encode(answer); err != nil {
			return fmt.Errorf("writing answer %d: %w", line.Number, err)
		}
	}
	return nil
}

// bench is a workspace with the sandbox of its commands.
type bench struct {
	workspace *vfs.Workspace
	runner    sandbox.Runner
}

// answer meets one request. An error other than a refusal is a fault of the machine.
func (b *bench) answer(ctx context.Context, line []byte) (any, error) {
	var r request
	if err := jsonsafe.Unmarshal(line, &r, jsonsafe.DefaultLimits()); err != nil {
		return nil, &refusal{err.Error(), KindRequest}
	}
	switch r.Do {
	case "exec":
		return b.exec(ctx, r)
	case "read":
		return b.read(r.Name)
	case "write":
		return struct{}{}, b.write(r.Name, string(r.Content))
	case "list":
		return map[string][]string{"names": append([]string{}, b.workspace.Names()...)}, nil
	}
	return nil, &refusal{fmt.Sprintf("unknown request %q; there are exec, read, write and list", r.Do), KindRequest}
}

// inFolder is a shell's program that runs the arguments after the first in the folder that the first names.
const inFolder = `cd -- "$0" && exec "$@" <` + sandbox.CommandTask

func (b *bench) exec(ctx context.Context, r request) (sandbox.Result, error) {
	limits := sandbox.DefaultLimits()
	if r.Seconds < 0 || r.Seconds > MostSeconds || r.Output < 0 || r.Output > mostOutput {
		return sandbox.Result{}, &refusal{fmt.Sprintf("seconds must be at most %d, and output at most %d", MostSeconds, mostOutput), KindRequest}
	}
	limits.WallTime = time.Duration(cmp.Or(r.Seconds, MostSeconds) * float64(time.Second))
	limits.OutputChars = cmp.Or(r.Output, limits.OutputChars)
	folder := path.Join(sandbox.Workspace, r.Cwd)
	if path.IsAbs(r.Cwd) {
		folder = r.Cwd
	}
	command := sandbox.Command{Args: slices.Concat([]string{"sh", "-c", inFolder, folder}, r.Args), Task: string(r.Stdin), Limits: limits}
	for _, name := range slices.Sorted(maps.Keys(r.Env)) {
		command.Env = append(command.Env, name+"="+r.Env[name])
	}
	if len(r.Args) == 0 {
		return sandbox.Result{}, &refusal{"there is no command to run", KindRequest}
	}
	if err := command.Check(); err != nil {
		return sandbox.Result{}, &refusal{err.Error(), KindRequest}
	}
	return b.runner.RunCommand(ctx, b.workspace, command)
}

// within is the name of a file in the workspace, given by its path there or in the sandbox.
func within(name string) (string, error) {
	clean, err := vfs.Clean(strings.TrimPrefix(path.Clean(name), sandbox.Workspace+"/"))
	if err != nil {
		return "", &refusal{err.Error(), KindPath}
	}
	return clean, nil
}

func (b *bench) read(name string) (any, error) {
	name, err := within(name)
	if err != nil {
		return nil, err
	}
	content, err := b.workspace.Peek(name)
	if err != nil {
		if b.folder(name) {
			return nil, &refusal{fmt.Sprintf("%s is a folder", name), KindFolder}
		}
		return nil, &refusal{err.Error(), KindAbsent}
	}
	return map[string][]byte{"content": []byte(content)}, nil
}

func (b *bench) write(name, content string) error {
	name, err := within(name)
	switch {
	case err != nil:
		return err
	case b.folder(name):
		return &refusal{fmt.Sprintf("%s is a folder", name), KindFolder}
	case !vfs.Binary(name) && !utf8.ValidString(content):
		return &refusal{fmt.Sprintf("%s is no UTF-8 text, and its name is not that of a picture", name), KindContent}
	}
	if err := b.workspace.Write(name, content); err != nil {
		return &refusal{err.Error(), KindContent}
	}
	return nil
}

// folder reports whether there are files below the name.
func (b *bench) folder(name string) bool {
	return slices.ContainsFunc(b.workspace.Names(), func(file string) bool { return strings.HasPrefix(file, name+"/") })
}
