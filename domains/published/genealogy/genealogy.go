// Package genealogy is the published reading and score of the domain genealogy.
//
// Fingerprint of an individual: lower-cased trimmed name, |, first blank-separated token of the birth date that is
// exactly four digits (else nothing). Fingerprint of a family: fp(husband) + + + fp(wife); a missing or unknown pointer
// gives an empty part. Several with one fingerprint: the last in file order represents them. Pointers themselves never
// matter.
//
// Individuals. Both maps empty → coverage 1, accuracy 1; one empty → 0, 0.
//
//   - coverage = Jaccard of the fingerprint sets.
//   - accuracy = mean over shared fingerprints of: over gender, birth date, birth place, death date, death place that
//     are filled on either side (lower-cased, trimmed): equal 1; both filled but different 0.5 × SequenceMatcher(ref,
//     cand) ratio (characters); one missing 0 — divided by the number of such fields (none → 1). No shared fingerprint
//     → 0.
//   - ind = coverage² × accuracy
//
// Relationships. Both family maps empty → 1; one empty → 0. Jaccard J of family fingerprints. No shared one → J (0).
// Else for each shared family the Jaccard of the sets of children fingerprints (unknown pointers stand for themselves;
// both empty → 1); rel = 0.6·J + 0.4·mean.
//
// Events. No shared family: 1 if both maps are empty, else 0. Else mean over shared families of the two fields marriage
// date and place, compared as above (no field → 1).
//
// score = 0.45·ind + 0.35·rel + 0.20·event (0.30 + 0.15 on ind). No rounding: identity comes out as 0.9999999999999999
// in floating point. A parse error of either side → 0. Details: the four parts and the four counts.
//
// A reference without FAM records gives 0.55 away: an empty candidate then scores 0.55.
//
// R, or ratio, is that of package ratio, with the reference first.
package genealogy

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
	"agentd/vfs"
)

// Tree is a document as the published evaluator reads it, with individuals and
// families in the order of their first appearance.
type Tree struct {
	individuals []individual
	families    []family
}

type individual struct {
	pointer, name, sex    string
	birthDate, birthPlace string
	deathDate, deathPlace string
}

type family struct {
	pointer                     string
	husband, wife               string // pointers, empty if there is none
	children                    []string
	marriageDate, marriagePlace string
}

// Parse reads a document as the published evaluator does: with the rules of
// python-gedcom in its lenient mode, the files one after the other.
func Parse(files vfs.Files) (Tree, error) {
	var text strings.Builder
	for _, name := range files.Names() {
		if path.Ext(name) == ".ged" {
			text.WriteString(pytext.StripRight(files[name]) + "\n")
		}
	}
	records, err := parseRecords(withoutEarlyTrailer(text.String()))
	if err != nil {
		return Tree{}, err
	}
	var t Tree
	individuals, families := map[string]int{}, map[string]int{}
	for _, r := range records {
		switch r.Tag {
		case "INDI":
			if at, known := individuals[r.Pointer]; known {
				t.individuals[at].fill(parseIndividual(r))
				continue
			}
			individuals[r.Pointer] = len(t.individuals)
			t.individuals = plain.Append(t.individuals, parseIndividual(r))
		case "FAM":
			at, known := families[r.Pointer]
			if !known {
				at = len(t.families)
				families[r.Pointer] = at
				t.families = append(t.families, family{pointer: r.Pointer})
			}
			t.families[at].replace(r)
		}
	}
	return t, nil
}

// withoutEarlyTrailer drops the trailers before the first individual or family, and splits the rest into lines.
func withoutEarlyTrailer(text string) []string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	kept := lines[:0]
	begun := false
	for _, line := range lines {
		begun = begun || strings.HasPrefix(line, "0 @") &&
			(strings.Contains(line, "INDI") || strings.Contains(line, "FAM"))
		if begun || pytext.Strip(line) != "0 TRLR" {
			kept = append(kept, line)
		}
	}
	return kept
}

// parseRecords returns the lines of level 0 as the published reader sees them.
func parseRecords(lines []string) ([]*Line, error) {
	root := &Line{Level: -1}
	open := []*Line{root} // the last line and those it is below
	for n, text := range lines {
		last := open[len(open)-1]
		l, ok := parseLine(strings.TrimPrefix(text, "\ufeff"))
		if !ok {
			l = continuation(last)
		}
		if l.Level > last.Level+1 {
			return nil, fmt.Errorf("line %d: level %d follows level %d", n+1, l.Level, last.Level)
		}
		for open[len(open)-1].Level >= l.Level {
			open = open[:len(open)-1]
		}
		parent := open[len(open)-1]
		parent.Lines = plain.Append(parent.Lines, l)
		open = append(open, l)
	}
	return root.Lines, nil
}

// continuation is what python-gedcom makes of a line that is none of GEDCOM. Its text is never looked at.
func continuation(last *Line) *Line {
	if last.Tag == "CONC" || last.Tag == "CONT" {
		return &Line{Level: last.Level, Tag: last.Tag}
	}
	return &Line{Level: last.Level + 1, Tag: "CONC"}
}

