// Package environments loads work environments: seed documents, the reversible
// edits that are delegated on them, and the distractors put next to them.
//
// They come from three places: the built-in set, embedded in the binary; a
// folder in the same layout; and a file in the format of the released data set
// (DELEGATE-52), one JSON object per line.
package environments

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"

	"agentd/domains"
	"agentd/internal/charset"
	"agentd/internal/datafile"
	"agentd/internal/jsonsafe"
	"agentd/internal/lazyregexp"
	"agentd/internal/usage"
	"agentd/vfs"
)

// Environment is a document of one domain with the work to be done on it.
type Environment struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Domain  string `json:"domain"`
	Licence string `json:"licence"`
	Origin  string `json:"origin"`
	Summary string `json:"summary,omitempty"`
	// Redistribute says that the seed may be redistributed. No score depends on it, so it is
	// not part of the stored form.
	Redistribute bool `json:"-"`

	Seed vfs.Files `json:"seed"`
	// Encodings are those of the documents that are not in UTF-8 on the disk. Seed, and what a policy sees, is in UTF-8. Save
	// writes the documents as they were.
	Encodings charset.Encodings `json:"encodings,omitempty"`
	// Scaffold is what scoring needs in addition to the documents: the tests of a program
	// and their data. A policy never sees it.
	Scaffold vfs.Files `json:"scaffold,omitempty"`
	// Targets are the names or patterns of the seed state's files, which a
	// backward step must produce.
	Targets     []string         `json:"targets"`
	Edits       []Edit           `json:"edits"`
	Distractors vfs.Files        `json:"distractors"`
	Summaries   []Distractor     `json:"summaries,omitempty"`
	Metadata    domains.Metadata `json:"metadata,omitempty"`
	// Scripts are the Python files of oracles, by the names that Edit.Oracle has.
	Scripts vfs.Files `json:"scripts,omitempty"`
	// Programs runs Scripts. While it is nil, oracles that are scripts fail at each step.
	Programs domains.Programs `json:"-"`
}

// Edit is a pair of instructions, forward and backward.
type Edit struct {
	Name       string   `json:"name" yaml:"name"`
	Operations []string `json:"operations" yaml:"operations"`
	Forward    string   `json:"forward" yaml:"forward"`
	Backward   string   `json:"backward" yaml:"backward"`
	// Targets are the names or patterns of all files after the forward step.
	Targets []string `json:"targets" yaml:"targets"`
	// Summary describes the state after the forward step in a few words. No score depends
	// on it, so it is not part of the stored form.
	Summary string `json:"-" yaml:"summary,omitempty"`
	// Oracle does both steps exactly, if there is one.
	Oracle Oracle `json:"oracle,omitzero" yaml:"oracle,omitempty"`
	// Judged are statements about the result that Forward asks for, used instead of an oracle: a
	// judge rates how true each is of a forward step's result. No policy sees them.
	Judged []string `json:"judged,omitempty" yaml:"judged,omitempty"`
	// Parts are the instructions as several messages. Forward and Backward contain the whole text.
	Parts Parts `json:"parts,omitzero" yaml:"parts,omitempty"`
}

// Instruction returns the edit's instruction, forward or backward.
func (e *Edit) Instruction(backward bool) string {
	if backward {
		return e.Backward
	}
	return e.Forward
}

// Instruction returns the instruction of the named edit; "" if there is no such edit, or e is nil.
func (e *Environment) Instruction(edit string, backward bool) string {
	if e == nil {
		return ""
	}
	for i := range e.Edits {
		if e.Edits[i].Name == edit {
			return e.Edits[i].Instruction(backward)
		}
	}
	return ""
}

// Distractor describes one distractor file.
type Distractor struct {
	File    string `json:"file" yaml:"file"`
	Summary string `json:"summary" yaml:"summary"`
}

// Encode returns the environment as JSON, the same for equal environments. Binary files
// are in base64 (vfs.Files.Texts).
func (e *Environment) Encode() string {
	texts := *e
	texts.Seed, texts.Scaffold, texts.Distractors = e.Seed.Texts(), e.Scaffold.Texts(), e.Distractors.Texts()
	raw, err := json.Marshal(&texts) // maps are written in key order
	if err != nil {
		panic(err) // strings and maps of strings always marshal
	}
	return string(raw)
}

