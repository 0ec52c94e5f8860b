package environments

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"github.com/goccy/go-yaml"

	"agentd/domains"
	"agentd/vfs"
)

//go:embed all:builtin
var builtin embed.FS

// definition is environment.yaml: what stands beside the seed and distractor
// folders of an environment, and the scaffold folder if scoring needs one.
type definition struct {
	Name    string `yaml:"name"`
	Title   string `yaml:"title"`
	Domain  string `yaml:"domain"`
	Licence string `yaml:"licence"`
	Origin  string `yaml:"origin"`
	Summary string `yaml:"summary,omitempty"`
	// Targets are the names or patterns of the seed's files, where they are not
	// just the names of what is in the folder.
	Targets     []string         `yaml:"targets,omitempty"`
	Edits       []Edit           `yaml:"edits"`
	Metadata    domains.Metadata `yaml:"metadata,omitempty"`
	Distractors []Distractor     `yaml:"distractors,omitempty"`
}

const definitionFile = "environment.yaml"

// Builtin returns the environments embedded in the binary, in name order.
func Builtin() ([]Environment, error) {
	return accepted(BuiltinDrafts())
}

// BuiltinDrafts returns them as Drafts does.
func BuiltinDrafts() ([]Draft, error) {
	root, err := fs.Sub(builtin, "builtin")
	if err != nil {
		return nil, err
	}
	return draftFolder(root, "built-in")
}

// draftFolder reads every environment below a folder; label names the folder in
// errors.
func draftFolder(root fs.FS, label string) ([]Draft, error) {
	var drafts []Draft
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || path.Base(name) != definitionFile {
			return err
		}
		d := Draft{Where: path.Join(label, name)}
		var read bool
		if d.Environment, read, d.Err = loadOne(root, path.Dir(name)); read {
			d.Sample = d.Environment.Sample()
		}
		drafts = append(drafts, d)
		return fs.SkipDir
	})
	if err != nil {
		return nil, err
	}
	if len(drafts) == 0 {
		return nil, fmt.Errorf("%s: no %s in the folder or below it", label, definitionFile)
	}
	return drafts, nil
}

// loadOne reads one environment. read is true if its files could be read,
// whatever is in them.
func loadOne(root fs.FS, dir string) (env Environment, read bool, err error) {
	raw, err := fs.ReadFile(root, path.Join(dir, definitionFile))
	if err != nil {
		return env, false, err
	}
	var def definition
	if err := yaml.UnmarshalWithOptions(raw, &def, yaml.Strict()); err != nil {
		return env, false, err
	}
	seed, err := readFiles(root, path.Join(dir, "seed"))
	if err != nil {
		return env, false, err
	}
	distractors, err := readFiles(root, path.Join(dir, "distractors"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return env, false, err
	}
	scaffold, err := readFiles(root, path.Join(dir, "scaffold"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return env, false, err
	}
	if len(scaffold) == 0 {
		scaffold = nil
	}
	if def.Targets == nil {
		def.Targets = seed.Names()
	}
	env = Environment{
		Name: def.Name, Title: def.Title, Domain: def.Domain,
		Licence: def.Licence, Origin: def.Origin, Summary: def.Summary,
		Seed: seed, Scaffold: scaffold, Targets: def.Targets,
		Distractors: distractors, Summaries: def.Distractors,
		Edits: def.Edits, Metadata: def.Metadata,
	}
	return env, true, env.check()
}

// readFiles reads all text files below a folder.
func readFiles(root fs.FS, dir string) (vfs.Files, error) {
	files := vfs.Files{}
	err := fs.WalkDir(root, dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		raw, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		if !utf8.Valid(raw) {
			return fmt.Errorf("%s is not a UTF-8 text file; convert it, or leave it out of the environment", name)
		}
		files[name[len(dir)+1:]] = string(raw)
		return nil
	})
	return files, err
}

// Save writes the environment into a new folder, in the layout that Load reads.
// A folder that is there already is an error that wraps fs.ErrExist; one that
// could not be written whole is removed.
func (e *Environment) Save(dir string) (err error) {
	if err := e.check(); err != nil {
		return err
	}
	def := definition{
		Name: e.Name, Title: e.Title, Domain: e.Domain,
		Licence: e.Licence, Origin: e.Origin, Summary: e.Summary,
		Edits: e.Edits, Metadata: e.Metadata, Distractors: e.Summaries,
	}
	if !slices.Equal(e.Targets, e.Seed.Names()) {
		def.Targets = e.Targets
	}
	text, err := yaml.MarshalWithOptions(def, yaml.UseLiteralStyleIfMultiline(true))
	if err != nil {
		return fmt.Errorf("writing %s: %w", e.Name, err)
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return fmt.Errorf("writing %s: %w", e.Name, err)
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return fmt.Errorf("writing %s: %w", e.Name, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("writing %s: %w", e.Name, err), os.RemoveAll(dir))
		}
	}()
	if err := os.WriteFile(filepath.Join(dir, definitionFile), text, 0o644); err != nil {
		return err
	}
	if err := writeFiles(filepath.Join(dir, "seed"), e.Seed); err != nil {
		return err
	}
	if err := writeFiles(filepath.Join(dir, "scaffold"), e.Scaffold); err != nil {
		return err
	}
	return writeFiles(filepath.Join(dir, "distractors"), e.Distractors)
}

func writeFiles(dir string, files vfs.Files) error {
	for name, content := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			return err
		}
	}
	return nil
}
