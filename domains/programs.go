package domains

import (
	"errors"

	"agentd/vfs"
)

// Programs runs programs where they can harm nothing. It may be used
// concurrently.
type Programs interface {
	// RunPython runs a script in a folder that holds the files and nothing else,
	// with nothing left of any run before. A script that fails, or is ended, is an
	// Outcome; an error says that none could be run.
	RunPython(files vfs.Files, script string) (Outcome, error)
	// Transform runs a script likewise and returns the files that it leaves. A script that
	// fails, or is ended, is an error with its last words.
	Transform(files vfs.Files, script string) (vfs.Files, error)
}

// Outcome is what a program came to.
type Outcome struct {
	Stdout, Stderr string
	ExitCode       int
	Ended          string // the limit that ended it, such as "time"; empty if none did
}

// Executing is a domain that finds Value by running the document. Until it is
// given both, its scores have a Fault; Strict and all else need neither.
type Executing interface {
	Domain
	WithPrograms(Programs) Domain
	// WithScaffold sets what an environment has in addition to its documents, such as
	// their tests.
	WithScaffold(vfs.Files) Domain
}

// ErrNoPrograms is the Fault of a score that needs what runs programs, and the error of an oracle
// that does.
var ErrNoPrograms = errors.New("a program has to be run, for which there is no sandbox here")
