package vfs

import (
	"fmt"
	"io"
	"net/url"
	"slices"
	"unsafe"

	"github.com/spf13/afero"
)

// The file system of a workspace has two kinds of files: the current files, at the paths that at
// returns, and the original contents of files that were changed or deleted since the start, at the
// paths that asideAt returns.

// at returns the path of a current file in the file system. Every name has a path of its own, even
// if the name is not a valid path.
func at(name string) string { return "now/=" + url.PathEscape(name) }

// asideAt returns the path of the content that a file had at the start.
func asideAt(name string) string { return "start/=" + url.PathEscape(name) }

// load returns the content at a path in the file system. The string shares the bytes that were
// read; afero.ReadFile and a conversion would copy them twice.
func (w *Workspace) load(place string) (string, error) {
	content, err := w.read(place)
	if err != nil {
		return "", fmt.Errorf("reading %s in memory: %w", place, err)
	}
	return unsafe.String(unsafe.SliceData(content), len(content)), nil
}

func (w *Workspace) read(place string) ([]byte, error) {
	file, err := w.fs.Open(place)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	content := make([]byte, info.Size())
	_, err = io.ReadFull(file, content)
	return content, err
}

// store writes the content of a current file.
func (w *Workspace) store(name, content string) error {
	if err := afero.WriteFile(w.fs, at(name), []byte(content), 0o644); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return nil
}

// put creates or replaces a file after checking the workspace's limits.
func (w *Workspace) put(name, content string) error {
	if len(content) > MaxFileBytes {
		return tooLarge(name, len(content))
	}
	_, known := w.origin[name]
	if !known {
		if len(w.origin) >= MaxFiles {
			return fmt.Errorf("%s: the workspace already has %d files, the most it takes; delete some first", name, MaxFiles)
		}
		if !w.verbatim {
			if err := w.nameConflict(name); err != nil {
				return err
			}
		}
	}
	if _, err := w.setAside(name); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	if err := w.store(name, content); err != nil {
		return err
	}
	if !known {
		w.origin[name] = Created
		w.created = append(w.created, name)
	}
	return nil
}

// remove deletes a file, which must exist.
func (w *Workspace) remove(name string) error {
	moved, err := w.setAside(name)
	if err == nil && !moved {
		err = w.fs.Remove(at(name))
	}
	if err != nil {
		return fmt.Errorf("deleting %s: %w", name, err)
	}
	delete(w.origin, name)
	w.created = slices.DeleteFunc(w.created, func(n string) bool { return n == name })
	return nil
}

// setAside moves the content that a file had at the start out of the way before the file is
// changed or deleted for the first time, and reports whether it did. After the move, the file has
// no content until it is written again.
func (w *Workspace) setAside(name string) (moved bool, err error) {
	if w.start[name] != at(name) {
		return false, nil
	}
	if err := w.fs.Rename(at(name), asideAt(name)); err != nil {
		return false, fmt.Errorf("keeping its first content: %w", err)
	}
	w.start[name] = asideAt(name)
	return true, nil
}

// restart makes the current files the files at the start.
func (w *Workspace) restart() error {
	for name, place := range w.start {
		if place == asideAt(name) {
			if err := w.fs.Remove(place); err != nil {
				return fmt.Errorf("dropping the first content of %s: %w", name, err)
			}
		}
	}
	clear(w.start)
	for name := range w.origin {
		w.start[name] = at(name)
	}
	return nil
}
