package emails

import (
	"slices"

	"agentd/domains"
	"agentd/vfs"
)

// evidence counts the messages that say who they are from. Any text can be read
// as the body of a message.
func evidence(_ vfs.Files, elements []domains.Element) int {
	found := 0
	for i := range elements {
		if elements[i].Kind == counted && slices.ContainsFunc(elements[i].Fields, isSender) {
			found++
		}
	}
	return found
}

func isSender(f domains.Field) bool { return f.Name == "from" }
