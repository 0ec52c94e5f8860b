// Package aviation is the published reading and score of the domain aviation.
//
// Field similarity S(x,y): both empty 1; one empty 0; else upper-case both, collapse white space to single spaces,
// equal gives 1, otherwise R. R = CPython difflib ratio 2M/(n+m) on code points, reference first, autojunk on: when the
// candidate string has 200 or more characters, characters that occur more than floor(n/100)+1 times leave the match
// index (a match may still grow over them). Item E texts of that length are common, so this matters.
//
// Key: id, upper-cased and trimmed. Per key the LAST notice of each side is used. K = keys on both sides; all means
// over K, 0 when K is empty.
//
//   - coverage = Jaccard of the key sets
//   - header = mean of 0.10 S(type) + 0.05 S(replaced) + 0.15 S(location) + 0.15 S(q-code) + 0.15 S(from) + 0.10 S(to)
//   - 0.10 S(schedule) + 0.10 S(lower) + 0.10 S(upper)
//   - text = mean S(text); qline = mean S(q line)
//   - meta = mean of 0.6 S(created) + 0.4 S(source)
//   - sequence = R over the two lists of keys in document order, repeats included
//
// score = coverage^2 * (0.30 header + 0.45 text + 0.25 qline) * sqrt((meta + sequence)/2), not rounded.
package aviation

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
	"agentd/vfs"
)

// notam is a notice as the published program divides a bulletin. Its items are read where they are needed.
type notam struct {
	ID, kind, replaced string
	body               string // the lines after the first
}

// Bulletin is what the published reading makes of a document.
type Bulletin []notam

