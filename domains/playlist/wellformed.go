package playlist

import (
	"strings"

	"agentd/domains"
	"agentd/domains/internal/wellformed"
)

// entries checks that a line about an entry of an extended M3U has its length and a comma.
var entries = wellformed.Not(`^#EXTINF(?::\s*-?[\d.]+[^,]*$|[^:]|:\s*[^-\d\s])`, "an entry has no length, or no comma after it")

// wellFormed is judged by what a file is: XSPF is XML, and whatever has no tag of XML is M3U.
func wellFormed(name, text string) []domains.Slip {
	if strings.HasPrefix(strings.TrimSpace(text), "<") || strings.Contains(text, "</") {
		return wellformed.XML(name, text)
	}
	return entries(name, text)
}
