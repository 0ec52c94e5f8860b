package musicsheet

import (
	"math"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"agentd/domains/internal/pytext"
)

// Pitch is a written pitch: spelling matters, so cis and des are two.
type Pitch struct {
	Step   int // 0 is c, 6 is b
	Alter  int // in quarter tones: cis is 2, ces -2
	Octave int // 0 is the octave of c, 1 that of c'
}

// quarterTones of the steps above c.
var quarterTones = [7]int{0, 4, 8, 10, 14, 18, 22}

const octaveQuarters = 24

// class is the sounding pitch within the octave, in quarter tones.
func (p Pitch) class() int {
	return ((quarterTones[p.Step]+p.Alter)%octaveQuarters + octaveQuarters) % octaveQuarters
}

// Height orders pitches as they sound, in quarter tones above c.
func (p Pitch) Height() int { return p.Octave*octaveQuarters + quarterTones[p.Step] + p.Alter }

// Place counts steps, regardless of their alteration.
func (p Pitch) Place() int { return p.Octave*7 + p.Step }

// Language is a set of note names.
type Language struct {
	known   map[string]Pitch // of octave 0
	printed map[Pitch]string
}

// Lookup is the pitch of a name, in octave 0.
func (l *Language) Lookup(word string) (Pitch, bool) {
	p, ok := l.known[word]
	return p, ok
}

// Print is the name of a pitch, without its octave; empty if the language has none.
func (l *Language) Print(p Pitch) string { return l.printed[Pitch{Step: p.Step, Alter: p.Alter}] }

// suffix is the ending of a note name for an alteration.
type suffix struct {
	text  string
	alter int
}

var (
	dutchSuffixes = []suffix{{"", 0}, {"is", 2}, {"es", -2}, {"isis", 4}, {"eses", -4}, {"ih", 1}, {"eh", -1}, {"isih", 3}, {"eseh", -3}}
	dutchSteps    = []string{"c", "d", "e", "f", "g", "a", "b"}
	germanSteps   = []string{"c", "d", "e", "f", "g", "a", "h"}
	romanceSteps  = []string{"do", "re", "mi", "fa", "sol", "la", "si"}

	nordicSuffixes = []suffix{
		{"", 0}, {"iss", 2}, {"ess", -2}, {"ississ", 4}, {"essess", -4},
		{"is", 2}, {"es", -2}, {"isis", 4}, {"eses", -4}, {"ih", 1}, {"eh", -1}, {"issih", 3}, {"esseh", -3},
	}
	spanishSuffixes = []suffix{
		{"", 0}, {"s", 2}, {"b", -2}, {"ss", 4}, {"bb", -4}, {"x", 4}, {"cs", 1}, {"cb", -1}, {"tcs", 3}, {"tcb", -3},
	}
)

// DefaultLanguage is that of a text that names none.
const DefaultLanguage = "nederlands"

// Languages returns those that a text may name.
var Languages = sync.OnceValue(func() map[string]*Language {
	return map[string]*Language{
		"nederlands": newLanguage(dutchSteps, dutchSuffixes, "es=ees as=aes eses=eeses ases=aeses asas=aeses eseh=eeseh aseh=aeseh"),
		"english": newLanguage(dutchSteps, []suffix{
			{"", 0}, {"s", 2}, {"f", -2}, {"ss", 4}, {"ff", -4}, {"x", 4}, {"qs", 1}, {"qf", -1}, {"tqs", 3}, {"tqf", -3},
			{"sharp", 2}, {"flat", -2}, {"sharpsharp", 4}, {"flatflat", -4},
			{"-sharp", 2}, {"-flat", -2}, {"-sharpsharp", 4}, {"-flatflat", -4},
		}, ""),
		"deutsch": newLanguage(germanSteps, dutchSuffixes, germanNames),
		"norsk":   newLanguage(germanSteps, nordicSuffixes, germanNames),
		"suomi":   newLanguage(germanSteps, dutchSuffixes, germanNames),
		"svenska": newLanguage(germanSteps, nordicSuffixes[:5], germanNames),
		"italiano": newLanguage(romanceSteps, []suffix{
			{"", 0}, {"d", 2}, {"b", -2}, {"dd", 4}, {"bb", -4}, {"sd", 1}, {"sb", -1}, {"dsd", 3}, {"bsb", -3},
		}, ""),
		"catalan": newLanguage(romanceSteps, []suffix{{"", 0}, {"d", 2}, {"b", -2}, {"dd", 4}, {"bb", -4}, {"s", 2}, {"ss", 4}}, ""),
		"espanol": newLanguage(romanceSteps, spanishSuffixes, ""),
		"español": newLanguage(romanceSteps, spanishSuffixes, ""),
		"français": newLanguage([]string{"do", "ré", "mi", "fa", "sol", "la", "si"}, []suffix{
			{"", 0}, {"d", 2}, {"b", -2}, {"dd", 4}, {"bb", -4}, {"x", 4}, {"sd", 1}, {"sb", -1},
		}, "re=ré red=réd reb=réb redd=rédd rebb=rébb rex=réx resd=résd resb=résb"),
		"portugues": newLanguage(romanceSteps, []suffix{
			{"", 0}, {"s", 2}, {"b", -2}, {"ss", 4}, {"bb", -4}, {"sqt", 1}, {"bqt", -1}, {"stqt", 3}, {"btqt", -3},
		}, ""),
		"vlaams": newLanguage(romanceSteps, []suffix{{"", 0}, {"k", 2}, {"b", -2}, {"kk", 4}, {"bb", -4}}, ""),
	}
})

// germanNames has b for h with a flat, and es and as.
const germanNames = `es=ees as=aes eses=eeses ases=aeses asas=aeses b=hess b=hes bb=heses ess=eess ass=aess essess=eessess
assess=aessess`

