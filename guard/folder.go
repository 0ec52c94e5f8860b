// Package guard stands between a program and somebody's files. The program works on a copy; what it changed is
// compared by the meaning of the documents, and reaches the files only by a Rule or by consent.
//
// Changes are applied at once or not at all, also if the process is killed in the middle: a second folder is
// prepared, in which all files that stay the same are links to those that are there, and one system call
// exchanges the two. Where that is not possible, as for the root of a file system, a journal is written first, and
// the next process that opens the folder carries on from it. Every change is kept with its reason and can be undone.
package guard

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"agentd/changes"
	"agentd/internal/datafile"
	"agentd/internal/usage"
	"agentd/vfs"
)

// Folder is a folder that is guarded. It is not safe for concurrent use.
type Folder struct {
	path string // absolute, without links
	log  string // the folder of what was accepted
}

// Open opens a folder, and finishes what a process that was killed has begun there. state is where
// accepted changes are kept; empty for agentd/guard in the user's folder of states. The error is a usage
// error where the folder cannot be guarded.
func Open(path, state string) (*Folder, error) {
	real, err := filepath.Abs(path)
	if err == nil {
		real, err = filepath.EvalSymlinks(real)
	}
	if err != nil {
		return nil, usage.Errorf("opening the folder: %w", err)
	}
	if info, err := os.Stat(real); err != nil || !info.IsDir() {
		return nil, usage.Errorf("%s is not a folder", path)
	}
	if state == "" {
		if state, err = defaultState(); err != nil {
			return nil, err
		}
	}
	if state, err = filepath.Abs(state); err != nil {
		return nil, err
	}
	if inside, err := filepath.Rel(real, state); err == nil && inside != ".." && !strings.HasPrefix(inside, "../") {
		return nil, usage.Errorf("the accepted changes cannot be kept in %s, which is in the folder itself", state)
	}
	f := &Folder{path: real, log: filepath.Join(state, keyOf(real))}
	return f, f.recover()
}

// defaultState is where changes are kept: $XDG_STATE_HOME, or .local/state in the home folder.
func defaultState() (string, error) {
	if dir := os.Getenv("XDG_STATE_HOME"); dir != "" {
		return filepath.Join(dir, "agentd", "guard"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", usage.Errorf("there is no home folder to keep accepted changes in; name one with --log: %w", err)
	}
	return filepath.Join(home, ".local", "state", "agentd", "guard"), nil
}

// Files reads the files that a program gets: the regular ones, those in hidden folders left
// out. What else there is stays as it is, and is named.
func (f *Folder) Files() (vfs.Files, []changes.Skipped, error) {
	folder, err := datafile.OpenFolder(f.path, datafile.DefaultLimits())
	if err != nil {
		return nil, nil, usage.Errorf("reading the folder: %w", err)
	}
	defer folder.Close()
	files := vfs.Files{}
	var skipped []changes.Skipped
	err = fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			if name != "." && strings.HasPrefix(entry.Name(), ".") {
				return fs.SkipDir
			}
			return nil
		}
		if clean, err := vfs.Clean(name); err != nil || clean != name {
			skipped = append(skipped, changes.Skipped{Path: name, Why: fmt.Sprintf("a workspace does not take its name: %v", err)})
			return nil
		}
		content, err := folder.ReadFile(name)
		switch {
		case errors.Is(err, datafile.ErrKind):
			skipped = append(skipped, changes.Skipped{Path: name, Why: "not a regular file"})
			return nil
		case err != nil:
			return err
		}
		files[name] = string(content)
		return nil
	})
	if err != nil {
		return nil, nil, usage.Errorf("reading the folder: %w", err)
	}
	return files, skipped, nil
}

// reserved refuses names that the program must not write: those of hidden folders, whose files it was not shown,
// and of anything that is there and no regular file. It returns the changes without them.
func (f *Folder) reserved(changed Changed) (Changed, []changes.Skipped) {
	kept := Changed{}
	var refused []changes.Skipped
	for name, c := range changed {
		why := ""
		parts := strings.Split(name, "/")
		for i, part := range parts {
			info, err := os.Lstat(filepath.Join(f.path, filepath.Join(parts[:i+1]...)))
			switch last := i == len(parts)-1; {
			case !last && strings.HasPrefix(part, "."):
				why = "it is in a hidden folder"
			case err != nil:
			case last && !info.Mode().IsRegular():
				why = "something that is no regular file has its name"
			case !last && !info.IsDir():
				if _, file := changed[strings.Join(parts[:i+1], "/")]; !file {
					why = "it would be below what is no folder"
				}
			}
		}
		if why != "" {
			refused = append(refused, changes.Skipped{Path: name, Why: why})
			continue
		}
		kept[name] = c
	}
	return kept, refused
}

// Changed are changes to files, by path.
type Changed map[string]Change

// Change is a file before and after; nil where it is not there.
type Change struct {
	Before *[]byte `json:"before"`
	After  *[]byte `json:"after"`
}

// changed are the files that differ.
func changed(before, after vfs.Files) Changed {
	all := Changed{}
	for name, was := range before {
		is, there := after[name]
		switch {
		case !there:
			all[name] = Change{Before: content(was)}
		case was != is:
			all[name] = Change{content(was), content(is)}
		}
	}
	for name, is := range after {
		if _, known := before[name]; !known {
			all[name] = Change{After: content(is)}
		}
	}
	return all
}

func content(text string) *[]byte {
	b := []byte(text)
	return &b
}

// inverted undoes the changes.
func (c Changed) inverted() Changed {
	all := Changed{}
	for name, change := range c {
		all[name] = Change{change.After, change.Before}
	}
	return all
}
