package vfs

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of a workspace. They hold for every tool.
const (
	MaxNameBytes = 255      // of one path component
	MaxLevels    = 8        // components of a path, the file's own name included
	MaxFiles     = 1_000    // files in a workspace
	MaxFileBytes = 16 << 20 // content of one file
)

// ErrPath marks a path that no workspace accepts.
var ErrPath = errors.New("invalid path")

// Clean returns the canonical form of a path: relative, slash-separated,
// without "." components. A path that could leave the workspace, or that
// cannot be stored on an ordinary file system, is refused with an error that
// wraps ErrPath and says what to use instead.
func Clean(name string) (string, error) {
	refuse := func(why string) (string, error) {
		return "", fmt.Errorf("%w %q: %s", ErrPath, shorten(name), why)
	}
	switch {
	case name == "":
		return refuse("it is empty; give a file name such as notes.md")
	case !utf8.ValidString(name):
		return refuse("it is not valid UTF-8")
	case strings.IndexFunc(name, unicode.IsControl) >= 0:
		return refuse("it contains a control character; use printable characters only")
	case strings.HasPrefix(name, "/"):
		return refuse("absolute paths are not allowed; use a path relative to the workspace")
	}
	levels := strings.Split(name, "/")
	for _, level := range levels {
		if level == ".." {
			return refuse(`".." is not allowed; use a path inside the workspace`)
		}
		if len(level) > MaxNameBytes {
			return refuse(fmt.Sprintf("a name is longer than %d bytes; use a shorter one", MaxNameBytes))
		}
	}
	clean := path.Clean(name)
	if clean == "." {
		return refuse("it names the workspace itself; give a file name")
	}
	if strings.Count(clean, "/") >= MaxLevels {
		return refuse(fmt.Sprintf("it is deeper than %d levels; use fewer folders", MaxLevels))
	}
	return clean, nil
}

// CleanName checks a name that comes from data and will name one file or folder on
// a disk, such as an environment's. It refuses what Clean refuses, and also names of
// several levels, hidden names, and names that a program could read as an option.
// The error wraps ErrPath.
func CleanName(name string) error {
	clean, err := Clean(name)
	switch {
	case err != nil:
		return err
	case clean != name || strings.ContainsAny(name, `/\`):
		return fmt.Errorf("%w %q: it is a path, not a name; use letters, digits, - and _", ErrPath, shorten(name))
	case strings.HasPrefix(name, ".") || strings.HasPrefix(name, "-"):
		return fmt.Errorf("%w %q: it begins with %q; use a letter or a digit", ErrPath, shorten(name), name[:1])
	}
	return nil
}

// Check returns an error for documents and distractors that New would not accept: a path that
// Clean refuses or changes, a name in both sets, a file below another file, and more or larger
// files than the limits allow.
func Check(documents, distractors Files) error {
	files, folders := make(map[string]bool, len(documents)+len(distractors)), map[string]bool{}
	for _, set := range []Files{documents, distractors} {
		for _, name := range set.Names() {
			if clean, err := Clean(name); err != nil {
				return err
			} else if clean != name {
				return fmt.Errorf("%w %q: write it as %q", ErrPath, shorten(name), shorten(clean))
			}
			if files[name] {
				return fmt.Errorf("%s is both a document and a distractor", name)
			}
			if size := len(set[name]); size > MaxFileBytes {
				return tooLarge(name, size)
			}
			files[name] = true
			for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
				folders[dir] = true
			}
		}
	}
	if len(files) > MaxFiles {
		return tooManyFiles(len(files))
	}
	for name := range files {
		if folders[name] {
			return fmt.Errorf("%w %q: it is a file and a folder; choose another name", ErrPath, name)
		}
	}
	return nil
}

// CheckVerbatim is Check for files whose names are texts, not paths (see NewVerbatim).
func CheckVerbatim(documents, distractors Files) error {
	for _, set := range []Files{documents, distractors} {
		for _, name := range set.Names() {
			if clean, err := cleanVerbatim(name); err != nil {
				return err
			} else if clean != name {
				return fmt.Errorf("%w %q: it is not valid UTF-8", ErrPath, shorten(name))
			}
			if size := len(set[name]); size > MaxFileBytes {
				return tooLarge(name, size)
			}
		}
	}
	for name := range distractors {
		if _, twice := documents[name]; twice {
			return fmt.Errorf("%s is both a document and a distractor", shorten(name))
		}
	}
	if n := len(documents) + len(distractors); n > MaxFiles {
		return tooManyFiles(n)
	}
	return nil
}

// maxVerbatim is the maximum length of a name that is not a path, in bytes.
const maxVerbatim = 4096

// cleanVerbatim returns the name under which a file is stored if names are not paths.
func cleanVerbatim(name string) (string, error) {
	if len(name) > maxVerbatim {
		return "", fmt.Errorf("%w %q: it has more than %d bytes; use a shorter one", ErrPath, shorten(name), maxVerbatim)
	}
	return strings.ToValidUTF8(name, "\ufffd"), nil
}

func tooManyFiles(n int) error {
	return fmt.Errorf("there are %d files, more than the %d that a workspace takes; leave some out", n, MaxFiles)
}

func tooLarge(name string, size int) error {
	return fmt.Errorf("%s: %d bytes are more than the %d a file may have; split it", name, size, MaxFileBytes)
}

func shorten(name string) string {
	const most = 80
	if len(name) <= most {
		return name
	}
	return strings.ToValidUTF8(name[:most], "") + "…"
}
