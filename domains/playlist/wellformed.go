package playlist

import (
	"strings"

	"agentd/domains"
	"agentd/domains/internal/wellformed"
)

// entries checks that a line about an entry of an extended M3U has its length and a comma.
var entries = wellformed.Not(`^#EXTINF(?::\s*-?[\d.]+[^,]*$|[^:]|:\s*[^-\d\s])`, "an entry has no length, or no comma after it")

var (
	namespace = wellformed.Namespace(`^http://xspf\.org/ns/0/$`, "playlist")
	head      = wellformed.Begins(`^#EXTM3U`, "#EXTM3U is not the first line")
)

// wellFormed is judged by what a file is: XSPF is XML, and whatever has no tag of XML is M3U.
func wellFormed(name, text string) []domains.Slip {
	if strings.HasPrefix(strings.TrimSpace(text), "<") || strings.Contains(text, "</") {
		return wellformed.All(wellformed.XML, namespace)(name, text)
	}
	if strings.Contains(text, "#EXTM3U") {
		return wellformed.All(head, entries)(name, text)
	}
	return entries(name, text)
}
