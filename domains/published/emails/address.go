package emails

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"agentd/domains/internal/pytext"
)

// Address is a mailbox: a display name and an address proper.
type Address struct{ Name, Addr string }

// ParseAddress reads the one address of a text; a text that holds several, or
// none that can be read, gives an empty one.
func ParseAddress(text string) Address {
	if !balanced(text) {
		return Address{}
	}
	all := ParseAddresses(text)
	if len(all) != 1 || strings.Contains(all[0].Addr, "[") {
		return Address{}
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

// ParseAddresses reads a list of addresses as Python's email.utils does, which takes any text.
func ParseAddresses(text string) []Address {
	p := addressParser{text: []rune(text)}
	var all []Address
	for p.at < len(p.text) {
		if found := p.address(0); len(found) > 0 {
			all = append(all, found...)
		} else {
			all = append(all, Address{})
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

func (p *addressParser) address(depth int) []Address {
	p.comments = nil
	p.skip()
	start := p.at
	phrase := p.phrase()
	p.skip()
	comment := func() string { return strings.Join(p.comments, " ") }
	var found []Address
	switch {
	case p.at == len(p.text):
		if len(phrase) > 0 {
			found = []Address{{comment(), phrase[0]}}
		}
	case p.on(".@"):
		p.at = start
		addr := p.addrSpec()
		found = []Address{{comment(), addr}}
	case p.on(":"):
		found = p.group(depth)
	case p.on("<"):
		addr := p.bracketed()
		name := strings.Join(phrase, " ")
		if len(p.comments) > 0 {
			name += " (" + comment() + ")"
		}
		found = []Address{{name, addr}}
	case len(phrase) > 0:
		found = []Address{{comment(), phrase[0]}}
	case p.on(specials):
		p.at++
	}
	p.skip()
	if p.on(",") {
		p.at++
	}
	for n, a := range found {
		found[n] = Address{pytext.Strip(a.Name), pytext.Strip(a.Addr)}
	}
	return found
}

// group reads the members of a group, up to its semicolon.
func (p *addressParser) group(depth int) []Address {
	var members []Address
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

// Moment is a date and time with its zone.
type Moment struct {
	time.Time
	zoned      bool // false where the zone is -0000, which says nothing
	WrittenDay string
}

var monthNames = []string{
	"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
	"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
}

var dayNames = []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}

var zoneNames = map[string]int{
	"UT": 0, "UTC": 0, "GMT": 0, "Z": 0, "AST": -400, "ADT": -300, "EST": -500, "EDT": -400,
	"CST": -600, "CDT": -500, "MST": -700, "MDT": -600, "PST": -800, "PDT": -700,
}

// ParseDate reads the forms of date that Python's email.utils reads.
func ParseDate(text string) (Moment, bool) {
	words := pytext.Fields(text)
	var m Moment
	if len(words) == 0 {
		return m, false
	}
	if strings.HasSuffix(words[0], ",") || slices.Contains(dayNames, pytext.Lower(words[0])) {
		m.WrittenDay, words = strings.TrimSuffix(words[0], ","), words[1:]
	} else if at := strings.LastIndexByte(words[0], ','); at >= 0 {
		m.WrittenDay, words[0] = words[0][:at], words[0][at+1:]
	}
	if len(words) == 3 {
		if date := strings.Split(words[0], "-"); len(date) == 3 {
			words = slices.Concat(date, words[1:])
		}
	}
	if len(words) == 4 {
		at := strings.IndexByte(words[3], '+')
		if at < 0 {
			at = strings.IndexByte(words[3], '-')
		}
		if at > 0 {
			words = append(words[:3:3], words[3][:at], words[3][at:])
		} else {
			words = append(words, "")
		}
	}
	if len(words) < 5 {
		return m, false
	}
	return m.read(words[0], words[1], words[2], words[3], words[4])
}

func (m Moment) read(day, month, year, clock, zone string) (Moment, bool) {
	if day == "" || month == "" || year == "" {
		return m, false
	}
	at := slices.Index(monthNames, pytext.Lower(month))
	if at < 0 {
		day, month = month, day
		if at = slices.Index(monthNames, pytext.Lower(month)); at < 0 {
			return m, false
		}
	}
	day = strings.TrimSuffix(day, ",")
	if strings.IndexByte(year, ':') > 0 {
		year, clock = clock, year
	}
	year = strings.TrimSuffix(year, ",")
	if year == "" {
		return m, false
	}
	if !unicode.IsDigit([]rune(year)[0]) {
		year, zone = zone, year
	}
	times := strings.Split(strings.TrimSuffix(clock, ","), ":")
	if len(times) == 1 {
		times = strings.Split(times[0], ".")
	}
	if len(times) == 2 {
		times = append(times, "0")
	}
	if len(times) != 3 {
		return m, false
	}
	var numbers [5]int
	for n, text := range []string{year, day, times[0], times[1], times[2]} {
		number, err := strconv.Atoi(text)
		if err != nil {
			return m, false
		}
		numbers[n] = number
	}
	if numbers[0] < 69 {
		numbers[0] += 2000
	} else if numbers[0] < 100 {
		numbers[0] += 1900
	}
	return m.in(zone, numbers[0], at%12+1, numbers[1], numbers[2:])
}

// in completes the moment; false if there is no such date, time or zone.
func (m Moment) in(zone string, year, month, day int, clock []int) (Moment, bool) {
	zone = strings.ToUpper(zone)
	offset, named := zoneNames[zone]
	m.zoned = named
	if !named {
		var err error
		offset, err = strconv.Atoi(zone)
		m.zoned = err == nil && (offset != 0 || zone[0] != '-')
	}
	sign := 1
	if offset < 0 {
		sign, offset = -1, -offset
	}
	seconds := sign * (offset/100*3600 + offset%100*60)
	if !m.zoned {
		seconds = 0
	}
	const day24 = 24 * 3600
	if seconds <= -day24 || seconds >= day24 || year < 1 || year > 9999 ||
		clock[0] < 0 || clock[0] > 23 || clock[1] < 0 || clock[1] > 59 || clock[2] < 0 || clock[2] > 59 {
		return m, false
	}
	m.Time = time.Date(year, time.Month(month), day, clock[0], clock[1], clock[2], 0, time.FixedZone("", seconds))
	return m, m.Day() == day && m.Month() == time.Month(month)
}

// iso is Python's datetime.isoformat.
func (m Moment) iso() string {
	if m.zoned {
		return m.Format("2006-01-02T15:04:05-07:00")
	}
	return m.Format("2006-01-02T15:04:05")
}
