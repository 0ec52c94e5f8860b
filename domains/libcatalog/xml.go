package libcatalog

import (
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains/internal/pytext"
)

type tokenKind uint8

const (
	characters tokenKind = iota
	startTag
	endTag
	section     // character data in a CDATA section
	aside       // a comment or processing instruction
	declaration // of a document type
)

// token is a tag or what stands between two.
type token struct {
	kind       tokenKind
	raw        string // as it is written
	name       string // of a tag, with its prefix
	attributes []attribute
	empty      bool   // the start tag is the end tag, too
	text       string // of characters, with references resolved
}

type attribute struct{ name, value string }

func (t *token) attribute(name string) (string, bool) {
	for i := range t.attributes {
		if t.attributes[i].name == name {
			return t.attributes[i].value, true
		}
	}
	return "", false
}

// local is the tag's name without its prefix.
func (t *token) local() string { return t.name[strings.IndexByte(t.name, ':')+1:] }

// scanner takes XML apart into tokens. It reads on where a parser must stop;
// fault is the first such place. What only the whole document shows, such as
// tags that do not match, is left to its user.
type scanner struct {
	text  string
	at    int
	ascii bool // the XML declaration allows no other characters
	fault error
}

func newScanner(text string) *scanner {
	return &scanner{text: pytext.UniversalNewlines(strings.TrimPrefix(text, "\ufeff"))}
}

func (s *scanner) fail(at int, why string, about ...any) {
	if s.fault == nil {
		s.fault = fmt.Errorf("line %d: %s", 1+strings.Count(s.text[:at], "\n"), fmt.Sprintf(why, about...))
	}
}

func (s *scanner) rest() string { return s.text[s.at:] }

// next returns the next token; false at the end of the text.
func (s *scanner) next() (token, bool) {
	start, rest := s.at, s.rest()
	if rest == "" {
		return token{}, false
	}
	var t token
	switch {
	case rest[0] != '<':
		t = s.characters()
	case strings.HasPrefix(rest, "<!--"):
		t = s.comment()
	case strings.HasPrefix(rest, "<![CDATA["):
		t = s.section()
	case strings.HasPrefix(rest, "<!DOCTYPE"):
		t = s.doctype()
	case strings.HasPrefix(rest, "<?"):
		t = s.instruction()
	case strings.HasPrefix(rest, "</"):
		t = s.endTag()
	case s.nameEnd(s.at+1) > s.at+1:
		t = s.startTag()
	default:
		s.fail(s.at, "< begins no tag")
		s.at++
		t = token{kind: characters, text: "<"}
	}
	t.raw = s.text[start:s.at]
	return t, true
}

func (s *scanner) characters() token {
	start := s.at
	s.skipTo("<")
	raw := s.text[start:s.at]
	if strings.Contains(raw, "]]>") {
		s.fail(start, "]]> outside of a CDATA section")
	}
	return token{kind: characters, text: s.resolved(start, raw)}
}

// skipTo moves to the first of the given characters, or to the end.
func (s *scanner) skipTo(any string) {
	if n := strings.IndexAny(s.rest(), any); n >= 0 {
		s.at += n
	} else {
		s.at = len(s.text)
	}
}

// within returns what stands between an opening and its close, and moves
// after that. Where the close is missing, it is all the rest.
func (s *scanner) within(opening, closing string) (string, bool) {
	start := s.at + len(opening)
	body, _, closed := strings.Cut(s.text[start:], closing)
	if !closed {
		s.fail(s.at, "%s is not closed", opening)
		s.at = len(s.text)
		return s.text[start:], false
	}
	s.checkCharacters(start, body)
	s.at = start + len(body) + len(closing)
	return body, true
}

func (s *scanner) comment() token {
	start := s.at
	body, closed := s.within("<!--", "-->")
	if !closed {
		return token{kind: characters, text: s.text[start:]}
	}
	if strings.Contains(body, "--") || strings.HasSuffix(body, "-") {
		s.fail(start, "-- inside a comment")
	}
	return token{kind: aside}
}

