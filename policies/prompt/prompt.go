// Package prompt loads the prompts of policies: templates in files, embedded
// next to each policy, any of which a user may replace.
package prompt

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"agentd/internal/datafile"
	"agentd/policies"
)

// Source finds prompts: replacements first, then what the store of an experiment has,
// then a policy's own.
type Source struct {
	all    Replacements      // for all policies, nil for none
	stored map[string]string // what an experiment's store has, by name
	loaded map[string]string // prompts that were loaded, by name

	// Of a source for one policy: what its prompts are called by instead of the
	// policy's name, and replacements that come before those for all, nil for none.
	name string
	own  Replacements
}

// Replacements find the text that takes the place of a policy's own prompt. The error
// is fs.ErrNotExist if there is none.
type Replacements func(policy, file string) (string, error)

// NewSource returns a source with replacements from a folder, named policy/file; an
// empty name means none.
func NewSource(dir string) (*Source, error) {
	if dir == "" {
		return NewReplaced(nil), nil
	}
	folder, err := datafile.OpenFolder(dir, limits())
	if err != nil {
		return nil, fmt.Errorf("reading prompts: %w", err)
	}
	if err := folder.Close(); err != nil {
		return nil, fmt.Errorf("reading prompts: %w", err)
	}
	return NewReplaced(func(policy, file string) (string, error) { return replacementIn(dir, policy+"/"+file) }), nil
}

// NewReplaced returns a source with replacements for all policies; nil means none.
func NewReplaced(all Replacements) *Source {
	return &Source{all: all, loaded: map[string]string{}}
}

// NewStored returns a source of the prompts, by policy/file, that an earlier
// Source gave as its Texts.
func NewStored(texts map[string]string) *Source {
	return &Source{stored: texts, loaded: map[string]string{}}
}

// Named are replacements by policy/file.
func Named(texts map[string]string) Replacements {
	return func(policy, file string) (string, error) {
		text, ok := texts[policy+"/"+file]
		if !ok {
			return "", fs.ErrNotExist
		}
		return text, nil
	}
}

// FolderOf are the replacements in a folder of one policy's prompts, named file.
func FolderOf(dir string) Replacements {
	return func(_, file string) (string, error) { return replacementIn(dir, file) }
}

// For returns a source for one policy of an experiment, whose prompts are called
// name/file, or by the policy's own name if that is empty. Its own replacements come
// before all others; nil means none.
func (s *Source) For(name string, own Replacements) *Source {
	one := *s
	one.name, one.own = name, own
	return &one
}

// Load parses a prompt of a policy. own holds the policy's files by their base
// names. White space at the ends of a prompt is no part of it.
func (s *Source) Load(own fs.FS, policy, file string) (*template.Template, error) {
	name := s.called(policy, file)
	text, err := s.find(policy, file)
	if errors.Is(err, fs.ErrNotExist) {
		var raw []byte
		raw, err = fs.ReadFile(own, file)
		text = string(raw)
	}
	if err != nil {
		return nil, fmt.Errorf("reading prompt %s: %w", name, err)
	}
	t, err := template.New(name).Option("missingkey=error").Parse(strings.TrimSpace(text))
	if err != nil {
		return nil, fmt.Errorf("reading prompt: %w", err)
	}
	if err := t.Execute(io.Discard, Values{}); err != nil {
		return nil, fmt.Errorf("trying prompt: %w", err)
	}
	return t, s.keep(name, text)
}

// Text returns a text of a policy that is no template, and that the policy can do
// without: false if there is none.
func (s *Source) Text(policy, file string) (text string, there bool, err error) {
	name := s.called(policy, file)
	text, err = s.find(policy, file)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	if err != nil {
		return "", false, fmt.Errorf("reading %s: %w", name, err)
	}
	return text, true, s.keep(name, text)
}

// called is what a policy's prompt is called in this source.
func (s *Source) called(policy, file string) string {
	return cmp.Or(s.name, policy) + "/" + file
}

// find returns what takes the place of a policy's own prompt. The error is
// fs.ErrNotExist if nothing does.
func (s *Source) find(policy, file string) (string, error) {
	for _, replacements := range []Replacements{s.own, s.all} {
		if replacements == nil {
			continue
		}
		if text, err := replacements(policy, file); !errors.Is(err, fs.ErrNotExist) {
			return text, err
		}
	}
	if text, ok := s.stored[s.called(policy, file)]; ok {
		return text, nil
	}
	return "", fs.ErrNotExist
}

// keep notes what was loaded.
func (s *Source) keep(name, text string) error {
	if other, loaded := s.loaded[name]; loaded && other != text {
		return fmt.Errorf("prompt %s has two texts: give one of the policies another name", name)
	}
	s.loaded[name] = text
	return nil
}

