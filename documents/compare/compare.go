// Package compare says what became of documents, in the words of their formats.
//
// Two sets of files, before and after, are divided into documents, each of a domain. If a document
// is not the same to the letter, the domain's reader names what was lost, added,
// changed or moved. What a format leaves free, such as the order of names in a JSON object, is not
// a change. If no domain reads a file, its lines are compared, or its bytes if it is not text.
// Pictures are compared by their pixels.
//
// Every change is reported: if a reader can read only one side, the lines are compared, and the
// document's note says so.
package compare

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"agentd/domains"
	"agentd/domains/catalog"
	"agentd/domains/text"
	"agentd/internal/datafile"
	"agentd/vfs"
)

// Status is what became of a document.
type Status string

// What can become of a document.
const (
	Same       Status = "same"       // in meaning; its text may differ
	Changed    Status = "changed"    // elements were lost, added, changed or moved
	Added      Status = "added"      // it was not there before
	Removed    Status = "removed"    // it is gone
	Unreadable Status = "unreadable" // its reader could read it before, and no longer can
)

// Document is what became of a document.
type Document struct {
	Name   string `json:"document"` // the path of the file, or of the folder of several
	Domain string `json:"domain"`   // empty if it is not text and no domain reads it
	Status Status `json:"status"`
	// Strict is the strict score of what is there now, 0 to 1, see domains.Score.
	Strict float64 `json:"strict"`
	Note   string  `json:"note,omitempty"` // what else there is to know
	// Warnings are what to look at first: new dangers, and safeguards that are gone. They do not
	// affect the score.
	Warnings    []string     `json:"warnings,omitempty"`
	Differences []Difference `json:"changes"`
}

// Report is what became of all documents.
type Report struct {
	Same      bool       `json:"same"` // every document still means the same
	Documents []Document `json:"documents"`
	Skipped   []Skipped  `json:"skipped"`
}

// Skipped is a file that was not compared.
type Skipped struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// Compare compares two sets of files by their paths. If a domain is given, all files whose names fit
// it are one document; if it is nil, the domain of each document is found.
func Compare(before, after vfs.Files, domain domains.Domain) Report {
	r := Report{Same: true, Documents: []Document{}, Skipped: []Skipped{}}
	for _, pair := range Pairs(before, after, domain) {
		d := pair.Compare()
		r.Same = r.Same && d.Status == Same
		r.Documents = append(r.Documents, d)
	}
	return r
}

// Pair is a document before and after.
type Pair struct {
	Name          string
	Domain        domains.Domain // nil if no domain reads the document
	Before, After vfs.Files      // empty where it is not there
	// As is set if the document is one file whose own name fits no domain: a name that fits.
	As string
}

// Pairs divides two sets of files into documents and pairs them by path, in the order of their
// names. The files before decide what a document is, or the files after if it is new.
func Pairs(before, after vfs.Files, domain domains.Domain) []Pair {
	left := vfs.Files{} // texts, for which a domain is looked for
	var binary []string
	for _, name := range both(before, after) {
		switch {
		case isText(before, name):
			left[name] = before[name]
		case isText(after, name):
			left[name] = after[name]
		default:
			binary = append(binary, name)
		}
	}
	var found []catalog.Document
	if domain != nil {
		if own := left.Match(domain.Info().Patterns); len(own) > 0 {
			found = append(found, catalog.Document{Name: nameOf(own), Domain: domain, Files: own})
			maps.DeleteFunc(left, func(name, _ string) bool { _, taken := own[name]; return taken })
		}
	}
	found = append(found, catalog.Documents(left)...)
	for _, name := range binary {
		content, there := before[name]
		if !there {
			content = after[name]
		}
		file := vfs.Files{name: content}
		found = append(found, catalog.Document{Name: name, Domain: binaryDomain(file), Files: file})
	}
	pairs := make([]Pair, len(found))
	for i, d := range found {
		pairs[i] = Pair{d.Name, d.Domain, only(before, d.Files), only(after, d.Files), d.As}
	}
	slices.SortStableFunc(pairs, func(a, b Pair) int { return strings.Compare(a.Name, b.Name) })
	return pairs
}

// binaryDomain is the domain that reads a file which is not text, such as a picture; nil if none does.
func binaryDomain(file vfs.Files) domains.Domain {
	if file.HasBinary() {
		for _, d := range catalog.Recognise(file) {
			if d.Info().Binary {
				return d
			}
		}
	}
	return nil
}

// nameOf is the name of a document: its only file, or the folder of its files.
func nameOf(files vfs.Files) string {
	names := files.Names()
	if len(names) == 1 {
		return names[0]
	}
	return path.Dir(names[0])
}

// both are the names on both sides, sorted, each once.
func both(before, after vfs.Files) []string {
	names := append(before.Names(), after.Names()...)
	slices.Sort(names)
	return slices.Compact(names)
}

// only selects the files whose names are also in names.
func only(files, names vfs.Files) vfs.Files {
	some := vfs.Files{}
	for name := range names {
		if content, there := files[name]; there {
			some[name] = content
		}
	}
	return some
}

// isText reports whether a file is there and holds text.
func isText(files vfs.Files, name string) bool {
	content, there := files[name]
	return there && utf8.ValidString(content) && !strings.ContainsRune(content, 0)
}

