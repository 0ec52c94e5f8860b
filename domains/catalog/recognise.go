package catalog

import (
	"cmp"
	"slices"

	"agentd/domains"
	"agentd/domains/text"
	"agentd/vfs"
)

// Recognise returns the domains whose documents files can be, the most likely first: those
// that have a name for one of the files and whose readers find their elements in it. Of
// several it is the one whose elements hold the most of the text.
func Recognise(files vfs.Files) []domains.Domain {
	type candidate struct {
		domains.Domain
		share float64
	}
	var found []candidate
	for _, d := range All() {
		if own := files.Match(d.Info().Patterns); len(own) > 0 && d.CheckReference(files) == nil {
			found = append(found, candidate{d, held(d, files)})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(generality(a), generality(b)), cmp.Compare(b.share, a.share))
	})
	all := make([]domains.Domain, len(found))
	for i, c := range found {
		all[i] = c.Domain
	}
	return all
}

// generality is higher the less a domain asks of a text.
func generality(d domains.Domain) int {
	switch info := d.Info(); {
	case info.Category != domains.General:
		return 0
	case info.Name != text.New().Info().Name:
		return 1
	}
	return 2
}

// held is the share of a text that stands in the fields of its elements, at most 1.
func held(d domains.Domain, files vfs.Files) float64 {
	size, inside := 0, 0
	for _, content := range files {
		size += len(content)
	}
	for _, e := range d.Elements(files) {
		for _, f := range e.Fields {
			inside += len(f.Value)
		}
	}
	return min(float64(inside)/float64(max(size, 1)), 1)
}
