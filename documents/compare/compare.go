// Package compare says what became of documents, in the words of their formats.
//
// Two sets of files, before and after, are divided into documents, each of a domain. Of each
// document that is not the same to the letter, the domain's reader names what was lost, added,
// changed or moved. What the format calls free, such as the order of JSON's names, is no change.
// Where no domain reads a file, its lines are compared; where it is no text, its bytes. Of a
// picture the pixels are compared.
//
// Nothing passes unseen: where a reader can read one side alone, the lines are compared, and
// the document says so.
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
	Same       Status = "same"       // by its meaning; its text may be written otherwise
	Changed    Status = "changed"    // elements were lost, added, changed or moved
	Added      Status = "added"      // it was not there before
	Removed    Status = "removed"    // it is not there any more
	Unreadable Status = "unreadable" // its reader could read it before, and cannot any more
)

// Document is a document with what became of it.
type Document struct {
	Name   string `json:"document"` // the path of the file, or of the folder of several
	Domain string `json:"domain"`   // empty for what is no text
	Status Status `json:"status"`
	// Strict is the strict score of what is there now, 0 to 1, see domains.Score.
	Strict float64 `json:"strict"`
	Note   string  `json:"note,omitempty"` // what else there is to know
	// Warnings are what to look at first: dangers that are new, and safeguards that are gone. The
	// score knows nothing of them.
	Warnings    []string     `json:"warnings,omitempty"`
	Differences []Difference `json:"changes"`
}

// Report is what became of all documents.
type Report struct {
	Same      bool       `json:"same"` // no document means anything else than before
	Documents []Document `json:"documents"`
	Skipped   []Skipped  `json:"skipped"`
}

// Skipped is a file that was not compared.
type Skipped struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// Compare compares two sets of files by their paths. With a domain, all files that have a name
// of the domain are one document of it; nil finds out.
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
	Domain        domains.Domain // nil if none reads the document
	Before, After vfs.Files      // empty where it is not there
	// As is a name under which the domain reads the only file, where its own fits none; else empty.
	As string
}

// Pairs divides two sets of files into documents and pairs them by path, in the order of their
// names. What a document is, is told by its files before, or after where it was not there.
func Pairs(before, after vfs.Files, domain domains.Domain) []Pair {
	left := vfs.Files{} // what a reader is looked for
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

// binaryDomain is the domain of a file that is no text, such as a picture; nil if none reads it.
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

// nameOf is the name of files that are one document: their folder, or the file itself.
func nameOf(files vfs.Files) string {
	names := files.Names()
	if len(names) == 1 {
		return names[0]
	}
	return path.Dir(names[0])
}

// both are the names on either side, sorted.
func both(before, after vfs.Files) []string {
	names := append(before.Names(), after.Names()...)
	slices.Sort(names)
	return slices.Compact(names)
}

// only are the files that have the names of others.
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

// compare has a domain say what became of the document.
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

// review compares texts that differ.
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
	if p.Domain == nil { // blanks alone
		d.Status, d.Strict = Same, 1
		return
	}
	d.Differences = p.bytesOf()
}

// firstLine is what is wrong, without what is expected.
func firstLine(err error) string {
	var wrong *domains.ReferenceError
	if errors.As(err, &wrong) {
		return wrong.Problem
	}
	return err.Error()
}

// inverted makes what is lost in a review added.
func inverted(r domains.Review) domains.Review {
	for i, d := range r.Differences {
		r.Differences[i] = domains.Difference{Kind: domains.Added, Where: d.Where, Is: d.Was}
	}
	return r
}

// bytes compares files some of which are no text.
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

// Counts are the numbers of changes by kind.
func (d *Document) Counts() map[string]int {
	counts := map[string]int{}
	for _, c := range d.Differences {
		counts[c.Kind]++
	}
	return counts
}
