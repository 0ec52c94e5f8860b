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

// ErrNoPrograms is the Fault of a score that needs what runs programs.
var ErrNoPrograms = errors.New("the documents are scored by running them, for which there is no sandbox here")
