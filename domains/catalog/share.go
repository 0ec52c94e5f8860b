package catalog

import (
	"agentd/domains"
	"agentd/vfs"
)

// Share is how much of files a domain accepts: the share of the text that stands in the fields
// of its elements, from 0 to 1; 0 if the files are no document of the domain.
func Share(d domains.Domain, files vfs.Files) float64 {
	if d.CheckReference(files) != nil {
		return 0
	}
	return held(d, files)
}
