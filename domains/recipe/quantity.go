package recipe

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/pytext"
)

// item is an ingredient as a cook reads it.
type item struct {
	amount      string // a number or "2-3", in its plainest form, of the unit
	unit        string // "" for what is counted on its own
	name        string
	preparation string // what stands after a comma or in parentheses: "softened"
}

// readIngredient takes "2 tablespoons butter, softened" apart. A text that does not
// begin with an amount is all name.
func readIngredient(text string) item {
	numbers, rest := readAmount(text)
	var found item
	if len(numbers) > 0 {
		u, after := readUnit(rest)
		for i := range numbers {
			numbers[i].numerator *= u.of()
		}
		found.unit, rest = u.name, after
		found.amount = writeAmount(numbers)
	}
	found.name, found.preparation = dividedName(pytext.Strip(rest))
	return found
}

func dividedName(text string) (name, preparation string) {
	at := strings.IndexAny(text, ",(")
	if at <= 0 {
		return oneBlank(text), ""
	}
	return oneBlank(text[:at]), oneBlank(strings.TrimPrefix(text[at:], ","))
}

// readAmount reads a number or a range at the beginning of a text. It returns
// none where more than a unit stands against it, as in "70% chocolate".
func readAmount(text string) (numbers []rational, rest string) {
	first, end := readNumber(text)
	if end == 0 {
		return nil, text
	}
	numbers = append(numbers, first)
	for _, to := range []string{"-", "–", " - ", " – ", " to "} {
		if after, found := strings.CutPrefix(text[end:], to); found {
			if second, size := readNumber(after); size > 0 {
				numbers = append(numbers, second)
				end = len(text) - len(after) + size
				break
			}
		}
	}
	rest = text[end:]
	if rest == "" || skip(rest, 0, pytext.IsSpace) > 0 {
		return numbers, rest
	}
	if u, _ := readUnit(rest); u.name != "" {
		return numbers, rest
	}
	return nil, text
}

// rational is a small number, exact.
type rational struct{ numerator, denominator int64 }

// longestNumber is the number of digits up to which a run of them is read, so
// that products stay exact.
const longestNumber = 5

// readNumber reads "2", "2.5", "1/2", "1 1/2", "½" "1½" or "1 ½" at the beginning of a
// text and returns its length.
func readNumber(text string) (rational, int) {
	whole, end := readDigits(text)
	if end == 0 {
		return vulgarFraction(text)
	}
	switch after := text[end:]; {
	case strings.HasPrefix(after, "."):
		decimals, size := readDigits(after[1:])
		if size == 0 || size >= longestNumber {
			return rational{}, 0
		}
		scale := int64(1)
		for range size {
			scale *= 10
		}
		return rational{whole*scale + decimals, scale}, end + 1 + size
	case strings.HasPrefix(after, "/"), strings.HasPrefix(after, "⁄"):
		return readFraction(text)
	case strings.HasPrefix(after, " "):
		if part, size := readFraction(after[1:]); size > 0 {
			return part.plus(whole), end + 1 + size
		}
	}
	blank := len(text[end:]) - len(strings.TrimPrefix(text[end:], " "))
	if part, size := vulgarFraction(text[end+blank:]); size > 0 {
		return part.plus(whole), end + blank + size
	}
	return rational{whole, 1}, end
}

func (r rational) plus(whole int64) rational {
	return rational{whole*r.denominator + r.numerator, r.denominator}
}

// readFraction reads "1/2".
func readFraction(text string) (rational, int) {
	numerator, end := readDigits(text)
	after := strings.TrimLeft(text[end:], "/⁄")
	denominator, size := readDigits(after)
	if end == 0 || len(after) == len(text)-end || denominator == 0 {
		return rational{}, 0
	}
	return rational{numerator, denominator}, len(text) - len(after) + size
}

// readDigits reads a run of digits that is not too long.
func readDigits(text string) (value int64, end int) {
	for end < len(text) && text[end] >= '0' && text[end] <= '9' {
		if end == longestNumber {
			return 0, 0
		}
		value = value*10 + int64(text[end]-'0')
		end++
	}
	return value, end
}

var vulgar = map[rune]rational{
	'½': {1, 2}, '⅓': {1, 3}, '⅔': {2, 3}, '¼': {1, 4}, '¾': {3, 4}, '⅕': {1, 5}, '⅖': {2, 5}, '⅗': {3, 5},
	'⅘': {4, 5}, '⅙': {1, 6}, '⅚': {5, 6}, '⅛': {1, 8}, '⅜': {3, 8}, '⅝': {5, 8}, '⅞': {7, 8},
}

func vulgarFraction(text string) (rational, int) {
	if text == "" || text[0] < utf8.RuneSelf {
		return rational{}, 0
	}
	r, size := utf8.DecodeRuneInString(text)
	part, ok := vulgar[r]
	if !ok {
		return rational{}, 0
	}
	return part, size
}

// String writes equal numbers equally: "250", "1.5", "1/3".
func (r rational) String() string {
	if r.numerator%r.denominator == 0 {
		return strconv.FormatInt(r.numerator/r.denominator, 10)
	}
	const decimals, scale = 4, 10_000
	if r.numerator*scale%r.denominator == 0 {
		tenThousandths := r.numerator * scale / r.denominator
		return strings.TrimRight(strconv.FormatFloat(float64(tenThousandths)/scale, 'f', decimals, 64), "0")
	}
	d := divisor(r.numerator, r.denominator)
	return strconv.FormatInt(r.numerator/d, 10) + "/" + strconv.FormatInt(r.denominator/d, 10)
}

// divisor is the greatest common divisor.
func divisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func writeAmount(numbers []rational) string {
	amount := numbers[0].String()
	if len(numbers) > 1 {
		amount += "-" + numbers[1].String()
	}
	return amount
}

// readUnit reads a unit with a name after it; without one the word is the name,
// as in "5 cloves". The zero unit says that there is none.
func readUnit(text string) (u unit, rest string) {
	start := skip(text, 0, pytext.IsSpace)
	first, after := cutWord(text[start:])
	u, known := units[first]
	if !known {
		u, known = units[strings.ToLower(strings.TrimSuffix(first, "."))]
	}
	if second, last := cutWord(after); !known && strings.TrimSuffix(strings.ToLower(first), ".") == "fl" || strings.EqualFold(first, "fluid") {
		if u, known = units[strings.ToLower(strings.TrimSuffix(second, "."))]; known && u.name == "oz" {
			u, after = fluidOunce, last
		} else {
			known = false
		}
	}
	if !known || after == "" {
		return unit{}, text
	}
	return u, after
}

func cutWord(text string) (word, rest string) {
	end := skip(text, 0, func(r rune) bool { return !pytext.IsSpace(r) })
	return text[:end], pytext.Strip(text[end:])
}
