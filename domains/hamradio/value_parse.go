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

// contact is a record as the published evaluator reads it: values by name in capitals, none of them empty.
type contact map[string]string

// parse reads the records of all ADIF files. A file that the published reader gives up on has none.
func parse(files vfs.Files) ([]contact, error) {
	var contacts []contact
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

// angles are the places of the "<" in a text.
func angles(text string) iter.Seq[int] {
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
	for at := range angles(text) {
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
	for at := range angles(body) {
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
	for at := range angles(text) {
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
	for at := range angles(stretch) {
		if name, _, ok := cutLengthTag(stretch[at:]); ok {
			last[upper(name)] = at
		}
	}
	done := 0
	for at := range angles(stretch) {
		if name, _, ok := cutLengthTag(stretch[at:]); ok {
			next := at + 1 + beforeAngle(stretch[at+1:])
			if last[upper(name)] == at {
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
func readTags(text string) ([]contact, error) {
	var contacts []contact
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

func newContact(fields map[string]string) contact {
	c := make(contact, len(fields))
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
	for at := range angles(text) {
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
		value := firstRunes(rest, number(digits))
		return publishedTag{name: upper(name), value: value}, rest[len(value):], true
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

// firstRunes returns the first n characters of a text, or all it has.
func firstRunes(text string, n int) string {
	for at := range text {
		if n == 0 {
			return text[:at]
		}
		n--
	}
	return text
}
