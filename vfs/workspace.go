// Package vfs is the workspace of one interaction: the documents to edit and the
// distractors next to them, in memory, with a log of what each tool read.
//
// Tools, policies and sandboxes see files only through a Workspace. It knows
// which files are documents, distractors or new, so the output of an interaction
// is the last snapshot without the distractors. It refuses every path that could
// lead out of the workspace.
package vfs

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/afero"
)

// Origin says how a file came into the workspace.
type Origin uint8

const (
	Document   Origin = iota // part of the environment's current state
	Distractor               // placed next to the documents, never part of the output
	Created                  // made during the interaction
	Absent                   // only in the read log: the file does not exist
)

func (o Origin) String() string {
	return [...]string{"document", "distractor", "created", "absent"}[o]
}

// Read is one reading of a file by a tool.
type Read struct {
	File   string
	Origin Origin
	Tool   string // name of the tool that read it, such as read_file or run_python
}

// ErrNotExist is wrapped by the errors of methods that are given the name of a
// file that does not exist.
var ErrNotExist = fs.ErrNotExist

// Workspace holds the files of one interaction. It is safe for concurrent use.
//
// The contents are in fs and nowhere else. The other fields know names only.
type Workspace struct {
	mu sync.RWMutex
	fs afero.Fs
	// verbatim says that names are texts, not paths.
	verbatim bool
	origin   map[string]Origin
	created  []string          // names of the files that were created, oldest first
	start    map[string]string // by name, the place in fs of the content that a file had at the start
	given    map[string]bool   // names of the distractors
	reads    []Read
}

// New returns a workspace of the given documents and distractors. It fails if
// Check does.
func New(documents, distractors Files) (*Workspace, error) {
	if err := Check(documents, distractors); err != nil {
		return nil, err
	}
	return newWorkspace(documents, distractors, false)
}

// NewVerbatim returns a workspace whose names are texts, not paths: "a" and "./a" are
// two files, and a file may have an empty name. The published harness keeps files like
// this until a script needs them on a disk (see UsePaths). It fails if CheckVerbatim does.
func NewVerbatim(documents, distractors Files) (*Workspace, error) {
	if err := CheckVerbatim(documents, distractors); err != nil {
		return nil, err
	}
	return newWorkspace(documents, distractors, true)
}

func newWorkspace(documents, distractors Files, verbatim bool) (*Workspace, error) {
	w := &Workspace{
		fs:       afero.NewMemMapFs(),
		verbatim: verbatim,
		origin:   make(map[string]Origin, len(documents)+len(distractors)),
		start:    make(map[string]string, len(documents)+len(distractors)),
		given:    make(map[string]bool, len(distractors)),
	}
	for origin, files := range []Files{Document: documents, Distractor: distractors} {
		for _, name := range files.Names() {
			if err := w.store(name, files[name]); err != nil {
				return nil, err
			}
			w.origin[name], w.start[name] = Origin(origin), at(name)
			if Origin(origin) == Distractor {
				w.given[name] = true
			}
		}
	}
	return w, nil
}

// Read returns a file's content and logs the read under the tool's name.
func (w *Workspace) Read(tool, name string) (string, error) {
	clean, err := w.clean(name)
	if err != nil {
		return "", err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.mustExist(clean); err != nil {
		return "", err
	}
	w.reads = append(w.reads, Read{File: clean, Origin: w.origin[clean], Tool: tool})
	return w.load(at(clean))
}

// Peek returns a file's content without logging a read, for content that no model sees.
func (w *Workspace) Peek(name string) (string, error) {
	clean, err := w.clean(name)
	if err != nil {
		return "", err
	}
	w.mu.RLock()
	defer w.mu.RUnlock()
	if err := w.mustExist(clean); err != nil {
		return "", err
	}
	return w.load(at(clean))
}

// RecordRead logs a read that did not go through Read, such as that of a script. It ignores files
// that do not exist, because they may have been deleted since.
func (w *Workspace) RecordRead(tool, name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if origin, ok := w.origin[name]; ok {
		w.reads = append(w.reads, Read{File: name, Origin: origin, Tool: tool})
	}
}

// RecordAbsent logs that a tool was asked for a file that does not exist.
func (w *Workspace) RecordAbsent(tool, name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.reads = append(w.reads, Read{File: name, Origin: Absent, Tool: tool})
}

// Write creates or replaces a file. The error wraps ErrPath if the name is not acceptable;
// otherwise it names the limit that the file exceeds.
func (w *Workspace) Write(name, content string) error {
	clean, err := w.clean(name)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.put(clean, content)
}

// Delete removes a file. The error wraps ErrNotExist if there is none.
func (w *Workspace) Delete(name string) error {
	clean, err := w.clean(name)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.mustExist(clean); err != nil {
		return err
	}
	return w.remove(clean)
}

// KeepPaths turns a workspace with verbatim names into one whose names are paths. It
// removes files whose name is not a path or leads out of the workspace. It does nothing
// if names are paths already.
func (w *Workspace) KeepPaths() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.verbatim {
		return nil
	}
	for err := w.usePaths(); err != nil; err = w.usePaths() {
		var invalid *invalidNameError
		if !errors.As(err, &invalid) {
			return err
		}
		if err := w.remove(invalid.name); err != nil {
			return err
		}
	}
	w.verbatim = false
	return nil
}

// UsePaths gives every file of a workspace with verbatim names the path that it would
// have on a disk: ./a becomes a. It removes files whose path leads out of the workspace,
// because a script could not find them there. If no disk could hold one of the files,
// it changes nothing, and the error names the file. It does nothing if names are paths.
func (w *Workspace) UsePaths() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.verbatim {
		return nil
	}
	return w.usePaths()
}

