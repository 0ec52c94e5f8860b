package dns

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// Names are texts in one spelling: labels with special characters escaped, joined by dots. A name is absolute if it
// ends in the dot of the root; the empty text is the empty relative name.

// Names, and the characters that are escaped in them.
const (
	Root = "."
	// nameSpecials are escaped in names.
	nameSpecials = `"().;\@$`
	maxLabel     = 63
	maxName      = 255
)

// errNameTooLong is no syntax error to the published reader.
var errNameTooLong = errors.New("a DNS name is > 255 octets long")

// ReadName reads a name as it is written and makes it absolute by the origin. An empty origin leaves it relative.
func ReadName(text, origin string) (string, error) {
	switch {
	case text == "@":
		return origin, nil
	case text == Root:
		return Root, nil
	}
	labels, err := readLabels(text)
	if err != nil {
		return "", err
	}
	return checkName(Under(strings.Join(labels, "."), origin))
}

// Under is a name below an origin, unless it is absolute.
func Under(name, origin string) string {
	switch {
	case origin == "" || IsAbsolute(name):
		return name
	case name == "":
		return origin
	case origin == Root:
		return name + Root
	}
	return name + "." + origin
}

// IsAbsolute reports whether the last dot of a name is the root's.
func IsAbsolute(name string) bool {
	if !strings.HasSuffix(name, ".") {
		return false
	}
	before := name[:len(name)-1]
	return (len(before)-len(strings.TrimRight(before, `\`)))%2 == 0
}

func checkName(name string) (string, error) {
	octets, label := 1, 0
	for i := 0; i < len(name); i++ {
		switch name[i] {
		case '.':
			if label == 0 {
				return "", syntaxError("A DNS label is empty.")
			}
			octets += label + 1
			label = 0
			continue
		case '\\':
			if isDigit(name[i+1]) {
				i += 3
			} else {
				i++
			}
		}
		if label++; label > maxLabel {
			return "", syntaxError("A DNS label is > 63 octets long.")
		}
	}
	if octets+label > maxName {
		return "", errNameTooLong
	}
	return name, nil
}

// readLabels reads the labels of a name; an absolute name's last one is empty.
func readLabels(text string) ([]string, error) {
	ascii := strings.IndexFunc(text, func(c rune) bool { return c > '\x7f' }) < 0
	var labels []string
	var label []rune
	end := func() error {
		written, err := writeLabel(label, ascii)
		labels, label = append(labels, written), label[:0]
		return err
	}
	runes := []rune(text)
	for i := 0; i < len(runes); i++ {
		switch c := runes[i]; {
		case c == '\\':
			value, size, err := readEscape(runes[i+1:])
			if err != nil {
				return nil, err
			}
			label = append(label, value)
			i += size
		case c == '.' || !ascii && strings.ContainsRune("\u3002\uff0e\uff61", c):
			if len(label) == 0 {
				return nil, syntaxError("A DNS label is empty.")
			}
			if err := end(); err != nil {
				return nil, err
			}
		default:
			label = append(label, c)
		}
	}
	return labels, end()
}

// readEscape reads what follows a backslash: a character or three digits.
func readEscape(after []rune) (value rune, size int, err error) {
	if len(after) == 0 {
		return 0, 0, syntaxError("An escaped code in a text format of DNS name is invalid.")
	}
	if after[0] < '0' || after[0] > '9' {
		return after[0], 1, nil
	}
	if len(after) >= 3 {
		if code, err := strconv.ParseUint(string(after[:3]), 10, 16); err == nil && code <= 255 {
			return rune(code), 3, nil
		}
	}
	return 0, 0, syntaxError("An escaped code in a text format of DNS name is invalid.")
}

// writeLabel escapes what is special in a label, or writes it in IDNA.
func writeLabel(label []rune, ascii bool) (string, error) {
	if !ascii && strings.ContainsFunc(string(label), func(c rune) bool { return c > '\x7f' }) {
		encoded, err := idnaProfile.ToASCII(string(label))
		if err != nil {
			return "", syntaxError("A DNS label is > 63 octets long.")
		}
		label = []rune(encoded)
	}
	var b strings.Builder
	for _, c := range label {
		writeEscaped(&b, byte(c), nameSpecials, '!')
	}
	return b.String(), nil
}

// idnaProfile is the nearest to the IDNA of 2003.
var idnaProfile = idna.New(idna.MapForLookup(), idna.Transitional(true), idna.StrictDomainName(false))

// writeEscaped writes a byte, with a backslash if it is special, as its number
// if it is below least or no ASCII character.
func writeEscaped(b *strings.Builder, c byte, special string, least byte) {
	switch {
	case strings.IndexByte(special, c) >= 0:
		b.WriteByte('\\')
		b.WriteByte(c)
	case c >= least && c < 0x7f:
		b.WriteByte(c)
	default:
		b.WriteByte('\\')
		b.WriteString(strconv.Itoa(1000 + int(c))[1:])
	}
}

// cutOrigin returns a name relative to the origin, empty for the origin itself;
// false if the name is not at or below it.
func cutOrigin(name, origin string) (string, bool) {
	at := len(name) - len(origin)
	switch {
	case !IsAbsolute(name) || !IsAbsolute(origin) || at < 0 && origin != Root:
		return name, false
	case origin == Root:
		return strings.TrimSuffix(name, Root), true
	case !strings.EqualFold(name[at:], origin):
		return name, false
	case at == 0:
		return "", true
	case name[at-1] != '.' || !IsAbsolute(name[:at]):
		return name, false
	}
	return name[:at-1], true
}

// OrApex is a name, or @ where it is empty.
func OrApex(name string) string {
	return cmp.Or(name, "@")
}

// ReadTTL reads digits, or numbers with units such as 1h30m.
func ReadTTL(text string) (uint32, bool) {
	const most = 1<<32 - 1
	total, current := uint64(0), uint64(0)
	plain, digits := true, 0
	for i := range len(text) {
		if c := text[i]; isDigit(c) {
			current = min(current*10+uint64(c-'0'), most+1)
			digits++
			continue
		}
		unit := ttlUnits[text[i]|0x20]
		if unit == 0 || digits == 0 {
			return 0, false
		}
		total = min(total+current*unit, most+1)
		current, digits, plain = 0, 0, false
	}
	if plain {
		total = current
	}
	if text == "" || !plain && current != 0 || total > most {
		return 0, false
	}
	return uint32(total), true
}

var ttlUnits = [256]uint64{'w': 604800, 'd': 86400, 'h': 3600, 'm': 60, 's': 1}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// MostGenerated bounds what $GENERATE makes in a file.
const MostGenerated = 1 << 16

// generate reads: range, owner, TTL, class, type and one word of data, in which
// "$" and "${offset,width,base}" stand for the number.
func (r *zoneReader) generate() {
	malformed := syntaxError("Text input is malformed.")
	text, err := r.word()
	if err != nil {
		fail(malformed)
	}
	span, ok := ReadRange(text)
	owner, err := r.word()
	if !ok || err != nil {
		fail(malformed)
	}
	ttl, err := r.ttl()
	switch {
	case err != nil:
		fail(malformed)
	case ttl == nil:
		fail(syntaxError("Missing default TTL value"))
	case r.class() != nil:
		fail(malformed)
	}
	typ := r.typeWord()
	data, err := r.word()
	if err != nil {
		fail(syntaxError("unknown rdatatype '" + typ + "'"))
	}
	if r.generated += span.Count(); r.generated > MostGenerated {
		fail(errors.New("$GENERATE makes too many records"))
	}
	line := r.tokens
	defer func() { r.tokens = line }()
	for n := span.First; n <= span.Last; n += span.Step {
		r.owner = must(ReadName(Numbered(owner, n), r.origin))
		name, inside := cutOrigin(r.owner, r.zone)
		if !inside {
			r.tokens = line
			r.skipLine()
			return
		}
		r.tokens = newTokenizer(Numbered(data, n))
		text, key := r.rdata(typ)
		r.endLine()
		r.add(name, typ, *ttl, text, key)
	}
}

// NumberRange is what $GENERATE counts through.
type NumberRange struct{ First, Last, Step int }

// ReadRange reads first-last or first-last/step.
func ReadRange(text string) (NumberRange, bool) {
	ends, step, stepped := strings.Cut(text, "/")
	first, last, ok := strings.Cut(ends, "-")
	if !stepped {
		step = "1"
	}
	var numbers [3]int
	for i, text := range []string{first, last, step} {
		value, err := strconv.ParseUint(text, 10, 31)
		ok = ok && err == nil
		numbers[i] = int(value)
	}
	span := NumberRange{numbers[0], numbers[1], numbers[2]}
	return span, ok && span.Step >= 1 && span.First <= span.Last
}

// Count is how many numbers the range has.
func (r NumberRange) Count() int { return 1 + (r.Last-r.First)/r.Step }

var modifier = regexp.MustCompile(`^.*\$(\{(\+|-?)(\d{1,9})(?:,(\d{1,3})(?:,(.))?)?\})`)

// Numbered puts a number in place of "$", of the last form of it that the text has.
func Numbered(text string, n int) string {
	mod, offset, width, base := "", 0, 0, "d"
	if m := modifier.FindStringSubmatch(text); m != nil {
		mod = m[1]
		offset, _ = strconv.Atoi(m[3])
		if m[2] == "-" {
			offset = -offset
		}
		width, _ = strconv.Atoi(m[4])
		if m[5] != "" {
			base = m[5]
		}
	}
	return strings.ReplaceAll(text, "$"+mod, inBase(n+offset, base, width))
}

// inBase writes a number in decimal (d), octal (o), hexadecimal (x, X) or as nibbles in reverse (n, N).
func inBase(n int, base string, width int) string {
	verb := "x"
	if strings.Contains("doX", base) {
		verb = base
	}
	text := fmt.Sprintf("%0*"+verb, width, n)
	if strings.EqualFold(base, "n") {
		nibbles := strings.Split(text, "")
		slices.Reverse(nibbles)
		text = strings.Join(nibbles, ".")
		text = text[:min(width, len(text))]
	}
	if base == "N" {
		text = strings.ToUpper(text)
	}
	return text
}
