// Package tools is what a model may do to a workspace: read_file, write_file,
// delete_file, run_python and finish.
//
// A tool is one definition: its name, its description and a function of a
// struct of arguments, from which the JSON schema is made. Whatever a model
// sends (a wrong name, malformed JSON, a path out of reach), it gets a text
// back that says what was wrong; only a sandbox that does not work, or a
// context that ended, is an error.
package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

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
)

// Tool is one thing a model may do.
type Tool struct {
	Name        string
	Description string
	Parameters  json.RawMessage // a JSON schema
	run         func(context.Context, *Session, string) (string, error)
}

// Outcome is what a call came to.
type Outcome struct {
	Text     string   // for the model
	Failed   bool     // whether Text is an error
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
	runner   sandbox.Runner
	written  bool
	finished bool
}

// NewSession returns a session with the given tools.
func NewSession(ws *vfs.Workspace, newRunner func() (sandbox.Runner, error), set []Tool) *Session {
	return &Session{Workspace: ws, NewRunner: newRunner, tools: set}
}

// Written reports whether anything was written or a script was run.
func (s *Session) Written() bool { return s.written }

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
func (s *Session) Call(ctx context.Context, name, arguments string) (Outcome, error) {
	outcome := Outcome{ArgNames: argNames(arguments)}
	at := slices.IndexFunc(s.tools, func(t Tool) bool { return t.Name == name })
	var err error
	if at < 0 {
		err = problemf("there is no tool %q; the tools are %s", name, strings.Join(s.Names(), ", "))
	} else {
		outcome.Text, err = s.tools[at].run(ctx, s, arguments)
	}
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

func argNames(arguments string) []string {
	var given map[string]json.RawMessage
	if json.Unmarshal([]byte(arguments), &given) != nil {
		return nil
	}
	names := make([]string, 0, len(given))
	for name := range given {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// define makes a tool of a function. A is a struct of string fields with json
// and doc tags; all are required.
func define[A any](name, description string, run func(context.Context, *Session, A) (string, error)) Tool {
	fields := reflect.VisibleFields(reflect.TypeFor[A]())
	properties := map[string]any{}
	required := []string{}
	for _, f := range fields {
		properties[f.Tag.Get("json")] = map[string]string{"type": "string", "description": f.Tag.Get("doc")}
		required = append(required, f.Tag.Get("json"))
	}
	schema, err := json.Marshal(map[string]any{
		"type": "object", "properties": properties, "required": required, "additionalProperties": false,
	})
	if err != nil {
		panic(err) // maps of strings always marshal
	}
	return Tool{Name: name, Description: description, Parameters: schema,
		run: func(ctx context.Context, s *Session, arguments string) (string, error) {
			var args A
			if err := decode(name, arguments, required, &args); err != nil {
				return "", err
			}
			return run(ctx, s, args)
		}}
}

// decode reads a call's arguments and says, for the model, what is wrong with
// them. Arguments that no tool asked for are overlooked.
func decode(name, arguments string, required []string, into any) error {
	if strings.TrimSpace(arguments) == "" {
		arguments = "{}"
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal([]byte(arguments), &given); err != nil {
		return problemf("the arguments of %s are not a JSON object (%v); send %s", name, err, example(required))
	}
	for _, arg := range required {
		raw, ok := given[arg]
		if !ok {
			return problemf("%s needs the argument %q; send %s", name, arg, example(required))
		}
		if !bytes.HasPrefix(bytes.TrimSpace(raw), []byte(`"`)) {
			return problemf("the argument %q of %s must be a string; send %s", arg, name, example(required))
		}
	}
	if err := json.Unmarshal([]byte(arguments), into); err != nil {
		return problemf("the arguments of %s cannot be read (%v); send %s", name, err, example(required))
	}
	return nil
}

func example(required []string) string {
	parts := make([]string, len(required))
	for i, arg := range required {
		parts[i] = fmt.Sprintf("%q: \"…\"", arg)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
