// Package tools is what a model may do to a workspace, in sets: five tools for files
// and scripts (Standard), the same as the published harness has them (Published),
// those of an editor (Editor), and scripts alone (Programmatic).
//
// A tool is one definition: its name, its description and a function of a
// struct of arguments, from which the JSON schema is made. For anything that a model
// sends (a wrong name, malformed JSON, a path out of reach), it gets a text
// back that says what was wrong; only a sandbox that does not work, a context
// that ended, or a Crash is an error.
package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"agentd/sandbox"
	"agentd/vfs"
)

// Names of the tools.
const (
	ReadFile   = "read_file"
	WriteFile  = "write_file"
	DeleteFile = "delete_file"
	RunPython  = "run_python"
	Finish     = "finish"

	List    = "list"
	View    = "view"
	Grep    = "grep"
	Diff    = "diff"
	Replace = "str_replace"
	Insert  = "insert"
	Copy    = "copy"
	Rename  = "rename"
)

// Tool is one thing a model may do.
type Tool struct {
	Name        string
	Description string
	Parameters  json.RawMessage // a JSON schema
	run         func(context.Context, *Session, arguments) (string, error)
}

// arguments are what a model gave for a call, by name, as encoding/json reads
// them.
type arguments map[string]any

// Outcome is what a call came to.
type Outcome struct {
	Text     string   // for the model
	Failed   bool     // whether Text is an error
	Changed  int      // files it wrote, altered or deleted
	ArgNames []string // names of the arguments it gave, in order of name
}

// Session is one interaction's use of the tools. It is not safe for concurrent
// use.
type Session struct {
	Workspace *vfs.Workspace
	// NewRunner starts the interaction's sandbox; it is called at the first
	// script.
	NewRunner func() (sandbox.Runner, error)

	tools    []Tool
	read     func(name, text string) (arguments, error)
	runner   sandbox.Runner
	written  bool
	changed  int // files changed so far
	finished bool
}

// NewSession returns a session with the given tools.
func NewSession(ws *vfs.Workspace, newRunner func() (sandbox.Runner, error), set []Tool) *Session {
	return &Session{Workspace: ws, NewRunner: newRunner, tools: set, read: parseArguments}
}

// Written reports whether anything was written or a script was run.
func (s *Session) Written() bool { return s.written }

// Allow has finish accepted though nothing is written: the work was done before.
func (s *Session) Allow() { s.written = true }

// Finished reports whether finish was accepted.
func (s *Session) Finished() bool { return s.finished }

// Close ends the session's sandbox, if it has one.
func (s *Session) Close() error {
	if s.runner == nil {
		return nil
	}
	return s.runner.Close()
}

// problem is an error of the model's making; its text is the answer to the
// call.
type problem struct{ error }

func problemf(format string, args ...any) error {
	return problem{fmt.Errorf(format, args...)}
}

// Call runs a tool with the arguments as the model wrote them.
func (s *Session) Call(ctx context.Context, name, text string) (Outcome, error) {
	var outcome Outcome
	before := s.changed
	given, err := s.read(name, text)
	if err == nil {
		outcome.ArgNames = slices.Sorted(maps.Keys(given))
		if at := slices.IndexFunc(s.tools, func(t Tool) bool { return t.Name == name }); at >= 0 {
			outcome.Text, err = s.tools[at].run(ctx, s, given)
		} else {
			err = problemf("there is no tool %q; the tools are %s", name, strings.Join(s.Names(), ", "))
		}
	}
	outcome.Changed = s.changed - before
	var mine problem
	if errors.As(err, &mine) {
		outcome.Text, outcome.Failed = "Error: "+mine.Error(), true
		return outcome, nil
	}
	return outcome, err
}

// Names lists the session's tools.
func (s *Session) Names() []string {
	names := make([]string, len(s.tools))
	for i, t := range s.tools {
		names[i] = t.Name
	}
	return names
}

// parseArguments reads the arguments of a call. None at all is an empty object.
func parseArguments(name, text string) (arguments, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	var given arguments
	if err := json.Unmarshal([]byte(text), &given); err != nil {
		return nil, problemf("the arguments of %s are not a JSON object (%v)", name, err)
	}
	return given, nil
}

// define makes a tool of a function. A is a struct of string and int fields with json
// and jsonschema tags; all are required but those with omitempty.
func define[A any](name, description string, run func(context.Context, *Session, A) (string, error)) Tool {
	schema := schemaOf[A]()
	fields := reflect.VisibleFields(reflect.TypeFor[A]())
	return Tool{Name: name, Description: description, Parameters: encoded(schema),
		run: func(ctx context.Context, s *Session, given arguments) (string, error) {
			var args A
			for _, f := range fields {
				arg, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				if given[arg] == nil && !slices.Contains(schema.Required, arg) {
					continue
				}
				if err := given.into(arg, reflect.ValueOf(&args).Elem().FieldByIndex(f.Index)); err != nil {
					return "", problemf("%s: %w; send %s", name, err, example(schema))
				}
			}
			return run(ctx, s, args)
		}}
}

func schemaOf[A any]() *jsonschema.Schema {
	schema, err := jsonschema.For[A](nil)
	if err != nil {
		panic(err) // structs of strings and whole numbers have a schema
	}
	return schema
}

// encoded is a schema of arguments as JSON. Its members are in order of name, and those
// that are empty are there too: recordings are found by the bytes of a request, so that
// these must not change.
func encoded(schema *jsonschema.Schema) json.RawMessage {
	members := map[string]any{"properties": map[string]any{}, "required": []string{}}
	text, err := json.Marshal(schema)
	if err == nil {
		err = json.Unmarshal(text, &members)
	}
	if err == nil {
		text, err = json.Marshal(members)
	}
	if err != nil {
		panic(err) // a schema is a JSON object
	}
	return text
}

// into sets a field to an argument. Arguments that no tool asks for are
// overlooked.
func (a arguments) into(name string, field reflect.Value) error {
	given, ok := a[name]
	if !ok {
		return fmt.Errorf("the argument %q is missing", name)
	}
	if field.Kind() == reflect.Int {
		number, err := wholeNumber(given)
		if err != nil {
			return fmt.Errorf("the argument %q must be a whole number", name)
		}
		field.SetInt(int64(number))
		return nil
	}
	text, ok := given.(string)
	if !ok {
		return fmt.Errorf("the argument %q must be a string", name)
	}
	field.SetString(text)
	return nil
}

// wholeNumber reads a number that a model may have put into quotes.
func wholeNumber(given any) (int, error) {
	if text, ok := given.(string); ok {
		return strconv.Atoi(strings.TrimSpace(text))
	}
	number, ok := given.(float64)
	if !ok || number != float64(int32(number)) {
		return 0, strconv.ErrSyntax
	}
	return int(number), nil
}

// example is an object with the arguments that are required.
func example(schema *jsonschema.Schema) string {
	var parts []string
	for _, arg := range schema.Required {
		value := `"…"`
		if schema.Properties[arg].Type == "integer" {
			value = "1"
		}
		parts = append(parts, fmt.Sprintf("%q: %s", arg, value))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
