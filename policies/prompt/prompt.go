// Package prompt loads the prompts of policies. They are template files, embedded with each
// policy. Users may replace any of them.
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

// Source finds prompts: first replacements, then those stored with an experiment, then a
// policy's own.
type Source struct {
	all    Replacements      // for all policies, nil for none
	stored map[string]string // what an experiment's store has, by name
	loaded map[string]string // prompts that were loaded, by name

	// Fields of a source for one policy: the name for its prompts, if it differs from the
	// policy's name, and replacements that precede all, nil for none.
	name string
	own  Replacements
}

// Replacements return the text that replaces a policy's own prompt. The error is fs.ErrNotExist
// if there is none.
type Replacements func(policy, file string) (string, error)

// NewSource returns a source with replacements from the folder dir, in files named policy/file.
// An empty dir means none.
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

// NewStored returns a source of stored prompts, by policy/file, as returned by Texts.
func NewStored(texts map[string]string) *Source {
	return &Source{stored: texts, loaded: map[string]string{}}
}

// Named returns replacements from a map by policy/file.
func Named(texts map[string]string) Replacements {
	return func(policy, file string) (string, error) {
		text, ok := texts[policy+"/"+file]
		if !ok {
			return "", fs.ErrNotExist
		}
		return text, nil
	}
}

// FolderOf returns replacements from a folder of one policy's prompts, in files named file.
func FolderOf(dir string) Replacements {
	return func(_, file string) (string, error) { return replacementIn(dir, file) }
}

// For returns a source for one policy of an experiment. Its prompts are named name/file; an
// empty name means the policy's own. own replacements precede all others; nil means none.
func (s *Source) For(name string, own Replacements) *Source {
	one := *s
	one.name, one.own = name, own
	return &one
}

// Load parses a policy's prompt. own holds the policy's files by their base names. White space
// at both ends of a prompt is removed.
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

// Text returns an optional text of a policy that is not a template. It returns false if there
// is none.
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

// called returns the name of a policy's prompt in this source.
func (s *Source) called(policy, file string) string {
	return cmp.Or(s.name, policy) + "/" + file
}

// find returns the replacement of a policy's own prompt. The error is fs.ErrNotExist if there
// is none.
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

// keep records a loaded text.
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

// CheckFolder returns an error if a folder of prompts is empty or contains files other than the
// known ones. A misspelt file would otherwise be ignored silently.
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

// Values are the fields that a prompt may use.
type Values struct {
	Instruction string
	Targets     []string // names or patterns of the files to produce
	TargetNames string   // the same, joined by commas
	TargetList  string   // the same, as a phrase (see Phrase)
	Files       []File   // all files
	Contents    string   // all files as fenced blocks, for policies that show contents
	Changed     []string // in a continued conversation: what has changed without the model
	Changes     string   // for verify: the changes, as a unified diff
	// Words is the length of a text, and TargetWords its required length; 0 if no length is
	// required.
	Words, TargetWords int
}

// Of returns the values with those of the task.
func (v Values) Of(task *policies.Task) Values {
	v.Instruction, v.TargetWords = task.Instruction, task.TargetWords
	v.Targets, v.TargetNames, v.TargetList = task.Targets, strings.Join(task.Targets, ", "), Phrase(task.Targets)
	return v
}

// Phrase describes the files to produce: names in backticks with commas between them, and
// patterns in words.
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

// File is a file as a prompt shows it. Content and Fence are set only for policies that show
// contents.
type File struct {
	Name    string
	Content string // ends with a newline
	Fence   string // backticks, more than any run of them in Content
}

// Render fills in a prompt.
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
