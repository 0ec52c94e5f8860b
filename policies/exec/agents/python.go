package agents

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// pythonFolder is the bundle's folder for its own Python, with the program in bin and the
// library in lib.
const pythonFolder = "python"

// unneeded are names of library folders that no agent needs.
var unneeded = []string{"site-packages", "dist-packages", "__pycache__", "test", "tests", "idlelib", "tkinter", "turtledemo", "ensurepip", "lib2to3"}

// whereabouts makes an interpreter print the paths of its program, its library and its shared
// library; the last is empty if it needs none.
const whereabouts = `import json, os, sys, sysconfig
v = sysconfig.get_config_vars()
shared = os.path.join(v.get("LIBDIR") or "", v.get("INSTSONAME") or "") if v.get("Py_ENABLE_SHARED") else ""
program = os.path.join(sys.base_prefix, "bin", "python" + sysconfig.get_python_version())
print(json.dumps([os.path.realpath(program), sysconfig.get_path("stdlib", vars={"installed_base": sys.base_prefix}), shared, sysconfig.get_python_version()]))`

// interpreter finds the interpreter for the packages, and copies it into the bundle unless it
// is the one in sandboxes.
func (in *installation) interpreter(ctx context.Context) error {
	wanted := in.preset.Install.Python
	if in.python = python; wanted == "" {
		return nil
	}
	for _, candidate := range candidates(wanted) {
		out, err := exec.CommandContext(ctx, candidate, "-c", whereabouts).Output()
		var at []string
		if err != nil || json.Unmarshal(out, &at) != nil || len(at) != 4 || at[3] != wanted {
			continue // pyenv's shims fail if no version is selected
		}
		in.python = candidate
		fmt.Fprintln(in.log, "bringing along", at[0])
		return in.bringPython(at[0], at[1], at[2])
	}
	return fmt.Errorf("the agent needs Python %s, and this machine has none on its path, of pyenv or of uv (uv python install %s gets one)", wanted, wanted)
}

// candidates returns paths where an interpreter may be.
func candidates(version string) []string {
	var all []string
	if found, err := exec.LookPath("python" + version); err == nil {
		all = append(all, found)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return all
	}
	for _, folder := range []string{".pyenv/versions/" + version + ".*", ".local/share/uv/python/cpython-" + version + ".*"} {
		found, _ := filepath.Glob(filepath.Join(home, folder, "bin", "python"+version)) // the pattern is valid
		all = append(all, found...)
	}
	return all
}

// bringPython copies a Python into the bundle.
func (in *installation) bringPython(program, library, shared string) error {
	home := filepath.Join(in.bundle(), pythonFolder)
	if err := copyFile(program, filepath.Join(home, "bin", filepath.Base(program))); err != nil {
		return err
	}
	if shared != "" {
		if err := copyFile(shared, filepath.Join(home, "lib", filepath.Base(shared))); err != nil {
			return err
		}
	}
	to := filepath.Join(home, "lib", filepath.Base(library))
	return filepath.WalkDir(library, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (slices.Contains(unneeded, entry.Name()) || strings.HasPrefix(entry.Name(), "config-")):
			return fs.SkipDir
		case !entry.Type().IsRegular(): // a link leads to what is not there
			return nil
		}
		inside, err := filepath.Rel(library, name)
		if err != nil {
			return err
		}
		return copyFile(name, filepath.Join(to, inside))
	})
}

// copyFile copies a file with its executable bits, and creates the parent folders.
func copyFile(from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, content, info.Mode().Perm()|0o600))
}
