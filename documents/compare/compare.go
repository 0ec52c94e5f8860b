// Package compare reports how documents changed, in the words of their formats.
//
// Two sets of files, before and after, are divided into documents, each of one domain. If the text of a
// document differs, the domain's reader names what was lost, added, changed or moved. Differences without
// meaning in the format, such as the order of names in a JSON object, are not changes. If no domain reads a
// file, its lines are compared, or its bytes if it is not text. Pictures are compared by their pixels. Text
// in an encoding other than UTF-8 is decoded first (package charset); changes of its bytes are reported
// separately (package fidelity).
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

	"agentd/domains"
	"agentd/domains/catalog"
	"agentd/domains/text"
	"agentd/internal/charset"
	"agentd/internal/datafile"
	"agentd/internal/fidelity"
	"agentd/vfs"
)

// Status sums up how a document changed.
type Status string

// The statuses.
const (
	Same       Status = "same"       // in meaning; its text may differ
	Changed    Status = "changed"    // elements were lost, added, changed or moved
	Renamed    Status = "renamed"    // its name changed, its meaning did not
	Added      Status = "added"      // it is new
	Removed    Status = "removed"    // it is gone
	Unreadable Status = "unreadable" // its reader, or the tools of its format, can no longer read it
)

// Document describes how a document changed.
type Document struct {
	Name   string `json:"document"` // path of the file, or of the folder if it has several files
	Domain string `json:"domain"`   // empty if it is not text and no domain reads it
	Status Status `json:"status"`
	// Broken lists the new syntax errors: places where the tools of the format would stop, but did not before. If there
	// are any, the status is Unreadable, even if nothing else changed. They are printed first.
	Broken []Slip `json:"broken,omitempty"`
	// Strict is the strict score of the document after the change, 0 to 1, see domains.Score.
	Strict float64 `json:"strict"`
	Note   string  `json:"note,omitempty"` // remarks, such as that only the lines were compared
	// Warnings name new dangers and lost safeguards, to be checked first. They do not affect
	// the score.
	Warnings    []string     `json:"warnings,omitempty"`
	Differences []Difference `json:"changes"`
	// Bytes describes changes of the bytes in parts whose meaning did not change; nil if there are none. Status and Strict do not depend on it.
	Bytes *fidelity.Kept `json:"bytes,omitempty"`
}

// Report describes how all documents changed.
type Report struct {
	Same      bool       `json:"same"` // every document still means the same
	Documents []Document `json:"documents"`
	Skipped   []Skipped  `json:"skipped"`
	// Fails reports whether the JUnit test of a document fails. If it is nil, the test fails unless the document is Same.
	Fails func(Document) bool `json:"-"`
}

// Skipped is a file that was not compared.
type Skipped struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// Compare compares two sets of files by their paths. If a domain is given, all files whose names fit
// it are one document; if it is nil, the domain of each document is detected.
func Compare(before, after vfs.Files, domain domains.Domain) Report {
	return compareSides(side{files: before}, side{files: after}, Options{Domain: domain})
}

func compareSides(before, after side, o Options) Report {
	r := Report{Same: true, Documents: []Document{}, Skipped: append(append([]Skipped{}, before.skipped...), after.skipped...)}
	for _, pair := range o.pairs(before.files, after.files) {
		d := pair.Compare()
		for name := range pair.After {
			was, known := before.executable[pair.nameBefore(name)]
			if is, now := after.executable[name]; known && now {
				d.Bytes = fidelity.Add(d.Bytes, name, was, is)
			}
		}
		r.Same = r.Same && d.Status == Same
		r.Documents = append(r.Documents, d)
	}
	return r
}

// Pair is a document before and after.
type Pair struct {
	Name          string
	Domain        domains.Domain // nil if no domain reads the document
	Before, After vfs.Files      // empty where it does not exist
	// As is a name that the domain accepts, if the document is one file whose own name fits no domain.
	As string
	// From is the old name of a renamed document. Before uses From, After uses Name.
	From string

	assumed charset.Encoding // see Options.Encoding
}

// Pairs divides two sets of files into documents and pairs them by path, in the order of their
// names. The files before decide what a document is, or the files after if it is new.
func Pairs(before, after vfs.Files, domain domains.Domain) []Pair {
	return Options{Domain: domain}.pairs(before, after)
}

