// Package satellite is the published reading and score of the domain satellite.
//
// Both sides empty: 1. One empty: 0.
//
// Matching: similarity of a pair = 0.7·[equal catalog number of line 1] + 0.3·ratio(upper-case trimmed names; 0 if
// either is empty). Assignment of maximum sum by scipy's algorithm on 1 − similarity. Every reference entry gets a partner while candidates
// last, however poor the similarity.
//
// Number similarity N(a,b): both nil 1, one nil 0; text that is no float: 0, even if both texts are equal; equal 1;
// max(|a|,|b|) < 1e-8: 1; else max(0, 1 − |a−b|/max(|a|,|b|)). Text similarity T: 1 if trimmed texts are equal, else 0.
//
// Pair score = 0.10·name + 0.10·identity + 0.15·epoch + 0.50·orbit + 0.15·drag with
//
//   - name: 1 if equal upper-case, else difflib ratio of the upper-case names (reference first; 0 if exactly one is
//     empty)
//   - identity: mean of T over catalog number, classification, designator (line 1)
//   - epoch: 0.3·T(year) + 0.7·N(day)
//   - orbit: mean of N over inclination, raan, eccentricity, perigee, anomaly, mean motion
//   - drag: 0.4·N(bstar) + 0.2·N(n-dot) + 0.1·N(n-ddot) + 0.3·T(revolution)
//
// field accuracy = sum of pair scores / number of reference entries. Extra share = (nc − matched)/max(nr, nc), at least
// 0. score = field accuracy · (0.90 + 0.10·sequence) − 0.05·extra share, clamped to 0…1, not rounded.
//
// The sequence part is always 1. The published program tests whether the reference indices of the pairs ascend, but the assignment
// routine returns them sorted, so the test never fails. Coverage (matched/max) is reported
// but not used.
//
// R, or ratio, is that of package ratio, with the reference first; assignments are those of package assign.
package satellite

import (
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// Listing is a catalogue as the published evaluator reads it.
type Listing struct {
	sets  []elementSet
	files int
}

// elementSet is an entry of a listing.
type elementSet struct {
	name string
	Fields
}

// Parse reads the files of a document, under any name.
func Parse(files vfs.Files) (Listing, error) {
	l := Listing{files: len(files)}
	for _, name := range files.Names() {
		l.read(files[name])
	}
	return l, nil
}

// read adds the entries of a text. Where lines 1 and 2 follow each other there is one, with what stands before them as
// its name, but for a comment or a name that begins as one of the lines does.
func (l *Listing) read(text string) {
	lines := lists.Map(strings.Split(pytext.Strip(text), "\n"), pytext.StripRight)
	starts := func(at int, with string) bool { return at < len(lines) && strings.HasPrefix(lines[at], with) }
	for at := 0; at < len(lines); {
		name := pytext.Strip(lines[at])
		switch {
		case name == "" || strings.HasPrefix(name, "#"):
			at++
		case !starts(at, "1 ") && !starts(at, "2 ") && starts(at+1, "1 ") && starts(at+2, "2 "):
			l.add(name, lines[at+1], lines[at+2])
			at += 3
		case starts(at, "1 ") && starts(at+1, "2 "):
			l.add("", lines[at], lines[at+1])
			at += 2
		default:
			at++
		}
	}
}

// add keeps an entry if its lines are long enough.
func (l *Listing) add(name, one, two string) {
	const leastOne, leastTwo = 62, 63
	if utf8.RuneCountInString(one) >= leastOne && utf8.RuneCountInString(two) >= leastTwo {
		l.sets = plain.Append(l.sets, elementSet{name, ReadFields(one, two)})
	}
}

// The fields of an element set, in the order of their columns.
const (
	Catalog = iota
	Class
	Designator
	Year
	Day
	MotionDot
	MotionDotDot
	Bstar
	Ephemeris
	SetNumber
	Checksum
	CatalogTwo
	Inclination
	Node
	Eccentricity
	Perigee
	Anomaly
	Motion
	Revolution
	ChecksumTwo
	FieldCount
)

// Fields are the texts of an element set's columns, trimmed.
type Fields [FieldCount]string

// Column says where a field stands, in characters counted from 1.
type Column struct {
	Name        string
	line        int
	first, last int
}

// Columns are the places of the fields.
var Columns = [FieldCount]Column{
	Catalog:      {"catalog number", 1, 3, 7},
	Class:        {"classification", 1, 8, 8},
	Designator:   {"launch designator", 1, 10, 17},
	Year:         {"epoch year", 1, 19, 20},
	Day:          {"epoch day", 1, 21, 32},
	MotionDot:    {"first derivative of mean motion", 1, 34, 43},
	MotionDotDot: {"second derivative of mean motion", 1, 45, 52},
	Bstar:        {"drag term", 1, 54, 61},
	Ephemeris:    {"ephemeris type", 1, 63, 63},
	SetNumber:    {"element set number", 1, 65, 68},
	Checksum:     {"checksum of line 1", 1, 69, 69},
	CatalogTwo:   {"catalog number of line 2", 2, 3, 7},
	Inclination:  {"inclination", 2, 9, 16},
	Node:         {"right ascension of the node", 2, 18, 25},
	Eccentricity: {"eccentricity", 2, 27, 33},
	Perigee:      {"argument of perigee", 2, 35, 42},
	Anomaly:      {"mean anomaly", 2, 44, 51},
	Motion:       {"mean motion", 2, 53, 63},
	Revolution:   {"revolution number", 2, 64, 68},
	ChecksumTwo:  {"checksum of line 2", 2, 69, 69},
}

// Width is the number of columns of a line.
const Width = 69

// ReadFields cuts the columns out of line 1 and line 2. What a short line does not reach is empty.
func ReadFields(one, two string) Fields {
	lines := [2][]rune{FirstRunes(one, Width), FirstRunes(two, Width)}
	var f Fields
	for k := range Columns {
		c := &Columns[k]
		line := lines[c.line-1]
		if len(line) >= c.first {
			f[k] = pytext.Strip(string(line[c.first-1 : min(c.last, len(line))]))
		}
	}
	return f
}

// FirstRunes returns at most the first n characters of a text.
func FirstRunes(text string, n int) []rune {
	return []rune(pytext.First(text, n))
}