// invalidNameError is the error for a name that no disk could hold.
type invalidNameError struct{ name, why string }

func (e *invalidNameError) Error() string {
	return fmt.Sprintf("%v %q: %s", ErrPath, shorten(e.name), e.why)
}
func (e *invalidNameError) Unwrap() error { return ErrPath }

func (w *Workspace) usePaths() error {
	moved := map[string]string{} // path, "" to remove, by name
	folders := map[string]bool{}
	var kept, paths []string // names of files that stay, and where
	for _, name := range w.names() {
		clean, err := Clean(name)
		switch {
		case name == "" || strings.ContainsRune(name, 0) || strings.HasSuffix(name, "/") || path.Clean(name) == ".":
			return &invalidNameError{name, "it names no file"}
		case err != nil:
			moved[name] = ""
			continue
		case clean != name:
			moved[name] = clean
		}
		kept, paths = append(kept, name), append(paths, clean)
		for dir := path.Dir(clean); dir != "."; dir = path.Dir(dir) {
			folders[dir] = true
		}
	}
	if at := slices.IndexFunc(paths, func(p string) bool { return folders[p] }); at >= 0 {
		return &invalidNameError{kept[at], "it is a file and a folder"}
	}
	for _, name := range w.names() {
		to, move := moved[name]
		if !move {
			continue
		}
		content, err := w.load(at(name))
		if err != nil {
			return err
		}
		if err := w.remove(name); err != nil {
			return err
		}
		if to == "" {
			continue
		}
		if err := w.put(to, content); err != nil {
			return err
		}
	}
	return nil
}

// clean returns the name under which a file is stored.
func (w *Workspace) clean(name string) (string, error) {
	if w.verbatim {
		return cleanVerbatim(name)
	}
	return Clean(name)
}

// Origin returns the origin of a file; false if the file does not exist.
func (w *Workspace) Origin(name string) (Origin, bool) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	origin, ok := w.origin[name]
	return origin, ok
}

// Created returns the names of the files that were created and still exist, oldest
// first.
func (w *Workspace) Created() []string {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return slices.Clone(w.created)
}

// Names returns the paths of all files in ascending order.
func (w *Workspace) Names() []string {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.names()
}

// Start returns all files as they were at the start: when the workspace was made, or at
// the last Settle.
func (w *Workspace) Start() (Files, error) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	files := make(Files, len(w.start))
	for name, place := range w.start {
		content, err := w.load(place)
		if err != nil {
			return nil, err
		}
		files[name] = content
	}
	return files, nil
}

// Settle makes the present files the start of the next turn: created files become
// documents, and Start returns the files as they are now. The read log is kept.
func (w *Workspace) Settle() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, name := range w.created {
		w.origin[name] = Document
		if w.given[name] {
			w.origin[name] = Distractor // deleted and written again
		}
	}
	w.created = nil
	return w.restart()
}

// Snapshot returns all files as they are now.
func (w *Workspace) Snapshot() (Files, error) {
	return w.collect(func(string) bool { return true })
}

// Output returns the files as they are now, without the distractors: the result of
// the interaction. A distractor stays one if it is overwritten, or deleted and written
// again.
func (w *Workspace) Output() (Files, error) {
	return w.collect(func(name string) bool { return !w.given[name] })
}

// Documents returns the documents that still exist, as they are now.
func (w *Workspace) Documents() (Files, error) {
	return w.collect(func(name string) bool { return w.origin[name] == Document })
}

// ReplaceDocuments writes the given files and deletes all other documents.
func (w *Workspace) ReplaceDocuments(files Files) error {
	documents, err := w.Documents()
	if err != nil {
		return err
	}
	for name := range documents {
		if _, kept := files[name]; kept {
			continue
		}
		if err := w.Delete(name); err != nil {
			return err
		}
	}
	for _, name := range files.Names() {
		if err := w.Write(name, files[name]); err != nil {
			return err
		}
	}
	return nil
}

// Reads returns the read log, oldest first.
func (w *Workspace) Reads() []Read {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return slices.Clone(w.reads)
}

// collect returns the files that keep accepts.
func (w *Workspace) collect(keep func(name string) bool) (Files, error) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	files := make(Files, len(w.origin))
	for name := range w.origin {
		if !keep(name) {
			continue
		}
		content, err := w.load(at(name))
		if err != nil {
			return nil, err
		}
		files[name] = content
	}
	return files, nil
}

// nameConflict returns an error for a file below another file, and for a file with the name of a
// folder.
func (w *Workspace) nameConflict(name string) error {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if _, isFile := w.origin[dir]; isFile {
			return fmt.Errorf("%w %q: %s is a file, not a folder; choose another path", ErrPath, name, dir)
		}
	}
	for other := range w.origin {
		if strings.HasPrefix(other, name+"/") {
			return fmt.Errorf("%w %q: it is a folder; choose another name", ErrPath, name)
		}
	}
	return nil
}

// mustExist returns an error that lists the files if the named one does not exist.
func (w *Workspace) mustExist(name string) error {
	if _, ok := w.origin[name]; ok {
		return nil
	}
	const most = 50
	names := w.names()
	listed := strings.Join(names[:min(len(names), most)], ", ")
	switch {
	case len(names) == 0:
		listed = "none"
	case len(names) > most:
		listed += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return fmt.Errorf("%s: %w; the files are: %s", name, ErrNotExist, listed)
}

func (w *Workspace) names() []string {
	names := make([]string, 0, len(w.origin))
	for name := range w.origin {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
