package environments

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"unicode/utf8"

	"github.com/goccy/go-yaml"

	"agentd/domains"
	"agentd/vfs"
)

//go:embed all:builtin
var builtin embed.FS

// definition is environment.yaml: what stands beside the seed and distractor
// folders of an environment.
type definition struct {
	Name        string           `yaml:"name"`
	Title       string           `yaml:"title"`
	Domain      string           `yaml:"domain"`
	Licence     string           `yaml:"licence"`
	Origin      string           `yaml:"origin"`
	Summary     string           `yaml:"summary"`
	Edits       []Edit           `yaml:"edits"`
	Metadata    domains.Metadata `yaml:"metadata"`
	Distractors []Distractor     `yaml:"distractors"`
}

const definitionFile = "environment.yaml"

// Builtin returns the environments embedded in the binary, in name order.
func Builtin() ([]Environment, error) {
	root, err := fs.Sub(builtin, "builtin")
	if err != nil {
		return nil, err
	}
	return loadFolder(root, "built-in")
}

// loadFolder reads every environment below a folder; label names the folder in
// errors.
func loadFolder(root fs.FS, label string) ([]Environment, error) {
	var environments []Environment
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || path.Base(name) != definitionFile {
			return err
		}
		env, err := loadOne(root, path.Dir(name))
		if err != nil {
			return fmt.Errorf("%s: %w", path.Join(label, name), err)
		}
		environments = append(environments, env)
		return fs.SkipDir
	})
	if err != nil {
		return nil, err
	}
	if len(environments) == 0 {
		return nil, fmt.Errorf("%s: no %s in the folder or below it", label, definitionFile)
	}
	return environments, nil
}

func loadOne(root fs.FS, dir string) (Environment, error) {
	raw, err := fs.ReadFile(root, path.Join(dir, definitionFile))
	if err != nil {
		return Environment{}, err
	}
	var def definition
	if err := yaml.UnmarshalWithOptions(raw, &def, yaml.Strict()); err != nil {
		return Environment{}, err
	}
	seed, err := readFiles(root, path.Join(dir, "seed"))
	if err != nil {
		return Environment{}, err
	}
	distractors, err := readFiles(root, path.Join(dir, "distractors"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Environment{}, err
	}
	env := Environment{
		Name: def.Name, Title: def.Title, Domain: def.Domain,
		Licence: def.Licence, Origin: def.Origin, Summary: def.Summary,
		Seed: seed, Targets: seed.Names(),
		Distractors: distractors, Summaries: def.Distractors,
		Edits: def.Edits, Metadata: def.Metadata,
	}
	return env, env.check()
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