// Parse reads a document as the published evaluator does.
func Parse(files vfs.Files) (Bulletin, error) {
	var all Bulletin
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
func appendNotams(all Bulletin, text string) Bulletin {
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
	n := IdentifierLength(line)
	if n == 0 {
		return false
	}
	rest := pytext.StripLeft(line[n:])
	return rest == "" || len(rest) < len(line)-n && BeginsWithType(rest)
}

// IdentifierLength is the length of the capital, digits, slash and digits with which a line begins, 0 if it does not.
func IdentifierLength(line string) int {
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

// TypeLength is the length of the word NOTAM with the letter of its type.
const TypeLength = len("NOTAMN")

// BeginsWithType reports whether a text begins with NOTAM and the letter of a type: new, replacing or cancelling.
func BeginsWithType(text string) bool {
	return len(text) >= TypeLength && strings.HasPrefix(text, "NOTAM") && strings.IndexByte("NRC", text[TypeLength-1]) >= 0
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
	case word != "" && BeginsWithType(rest):
		n.ID, n.kind = word, rest[:TypeLength]
		if after := pytext.StripLeft(rest[TypeLength:]); len(after) < len(rest)-TypeLength {
			n.replaced = leading(after, isInk)
		}
		return n, true
	case first != "" && IdentifierLength(first) == len(first):
		n.ID = first
		return n, true
	}
	return n, false
}

var errNoNotam = errors.New("the bulletin has no NOTAM")

// key is what notices are paired by.
func (n *notam) key() string { return capitals(n.ID) }

// capitals is str.upper(), which spells out the sharp s.
func capitals(text string) string { return strings.ToUpper(strings.ReplaceAll(text, "ß", "SS")) }

// Stats counts the parts of a document.
func Stats(b Bulletin) domains.Stats {
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

// Score is coverage² · (0.30 header + 0.45 text + 0.25 Q line) · √((meta + sequence)/2), where all but coverage and
// sequence are means over the identifiers of both sides.
func Score(reference, candidate Bulletin, noted *notes.Notes) domains.Reading {
	refKeys, gotKeys := reference.keys(), candidate.keys()
	var header, text, qLine, meta sets.Mean
	for _, pair := range sets.LastPairs(refKeys, gotKeys) {
		h, t, q, m := compareNotams(&reference[pair[0]], &candidate[pair[1]], noted)
		header.Add(h)
		text.Add(t)
		qLine.Add(q)
		meta.Add(m)
	}
	c := map[string]float64{
		"notam_coverage":    sets.Jaccard(refKeys, gotKeys),
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

func (b Bulletin) keys() []string { return lists.Each(b, (*notam).key) }

// sequence is the ratio of two lists of keys; of long ones the beginnings are compared.
func sequence(refKeys, gotKeys []string, noted *notes.Notes) float64 {
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

// items are the items of a notice as the published program finds them: each by
// its own search for the first marker, wherever that stands.
type items struct {
	qLine, qCode, location, from, to, schedule, text, lower, upper, created, source string
}

func (n *notam) items() items {
	marks := markers(n.body)
	after := func(letter byte) string { return pytext.StripLeft(marks[letter]) }
	qLine := value(after('Q'), stopsQ)
	return items{
		qLine:    qLine,
		qCode:    qCode(qLine),
		location: leading(after('A'), pytext.IsWord),
		from:     leading(after('B'), isInk),
		to:       leading(after('C'), isInk),
		schedule: schedule(after('D')),
		text:     value(after('E'), stopsE),
		lower:    lowerLimit(after('F')),
		upper:    value(after('G'), stopsG),
		created:  value(labelled(n.body, "CREATED:"), stopsCreated),
		source:   value(labelled(n.body, "SOURCE:"), nil),
	}
}

// The beginnings of the lines, in capitals, that end a value.
var (
	stopsQ       = []string{"A)", "B)", "C)", "D)", "E)", "F)", "G)", "CREATED", "SOURCE"}
	stopsE       = []string{"F)", "G)", "CREATED", "SOURCE"}
	stopsF       = []string{"G)", "CREATED", "SOURCE"}
	stopsG       = []string{"CREATED", "SOURCE"}
	stopsCreated = []string{"SOURCE"}
)

// markers are what stands after the first marker of each letter. Those of A to D are written in capitals.
func markers(body string) (after ['Q' + 1]string) {
	var met ['Q' + 1]bool
	for at := 0; ; at++ {
		n := strings.IndexByte(body[at:], ')')
		if n < 0 {
			return after
		}
		if at += n; at == 0 {
			continue
		}
		letter, rest := body[at-1], body[at+1:]
		if lower := letter - 'a' + 'A'; letter >= 'a' && (lower > 'D' && lower <= 'G' || lower == 'Q') {
			letter = lower
		}
		if letter == 'A' && leading(pytext.StripLeft(rest), pytext.IsWord) == "" {
			continue // a location has a character at least
		}
		if (letter >= 'A' && letter <= 'G' || letter == 'Q') && !met[letter] {
			after[letter], met[letter] = rest, true
		}
	}
}

// labelled is what stands after the first label, in any case.
func labelled(body, label string) string {
	for at := 0; ; at++ {
		n := strings.IndexByte(body[at:], label[len(label)-1])
		if n < 0 {
			return ""
		}
		at += n
		if hasSuffixFold(body[:at+1], label) {
			return pytext.StripLeft(body[at+1:])
		}
	}
}

// hasSuffixFold is strings.HasSuffix without regard to case.
func hasSuffixFold(text, suffix string) bool {
	return len(text) >= len(suffix) && strings.EqualFold(text[len(text)-len(suffix):], suffix)
}

// HasPrefixFold is strings.HasPrefix without regard to case.
func HasPrefixFold(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}

// value is what stands after a marker, up to a line that begins with a stop. It
// has a character at least, even if that begins a stop.
func value(rest string, stops []string) string { return pytext.Strip(rest[:stopAt(rest, stops)]) }

// stopAt is where a value ends: before the first line, other than the first of the text, that begins with a stop.
func stopAt(text string, stops []string) int {
	if stops == nil {
		return len(text)
	}
	for end := lineEnd(text, 0); end < len(text); end = lineEnd(text, end+1) {
		for _, stop := range stops {
			if HasPrefixFold(text[end+1:], stop) {
				return end
			}
		}
	}
	return len(text)
}

// schedule is the value of item D, empty where no line begins with E).
func schedule(rest string) string {
	before, _, found := strings.Cut(rest, "\nE)")
	if !found {
		return ""
	}
	return pytext.Strip(before)
}

// lowerLimit is the value of item F, which also ends at two blanks and a G).
func lowerLimit(rest string) string {
	rest = rest[:stopAt(rest, stopsF)]
	for from := 0; ; {
		n := strings.IndexByte(rest[from:], ')')
		if n < 0 {
			return pytext.Strip(rest)
		}
		from += n + 1
		if !hasSuffixFold(rest[:from], "G)") {
			continue
		}
		before := rest[:from-len("G)")]
		if short := pytext.StripRight(before); short != "" && utf8.RuneCountInString(before[len(short):]) > 1 {
			return short
		}
	}
}

// qParts are the parts of a Q line; only the code has a use of its own.
var qParts = pytext.Pattern(`^\w+/(\w+)/\w+/\S+\s*/\S+\s*/\d+/\d+/.`)

// qCode is the second part of a Q line, empty if the line is not complete.
func qCode(line string) string {
	const longest = 1 << 12 // no real one is longer
	if parts := qParts.FindStringSubmatch(line[:min(len(line), longest)]); parts != nil {
		return parts[1]
	}
	return ""
}