// parseLine reads: level, pointer, tag, value, one blank between each. A tag
// that is followed by something else than a blank has no value.
func parseLine(text string) (*Line, bool) {
	level, rest, ok := parseLevel(text)
	if !ok {
		return nil, false
	}
	l := &Line{Level: level}
	if pointer, after, ok := CutPointer(rest); ok && strings.HasPrefix(after, " ") {
		l.Pointer, rest = pointer, after[1:]
	}
	l.Tag, rest = CutTag(rest)
	if after, spaced := strings.CutPrefix(rest, " "); spaced {
		l.Value, _, _ = strings.Cut(after, "\r")
	}
	return l, l.Tag != ""
}

// parseLevel reads a number without leading zeros and the blank after it.
func parseLevel(text string) (level int, rest string, ok bool) {
	const tooLarge = 1_000_000 // for any document
	at := 0
	for at < len(text) && text[at] >= '0' && text[at] <= '9' {
		level = min(10*level+int(text[at]-'0'), tooLarge)
		at++
	}
	if at == 0 || at == len(text) || text[at] != ' ' || at > 1 && text[0] == '0' {
		return 0, "", false
	}
	return level, text[at+1:], true
}

// CutPointer splits a pointer, with its two signs, from the start of a text.
func CutPointer(text string) (pointer, rest string, ok bool) {
	if !strings.HasPrefix(text, "@") {
		return "", text, false
	}
	end := strings.IndexByte(text[1:], '@')
	if end < 1 {
		return "", text, false
	}
	return text[:end+2], text[end+2:], true
}

// CutTag cuts a text after its tag.
func CutTag(text string) (tag, rest string) {
	rest = strings.TrimLeftFunc(text, isOfTag)
	return text[:len(text)-len(rest)], rest
}

func isOfTag(r rune) bool {
	return r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_'
}

func parseIndividual(record *Line) individual {
	i := individual{pointer: record.Pointer, name: parseName(record)}
	for _, fact := range record.Lines {
		switch fact.Tag {
		case "SEX":
			i.sex = fact.Value
		case "BIRT":
			fact.setDateAndPlace(&i.birthDate, &i.birthPlace)
		case "DEAT":
			fact.setDateAndPlace(&i.deathDate, &i.deathPlace)
		}
	}
	return i
}

func (l *Line) setDateAndPlace(date, place *string) {
	for _, detail := range l.Lines {
		switch detail.Tag {
		case "DATE":
			*date = detail.Value
		case "PLAC":
			*place = detail.Value
		}
	}
}

// parseName takes the first name with a value, otherwise given name and surname below a name without one.
func parseName(record *Line) string {
	var given, surname string
	haveGiven, haveSurname := false, false
	for _, name := range record.Lines {
		if name.Tag != "NAME" {
			continue
		}
		if name.Value != "" {
			parts := strings.Split(name.Value, "/")
			given, surname = pytext.Strip(parts[0]), ""
			if len(parts) > 1 {
				surname = pytext.Strip(parts[1])
			}
			break
		}
		for _, part := range name.Lines {
			switch part.Tag {
			case "GIVN":
				given, haveGiven = part.Value, true
			case "SURN":
				surname, haveSurname = part.Value, true
			}
		}
		if haveGiven && haveSurname {
			break
		}
	}
	if hasWords(given, surname) {
		return given
	}
	return pytext.Strip(given + " " + surname)
}

// hasWords reports whether the words of part follow each other in text.
func hasWords(text, part string) bool {
	words := pytext.Collapse(pytext.Lower(text))
	wanted := pytext.Collapse(pytext.Lower(part))
	return wanted == "" || strings.Contains(" "+words+" ", " "+wanted+" ")
}

// fill takes from a further record of the same pointer what is still empty.
func (i *individual) fill(more individual) {
	i.name, i.sex = cmp.Or(i.name, more.name), cmp.Or(i.sex, more.sex)
	i.birthDate, i.birthPlace = cmp.Or(i.birthDate, more.birthDate), cmp.Or(i.birthPlace, more.birthPlace)
	i.deathDate, i.deathPlace = cmp.Or(i.deathDate, more.deathDate), cmp.Or(i.deathPlace, more.deathPlace)
}

// replace takes spouses and children from a record, and its marriage if it has one.
func (f *family) replace(record *Line) {
	f.husband, f.wife, f.children = "", "", nil
	for _, fact := range record.Lines {
		switch fact.Tag {
		case "HUSB":
			f.husband = fact.Value
		case "WIFE":
			f.wife = fact.Value
		case "CHIL":
			f.children = append(f.children, fact.Value)
		case "MARR":
			f.marriageDate, f.marriagePlace = "", ""
			fact.setDateAndPlace(&f.marriageDate, &f.marriagePlace)
		}
	}
}

