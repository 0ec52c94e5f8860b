package musicsheet

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/pytext"
)

// fraction is a length in whole notes, in lowest terms. Numbers beyond 2^31 are
// held there.
type fraction struct{ num, den int64 }

const mostFraction = 1 << 31

func newFraction(num, den int64) fraction {
	a, b := num, den
	for b != 0 {
		a, b = b, a%b
	}
	if a > 1 {
		num, den = num/a, den/a
	}
	return fraction{min(num, mostFraction), min(den, mostFraction)}
}

func (f fraction) times(g fraction) fraction {
	a, b := newFraction(f.num, g.den), newFraction(g.num, f.den)
	return newFraction(bounded(a.num, b.num), bounded(a.den, b.den))
}

// bounded is a product that does not overflow.
func bounded(a, b int64) int64 {
	if a != 0 && b > math.MaxInt64/4/a {
		return math.MaxInt64 / 4
	}
	return a * b
}

func (f fraction) float() float64 { return float64(f.num) / float64(f.den) }

func (f fraction) String() string {
	if f.den == 1 {
		return strconv.FormatInt(f.num, 10)
	}
	return strconv.FormatInt(f.num, 10) + "/" + strconv.FormatInt(f.den, 10)
}

// longNotes are durations that have names.
var longNotes = map[string]fraction{`\breve`: {2, 1}, `\longa`: {4, 1}, `\maxima`: {8, 1}}

// quarter is the length of notes up to the first written duration.
var quarter = fraction{1, 4}

// durationLength is how many bytes at the beginning of a text are a duration:
// its base, dots and factors, with blanks between them. It is 0 if there is none.
func durationLength(text string) int {
	n := baseLength(text)
	if n == 0 {
		return 0
	}
	for {
		at := n + blankLength(text[n:])
		switch {
		case at < len(text) && text[at] == '.':
			n = at + 1
		case at < len(text) && text[at] == '*':
			k := factorLength(text[at:])
			if k == 0 {
				return n
			}
			n = at + k
		default:
			return n
		}
	}
}

// baseLength is that of 1 to 2048 or of a long note.
func baseLength(text string) int {
	if text == "" {
		return 0
	}
	if text[0] == '\\' {
		n := 1 + wordLength(text[1:])
		if _, long := longNotes[text[:n]]; long {
			return n
		}
		return 0
	}
	n := digitsLength(text)
	if n == 0 || n > len("2048") || text[0] == '0' {
		return 0
	}
	if v := atoi(text[:n]); v > 2048 || v&(v-1) != 0 {
		return 0
	}
	return n
}

// ratioLength is that of n/m.
func ratioLength(text string) int {
	n := digitsLength(text)
	if n == 0 || !strings.HasPrefix(text[n:], "/") {
		return 0
	}
	if m := digitsLength(text[n+1:]); m > 0 {
		return n + 1 + m
	}
	return 0
}

// factorLength is that of *n or *n/m.
func factorLength(text string) int {
	n := 1 + blankLength(text[1:])
	if digits := max(ratioLength(text[n:]), digitsLength(text[n:])); digits > 0 {
		return n + digits
	}
	return 0
}

// readDuration reads what durationLength measured. It is not ok if a factor
// divides by zero.
func readDuration(text string) (f fraction, ok bool) {
	n := baseLength(text)
	f, long := longNotes[text[:n]]
	if !long {
		f = fraction{1, int64(atoi(text[:n]))}
	}
	dots := strings.Count(text, ".")
	const mostDots = 20
	dots = min(dots, mostDots)
	f = f.times(newFraction(1<<(dots+1)-1, 1<<dots))
	for _, factor := range strings.Split(text[n:], "*")[1:] {
		num, den, divided := strings.Cut(strings.Trim(factor, ". \t\r\n"), "/")
		g := fraction{int64(atoi(num)), 1}
		if divided {
			if g.den = int64(atoi(den)); g.den == 0 {
				return f, false
			}
		}
		f = f.times(newFraction(g.num, g.den))
	}
	return f, true
}

// atoi reads digits; a number beyond 2^31 is held there.
func atoi(digits string) int {
	n := 0
	for _, c := range digits[:digitsLength(digits)] {
		if n = n*10 + int(c-'0'); n > mostFraction {
			return mostFraction
		}
	}
	return n
}

// runLength is how many bytes at the beginning of a text are of a kind.
func runLength(text string, is func(byte) bool) int {
	n := 0
	for n < len(text) && is(text[n]) {
		n++
	}
	return n
}

func digitsLength(text string) int { return runLength(text, isDigit) }

// wordLength is that of letters.
func wordLength(text string) int { return runLength(text, isLetter) }

// lowerLength is that of letters from a to x.
func lowerLength(text string) int {
	return runLength(text, func(c byte) bool { return c >= 'a' && c <= 'x' })
}

// sameLength is that of one character repeated.
func sameLength(text string) int {
	return runLength(text, func(c byte) bool { return c == text[0] })
}

// blankLength is that of white space.
func blankLength(text string) int {
	if text != "" && text[0] > ' ' && text[0] < utf8.RuneSelf {
		return 0
	}
	for n, c := range text {
		if !pytext.IsSpace(c) {
			return n
		}
	}
	return len(text)
}

func isBlank(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
