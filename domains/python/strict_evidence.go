package python

import (
	"regexp"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/vfs"
)

// evidence counts the definitions, the imports and the statements that assign, call
// or control. Python runs no program with a line that is no Python, and much other
// text can be read as expressions: a row of a table as a tuple, JSON as a dictionary.
func evidence(files vfs.Files, elements []domains.Element) int {
	if domains.OfKinds(lineElement)(files, elements) > 0 {
		return 0
	}
	return domains.OfKinds(definitionElement, importElement)(files, elements) +
		lists.Count(elements, func(e *domains.Element) bool {
			return e.Kind == statementElement && effective.MatchString(e.Value("text"))
		})
}

// effective is how a statement begins that assigns, calls or controls.
var effective = regexp.MustCompile(`^[\pL_][\pL\pN_.]*( *[-+*/%&|^@:]?=|:.*=|\(|\[.*\] *=| .*\()`)
