// Package datafile reads files and folders that somebody else may have made: data
// sets, environments, prompts, documents to be scored.
//
// Only regular files are read. Opening never waits, as it would for a named pipe,
// and nothing is read without a limit, so neither a device nor a file of any size
// takes the memory of the process. A link that the user names is followed, because
// the user chose it. A link inside a folder is refused: its author could have
// pointed it at any file of the machine, whose content would then go to a model.
//
// Errors name the file and say what to do.
package datafile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"syscall"
	"unicode/utf8"

	"agentd/internal/charset"
)

// Kinds of errors, for errors.Is.
var (
	// ErrKind marks a file that is no regular file.
	ErrKind = errors.New("not a regular file")
	// ErrTooLarge marks what is over a limit of size or number.
	ErrTooLarge = errors.New("too large")
)

// Open opens a regular file that the user named. Links to it are followed.
func Open(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if err := regular(name, info); err != nil { // before opening, which can have effects on devices
		return nil, err
	}
	return opened(name)(os.OpenFile(name, reading, 0))
}

// Read reads a regular file of at most so many bytes that the user named. Links to
// it are followed.
func Read(name string, most int64) ([]byte, error) {
	file, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return readAll(file, name, most)
}

// OpenInput opens a file, or for "-" standard input, whose reading ends with the context.
func OpenInput(ctx context.Context, file string, stdin io.Reader) (io.ReadCloser, error) {
	if file != "-" {
		return Open(file)
	}
	r, w := io.Pipe()
	// Reading standard input cannot be interrupted. The goroutine ends with the process,
	// or with the input.
	go func() {
		_, err := io.Copy(w, stdin)
		w.CloseWithError(err)
	}()
	context.AfterFunc(ctx, func() { w.CloseWithError(ctx.Err()) })
	return r, nil
}

// ReadText reads a file as Read does, and refuses one that is not text.
func ReadText(name string, most int64) (string, error) {
	content, err := Read(name, most)
	if err != nil {
		return "", err
	}
	return Text(name, content)
}

// Text returns the content of a file that is text, in UTF-8 whatever its encoding was (package charset), and refuses any other. Of
// kinds that Recognise knows the error says what to do.
func Text(name string, content []byte) (string, error) {
	text, _, err := decode(name, content, charset.Encoding{}, "")
	return text, err
}

// decode is Text of a file whose encoding is assumed if it is not UTF-8; the zero value detects it, with the other version of the text
// as a hint. It returns the encoding too.
func decode(name string, content []byte, assumed charset.Encoding, other string) (string, charset.Encoding, error) {
	if is, foreign := Recognise(content); foreign {
		return "", charset.Encoding{}, fmt.Errorf("%s is %s; %s", name, is.What, is.Do)
	}
	if assumed.IsUTF8() && utf8.Valid(content) {
		return string(content), charset.Encoding{}, nil
	}
	as, ok := charset.DetectOr(assumed, string(content), other)
	switch {
	case !ok && !assumed.IsUTF8():
		return "", as, fmt.Errorf("%s is not a text in %s; name its encoding, or convert it to UTF-8", name, assumed)
	case !ok:
		return "", as, fmt.Errorf("%s is not a text file; convert it to UTF-8 text (iconv), or leave it out", name)
	}
	text, _ := as.Decode(string(content))
	return text, as, nil
}

// Create writes a new file below root, with the folders on its way. A file that is
// there already is an error that wraps fs.ErrExist, and so is a link of that name.
func Create(root *os.Root, name string, content []byte) (err error) {
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	_, err = file.Write(content)
	return err
}

// Replace writes a file below root as Create does, in place of what has its name: a link is removed and not followed, and
// a folder is an error.
func Replace(root *os.Root, name string, content []byte) error {
	info, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s is a folder", name)
	default:
		if err := root.Remove(name); err != nil {
			return err
		}
	}
	return Create(root, name, content)
}

// reading opens without waiting for somebody to write into a named pipe.
const reading = os.O_RDONLY | syscall.O_NONBLOCK

// opened looks again at what was opened: it may have been exchanged since.
func opened(name string) func(*os.File, error) (*os.File, error) {
	return func(file *os.File, err error) (*os.File, error) {
		if err != nil {
			return nil, err
		}
		info, err := file.Stat()
		if err == nil {
			err = regular(name, info)
		}
		if err != nil {
			return nil, errors.Join(err, file.Close())
		}
		return file, nil
	}
}

// readAll reads an open file, which may grow while it is read.
func readAll(file *os.File, name string, most int64) ([]byte, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > most {
		return nil, tooLarge(name, most)
	}
	content := make([]byte, info.Size(), info.Size()+1) // room to see the end without growing
	n, err := io.ReadFull(file, content)
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return content[:n], nil // it was cut in between
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return content, nil
}

func tooLarge(name string, most int64) error {
	return fmt.Errorf("%s: %w: it has more than %d MiB; split it, or leave it out", name, ErrTooLarge, most>>20)
}

// regular refuses everything but a regular file.
func regular(name string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	return fmt.Errorf("%s: %w but %s; %s", name, ErrKind, kind(info.Mode()), remedy(info.Mode()))
}

func kind(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeSymlink != 0:
		return "a link"
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "of a special kind"
}

func remedy(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeSymlink != 0:
		return "put a copy of the file in its place, or take it out of the folder"
	case mode.IsDir():
		return "name a file in it"
	}
	return "write its content into a file and name that, or take it out of the folder"
}
