package hamradio

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/plain"
	published "agentd/domains/published/hamradio"
)

// adif is a log as the format itself has it, in parts that print puts together without loss.
type adif struct {
	header  header
	records []record
}

// header is what stands before the first record; without its end tag it is only text.
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

// tag is a tag in a text, with what follows it up to the next one.
type tag struct {
	kind      tagKind
	written   string // the tag itself
	after     string
	name      string
	length    int
	indicator string
}

// read takes in any text. What is not in the value of a tag belongs to the part that stands before it.
func read(text string) adif {
	text = plain.Text(plain.Lines(text))
	before, tags := findTags(text)
	log := adif{header: header{text: before}}
	for at, t := range tags {
		if t.kind == recordEnd {
			break
		}
		if t.kind == headerEnd {
			log.header.end = t.written + t.after
			for _, t := range tags[:at] {
				log.header.fields = append(log.header.fields, t.field())
			}
			tags = tags[at+1:]
			break
		}
	}
	log.readRecords(withoutHeaderEnds(tags))
	return log
}

func (log *adif) readRecords(tags []tag) {
	var open record
	var hasCall, hasDate bool
	finish := func() {
		log.records = plain.Append(log.records, open)
		open, hasCall, hasDate = record{}, false, false
	}
	for _, t := range tags {
		if t.kind == recordEnd {
			open.end, open.after = t.written, t.after
			finish()
			continue
		}
		f := t.field()
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

// withoutHeaderEnds makes text of further header ends. Those before the first record are lost.
func withoutHeaderEnds(tags []tag) []tag {
	kept := tags[:0]
	for _, t := range tags {
		if t.kind != headerEnd {
			kept = append(kept, t)
		} else if n := len(kept); n > 0 {
			kept[n-1].after += t.written + t.after
		}
	}
	return kept
}

// field reads the value of a tag.
func (t *tag) field() field {
	size := valueSize(t.after, t.length)
	return field{name: t.name, kind: t.indicator, value: t.after[:size], after: t.after[size:]}
}

// valueSize is the size in bytes of the value at the start of what stands before the next tag. Loggers count its
// characters, or its bytes. A length that leaves something on the value's last line is wrong, and all is taken.
func valueSize(rest string, length int) int {
	for _, size := range []int{len(published.FirstRunes(rest, length)), length} {
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
// <name:length:type>. before is what stands before the first.
func findTags(text string) (before string, tags []tag) {
	end := 0 // of the last tag
	finish := func(next int) {
		if last := len(tags) - 1; last >= 0 {
			tags[last].after = text[end:next]
		} else {
			before = text[:next]
		}
	}
	for at := range published.Angles(text) {
		if t, ok := readTag(text[at:]); ok {
			finish(at)
			end = at + len(t.written)
			tags = plain.Append(tags, t)
		}
	}
	finish(len(text))
	return before, tags
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
	t := tag{written: text[:end+1]}
	name, rest, hasLength := strings.Cut(text[1:end], ":")
	switch {
	case hasLength:
	case strings.EqualFold(name, "EOH"):
		t.kind = headerEnd
		return t, true
	case strings.EqualFold(name, "EOR"):
		t.kind = recordEnd
		return t, true
	}
	length, indicator, _ := strings.Cut(rest, ":")
	n, err := strconv.ParseUint(length, 10, 31)
	if err != nil || name == "" || name != strings.TrimSpace(name) ||
		strings.ContainsAny(name, "<{},\n") || strings.ContainsAny(indicator, "<\n") {
		return tag{}, false
	}
	t.name, t.length, t.indicator = name, int(n), indicator
	return t, true
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

// value is the trimmed value of the record's first field of a name, given in capitals; empty if it has none.
func (r *record) value(name string) string {
	for i := range r.fields {
		if r.fields[i].is(name) {
			return strings.TrimSpace(r.fields[i].value)
		}
	}
	return ""
}