// Decode reads what Encode wrote.
func Decode(text string) (Environment, error) {
	var e Environment
	if err := jsonsafe.Unmarshal([]byte(text), &e, jsonsafe.DefaultLimits()); err != nil {
		return e, fmt.Errorf("reading a stored environment: %w", err)
	}
	for _, files := range []*vfs.Files{&e.Seed, &e.Scaffold, &e.Distractors} {
		decoded, err := vfs.FromTexts(*files)
		if err != nil {
			return e, fmt.Errorf("reading a stored environment: %w", err)
		}
		*files = decoded
	}
	return e, nil
}

// Hash identifies the content of an environment: everything that a score may
// depend on. It is the SHA-256 of Encode.
func (e *Environment) Hash() string {
	sum := sha256.Sum256([]byte(e.Encode()))
	return hex.EncodeToString(sum[:])
}

// OracleFor returns the exact program of an edit; false if it has none.
func (e *Environment) OracleFor(edit Edit, d domains.Domain) (domains.Edit, bool) {
	switch script := edit.Oracle.Script; {
	case d == nil:
		return domains.Edit{}, false
	case !script.IsZero():
		return e.script(edit.Name, script), true
	}
	return edit.Oracle.find(d)
}

// Apply returns a domain with the environment's settings: its options, and the
// scaffold if the domain runs documents.
func (e *Environment) Apply(d domains.Domain) domains.Domain {
	return WithScaffold(d.With(e.Metadata), e.Scaffold)
}

// Scoring returns the environment's domain with its options; false if the domain is not
// built, or if the environment cannot be scored. find finds a domain by name.
func (e *Environment) Scoring(find func(name string) (domains.Domain, bool)) (domains.Domain, bool) {
	d, built := find(e.Domain)
	if !built || e.Unscorable() != "" {
		return nil, false
	}
	return e.Apply(d), true
}

// TargetWords returns the required length of the text after an edit, in words; 0 if
// the environment does not set one.
func (e *Environment) TargetWords() int {
	words, err := strconv.ParseFloat(e.Metadata["target_length"], 64)
	if err != nil || words < 1 || words > math.MaxInt32 {
		return 0
	}
	return int(words)
}

// WithScaffold returns a domain with a scaffold, if the domain uses one.
func WithScaffold(d domains.Domain, scaffold vfs.Files) domains.Domain {
	if executing, ok := d.(domains.Executing); ok {
		return executing.WithScaffold(scaffold)
	}
	return d
}

// testsFile is the file of a scaffold that scoring runs first.
const testsFile = "testing.py"

// neverReleased is a module that a released environment imports but that is missing from
// the data set.
const neverReleased = "utils_eval"

var importsNeverReleased = lazyregexp.New(`(?m)^\s*(from|import)\s+` + neverReleased + `\b`)

// Unscorable returns why the environment cannot be scored in any domain; "" if no reason
// is known.
func (e *Environment) Unscorable() string {
	if e.Domain != "python" || e.Metadata.RSIsStrict() {
		return ""
	}
	_, inSeed := e.Seed[neverReleased+".py"]
	_, beside := e.Scaffold[neverReleased+".py"]
	for _, name := range e.Seed.Names() {
		if !inSeed && !beside && importsNeverReleased.MatchString(e.Seed[name]) {
			return fmt.Sprintf("%s imports %s, which was never released; put %s.py next to it", name, neverReleased, neverReleased)
		}
	}
	if _, has := e.Scaffold[testsFile]; !has {
		return fmt.Sprintf("it has no %s, which says how its programs are scored", testsFile)
	}
	return ""
}

// EditNamed returns the edit with a name, or with a number from 1. If there is none, the
// error is a usage.Error.
func (e *Environment) EditNamed(name string) (Edit, error) {
	if number, err := strconv.Atoi(name); err == nil {
		if number < 1 || number > len(e.Edits) {
			return Edit{}, usage.Errorf("%d: %s has the edits 1 to %d", number, e.Name, len(e.Edits))
		}
		return e.Edits[number-1], nil
	}
	var names []string
	for _, edit := range e.Edits {
		if edit.Name == name {
			return edit, nil
		}
		names = append(names, edit.Name)
	}
	return Edit{}, usage.Unknown("edit", name, names)
}

// Load reads environments from a file in the released format or a folder in
// the built-in layout. Errors name the file and line at fault.
func Load(path string) ([]Environment, error) { return accepted(Drafts(path)) }

// Draft is an environment that may have errors.
type Draft struct {
	Where       string  // file and line, or folder
	Sample      *Sample // nil if none of it could be read
	Environment Environment
	Err         error // why no relay could run on it; nil if one can
}

