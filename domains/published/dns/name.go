package dns

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/idna"

	"agentd/internal/lazyregexp"
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

// ReadName reads a name as it is written and makes it absolute by the origin. An empty origin leaves it relative.
func ReadName(text, origin string) (string, error) {
	switch text {
	case "@":
		return origin, nil
	case Root:
		return Root, nil
	}
	var name strings.Builder
	name.Grow(len(text))
	label := make([]rune, 0, maxLabel)
	isWide := func(c rune) bool { return c > '\x7f' }
	ascii, fits := !strings.ContainsFunc(text, isWide), true
	end := func() {
		fits = fits && len(label) <= maxLabel
		if !ascii && strings.ContainsFunc(string(label), isWide) {
			encoded, _ := idnaProfile.ToASCII(string(label))
			label = []rune(encoded)
		}
		for _, c := range label {
			writeEscaped(&name, byte(c), nameSpecials, '!')
		}
		label = label[:0]
	}
	runes := []rune(text)
	for i := 0; i < len(runes); i++ {
		switch c := runes[i]; {
		case c == '\\':
			value, size, err := readEscape(runes[i+1:])
			if err != nil {
				return "", err
			}
			label = append(label, value)
			i += size
		case c != '.':
			label = append(label, c)
		case len(label) == 0:
			return "", syntaxError("A DNS label is empty.")
		default:
			end()
			name.WriteByte('.')
		}
	}
	end()
	full := Under(name.String(), origin)
	if !fits || len(full) >= maxName {
		return "", syntaxError("A DNS name or label is too long.")
	}
	return full, nil
}

// Under is a name below an origin, unless it is absolute.
func Under(name, origin string) string {
	switch {
	case origin == "" || IsAbsolute(name):
		return name
	case origin == Root:
		return name + Root
	}
	return strings.TrimPrefix(name+"."+origin, ".")
}

// IsAbsolute reports whether the last dot of a name is the root's.
func IsAbsolute(name string) bool {
	before, dotted := strings.CutSuffix(name, ".")
	return dotted && (len(before)-len(strings.TrimRight(before, `\`)))%2 == 0
}

// readEscape reads what follows a backslash: a character or three digits.
func readEscape(after []rune) (value rune, size int, err error) {
	if len(after) > 0 && (after[0] < '0' || after[0] > '9') {
		return after[0], 1, nil
	}
	code, err := strconv.ParseUint(string(after[:min(3, len(after))]), 10, 8)
	if err != nil || len(after) < 3 {
		return 0, 0, syntaxError("An escaped code in a text format of DNS name is invalid.")
	}
	return rune(code), 3, nil
}

// idnaProfile is the nearest to the IDNA of 2003.
var idnaProfile = idna.New(idna.MapForLookup(), idna.Transitional(true), idna.StrictDomainName(false))

// writeEscaped writes a byte, with a backslash if it is special, as its number
// if it is below least or no ASCII character.
func writeEscaped(b *strings.Builder, c byte, special string, least byte) {
	switch {
	case 'a' <= c|0x20 && c|0x20 <= 'z' || isDigit(c): // most are
		b.WriteByte(c)
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
	if strings.EqualFold(name, origin) {
		return "", true
	}
	dotted := "." + strings.TrimPrefix(origin, Root)
	at := len(name) - len(dotted)
	if at < 0 || !strings.EqualFold(name[at:], dotted) || !IsAbsolute(name) || !IsAbsolute(name[:at+1]) {
		return name, false
	}
	return name[:at], true
}

// OrApex is a name, or @ where it is empty.
func OrApex(name string) string {
	return cmp.Or(name, "@")
}

// ReadTTL reads digits, or numbers with units such as 1h30m.
func ReadTTL(text string) (uint32, bool) {
	const most = 1<<32 - 1
	total, current, digits := uint64(0), uint64(0), 0
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
		current, digits = 0, 0
	}
	if digits == len(text) {
		total, current = current, 0
	}
	return uint32(total), text != "" && current == 0 && total <= most
}

var ttlUnits = [256]uint64{'w': 604800, 'd': 86400, 'h': 3600, 'm': 60, 's': 1}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// MostGenerated bounds what $GENERATE makes in a file.
const MostGenerated = 1 << 16

// generate reads: range, owner, TTL, class, type and one word of data, in which
// "$" and "${offset,width,base}" stand for the number.
func (r *zoneReader) generate() {
	span, ok := ReadRange(r.word())
	owner, ttl := r.word(), r.ttl()
	r.class()
	typ, data := r.typeWord(), r.word()
	r.generated += span.Count()
	if !ok || ttl == nil || r.generated > MostGenerated {
		panic(syntaxError("Text input is malformed."))
	}
	line := r.tokens
	for n := span.First; n <= span.Last; n += span.Step {
		r.owner = must(ReadName(Numbered(owner, n), r.origin))
		if name, inside := cutOrigin(r.owner, r.zone); inside {
			r.tokens = &tokenizer{text: Numbered(data, n)}
			text, key := r.rdata(typ)
			r.add(name, typ, *ttl, text, key)
		}
	}
	r.tokens = line
	r.skipLine()
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
	return NumberRange{numbers[0], numbers[1], max(numbers[2], 1)}, ok && numbers[2] >= 1 && numbers[0] <= numbers[1]
}

// Count is how many numbers the range has.
func (r NumberRange) Count() int { return 1 + (r.Last-r.First)/r.Step }

var modifier = lazyregexp.New(`^.*\$(\{(\+|-?)(\d{1,9})(?:,(\d{1,3})(?:,(.))?)?\})`)

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
