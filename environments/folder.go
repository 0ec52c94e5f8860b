package environments

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/internal/charset"
	"agentd/internal/datafile"
	"agentd/internal/usage"
	"agentd/internal/yamlsafe"
	"agentd/vfs"
)

//go:embed all:builtin
var builtin embed.FS

// pictures are separate from the others, so that they are only loaded when needed.
//
//go:embed all:pictures
var pictures embed.FS

// definition is the content of environment.yaml. The environment's folder also has the
// seed and distractor folders, the scaffold folder if scoring needs one, and the scripts
// that are oracles.
type definition struct {
	Name    string `yaml:"name"`
	Title   string `yaml:"title"`
	Domain  string `yaml:"domain"`
	Licence string `yaml:"licence"`
	Origin  string `yaml:"origin"`
	Summary string `yaml:"summary,omitempty"`
	// Redistribute says that the seed may be redistributed.
	Redistribute bool `yaml:"redistribute,omitempty"`
	// Targets are the names or patterns of the seed's files; by default, the names of
	// the files in the folder.
	Targets []string `yaml:"targets,omitempty"`
	// Encodings are those of the seed's files that are not in UTF-8, such as windows-1252 or UTF-16LE-BOM. Without one an encoding
	// is detected.
	Encodings   charset.Encodings `yaml:"encodings,omitempty"`
	Edits       []Edit            `yaml:"edits"`
	Metadata    domains.Metadata  `yaml:"metadata,omitempty"`
	Distractors []Distractor      `yaml:"distractors,omitempty"`
}

// The contents of an environment's folder.
const (
	definitionFile    = "environment.yaml"
	seedFolder        = "seed"
	distractorsFolder = "distractors"
	scaffoldFolder    = "scaffold"
)

// Builtin returns the environments embedded in the binary, in name order.
func Builtin() ([]Environment, error) {
	return accepted(BuiltinDrafts())
}

// Pictures returns the embedded environments of the domain image, in name order. They are
// not part of Builtin, since the paper reports them in a separate table.
func Pictures() ([]Environment, error) { return accepted(PictureDrafts()) }

// PictureDrafts returns them as Drafts does.
func PictureDrafts() ([]Draft, error) {
	root, err := fs.Sub(pictures, "pictures")
	if err != nil {
		return nil, err
	}
	return draftFolder(root, "built-in")
}

// Listed is an environment in a list, without its content.
type Listed struct{ Name, Domain string }

// ListBuiltin lists the environments that Builtin returns, without reading them.
func ListBuiltin() []Listed { return list(builtin, "builtin") }

// ListPictures lists the environments that Pictures returns, without reading them.
func ListPictures() []Listed { return list(pictures, "pictures") }

// list lists the embedded environments of a folder. The name of each is its domain and a number.
func list(root embed.FS, folder string) []Listed {
	entries, err := root.ReadDir(folder)
	if err != nil {
		panic(err) // it is embedded
	}
	all := make([]Listed, len(entries))
	for i, e := range entries {
		all[i] = Listed{e.Name(), strings.TrimRight(e.Name(), "0123456789")}
	}
	return all
}

// Embedded reads the listed environments, which ListBuiltin or ListPictures returned, and no others.
func Embedded(listed []Listed) ([]Environment, error) {
	with := ListPictures()
	all := make([]Environment, len(listed))
	for i, l := range listed {
		root, folder := builtin, "builtin"
		if slices.Contains(with, l) {
			root, folder = pictures, "pictures"
		}
		var err error
		if all[i], _, err = loadOne(root, path.Join(folder, l.Name)); err != nil {
			return nil, fmt.Errorf("built-in/%s: %w", l.Name, err)
		}
	}
	return all, nil
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
// even if their content is wrong.
func loadOne(root fs.FS, dir string) (env Environment, read bool, err error) {
	raw, err := fs.ReadFile(root, path.Join(dir, definitionFile))
	if err != nil {
		return env, false, err
	}
	var def definition
	if err := yamlsafe.Unmarshal(raw, &def); err != nil {
		return env, false, err
	}
	reader := datafile.Reader{Known: def.Encodings}
	seed, err := reader.Documents(root, path.Join(dir, seedFolder))
	if err != nil {
		return env, false, err
	}
	distractors, err := datafile.Documents(root, path.Join(dir, distractorsFolder))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return env, false, err
	}
	scaffold, err := datafile.Documents(root, path.Join(dir, scaffoldFolder))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return env, false, err
	}
	if len(scaffold) == 0 {
		scaffold = nil
	}
	scripts, err := readScripts(root, dir, def.Edits)
	if err != nil {
		return env, false, err
	}
	if def.Targets == nil {
		def.Targets = seed.Names()
	}
	env = Environment{
		Name: def.Name, Title: def.Title, Domain: def.Domain,
		Licence: def.Licence, Origin: def.Origin, Summary: def.Summary, Redistribute: def.Redistribute,
		Seed: seed, Encodings: encodingsOf(def.Encodings, reader.Encodings), Scaffold: scaffold, Targets: def.Targets,
		Distractors: distractors, Summaries: def.Distractors,
		Edits: def.Edits, Metadata: def.Metadata, Scripts: scripts,
	}
	return env, true, env.check()
}

