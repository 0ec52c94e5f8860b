package agents

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"agentd/internal/datafile"
	"agentd/sandbox/bundle"
)

// Store is a folder with installed agents, a folder for each version of each.
type Store struct{ Dir string }

// UserStore is the store in the user's cache.
func UserStore() (Store, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return Store{}, fmt.Errorf("looking for the user's cache: %w", err)
	}
	return Store{filepath.Join(cache, "agentd", "agents")}, nil
}

// Installed describes an installed agent.
type Installed struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Preset  string `json:"preset"` // the file, with the versions filled in that were installed
	Hash    string `json:"hash"`   // SHA-256 of the bundle, as bundle.Bundle has it
	// Packages are all packages installed by npm and pip, one line each, such as "npm
	// thing@1.2.3 sha512-…" and "pip thing==1.2.3 sha256-…". The bundle contains the list.
	Packages []string  `json:"packages,omitempty"`
	Files    int       `json:"files"`
	Bytes    int64     `json:"bytes"`
	At       time.Time `json:"at"`
}

// Names in the folder of an installed agent.
const (
	recordFile   = "installed.json"
	bundleFolder = "bundle"
	runFile      = "run" // in the bundle
)

// folder returns the folder of a version of an agent.
func (s Store) folder(p Preset) string { return filepath.Join(s.Dir, p.Name+"@"+p.Version) }

// NotInstalledError means that an agent must be installed first.
type NotInstalledError struct {
	Preset  Preset
	Changed bool // another form of the preset is installed
}

func (e *NotInstalledError) Error() string {
	why := "is not installed"
	if e.Changed {
		why = "was installed by another form of its preset"
	}
	return fmt.Sprintf("agent %s %s %s: run: %s", e.Preset.Name, e.Preset.Version, why, e.Preset.InstallCommand())
}

// InstallCommand returns the command that installs the preset.
func (p Preset) InstallCommand() string {
	command := "agentd agents install " + p.argument()
	if built, err := Find(p.Name); err == nil && built.Version != p.Version && p.file.path == "" {
		command += " --version " + p.Version
	}
	return command
}

// Look returns the installation of a preset. The error is a *NotInstalledError if there is
// none.
func (s Store) Look(p Preset) (Installed, error) {
	var found Installed
	text, err := datafile.Read(filepath.Join(s.folder(p), recordFile), 2*maxPreset)
	if errors.Is(err, fs.ErrNotExist) {
		return found, &NotInstalledError{Preset: p}
	}
	if err == nil {
		err = json.Unmarshal(text, &found)
	}
	if err != nil {
		return found, fmt.Errorf("reading what is installed of agent %s: %w", p.Name, err)
	}
	if found.Preset != p.Text() {
		return found, &NotInstalledError{Preset: p, Changed: true}
	}
	return found, nil
}

// Describe describes in a few words what is installed of a preset, and reports whether it can be
// used.
func (s Store) Describe(p Preset) (says string, usable bool, err error) {
	var missing *NotInstalledError
	found, err := s.Look(p)
	switch {
	case errors.As(err, &missing) && missing.Changed:
		return "installed by another form of its preset: install it again", false, nil
	case errors.As(err, &missing):
		return "not installed", false, nil
	case err != nil:
		return "", false, err
	}
	return fmt.Sprintf("installed: %d MB in %d files, hash %.12s", found.Bytes>>20, found.Files, found.Hash), true, nil
}

// Open opens an installed agent for use in sandboxes. The error is a *NotInstalledError if it
// is not installed. It is also an error if the files have changed since the installation. Close
// of the bundle releases it.
func (s Store) Open(p Preset) (*bundle.Bundle, error) {
	known, err := s.Look(p)
	if err != nil {
		return nil, err
	}
	b, err := bundle.Link(filepath.Join(s.folder(p), bundleFolder))
	if err != nil {
		return nil, err
	}
	if b.Hash != known.Hash {
		err := fmt.Errorf("agent %s %s has changed since it was installed (hash %.12s, now %.12s): run: %s",
			p.Name, p.Version, known.Hash, b.Hash, p.InstallCommand())
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}
