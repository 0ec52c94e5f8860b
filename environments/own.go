package environments

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/internal/usage"
	"agentd/internal/yamlsafe"
	"agentd/vfs"
	"agentd/vfs/fenced"
)

// Own says how an environment is made of somebody's own documents.
type Own struct {
	Name        string
	Documents   vfs.Files
	Distractors vfs.Files // may be nil
	Edits       int       // at most so many are derived
	Seed        uint64    // of the choice of edits
	// Instructions, if there are any, are the edits in place of derived ones. An edit without targets leaves
	// files with the names of the documents.
	Instructions []Edit
}

// Environment makes the environment. Its RS is Strict (domains.RSOption) where no published score
// would mean anything. A distractor with the name of a document is an error, as is a document for
// which no edits can be derived (ErrNoEdits), and a wrong instruction.
//
// A document that ends in a backtick gets a newline after it where the published protocol, which writes files between
// fences of backticks, would lose the last one.
func (o Own) Environment(d domains.Domain) (Environment, error) {
	o.Documents = fenceable(o.Documents)
	env := Environment{
		Name: o.Name, Title: strings.Join(o.Documents.Names(), ", "), Domain: d.Info().Name,
		Licence: "not stated", Origin: "the author's own documents", Seed: o.Documents, Targets: o.Documents.Names(),
		Distractors: vfs.Files{},
	}
	if !env.hasPublishedScore(d) {
		env.Metadata = domains.Metadata{domains.RSOption: domains.RSStrict}
	}
	var err error
	if env.Edits, err = o.edits(env.Apply(d)); err != nil {
		return Environment{}, err
	}
	for _, name := range o.Distractors.Names() {
		if err := env.Distract(name, o.Distractors[name]); err != nil {
			return Environment{}, err
		}
	}
	return env, env.check()
}

// edits are the instructions that were given, or edits that are derived.
func (o Own) edits(d domains.Domain) ([]Edit, error) {
	if len(o.Instructions) == 0 {
		return Derive(d, o.Documents, o.Edits, o.Seed)
	}
	edits := slices.Clone(o.Instructions)
	for i := range edits {
		if len(edits[i].Targets) == 0 {
			edits[i].Targets = o.Documents.Names()
		}
	}
	return edits, nil
}

// ReadInstructions reads pairs of instructions, each an edit and the edit that leads back, as YAML or JSON: a list with the
// members of an environment's edits, of which forward and backward must be there. A pair without a name is called "edit 1",
// by its place. What is wrong with the file is a usage error.
func ReadInstructions(file string) ([]Edit, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, usage.Wrap(err)
	}
	var edits []Edit
	if err := yamlsafe.Unmarshal(raw, &edits); err != nil {
		return nil, usage.Errorf("%s: %w", file, err)
	}
	if len(edits) == 0 {
		return nil, usage.Errorf("%s: it has no instructions; it must be a list of pairs such as {forward: …, backward: …}", file)
	}
	names := map[string]bool{}
	for i := range edits {
		edit := &edits[i]
		edit.Name = cmp.Or(edit.Name, fmt.Sprintf("edit %d", i+1))
		switch {
		case names[edit.Name]:
			return nil, usage.Errorf("%s: two edits are called %s", file, edit.Name)
		case strings.TrimSpace(edit.Forward) == "" || strings.TrimSpace(edit.Backward) == "":
			return nil, usage.Errorf("%s, %s: it needs forward and backward, the instruction for the edit and the one that leads back", file, edit.Name)
		case !edit.Oracle.Script.IsZero():
			return nil, usage.Errorf("%s, %s: an oracle that is a script needs an environment of its own; see agentd env new", file, edit.Name)
		}
		names[edit.Name] = true
	}
	return edits, nil
}

// fenceable ends files with a newline that only so are carried on as they are.
func fenceable(files vfs.Files) vfs.Files {
	ended := files.Clone()
	for name, text := range files {
		if strings.HasSuffix(text, "`") && carried(vfs.Files{name: text})[name] != text {
			ended[name] = text + "\n"
		}
	}
	return ended
}

// carried is what the published protocol carries on of files: it writes them in fences and reads them again, with
// quirks (docs/fidelity.md).
func carried(files vfs.Files) vfs.Files { return fenced.Parse(fenced.Format(files, files.Names())) }

// hasPublishedScore reports whether the published evaluator reads the seed and gives it 1 against itself,
// and needs no tests that the environment does not have, and no judge.
func (e *Environment) hasPublishedScore(d domains.Domain) bool {
	if _, judged := d.(domains.Judged); judged || e.Unscorable() != "" || d.CheckReference(e.Seed) != nil {
		return false
	}
	return d.Compare(e.Seed, e.Seed).RS == 1
}

// Distract adds a distractor. One with the name of a document, or with a name for which an
// edit makes a file, is an error.
func (e *Environment) Distract(name, text string) error {
	if _, taken := e.Seed[name]; taken {
		return fmt.Errorf("the distractor %s has the name of a document", name)
	}
	for _, edit := range e.Edits {
		if edit.makes(name) {
			return fmt.Errorf("the distractor %s has a name for which the edit %s makes a file", name, edit.Name)
		}
	}
	e.Distractors[name] = text
	e.Summaries = append(e.Summaries, Distractor{File: name, Summary: "A file from the same folder, " + kindOf(name) + "."})
	return nil
}

// makes reports whether a file of the name could be one that the forward step makes.
func (e Edit) makes(name string) bool { return len((vfs.Files{name: ""}).Match(e.Targets)) > 0 }

// AddDerived adds up to so many edits that are derived of the seed to the environment's own, and
// returns how many. Those that would make a file with the name of a distractor are left out. A
// seed of which none can be derived is no error.
func (e *Environment) AddDerived(d domains.Domain, count int, seed uint64) (int, error) {
	derived, err := Derive(e.Apply(d), e.Seed, count, seed)
	if errors.Is(err, ErrNoEdits) {
		return 0, nil
	}
	taken := map[string]bool{}
	for _, edit := range e.Edits {
		taken[edit.Name] = true
	}
	added := slices.Clone(e.Edits)
	for _, edit := range derived {
		if slices.ContainsFunc(e.Distractors.Names(), edit.makes) {
			continue
		}
		for taken[edit.Name] {
			edit.Name += "_derived"
		}
		taken[edit.Name] = true
		added = append(added, edit)
	}
	count, e.Edits = len(added)-len(e.Edits), added
	return count, err
}

// kindOf says what kind of file a name is of.
func kindOf(name string) string {
	if extension := strings.TrimPrefix(path.Ext(name), "."); extension != "" {
		return extension
	}
	return "without an extension"
}
