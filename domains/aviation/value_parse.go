package aviation

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"agentd/domains"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
	"agentd/vfs"
)

// notam is a notice as the published program divides a bulletin. Its items are read where they are needed.
type notam struct {
	id, kind, replaced string
	body               string // the lines after the first
}

// bulletin is what the published reading makes of a document.
type bulletin []notam

func parse(files vfs.Files) (bulletin, error) {
	var all bulletin
	for _, name := range files.Names() {
		all = appendNotams(all, files[name])
	}
	if len(all) == 0 {
		return nil, errNoNotam
	}
	return all, nil
}

// appendNotams divides a text where a line begins with an identifier. What
// stands before the first such line is tried as well.
func appendNotams(all bulletin, text string) bulletin {
	add := func(chunk string) {
		if n, ok := readNotam(chunk); ok {
			all = plain.Append(all, n)
		}
	}
	begin := 0
	for at := 0; at < len(text); {
		end := lineEnd(text, at)
		if opensNotam(pytext.Strip(text[at:end])) {
			add(text[begin:at])
			begin = at
		}
		at = end + 1
	}
	add(text[begin:])
	return all
}

// lineEnd is where the line that stands at that place ends.
func lineEnd(text string, at int) int {
	if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
		return at + n
	}
	return len(text)
}

// opensNotam reports whether a line begins with an identifier that a type follows, or is one.
func opensNotam(line string) bool {
	n := identifierLength(line)
	if n == 0 {
		return false
	}
	rest := pytext.StripLeft(line[n:])
	return rest == "" || len(rest) < len(line)-n && beginsWithType(rest)
}

// identifierLength is the length of the capital, digits, slash and digits with which a line begins, 0 if it does not.
func identifierLength(line string) int {
	if line == "" || line[0] < 'A' || line[0] > 'Z' {
		return 0
	}
	number := leading(line[1:], unicode.IsDigit)
	rest, ok := strings.CutPrefix(line[1+len(number):], "/")
	year := leading(rest, unicode.IsDigit)
	if number == "" || !ok || year == "" {
		return 0
	}
	return len(line) - len(rest) + len(year)
}

// leading is the beginning of a text as far as its characters are of some class.
func leading(text string, is func(rune) bool) string {
	return text[:len(text)-len(strings.TrimLeftFunc(text, is))]
}

const typeLength = len("NOTAMN")

func beginsWithType(text string) bool {
	return len(text) >= typeLength && strings.HasPrefix(text, "NOTAM") && strings.IndexByte("NRC", text[typeLength-1]) >= 0
}

func isInk(r rune) bool { return !pytext.IsSpace(r) }

// readNotam reads the first line of a chunk; false if it names no notice.
func readNotam(chunk string) (n notam, ok bool) {
	chunk = pytext.Strip(chunk)
	first, body, _ := strings.Cut(chunk, "\n")
	first = pytext.StripRight(first)
	n.body = body
	word := leading(first, isInk)
	rest := pytext.StripLeft(first[len(word):])
	switch {
	case word != "" && beginsWithType(rest):
		n.id, n.kind = word, rest[:typeLength]
		if after := pytext.StripLeft(rest[typeLength:]); len(after) < len(rest)-typeLength {
			n.replaced = leading(after, isInk)
		}
		return n, true
	case first != "" && identifierLength(first) == len(first):
		n.id = first
		return n, true
	}
	return n, false
}

// key is what notices are paired by.
func (n *notam) key() string { return capitals(n.id) }

// capitals is str.upper(), which spells out the sharp s.
func capitals(text string) string { return strings.ToUpper(strings.ReplaceAll(text, "ß", "SS")) }

const counted = "NOTAM"

var errNoNotam = errors.New("the bulletin has no NOTAM")

func stats(b bulletin) domains.Stats {
	locations, codes, types := map[string]bool{}, map[string]bool{}, map[string]int{}
	scheduled, limited := 0, 0
	for i := range b {
		found := b[i].items()
		types[b[i].kind]++
		if found.location != "" {
			locations[found.location] = true
		}
		if found.qCode != "" {
			codes[found.qCode] = true
		}
		if found.schedule != "" {
			scheduled++
		}
		if found.lower != "" || found.upper != "" {
			limited++
		}
	}
	return domains.Stats{Elements: len(b), Counts: []domains.Count{
		{Name: "NOTAM Count", Value: strconv.Itoa(len(b))},
		{Name: "Locations", Value: strconv.Itoa(len(locations))},
		{Name: "Q-Code Types", Value: strconv.Itoa(len(codes))},
		{Name: "NOTAM Types", Value: fmt.Sprint(types)},
		{Name: "With Schedule", Value: strconv.Itoa(scheduled)},
		{Name: "With Altitudes", Value: strconv.Itoa(limited)},
	}}
}

