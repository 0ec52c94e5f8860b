package environments

import (
	"errors"
	"fmt"
	"path"

	"agentd/domains"
	"agentd/vfs"
)

// Script is an exact program written by the user: two Python files in the environment's folder.
// Each runs in the sandbox, in a folder with the documents, and changes them there.
type Script struct {
	Forward  string `json:"forward" yaml:"forward"`
	Backward string `json:"backward" yaml:"backward"`
}

// IsZero reports whether there is no script.
func (s Script) IsZero() bool { return s == Script{} }

// check returns an error if a file is missing or its name is not allowed.
func (s Script) check(scripts vfs.Files) error {
	for _, name := range []string{s.Forward, s.Backward} {
		switch {
		case name == "":
			return errors.New("its oracle needs both, forward and backward")
		case path.Ext(name) != ".py":
			return fmt.Errorf("its oracle %s is no Python file (.py)", name)
		}
		if err := vfs.CleanName(name); err != nil {
			return fmt.Errorf("its oracle: %w", err)
		}
		if _, has := scripts[name]; !has {
			return fmt.Errorf("its oracle %s is not there; put it next to %s", name, definitionFile)
		}
	}
	return nil
}

// HasScripts reports whether an edit's oracle is a Python script, which needs a sandbox.
func (e *Environment) HasScripts() bool { return len(e.Scripts) > 0 }

// script returns the steps of an oracle that is a Python script.
func (e *Environment) script(name string, s Script) domains.Edit {
	step := func(file string) func(vfs.Files) (vfs.Files, error) {
		return func(files vfs.Files) (vfs.Files, error) {
			if e.Programs == nil {
				return nil, fmt.Errorf("%s: %w", file, domains.ErrNoPrograms)
			}
			after, err := e.Programs.Transform(files, e.Scripts[file])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			return after, nil
		}
	}
	return domains.Edit{Name: name, Forward: step(s.Forward), Backward: step(s.Backward)}
}
