package emails

import (
	"crypto/sha256"
	"fmt"
	"hash/fnv"
	"mime"
	"path"
	"slices"
	"strings"
	"time"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/wellformed"
	published "agentd/domains/published/emails"
	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// elements flattens files of any name. Messages have an order within a file;
// where every file holds only one they have none.
func elements(files vfs.Files) []domains.Element {
	var threads []thread
	ordered := false
	for _, name := range files.Names() {
		t := readFile(name, files[name])
		threads = append(threads, t)
		ordered = ordered || len(t.mails) > 1
	}
	var all []domains.Element
	place := 0
	for _, t := range threads {
		for n, line := range plain.Lines(strings.Join(t.opening, "\n")) {
			if text := pytext.Collapse(line); text != "" {
				all = append(all, domains.Element{
					Kind: "line", Key: "line outside messages", Fields: []domains.Field{{Value: text}}, Position: n + 1,
				})
			}
		}
		for i := range t.mails {
			element := t.mails[i].element()
			if ordered {
				place++
				element.Position = place
			}
			all = append(all, element)
		}
	}
	return all
}

// optionalEnvelopes leaves out the envelopes where only one of the documents is a mailbox, and the other has none: a thread says the same.
func optionalEnvelopes(reference, candidate []domains.Element) (ref, got []domains.Element) {
	was, is := envelopes(reference), envelopes(candidate)
	const several = 2
	if was == 0 && is >= several && is == len(candidate) || is == 0 && was >= several && was == len(reference) {
		return withoutEnvelopes(reference), withoutEnvelopes(candidate)
	}
	return reference, candidate
}

func isEnvelope(f domains.Field) bool { return f.Name == "envelope" }

// envelopes is how many elements have an envelope.
func envelopes(elements []domains.Element) (n int) {
	for i := range elements {
		if slices.ContainsFunc(elements[i].Fields, isEnvelope) {
			n++
		}
	}
	return n
}

func withoutEnvelopes(elements []domains.Element) []domains.Element {
	left := slices.Clone(elements)
	for i := range left {
		left[i].Fields = slices.DeleteFunc(slices.Clone(left[i].Fields), isEnvelope)
	}
	return left
}

// isFromSomebody reports whether an element is a message that says who it is from. Any
// text can be read as the body of a message.
func isFromSomebody(e *domains.Element) bool {
	return e.Kind == counted && slices.ContainsFunc(e.Fields, func(f domains.Field) bool { return f.Name == "from" })
}

// without leaves out messages; a file of which nothing is left goes.
func without(files vfs.Files, leave func() bool) vfs.Files {
	left := files.Clone()
	for _, name := range files.Names() {
		t := readFile(name, files[name])
		if len(t.mails) == 0 {
			continue
		}
		t.mails = slices.DeleteFunc(t.mails, func(mail) bool { return leave() })
		if left[name] = t.print(); left[name] == "" {
			delete(left, name)
		}
	}
	return left
}

func (m *mail) element() domains.Element {
	e := m.entity()
	f := flattener{make([]domains.Field, 0, len(m.head)+len(m.body))}
	if e.Envelope != "" {
		f.add("envelope", pytext.Collapse(e.Envelope))
	}
	for _, line := range m.strayLines() {
		f.add("line among the headers", pytext.Collapse(line))
	}
	f.entity("", e)
	return domains.Element{Kind: counted, Key: keyOf(e), Fields: f.fields}
}

// strayLines are lines in the head that belong to no header, nor are the envelope line.
func (m *mail) strayLines() []string {
	var stray []string
	for n, w := range m.headers() {
		if w.name != "" {
			continue
		}
		if n == 0 && !isContinuation(w.lines[0]) {
			w.lines = w.lines[1:]
		}
		stray = append(stray, w.lines...)
	}
	return stray
}

// keyOf calls a message by its time and sender: "2023-06-12 09:41 Ana Reis".
func keyOf(e *published.Entity) string {
	when := pytext.Collapse(e.Get("Date"))
	if date, ok := published.ParseDate(when); ok {
		when = date.Format("2006-01-02 15:04")
	}
	from := published.ParseAddress(published.DecodeWords(published.Unfolded(e.Get("From"))))
	return strings.TrimSpace(when + " " + from.Text())
}

// flattener collects the fields of a message.
type flattener struct{ fields []domains.Field }

func (f *flattener) add(name, value string) {
	f.fields = append(f.fields, domains.Field{Name: name, Value: value})
}

// entity adds the headers and the content of a message or part, whose place
// within the message is in the prefix of the names.
func (f *flattener) entity(prefix string, e *published.Entity) {
	for _, h := range e.Headers {
		f.header(prefix, h)
	}
	if !e.IsMultipart() {
		f.content(prefix, e)
		return
	}
	var around []string
	for _, text := range e.Around {
		for _, line := range plain.Lines(text) {
			if line = pytext.Collapse(line); line != "" {
				f.add(prefix+"line next to the parts", line)
				around = append(around, line)
			}
		}
	}
	if len(around) > 1 {
		f.add(prefix+"order of lines between the parts", orderOf(around, make([]bool, len(around))))
	}
	for n, part := range e.Parts {
		f.entity(fmt.Sprintf("%spart %d, ", prefix, n+1), part)
	}
}

func (f *flattener) header(prefix string, h published.Header) {
	name := strings.ToLower(h.Name)
	value := published.Unfolded(h.Value)
	switch strings.TrimPrefix(name, "resent-") {
	case "from", "to", "cc", "bcc", "reply-to", "sender":
		for _, a := range mailboxes(value) {
			f.add(prefix+name, a)
		}
	case "date":
		f.add(prefix+name, normalDate(value))
	case "message-id", "in-reply-to", "references", "content-id":
		f.add(prefix+name, plain.SingleBlanks(brackets.Replace(value)))
	case "content-type", "content-disposition":
		if normal := normalMedia(value); normal != "text/plain" { // which is what a part is that says nothing
			f.add(prefix+name, normal)
		}
	case "content-transfer-encoding": // shows in the text
	default:
		f.add(prefix+name, pytext.Collapse(published.DecodeWords(value)))
	}
}

var brackets = strings.NewReplacer("<", " ", ">", " ")

// mailboxes are the addresses of a list as "name <address>"; a list that cannot be read is one text.
func mailboxes(value string) []string {
	var all []string
	for _, a := range published.ParseAddresses(value) {
		if !strings.Contains(a.Addr, "@") {
			return []string{pytext.Collapse(published.DecodeWords(value))}
		}
		name := pytext.Collapse(published.DecodeWords(a.Name))
		all = append(all, strings.TrimSpace(name+" <"+pytext.Lower(a.Addr)+">"))
	}
	return all
}

// normalDate is the instant, with the weekday if that is not the date's.
func normalDate(value string) string {
	date, ok := published.ParseDate(value)
	if !ok {
		return pytext.Collapse(value)
	}
	normal := date.UTC().Format(time.DateTime)
	if day := strings.ToLower(date.WrittenDay); day != "" && !strings.HasPrefix(strings.ToLower(date.Weekday().String()), day) {
		normal += ", called " + date.WrittenDay
	}
	return normal
}

// normalMedia is a type or disposition with its parameters in order. Charset and boundary show in the content.
func normalMedia(value string) string {
	media, named, err := mime.ParseMediaType(value)
	if err != nil {
		return pytext.Collapse(value)
	}
	delete(named, "charset")
	delete(named, "boundary")
	for name, text := range named {
		named[name] = published.DecodeWords(text)
	}
	if normal := mime.FormatMediaType(media, named); normal != "" {
		return normal
	}
	return pytext.Collapse(value)
}

// content adds the lines of a text, or what tells other content apart.
func (f *flattener) content(prefix string, e *published.Entity) {
	encoding := strings.ToLower(strings.TrimSpace(e.Get("Content-Transfer-Encoding")))
	charset, _ := e.Parameter("charset")
	text := e.Payload
	switch encoding {
	case "quoted-printable":
		text = quotedText(text, charset)
	case "base64":
		bytes, ok := published.DecodeBase64(text)
		if ok && e.MainType() != "text" {
			f.add(prefix+"content", fmt.Sprintf("%d bytes, SHA-256 %x", len(bytes), sha256.Sum256(bytes)))
			return
		}
		if ok {
			text = published.DecodeCharset(bytes, charset)
		}
	}
	format, _ := e.Parameter("format")
	f.lines(prefix, text, strings.EqualFold(format, "flowed"))
}

// quotedText undoes quoted-printable. Characters that should have been encoded but were not stay as they are.
func quotedText(text, charset string) string {
	return ascii.ReplaceAllStringFunc(text, func(encoded string) string {
		return published.DecodeCharset(published.DecodeQuotedPrintable([]byte(encoded)), charset)
	})
}

var ascii = lazyregexp.New(`[[:ascii:]]+`)

// isSignature reports whether a line stands above a signature: two hyphens with a blank, which tells it from text (RFC 3676).
func isSignature(line string) bool {
	return strings.HasPrefix(line, "-- ") && strings.TrimRight(line, " ") == "--"
}

// lines adds the lines of a text, with their depth of quotation, their order and the blank lines between them. Rules around a text are
// layout. In a flowed text a line that ends in a blank goes on in the next one.
func (f *flattener) lines(prefix, text string, flowed bool) {
	var all []string
	var after []bool // whether a blank line stands above each
	blank := false
	for _, written := range withoutRules(plain.Lines(text)) {
		written = strings.TrimRight(written, "\r\n")
		line := normalLine(written)
		if strings.Trim(line, ">") == "" {
			blank = true
			continue
		}
		switch {
		case isSignature(written):
			line = "-- (a signature follows)"
		case flowed && strings.HasSuffix(written, " "):
			line += " (goes on)"
		}
		f.add(prefix+"line", line)
		all, after, blank = append(all, line), append(after, blank), false
	}
	if len(all) > 1 {
		f.add(prefix+"order of lines", orderOf(all, after))
	}
}

// mostPlaces are the lines of a text whose order is written out.
const mostPlaces = 30

// orderOf writes the order of lines as their places among the sorted ones, with a stroke for the blank lines between two: "2 | 1 3". Of many
// lines it is a check.
func orderOf(lines []string, after []bool) string {
	sorted := slices.Compact(slices.Sorted(slices.Values(lines)))
	check := fnv.New32a()
	var b strings.Builder
	paragraphs := 1
	for i, line := range lines {
		if i > 0 && after[i] {
			paragraphs++
			check.Write([]byte{'\n'})
			b.WriteString(" |")
		}
		check.Write([]byte(line + "\n"))
		place, _ := slices.BinarySearch(sorted, line)
		fmt.Fprintf(&b, " %d", place+1)
	}
	if len(lines) > mostPlaces {
		return fmt.Sprintf("%d lines in %d paragraphs, check %08x", len(lines), paragraphs, check.Sum32())
	}
	return strings.TrimPrefix(b.String(), " ")
}

// withoutRules drops the rules around a text, and breaks lines where they stand within text. A
// rule on a line of its own between lines of text is one of them.
func withoutRules(lines []string) []string {
	isMargin := func(line string) bool { return strings.TrimSpace(line) == "" || isRule(line) }
	var kept []string
	for _, line := range lists.Trim(lines, isMargin) {
		if isRule(line) {
			kept = append(kept, rule)
			continue
		}
		if !strings.Contains(line, rule) {
			kept = append(kept, line)
			continue
		}
		for before, ok := "", true; ok; line = strings.TrimLeft(line, "-") {
			if before, line, ok = strings.Cut(line, rule); strings.TrimSpace(before) != "" {
				kept = append(kept, before)
			}
		}
	}
	return kept
}

// isRule reports whether a line is nothing but a rule.
func isRule(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, rule) && strings.Trim(line, "-") == ""
}

// normalLine writes marks of quotation without blanks between them and with one after them.
func normalLine(line string) string {
	line = pytext.StripRight(line)
	depth := 0
	rest := line
	for strings.HasPrefix(rest, ">") {
		depth++
		rest = rest[1:]
		if strings.HasPrefix(rest, " >") {
			rest = rest[1:]
		}
	}
	if depth == 0 {
		return line
	}
	return strings.TrimRight(strings.Repeat(">", depth)+" "+strings.TrimPrefix(rest, " "), " ")
}

const counted = "message"

// wellFormed judges a file of one message, and each message of a mailbox, as a whole. In a thread with rules between messages it judges the
// heads.
func wellFormed(name, text string) []domains.Slip {
	mailbox := isMailbox(name, text)
	if strings.EqualFold(path.Ext(name), ".eml") && !mailbox {
		return wellformed.Mail(name, text)
	}
	var all []domains.Slip
	for _, m := range readFile(name, text).mails {
		slips := wellformed.Head(strings.Join(m.head, "\n"))
		if mailbox {
			slips = wellformed.Mail(name, plain.Text(m.print()))
		}
		for _, slip := range slips {
			slip.Line = 0 // the line is one of the head
			all = append(all, slip)
		}
	}
	return all
}
