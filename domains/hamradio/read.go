package hamradio

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/plain"
)

// adif is a log as the format itself has it, in parts that print puts together
// without loss.
type adif struct {
	header  header
	records []record
}

// header is what stands before the first record; without its end tag it is only
// text.
type header struct {
	text   string // before the first field
	fields []field
	end    string // the end tag as written, with what follows it up to a first record
}

// record is a contact.
type record struct {
	fields []field
	end    string // the end tag as written, empty if it is missing
	after  string // what follows up to the next record
}

// field is a data field with what follows it up to the next tag.
type field struct {
	name  string // as written
	kind  string // the data type indicator, empty if there is none
	value string
	after string
}

// is reports whether the field has a name, given in capitals.
func (f *field) is(name string) bool { return strings.EqualFold(f.name, name) }

type tagKind uint8

const (
	dataTag tagKind = iota
	headerEnd
	recordEnd
)

// tag is a tag in a text.
type tag struct {
	kind       tagKind
	start, end int // of the tag itself
	name       string
	length     int
	indicator  string
}

// read takes in any text. What is not in the value of a tag belongs to the part
// that stands before it.
func read(text string) adif {
	text = plain.Text(plain.Lines(text))
	tags := findTags(text)
	var log adif
	for at := range tags {
		if tags[at].kind == recordEnd {
			break
		}
		if tags[at].kind == headerEnd {
			log.header = readHeader(text, tags[:at+1], startOf(text, tags, at+1))
			tags = tags[at+1:]
			break
		}
	}
	tags = slices.DeleteFunc(tags, func(t tag) bool { return t.kind == headerEnd })
	if log.header.end == "" {
		log.header.text = text[:startOf(text, tags, 0)]
	}
	log.readRecords(text, tags)
	return log
}

// startOf is where a tag starts, or the text's end after the last.
func startOf(text string, tags []tag, at int) int {
	if at < len(tags) {
		return tags[at].start
	}
	return len(text)
}

// readHeader reads the tags up to the end tag, the last of them. next is where
// the tag after it starts.
func readHeader(text string, tags []tag, next int) header {
	last := len(tags) - 1
	h := header{text: text[:tags[0].start], end: text[tags[last].start:next]}
	for at := range last {
		h.fields = append(h.fields, readField(text, &tags[at], tags[at+1].start))
	}
	return h
}

func (log *adif) readRecords(text string, tags []tag) {
	var open record
	var hasCall, hasDate bool
	finish := func() {
		log.records = plain.Append(log.records, open)
		open, hasCall, hasDate = record{}, false, false
	}
	for at := range tags {
		t, next := &tags[at], startOf(text, tags, at+1)
		if t.kind == recordEnd {
			open.end, open.after = text[t.start:t.end], text[t.end:next]
			finish()
			continue
		}
		f := readField(text, t, next)
		call, date := f.is("CALL"), f.is("QSO_DATE")
		// A second call or date shows that a record end is missing.
		if (call || date) && hasCall && hasDate {
			finish()
		}
		hasCall, hasDate = hasCall || call, hasDate || date
		open.fields = append(open.fields, f)
	}
	if len(open.fields) > 0 {
		finish()
	}
}

// readField reads the value of a tag; next is where the tag after it starts.
func readField(text string, t *tag, next int) field {
	rest := text[t.end:next]
	size := valueSize(rest, t.length)
	return field{name: t.name, kind: t.indicator, value: rest[:size], after: rest[size:]}
}

// valueSize is the size in bytes of the value at the start of what stands
// before the next tag. Loggers count its characters, or its bytes. A length
// that leaves something on the value's last line is wrong, and all is taken.
func valueSize(rest string, length int) int {
	for _, size := range []int{len(firstRunes(rest, length)), length} {
		if size < len(rest) {
			line, _, _ := strings.Cut(rest[size:], "\n")
			if strings.Trim(line, " \t") == "" {
				return size
			}
		}
	}
	return len(strings.TrimRight(rest, " \t\n"))
}

// findTags finds all tags: <EOH>, <EOR>, and data tags <name:length> or
// <name:length:type>.
func findTags(text string) []tag {
	var tags []tag
	for at := beforeAngle(text); at < len(text); at += 1 + beforeAngle(text[at+1:]) {
		if t, ok := readTag(text[at:]); ok {
			t.start += at
			t.end += at
			tags = plain.Append(tags, t)
		}
	}
	return tags
}

// longestTag bounds the search for a tag's end.
const longestTag = 100

func readTag(text string) (tag, bool) {
	if len(text) > 1 && text[1] == '<' {
		return tag{}, false
	}
	text = text[:min(len(text), longestTag)]
	end := strings.IndexByte(text, '>')
	if end < 0 {
		return tag{}, false
	}
	t := tag{end: end + 1}
	name, rest, hasLength := strings.Cut(text[1:end], ":")
	switch {
	case !hasLength && strings.EqualFold(name, "EOH"):
		t.kind = headerEnd
		return t, true
	case !hasLength && strings.EqualFold(name, "EOR"):
		t.kind = recordEnd
		return t, true
	}
	length, indicator, _ := strings.Cut(rest, ":")
	n, err := strconv.ParseUint(length, 10, 31)
	if err != nil || name == "" || name != strings.TrimSpace(name) || strings.ContainsAny(name, "<{},\n") || strings.ContainsAny(indicator, "<\n") {
		return tag{}, false
	}
	t.name, t.length, t.indicator = name, int(n), indicator
	return t, true
}

func (log *adif) print() string {
	var b strings.Builder
	b.WriteString(log.header.print())
	for i := range log.records {
		log.records[i].print(&b)
	}
	return b.String()
}

func (h *header) print() string {
	var b strings.Builder
	b.WriteString(h.text)
	for i := range h.fields {
		h.fields[i].print(&b)
	}
	b.WriteString(h.end)
	return b.String()
}

func (r *record) print(b *strings.Builder) {
	for i := range r.fields {
		r.fields[i].print(b)
	}
	b.WriteString(r.end)
	b.WriteString(r.after)
}

// print writes a field with its length in characters.
func (f *field) print(b *strings.Builder) {
	b.WriteString("<" + f.name + ":" + strconv.Itoa(utf8.RuneCountInString(f.value)))
	if f.kind != "" {
		b.WriteString(":" + f.kind)
	}
	b.WriteString(">" + f.value + f.after)
}

// value is the trimmed value of the record's first field of a name, given in
// capitals; empty if it has none.
func (r *record) value(name string) string {
	for i := range r.fields {
		if r.fields[i].is(name) {
			return strings.TrimSpace(r.fields[i].value)
		}
	}
	return ""
}
