package vfs

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of a workspace. They bound what a policy can leave behind, whatever
// tool it uses.
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

func shorten(name string) string {
	const most = 80
	if len(name) <= most {
		return name
	}
	return strings.ToValidUTF8(name[:most], "") + "…"
}
