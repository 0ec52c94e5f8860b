// Package hamradio is the published reading and score of the domain hamradio.
//
// Compared fields and weights:
//
//	| group | fields | weight |
//	| core | CALL QSO_DATE TIME_ON BAND MODE FREQ | 3 |
//	| signal | RST_SENT RST_RCVD | 2 |
//	| place | GRIDSQUARE MY_GRIDSQUARE STATE CNTY CQZ ITUZ DXCC CONT | 1.5 |
//	| contact | NAME QTH | 1.5 |
//	| other | QSL_SENT QSL_RCVD LOTW_QSL_SENT EQSL_QSL_SENT TX_PWR COMMENT NOTES AWARD TIME_OFF QSO_DATE_OFF LOTW_QSLSDATE EQSL_QSLSDATE, and every name beginning with `APP_` | 1 |
//
// All other fields are ignored.
//
// Record similarity s(r,g): over the listed fields present in either record, weighted mean of the value similarity; 1
// if there are none. Value similarity: both empty 1; one empty 0; equal after trimming and upper-casing 1; else by
// field:
//
//   - FREQ: drop MHZ, parse, round to 6 decimals; absolute difference below 0.001 gives 1, below 0.01 gives 0.8, else
//     0; unparseable 0.
//   - RST_*, GRIDSQUARE, MY_GRIDSQUARE, BAND: 0.
//   - all others: difflib ratio of the two lower-cased strings by characters (autojunk on; relevant only for values of
//     200 characters or more).
//
// Pair weight m(i,j): all four fingerprint parts equal: s; three equal: 0.8 s; two equal: 0.3 s; fewer: 0. Parts are
// compared position by position, so two empty parts are equal.
//
// Assignment: minimum-cost matching on 1 - m (see below), min(nRef, nGen) pairs. A pair is good when m > 0.3 strictly.
// Hence a pair with only two equal parts is never good.
//
//   - coverage = good pairs / nRef. Extra candidate records cost nothing.
//   - accuracy = mean of m over good pairs, 0 if none. It contains the 0.8 factor.
//   - ordering: good pairs sorted by candidate index; sequence of reference indices against its sorted copy, ratio over
//     integers. One or no good pair gives 1.
//   - both logs empty: coverage = accuracy = ordering = 1; exactly one empty: all 0.
//
// score = coverage^2 x (0.50 + 0.35 accuracy + 0.15 ordering). No rounding.
//
// R, or ratio, is that of package ratio, with the reference first; assignments are those of package assign.
package hamradio

