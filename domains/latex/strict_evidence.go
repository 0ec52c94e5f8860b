package latex

import (
	"path"
	"strings"

	"agentd/domains"
	"agentd/vfs"
)

// styles are commands for the style of words.
var styles = map[string]bool{"emph": true, "textbf": true, "textit": true, "texttt": true, "textsc": true}

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
	_, isBlock := blocks[command]
	switch {
	case inputs[name]: // other languages have an \include too
		return false
	case name == "begin" || name == "bibitem" || name == "label":
		return true
	}
	return isBlock || headings[name] || bibliographies[name] || styles[name] || references[name] || isCitation(name)
}