func (o Options) pairs(before, after vfs.Files) []Pair {
	left := vfs.Files{} // texts whose domain is to be detected
	var binary []string
	for _, name := range both(before, after) {
		text, ok := textOf(o.Encoding, before, after, name)
		if !ok {
			text, ok = textOf(o.Encoding, after, before, name)
		}
		if ok {
			left[name] = text
		} else {
			binary = append(binary, name)
		}
	}
	var found []catalog.Document
	if o.Domain != nil {
		if own := left.Match(o.Domain.Info().Patterns); len(own) > 0 {
			found = append(found, catalog.Document{Name: nameOf(own), Domain: o.Domain, Files: own})
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
		pairs[i] = Pair{Name: d.Name, Domain: d.Domain, Before: only(before, d.Files), After: only(after, d.Files), As: d.As, assumed: o.Encoding}
	}
	pairs = renamed(pairs)
	slices.SortStableFunc(pairs, func(a, b Pair) int { return strings.Compare(a.Name, b.Name) })
	return pairs
}

// binaryDomain is the domain that reads a file which is not text, such as a picture; nil if none does.
func binaryDomain(file vfs.Files) domains.Domain {
	if file.HasBinary() {
		for _, found := range catalog.Recognise(file) {
			if found.Domain.Info().Binary {
				return found.Domain
			}
		}
	}
	return nil
}

// nameOf returns the name of a document: its only file, or the folder of its files.
func nameOf(files vfs.Files) string {
	names := files.Names()
	if len(names) == 1 {
		return names[0]
	}
	return path.Dir(names[0])
}

// both returns the sorted union of the names on both sides.
func both(before, after vfs.Files) []string {
	names := append(before.Names(), after.Names()...)
	slices.Sort(names)
	return slices.Compact(names)
}

// only returns the files whose names are also in names.
func only(files, names vfs.Files) vfs.Files {
	some := vfs.Files{}
	for name := range names {
		if content, there := files[name]; there {
			some[name] = content
		}
	}
	return some
}

// Compare compares the document before with the document after.
func (p Pair) Compare() Document {
	d := p.content()
	if len(p.Before) > 0 && len(p.After) > 0 && !slices.ContainsFunc(d.Differences, Difference.ofBytes) {
		d.Bytes = bytesOf(p.underName(p.Before), p.After, p.assumed, d.Differences)
	}
	if p.From == "" {
		return d
	}
	if d.Status == Same {
		d.Status = Renamed
	}
	d.Differences = slices.Insert(d.Differences, 0, Difference{Kind: KindRenamed, Element: "file", Where: p.Name, Was: p.From, Is: p.Name})
	return d
}

// content compares the two versions under the document's present name.
func (p Pair) content() Document {
	d := Document{Name: p.Name, Status: Changed, Differences: []Difference{}}
	if p.Domain != nil {
		d.Domain = p.Domain.Info().Name
		if p.Domain.Info().Binary {
			p.Before = p.underName(p.Before)
			p.compare(&d, p.Domain)
			return d
		}
	}
	p.Before = p.underName(p.Before)
	read, ok := p.texts()
	if !ok {
		return p.bytes(d)
	}
	p.Before, p.After, d.Note = read.before, read.after, read.note
	domain := p.Domain
	if domain == nil {
		domain = text.New()
		d.Domain, d.Note = domain.Info().Name, joined("no domain reads it; its lines are compared", d.Note)
	}
	p.Before, p.After = p.asRead(p.Before), p.asRead(p.After)
	p.compare(&d, domain)
	return d
}

// asRead returns the files under the names that the domain accepts.
func (p Pair) asRead(files vfs.Files) vfs.Files {
	content, there := files[p.Name]
	if p.As == "" || !there {
		return files
	}
	return vfs.Files{p.As: content}
}

// compare fills in the result with a domain's comparison.
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

// review compares a document that exists on both sides and differs.
func (p Pair) review(d *Document, domain domains.Domain) {
	before := domain.Against(p.Before)
	review := before.Review(p.After)
	d.Strict = review.Strict
	d.Differences = DifferencesOf(review)
	if d.Broken = p.broken(before.Broken(p.After)); len(d.Broken) > 0 {
		d.Status = Unreadable
	}
	switch {
	case review.Same():
		if len(d.Broken) == 0 {
			d.Status = Same
		}
		return
	case p.Domain != nil && p.Domain.CheckReference(p.Before) == nil:
		if err := p.Domain.CheckReference(p.After); err != nil {
			d.Status, d.Note = Unreadable, joined(firstLine(err), d.Note)
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
		d.Note = joined(d.Note, "the lines are compared")
	}
	if len(lines.Differences) > 0 {
		return
	}
	if p.Domain == nil { // only white space differs
		d.Status, d.Strict = Same, 1
		return
	}
	d.Differences = p.bytesOf()
}

// joined joins two notes.
func joined(first, second string) string {
	if first == "" || second == "" {
		return first + second
	}
	return first + "; " + second
}

// firstLine returns what is wrong with a document, without the hint what a reader expects.
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

// bytes compares a document with at least one file that is not text.
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

// bytesOf returns the files whose bytes differ.
func (p Pair) bytesOf() []Difference {
	all := []Difference{}
	for _, name := range both(p.Before, p.After) {
		was, before := p.Before[name]
		is, after := p.After[name]
		if p.As != "" {
			name = p.Name
		}
		d := Difference{Kind: domains.Changed.String(), Element: wholeFile, Where: name, Was: size(was, before), Is: size(is, after)}
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

// wasText reports whether all files were text before.
func (p Pair) wasText() bool {
	for name := range p.Before {
		if _, text := textOf(p.assumed, p.Before, nil, name); !text {
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

// Counts returns the number of differences of each kind.
func (d *Document) Counts() map[string]int {
	counts := map[string]int{}
	for _, c := range d.Differences {
		counts[c.Kind]++
	}
	return counts
}
