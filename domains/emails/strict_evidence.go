package emails

import (
	"slices"

	"agentd/domains"
)

// isFromSomebody reports whether an element is a message that says who it is from. Any
// text can be read as the body of a message.
func isFromSomebody(e *domains.Element) bool {
	return e.Kind == counted && slices.ContainsFunc(e.Fields, func(f domains.Field) bool { return f.Name == "from" })
}
