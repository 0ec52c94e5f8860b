// Package emails is the published reading and score of the domain emails.
//
// score = 0.20 coverage + 0.25 headers + 0.40 bodies + 0.15 sequence. No rounding, no clamp.
//
// R(a, b): difflib ratio on characters, a = reference, b = candidate, autojunk on (from 200 characters in b; most
// bodies). Two empty texts give 1. (The page calls the body measure Levenshtein; the code uses difflib.)
//
//   - coverage: Jaccard of the two sets of fingerprints; both lists empty 1, one empty 0. Fingerprint: lower-cased
//     Message-ID without < and > at its ends; without Message-ID the lower-cased subject|dateText|from address.
//   - header similarity of two messages, weights sum to 1: 0.25 R of lower-cased name address of From; 0.15 R of the
//     name address of all To joined by blanks, lower-cased; 0.20 R of subjects lower-cased with white space folded;
//     0.15 R of lower-cased date texts; 0.15 equality of lower-cased Message-IDs (brackets included; both empty is
//     equal); 0.10 equality of lower-cased In-Reply-To (both empty is equal).
//   - body similarity: R of bodies lower-cased with white space folded to single blanks.
//   - pairing: assignment with the highest sum of 0.3 header + 0.7 body (rectangular allowed; no lower limit).
//     Fingerprints play no part.
//   - headers and bodies: sum over pairs / number of reference messages. Both sides empty: 1 and 1; one empty 0 and 0.
//   - sequence: no pairs: 1 if both are empty, else 0. One pair: 1. Otherwise rank the messages of each side by the key
//     (0, ISO text of the date with its zone) if the date parsed, (1, date text) if not, (2, "") without date, ties in
//     file order; ISO texts are compared as text, so zones are not taken into account. For the pairs in reference order
//     write down the rank on each side, turn each list into relative ranks 0..k-1, and take the difflib ratio of the
//     two lists of numbers.
//
// R, or ratio, is that of package ratio, with the reference first; assignments are those of package assign.
package emails

