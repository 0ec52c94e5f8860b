package catalog

import (
	"cmp"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/text"
	"agentd/internal/usage"
	"agentd/vfs"
)

// Recognise returns the domains whose documents files can be, the most likely first: those
// that have a name for one of the files and whose readers find their elements in it. Of
// several it is the one whose elements hold the most of the text.
func Recognise(files vfs.Files) []domains.Domain {
	return recognise(files, func(d domains.Domain) bool { return d.CheckReference(files) == nil })
}

// RecogniseOwn is Recognise for documents of somebody's own, of which a published score is
// nice to have: if it finds none, it returns the domains whose formats' own readers find their elements.
func RecogniseOwn(files vfs.Files) []domains.Domain {
	if found := Recognise(files); len(found) > 0 {
		return found
	}
	return recognise(files, func(d domains.Domain) bool { return CheckOwn(d, files) == nil })
}

// CheckOwn is Domain.CheckReference for documents of somebody's own: it is nil, too, if the format's
// own reader alone can read them. Then only domains.RSOption gives them an RS.
func CheckOwn(d domains.Domain, files vfs.Files) error {
	err := d.CheckReference(files)
	if err != nil && d.With(domains.Metadata{domains.RSOption: domains.RSStrict}).CheckReference(files) == nil {
		return nil
	}
	return err
}

// recognise returns the domains that have a name for one of the files and read them, the most likely first.
func recognise(files vfs.Files, reads func(domains.Domain) bool) []domains.Domain {
	type candidate struct {
		domains.Domain
		general int
		share   float64
	}
	var found []candidate
	for _, d := range All() {
		if own := files.Match(d.Info().Patterns); len(own) > 0 && reads(d) {
			general := generality(d)
			if unsure, is := d.(domains.Unsure); is && unsure.MayBeGeneral(files) {
				general = mostGeneral
			}
			found = append(found, candidate{d, general, held(d, files)})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.general, b.general), cmp.Compare(b.share, a.share))
	})
	all := make([]domains.Domain, len(found))
	for i, c := range found {
		all[i] = c.Domain
	}
	return all
}

// Of returns the domain of documents of somebody's own: the named one, or if name is empty the most likely of those
// that RecogniseOwn finds. Documents that the domain does not read are a usage.Error, as is a name that is unknown.
func Of(documents vfs.Files, name string) (domains.Domain, error) {
	if name == "" {
		found := RecogniseOwn(documents)
		if len(found) == 0 {
			return nil, usage.Errorf("no domain reads %s; name one with --domain (agentd domains lists them)", strings.Join(documents.Names(), ", "))
		}
		return found[0], nil
	}
	d, err := Find(name)
	if err != nil {
		return nil, err
	}
	if err := CheckOwn(d, documents); err != nil {
		return nil, usage.Wrap(err)
	}
	return d, nil
}

// mostGeneral is the generality of a domain that takes a text in which nothing is its own.
const mostGeneral = 3

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
