package emails

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"agentd/domains/internal/pytext"
	"agentd/internal/lazyregexp"
)

// Address is a mailbox: a display name and an address proper.
type Address struct{ Name, Addr string }

// ParseAddress reads the one address of a text; a text that holds several, or
// none that can be read, gives an empty one.
func ParseAddress(text string) Address {
	if !balanced(text) {
		return Address{}
	}
	if all := ParseAddresses(text); len(all) == 1 {
		return all[0]
	}
	return Address{}
}

// quoted is what a backslash escapes, or stands in quotation marks.
var quoted = lazyregexp.New(`(?s)\\.|"(?:[^"\\]|\\.)*"`)

// balanced reports whether the parentheses outside of quoted names match.
func balanced(text string) bool {
	if !strings.ContainsAny(text, "()") {
		return true
	}
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

// ParseAddresses reads a list of addresses as Python's email.utils does, which takes any text.
func ParseAddresses(text string) (all []Address) {
	for p := (addressParser{text: []rune(text)}); p.at < len(p.text); {
		all = append(all, p.address())
	}
	return all
}

const (
	blanks     = " \t"
	lineEnds   = "\r\n"
	phraseEnds = `()<>@,:;"[]` + blanks + lineEnds
	atomEnds   = phraseEnds + "."
)

type addressParser struct {
	text     []rune
	at       int
	comments []string
}

// on reports whether the character in hand is one of a set.
func (p *addressParser) on(set string) bool {
	return p.at < len(p.text) && strings.ContainsRune(set, p.text[p.at])
}

// skip passes over white space and comments, and returns the blanks.
func (p *addressParser) skip() (passed string) {
	for {
		switch {
		case p.on(blanks):
			passed += string(p.text[p.at])
			p.at++
		case p.on(lineEnds):
			p.at++
		case p.on("("):
			p.comments = append(p.comments, p.delimited(')'))
		default:
			return passed
		}
	}
}

// address reads up to the next comma. Where no address can be read it is empty.
func (p *addressParser) address() (found Address) {
	p.comments = nil
	p.skip()
	start := p.at
	phrase := p.phrase()
	switch {
	case p.on(".@"):
		p.at = start
		found.Addr = p.addrSpec()
		found.Name = strings.Join(p.comments, " ")
	case p.on("<"):
		p.at++
		found.Addr = p.addrSpec()
		p.at = min(p.at+1, len(p.text))
		found.Name = strings.Join(phrase, " ")
		if len(p.comments) > 0 {
			found.Name += " (" + strings.Join(p.comments, " ") + ")"
		}
	case len(phrase) > 0:
		found = Address{strings.Join(p.comments, " "), phrase[0]}
	case !p.on(","):
		p.at = min(p.at+1, len(p.text))
	}
	p.skip()
	if p.on(",") {
		p.at++
	}
	return Address{pytext.Strip(found.Name), pytext.Strip(found.Addr)}
}

// addrSpec reads an address proper; of two domains neither is trusted.
func (p *addressParser) addrSpec() string {
	p.skip()
	local := p.dotted(true)
	if !p.on("@") {
		return local
	}
	p.at++
	p.skip()
	domain := p.dotted(false)
	if domain == "" || p.on("@") {
		return ""
	}
	return strings.TrimRight(local, blanks) + "@" + domain
}

// dotted reads words and dots, with the blanks between words if they are kept.
func (p *addressParser) dotted(keepBlanks bool) (text string) {
	for p.at < len(p.text) {
		switch {
		case p.on("."):
			text = strings.TrimRight(text, blanks) + "."
			p.at++
			p.skip()
		case p.on(atomEnds):
			return text
		default:
			text += p.atom(atomEnds)
			if passed := p.skip(); keepBlanks {
				text += passed
			}
		}
	}
	return text
}

// delimited reads up to the closing character, or a carriage return. Comments nest.
func (p *addressParser) delimited(end rune) string {
	var b strings.Builder
	depth := 0
	for p.at++; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; {
		case c == '\r' || c == end && depth == 0:
			p.at++
			return b.String()
		case c == end:
			depth--
		case c == '(' && end == ')':
			depth++
		case c != '\\':
			b.WriteRune(c)
		case p.at+1 < len(p.text):
			p.at++
			b.WriteRune(p.text[p.at])
		}
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
func (p *addressParser) phrase() (words []string) {
	for {
		p.skip()
		switch {
		case p.on(`"`):
			words = append(words, p.delimited('"'))
		case p.at == len(p.text) || p.on(phraseEnds):
			return words
		default:
			words = append(words, p.atom(phraseEnds))
		}
	}
}

// Moment is a date and time with its zone.
type Moment struct {
	time.Time
	zoned      bool // false where the zone is -0000, which says nothing
	WrittenDay string
}

var (
	dayNames  = []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}
	zoneNames = map[string]int{
		"UT": 0, "UTC": 0, "GMT": 0, "Z": 0, "AST": -400, "ADT": -300, "EST": -500, "EDT": -400,
		"CST": -600, "CDT": -500, "MST": -700, "MDT": -600, "PST": -800, "PDT": -700,
	}
)

// ParseDate reads the forms of date that Python's email.utils reads.
func ParseDate(text string) (m Moment, ok bool) {
	words := pytext.Fields(text)
	if len(words) == 0 {
		return m, false
	}
	if at := strings.LastIndexByte(words[0], ','); at >= 0 {
		m.WrittenDay, words[0] = words[0][:at], words[0][at+1:]
	} else if slices.Contains(dayNames, pytext.Lower(words[0])) {
		m.WrittenDay, words[0] = words[0], ""
	}
	if words[0] == "" {
		words = words[1:]
	}
	if len(words) == 3 {
		words = slices.Concat(strings.Split(words[0], "-"), words[1:])
	}
	if len(words) == 4 {
		clock, zone := words[3], ""
		if at := strings.IndexAny(clock, "+-"); at > 0 {
			clock, zone = clock[:at], clock[at:]
		}
		words = append(words[:3:3], clock, zone)
	}
	if len(words) < 5 {
		return m, false
	}
	day, month, year, clock, zone := words[0], words[1], words[2], words[3], words[4]
	if month != "" && isDigit(month[0]) {
		day, month = month, day
	}
	if strings.Contains(year, ":") {
		year, clock = clock, year
	}
	if year != "" && !isDigit(year[0]) {
		year, zone = zone, year
	}
	return m.read([]string{year, month, day}, clock, zone)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// read completes the moment; false if there is no such date, time or zone.
func (m Moment) read(date []string, clock, zone string) (Moment, bool) {
	month, err := time.Parse("Jan", date[1])
	if err != nil {
		month, err = time.Parse("January", date[1])
	}
	clock = strings.ReplaceAll(clock, ".", ":")
	if strings.Count(clock, ":") == 1 {
		clock += ":00"
	}
	parts := append([]string{date[0], strconv.Itoa(int(month.Month())), date[2]}, strings.Split(clock, ":")...)
	var n [6]int
	if err != nil || len(parts) != len(n) {
		return m, false
	}
	for i, part := range parts {
		if n[i], err = strconv.Atoi(strings.TrimSuffix(part, ",")); err != nil {
			return m, false
		}
	}
	if n[0] < 69 {
		n[0] += 2000
	} else if n[0] < 100 {
		n[0] += 1900
	}
	offset := 0
	if offset, m.zoned = zoneNames[strings.ToUpper(zone)]; !m.zoned {
		number, err := strconv.Atoi(zone)
		if m.zoned = err == nil && zone != "-0000"; m.zoned {
			offset = number
		}
	}
	seconds := offset/100*3600 + offset%100*60
	const day = 24 * 3600
	m.Time = time.Date(n[0], time.Month(n[1]), n[2], n[3], n[4], n[5], 0, time.FixedZone("", seconds))
	is := [6]int{m.Year(), int(m.Month()), m.Day(), m.Hour(), m.Minute(), m.Second()}
	return m, is == n && 1 <= n[0] && n[0] <= 9999 && -day < seconds && seconds < day
}

// iso is Python's datetime.isoformat.
func (m Moment) iso() string {
	if m.zoned {
		return m.Format("2006-01-02T15:04:05-07:00")
	}
	return m.Format("2006-01-02T15:04:05")
}
