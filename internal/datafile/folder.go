package datafile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"agentd/internal/charset"
	"agentd/vfs"
)

// Limits bound what is read of a folder.
type Limits struct {
	FileBytes int64 // of one file
	Bytes     int64 // of all files that are read
	Entries   int   // files and folders that are looked at
	Levels    int   // folders in each other
}

// DefaultLimits hold for folders of documents and environments. A file may have
// what a workspace takes. All together may have some ten times what the released
// data set has.
func DefaultLimits() Limits {
	return Limits{FileBytes: vfs.MaxFileBytes, Bytes: 256 << 20, Entries: 100_000, Levels: 32}
}

// Folder reads files below a folder that the user named. It is a file system
// (fs.FS) without links: every other name leads to the file itself, or is refused.
// It is not safe for concurrent use.
type Folder struct {
	root    *os.Root
	name    string
	limits  Limits
	bytes   int64 // read so far
	entries int   // looked at so far
}

var _ interface {
	fs.ReadDirFS
	fs.ReadFileFS
	fs.StatFS
} = (*Folder)(nil)

// OpenFolder opens a folder that the user named. A link to it is followed.
func OpenFolder(name string, limits Limits) (*Folder, error) {
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	return &Folder{root: root, name: name, limits: limits}, nil
}

// Close closes the folder.
func (f *Folder) Close() error { return f.root.Close() }

// path is what errors call a file of the folder.
func (f *Folder) path(name string) string { return filepath.Join(f.name, filepath.FromSlash(name)) }

// Stat says what a name is, without following a link.
func (f *Folder) Stat(name string) (fs.FileInfo, error) { return f.root.Lstat(name) }

// Open opens a regular file.
func (f *Folder) Open(name string) (fs.File, error) { return f.open(name) }

func (f *Folder) open(name string) (*os.File, error) {
	info, err := f.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if err := regular(f.path(name), info); err != nil {
		return nil, err
	}
	file, err := opened(f.path(name))(f.root.OpenFile(name, reading, 0))
	if err != nil {
		return nil, err
	}
	// What was looked at and what was opened must be one file: a link that took its
	// place in the time would have been followed, within the folder.
	if now, err := file.Stat(); err != nil || !os.SameFile(info, now) {
		return nil, errors.Join(fmt.Errorf("%s was exchanged while it was opened", f.path(name)), err, file.Close())
	}
	return file, nil
}

// ReadFile reads a regular file within the limits.
func (f *Folder) ReadFile(name string) ([]byte, error) {
	file, err := f.open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content, err := readAll(file, f.path(name), f.limits.FileBytes)
	if err != nil {
		return nil, err
	}
	if f.bytes += int64(len(content)); f.bytes > f.limits.Bytes {
		return nil, fmt.Errorf("%s: %w: the files have more than %d MiB together; split the folder", f.name, ErrTooLarge, f.limits.Bytes>>20)
	}
	return content, nil
}

// ReadDir lists a folder in name order.
func (f *Folder) ReadDir(name string) ([]fs.DirEntry, error) {
	if strings.Count(name, "/") >= f.limits.Levels {
		return nil, fmt.Errorf("%s: %w: more than %d folders in each other; name a folder that holds less", f.path(name), ErrTooLarge, f.limits.Levels)
	}
	dir, err := f.root.OpenFile(name, reading|syscall.O_DIRECTORY, 0)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	var all []fs.DirEntry
	for {
		const batch = 256
		entries, err := dir.ReadDir(batch)
		all = append(all, entries...)
		if f.entries += len(entries); f.entries > f.limits.Entries {
			return nil, fmt.Errorf("%s: %w: it holds more than %d files and folders; name a folder that holds less", f.name, ErrTooLarge, f.limits.Entries)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(all, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return all, nil
}

// Reader reads documents as text in UTF-8, and notes those that were in another encoding. The zero value detects encodings.
type Reader struct {
	Assumed charset.Encoding  // of all files that are not UTF-8; the zero value detects it
	Known   charset.Encodings // of single files that are not UTF-8
	Other   vfs.Files         // other versions of the files, which tell encodings apart; may be nil
	// Encodings are filled in: those of the files that were not in UTF-8.
	Encodings charset.Encodings
}

// Documents reads all files below a folder of a file system, as a Reader does.
func Documents(root fs.FS, dir string) (vfs.Files, error) { return new(Reader).Documents(root, dir) }

// Documents reads all files below a folder of a file system, by their paths in
// it. What is no regular file of text is an error that names it. Files that are
// binary by their names (vfs.Binary) hold any bytes.
func (r *Reader) Documents(root fs.FS, dir string) (vfs.Files, error) {
	files := vfs.Files{}
	err := fs.WalkDir(root, dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		below := strings.TrimPrefix(name, path.Clean(dir)+"/")
		files[below], err = r.document(below, shown(root, name), content)
		return err
	})
	return files, err
}

// document is the content of a file: any bytes if it is binary by its name, else text. shown is
// what errors call it.
func (r *Reader) document(name, shown string, content []byte) (string, error) {
	if vfs.Binary(name) {
		return string(content), nil
	}
	return r.Text(name, shown, content)
}

// Text is the content of a file as text. shown is what errors call it.
func (r *Reader) Text(name, shown string, content []byte) (string, error) {
	assumed, known := r.Known[name]
	if !known {
		assumed = r.Assumed
	}
	text, as, err := decode(shown, content, assumed, r.Other[name])
	if err == nil && !as.IsUTF8() {
		r.Note(name, as)
	}
	return text, err
}

// Note adds an encoding to Encodings.
func (r *Reader) Note(name string, as charset.Encoding) {
	if r.Encodings == nil {
		r.Encodings = charset.Encodings{}
	}
	r.Encodings[name] = as
}

// Read reads a file of at most so many bytes that the user named, by its name without folders, or all files below a
// folder or in a zip archive, within the DefaultLimits.
func (r *Reader) Read(name string, most int64) (vfs.Files, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		folder, err := OpenFolder(name, DefaultLimits())
		if err != nil {
			return nil, err
		}
		defer folder.Close()
		return r.Documents(folder, ".")
	}
	content, err := Read(name, most)
	if err != nil {
		return nil, err
	}
	if IsArchive(content) {
		return r.unzip(name, content)
	}
	base := filepath.Base(name)
	text, err := r.document(base, name, content)
	return vfs.Files{base: text}, err
}

// unzip is Unzip of an archive that holds documents.
func (r *Reader) unzip(name string, content []byte) (vfs.Files, error) {
	files, err := Unzip(name, content, DefaultLimits())
	if err != nil {
		return nil, err
	}
	for file, content := range files {
		if files[file], err = r.document(file, filepath.Join(name, file), []byte(content)); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// shown is a file's path as its user knows it.
func shown(root fs.FS, name string) string {
	if folder, ok := root.(*Folder); ok {
		return folder.path(name)
	}
	return name
}
