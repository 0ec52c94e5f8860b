package agents

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"agentd/sandbox/bundle"
)

// python is the interpreter that sandboxes have.
const python = "/usr/bin/python3"

// Install installs a preset and returns the result. It replaces an installation of the same
// version. If that is intact and differs only in how the agent is run, the packages are not
// fetched again. log receives the output of npm and pip. An error names the program that failed
// and the end of its output.
func (s Store) Install(ctx context.Context, p Preset, log io.Writer) (done Installed, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("installing agent %s %s: %w", p.Name, p.Version, err)
		}
	}()
	if err := os.MkdirAll(s.Dir, 0o755); err != nil {
		return done, err
	}
	stage, err := os.MkdirTemp(s.Dir, "."+p.Name+"-*")
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(stage)) }()
	in := installation{preset: p, log: log, fetched: filepath.Join(stage, "fetched"), ready: filepath.Join(stage, "ready")}
	steps := []func(context.Context) error{in.fetch, in.assemble, in.compile, in.script, in.record}
	if known, same := s.samePackages(p); same {
		in.made.Packages = known.Packages
		steps = []func(context.Context) error{in.script, in.record}
		if err := os.Rename(s.folder(p), in.ready); err != nil {
			return done, err
		}
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return done, err
		}
	}
	target := s.folder(p)
	return in.made, errors.Join(os.RemoveAll(target), os.Rename(in.ready, target))
}

// samePackages reports whether the same packages of the preset are installed and intact.
func (s Store) samePackages(p Preset) (known Installed, same bool) {
	var other *NotInstalledError
	known, err := s.Look(p)
	if err != nil && (!errors.As(err, &other) || !other.Changed) || len(known.Packages) == 0 {
		return known, false
	}
	then, err := read(p.Name+".yaml", []byte(known.Preset))
	if err != nil || !reflect.DeepEqual(then.Install, p.Install) || !reflect.DeepEqual(then.Bundle, p.Bundle) || !slices.Equal(then.LeaveOut, p.LeaveOut) {
		return known, false
	}
	hash, err := bundle.Hash(filepath.Join(s.folder(p), bundleFolder))
	return known, err == nil && hash == known.Hash
}

// installation is an installation in progress. Packages are fetched into one folder; the other
// folder becomes part of the store.
type installation struct {
	preset         Preset
	log            io.Writer
	fetched, ready string
	python         string // the interpreter that pip's packages are for
	made           Installed
}

func (in *installation) bundle() string { return filepath.Join(in.ready, bundleFolder) }

// fetch has npm and pip fetch the packages.
func (in *installation) fetch(ctx context.Context) error {
	if err := errors.Join(os.MkdirAll(in.fetched, 0o755), os.MkdirAll(in.bundle(), 0o755)); err != nil {
		return err
	}
	if packages := in.packages(in.preset.Install.NPM); len(packages) > 0 {
		// --force, because the platform's packages are installed by name, regardless of
		// what npm takes for the platform; --ignore-scripts, because they run as the user.
		args := append([]string{
			"install", "--prefix", in.fetched, "--cache", filepath.Join(in.fetched, ".cache"), "--ignore-scripts", "--no-audit", "--no-fund", "--force", "--save-exact",
		}, packages...)
		if err := in.run(ctx, "npm", args...); err != nil {
			return err
		}
	}
	if packages := in.packages(in.preset.Install.Pip); len(packages) > 0 {
		if err := in.interpreter(ctx); err != nil {
			return err
		}
		args := []string{"--python", in.python, "install", "--no-compile", "--no-cache-dir", "--only-binary", ":all:", "--report", pipReport}
		for _, name := range in.preset.Install.FromSource {
			args = append(args, "--no-binary", name)
		}
		args = append(args, "--target", filepath.Join(in.bundle(), "lib"))
		return in.run(ctx, "pip", append(args, packages...)...)
	}
	return nil
}

func (in *installation) packages(names []string) []string {
	var filled []string
	for _, name := range names {
		filled = append(filled, in.preset.filled(name))
	}
	return filled
}

// mostSaid is the largest part of a failed program's output in an error, in bytes.
const mostSaid = 1000

