package domains

import (
	"strings"

	"agentd/vfs"
)

// interpreters finds scripts that no Unix system can start: the first line, which names the interpreter, ends in a carriage return or
// follows a byte order mark. The files must have their original line ends.
func interpreters(files vfs.Files) (all []Slip) {
	for _, name := range files.Names() {
		line, _, _ := strings.Cut(files[name], "\n")
		bare, marked := strings.CutPrefix(line, "\ufeff")
		switch {
		case vfs.Binary(name) || !strings.HasPrefix(bare, "#!"):
		case strings.HasSuffix(bare, "\r"):
			all = append(all, Slip{File: name, Line: 1, What: "the line that names the interpreter ends in a carriage return", Text: bare})
		case marked:
			all = append(all, Slip{File: name, Line: 1, What: "a byte order mark stands before the line that names the interpreter", Text: bare})
		}
	}
	return all
}
