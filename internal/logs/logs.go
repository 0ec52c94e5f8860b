// Package logs makes the program's log: for people on a terminal, JSON lines elsewhere.
package logs

import (
	"io"
	"os"

	"github.com/rs/zerolog"
	"golang.org/x/term"

	"agentd/internal/printable"
)

// Formats of a log.
const (
	Auto = "auto" // Text on a terminal, JSON elsewhere
	Text = "text"
	JSON = "json"
)

// Formats lists the formats, the default first.
func Formats() []string { return []string{Auto, Text, JSON} }

// New returns a log in one of Formats, which is written to out. end is the file where that
// ends: it says whether a person reads the log on a terminal.
func New(out io.Writer, end *os.File, format string) zerolog.Logger {
	terminal := term.IsTerminal(int(end.Fd()))
	if format == Text || format == Auto && terminal {
		return zerolog.New(Console(out, terminal)).With().Timestamp().Logger()
	}
	return zerolog.New(printable.NewJSON(out)).With().Timestamp().Logger()
}

// Console writes a log for people, in colours if w is a terminal. zerolog quotes the values of
// fields where they need it, but not the message, which is therefore made harmless here.
func Console(w io.Writer, terminal bool) zerolog.ConsoleWriter {
	return zerolog.ConsoleWriter{Out: w, NoColor: !terminal, TimeFormat: "15:04:05", FormatMessage: func(message any) string {
		if message == nil {
			return ""
		}
		return printable.Sprintf("%s", message)
	}}
}