// newLanguage makes the names of all steps. The first suffix for an alteration is the one to print. others are further
// names, each with the one that it stands for, of which those count that the language has.
func newLanguage(steps []string, suffixes []suffix, others string) *Language {
	l := &Language{known: map[string]Pitch{}, printed: map[Pitch]string{}}
	for step, name := range steps {
		for _, s := range suffixes {
			p := Pitch{Step: step, Alter: s.alter}
			l.known[name+s.text] = p
			if _, has := l.printed[p]; !has {
				l.printed[p] = name + s.text
			}
		}
	}
	for _, other := range strings.Fields(others) {
		short, long, _ := strings.Cut(other, "=")
		if p, ok := l.known[long]; ok {
			l.known[short] = p
		}
	}
	for long, short := range map[string]string{"ees": "es", "aes": "as", "eeses": "eses", "aeses": "ases", "hes": "b", "hess": "b"} {
		if p, ok := l.known[long]; ok {
			l.printed[p] = short
		}
	}
	return l
}

// Fraction is a length in whole notes, in lowest terms. Numbers beyond 2^31 are held there.
type Fraction struct{ num, den int64 }

const mostFraction = 1 << 31

// NewFraction is num/den.
func NewFraction(num, den int64) Fraction {
	a, b := num, den
	for b != 0 {
		a, b = b, a%b
	}
	if a > 1 {
		num, den = num/a, den/a
	}
	return Fraction{min(num, mostFraction), min(den, mostFraction)}
}

// Times is the product.
func (f Fraction) Times(g Fraction) Fraction {
	a, b := NewFraction(f.num, g.den), NewFraction(g.num, f.den)
	return NewFraction(bounded(a.num, b.num), bounded(a.den, b.den))
}

// bounded is a product that does not overflow.
func bounded(a, b int64) int64 {
	if a != 0 && b > math.MaxInt64/4/a {
		return math.MaxInt64 / 4
	}
	return a * b
}

func (f Fraction) float() float64 { return float64(f.num) / float64(f.den) }

func (f Fraction) String() string {
	if f.den == 1 {
		return strconv.FormatInt(f.num, 10)
	}
	return strconv.FormatInt(f.num, 10) + "/" + strconv.FormatInt(f.den, 10)
}

// longNotes are durations that have names.
var longNotes = map[string]Fraction{`\breve`: {2, 1}, `\longa`: {4, 1}, `\maxima`: {8, 1}}

// quarter is the length of notes up to the first written duration.
var quarter = Fraction{1, 4}

// DurationLength is how many bytes at the beginning of a text are a duration:
// its base, dots and factors, with blanks between them. It is 0 if there is none.
func DurationLength(text string) int {
	n := baseLength(text)
	if n == 0 {
		return 0
	}
	for {
		at := n + BlankLength(text[n:])
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
		n := 1 + WordLength(text[1:])
		if _, long := longNotes[text[:n]]; long {
			return n
		}
		return 0
	}
	n := DigitsLength(text)
	if n == 0 || n > len("2048") || text[0] == '0' {
		return 0
	}
	if v := Atoi(text[:n]); v > 2048 || v&(v-1) != 0 {
		return 0
	}
	return n
}

// RatioLength is that of n/m.
func RatioLength(text string) int {
	n := DigitsLength(text)
	if n == 0 || !strings.HasPrefix(text[n:], "/") {
		return 0
	}
	if m := DigitsLength(text[n+1:]); m > 0 {
		return n + 1 + m
	}
	return 0
}

// factorLength is that of *n or *n/m.
func factorLength(text string) int {
	n := 1 + BlankLength(text[1:])
	if digits := max(RatioLength(text[n:]), DigitsLength(text[n:])); digits > 0 {
		return n + digits
	}
	return 0
}

// ReadDuration reads what DurationLength measured. It is not ok if a factor divides by zero.
func ReadDuration(text string) (f Fraction, ok bool) {
	n := baseLength(text)
	f, long := longNotes[text[:n]]
	if !long {
		f = Fraction{1, int64(Atoi(text[:n]))}
	}
	dots := strings.Count(text, ".")
	const mostDots = 20
	dots = min(dots, mostDots)
	f = f.Times(NewFraction(1<<(dots+1)-1, 1<<dots))
	for _, factor := range strings.Split(text[n:], "*")[1:] {
		num, den, divided := strings.Cut(strings.Trim(factor, ". \t\r\n"), "/")
		g := Fraction{int64(Atoi(num)), 1}
		if divided {
			if g.den = int64(Atoi(den)); g.den == 0 {
				return f, false
			}
		}
		f = f.Times(NewFraction(g.num, g.den))
	}
	return f, true
}

// Atoi reads digits; a number beyond 2^31 is held there.
func Atoi(digits string) int {
	n := 0
	for _, c := range digits[:DigitsLength(digits)] {
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

// DigitsLength is that of decimal digits.
func DigitsLength(text string) int { return runLength(text, IsDigit) }

// WordLength is that of letters.
func WordLength(text string) int { return runLength(text, IsLetter) }

// lowerLength is that of letters from a to x.
func lowerLength(text string) int {
	return runLength(text, func(c byte) bool { return c >= 'a' && c <= 'x' })
}

// sameLength is that of one character repeated.
func sameLength(text string) int {
	return runLength(text, func(c byte) bool { return c == text[0] })
}

// BlankLength is that of white space.
func BlankLength(text string) int {
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

// IsLetter reports whether a byte is a letter of English.
func IsLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// IsDigit reports whether a byte is a decimal digit.
func IsDigit(c byte) bool { return c >= '0' && c <= '9' }
