package environments

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"unicode"

	"agentd/domains"
	"agentd/internal/charset"
	"agentd/internal/usage"
	"agentd/internal/yamlsafe"
	"agentd/vfs"
	"agentd/vfs/fenced"
)

// Own describes an environment to be made from a user's own documents.
type Own struct {
	Name        string
	Documents   vfs.Files
	Encodings   charset.Encodings // of the documents that were not in UTF-8
	Distractors vfs.Files         // may be nil
	Edits       int               // most edits to derive
	Seed        uint64            // for the choice of edits
	// Instructions, if any, are used instead of derived edits. An edit without targets keeps the names of the
	// documents.
	Instructions []Edit
}

// Environment makes the environment. Its RS is Strict (domains.RSOption) if no published score is
// meaningful. It fails if a distractor has the name of a document, no edits can be derived for a
// document (ErrNoEdits), or an instruction is invalid.
//
// A document that ends in a backtick gets a final newline if the published protocol, which writes files between
// fences of backticks, would otherwise lose the last character.
func (o Own) Environment(d domains.Domain) (Environment, error) {
	o.Documents = fenceable(o.Documents)
	env := Environment{
		Name: o.Name, Title: strings.Join(o.Documents.Names(), ", "), Domain: d.Info().Name,
		Licence: "not stated", Origin: "the author's own documents", Seed: o.Documents, Encodings: o.encodings(), Targets: o.Documents.Names(),
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

// encodings returns those of the documents under their present names: a document that is alone may have been given a name
// that its domain knows.
func (o Own) encodings() charset.Encodings {
	of := charset.Encodings{}
	for name, as := range o.Encodings {
		if _, there := o.Documents[name]; there {
			of[name] = as
		} else if len(o.Documents) == 1 && len(o.Encodings) == 1 {
			of[o.Documents.Names()[0]] = as
		}
	}
	if len(of) == 0 {
		return nil
	}
	return of
}

// edits returns the given instructions, or else derived edits.
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

// ReadInstructions reads pairs of instructions, an edit and its reversal, from YAML or JSON: a list with the keys of an
// environment's edits, of which forward and backward are required. A pair without a name gets one of its own (ownName). If the
// file is invalid, the error is a usage.Error.
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
		place := cmp.Or(edit.Name, fmt.Sprintf("edit %d", i+1))
		switch {
		case names[edit.Name]:
			return nil, usage.Errorf("%s: two edits are called %s", file, edit.Name)
		case strings.TrimSpace(edit.Forward) == "" || strings.TrimSpace(edit.Backward) == "":
			return nil, usage.Errorf("%s, %s: it needs forward and backward, the instruction for the edit and the one that leads back", file, place)
		case !edit.Oracle.Script.IsZero():
			return nil, usage.Errorf("%s, %s: an oracle that is a script needs an environment of its own; see agentd env new", file, place)
		}
		if edit.Name != "" {
			names[edit.Name] = true
		}
	}
	for i := range edits {
		if edit := &edits[i]; edit.Name == "" {
			stem := edit.ownName()
			edit.Name = stem
			for n := 2; names[edit.Name]; n++ {
				edit.Name = fmt.Sprintf("%s_%d", stem, n)
			}
			names[edit.Name] = true
		}
	}
	return edits, nil
}

// mostNameWords is how many words of its instruction an edit is named by.
const mostNameWords = 5

// ownName is a name for an edit without one, as in translate_the_remarks_into_welsh: what its verb does, or else the first words
// of its instruction.
func (e *Edit) ownName() string {
	if !e.Oracle.IsZero() {
		return e.Oracle.String()
	}
	sentence, _, _ := strings.Cut(strings.TrimSpace(e.Forward), ". ")
	words := strings.FieldsFunc(strings.ToLower(sentence), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && !unicode.IsMark(r)
	})
	return cmp.Or(strings.Join(words[:min(len(words), mostNameWords)], "_"), "edit")
}

// fenceable adds a final newline to files that the published protocol would otherwise change.
func fenceable(files vfs.Files) vfs.Files {
	ended := files.Clone()
	for name, text := range files {
		if strings.HasSuffix(text, "`") && carried(vfs.Files{name: text})[name] != text {
			ended[name] = text + "\n"
		}
	}
	return ended
}

// carried returns the files as the published protocol passes them to the next step: written in fences and read again,
// with quirks (docs/fidelity.md).
func carried(files vfs.Files) vfs.Files { return fenced.Parse(fenced.Format(files, files.Names())) }

// hasPublishedScore reports whether the published evaluator reads the seed and gives it 1 against itself,
// and needs no tests that the environment does not have, and no judge.
func (e *Environment) hasPublishedScore(d domains.Domain) bool {
	if _, judged := d.(domains.Judged); judged || e.Unscorable() != "" || d.CheckReference(e.Seed) != nil {
		return false
	}
	return d.Compare(e.Seed, e.Seed).RS == 1
}

// Distract adds a distractor. It fails if the name is that of a document or of a file that an
// edit makes.
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

// makes reports whether the forward step could make a file of that name.
func (e Edit) makes(name string) bool { return len((vfs.Files{name: ""}).Match(e.Targets)) > 0 }

// AddDerived derives a limited number of edits from the seed, adds them to the environment's own,
// and returns how many. It omits edits that would make a file with the name of a distractor. It is
// not an error if there are none.
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

// kindOf describes the kind of file from its name.
func kindOf(name string) string {
	if extension := strings.TrimPrefix(path.Ext(name), "."); extension != "" {
		return extension
	}
	return "without an extension"
}
