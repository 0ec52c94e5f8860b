// Package guard lets a program change a user's files only by a Rule or with the user's consent. The program works on
// a copy. Its changes are compared by the meaning of the documents, and then applied or refused.
//
// Either all changes are applied or none. First, all planned steps are written to a journal. New files are written under
// random names in their folders. When all of them are on the disk, each is exchanged atomically with the old file. The old
// file is then compared with its expected content. If it differs, or anything fails, all changes are rolled back. If the
// process is killed, the next one reads the journal: it finishes a change that is in the log, and rolls back any other. The
// log keeps every change with its reason, so that it can be undone.
package guard

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"agentd/documents/compare"
	"agentd/internal/datafile"
	"agentd/internal/usage"
	"agentd/vfs"
)

// Folder is a guarded folder. It is not safe for concurrent use.
type Folder struct {
	disk
	path string   // absolute, with links resolved
	log  string   // folder of the log of accepted changes
	skip []string // patterns of names to ignore, see Live
}

// Open opens a folder. It first finishes or rolls back a change that a killed process left. state is the folder for the
// log of accepted changes; the default is agentd/guard in the user's state folder. If the folder cannot be guarded, the
// error is a usage.Error.
func Open(ctx context.Context, path, state string) (*Folder, error) {
	return openWith(ctx, kernel{}, path, state)
}

func openWith(ctx context.Context, c calls, at, state string) (*Folder, error) {
	real, err := filepath.Abs(at)
	if err == nil {
		real, err = filepath.EvalSymlinks(real)
	}
	if err != nil {
		return nil, usage.Errorf("opening the folder: %w", err)
	}
	if info, err := os.Stat(real); err != nil || !info.IsDir() {
		return nil, usage.Errorf("%s is not a folder", at)
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
	f := &Folder{disk: disk{c}, path: real, log: filepath.Join(state, keyOf(real))}
	return f, f.recoverIfNeeded(ctx)
}

// defaultState returns the user's state folder: $XDG_STATE_HOME, or .local/state in the home folder.
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

// Files reads the files that a program gets: all regular files outside hidden folders. The names of all others are returned
// as skipped; those files never change.
func (f *Folder) Files() (vfs.Files, []compare.Skipped, error) {
	files := vfs.Files{}
	skipped, err := f.walk(func(folder *datafile.Folder, name string) error {
		content, err := folder.ReadFile(name)
		if err == nil {
			files[name] = string(content)
		}
		return err
	})
	return files, skipped, err
}

// walk calls visit with the name of each file outside hidden folders. It returns as skipped the names that a workspace does not
// accept, and those for which visit returns datafile.ErrKind. Any other error is a usage.Error.
func (f *Folder) walk(visit func(folder *datafile.Folder, name string) error) (skipped []compare.Skipped, err error) {
	folder, err := datafile.OpenFolder(f.path, datafile.DefaultLimits())
	if err != nil {
		return nil, usage.Errorf("reading the folder: %w", err)
	}
	defer folder.Close()
	skip := func(name, why string) error {
		skipped = append(skipped, compare.Skipped{Path: name, Why: why})
		return nil
	}
	err = fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			if name != "." && (strings.HasPrefix(entry.Name(), ".") || f.skips(name)) {
				return fs.SkipDir
			}
			return nil
		case f.skips(name):
			return nil
		}
		if clean, err := vfs.Clean(name); err != nil || clean != name {
			return skip(name, fmt.Sprintf("a workspace does not take its name: %v", err))
		}
		if strings.HasPrefix(entry.Name(), stagedPrefix) {
			return skip(name, "an agentd guard that keeps its log in another folder is at work here, or was killed")
		}
		err = visit(folder, name)
		if errors.Is(err, datafile.ErrKind) {
			return skip(name, "not a regular file")
		}
		return err
	})
	if err != nil {
		return nil, usage.Errorf("reading the folder: %w", err)
	}
	return skipped, nil
}

