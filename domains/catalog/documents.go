package catalog

import (
	"maps"
	"path"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/vfs"
)

// Document is a document that was found among files: one file, or several of a folder.
type Document struct {
	Name   string         // the path of the file, or of the folder of several
	Domain domains.Domain // nil if no domain reads the file
	Files  vfs.Files
	// As is a name under which the domain reads the file, where its own fits none; else empty.
	As string
}

// Documents divides files into documents. The files of a folder that a domain takes together
// are one, such as the tables of a transit feed; every other file is one. They are in the order of
// their names. A domain that only a judge can score reads any prose, and is given to none.
func Documents(files vfs.Files) []Document {
	folders := map[string]vfs.Files{}
	for name, content := range files {
		folder := path.Dir(name)
		if folders[folder] == nil {
			folders[folder] = vfs.Files{}
		}
		folders[folder][name] = content
	}
	var all []Document
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		left := folders[folder]
		for _, d := range All() {
			if parts := Parts(d, left); d.Info().Together && len(parts) > 1 && d.CheckReference(parts) == nil {
				all = append(all, Document{Name: folder, Domain: d, Files: parts})
				maps.DeleteFunc(left, func(name, _ string) bool { _, taken := parts[name]; return taken })
			}
		}
		for _, name := range left.Names() {
			document := Document{Name: name, Files: vfs.Files{name: left[name]}}
			for _, d := range Recognise(document.Files) {
				if _, judged := d.(domains.Judged); !judged {
					document.Domain = d
					break
				}
			}
			if document.Domain == nil {
				document.Domain, document.As = UnderAnotherName(All(), name, left[name])
			}
			all = append(all, document)
		}
	}
	slices.SortStableFunc(all, func(a, b Document) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// UnderAnotherName finds the domain of a file whose name fits none of those given, so that accounts.journal is read as
// accounts.ledger: of the domains that read its text as theirs under a name of theirs and find an element that counts,
// the one whose elements hold the most of it, with that name. It is nil if none does. Any text would be one for general
// text, which is left out; domains that only a judge can score read any prose, and count only if no others are given.
func UnderAnotherName(among []domains.Domain, name, text string) (found domains.Domain, as string) {
	if fitsAny(among, name) {
		return nil, ""
	}
	most := 0.0
	for _, d := range among {
		other := nameFor(d, name)
		files := vfs.Files{other: text}
		if d.Info().AnyText || d.Info().Binary || d.CheckReference(files) != nil || len(among) > 1 && !readsBest(d, files) {
			continue
		}
		if stats, err := d.Statistics(files); err != nil || stats.Elements == 0 {
			continue
		}
		if share := Share(d, files); share > most {
			found, as, most = d, other, share
		}
	}
	return found, as
}

// readsBest reports whether a domain is the most likely one of files, of those that need no judge.
func readsBest(d domains.Domain, files vfs.Files) bool {
	for _, likely := range Recognise(files) {
		if _, judged := likely.(domains.Judged); !judged {
			return likely.Info().Name == d.Info().Name
		}
	}
	return false
}

// fitsAny reports whether a name fits one of the domains.
func fitsAny(all []domains.Domain, name string) bool {
	return slices.ContainsFunc(all, func(d domains.Domain) bool {
		return slices.ContainsFunc(d.Info().Patterns, func(pattern string) bool {
			return vfs.Matches(strings.ToLower(pattern), strings.ToLower(name))
		})
	})
}

// nameFor is a file's name with the extension that a domain knows, or a name of the domain if it goes by whole names.
func nameFor(d domains.Domain, name string) string {
	first := d.Info().Patterns[0]
	if extension := path.Ext(first); extension != "" {
		return strings.TrimSuffix(name, path.Ext(name)) + extension
	}
	return strings.ReplaceAll(first, "*", "")
}

// Parts are the files that can be part of a document of a domain: those that have one of its names and
// in which its reader finds more than foreign text.
func Parts(d domains.Domain, files vfs.Files) vfs.Files {
	parts := files.Match(d.Info().Patterns)
	maps.DeleteFunc(parts, func(name, content string) bool {
		return !slices.ContainsFunc(d.Elements(vfs.Files{name: content}), func(e domains.Element) bool { return e.Kind != domains.ForeignKind })
	})
	return parts
}
