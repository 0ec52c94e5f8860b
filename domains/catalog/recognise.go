package catalog

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/internal/usage"
	"agentd/vfs"
)

// Finding is a domain that reads files, and what speaks for it.
type Finding struct {
	Domain domains.Domain
	// Files are the files under names that the domain knows, so that accounts.journal is read as accounts.ledger.
	Files vfs.Files
	// Placed is the share of the text in which the format's own reader sees parts of the format, from 0 to 1.
	Placed float64
	named  naming
	marked float64 // 1 for words that few other formats have, less for those that others have too
	unsure bool    // nothing in it is of the format alone
}

// naming is what the name of a file says of a domain.
type naming uint8

const (
	foreignName naming = iota // no name of the domain
	commonName                // one that files of other formats have, too
	ownName
)

// most of a text that is looked through for the words of formats.
const mostLooked = 1 << 16

// leastPlaced is the share of a text that a reader must place, unless the name is one that few formats have.
const leastPlaced = 0.5

// Recognise returns the domains whose documents files can be, the most likely first. A domain can have a document if its
// format's own reader finds its elements in it, and if a file has a name of the domain or words of the format in it. A
// name that only few formats have decides; otherwise what counts is the words of a format, the share of the
// text that its reader places, and the name. General text comes last.
func Recognise(files vfs.Files) []Finding { return recognise(All(), files) }

func recognise(among []domains.Domain, files vfs.Files) []Finding {
	var found []Finding
	most := foreignName
	for _, d := range among {
		if f, ok := find(d, files); ok {
			found = append(found, f)
			most = max(most, f.named)
		}
	}
	if most == ownName {
		found = slices.DeleteFunc(found, func(f Finding) bool { return f.named < ownName })
	}
	slices.SortStableFunc(found, func(a, b Finding) int { return cmp.Compare(b.likely(), a.likely()) })
	return found
}

// find reads files as a domain's; false if they are none.
func find(d domains.Domain, files vfs.Files) (Finding, bool) {
	info, signs := d.Info(), signsOf(d.Info().Name)
	f := Finding{Domain: d, Files: vfs.Files{}}
	for name, content := range files {
		switch {
		case !fits(info.Patterns, name) && !fits(signs.also, name):
		case fits(common, name):
			f.named = max(f.named, commonName)
		default:
			f.named = ownName
		}
		looked := content[:min(len(content), mostLooked)]
		if signs.marks != nil && signs.marks.MatchString(looked) {
			f.marked = 1
			if signs.carrier {
				f.marked = 0.5
			}
		}
		if signs.hints != nil && f.marked == 0 && (fits(info.Patterns, name) || fits(signs.also, name)) && signs.hints.MatchString(looked) {
			f.marked = 0.5
		}
	}
	if f.named == foreignName && (signs.marks == nil || f.marked == 0 || info.Binary) {
		return f, false
	}
	f.Files = Read(d, files)
	f.Placed = placed(d, f.Files)
	if own(d).CheckReference(f.Files) != nil && !(f.empty() && f.Placed >= leastPlaced) {
		return f, false
	}
	if unsure, is := d.(domains.Unsure); is {
		f.unsure = unsure.MayBeGeneral(f.Files)
	}
	return f, f.named == ownName || f.Placed >= leastPlaced
}

// empty reports whether files by name and words are of the format, so that none of what is counted need be in them: a map's
// styles, a list without tracks, a module that imports.
func (f *Finding) empty() bool {
	named := f.named == ownName || slices.ContainsFunc(f.Files.Names(), func(name string) bool { return fits([]string{"*.xml"}, name) })
	return named && f.marked == 1 && f.Domain.Info().Category != domains.General
}

// likely is higher the more speaks for a domain.
func (f *Finding) likely() float64 {
	score := f.Placed + f.marked
	switch general := f.Domain.Info().Category == domains.General; {
	case general && f.marked == 1 && f.named < ownName:
		score *= 0.65 // more than prose that only has a name that any text has
	case general:
		score /= 4
	}
	if f.unsure {
		score--
	}
	return score + float64(f.named)/4
}

// near is how much less likely the second domain may be to be mentioned as near.
const near = 0.3

// Why says what speaks for the domain: name, words, and how much of the text is read.
func (f *Finding) Why() string {
	var why []string
	switch f.named {
	case ownName:
		why = append(why, "its name")
	case commonName:
		why = append(why, "one of its names")
	}
	switch {
	case f.marked == 1:
		why = append(why, "words of the format")
	case f.marked > 0:
		why = append(why, "words that such documents have")
	}
	if !f.Domain.Info().Binary {
		why = append(why, fmt.Sprintf("%.0f %% of it read", 100*f.Placed))
	}
	return strings.Join(why, ", ")
}

// Read returns files under names that a domain knows. Files that fit none of its patterns keep their names if others do.
func Read(d domains.Domain, files vfs.Files) vfs.Files {
	also := signsOf(d.Info().Name).also
	known := slices.ContainsFunc(files.Names(), func(name string) bool { return fits(d.Info().Patterns, name) || fits(also, name) })
	read := vfs.Files{}
	for name, content := range files {
		as := name
		if !known || fits(d.Info().Patterns, name) || fits(also, name) {
			as = nameFor(d, name, content)
		}
		if _, taken := read[as]; taken {
			as = name
		}
		read[as] = content
	}
	return read
}

// own is a domain without its published evaluator.
func own(d domains.Domain) domains.Domain {
	return d.With(domains.Metadata{domains.RSOption: domains.RSStrict})
}

// CheckOwn is Domain.CheckReference for documents of somebody's own: it is nil, too, if the format's
// own reader alone can read them. Then only domains.RSOption gives them an RS.
func CheckOwn(d domains.Domain, files vfs.Files) error {
	err := d.CheckReference(files)
	if err != nil && own(d).CheckReference(files) == nil {
		return nil
	}
	return err
}

// Of returns the domain of documents of somebody's own, the named one or if name is empty the most likely, and the
// documents under names that it knows. Documents that the domain does not read are a usage.Error, as is a name that is unknown.
func Of(documents vfs.Files, name string) (domains.Domain, vfs.Files, error) {
	if name == "" {
		found := Recognise(documents)
		if len(found) == 0 {
			return nil, nil, usage.Errorf("no domain reads %s; name one with --domain (agentd domains lists them)", strings.Join(documents.Names(), ", "))
		}
		return found[0].Domain, found[0].Files, nil
	}
	d, err := Find(name)
	if err != nil {
		return nil, nil, err
	}
	read := Read(d, documents)
	if err := CheckOwn(d, read); err != nil {
		if own := documents.Names(); !slices.Equal(own, read.Names()) {
			err = fmt.Errorf("reading %s as %s: %w", strings.Join(own, ", "), strings.Join(read.Names(), ", "), err)
		}
		return nil, nil, usage.Wrap(err)
	}
	return d, read, nil
}

// placed is the share of a text that is not in elements of foreign text. A comment on a line of its own is none, whatever a domain makes of it: a
// licence above three records says nothing against a zone.
func placed(d domains.Domain, files vfs.Files) float64 {
	size, foreign := 0, 0
	for content := range maps.Values(files) {
		size += len(content)
	}
	for _, e := range d.Elements(files) {
		if e.Kind != domains.ForeignKind || strings.HasPrefix(e.Key, "comment") {
			continue
		}
		for _, f := range e.Fields {
			foreign += len(f.Value)
		}
	}
	return max(0, 1-float64(foreign)/float64(max(size, 1)))
}
