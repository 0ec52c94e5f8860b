package latex

import (
	"path"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/sets"
	"agentd/vfs"
)

// styles are commands for the style of words.
var styles = sets.Words("emph textbf textit texttt textsc")

// evidence counts the entries of the bibliography and the commands that LaTeX
// has and other languages with backslashes have not.
func evidence(files vfs.Files, elements []domains.Element) int {
	found := domains.OfKinds(entryKind)(files, elements)
	for _, name := range files.Names() {
		if path.Ext(name) != ".tex" {
			continue
		}
		s := scan(name, files[name])
		for i := range s.tokens {
			if s.tokens[i].kind == commandToken && isLaTeX(s.of(i)[1:]) {
				found++
			}
		}
	}
	return found
}

func isLaTeX(command string) bool {
	name := strings.TrimSuffix(command, "*")
	switch {
	case inputs[name]: // other languages have an \include too
		return false
	case name == "begin" || name == "bibitem" || name == "label":
		return true
	}
	return blocks[command] || bareBlocks[command] || headings[name] || bibliographies[name] || styles[name] || references[name] || isCitation(name)
}