// Drafts reads like Load, but also returns the environments that Load refuses.
func Drafts(path string) ([]Draft, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("reading environments: %w", err)
	}
	if !info.IsDir() {
		return draftReleased(path)
	}
	folder, err := datafile.OpenFolder(path, datafile.DefaultLimits())
	if err != nil {
		return nil, fmt.Errorf("reading environments: %w", err)
	}
	defer folder.Close()
	return draftFolder(folder, path)
}

// accepted returns the environments of drafts. It fails at the first one on which no relay
// could run.
func accepted(drafts []Draft, err error) ([]Environment, error) {
	if err != nil {
		return nil, err
	}
	environments := make([]Environment, len(drafts))
	for i, d := range drafts {
		if d.Err != nil {
			return nil, fmt.Errorf("%s: %w", d.Where, d.Err)
		}
		environments[i] = d.Environment
	}
	return environments, nil
}

// mostBytes limits the total size of an environment's files.
const mostBytes = 16 << 20

func (e *Environment) bytes() int {
	return e.Seed.Bytes() + e.Distractors.Bytes() + e.Scaffold.Bytes() + e.Scripts.Bytes()
}

// check refuses an environment on which no relay could run, and one with a name
// or a file that could lead out of a folder it is written to.
func (e *Environment) check() error {
	switch {
	case e.Name == "":
		return fmt.Errorf("it has no name")
	case e.Domain == "":
		return fmt.Errorf("%s: it names no domain", e.Name)
	case len(e.Seed) == 0:
		return fmt.Errorf("%s: it has no seed document", e.Name)
	case len(e.Edits) == 0:
		return fmt.Errorf("%s: it has no edits", e.Name)
	case e.bytes() > mostBytes:
		return fmt.Errorf("%s: its files have more than %d MiB together; leave some out", e.Name, mostBytes>>20)
	case len(e.Targets) == 0:
		return fmt.Errorf("%s: it names no target files of the backward steps", e.Name)
	}
	for _, edit := range e.Edits {
		switch {
		case edit.Forward == "" || edit.Backward == "":
			return fmt.Errorf("%s, edit %s: an instruction is missing", e.Name, edit.Name)
		case len(edit.Targets) == 0:
			return fmt.Errorf("%s, edit %s: it names no target files", e.Name, edit.Name)
		case len(edit.Name) > vfs.MaxNameBytes:
			return fmt.Errorf("%s, edit %.40s…: its name is longer than %d bytes", e.Name, edit.Name, vfs.MaxNameBytes)
		}
		if err := edit.Parts.check(); err != nil {
			return fmt.Errorf("%s, edit %s: %w", e.Name, edit.Name, err)
		}
		if err := e.checkJudged(edit); err != nil {
			return fmt.Errorf("%s, edit %s: %w", e.Name, edit.Name, err)
		}
		if script := edit.Oracle.Script; !script.IsZero() {
			if err := script.check(e.Scripts); err != nil {
				return fmt.Errorf("%s, edit %s: %w", e.Name, edit.Name, err)
			}
		}
	}
	for name := range e.Encodings {
		if _, there := e.Seed[name]; !there {
			return fmt.Errorf("%s: encodings names %s, which is no document", e.Name, name)
		}
	}
	if err := e.checkNames(); err != nil {
		return err
	}
	return e.checkFinished()
}

// checkNames checks every name that may become a path: those of the environment, its
// files and its targets.
func (e *Environment) checkNames() error {
	if err := vfs.CleanName(e.Name); err != nil {
		return fmt.Errorf("the name of an environment: %w", err)
	}
	if err := vfs.Check(e.Seed, e.Distractors); err != nil {
		return fmt.Errorf("%s: %w", e.Name, err)
	}
	if err := vfs.Check(e.Scaffold, nil); err != nil {
		return fmt.Errorf("%s, scaffold: %w", e.Name, err)
	}
	if err := checkTargets(e.Targets); err != nil {
		return fmt.Errorf("%s: %w", e.Name, err)
	}
	for _, edit := range e.Edits {
		if err := checkTargets(edit.Targets); err != nil {
			return fmt.Errorf("%s, edit %s: %w", e.Name, edit.Name, err)
		}
	}
	return nil
}

// checkTargets refuses targets that could match no file of a workspace.
func checkTargets(targets []string) error {
	for _, target := range targets {
		if _, err := vfs.Clean(target); err != nil {
			return fmt.Errorf("target: %w", err)
		}
	}
	return nil
}