// skips reports whether a name, or its last part, matches a pattern of names to ignore.
func (f *Folder) skips(name string) bool {
	return slices.ContainsFunc(f.skip, func(pattern string) bool {
		whole, _ := path.Match(pattern, name) // Live has checked them
		last, _ := path.Match(pattern, path.Base(name))
		return whole || last
	})
}

// reserved refuses names that the program must not write: those in hidden folders, whose files it did not get, and those
// of anything that is neither a regular file nor a folder.
func (f *Folder) reserved(changed Changed) error {
	for _, name := range slices.Sorted(maps.Keys(changed)) {
		if why := f.reservedName(name, changed); why != "" {
			return fmt.Errorf("%s cannot be written, so nothing was applied: %s", name, why)
		}
	}
	return nil
}

func (f *Folder) reservedName(name string, changed Changed) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		info, err := os.Lstat(filepath.Join(f.path, filepath.Join(parts[:i+1]...)))
		switch last := i == len(parts)-1; {
		case !last && hidden(part):
			return "it is in a hidden folder"
		case strings.HasPrefix(part, stagedPrefix):
			return "agentd guard itself uses such names"
		case err != nil:
		case last && !info.Mode().IsRegular() && !info.IsDir():
			return "something that is no regular file has its name"
		case !last && !info.IsDir():
			if _, file := changed[strings.Join(parts[:i+1], "/")]; !file {
				return "it would be below what is no folder"
			}
		}
	}
	return ""
}

// Changed holds changes of files and folders, by path.
type Changed map[string]FileChange

// FileChange is one file or folder before and after the change; nil if it does not exist.
type FileChange struct {
	Before *File `json:"before"`
	After  *File `json:"after"`
	// Staged is the temporary name: of the new file before the exchange, and of the old one after it.
	Staged string `json:"staged,omitempty"`
}

// File is a file, or a folder without its content.
type File struct {
	Folder  bool   `json:"folder,omitempty"`
	Content []byte `json:"content,omitempty"`
	Meta    *Meta  `json:"meta,omitempty"`  // nil for the defaults of a new file
	Times   *Times `json:"times,omitempty"` // nil for the present time

	limit   uint32 // bits of the mode that a new file may have at most; 0 for any
	links   uint64 // how many names it has
	writers bool   // whether another program has it open for writing
}

// Look is the state of a folder at one moment.
type Look struct {
	Times Times  `json:"times"`
	Names string `json:"names"` // SHA-256 of the names in it, sorted, with zeros in between
}

// same reports whether two files have the same content or are both folders.
func (f *File) same(other *File) bool {
	if f == nil || other == nil {
		return f == other
	}
	return f.Folder == other.Folder && bytes.Equal(f.Content, other.Content)
}

// changed returns the files that differ.
func changed(before, after vfs.Files) Changed {
	all := Changed{}
	for name, was := range before {
		is, there := after[name]
		switch {
		case !there:
			all[name] = FileChange{Before: content(was)}
		case was != is:
			all[name] = FileChange{Before: content(was), After: content(is)}
		}
	}
	for name, is := range after {
		if _, known := before[name]; !known {
			all[name] = FileChange{After: content(is)}
		}
	}
	return all
}

func content(text string) *File { return &File{Content: []byte(text)} }

// inverted returns the changes that undo these.
func (c Changed) inverted() Changed {
	all := Changed{}
	for name, change := range c {
		all[name] = FileChange{Before: change.After, After: change.Before}
	}
	return all
}

// Names returns the sorted paths of the files.
func (c Changed) Names() []string {
	names := slices.Sorted(maps.Keys(c))
	return slices.DeleteFunc(names, func(name string) bool {
		isFolder := func(f *File) bool { return f == nil || f.Folder }
		return isFolder(c[name].Before) && isFolder(c[name].After)
	})
}

// order returns the names in the order in which they are changed: first removals, innermost first, then all others.
func (c Changed) order() []string {
	var gone, come []string
	for _, name := range slices.Sorted(maps.Keys(c)) {
		if c[name].After == nil {
			gone = append(gone, name)
		} else {
			come = append(come, name)
		}
	}
	slices.Reverse(gone)
	return append(gone, come...)
}
