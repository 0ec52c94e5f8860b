package environments

import (
	"fmt"
	"path"
	"strings"

	"agentd/domains"
	"agentd/vfs"
)

// Own says how an environment is made of somebody's own documents.
type Own struct {
	Name        string
	Documents   vfs.Files
	Distractors vfs.Files // may be nil
	Edits       int       // at most so many are derived
	Seed        uint64    // of the choice of edits
}

// Environment makes the environment. A distractor with the name of a document is an error, as
// is a document for which no edits can be derived (ErrNoEdits).
func (o Own) Environment(d domains.Domain) (Environment, error) {
	edits, err := Derive(d, o.Documents, o.Edits, o.Seed)
	if err != nil {
		return Environment{}, err
	}
	env := Environment{
		Name: o.Name, Title: strings.Join(o.Documents.Names(), ", "), Domain: d.Info().Name,
		Licence: "not stated", Origin: "the author's own documents", Seed: o.Documents, Targets: o.Documents.Names(),
		Edits: edits, Distractors: vfs.Files{},
	}
	for _, name := range o.Distractors.Names() {
		if err := env.Distract(name, o.Distractors[name]); err != nil {
			return Environment{}, err
		}
	}
	return env, nil
}

// Distract adds a distractor. One with the name of a document, or with a name for which an
// edit makes a file, is an error.
func (e *Environment) Distract(name, text string) error {
	if _, taken := e.Seed[name]; taken {
		return fmt.Errorf("the distractor %s has the name of a document", name)
	}
	for _, edit := range e.Edits {
		if made := (vfs.Files{name: ""}).Match(edit.Targets); len(made) > 0 {
			return fmt.Errorf("the distractor %s has a name for which the edit %s makes a file", name, edit.Name)
		}
	}
	e.Distractors[name] = text
	e.Summaries = append(e.Summaries, Distractor{File: name, Summary: "A file from the same folder, " + kindOf(name) + "."})
	return nil
}

// kindOf says what kind of file a name is of.
func kindOf(name string) string {
	if extension := strings.TrimPrefix(path.Ext(name), "."); extension != "" {
		return extension
	}
	return "without an extension"
}
