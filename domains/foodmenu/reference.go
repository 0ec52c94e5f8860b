package foodmenu

import (
	"agentd/domains"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// evidence counts the items of a menu, none if other lines outnumber them. A
// price in the middle of a text makes no item of it.
func evidence(files vfs.Files, elements []domains.Element) int {
	found := 0
	for i := range elements {
		if elements[i].Kind == counted && len(pytext.Fields(elements[i].Value(noteField))) <= mostNote {
			found++
		}
	}
	if domains.OfKinds(domains.ForeignKind)(files, elements) > found {
		return 0
	}
	return found
}

// mostNote is the number of words behind the price of a dish, such as "per person".
const mostNote = 8
