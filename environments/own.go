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
	summaries := make([]Distractor, 0, len(o.Distractors))
	for _, name := range o.Distractors.Names() {
		if _, taken := o.Documents[name]; taken {
			return Environment{}, fmt.Errorf("the distractor %s has the name of a document", name)
		}
		for _, edit := range edits {
			if made := (vfs.Files{name: ""}).Match(edit.Targets); len(made) > 0 {
				return Environment{}, fmt.Errorf("the distractor %s has a name for which the edit %s makes a file", name, edit.Name)
			}
		}
		summaries = append(summaries, Distractor{File: name, Summary: "A file from the same folder, " + kindOf(name) + "."})
	}
	return Environment{
		Name: o.Name, Title: strings.Join(o.Documents.Names(), ", "), Domain: d.Info().Name,
		Licence: "not stated", Origin: "the author's own documents", Seed: o.Documents, Targets: o.Documents.Names(),
		Edits: edits, Distractors: o.Distractors, Summaries: summaries,
	}, nil
}

// kindOf says what kind of file a name is of.
func kindOf(name string) string {
	if extension := strings.TrimPrefix(path.Ext(name), "."); extension != "" {
		return extension
	}
	return "without an extension"
}
