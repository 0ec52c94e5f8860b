package emails

import "strings"

// deepest is how many entities may lie within each other; what lies deeper is
// text.
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
	case e.contentType() == "message/delivery-status":
		p.deliveryStatus(e, depth)
	case e.mainType() == "message":
		e.parts = []*entity{p.entity("text/plain", depth+1)}
	case bounded:
		p.multipart(e, "--"+boundary, depth)
	default:
		e.payload = p.rest()
	}
	return e
}

// headers reads up to the blank line, which it takes, or the first line that
// is no header, which it leaves.
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

// isHeaderLine reports whether a line begins or continues a header, or is an
// envelope line.
func isHeaderLine(line string) bool {
	if line[0] == ' ' || line[0] == '\t' || strings.HasPrefix(line, "From ") {
		return true
	}
	return headerName(line) >= 0
}

// headerName is the length of the header name at the start of a line, -1 if
// there is no colon after printable ASCII.
func headerName(line string) int {
	for at := range len(line) {
		switch c := line[at]; {
		case c == ':':
			return at
		case c <= ' ' || c > '~':
			return -1
		}
	}
	return -1
}

// deliveryStatus reads blocks of headers divided by blank lines.
func (p *entityParser) deliveryStatus(e *entity, depth int) {
	e.parts = []*entity{}
	for {
		p.ends = append(p.ends, isLineEnd)
		e.parts = append(e.parts, p.entity("text/plain", depth+1))
		p.ends = p.ends[:len(p.ends)-1]
		if _, ok := p.next(); !ok { // the blank line
			return
		}
		if _, ok := p.next(); !ok {
			return
		}
		p.at--
	}
}

func isLineEnd(line string) bool { return line[0] == '\n' || line[0] == '\r' }

func (p *entityParser) multipart(e *entity, delimiter string, depth int) {
	isDelimiter := func(line string) bool { delimits, _ := delimits(line, delimiter); return delimits }
	inside := "text/plain"
	if e.contentType() == "multipart/digest" {
		inside = "message/rfc822"
	}
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
		e.parts = append(e.parts, p.entity(inside, depth+1))
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

// delimits reports whether a line is the delimiter of parts, and whether it is
// the closing one.
func delimits(line, delimiter string) (is, last bool) {
	rest, ok := strings.CutPrefix(line, delimiter)
	if !ok {
		return false, false
	}
	rest, last = strings.CutPrefix(rest, "--")
	rest = strings.TrimRight(strings.TrimLeft(rest, " \t"), "\r\n")
	return rest == "", last
}
