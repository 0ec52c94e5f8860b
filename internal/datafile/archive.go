package datafile

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"agentd/vfs"
)

// Unzip returns the files of a zip archive, such as a transit feed, by their paths in it, as if
// they were those of a folder. A folder that holds all others is left out of the paths, and so
// is what macOS adds. name is what errors call the archive.
//
// The archive may be somebody else's. A path that leads out of it, a link, a file that is there
// twice or is encrypted, and more than the limits allow are errors. What an archive says of the
// size of its files is not believed.
func Unzip(name string, content []byte, limits Limits) (vfs.Files, error) {
	archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return nil, fmt.Errorf("%s: reading the archive: %w", name, err)
	}
	if len(archive.File) > limits.Entries {
		return nil, fmt.Errorf("%s: %w: it holds more than %d files", name, ErrTooLarge, limits.Entries)
	}
	files, left := vfs.Files{}, limits.Bytes
	for _, entry := range archive.File {
		if strings.HasSuffix(entry.Name, "/") || strings.HasPrefix(entry.Name, "__MACOSX/") || path.Base(entry.Name) == ".DS_Store" {
			continue
		}
		file, err := vfs.Clean(entry.Name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		shown := path.Join(name, file)
		switch _, twice := files[file]; {
		case twice:
			return nil, fmt.Errorf("%s is in the archive twice; take one of them out", shown)
		case !entry.Mode().IsRegular():
			return nil, fmt.Errorf("%s: %w but %s; put a copy of the file in its place, or take it out", shown, ErrKind, kind(entry.Mode()))
		case entry.Flags&encrypted != 0:
			return nil, fmt.Errorf("%s is encrypted; unpack the archive and name the folder", shown)
		}
		text, err := inflate(entry, shown, limits.FileBytes)
		if err != nil {
			return nil, err
		}
		if left -= int64(len(text)); left < 0 {
			return nil, fmt.Errorf("%s: %w: its files have more than %d MiB together", name, ErrTooLarge, limits.Bytes>>20)
		}
		files[file] = text
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s is an archive without files", name)
	}
	return withoutTop(files), nil
}

// encrypted is the bit of an entry's flags that says so.
const encrypted = 1

// inflate returns the content of an entry of at most so many bytes.
func inflate(entry *zip.File, shown string, most int64) (text string, err error) {
	r, err := entry.Open()
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", shown, err)
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	content, err := io.ReadAll(io.LimitReader(r, most+1))
	switch {
	case int64(len(content)) > most:
		return "", tooLarge(shown, most)
	case err != nil:
		return "", fmt.Errorf("reading %s: %w", shown, err)
	}
	return string(content), nil
}

// withoutTop leaves out the folder that all files are in, if there is one.
func withoutTop(files vfs.Files) vfs.Files {
	top, _, _ := strings.Cut(files.Names()[0], "/")
	short := vfs.Files{}
	for name, text := range files {
		below, inside := strings.CutPrefix(name, top+"/")
		if !inside {
			return files
		}
		short[below] = text
	}
	return short
}