import (
	"encoding/base64"
	"encoding/hex"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/encoding/unicode"

	"agentd/domains/internal/pytext"
	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// Message is a message as the published evaluator reads it.
type Message struct {
	from      Address
	to        []Address
	subject   string
	dateText  string
	date      string // in ISO form, empty where the text is no date
	id        string
	inReplyTo string
	body      string
}

// Divider is what the published reading cuts files at, wherever it stands.
var Divider = strings.Repeat("-", 60)

// Parse reads a document as the published evaluator does. It has no errors: what stands between dividers is a message.
func Parse(files vfs.Files) ([]Message, error) {
	var all []Message
	for _, name := range files.Names() {
		switch path.Ext(name) {
		case ".eml", ".txt":
			for piece := range strings.SplitSeq(files[name], Divider) {
				if piece = pytext.Strip(piece); piece != "" {
					all = append(all, parseMessage(piece))
				}
			}
		}
	}
	return all, nil
}

func parseMessage(piece string) Message {
	e := ParseEntity(piece)
	m := Message{
		from:      Lowered(ParseAddress(DecodeWords(e.Get("From")))),
		to:        parseRecipients(DecodeWords(e.Get("To"))),
		subject:   pytext.Strip(DecodeWords(e.Get("Subject"))),
		dateText:  pytext.Strip(e.Get("Date")),
		id:        pytext.Strip(e.Get("Message-ID")),
		inReplyTo: firstID(e.Get("In-Reply-To")),
		body:      pytext.Strip(e.publishedBody()),
	}
	if date, ok := ParseDate(m.dateText); ok {
		m.date = date.iso()
	}
	return m
}

// parseRecipients cuts a header at commas outside quotes.
func parseRecipients(text string) []Address {
	var all []Address
	for _, part := range cutOutside(text, ',', func(at int) bool { return text[at] == '"' }) {
		if part = pytext.Strip(part); part != "" {
			all = append(all, Lowered(ParseAddress(part)))
		}
	}
	return all
}

// Lowered is an address with its mailbox in lower case.
func Lowered(a Address) Address { return Address{a.Name, pytext.Lower(a.Addr)} }

var bracketed = lazyregexp.New(`<[^>]+>`)

// firstID is the first text in angle brackets, with them, otherwise all of it.
func firstID(text string) string {
	if id := bracketed.FindString(text); id != "" {
		return id
	}
	return pytext.Strip(text)
}

// publishedBody is the payload as it stands, but of a multipart message the first part of plain text, decoded.
func (e *Entity) publishedBody() string {
	if !e.IsMultipart() {
		return e.Payload
	}
	part := e.firstText()
	if part == nil {
		return ""
	}
	text, err := unicode.UTF8.NewDecoder().Bytes(part.decoded())
	if err != nil {
		return ""
	}
	return string(text)
}

func (e *Entity) firstText() *Entity {
	if !e.IsMultipart() {
		if e.contentType() == "text/plain" {
			return e
		}
		return nil
	}
	for _, part := range e.Parts {
		if found := part.firstText(); found != nil {
			return found
		}
	}
	return nil
}

// Entity is a message or a part of one, read as Python's email package reads it, which rejects nothing.
type Entity struct {
	Envelope string // a first line "From x"
	Headers  []Header
	// fallback is the content type where none is stated.
	fallback string
	// A multipart entity has parts and mostly no payload, any other a payload that is still encoded.
	Parts   []*Entity
	Payload string
	// around are the texts before the first and after the last part.
	Around []string
}

// Header is one header; a folded value keeps its line breaks.
type Header struct{ Name, Value string }

// Get returns the first header of the name, in any case.
func (e *Entity) Get(name string) string {
	for _, h := range e.Headers {
		if strings.EqualFold(h.Name, name) {
			return h.Value
		}
	}
	return ""
}

// contentType is the lower-cased type, "text/plain" where it is malformed.
func (e *Entity) contentType() string {
	value := e.Get("Content-Type")
	if value == "" {
		return e.fallback
	}
	value, _, _ = strings.Cut(value, ";")
	value = pytext.Lower(pytext.Strip(value))
	if strings.Count(value, "/") != 1 {
		return "text/plain"
	}
	return value
}

// MainType is the content type up to the slash, in lower case.
func (e *Entity) MainType() string {
	main, _, _ := strings.Cut(e.contentType(), "/")
	return main
}

// IsMultipart reports whether the entity has parts.
func (e *Entity) IsMultipart() bool { return e.Parts != nil }

// Parameter returns a parameter of the content type; false if there is none.
func (e *Entity) Parameter(name string) (string, bool) {
	value := e.Get("Content-Type")
	isQuote := func(at int) bool { return value[at] == '"' && (at == 0 || value[at-1] != '\\') }
	for _, piece := range cutOutside(value, ';', isQuote)[1:] {
		found, value, stated := strings.Cut(piece, "=")
		if stated {
			found = pytext.Lower(found)
		}
		if pytext.Strip(found) != name {
			continue
		}
		value = pytext.Strip(value)
		if len(value) > 1 && value[0] == '"' && value[len(value)-1] == '"' {
			value = unescaped.Replace(value[1 : len(value)-1])
		}
		return pytext.StripRight(value), true
	}
	return "", false
}

// cutOutside cuts a text at a separator outside of quotes.
func cutOutside(text string, separator byte, isQuote func(at int) bool) (pieces []string) {
	quoted, start := false, 0
	for at := range len(text) {
		if isQuote(at) {
			quoted = !quoted
		} else if text[at] == separator && !quoted {
			pieces = append(pieces, text[start:at])
			start = at + 1
		}
	}
	return append(pieces, text[start:])
}

// decoded undoes the transfer encoding as Python does: what cannot be decoded stays as it is.
func (e *Entity) decoded() []byte {
	raw := rawUnicodeEscape(e.Payload)
	switch pytext.Lower(e.Get("Content-Transfer-Encoding")) {
	case "quoted-printable":
		return DecodeQuotedPrintable(raw)
	case "base64":
		joined := Unfolded(string(raw))
		if bytes, ok := DecodeBase64(joined); ok {
			return bytes
		}
		return []byte(joined)
	}
	return raw
}

// escape is an equals sign in quoted-printable that does not stand for itself: it begins an
// octet or a soft line break, is doubled, or is the last character.
var escape = lazyregexp.New(`=(?:[0-9A-Fa-f]{2}|=|\n|\r[^\n]*\n?|\z)`)

// DecodeQuotedPrintable follows binascii.a2b_qp.
func DecodeQuotedPrintable(text []byte) []byte {
	return escape.ReplaceAllFunc(text, func(found []byte) []byte {
		if string(found) == "==" {
			return found[:1]
		}
		octet, _ := hex.DecodeString(string(found[1:])) // none of a line break
		return octet
	})
}

// DecodeBase64 passes over what is no base64 and takes text without its padding; false if the length cannot be right.
func DecodeBase64(text string) ([]byte, bool) {
	digits := make([]byte, 0, len(text))
	padding := 0
	for at := range len(text) {
		c := text[at]
		if c == '=' && len(digits)%4 >= 2 {
			if padding++; len(digits)%4+padding >= 4 {
				break
			}
		}
		if c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '/' {
			digits = append(digits, c)
			padding = 0
		}
	}
	out := make([]byte, base64.RawStdEncoding.DecodedLen(len(digits)))
	n, err := base64.RawStdEncoding.Decode(out, digits)
	return out[:n], err == nil
}

// deepest is how many entities may lie within each other; what lies deeper is text.
const deepest = 50

// ParseEntity reads a message or part from its text.
func ParseEntity(text string) *Entity {
	p := entityParser{lines: slices.DeleteFunc(strings.SplitAfter(text, "\n"), func(line string) bool { return line == "" })}
	return p.entity("text/plain", 0)
}

// entityParser is the procedure of Python's email.feedparser.
type entityParser struct {
	lines []string
	at    int // the next line
	// ends are the conditions under which the entities in hand end.
	ends []func(line string) bool
}

// next takes a line; false at the end of the innermost entity.
func (p *entityParser) next() (string, bool) {
	if p.at == len(p.lines) {
		return "", false
	}
	line := p.lines[p.at]
	for _, ends := range p.ends {
		if ends(line) {
			return "", false
		}
	}
	p.at++
	return line, true
}

// rest takes all lines of the innermost entity.
func (p *entityParser) rest() string {
	var b strings.Builder
	for line, ok := p.next(); ok; line, ok = p.next() {
		b.WriteString(line)
	}
	return b.String()
}

func (p *entityParser) entity(fallback string, depth int) *Entity {
	e := &Entity{fallback: fallback}
	p.headers(e)
	boundary, bounded := "", false
	if e.MainType() == "multipart" {
		boundary, bounded = e.Parameter("boundary")
	}
	switch {
	case depth == deepest:
		e.Payload = p.rest()
	case e.MainType() == "message":
		e.Parts = []*Entity{p.entity("text/plain", depth+1)}
	case bounded:
		p.multipart(e, "--"+boundary, depth)
	default:
		e.Payload = p.rest()
	}
	return e
}

// headers reads up to the blank line, which it takes, or the first line that is no header, which it leaves.
func (p *entityParser) headers(e *Entity) {
	var lines []string
	for line, ok := p.next(); ok; line, ok = p.next() {
		if !IsHeaderLine(line) {
			if !isLineEnd(line) {
				p.at--
			}
			break
		}
		lines = append(lines, line)
	}
	for n := 0; n < len(lines); n++ {
		line := lines[n]
		switch {
		case line[0] == ' ' || line[0] == '\t':
			continue // belongs to no header
		case strings.HasPrefix(line, "From "):
			if n == 0 {
				e.Envelope = strings.TrimRight(line, "\r\n")
			}
			continue
		}
		name, value, _ := strings.Cut(line, ":")
		first := n + 1
		for n+1 < len(lines) && (lines[n+1][0] == ' ' || lines[n+1][0] == '\t') {
			n++
		}
		value += strings.Join(lines[first:n+1], "")
		if name != "" {
			e.Headers = append(e.Headers, Header{name, strings.TrimRight(strings.TrimLeft(value, " \t"), "\r\n")})
		}
	}
}

// IsHeaderLine reports whether a line begins or continues a header, or is an envelope line.
func IsHeaderLine(line string) bool {
	if line[0] == ' ' || line[0] == '\t' || strings.HasPrefix(line, "From ") {
		return true
	}
	return HeaderName(line) >= 0
}

// HeaderName is the length of the header name at the start of a line, of printable ASCII before a colon; -1 if there is none.
func HeaderName(line string) int {
	for i := range len(line) {
		switch c := line[i]; {
		case c == ':':
			return i
		case c < '!' || c > '~':
			return -1
		}
	}
	return -1
}

func isLineEnd(line string) bool { return line[0] == '\n' || line[0] == '\r' }

func (p *entityParser) multipart(e *Entity, delimiter string, depth int) {
	isDelimiter := func(line string) bool { delimits, _ := delimits(line, delimiter); return delimits }
	var preamble strings.Builder
	for line, ok := p.next(); ok; line, ok = p.next() {
		is, last := delimits(line, delimiter)
		switch {
		case is && last:
			e.closeParts(preamble.String(), p.rest())
			return
		case !is:
			preamble.WriteString(line)
			continue
		}
		p.ends = append(p.ends, isDelimiter)
		e.Parts = append(e.Parts, p.entity("text/plain", depth+1))
		p.ends = p.ends[:len(p.ends)-1]
	}
	e.closeParts(preamble.String(), "")
}

// closeParts ends a multipart entity. One in which no part began is text.
func (e *Entity) closeParts(preamble, epilogue string) {
	if e.Parts == nil {
		e.Payload = preamble
		return
	}
	e.Around = []string{preamble, epilogue}
}

// delimits reports whether a line is the delimiter of parts, and whether it is the closing one.
func delimits(line, delimiter string) (is, last bool) {
	rest, ok := strings.CutPrefix(line, delimiter)
	if !ok {
		return false, false
	}
	rest, last = strings.CutPrefix(rest, "--")
	rest = strings.TrimRight(strings.TrimLeft(rest, " \t"), "\r\n")
	return rest == "", last
}

// Unfolded is a header's value on one line.
func Unfolded(value string) string { return lineBreaks.Replace(value) }

var (
	lineBreaks = strings.NewReplacer("\r", "", "\n", "")
	unescaped  = strings.NewReplacer(`\\`, `\`, `\"`, `"`)
)