func (s *scanner) section() token {
	body, _ := s.within("<![CDATA[", "]]>")
	return token{kind: section, text: body}
}

func (s *scanner) instruction() token {
	start := s.at
	body, closed := s.within("<?", "?>")
	if !closed {
		return token{kind: characters, text: s.text[start:]}
	}
	name := body[:s.nameEnd(start+2)-start-2]
	switch {
	case name == "xml" && start == 0:
		s.declared(body[len(name):])
	case strings.EqualFold(name, "xml"):
		s.fail(start, "an XML declaration that is not at the start")
	case name == "" || len(body) > len(name) && !isXMLSpace(body[len(name)]):
		s.fail(start, "a processing instruction without a name")
	}
	return token{kind: aside}
}

var declarationSyntax = regexp.MustCompile(`^[ \t\n]+version[ \t\n]*=[ \t\n]*(?:"[\w.-]*"|'[\w.-]*')` +
	`(?:[ \t\n]+encoding[ \t\n]*=[ \t\n]*(?:"([A-Za-z][\w.-]*)"|'([A-Za-z][\w.-]*)'))?` +
	`(?:[ \t\n]+standalone[ \t\n]*=[ \t\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\n]*$`)

// declared reads the XML declaration. The text is UTF-8, even if another encoding is
// named, but not every encoding's parser can read that.
func (s *scanner) declared(body string) {
	parts := declarationSyntax.FindStringSubmatch(body)
	if parts == nil {
		s.fail(0, "a malformed XML declaration")
		return
	}
	switch encoding := strings.ToLower(parts[1] + parts[2]); encoding {
	case "us-ascii":
		s.ascii = true
	case "utf-16", "utf-16le", "utf-16be":
		s.fail(0, "the text is not in %s", encoding)
	}
}

// doctype reads to the > that is in no quotes or brackets.
func (s *scanner) doctype() token {
	start := s.at
	depth, quote := 0, byte(0)
	for ; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '[':
			depth++
		case c == ']':
			depth--
		case c == '>' && depth <= 0:
			s.at++
			return token{kind: declaration}
		}
	}
	s.fail(start, "<!DOCTYPE is not closed")
	return token{kind: characters, text: s.text[start:]}
}

func (s *scanner) endTag() token {
	start := s.at
	s.at = s.nameEnd(start + 2)
	t := token{kind: endTag, name: s.text[start+2 : s.at]}
	s.skipSpace()
	if t.name == "" || !strings.HasPrefix(s.rest(), ">") {
		s.fail(start, "a malformed end tag")
		s.skipTo("<>")
	}
	if strings.HasPrefix(s.rest(), ">") {
		s.at++
	}
	return t
}

func (s *scanner) startTag() token {
	start := s.at
	s.at = s.nameEnd(start + 1)
	t := token{kind: startTag, name: s.text[start+1 : s.at]}
	if !isQualified(t.name) {
		s.fail(start, "%s is no name", t.name)
	}
	for {
		spaced := s.skipSpace()
		switch rest := s.rest(); {
		case strings.HasPrefix(rest, ">"):
			s.at++
			return t
		case strings.HasPrefix(rest, "/>"):
			s.at += len("/>")
			t.empty = true
			return t
		}
		a, ok := s.attribute()
		if !ok || !spaced {
			s.fail(start, "a malformed tag %s", t.name)
		}
		if !ok {
			s.leaveTag(&t)
			return t
		}
		t.attributes = append(t.attributes, a)
	}
}

// leaveTag ends a tag that cannot be read further: after the next >, or
// before the next <.
func (s *scanner) leaveTag(t *token) {
	s.skipTo("<>")
	if strings.HasPrefix(s.rest(), ">") {
		t.empty = s.text[s.at-1] == '/'
		s.at++
	}
}

