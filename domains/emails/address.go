package emails

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/pytext"
)

// address is a mailbox: a display name and an address proper.
type address struct{ name, addr string }

// parseAddress reads the one address of a text; a text that holds several, or
// none that can be read, gives an empty one.
func parseAddress(text string) address {
	if !balanced(text) {
		return address{}
	}
	all := parseAddresses(text)
	if len(all) != 1 || strings.Contains(all[0].addr, "[") {
		return address{}
	}
	return all[0]
}

// quoted is what a backslash escapes, or stands in quotation marks.
var quoted = regexp.MustCompile(`(?s)\\.|"(?:[^"\\]|\\.)*"`)

// balanced reports whether the parentheses outside of quoted names match.
func balanced(text string) bool {
	open := 0
	for _, r := range quoted.ReplaceAllString(text, "") {
		switch r {
		case '(':
			open++
		case ')':
			if open--; open < 0 {
				return false
			}
		}
	}
	return open == 0
}

// parseAddresses reads a list of addresses as Python's email.utils does, which takes any text.
func parseAddresses(text string) []address {
	p := addressParser{text: []rune(text)}
	var all []address
	for p.at < len(p.text) {
		if found := p.address(0); len(found) > 0 {
			all = append(all, found...)
		} else {
			all = append(all, address{})
		}
	}
	return all
}

const (
	specials   = `()<>@,:;."[]`
	blanks     = " \t"
	lineEnds   = "\r\n"
	atomEnds   = specials + blanks + lineEnds
	phraseEnds = `()<>@,:;"[]` + blanks + lineEnds
)

type addressParser struct {
	text     []rune
	at       int
	comments []string
}

// on reports whether the character in hand is one of a set.
func (p *addressParser) on(set string) bool {
	return p.at < len(p.text) && p.text[p.at] < utf8.RuneSelf && strings.IndexByte(set, byte(p.text[p.at])) >= 0
}

// skip passes over white space and comments, and returns the blanks.
func (p *addressParser) skip() string {
	var passed []rune
	for p.at < len(p.text) {
		switch {
		case p.on(blanks):
			passed = append(passed, p.text[p.at])
			p.at++
		case p.on(lineEnds):
			p.at++
		case p.on("("):
			p.comment()
		default:
			return string(passed)
		}
	}
	return string(passed)
}

func (p *addressParser) address(depth int) []address {
	p.comments = nil
	p.skip()
	start := p.at
	phrase := p.phrase()
	p.skip()
	comment := func() string { return strings.Join(p.comments, " ") }
	var found []address
	switch {
	case p.at == len(p.text):
		if len(phrase) > 0 {
			found = []address{{comment(), phrase[0]}}
		}
	case p.on(".@"):
		p.at = start
		addr := p.addrSpec()
		found = []address{{comment(), addr}}
	case p.on(":"):
		found = p.group(depth)
	case p.on("<"):
		addr := p.bracketed()
		name := strings.Join(phrase, " ")
		if len(p.comments) > 0 {
			name += " (" + comment() + ")"
		}
		found = []address{{name, addr}}
	case len(phrase) > 0:
		found = []address{{comment(), phrase[0]}}
	case p.on(specials):
		p.at++
	}
	p.skip()
	if p.on(",") {
		p.at++
	}
	for n, a := range found {
		found[n] = address{pytext.Strip(a.name), pytext.Strip(a.addr)}
	}
	return found
}

// group reads the members of a group, up to its semicolon.
func (p *addressParser) group(depth int) []address {
	var members []address
	p.at++
	for p.at < len(p.text) {
		p.skip()
		if p.on(";") {
			p.at++
			break
		}
		if depth == deepest {
			p.at = len(p.text)
			break
		}
		members = append(members, p.address(depth+1)...)
	}
	return members
}

// bracketed reads what stands in angle brackets.
func (p *addressParser) bracketed() string {
	p.at++
	p.skip()
	addr := p.addrSpec()
	p.at = min(p.at+1, len(p.text))
	return addr
}

func (p *addressParser) addrSpec() string {
	var local []string
	dropBlank := func() {
		if n := len(local); n > 0 && pytext.Strip(local[n-1]) == "" {
			local = local[:n-1]
		}
	}
	p.skip()
	for p.at < len(p.text) {
		keepBlanks := true
		if p.on(".") {
			dropBlank()
			local = append(local, ".")
			p.at++
			keepBlanks = false
		} else if p.on(`"`) {
			quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(p.quoted())
			local = append(local, `"`+quoted+`"`)
		} else if p.on(atomEnds) {
			dropBlank()
			break
		} else {
			local = append(local, p.atom(atomEnds))
		}
		if passed := p.skip(); keepBlanks && passed != "" {
			local = append(local, passed)
		}
	}
	if !p.on("@") {
		return strings.Join(local, "")
	}
	p.at++
	p.skip()
	domain := p.domain()
	if domain == "" {
		return ""
	}
	return strings.Join(local, "") + "@" + domain
}

func (p *addressParser) domain() string {
	var b strings.Builder
	for p.at < len(p.text) {
		switch {
		case p.on(blanks):
			p.at++
		case p.on("("):
			p.comment()
		case p.on("["):
			b.WriteString("[" + p.delimited(']', false, 0) + "]")
		case p.on("."):
			b.WriteByte('.')
			p.at++
		case p.on("@"):
			return "" // of two domains neither is trusted
		case p.on(atomEnds):
			return b.String()
		default:
			b.WriteString(p.atom(atomEnds))
		}
	}
	return b.String()
}

func (p *addressParser) comment() { p.comments = append(p.comments, p.delimited(')', true, 0)) }

func (p *addressParser) quoted() string { return p.delimited('"', false, 0) }

// delimited reads up to the closing character, or a carriage return.
func (p *addressParser) delimited(end rune, nests bool, depth int) string {
	var b strings.Builder
	escaped := false
	p.at++
	for p.at < len(p.text) {
		c := p.text[p.at]
		switch {
		case escaped:
			b.WriteRune(c)
			escaped = false
		case c == end || c == '\r':
			p.at++
			return b.String()
		case nests && c == '(' && depth < deepest:
			b.WriteString(p.delimited(end, true, depth+1))
			continue
		case c == '\\':
			escaped = true
		default:
			b.WriteRune(c)
		}
		p.at++
	}
	return b.String()
}

func (p *addressParser) atom(ends string) string {
	start := p.at
	for p.at < len(p.text) && !p.on(ends) {
		p.at++
	}
	return string(p.text[start:p.at])
}

// phrase reads words, quoted or not.
func (p *addressParser) phrase() []string {
	var words []string
	for p.at < len(p.text) {
		switch {
		case p.on(blanks + lineEnds):
			p.at++
		case p.on(`"`):
			words = append(words, p.quoted())
		case p.on("("):
			p.comment()
		case p.on(phraseEnds):
			return words
		default:
			words = append(words, p.atom(phraseEnds))
		}
	}
	return words
}