// run runs a program of this machine.
func (in *installation) run(ctx context.Context, name string, args ...string) error {
	program, err := exec.LookPath(name)
	if err != nil {
		return fmt.Errorf("%s is needed to fetch the agent: install it (Debian: apt-get install %s): %w",
			name, map[string]string{"pip": "python3-pip", "npm": "npm"}[name], err)
	}
	var said bytes.Buffer
	c := exec.CommandContext(ctx, program, args...)
	c.Dir = in.fetched
	c.Stdout = io.MultiWriter(in.log, &said)
	c.Stderr = c.Stdout
	if err := c.Run(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		end := said.String()
		return fmt.Errorf("%s failed: %w: …%s", name, err, strings.ToValidUTF8(end[max(0, len(end)-mostSaid):], ""))
	}
	return nil
}

// assemble moves the preset's parts into the bundle.
func (in *installation) assemble(context.Context) error {
	if err := in.list(); err != nil {
		return err
	}
	for _, part := range in.preset.Bundle {
		from, err := in.find(in.preset.filled(part.From))
		if err != nil {
			return err
		}
		to := filepath.Join(in.bundle(), filepath.FromSlash(part.To))
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.Rename(from, to)); err != nil {
			return err
		}
		if part.Executable {
			if err := os.Chmod(to, 0o755); err != nil {
				return err
			}
		}
	}
	return in.leaveOut()
}

// script writes the run script and the preset.
func (in *installation) script(context.Context) error {
	return errors.Join(
		os.WriteFile(filepath.Join(in.bundle(), runFile), []byte(in.preset.Run), 0o755),
		os.WriteFile(filepath.Join(in.bundle(), "preset.yaml"), in.preset.file.text, 0o644),
		os.WriteFile(filepath.Join(in.bundle(), "version"), []byte(in.preset.Version+"\n"), 0o644),
	)
}

// leaveOut removes unneeded files from the bundle.
func (in *installation) leaveOut() error {
	for _, pattern := range in.preset.LeaveOut {
		matches, err := filepath.Glob(filepath.Join(in.bundle(), filepath.FromSlash(in.preset.filled(pattern))))
		for _, match := range matches {
			err = errors.Join(err, os.RemoveAll(match))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// find returns the only fetched path that matches a pattern.
func (in *installation) find(pattern string) (string, error) {
	matches, err := filepath.Glob(filepath.Join(in.fetched, filepath.FromSlash(pattern)))
	if err != nil {
		return "", fmt.Errorf("bundle: %w", err)
	}
	if len(matches) != 1 {
		return "", fmt.Errorf("bundle: %d files match %s, not one: is this version for this processor?", len(matches), pattern)
	}
	return matches[0], nil
}

// compile precompiles Python files so that they do not depend on file times. The bundle is
// read-only in sandboxes, so otherwise every start would compile them again.
func (in *installation) compile(ctx context.Context) error {
	if len(in.preset.Install.Pip) == 0 {
		return nil
	}
	// Packages may contain files that cannot be compiled, such as templates, so the exit status
	// is ignored.
	c := exec.CommandContext(ctx, in.python, "-m", "compileall", "-q", "-j", "0", "--invalidation-mode", "unchecked-hash", "-s", in.bundle(), "-p", "/agent",
		filepath.Join(in.bundle(), "lib"), filepath.Join(in.bundle(), pythonFolder))
	c.Stdout, c.Stderr = in.log, in.log
	_ = c.Run()
	return ctx.Err()
}

// record sets the bundle's final permissions and records its hash.
func (in *installation) record(context.Context) error {
	if err := filepath.WalkDir(in.bundle(), func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Type()&fs.ModeSymlink != 0 {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		in.made.Files++
		mode := fs.FileMode(0o644)
		if info.IsDir() || info.Mode()&0o111 != 0 {
			mode = 0o755
		}
		if !info.IsDir() {
			in.made.Bytes += info.Size()
		}
		return os.Chmod(name, mode)
	}); err != nil {
		return err
	}
	hash, err := bundle.Hash(in.bundle())
	if err != nil {
		return err
	}
	in.made.Name, in.made.Version, in.made.Preset, in.made.Hash = in.preset.Name, in.preset.Version, in.preset.Text(), hash
	in.made.At = time.Now().UTC().Truncate(time.Second)
	raw, err := json.MarshalIndent(in.made, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(in.ready, recordFile), append(raw, '\n'), 0o644)
}