// Compare says what became of the document.
func (p Pair) Compare() Document {
	d := Document{Name: p.Name, Status: Changed, Differences: []Difference{}}
	if p.Domain != nil {
		d.Domain = p.Domain.Info().Name
		if p.Domain.Info().Binary {
			p.compare(&d, p.Domain)
			return d
		}
	}
	for _, files := range []vfs.Files{p.Before, p.After} {
		for name := range files {
			if !isText(files, name) {
				return p.bytes(d)
			}
		}
	}
	domain := p.Domain
	if domain == nil {
		domain = text.New()
		d.Domain, d.Note = domain.Info().Name, "no domain reads it; its lines are compared"
	}
	p.Before, p.After = p.asRead(p.Before), p.asRead(p.After)
	p.compare(&d, domain)
	return d
}

// asRead are the files under the name that the domain reads them by.
func (p Pair) asRead(files vfs.Files) vfs.Files {
	content, there := files[p.Name]
	if p.As == "" || !there {
		return files
	}
	return vfs.Files{p.As: content}
}

// compare sets what became of the document, as a domain sees it.
func (p Pair) compare(d *Document, domain domains.Domain) {
	switch {
	case p.Before.Equal(p.After):
		d.Status, d.Strict = Same, 1
	case len(p.Before) == 0:
		d.Status = Added
		d.Differences = DifferencesOf(inverted(domain.Against(p.After).Review(vfs.Files{})))
	case len(p.After) == 0:
		d.Status = Removed
		d.Differences = DifferencesOf(domain.Against(p.Before).Review(vfs.Files{}))
	default:
		p.review(d, domain)
	}
	if d.Status != Same {
		d.Warnings = domains.Warnings(domain, p.Before, p.After)
	}
}

// review compares a document that is there on both sides and differs.
func (p Pair) review(d *Document, domain domains.Domain) {
	review := domain.Against(p.Before).Review(p.After)
	d.Strict = review.Strict
	d.Differences = DifferencesOf(review)
	switch {
	case review.Strict == 1 && len(review.Differences) == 0:
		d.Status = Same
		return
	case p.Domain != nil && p.Domain.CheckReference(p.Before) == nil:
		if err := p.Domain.CheckReference(p.After); err != nil {
			d.Status, d.Note = Unreadable, firstLine(err)
			if p.As != "" {
				d.Note = strings.ReplaceAll(d.Note, p.As, p.Name)
			}
		}
	}
	if len(review.Differences) > 0 {
		return
	}
	if domain.Info().Binary {
		*d = p.bytes(*d)
		return
	}
	lines := text.New().Against(p.Before).Review(p.After)
	d.Differences = DifferencesOf(lines)
	if d.Strict = min(lines.Strict, d.Strict); p.Domain != nil {
		d.Note = strings.TrimPrefix(d.Note+"; ", "; ") + "the lines are compared"
	}
	if len(lines.Differences) > 0 {
		return
	}
	if p.Domain == nil { // only blanks differ
		d.Status, d.Strict = Same, 1
		return
	}
	d.Differences = p.bytesOf()
}

// firstLine is what is wrong with a document, without what a reader expects.
func firstLine(err error) string {
	var wrong *domains.ReferenceError
	if errors.As(err, &wrong) {
		return wrong.Problem
	}
	return err.Error()
}

// inverted turns losses into additions.
func inverted(r domains.Review) domains.Review {
	for i, d := range r.Differences {
		r.Differences[i] = domains.Difference{Kind: domains.Added, Where: d.Where, Is: d.Was}
	}
	return r
}

// bytes compares a document that is not all text.
func (p Pair) bytes(d Document) Document {
	d.Note = "not a text; its bytes are compared"
	for _, content := range slices.Concat(slices.Collect(maps.Values(p.Before)), slices.Collect(maps.Values(p.After))) {
		if is, foreign := datafile.Recognise([]byte(content)); foreign {
			d.Note = "it is " + is.What + "; its bytes are compared; to see what changed, " + is.Do
		}
	}
	d.Differences = p.bytesOf()
	switch {
	case len(d.Differences) == 0:
		d.Status, d.Strict = Same, 1
	case len(p.Before) == 0:
		d.Status = Added
	case len(p.After) == 0:
		d.Status = Removed
	case p.Domain != nil || p.wasText():
		d.Status = Unreadable
	}
	return d
}

// bytesOf are the files whose bytes differ.
func (p Pair) bytesOf() []Difference {
	all := []Difference{}
	for _, name := range both(p.Before, p.After) {
		was, before := p.Before[name]
		is, after := p.After[name]
		if p.As != "" {
			name = p.Name
		}
		d := Difference{Kind: domains.Changed.String(), Element: "file", Where: name, Was: size(was, before), Is: size(is, after)}
		switch {
		case before && !after:
			d.Kind = domains.Lost.String()
		case !before:
			d.Kind = domains.Added.String()
		case was == is:
			continue
		case is == "":
			d.Kind, d.Field = domains.Lost.String(), "content"
		}
		all = append(all, d)
	}
	return all
}

// wasText reports whether all files were text before. Without a domain, their lines were to be read.
func (p Pair) wasText() bool {
	for name := range p.Before {
		if !isText(p.Before, name) {
			return false
		}
	}
	return true
}

func size(content string, there bool) string {
	if !there {
		return ""
	}
	return fmt.Sprintf("%d bytes, sha256 %.12x", len(content), sha256.Sum256([]byte(content)))
}

// Counts are the numbers of differences by kind.
func (d *Document) Counts() map[string]int {
	counts := map[string]int{}
	for _, c := range d.Differences {
		counts[c.Kind]++
	}
	return counts
}
