package emails

import (
	"encoding/base64"
	"encoding/hex"
	"regexp"
	"strings"

	"agentd/domains/internal/pytext"
)

// entity is a message or a part of one, read as Python's email package reads it, which rejects nothing.
type entity struct {
	envelope string // a first line "From x"
	headers  []header
	// fallback is the content type where none is stated.
	fallback string
	// A multipart entity has parts and mostly no payload, any other a payload that is still encoded.
	parts   []*entity
	payload string
	// around are the texts before the first and after the last part.
	around []string
}

// header is one header; a folded value keeps its line breaks.
type header struct{ name, value string }

// get returns the first header of the name, in any case.
func (e *entity) get(name string) string {
	for _, h := range e.headers {
		if strings.EqualFold(h.name, name) {
			return h.value
		}
	}
	return ""
}

// contentType is the lower-cased type, "text/plain" where it is malformed.
func (e *entity) contentType() string {
	value := e.get("Content-Type")
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

func (e *entity) mainType() string {
	main, _, _ := strings.Cut(e.contentType(), "/")
	return main
}

func (e *entity) isMultipart() bool { return e.parts != nil }

// parameter returns a parameter of the content type; false if there is none.
func (e *entity) parameter(name string) (string, bool) {
	value := e.get("Content-Type")
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
			value = strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(value[1 : len(value)-1])
		} else if len(value) > 1 && value[0] == '<' && value[len(value)-1] == '>' {
			value = value[1 : len(value)-1]
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
func (e *entity) decoded() []byte {
	raw := rawUnicodeEscape(e.payload)
	switch pytext.Lower(e.get("Content-Transfer-Encoding")) {
	case "quoted-printable":
		return decodeQuotedPrintable(raw)
	case "base64":
		joined := unfolded(string(raw))
		if bytes, ok := decodeBase64(joined); ok {
			return bytes
		}
		return []byte(joined)
	}
	return raw
}

// escape is an equals sign in quoted-printable that does not stand for itself: it begins an
// octet or a soft line break, is doubled, or is the last character.
var escape = regexp.MustCompile(`=(?:[0-9A-Fa-f]{2}|=|\n|\r[^\n]*\n?|\z)`)

// decodeQuotedPrintable follows binascii.a2b_qp.
func decodeQuotedPrintable(text []byte) []byte {
	return escape.ReplaceAllFunc(text, func(found []byte) []byte {
		if string(found) == "==" {
			return found[:1]
		}
		octet, _ := hex.DecodeString(string(found[1:])) // none of a line break
		return octet
	})
}

// decodeBase64 passes over what is no base64 and takes text without its padding; false if the length cannot be right.
func decodeBase64(text string) ([]byte, bool) {
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

// parseEntity reads a message or part from its text.
func parseEntity(text string) *entity {
	p := entityParser{lines: linesWithEnds(text)}
	return p.entity("text/plain", 0)
}

// linesWithEnds cuts after LF, CR and CRLF.
func linesWithEnds(text string) []string {
	lines := make([]string, 0, 1+strings.Count(text, "\n"))
	for start := 0; start < len(text); {
		end := strings.IndexAny(text[start:], "\r\n")
		if end < 0 {
			return append(lines, text[start:])
		}
		end += start + 1
		if text[end-1] == '\r' && strings.HasPrefix(text[end:], "\n") {
			end++
		}
		lines = append(lines, text[start:end])
		start = end
	}
	return lines
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

func (p *entityParser) entity(fallback string, depth int) *entity {
	e := &entity{fallback: fallback}
	p.headers(e)
	boundary, bounded := "", false
	if e.mainType() == "multipart" {
		boundary, bounded = e.parameter("boundary")
	}
	switch {
	case depth == deepest:
		e.payload = p.rest()
	case e.mainType() == "message":
		e.parts = []*entity{p.entity("text/plain", depth+1)}
	case bounded:
		p.multipart(e, "--"+boundary, depth)
	default:
		e.payload = p.rest()
	}
	return e
}

// headers reads up to the blank line, which it takes, or the first line that is no header, which it leaves.
func (p *entityParser) headers(e *entity) {
	var lines []string
	for line, ok := p.next(); ok; line, ok = p.next() {
		if !isHeaderLine(line) {
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
				e.envelope = strings.TrimRight(line, "\r\n")
			} else if n == len(lines)-1 { // begins the body
				p.at--
				p.lines[p.at] = line
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
			e.headers = append(e.headers, header{name, strings.TrimRight(strings.TrimLeft(value, " \t"), "\r\n")})
		}
	}
}

// isHeaderLine reports whether a line begins or continues a header, or is an envelope line.
func isHeaderLine(line string) bool {
	if line[0] == ' ' || line[0] == '\t' || strings.HasPrefix(line, "From ") {
		return true
	}
	return headerName(line) >= 0
}

// nameAndColon is the name of a header, of printable ASCII, with its colon.
var nameAndColon = regexp.MustCompile(`^[!-9;-~]*:`)

// headerName is the length of the header name at the start of a line, -1 if there is none.
func headerName(line string) int { return len(nameAndColon.FindString(line)) - 1 }

func isLineEnd(line string) bool { return line[0] == '\n' || line[0] == '\r' }

func (p *entityParser) multipart(e *entity, delimiter string, depth int) {
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
		for p.at < len(p.lines) && isDelimiter(p.lines[p.at]) {
			if _, ok := p.next(); !ok {
				break
			}
		}
		p.ends = append(p.ends, isDelimiter)
		e.parts = append(e.parts, p.entity("text/plain", depth+1))
		p.ends = p.ends[:len(p.ends)-1]
	}
	e.closeParts(preamble.String(), "")
}

// closeParts ends a multipart entity. One in which no part began is text.
func (e *entity) closeParts(preamble, epilogue string) {
	if e.parts == nil {
		e.payload = preamble
		return
	}
	e.around = []string{preamble, epilogue}
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
