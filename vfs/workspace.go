// Package vfs is the workspace of one interaction: the documents to be edited
// and the distractors beside them, in memory, with a record of who read what.
//
// Tools, policies and sandboxes see files only through a Workspace. It tells
// documents, distractors and created files apart, so that the output of an
// interaction is simply the last snapshot less the distractors, and it refuses
// every path that could mean something outside of it.
package vfs

import (
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
	Document   Origin = iota // of the environment's current state
	Distractor               // put beside the documents, never part of the output
	Created                  // made during the interaction
)

func (o Origin) String() string {
	return [...]string{"document", "distractor", "created"}[o]
}

// Read is one reading of a file by a tool.
type Read struct {
	File   string
	Origin Origin
	Tool   string // the tool that read it, such as read_file or run_python
}

// ErrNotExist is what errors of Read, Delete and friends wrap when there is no
// such file.
var ErrNotExist = fs.ErrNotExist

// Workspace holds the files of one interaction. It is safe for concurrent use.
type Workspace struct {
	mu     sync.RWMutex
	fs     afero.Fs
	origin map[string]Origin
	start  Files // all files as they came
	given  Files // of these, the distractors
	// texts holds the content of files as immutable strings, so that a snapshot
	// copies nothing.
	texts Files
	reads []Read
}

// New returns a workspace of the given documents and distractors. What Check
// refuses is an error.
func New(documents, distractors Files) (*Workspace, error) {
	if err := Check(documents, distractors); err != nil {
		return nil, err
	}
	w := &Workspace{
		fs:     afero.NewMemMapFs(),
		origin: make(map[string]Origin, len(documents)+len(distractors)),
		start:  make(Files, len(documents)+len(distractors)),
		given:  distractors.Clone(),
		texts:  make(Files, len(documents)+len(distractors)),
	}
	for origin, files := range []Files{Document: documents, Distractor: distractors} {
		for _, name := range files.Names() {
			if err := w.store(name, files[name]); err != nil {
				return nil, err
			}
			w.origin[name] = Origin(origin)
			w.texts[name], w.start[name] = files[name], files[name]
		}
	}
	return w, nil
}

// Read returns a file's content and records the reading under the tool's name.
func (w *Workspace) Read(tool, name string) (string, error) {
	clean, err := Clean(name)
	if err != nil {
		return "", err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.mustExist(clean); err != nil {
		return "", err
	}
	w.reads = append(w.reads, Read{File: clean, Origin: w.origin[clean], Tool: tool})
	return w.text(clean)
}

// Peek returns a file's content without recording a reading: nobody is shown it.
func (w *Workspace) Peek(name string) (string, error) {
	clean, err := Clean(name)
	if err != nil {
		return "", err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.mustExist(clean); err != nil {
		return "", err
	}
	return w.text(clean)
}

// RecordRead records that a tool read a file by other means, such as a script
// in a sandbox. A name that is no file of the workspace is ignored: it may have
// been deleted since.
func (w *Workspace) RecordRead(tool, name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if origin, ok := w.origin[name]; ok {
		w.reads = append(w.reads, Read{File: name, Origin: origin, Tool: tool})
	}
}

// Write creates or replaces a file.
func (w *Workspace) Write(name, content string) error {
	clean, err := Clean(name)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.put(clean, content); err != nil {
		return err
	}
	if _, known := w.origin[clean]; !known {
		w.origin[clean] = Created
	}
	w.texts[clean] = content
	return nil
}

// Delete removes a file.
func (w *Workspace) Delete(name string) error {
	clean, err := Clean(name)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.mustExist(clean); err != nil {
		return err
	}
	if err := w.fs.Remove(clean); err != nil {
		return fmt.Errorf("deleting %s: %w", clean, err)
	}
	delete(w.origin, clean)
	delete(w.texts, clean)
	return nil
}

// Origin tells how the named file came to be here; false if there is none.
func (w *Workspace) Origin(name string) (Origin, bool) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	origin, ok := w.origin[name]
	return origin, ok
}

// Names returns the paths of all files in ascending order.
func (w *Workspace) Names() []string {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.names()
}

// Start returns all files as they came.
func (w *Workspace) Start() Files { return w.start.Clone() }

// Snapshot returns all files as they are now.
func (w *Workspace) Snapshot() (Files, error) {
	return w.collect(func(string) bool { return true })
}

// Output returns the files as they are now, without the distractors: what the
// interaction made of the documents. A distractor that was overwritten stays a
// distractor.
func (w *Workspace) Output() (Files, error) {
	return w.collect(func(name string) bool {
		origin := w.origin[name]
		if _, was := w.given[name]; was {
			origin = Distractor // deleted and written again
		}
		return origin != Distractor
	})
}

// Documents returns the documents that are there, as they are now.
func (w *Workspace) Documents() (Files, error) {
	return w.collect(func(name string) bool { return w.origin[name] == Document })
}

// ReplaceDocuments writes the given files and deletes the documents that are
// not among them.
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

// Reads returns the recorded readings in order.
func (w *Workspace) Reads() []Read {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return slices.Clone(w.reads)
}

// collect gathers the files that keep accepts, sharing every string that is
// already known.
func (w *Workspace) collect(keep func(name string) bool) (Files, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	files := make(Files, len(w.origin))
	for name := range w.origin {
		if !keep(name) {
			continue
		}
		content, err := w.text(name)
		if err != nil {
			return nil, err
		}
		files[name] = content
	}
	return files, nil
}

// text returns the content of an existing file, from memory if unchanged.
func (w *Workspace) text(name string) (string, error) {
	if content, ok := w.texts[name]; ok {
		return content, nil
	}
	raw, err := afero.ReadFile(w.fs, name)
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", name, err)
	}
	content := string(raw)
	w.texts[name] = content
	return content, nil
}

// put writes a file after checking the workspace's limits.
func (w *Workspace) put(name, content string) error {
	if len(content) > MaxFileBytes {
		return tooLarge(name, len(content))
	}
	if _, known := w.origin[name]; !known {
		if len(w.origin) >= MaxFiles {
			return fmt.Errorf("%s: the workspace already has %d files, the most it takes; delete some first", name, MaxFiles)
		}
		if err := w.nameConflict(name); err != nil {
			return err
		}
	}
	return w.store(name, content)
}

func (w *Workspace) store(name, content string) error {
	if err := afero.WriteFile(w.fs, name, []byte(content), 0o644); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return nil
}

// nameConflict refuses a file below a file and a file in a folder's place.
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

// mustExist explains what is there when the named file is not.
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
