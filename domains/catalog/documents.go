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
			if parts := Parts(d, left); d.Info().Together && len(parts) > 1 && CheckOwn(d, parts) == nil {
				all = append(all, Document{Name: folder, Domain: d, Files: parts})
				maps.DeleteFunc(left, func(name, _ string) bool { _, taken := parts[name]; return taken })
			}
		}
		for _, name := range left.Names() {
			document := Document{Name: name, Files: vfs.Files{name: left[name]}}
			if found := first(Recognise(document.Files)); found != nil {
				document.Domain = found.Domain
				if as := found.Files.Names()[0]; as != name {
					document.As = as
				}
			}
			all = append(all, document)
		}
	}
	slices.SortStableFunc(all, func(a, b Document) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// first is the first domain that needs no judge; nil if there is none.
func first(found []Finding) *Finding {
	for i := range found {
		if _, judged := found[i].Domain.(domains.Judged); !judged {
			return &found[i]
		}
	}
	return nil
}

// Single finds the domain of one file among several, of those that need no judge; nil if none reads it.
func Single(among []domains.Domain, name, text string) *Finding {
	file := vfs.Files{name: text}
	if len(among) > 1 {
		return first(recognise(among, file))
	}
	d := among[0]
	read := Read(d, file)
	if CheckOwn(d, read) != nil {
		return nil
	}
	return &Finding{Domain: d, Files: read}
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