// Line is a line of GEDCOM with the lines below it. A record is a line of level 0.
type Line struct {
	Level   int
	Pointer string // with its two signs
	Tag     string // empty for a line that is none of GEDCOM
	Value   string // as written, blanks at its end too; of a line without tag all
	Jumped  bool   // the level is more than one above that of the line it is below
	Lines   []*Line
	Title   *Title // of a record, once it is known
}

// Title is what a record is called.
type Title struct {
	Label string // in the fields of others: made of what the record says, and unique
	Key   string // as a person would call it
}

// Stats counts the parts of a document.
func Stats(t Tree) domains.Stats {
	dated, children := lists.Count(t.individuals, func(i *individual) bool { return i.birthDate != "" }), 0
	for i := range t.families {
		children += len(t.families[i].children)
	}
	return domains.Stats{Elements: len(t.individuals), Counts: []domains.Count{
		{Name: "Individuals", Value: strconv.Itoa(len(t.individuals))},
		{Name: "Families", Value: strconv.Itoa(len(t.families))},
		{Name: "With Birth Date", Value: strconv.Itoa(dated)},
		{Name: "Children", Value: strconv.Itoa(children)},
	}}
}

// Score is 0.45 · coverage² · accuracy + 0.35 · relationships + 0.20 · events.
// The weights are hundredths here, so that a document against itself has 1.
func Score(reference, candidate Tree) domains.Reading {
	coverage, accuracy := individualScores(reference.individuals, candidate.individuals)
	relationships, events := familyScores(reference.couples(), candidate.couples())
	individuals := coverage * coverage * accuracy
	return domains.Reading{
		RS: (float64(45*individuals) + float64(35*relationships) + float64(20*events)) / 100,
		Components: map[string]float64{
			"individual_coverage": coverage, "individual_accuracy": accuracy,
			"relationships": relationships, "events": events,
		},
		Elements: domains.Elements{Reference: len(reference.individuals), Candidate: len(candidate.individuals)},
	}
}

// fingerprint is how the published score finds an individual again. Of several with one
// fingerprint the last one counts.
func (i *individual) fingerprint() string {
	return normal(i.name) + "|" + fourDigits(i.birthDate)
}

// couple is a family with the fingerprints of its members.
type couple struct {
	*family
	print    string // of husband and wife
	children []string
}

// couples are the families of a tree. A pointer to a child that leads nowhere stands for itself.
func (t *Tree) couples() []couple {
	print := map[string]string{} // by the pointers of individuals
	for i := range t.individuals {
		print[t.individuals[i].pointer] = t.individuals[i].fingerprint()
	}
	print[""] = ""
	ofChild := func(pointer string) string { return cmp.Or(print[pointer], pointer) }
	return lists.Each(t.families, func(f *family) couple {
		return couple{f, print[f.husband] + "+" + print[f.wife], lists.Map(f.children, ofChild)}
	})
}

func normal(s string) string { return pytext.Strip(pytext.Lower(s)) }

// fourDigits is the first word of a date that consists of four digits.
func fourDigits(date string) string {
	for _, word := range pytext.Fields(date) {
		if utf8.RuneCountInString(word) == 4 && strings.TrimFunc(word, unicode.IsDigit) == "" {
			return word
		}
	}
	return ""
}

func individualScores(ref, got []individual) (coverage, accuracy float64) {
	if s, empty := sets.EitherEmpty(ref, got); empty {
		return s, s
	}
	pairs := sets.PairByName(ref, got, (*individual).fingerprint)
	return pairs.Jaccard(), pairs.Mean(0, func(was, is *individual) float64 {
		return fields(
			was.sex, is.sex, was.birthDate, is.birthDate, was.birthPlace, is.birthPlace,
			was.deathDate, is.deathDate, was.deathPlace, is.deathPlace)
	})
}

func familyScores(ref, got []couple) (relationships, events float64) {
	if s, empty := sets.EitherEmpty(ref, got); empty {
		return s, s
	}
	pairs := sets.PairByName(ref, got, func(c *couple) string { return c.print })
	children := pairs.Mean(0, func(was, is *couple) float64 { return sets.Jaccard(was.children, is.children) })
	return (float64(3*pairs.Jaccard()) + float64(2*children)) / 5, pairs.Mean(0, func(was, is *couple) float64 {
		return fields(was.marriageDate, is.marriageDate, was.marriagePlace, is.marriagePlace)
	})
}

// fields is the mean similarity of pairs of values, of which those that are
// empty on both sides do not count; 1 if none counts.
func fields(pairs ...string) float64 {
	var same sets.Mean
	for n := 0; n < len(pairs); n += 2 {
		same.AddTexts(normal(pairs[n]), normal(pairs[n+1]), halfOfRatio)
	}
	return same.Or(1)
}

func halfOfRatio(was, is string) float64 { return 0.5 * ratio.Of(was, is) }

// IsText reports whether the line is no fact: it continues the text of the line
// above it and no more, or is none of GEDCOM.
func (l *Line) IsText() bool {
	return l.Tag == "" || (l.Tag == "CONC" || l.Tag == "CONT") &&
		!slices.ContainsFunc(l.Lines, func(below *Line) bool { return below.Tag != "" })
}