// score is coverage² · (0.30 header + 0.45 text + 0.25 Q line) · √((meta + sequence)/2), where all but coverage and
// sequence are means over the identifiers of both sides.
func score(reference, candidate bulletin, noted *notes.Notes) domains.Reading {
	numbers := map[string]int{}
	refKeys, gotKeys := reference.keys(numbers), candidate.keys(numbers)
	var header, text, qLine, meta sets.Mean
	common := sets.LastPairs(refKeys, gotKeys)
	for _, pair := range common {
		h, t, q, m := compareNotams(&reference[pair[0]], &candidate[pair[1]], noted)
		header.Add(h)
		text.Add(t)
		qLine.Add(q)
		meta.Add(m)
	}
	c := map[string]float64{
		"notam_coverage":    float64(len(common)) / float64(len(numbers)),
		"header_accuracy":   header.Or(0),
		"text_accuracy":     text.Or(0),
		"q_line_accuracy":   qLine.Or(0),
		"metadata_accuracy": meta.Or(0),
		"sequence_score":    sequence(refKeys, gotKeys, noted),
	}
	fields := 0.30*c["header_accuracy"] + 0.45*c["text_accuracy"] + 0.25*c["q_line_accuracy"]
	return domains.Reading{
		RS: c["notam_coverage"] * c["notam_coverage"] * fields *
			math.Sqrt((c["metadata_accuracy"]+c["sequence_score"])/2),
		Components: c,
		Elements:   domains.Elements{Reference: len(reference), Candidate: len(candidate)},
	}
}

// keys are the keys of the notices as numbers, equal for equal keys.
func (b bulletin) keys(numbers map[string]int) []int {
	keys := make([]int, len(b))
	for i := range b {
		key := b[i].key()
		number, known := numbers[key]
		if !known {
			number = len(numbers)
			numbers[key] = number
		}
		keys[i] = number
	}
	return keys
}

// sequence is the ratio of two lists of keys; of long ones the beginnings are compared.
func sequence(refKeys, gotKeys []int, noted *notes.Notes) float64 {
	const longest = 1 << 16 // no bulletin has more notices
	noted.AddIf(max(len(refKeys), len(gotKeys)) > longest, notes.Beginnings)
	return ratio.Tokens(refKeys[:min(len(refKeys), longest)], gotKeys[:min(len(gotKeys), longest)], true)
}

// compareNotams is how similar two notices are.
func compareNotams(reference, candidate *notam, noted *notes.Notes) (header, text, qLine, meta float64) {
	if *reference == *candidate {
		return 1, 1, 1, 1
	}
	a, b := reference.items(), candidate.items()
	header = 0.10*similar(reference.kind, candidate.kind, noted) + 0.05*similar(reference.replaced, candidate.replaced, noted) +
		0.15*similar(a.location, b.location, noted) + 0.15*similar(a.qCode, b.qCode, noted) + 0.15*similar(a.from, b.from, noted) +
		0.10*similar(a.to, b.to, noted) + 0.10*similar(a.schedule, b.schedule, noted) + 0.10*similar(a.lower, b.lower, noted) +
		0.10*similar(a.upper, b.upper, noted)
	meta = 0.6*similar(a.created, b.created, noted) + 0.4*similar(a.source, b.source, noted)
	return header, similar(a.text, b.text, noted), similar(a.qLine, b.qLine, noted), meta
}

// similar is the ratio of two texts in capitals, white space folded; of long ones the beginnings are compared.
func similar(a, b string, noted *notes.Notes) float64 {
	if a == b {
		return 1
	}
	if a == "" || b == "" {
		return 0
	}
	a, b = folded(a), folded(b)
	if a == b {
		return 1
	}
	const longest = 1 << 14 // no real text is longer
	noted.AddIf(max(len(a), len(b)) > longest, notes.Beginnings)
	return ratio.Of(a[:min(len(a), longest)], b[:min(len(b), longest)])
}

// folded is a text in capitals with single blanks.
func folded(text string) string { return capitals(pytext.Collapse(text)) }
