package printable

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/term"
)

// Output is a file that results go to, such as standard output. What is written to it
// is meant for people: characters that would do something on a terminal are shown
// instead. It remembers writes that failed, so that a program whose results were lost
// does not end as if it had done its work. It may be used concurrently.
type Output struct {
	text     io.Writer
	to       io.Writer
	terminal bool
	fd       int
	mu       sync.Mutex
	failed   error
}

// NewOutput returns an Output to a file.
func NewOutput(file *os.File) *Output {
	o := &Output{to: file, fd: int(file.Fd()), terminal: term.IsTerminal(int(file.Fd()))}
	o.text = NewText(exactly{o})
	return o
}

// Write implements io.Writer.
func (o *Output) Write(p []byte) (int, error) { return o.text.Write(p) }

// Err returns an error if something could not be written.
func (o *Output) Err() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.failed == nil {
		return nil
	}
	return fmt.Errorf("writing the results to standard output: %w", o.failed)
}

// exactly writes to an Output without changing anything.
type exactly struct{ *Output }

func (e exactly) Write(p []byte) (int, error) {
	n, err := e.to.Write(p)
	if err != nil {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.failed = errors.Join(e.failed, err)
	}
	return n, err
}

// Exact returns a writer that changes nothing, for Parquet, a protocol, or tables whose
// cells are harmless already.
func Exact(w io.Writer) io.Writer {
	if o, ok := w.(*Output); ok {
		return exactly{o}
	}
	return w
}

// ForPrograms returns a writer for what programs read, such as CSV. It changes nothing
// unless w is a terminal.
func ForPrograms(w io.Writer) io.Writer {
	if o, ok := w.(*Output); ok && !o.terminal {
		return exactly{o}
	}
	return w
}

// ForJSON returns a writer for JSON. It escapes what would do something on a terminal.
func ForJSON(w io.Writer) io.Writer { return NewJSON(Exact(w)) }

// Coloured reports whether what is written to w may have colours
// (https://no-color.org).
func Coloured(w io.Writer) bool {
	o, ok := w.(*Output)
	return ok && os.Getenv("NO_COLOR") == "" && o.terminal
}

// Indented returns a text whose lines after the first begin with so many spaces, so
// that none of them looks like a line of agentd's own.
func Indented(text string, spaces int) Block {
	return Block(strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", spaces)))
}

// Width returns how many columns there are to write in: those of the environment
// variable COLUMNS, or of the terminal that w is, or else the given number.
func Width(w io.Writer, otherwise int) int {
	if columns, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && columns > 0 {
		return columns
	}
	o, ok := w.(*Output)
	if !ok || !o.terminal {
		return otherwise
	}
	if columns, _, err := term.GetSize(o.fd); err == nil && columns > 0 {
		return columns
	}
	return otherwise
}
