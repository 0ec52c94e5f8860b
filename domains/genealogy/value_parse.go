package genealogy

import (
	"cmp"
	"fmt"
	"path"
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

// tree is a document as the published evaluator reads it, with individuals and
// families in the order of their first appearance.
type tree struct {
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

// parse reads a document as the published evaluator does: with the rules of
// python-gedcom in its lenient mode, the files one after the other.
func parse(files vfs.Files) (tree, error) {
	var text strings.Builder
	for _, name := range files.Names() {
		if path.Ext(name) == ".ged" {
			text.WriteString(pytext.StripRight(files[name]) + "\n")
		}
	}
	records, err := parseRecords(withoutEarlyTrailer(text.String()))
	if err != nil {
		return tree{}, err
	}
	var t tree
	individuals, families := map[string]int{}, map[string]int{}
	for _, r := range records {
		switch r.tag {
		case "INDI":
			if at, known := individuals[r.pointer]; known {
				t.individuals[at].fill(parseIndividual(r))
				continue
			}
			individuals[r.pointer] = len(t.individuals)
			t.individuals = plain.Append(t.individuals, parseIndividual(r))
		case "FAM":
			at, known := families[r.pointer]
			if !known {
				at = len(t.families)
				families[r.pointer] = at
				t.families = append(t.families, family{pointer: r.pointer})
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
func parseRecords(lines []string) ([]*line, error) {
	root := &line{level: -1}
	open := []*line{root} // the last line and those it is below
	for n, text := range lines {
		last := open[len(open)-1]
		l, ok := parseLine(strings.TrimPrefix(text, "\ufeff"))
		if !ok {
			l = continuation(last)
		}
		if l.level > last.level+1 {
			return nil, fmt.Errorf("line %d: level %d follows level %d", n+1, l.level, last.level)
		}
		for open[len(open)-1].level >= l.level {
			open = open[:len(open)-1]
		}
		parent := open[len(open)-1]
		parent.lines = plain.Append(parent.lines, l)
		open = append(open, l)
	}
	return root.lines, nil
}

// continuation is what python-gedcom makes of a line that is none of GEDCOM. Its text is never looked at.
func continuation(last *line) *line {
	if last.tag == "CONC" || last.tag == "CONT" {
		return &line{level: last.level, tag: last.tag}
	}
	return &line{level: last.level + 1, tag: "CONC"}
}

// parseLine reads: level, pointer, tag, value, one blank between each. A tag
// that is followed by something else than a blank has no value.
func parseLine(text string) (*line, bool) {
	level, rest, ok := parseLevel(text)
	if !ok {
		return nil, false
	}
	l := &line{level: level}
	if pointer, after, ok := cutPointer(rest); ok && strings.HasPrefix(after, " ") {
		l.pointer, rest = pointer, after[1:]
	}
	l.tag, rest = cutTag(rest)
	if after, spaced := strings.CutPrefix(rest, " "); spaced {
		l.value, _, _ = strings.Cut(after, "\r")
	}
	return l, l.tag != ""
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

// cutPointer splits a pointer, with its two signs, from the start of a text.
func cutPointer(text string) (pointer, rest string, ok bool) {
	if !strings.HasPrefix(text, "@") {
		return "", text, false
	}
	end := strings.IndexByte(text[1:], '@')
	if end < 1 {
		return "", text, false
	}
	return text[:end+2], text[end+2:], true
}

func cutTag(text string) (tag, rest string) {
	rest = strings.TrimLeftFunc(text, isOfTag)
	return text[:len(text)-len(rest)], rest
}

func isOfTag(r rune) bool {
	return r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_'
}

func parseIndividual(record *line) individual {
	i := individual{pointer: record.pointer, name: parseName(record)}
	for _, fact := range record.lines {
		switch fact.tag {
		case "SEX":
			i.sex = fact.value
		case "BIRT":
			fact.setDateAndPlace(&i.birthDate, &i.birthPlace)
		case "DEAT":
			fact.setDateAndPlace(&i.deathDate, &i.deathPlace)
		}
	}
	return i
}

func (l *line) setDateAndPlace(date, place *string) {
	for _, detail := range l.lines {
		switch detail.tag {
		case "DATE":
			*date = detail.value
		case "PLAC":
			*place = detail.value
		}
	}
}

// parseName takes the first name with a value, otherwise given name and surname below a name without one.
func parseName(record *line) string {
	var given, surname string
	haveGiven, haveSurname := false, false
	for _, name := range record.lines {
		if name.tag != "NAME" {
			continue
		}
		if name.value != "" {
			parts := strings.Split(name.value, "/")
			given, surname = pytext.Strip(parts[0]), ""
			if len(parts) > 1 {
				surname = pytext.Strip(parts[1])
			}
			break
		}
		for _, part := range name.lines {
			switch part.tag {
			case "GIVN":
				given, haveGiven = part.value, true
			case "SURN":
				surname, haveSurname = part.value, true
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
func (f *family) replace(record *line) {
	f.husband, f.wife, f.children = "", "", nil
	for _, fact := range record.lines {
		switch fact.tag {
		case "HUSB":
			f.husband = fact.value
		case "WIFE":
			f.wife = fact.value
		case "CHIL":
			f.children = append(f.children, fact.value)
		case "MARR":
			f.marriageDate, f.marriagePlace = "", ""
			fact.setDateAndPlace(&f.marriageDate, &f.marriagePlace)
		}
	}
}

const counted = "individual"

func stats(t tree) domains.Stats {
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

// score is 0.45 · coverage² · accuracy + 0.35 · relationships + 0.20 · events.
// The weights are hundredths here, so that a document against itself has 1.
func score(reference, candidate tree) domains.Reading {
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
func (t *tree) couples() []couple {
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

// surname is what stands between slashes.
func surname(individual domains.Element) string {
	_, after, _ := strings.Cut(individual.Value("NAME"), "/")
	name, _, _ := strings.Cut(after, "/")
	return name
}
