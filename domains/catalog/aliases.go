package catalog

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/internal/layout"
	"agentd/internal/usage"
	"agentd/vfs"
)

// aliases are what people call formats, with the domain that reads each.
var aliases = map[string]string{
	"ledger": "accounting", "hledger": "accounting", "csound": "audiosyn", "notam": "aviation",
	"ical": "calendar", "ics": "calendar", "icalendar": "calendar", "pgn": "chess", "spice": "circuit", "cif": "crystal",
	"sql": "dbschema", "ddl": "dbschema", "zone": "dns", "bind": "dns", "dockerfile": "docker", "edi": "edifact",
	"eml": "emails", "email": "emails", "gedcom": "genealogy", "geojson": "geodata", "gpx": "geotrack", "dot": "graphviz",
	"adif": "hamradio", "terraform": "infra", "hcl": "infra", "tf": "infra", "marc": "libcatalog", "marcxml": "libcatalog",
	"bibtex": "latex", "bib": "latex", "tex": "latex", "make": "makefile", "yara": "malware", "lean": "mathlean",
	"sdf": "molecule", "lilypond": "musicsheet", "obj": "obj3d", "xspf": "playlist", "pdb": "protein", "py": "python",
	"qasm": "quantum", "urdf": "robotics", "tle": "satellite", "fountain": "screenplay", "csv": "spreadsheet",
	"srt": "subtitles", "vtt": "subtitles", "webvtt": "subtitles", "gtfs": "transit", "po": "translation",
	"gettext": "translation", "conllu": "treebank", "kml": "landmarks", "metar": "weather", "ged": "genealogy", "votable": "starcatalog", "svg": "vector", "wif": "weaving",
}

// Canonical returns the name of the domain that is meant by a name in any case, or by what people call its format, such
// as gtfs or terraform. Other names, and patterns, are returned as they are.
func Canonical(name string) string {
	lower := strings.ToLower(strings.TrimSpace(name))
	if _, known := Lookup(lower); known {
		return lower
	}
	if domain, known := aliases[lower]; known {
		return domain
	}
	return name
}

// Find returns the domain that a name means, as of Canonical. One that is unknown is a usage.Error with similar names.
func Find(name string) (domains.Domain, error) {
	if d, ok := Lookup(Canonical(name)); ok {
		return d, nil
	}
	return nil, usage.Unknown("domain", name, Names())
}

// Names are those of all domains, and what people call their formats.
func Names() []string {
	var all []string
	for _, d := range All() {
		all = append(all, d.Info().Name)
	}
	for alias := range aliases {
		all = append(all, alias)
	}
	slices.Sort(all)
	return all
}

// Describe prints what one document is: which domains read it, the most likely first, why, and what each finds in
// it. A document that none reads is a usage.Error.
func Describe(w io.Writer, document vfs.Files) error {
	found := Recognise(document)
	if len(found) == 0 {
		return usage.Errorf("no domain reads %s; agentd domains lists the formats", strings.Join(document.Names(), ", "))
	}
	var list layout.List
	for i := range found {
		about, err := found[i].about()
		if err != nil {
			return err
		}
		list.Add(found[i].Domain.Info().Name, about+"\nread by: "+found[i].Why())
	}
	return list.Write(w)
}

// counted is a noun as it stands after a number.
func counted(noun string, n int) string {
	stem, y := strings.CutSuffix(noun, "y")
	switch {
	case n == 1:
		return noun
	case y && !strings.ContainsAny(stem[len(stem)-1:], "aeiou"):
		return stem + "ies"
	}
	return noun + "s"
}

// DescribeEach prints a few lines for each document: the domain that reads it, why, and the second one if that is
// nearly as likely. If no domain reads any of them, that is a usage.Error.
func DescribeEach(w io.Writer, documents []Document) error {
	var list layout.List
	var names []string
	read := 0
	for _, document := range documents {
		names = append(names, document.Name)
		found := Recognise(document.Files)
		if len(found) == 0 {
			list.Add(document.Name, "no domain reads it")
			continue
		}
		read++
		about, err := found[0].about()
		if err != nil {
			return err
		}
		about = found[0].Domain.Info().Name + ": " + about + "\nread by: " + found[0].Why()
		if len(found) > 1 && found[0].likely()-found[1].likely() < near {
			about += "; " + found[1].Domain.Info().Name + " is nearly as likely"
		}
		list.Add(document.Name, about)
	}
	if read == 0 {
		return usage.Errorf("no domain reads %s; agentd domains lists the formats", strings.Join(names, ", "))
	}
	return list.Write(w)
}

// about is what the domain finds in its document, by its published reader or else by its own.
func (f *Finding) about() (string, error) {
	info := f.Domain.Info()
	stats, err := f.Domain.Statistics(f.Files)
	if err != nil || stats.Elements == 0 {
		if stats, err = own(f.Domain).Statistics(f.Files); err != nil {
			return "", fmt.Errorf("counting the document as %s: %w", info.Name, err)
		}
	}
	about := fmt.Sprintf("%s: %s %s", info.Title, layout.Thousands(stats.Elements), counted(info.Element, stats.Elements))
	for _, count := range stats.Counts {
		about += fmt.Sprintf("; %s: %s", count.Name, count.Value)
	}
	if len(stats.Counts) == 0 {
		about += otherKinds(f.Domain.Elements(f.Files), info.Element)
	}
	return about, nil
}

// otherKinds says how many elements there are of each kind but the one that is counted, as in "; 2 × heading".
func otherKinds(elements []domains.Element, counted string) (said string) {
	var kinds []string
	times := map[string]int{}
	for _, e := range elements {
		if times[e.Kind]++; times[e.Kind] == 1 && e.Kind != counted {
			kinds = append(kinds, e.Kind)
		}
	}
	for _, kind := range kinds {
		said += fmt.Sprintf("; %s × %s", layout.Thousands(times[kind]), kind)
	}
	return said
}

// WriteList prints all domains: their formats, what is counted, and what makes the score.
func WriteList(w io.Writer) error {
	var list layout.List
	for _, d := range All() {
		info := d.Info()
		list.Add(info.Name, fmt.Sprintf("%s\n%s; files %s; counts each %s; %s; %s", info.Title,
			info.Category, strings.Join(info.Patterns, ", "), info.Element, scoredBy(d), editedBy(d)))
	}
	return list.Write(w)
}

// editedBy says which exact edits there are.
func editedBy(d domains.Domain) string {
	var all []string
	if format := d.Vocabulary(); format != nil {
		all = append(all, "edits by verbs, of "+format.Parts)
	}
	if own := len(d.Edits()); own > 0 {
		all = append(all, fmt.Sprintf("%d edits of its own", own))
	}
	return strings.Join(all, ", and ")
}

// scoredBy says what RS is made of.
func scoredBy(d domains.Domain) string {
	if _, runs := d.(domains.Executing); runs {
		return "scored by the environment's tests, run in the sandbox"
	}
	if _, judged := d.(domains.Judged); judged {
		return "scored by a judge, a model (--judge NAME): " + strings.Join(d.Info().Components, ", ")
	}
	if d.Info().Category == domains.General {
		return "strict score alone, as none is published"
	}
	return "score of " + strings.Join(d.Info().Components, ", ")
}
