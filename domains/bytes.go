package domains

import (
	"strings"

	"agentd/vfs"
)

// lineEndElement is the kind of the differences that lineEnds makes.
const lineEndElement = "line end"

// lineEnds are differences of the files of which the format asks that each line ends in CRLF (Spec.CRLF), which had it and have lost it. They
// are named, and Strict does not count them: no meaning is lost. A file that gains CRLF is not named.
func (a *against[T]) lineEnds(candidate vfs.Files) (all []Difference) {
	if a.spec.CRLF == nil {
		return nil
	}
	for _, name := range a.raw.Names() {
		was, rule := a.raw[name], a.spec.CRLF(a.raw[name])
		is, there := candidate[name]
		if !there && len(a.raw) == 1 && len(candidate) == 1 {
			is, there = candidate[candidate.Names()[0]], true
		}
		if rule != "" && there && is != "" && allCRLF(was) && !allCRLF(is) {
			all = append(all, Difference{
				Kind: Changed, Where: "line ends of " + name, Was: "CRLF", Is: "LF; " + rule + " asks for CRLF",
			})
		}
	}
	return all
}

// allCRLF reports whether a text has lines, each of which ends in CRLF.
func allCRLF(text string) bool {
	ends := strings.Count(text, "\n")
	return ends > 0 && ends == strings.Count(text, "\r\n")
}

// interpreters finds scripts that no Unix system starts any more: their first line, which names the interpreter, ends in a carriage return
// or stands behind a byte order mark. The files are as they are, whatever their line ends.
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
