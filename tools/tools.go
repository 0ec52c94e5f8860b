// Package tools has the tools with which a model works on a workspace, in four sets: five tools
// for files and scripts (Standard), the same five as in the published harness (Published), an
// editor's tools (Editor), and scripts alone (Programmatic).
//
// A tool is a name, a description and a function. The function takes a struct of arguments, from
// which the JSON schema is made. If the model makes a mistake (a wrong name, malformed JSON, a
// forbidden path), the answer is a text that says what was wrong. A Go error means a broken
// sandbox, a context that ended, or a Crash.
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

// Tool is one tool that a model may call.
type Tool struct {
	Name        string
	Description string
	Parameters  json.RawMessage // a JSON schema
	run         func(context.Context, *Session, arguments) (string, error)
}

// arguments are the arguments of a call by name, as encoding/json decodes them.
type arguments map[string]any

// Outcome is the result of a call.
type Outcome struct {
	Text     string   // the answer to the model
	Failed   bool     // whether Text is an error message
	Changed  int      // number of files that the call wrote or deleted
	ArgNames []string // names of the given arguments, sorted
}

// Session holds the state of the tools during one interaction. It is not safe for
// concurrent use.
type Session struct {
	Workspace *vfs.Workspace
	// NewRunner starts the interaction's sandbox. It is called for the first script.
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

// PermitFinish lets finish succeed even if nothing was written in this session, because the work
// was done earlier.
func (s *Session) PermitFinish() { s.written = true }

// Finished reports whether finish was accepted.
func (s *Session) Finished() bool { return s.finished }

// Close ends the session's sandbox, if it has one.
func (s *Session) Close() error {
	if s.runner == nil {
		return nil
	}
	return s.runner.Close()
}

// problem is a mistake of the model. Its text is the answer to the call.
type problem struct{ error }

func problemf(format string, args ...any) error {
	return problem{fmt.Errorf(format, args...)}
}

// Call runs a tool. text is its arguments as JSON, as the model wrote them. A mistake of the model
// is a failed Outcome; an error ends the interaction.
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

// parseArguments decodes the arguments of a call. An empty text stands for no arguments.
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

// define makes a tool from a function. A is a struct of string and int fields with json
// and jsonschema tags. An argument is required unless its field has omitempty.
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

// encoded returns a schema of arguments as JSON. It sorts the members by name and keeps empty
// ones, so that the bytes never change: recordings are looked up by the bytes of the request,
// which include the schemas.
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

// into sets a field to the argument of that name. It fails if the argument is missing
// or has the wrong type.
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

// wholeNumber reads a whole number, which a model may have put in quotes.
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

// example returns an example of the required arguments as JSON.
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
