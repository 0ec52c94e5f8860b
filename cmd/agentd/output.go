package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"golang.org/x/term"

	"agentd/internal/printable"
)

// output is standard output, through which all results go. What is written to it is
// meant for people: characters that would do something on a terminal are shown
// instead. It remembers the first writing that failed, so that no command ends as
// done whose results went nowhere.
type output struct {
	text     io.Writer
	to       io.Writer
	terminal bool
	mu       sync.Mutex
	failed   error
}

func newOutput(file *os.File) *output {
	o := &output{to: file, terminal: term.IsTerminal(int(file.Fd()))}
	o.text = printable.NewText(exactly{o})
	return o
}

func (o *output) Write(p []byte) (int, error) { return o.text.Write(p) }

// err is an error if something could not be written.
func (o *output) err() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.failed == nil {
		return nil
	}
	return fmt.Errorf("writing the results to standard output: %w", o.failed)
}

// exactly writes to an output as it is.
type exactly struct{ *output }

func (e exactly) Write(p []byte) (int, error) {
	n, err := e.to.Write(p)
	if err != nil {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.failed = errors.Join(e.failed, err)
	}
	return n, err
}

// exact returns a writer for what must not be changed on its way, such as Parquet, a
// protocol, or tables with colours whose cells are shown harmlessly already.
func exact(w io.Writer) io.Writer {
	if o, ok := w.(*output); ok {
		return exactly{o}
	}
	return w
}

// forPrograms returns a writer for what programs read, such as CSV. Only a person
// sees what goes to a terminal.
func forPrograms(w io.Writer) io.Writer {
	if o, ok := w.(*output); ok && !o.terminal {
		return exactly{o}
	}
	return w
}

// forJSON returns a writer for JSON, which has escapes for what would do something on
// a terminal.
func forJSON(w io.Writer) io.Writer { return printable.NewJSON(exact(w)) }

// coloured reports whether what is written there may have colours
// (https://no-color.org).
func coloured(w io.Writer) bool {
	o, ok := w.(*output)
	return ok && os.Getenv("NO_COLOR") == "" && o.terminal
}

// indented is a text whose lines after the first begin with so many spaces, so that
// none of them passes for one of agentd's own.
func indented(text string, spaces int) printable.Block {
	return printable.Block(strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", spaces)))
}
