package protein

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains/internal/pytext"
)

// fixedColumns is where the columns of an atom line end that no repair moves.
const fixedColumns = 30

// repaired is a line as the published program repairs it: what stands after
// column 30 of an atom line is put in its columns again. The element is left
// out, which the score does not look at.
func repaired(line string) string {
	switch pytext.Strip(part(line, 0, 6)) {
	default:
		return line
	case "ATOM", "HETATM":
	}
	fixed := part(line, 0, fixedColumns)
	numbers := firstNumbers(line[len(fixed):])
	if len(numbers) < 3 {
		return line
	}
	numbers = append(numbers, []float64{1, 0}[min(len(numbers)-3, 2):]...)
	buffer := make([]byte, 0, 80)
	buffer = append(buffer, fixed...)
	for n := utf8.RuneCountInString(fixed); n < fixedColumns; n++ {
		buffer = append(buffer, ' ')
	}
	for n, value := range numbers {
		width, decimals := 8, 3
		if n >= 3 {
			width, decimals = 6, 2
		}
		buffer = appendFixed(buffer, value, width, decimals)
	}
	return string(buffer)
}

// appendFixed writes a number right-aligned in columns.
func appendFixed(buffer []byte, value float64, width, decimals int) []byte {
	var space [32]byte
	text := strconv.AppendFloat(space[:0], value, 'f', decimals, 64)
	for n := len(text); n < width; n++ {
		buffer = append(buffer, ' ')
	}
	return append(buffer, text...)
}

// firstNumbers are up to five numbers in a text, without exponents.
func firstNumbers(text string) []float64 {
	const most = 5
	numbers := make([]float64, 0, most)
	for len(numbers) < most {
		start, end := findNumber(text)
		if start < 0 {
			break
		}
		value, ok := pytext.Float(text[start:end])
		if !ok {
			break
		}
		numbers = append(numbers, value)
		text = text[end:]
	}
	return numbers
}

// findNumber finds [+-]?\d+\.?\d*, -1 if there is none.
func findNumber(text string) (start, end int) {
	start = strings.IndexFunc(text, unicode.IsDigit)
	if start < 0 {
		return -1, -1
	}
	end = start + digitsIn(text[start:])
	if end < len(text) && text[end] == '.' {
		end++
		end += digitsIn(text[end:])
	}
	if start > 0 && (text[start-1] == '+' || text[start-1] == '-') {
		start--
	}
	return start, end
}

// digitsIn is the length of the digits with which a text begins.
func digitsIn(text string) int {
	if end := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsDigit(r) }); end >= 0 {
		return end
	}
	return len(text)
}
