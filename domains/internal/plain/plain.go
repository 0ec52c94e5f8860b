// Package plain has the small readings of text that strict readers and oracles of several domains share.
package plain

import (
	"cmp"
	"encoding/csv"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"agentd/domains/internal/pytext"
)

// Lines splits a text as a tolerant reader does: universal newlines, without a byte order mark, and without the code
// fences that a model may have left around or inside it. A last empty line does not count.
func Lines(text string) []string {
	text = pytext.UniversalNewlines(strings.TrimPrefix(text, "\ufeff"))
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) == 1 && lines[0] == "" {
		return nil
	}
	return slices.DeleteFunc(lines, IsFence)
}

// IsFence reports whether a line is a Markdown code fence: three or more
// backticks, then at most a word such as a language or file name.
func IsFence(line string) bool {
	if !strings.Contains(line, "```") {
		return false
	}
	rest := strings.TrimSpace(line)
	bare := strings.TrimLeft(rest, "`")
	return len(rest)-len(bare) >= 3 && !strings.ContainsAny(strings.TrimSpace(bare), " `")
}

// Text joins lines, each ended by a newline.
func Text(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// WriteCSV prints records with quotes only where needed and LF line ends. A delimiter other than the comma may follow.
func WriteCSV(records [][]string, delimiter ...rune) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	if len(delimiter) > 0 {
		w.Comma = delimiter[0]
	}
	_ = w.WriteAll(records) // a strings.Builder cannot fail
	return b.String()
}

// ReadCSV reads what WriteCSV prints, and what is close to it: records of
// unequal length and stray quotes are taken as they are.
func ReadCSV(text string) ([][]string, error) {
	r := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\ufeff")))
	r.FieldsPerRecord = -1
	r.LazyQuotes = true
	return r.ReadAll()
}

// Append is append for lists that may get very long: it doubles a full one,
// where append adds a quarter and so copies a long list many times.
func Append[T any](list []T, item T) []T {
	if len(list) == cap(list) {
		const least = 4
		list = slices.Grow(list, max(least, 1+len(list)))
	}
	return append(list, item)
}

// Splice puts others in the place of stretches of a text. of says from where to where a change
// goes, in bytes, and what it puts there. Changes may come in any order; of those at one place the
// first comes first, and one that begins within another is left out.
func Splice[C any](text string, changes []C, of func(C) (start, end int, with string)) string {
	start := func(c C) int {
		at, _, _ := of(c)
		return at
	}
	inOrder := slices.SortedStableFunc(slices.Values(changes), func(a, b C) int { return cmp.Compare(start(a), start(b)) })
	var b strings.Builder
	at := 0
	for _, c := range inOrder {
		start, end, with := of(c)
		if start < at {
			continue
		}
		b.WriteString(text[at:start])
		b.WriteString(with)
		at = end
	}
	b.WriteString(text[at:])
	return b.String()
}

// EachMark mends a text wherever a mark stands in it. slip is given what stands before the mark, since the mark before
// it, and after it. It returns how much of the one and the other a replacement takes up; false where there is nothing
// to mend. What was replaced is not looked at again.
func EachMark(text, mark, replacement string, slip func(before, after string) (left, right int, found bool)) string {
	var b strings.Builder
	written := 0 // of text, or replaced
	for from := 0; ; {
		next := strings.Index(text[from:], mark)
		if next < 0 && written == 0 {
			return text
		}
		if next < 0 {
			return b.String() + text[written:]
		}
		start, end := from+next, from+next+len(mark)
		left, right, found := slip(text[from:start], text[end:])
		if from = end; found {
			from = end + right
			b.WriteString(text[written:start-left] + replacement)
			written = from
		}
	}
}

// SingleBlanks writes one blank for each run of white space, and none at the ends.
func SingleBlanks(text string) string {
	before := ' '
	for _, r := range text {
		if r == ' ' && before == ' ' || r != ' ' && unicode.IsSpace(r) {
			return strings.Join(strings.Fields(text), " ")
		}
		before = r
	}
	return strings.TrimSuffix(text, " ")
}

// WholeLines widens a stretch of a text to its lines with their ends, if nothing else but blanks stands on them.
func WholeLines(text string, from, to int) (start, end int) {
	const blanks = " \t"
	before, after := strings.TrimRight(text[:from], blanks), strings.TrimLeft(text[to:], blanks)
	if before != "" && !strings.HasSuffix(before, "\n") || after != "" && after[0] != '\n' {
		return from, to
	}
	return len(before), len(text) - len(strings.TrimPrefix(after, "\n"))
}

// IsDigits reports whether a text is one or more of the figures 0 to 9.
func IsDigits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return text != ""
}

// OneLine writes lines on one, with " | " between them. A "|" of the text itself is doubled, so
// that a single one always ends a line.
func OneLine(lines []string) string {
	return strings.ReplaceAll(strings.ReplaceAll(strings.Join(lines, "\n"), "|", "||"), "\n", " | ")
}

// Metres is the haversine distance of two places, in degrees, on a sphere of 6,371 km.
func Metres(latA, lonA, latB, lonB float64) float64 {
	const radius, degree = 6_371_000, math.Pi / 180
	north, east := math.Sin((latB-latA)*degree/2), math.Sin((lonB-lonA)*degree/2)
	h := float64(north*north) + float64(math.Cos(latA*degree)*math.Cos(latB*degree)*float64(east*east))
	return 2 * radius * math.Asin(math.Sqrt(min(h, 1)))
}

// Number writes a decimal number in a form that is equal for equal numbers;
// other text stays, without outer blanks.
func Number(text string) string {
	text = pytext.Strip(text)
	digits := strings.TrimLeft(text, "+-")
	if len(text)-len(digits) > 1 || digits == "" || strings.Trim(digits, "0123456789.") != "" {
		return exponential(text)
	}
	whole, fraction, _ := strings.Cut(digits, ".")
	if strings.Contains(fraction, ".") || whole+fraction == "" {
		return text
	}
	whole, fraction = strings.TrimLeft(whole, "0"), strings.TrimRight(fraction, "0")
	sign := ""
	if text[0] == '-' && whole+fraction != "" {
		sign = "-"
	}
	if whole == "" {
		whole = "0"
	}
	if fraction == "" {
		return sign + whole
	}
	return sign + whole + "." + fraction
}

// exponential does the same for a number with an exponent of up to two digits.
func exponential(text string) string {
	const longest = 24
	mantissa, exponent, found := strings.Cut(strings.ToLower(text), "e")
	if !found || len(text) > longest || strings.Trim(mantissa, "+-.0123456789") != "" || len(strings.TrimLeft(exponent, "+-")) > 2 {
		return text
	}
	value, ok := new(big.Rat).SetString(text)
	if !ok {
		return text
	}
	const places = 40
	written := value.FloatString(places)
	if again, _ := new(big.Rat).SetString(written); again.Cmp(value) != 0 {
		return text
	}
	return Number(written)
}

// LineNumber reads a line number; 0 if there is none.
func LineNumber(cell string) int {
	n, _ := strconv.Atoi(strings.TrimSpace(cell))
	return max(n, 0)
}
