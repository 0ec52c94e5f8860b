// Package compare says what became of documents, in the words of their formats.
//
// Two sets of files, before and after, are divided into documents, each of a domain. If a document
// is not the same to the letter, the domain's reader names what was lost, added,
// changed or moved. What a format leaves free, such as the order of names in a JSON object, is not
// a change. If no domain reads a file, its lines are compared, or its bytes if it is not text.
// Pictures are compared by their pixels. A text in another encoding than UTF-8 is compared as text (package charset), and what
// became of its bytes is said separately (package fidelity).
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

// Status is what became of a document.
type Status string

// What can become of a document.
const (
	Same       Status = "same"       // in meaning; its text may differ
	Changed    Status = "changed"    // elements were lost, added, changed or moved
	Renamed    Status = "renamed"    // it has another name, and is the same in meaning
	Added      Status = "added"      // it was not there before
	Removed    Status = "removed"    // it is gone
	Unreadable Status = "unreadable" // its reader, or the tools of its format, could read it before, and no longer can
)

// Document is what became of a document.
type Document struct {
	Name   string `json:"document"` // the path of the file, or of the folder of several
	Domain string `json:"domain"`   // empty if it is not text and no domain reads it
	Status Status `json:"status"`
	// Broken says where the form is lost: at which places the tools of the format would stop, that they read before. The
	// status is then Unreadable, also where nothing else changed. It is said before anything else.
	Broken []Slip `json:"broken,omitempty"`
	// Strict is the strict score of what is there now, 0 to 1, see domains.Score.
	Strict float64 `json:"strict"`
	Note   string  `json:"note,omitempty"` // what else there is to know
	// Warnings are what to look at first: new dangers, and safeguards that are gone. They do not
	// affect the score.
	Warnings    []string     `json:"warnings,omitempty"`
	Differences []Difference `json:"changes"`
	// Bytes is what became of its bytes where nothing changed; nil if they are as they were. Status and Strict do not depend on it.
	Bytes *fidelity.Kept `json:"bytes,omitempty"`
}

// Report is what became of all documents.
type Report struct {
	Same      bool       `json:"same"` // every document still means the same
	Documents []Document `json:"documents"`
	Skipped   []Skipped  `json:"skipped"`
	// Fails reports whether the JUnit test of a document fails; nil if every test fails whose document is not Same.
	Fails func(Document) bool `json:"-"`
}

// Skipped is a file that was not compared.
type Skipped struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// Compare compares two sets of files by their paths. If a domain is given, all files whose names fit
// it are one document; if it is nil, the domain of each document is found.
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
	Before, After vfs.Files      // empty where it is not there
	// As is set if the document is one file whose own name fits no domain: a name that fits.
	As string
	// From is the name that the document had before, if it was renamed: Before has that name, and After has Name.
	From string

	assumed charset.Encoding // see Options.Encoding
}

// Pairs divides two sets of files into documents and pairs them by path, in the order of their
// names. The files before decide what a document is, or the files after if it is new.
func Pairs(before, after vfs.Files, domain domains.Domain) []Pair {
	return Options{Domain: domain}.pairs(before, after)
}

func (o Options) pairs(before, after vfs.Files) []Pair {
	left := vfs.Files{} // texts, for which a domain is looked for
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

// Compare says what became of the document.
func (p Pair) Compare() Document {
	d := p.content()
	if len(p.Before) > 0 && len(p.After) > 0 && !slices.ContainsFunc(d.Differences, Difference.ofBytes) {
		var changed []string
		for _, c := range d.Differences {
			changed = append(changed, c.Where, c.Was, c.Is)
		}
		d.Bytes = fidelity.Of(p.underName(p.Before), p.After, p.assumed, changed)
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

// content says what became of the document under the name that it has now.
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
	before := domain.Against(p.Before)
	review := before.Review(p.After)
	d.Strict = review.Strict
	d.Differences = DifferencesOf(review)
	if d.Broken = p.broken(before.Broken(p.After)); len(d.Broken) > 0 {
		d.Status = Unreadable
	}
	switch {
	case review.Strict == 1 && len(review.Differences) == 0:
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
	if p.Domain == nil { // only blanks differ
		d.Status, d.Strict = Same, 1
		return
	}
	d.Differences = p.bytesOf()
}

// joined is two notes as one.
func joined(first, second string) string {
	if first == "" || second == "" {
		return first + second
	}
	return first + "; " + second
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

// wasText reports whether all files were text before. Without a domain, their lines were to be read.
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

// Counts are the numbers of differences by kind.
func (d *Document) Counts() map[string]int {
	counts := map[string]int{}
	for _, c := range d.Differences {
		counts[c.Kind]++
	}
	return counts
}