// encodingsOf are the encodings of a seed: those that were met, and declared ones of files that are not there, which check refuses.
func encodingsOf(declared, met charset.Encodings) charset.Encodings {
	all := charset.Encodings{}
	maps.Copy(all, declared)
	maps.Copy(all, met)
	if len(all) == 0 {
		return nil
	}
	return all
}

// readScripts reads the oracles that are scripts; nil if there are none. A missing one
// is omitted; check reports it.
func readScripts(root fs.FS, dir string, edits []Edit) (vfs.Files, error) {
	var scripts vfs.Files
	for _, edit := range edits {
		for _, name := range []string{edit.Oracle.Script.Forward, edit.Oracle.Script.Backward} {
			if name == "" || vfs.CleanName(name) != nil {
				continue
			}
			text, err := fs.ReadFile(root, path.Join(dir, name))
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return nil, err
			}
			if scripts == nil {
				scripts = vfs.Files{}
			}
			scripts[name] = string(text)
		}
	}
	return scripts, nil
}

// Save writes the environment into a new folder with its name in to, in the layout
// that Load reads. It creates to if necessary. If the folder exists, the error is a
// usage.Error that wraps fs.ErrExist. After any other error the folder is removed.
// Save never writes outside of to or over an existing file.
func (e *Environment) Save(to string) (err error) {
	if err := e.check(); err != nil {
		return err
	}
	text, err := e.definition()
	if err != nil {
		return fmt.Errorf("writing %s: %w", e.Name, err)
	}
	return e.write(to, text)
}

// write is Save with the text of environment.yaml.
func (e *Environment) write(to string, text []byte) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("writing %s: %w", e.Name, err)
		}
	}()
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	if err := root.Mkdir(e.Name, 0o755); errors.Is(err, fs.ErrExist) {
		return usage.Errorf("%s is there already; move it away, or choose another folder: %w", path.Join(to, e.Name), fs.ErrExist)
	} else if err != nil {
		return err
	}
	if err := e.saveIn(root, text); err != nil {
		return errors.Join(err, root.RemoveAll(e.Name))
	}
	return nil
}

// saveIn writes the files into the environment's folder.
func (e *Environment) saveIn(root *os.Root, definition []byte) (err error) {
	own, err := root.OpenRoot(e.Name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, own.Close()) }()
	if err := datafile.Create(own, definitionFile, definition); err != nil {
		return err
	}
	seed, err := e.Encodings.Bytes(e.Seed)
	if err != nil {
		return err
	}
	for dir, files := range map[string]vfs.Files{"": e.Scripts, seedFolder: seed, scaffoldFolder: e.Scaffold, distractorsFolder: e.Distractors} {
		for name, content := range files {
			if err := datafile.Create(own, path.Join(dir, name), []byte(content)); err != nil {
				return err
			}
		}
	}
	return nil
}

// definition is environment.yaml.
func (e *Environment) definition() ([]byte, error) {
	def := definition{
		Name: e.Name, Title: e.Title, Domain: e.Domain,
		Licence: e.Licence, Origin: e.Origin, Summary: e.Summary, Redistribute: e.Redistribute,
		Edits: e.Edits, Metadata: e.Metadata, Distractors: e.Summaries, Encodings: e.Encodings,
	}
	if !slices.Equal(e.Targets, e.Seed.Names()) {
		def.Targets = e.Targets
	}
	return yamlsafe.Marshal(def)
}