func (s *scanner) attribute() (attribute, bool) {
	end := s.nameEnd(s.at)
	a := attribute{name: s.text[s.at:end]}
	if !isQualified(a.name) {
		return a, false
	}
	s.at = end
	s.skipSpace()
	if !strings.HasPrefix(s.rest(), "=") {
		return a, false
	}
	s.at++
	s.skipSpace()
	rest := s.rest()
	if rest == "" || rest[0] != '"' && rest[0] != '\'' {
		return a, false
	}
	value, _, closed := strings.Cut(rest[1:], rest[:1])
	if !closed || strings.Contains(value, "<") {
		return a, false
	}
	a.value = s.resolved(s.at+1, blanks.Replace(value))
	s.at += len(value) + 2
	return a, true
}

// blanks makes white space in an attribute blanks.
var blanks = strings.NewReplacer("\n", " ", "\t", " ")

func (s *scanner) skipSpace() bool {
	start := s.at
	for s.at < len(s.text) && isXMLSpace(s.text[s.at]) {
		s.at++
	}
	return s.at > start
}

func isXMLSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' }

// nameEnd is where the name at a place ends, the place itself if there is none.
func (s *scanner) nameEnd(start int) int {
	for at, r := range s.text[start:] {
		inside := unicode.IsLetter(r) || r == '_' || r == ':' ||
			at > 0 && (unicode.IsDigit(r) || r == '-' || r == '.' || r == '·' || unicode.In(r, unicode.Mn, unicode.Mc, unicode.Lm))
		if !inside {
			return start + at
		}
	}
	return len(s.text)
}

// isQualified reports whether a name is one, with at most one prefix.
func isQualified(name string) bool {
	prefix, local, prefixed := strings.Cut(name, ":")
	if !prefixed {
		return name != ""
	}
	first, _ := utf8.DecodeRuneInString(local)
	return prefix != "" && (unicode.IsLetter(first) || first == '_') && !strings.Contains(local, ":")
}

// resolved is a text with its references resolved. One that is none stays as
// it is written.
func (s *scanner) resolved(start int, raw string) string {
	s.checkCharacters(start, raw)
	if !strings.Contains(raw, "&") {
		return raw
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(raw, "&")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		n := 0
		for n < len(after) && (after[n] == '#' || after[n] >= '0' && after[n] <= '9' || after[n]|0x20 >= 'a' && after[n]|0x20 <= 'z') {
			n++
		}
		if !strings.HasPrefix(after[n:], ";") {
			s.fail(start, "& begins no reference")
			b.WriteString("&")
			raw = after
			continue
		}
		b.WriteString(s.reference(start, after[:n]))
		raw = after[n+1:]
	}
}

func (s *scanner) reference(start int, name string) string {
	switch name {
	case "amp":
		return "&"
	case "lt":
		return "<"
	case "gt":
		return ">"
	case "quot":
		return `"`
	case "apos":
		return "'"
	}
	if r, ok := numbered(name); ok {
		return string(r)
	}
	s.fail(start, "&%s; is no character", name)
	return html.UnescapeString("&" + name + ";")
}

// numbered is the character of a reference by number.
func numbered(name string) (rune, bool) {
	digits, ok := strings.CutPrefix(name, "#")
	base := 10
	if hex, isHex := strings.CutPrefix(digits, "x"); isHex {
		digits, base = hex, 16
	}
	n, err := strconv.ParseUint(digits, base, 32)
	if !ok || err != nil || n > unicode.MaxRune || !isXMLCharacter(rune(n)) {
		return 0, false
	}
	return rune(n), true
}

func isXMLCharacter(r rune) bool {
	return r >= 0x20 && utf8.ValidRune(r) && r != 0xfffe && r != 0xffff || r == '\n' || r == '\t' || r == '\r'
}

func (s *scanner) checkCharacters(start int, raw string) {
	if s.fault != nil {
		return
	}
	for at := 0; at < len(raw); at++ {
		c := raw[at]
		if c >= 0x20 && c < utf8.RuneSelf || c == '\n' || c == '\t' {
			continue
		}
		r, size := utf8.DecodeRuneInString(raw[at:])
		if s.ascii || !isXMLCharacter(r) || r == utf8.RuneError && size == 1 {
			s.fail(start+at, "the character %q", raw[at:at+size])
			return
		}
		at += size - 1
	}
}