import (
	"errors"
	"iter"
	"math"
	"path"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// Contact is a record as the published evaluator reads it: values by name in capitals, none of them empty.
type Contact map[string]string

// Parse reads the records of all ADIF files. A file that the published reader gives up on has none.
func Parse(files vfs.Files) ([]Contact, error) {
	var contacts []Contact
	for _, name := range files.Names() {
		switch pytext.Lower(path.Ext(name)) {
		case ".adi", ".adif":
			read, err := readTags(withoutDoubles(withRecordEnds(withTrueLengths(files[name]))))
			if err == nil {
				contacts = append(contacts, read...)
			}
		}
	}
	return contacts, nil
}

// cutLengthTag reads an untyped data tag such as <NAME:5> at the start of a text. Its name starts
// with an ASCII letter or an underscore; only those are repaired.
func cutLengthTag(text string) (name, rest string, ok bool) {
	name, _, rest, ok = cutNameAndLength(text)
	if !ok || !strings.HasPrefix(rest, ">") {
		return "", "", false
	}
	c := name[0]
	return name, rest[1:], c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// cutNameAndLength reads "<name:digits" at the start of a text.
func cutNameAndLength(text string) (name, digits, rest string, ok bool) {
	if !strings.HasPrefix(text, "<") {
		return "", "", "", false
	}
	text = text[1:]
	end := prefixOf(text, pytext.IsWord)
	if end == 0 || end == len(text) || text[end] != ':' {
		return "", "", "", false
	}
	name, text = text[:end], text[end+1:]
	end = prefixOf(text, unicode.IsDigit)
	return name, text[:end], text[end:], end > 0
}

// prefixOf is the length of the longest beginning of which is holds.
func prefixOf(text string, is func(rune) bool) int {
	for at, r := range text {
		if !is(r) {
			return at
		}
	}
	return len(text)
}

// Angles are the places of the "<" in a text.
func Angles(text string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for at := beforeAngle(text); at < len(text) && yield(at); at += 1 + beforeAngle(text[at+1:]) {
		}
	}
}

// beforeAngle is the length of what stands before the next "<".
func beforeAngle(text string) int {
	if at := strings.IndexByte(text, '<'); at >= 0 {
		return at
	}
	return len(text)
}

// withTrueLengths gives every untyped tag the number of characters up to the next "<" as its length.
func withTrueLengths(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	done := 0
	for at := range Angles(text) {
		name, rest, ok := cutLengthTag(text[at:])
		if ok {
			length := utf8.RuneCountInString(rest[:beforeAngle(rest)])
			b.WriteString(text[done:at] + "<" + name + ":" + strconv.Itoa(length) + ">")
			done = len(text) - len(rest)
		}
	}
	b.WriteString(text[done:])
	return b.String()
}

const endOfRecord = "<EOR>"

// withRecordEnds inserts record ends into a body that has none, where a second QSO_DATE or CALL shows that another
// record has begun. That the white space trimmed from the end is still in the last value's length, which may then
// swallow the last record end, is the published repair's defect.
func withRecordEnds(text string) string {
	header, body := cutHeader(text)
	if indexFold(body, endOfRecord) >= 0 {
		return text
	}
	var b strings.Builder
	seen := map[string]bool{}
	done := 0
	for at := range Angles(body) {
		name, _, ok := cutLengthTag(body[at:])
		if name = strings.ToUpper(name); !ok || name != "QSO_DATE" && name != "CALL" {
			continue
		}
		if seen[name] {
			b.WriteString(body[done:at] + endOfRecord + "\n")
			done = at
			clear(seen)
		}
		seen[name] = true
	}
	if done == 0 {
		return text
	}
	b.WriteString(body[done:])
	body = pytext.StripRight(b.String())
	if !strings.HasSuffix(strings.ToUpper(body), endOfRecord) {
		body += "\n" + endOfRecord
	}
	return header + body
}

// cutHeader splits a text after the first <EOH>.
func cutHeader(text string) (header, body string) {
	const endOfHeader = "<EOH"
	if at := indexFold(text, endOfHeader); at >= 0 {
		if end := strings.IndexByte(text[at:], '>'); end >= 0 {
			return text[:at+end+1], text[at+end+1:]
		}
	}
	return "", text
}

// indexFold is the place of a tag in capitals, written in any case.
func indexFold(text, tag string) int {
	for at := range Angles(text) {
		if len(text)-at >= len(tag) && strings.EqualFold(text[at:at+len(tag)], tag) {
			return at
		}
	}
	return -1
}

// withoutDoubles keeps of the untyped tags of one name in a record the last.
func withoutDoubles(text string) string {
	header, body := cutHeader(text)
	var b strings.Builder
	b.Grow(len(text))
	b.WriteString(header)
	for body != "" {
		end := indexFold(body, endOfRecord)
		if end < 0 {
			end = len(body)
		}
		keepLast(&b, body[:end])
		body = body[end:]
		closing := min(len(endOfRecord), len(body))
		b.WriteString(body[:closing])
		body = body[closing:]
	}
	return b.String()
}

// keepLast writes a stretch between record ends. What stands between two
// untyped fields belongs to the second and goes with it.
func keepLast(b *strings.Builder, stretch string) {
	last := map[string]int{}
	for at := range Angles(stretch) {
		if name, _, ok := cutLengthTag(stretch[at:]); ok {
			last[Upper(name)] = at
		}
	}
	done := 0
	for at := range Angles(stretch) {
		if name, _, ok := cutLengthTag(stretch[at:]); ok {
			next := at + 1 + beforeAngle(stretch[at+1:])
			if last[Upper(name)] == at {
				b.WriteString(stretch[done:next])
			}
			done = next
		}
	}
	b.WriteString(stretch[done:])
}

var (
	errNoHeaderEnd = errors.New("a header without <EOH>")
	errDoubled     = errors.New("a field occurs twice")
)

// readTags reads a repaired text as the package adif_io 0.6.0 does.
func readTags(text string) ([]Contact, error) {
	var contacts []Contact
	fields := map[string]string{}
	endTag := endOfRecord
	if text != "" && text[0] != '<' {
		endTag = "<EOH>"
	}
	for {
		tag, rest, ok := nextTag(text, endTag)
		switch _, doubled := fields[tag.name]; {
		case !ok && endTag != endOfRecord:
			return nil, errNoHeaderEnd
		case !ok:
			return contacts, nil
		case doubled:
			return nil, errDoubled
		case !tag.end:
			fields[tag.name] = tag.value
		case endTag == endOfRecord:
			contacts = plain.Append(contacts, newContact(fields))
			clear(fields)
		default:
			endTag = endOfRecord
			clear(fields)
		}
		text = rest
	}
}

func newContact(fields map[string]string) Contact {
	c := make(Contact, len(fields))
	for name, value := range fields {
		if value != "" {
			c[name] = pytext.Strip(value)
		}
	}
	return c
}

// publishedTag is a data tag with its value, or the end tag sought.
type publishedTag struct {
	name, value string
	end         bool
}

// nextTag finds the next data or end tag; what stands before it is ignored.
func nextTag(text, endTag string) (tag publishedTag, rest string, ok bool) {
	for at := range Angles(text) {
		here := text[at:]
		if len(here) >= len(endTag) && strings.EqualFold(here[:len(endTag)], endTag) {
			return publishedTag{end: true}, here[len(endTag):], true
		}
		name, digits, rest, ok := cutNameAndLength(here)
		if !ok {
			continue
		}
		closing := strings.IndexByte(rest, '>')
		if closing < 0 {
			break
		}
		if closing > 0 && (rest[0] != ':' || closing == 1) { // no type, or an empty one
			continue
		}
		rest = rest[closing+1:]
		value := FirstRunes(rest, number(digits))
		return publishedTag{name: Upper(name), value: value}, rest[len(value):], true
	}
	return publishedTag{}, "", false
}

// number reads decimal digits of any script; too large a number is the largest.
func number(digits string) int {
	n := 0
	for _, r := range digits {
		if n > math.MaxInt32 {
			return n
		}
		n = 10*n + pytext.DigitValue(r)
	}
	return n
}

// FirstRunes returns the first n characters of a text, or all it has.
func FirstRunes(text string, n int) string {
	for at := range text {
		if n == 0 {
			return text[:at]
		}
		n--
	}
	return text
}

// Upper is str.upper(), which unlike strings.ToUpper spells out the sharp s.
func Upper(s string) string { return strings.ReplaceAll(strings.ToUpper(s), "ß", "SS") }
