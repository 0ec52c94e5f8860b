// Package pytext has the text rules of Python that the published evaluators rest on, where Go's differ: what white
// space is, how lines end, what float() takes.
package pytext

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsSpace reports whether str.isspace holds: Unicode white space and U+001C to
// U+001F. The byte order mark is not white space.
func IsSpace(r rune) bool {
	if r < 0x80 {
		return r == ' ' || r >= '\t' && r <= '\r' || r >= 0x1c && r <= 0x1f
	}
	switch r {
	case 0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000:
		return true
	}
	return 0x2000 <= r && r <= 0x200a
}

// IsWord reports whether a character is one of a word: what \w matches.
func IsWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9' || r == '_'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r)
}

// Collapse is " ".join(s.split()): the words of a text with a blank between them.
func Collapse(s string) string {
	s = Strip(s)
	before := ' '
	for _, r := range s {
		if r == ' ' && before == ' ' || r != ' ' && IsSpace(r) {
			return collapsed(s)
		}
		before = r
	}
	return s
}

func collapsed(s string) string {
	if !isASCII(s) {
		return strings.Join(Fields(s), " ")
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := range len(s) {
		switch {
		case !asciiSpace[s[i]]:
			b.WriteByte(s[i])
		case i > 0 && !asciiSpace[s[i-1]]:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// Strip is str.strip().
func Strip(s string) string {
	if s == "" || isInk(s[0]) && isInk(s[len(s)-1]) {
		return s
	}
	return strings.TrimFunc(s, IsSpace)
}

// isInk reports whether a byte is a printed ASCII character.
func isInk(c byte) bool { return c > ' ' && c < 0x7f }

// StripLeft is str.lstrip().
func StripLeft(s string) string { return strings.TrimLeftFunc(s, IsSpace) }

// StripRight is str.rstrip().
func StripRight(s string) string { return strings.TrimRightFunc(s, IsSpace) }

// First is s[:n]: the first characters of a text.
func First(s string, n int) string {
	for at := range s {
		if n == 0 {
			return s[:at]
		}
		n--
	}
	return s
}

// Slice is s[from:to].
func Slice(s string, from, to int) string {
	if isASCII(s) {
		return s[min(from, len(s)):min(to, len(s))]
	}
	runes := []rune(s)
	return string(runes[min(from, len(runes)):min(to, len(runes))])
}

// Fields is str.split() without arguments.
func Fields(s string) []string {
	n, inside := 0, false
	for _, r := range s {
		ink := !IsSpace(r)
		if ink && !inside {
			n++
		}
		inside = ink
	}
	fields := make([]string, 0, n)
	start := -1 // of the field in hand
	for i, r := range s {
		switch space := IsSpace(r); {
		case !space && start < 0:
			start = i
		case space && start >= 0:
			fields = append(fields, s[start:i])
			start = -1
		}
	}
	if start >= 0 {
		fields = append(fields, s[start:])
	}
	return fields
}

// Parts are the parts of a text between separators, without white space around them. Blank ones do not count.
func Parts(s, separator string) []string {
	var parts []string
	for part := range strings.SplitSeq(s, separator) {
		if part = Strip(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// asciiSpace is IsSpace of the ASCII characters.
var asciiSpace = [256]bool{
	' ': true, '\t': true, '\n': true, '\v': true, '\f': true, '\r': true, 0x1c: true, 0x1d: true, 0x1e: true, 0x1f: true,
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// UniversalNewlines turns "\r\n" and a lone "\r" into "\n", as Python's text files do when they are read.
func UniversalNewlines(s string) string {
	if !strings.Contains(s, "\r") {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// SplitLines is str.splitlines(): lines end at LF, CR, CRLF, VT, FF, U+001C to
// U+001E, U+0085, U+2028 and U+2029, and a last empty line does not count.
func SplitLines(s string) []string {
	if s == "" {
		return nil
	}
	lines := make([]string, 0, 1+strings.Count(s, "\n"))
	start := 0
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf && !endsLine[c] {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch r {
		case '\n', '\r', '\v', '\f', 0x1c, 0x1d, 0x1e, 0x85, 0x2028, 0x2029:
			lines = append(lines, s[start:i])
			if r == '\r' && strings.HasPrefix(s[i+1:], "\n") {
				size = 2
			}
			start = i + size
		}
		i += size
	}
	if start < len(s) {
		lines = append(lines, s[start:])
	}
	return lines
}

// endsLine are the ASCII characters at which lines end.
var endsLine = [utf8.RuneSelf]bool{'\n': true, '\v': true, '\f': true, '\r': true, 0x1c: true, 0x1d: true, 0x1e: true}

// Lower is str.lower(), which unlike strings.ToLower spells out U+0130 and knows the final sigma.
func Lower(s string) string {
	if isASCII(s) || !strings.Contains(s, "İ") && !strings.Contains(s, "Σ") { // ContainsAny is slow beyond ASCII
		return strings.ToLower(s)
	}
	runes := []rune(s)
	var b strings.Builder
	for i, r := range runes {
		switch {
		case r == 'İ':
			b.WriteString("i̇")
		case r == 'Σ' && cased(runes[:i], true) && !cased(runes[i+1:], false):
			b.WriteRune('ς')
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// cased reports whether the nearest rune that is not ignored for casing, seen
// from the end or the start of the text, is a cased letter.
func cased(runes []rune, fromEnd bool) bool {
	for k := range runes {
		r := runes[k]
		if fromEnd {
			r = runes[len(runes)-1-k]
		}
		if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk) || strings.ContainsRune("'.:·’", r) {
			continue
		}
		return unicode.IsUpper(r) || unicode.IsLower(r) || unicode.IsTitle(r)
	}
	return false
}

// Float is float(s). It takes surrounding white space, underscores between digits, decimal digits of any script, inf
// and nan, and no hexadecimal; too large a number is infinite.
func Float(s string) (float64, bool) {
	s, ok := asciiNumber(Strip(s))
	if !ok {
		return 0, false
	}
	if !isDecimal(s) {
		return notFinite(s)
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(f, 0) {
		return 0, false
	}
	return f, true
}

// isDecimal reports whether a text has only characters that finite numbers have.
func isDecimal(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case '0' <= c && c <= '9' || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E':
		default:
			return false
		}
	}
	return true
}

// notFinite is float(s) of the words for infinity and for no number.
func notFinite(s string) (float64, bool) {
	switch strings.ToLower(strings.TrimLeft(s, "+-")) {
	case "inf", "infinity", "nan":
	default:
		return 0, false
	}
	if strings.LastIndexAny(s, "+-") > 0 {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil { // a signed nan
		return math.NaN(), true
	}
	return f, true
}

// FloatText is repr(f): the shortest digits that give the number again, with a point,
// in exponent form below 1e-4 and from 1e16.
func FloatText(f float64) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	if size := math.Abs(f); size != 0 && (size < 1e-4 || size >= 1e16) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	text := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// asciiNumber maps the decimal digits of all scripts to ASCII and drops underscores that stand between digits.
func asciiNumber(s string) (string, bool) {
	plain := true
	for i := range len(s) {
		plain = plain && s[i] < utf8.RuneSelf && s[i] != '_'
	}
	if plain {
		return s, s != ""
	}
	var b strings.Builder
	runes := []rune(s)
	for i, r := range runes {
		switch {
		case r == '_':
			if i == 0 || i == len(runes)-1 || !unicode.IsDigit(runes[i-1]) || !unicode.IsDigit(runes[i+1]) {
				return "", false
			}
		case unicode.IsDigit(r):
			b.WriteByte(byte('0' + DigitValue(r)))
		default:
			b.WriteRune(r)
		}
	}
	return b.String(), true
}

// DigitValue is the value of a decimal digit of any script. Unicode lays the
// digits of each script out in runs of ten, zero first.
func DigitValue(r rune) int {
	if r < utf8.RuneSelf {
		return int(r - '0')
	}
	for _, runs := range unicode.Nd.R16 {
		if rune(runs.Lo) <= r && r <= rune(runs.Hi) {
			return int(r-rune(runs.Lo)) % 10
		}
	}
	for _, runs := range unicode.Nd.R32 {
		if rune(runs.Lo) <= r && r <= rune(runs.Hi) {
			return int(r-rune(runs.Lo)) % 10
		}
	}
	return 0
}
