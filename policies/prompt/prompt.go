// Package prompt loads the prompts of policies: templates in files, embedded
// beside each policy, any of which a user may replace.
package prompt

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"text/template"

	"agentd/internal/datafile"
	"agentd/policies"
)

// Source finds prompts: first in a folder of replacements, named
// policy/file.md, then among a policy's own.
type Source struct {
	dir    string
	stored map[string]string // replacements by name, of an experiment's store
	loaded map[string]string // prompts that were loaded, by name

	// Of a source for one policy: what its prompts are called by instead of the
	// policy's name, and a folder that is looked into first.
	name, own string
}

// NewSource returns a source with replacements from a folder; an empty name
// means none.
func NewSource(dir string) (*Source, error) {
	if dir != "" {
		folder, err := datafile.OpenFolder(dir, limits())
		if err != nil {
			return nil, fmt.Errorf("reading prompts: %w", err)
		}
		if err := folder.Close(); err != nil {
			return nil, fmt.Errorf("reading prompts: %w", err)
		}
	}
	return &Source{dir: dir, loaded: map[string]string{}}, nil
}

// NewStored returns a source of the prompts, by policy/file, that an earlier
// Source gave as its Texts.
func NewStored(texts map[string]string) *Source {
	return &Source{stored: texts, loaded: map[string]string{}}
}

// For returns a source for one policy of an experiment, whose prompts are called
// name/file.md, or by the policy's own name if that is empty. Those in the folder
// come before all others; empty means none.
func (s *Source) For(name, folder string) (*Source, error) {
	if folder != "" {
		if _, err := NewSource(folder); err != nil {
			return nil, err
		}
	}
	one := *s
	one.name, one.own = name, folder
	return &one, nil
}

// Load parses a prompt of a policy. own holds the policy's files by their base
// names.
func (s *Source) Load(own fs.FS, policy, file string) (*template.Template, error) {
	name := cmp.Or(s.name, policy) + "/" + file
	raw, err := fs.ReadFile(own, file)
	if err != nil {
		return nil, fmt.Errorf("reading prompt %s: %w", name, err)
	}
	if text, ok := s.stored[name]; ok {
		raw = []byte(text)
	}
	for _, in := range []struct{ dir, file string }{{s.dir, policy + "/" + file}, {s.own, file}} {
		replacement, err := replacementIn(in.dir, in.file)
		if err == nil {
			raw = replacement
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("reading prompt %s: %w", name, err)
		}
	}
	t, err := template.New(name).Option("missingkey=error").Parse(strings.TrimSpace(string(raw)))
	if err != nil {
		return nil, fmt.Errorf("reading prompt: %w", err)
	}
	if err := t.Execute(io.Discard, Values{}); err != nil {
		return nil, fmt.Errorf("trying prompt: %w", err)
	}
	if other, loaded := s.loaded[name]; loaded && other != string(raw) {
		return nil, fmt.Errorf("prompt %s has two texts: give one of the policies another name", name)
	}
	s.loaded[name] = string(raw)
	return t, nil
}

// replacementIn reads a prompt from a folder of replacements, which is empty for
// none. The error is fs.ErrNotExist if it has no such prompt.
func replacementIn(dir, file string) ([]byte, error) {
	if dir == "" {
		return nil, fs.ErrNotExist
	}
	folder, err := datafile.OpenFolder(dir, limits())
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	return folder.ReadFile(file)
}

// limits are those of a folder of prompts.
func limits() datafile.Limits {
	return datafile.Limits{FileBytes: 1 << 20, Bytes: 1 << 20}
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
