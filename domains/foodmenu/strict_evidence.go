package foodmenu

import (
	"agentd/domains"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// evidence counts the items of a menu, none if other lines outnumber them.
func evidence(files vfs.Files, elements []domains.Element) int {
	found := domains.Where(isDish)(files, elements)
	if domains.OfKinds(domains.ForeignKind)(files, elements) > found {
		return 0
	}
	return found
}

// isDish reports whether an element is an item whose line ends soon after the price,
// as in "per person". A price in the middle of a text makes no dish of it.
func isDish(e *domains.Element) bool {
	const most = 8 // words after the price
	return e.Kind == counted && len(pytext.Fields(e.Value(noteField))) <= most
}
