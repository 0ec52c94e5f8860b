package dns

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// mostGenerated bounds what $GENERATE makes in a file.
const mostGenerated = 1 << 16

// generate reads: range, owner, TTL, class, type and one word of data, in which
// "$" and "${offset,width,base}" stand for the number.
func (r *zoneReader) generate() {
	malformed := syntaxError("Text input is malformed.")
	text, err := r.word()
	if err != nil {
		fail(malformed)
	}
	span, ok := readRange(text)
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
	if r.generated += span.count(); r.generated > mostGenerated {
		fail(errors.New("$GENERATE makes too many records"))
	}
	line := r.tokens
	defer func() { r.tokens = line }()
	for n := span.first; n <= span.last; n += span.step {
		r.owner = must(readName(numbered(owner, n), r.origin))
		name, inside := cutOrigin(r.owner, r.zone)
		if !inside {
			r.tokens = line
			r.skipLine()
			return
		}
		r.tokens = newTokenizer(numbered(data, n))
		text, key := r.rdata(typ)
		r.endLine()
		r.add(name, typ, *ttl, text, key)
	}
}

type numberRange struct{ first, last, step int }

// readRange reads first-last or first-last/step.
func readRange(text string) (numberRange, bool) {
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
	span := numberRange{numbers[0], numbers[1], numbers[2]}
	return span, ok && span.step >= 1 && span.first <= span.last
}

func (r numberRange) count() int { return 1 + (r.last-r.first)/r.step }

var modifier = regexp.MustCompile(`^.*\$(\{(\+|-?)(\d{1,9})(?:,(\d{1,3})(?:,(.))?)?\})`)

// numbered puts a number in place of "$", of the last form of it that the text
// has.
func numbered(text string, n int) string {
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

// inBase writes a number in decimal (d), octal (o), hexadecimal (x, X) or as
// nibbles in reverse (n, N).
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