// replacementIn reads a prompt from a folder of replacements. The error is
// fs.ErrNotExist if it has no such prompt.
func replacementIn(dir, file string) (string, error) {
	folder, err := datafile.OpenFolder(dir, limits())
	if err != nil {
		return "", err
	}
	defer folder.Close()
	text, err := folder.ReadFile(file)
	return string(text), err
}

// CheckFolder refuses a folder of prompts that holds any other file than the known
// ones, or none: what is misspelt would replace nothing, unnoticed.
func CheckFolder(dir string, known []string) error {
	folder, err := datafile.OpenFolder(dir, limits())
	if err != nil {
		return fmt.Errorf("reading prompts: %w", err)
	}
	defer folder.Close()
	found := 0
	err = fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		file, err := folder.Open(name) // links and the like are refused
		if err != nil {
			return err
		}
		if !slices.Contains(known, name) {
			return errors.Join(fmt.Errorf("%s is no prompt; there are %s", filepath.Join(dir, name), strings.Join(known, ", ")), file.Close())
		}
		found++
		return file.Close()
	})
	if err != nil {
		return fmt.Errorf("reading prompts: %w", err)
	}
	if found == 0 {
		return fmt.Errorf("reading prompts: %s holds none; there are %s", dir, strings.Join(known, ", "))
	}
	return nil
}

// Files names the prompts among a policy's files.
func Files(own fs.FS) []string {
	names, err := fs.Glob(own, "*.md")
	if err != nil {
		panic(err) // the pattern is valid
	}
	return names
}

// limits are those of a folder of prompts.
func limits() datafile.Limits {
	return datafile.Limits{FileBytes: 1 << 20, Bytes: 1 << 20, Entries: 1000, Levels: 2}
}

// Texts are the prompts loaded so far, by policy/file.
func (s *Source) Texts() map[string]string { return s.loaded }

// Hashes are the SHA-256 of the prompts loaded so far, by policy/file.
func (s *Source) Hashes() map[string]string {
	hashes := make(map[string]string, len(s.loaded))
	for name, text := range s.loaded {
		sum := sha256.Sum256([]byte(text))
		hashes[name] = hex.EncodeToString(sum[:])
	}
	return hashes
}

// Values is what a prompt may use.
type Values struct {
	Instruction string
	Targets     []string // names or patterns of the files to produce
	TargetNames string   // the same, joined by commas
	TargetList  string   // the same, as a phrase (see Phrase)
	Files       []File   // all files
	Contents    string   // all files as fenced blocks, for policies that show contents
	Changed     []string // in a conversation that goes on: what has changed without the model
	Changes     string   // for a second look: what was done, as a unified diff
	// Words and TargetWords are how long a text is and shall become; 0 if nothing is
	// said of its length.
	Words, TargetWords int
}

// Of returns the values with what the task says.
func (v Values) Of(task *policies.Task) Values {
	v.Instruction, v.TargetWords = task.Instruction, task.TargetWords
	v.Targets, v.TargetNames, v.TargetList = task.Targets, strings.Join(task.Targets, ", "), Phrase(task.Targets)
	return v
}

// Phrase says which files are to be produced: names in backticks with commas between
// them, and what patterns stand for.
func Phrase(targets []string) string {
	var names, patterns []string
	for _, target := range targets {
		extension, simple := strings.CutPrefix(target, "*.")
		switch {
		case !strings.ContainsAny(target, "*?"):
			names = append(names, "`"+target+"`")
		case simple && !strings.ContainsAny(extension, "*?/"):
			patterns = append(patterns, fmt.Sprintf("any number of `.%s` files", extension))
		default:
			patterns = append(patterns, fmt.Sprintf("files that match `%s`", target))
		}
	}
	phrase := strings.Join(patterns, " and ")
	if len(names) > 0 && phrase != "" {
		return strings.Join(names, ", ") + ", and " + phrase
	}
	return strings.Join(names, ", ") + phrase
}

// File is a file as a prompt shows it. Content and Fence are set for policies
// that show contents.
type File struct {
	Name    string
	Content string // ends with a newline
	Fence   string // backticks, more than any run of them in Content
}

// Render fills a prompt in.
func Render(t *template.Template, v Values) (string, error) {
	var b strings.Builder
	const words = 4 << 10 // about what the prompt itself and the instruction take
	size := words
	for _, f := range v.Files {
		size += len(f.Content)
	}
	size += len(v.Contents)
	b.Grow(size)
	if err := t.Execute(&b, v); err != nil {
		return "", fmt.Errorf("filling in prompt: %w", err)
	}
	return b.String(), nil
}
