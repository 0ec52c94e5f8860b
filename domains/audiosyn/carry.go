package audiosyn

import (
	"hash/fnv"
	"math/big"
	"strconv"
	"strings"
)

// mostImplied is how many p-fields a score may leave to those before them without
// a dot.
const mostImplied = 1 << 18

// carrier resolves the p-fields that an event takes from the one before it, of the
// same instrument in the same section of the score.
type carrier struct {
	last    map[string]*[]string // by instrument
	implied int
	room    pool[string]
	fields  []string // of the event in hand
}

func newCarrier() *carrier { return &carrier{last: map[string]*[]string{}} }

// endSection forgets all events.
func (c *carrier) endSection() { clear(c.last) }

// resolve returns the p-fields of an event in their normal form.
func (c *carrier) resolve(code string, words []span) []string {
	fields := words[1:]
	name := normal(fields[0].of(code))
	last := c.last[wholeNumber(name)]
	if last == nil {
		last = new([]string)
		c.last[wholeNumber(name)] = last
	}
	c.fields = append(c.fields[:0], name)
	stopped := false
	for n, f := range fields[1:] {
		word := f.of(code)
		if stopped = word == "!"; stopped {
			break
		}
		c.fields = append(c.fields, carried(word, n+1, *last))
	}
	if more := len(*last) - len(c.fields); !stopped && more > 0 && c.implied+more <= mostImplied {
		c.implied += more
		c.fields = append(c.fields, (*last)[len(c.fields):]...)
	}
	*last = c.room.copy(c.fields)
	return *last
}

// remember makes p-fields those of the last event of its instrument.
func (c *carrier) remember(fields []string) { *c.last[wholeNumber(fields[0])] = fields }

// carried is the value of a p-field, given the event before.
func carried(word string, n int, before []string) string {
	if n >= len(before) {
		return normal(word)
	}
	switch {
	case word == ".":
		return before[n]
	case n == 1 && word == "+" && len(before) > 2:
		if sum, ok := added(before[1], before[2]); ok {
			return sum
		}
	case n == 1 && strings.HasPrefix(word, "^"):
		if sum, ok := added(before[1], word[1:]); ok {
			return sum
		}
	}
	return normal(word)
}

// wholeNumber is an instrument's number without its fraction, by which tied notes
// are told apart.
func wholeNumber(name string) string {
	whole, fraction, found := strings.Cut(name, ".")
	if found && strings.Trim(whole+fraction, "0123456789") == "" {
		return whole
	}
	return name
}

func added(a, b string) (string, bool) {
	x, known := readDecimal(a)
	y, too := readDecimal(b)
	if !known || !too {
		return "", false
	}
	return decimal(x.Add(x, y)), true
}

// readDecimal reads a number of at most nine digits before the point and eight after it.
func readDecimal(text string) (*big.Rat, bool) {
	digits := strings.TrimLeft(text, "+-")
	whole, fraction, _ := strings.Cut(digits, ".")
	if len(text)-len(digits) > 1 || len(whole) > 9 || len(fraction) > 8 || whole+fraction == "" ||
		strings.Trim(whole+fraction, "0123456789") != "" {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

// decimal writes a number without idle zeros.
func decimal(number *big.Rat) string {
	const most = 12 // places, more than numbers have that are reckoned with
	return strings.TrimSuffix(strings.TrimRight(number.FloatString(most), "0"), ".")
}

func float(number *big.Rat) float64 {
	f, _ := number.Float64()
	return f
}

// short is a value as it stands, or the beginning and a digest of one so long that
// many events could not carry it.
func short(value string) string {
	const longest, kept = 80, 40
	if len(value) <= longest {
		return value
	}
	digest := fnv.New64a()
	digest.Write([]byte(value))
	return value[:kept] + "… " + strconv.FormatUint(digest.Sum64(), 16)
}
