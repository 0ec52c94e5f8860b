package audiosyn

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"agentd/domains/internal/pytext"
)

// normalizedScore writes the numbers of a file's first score in one way.
func normalizedScore(text string) (string, error) {
	start, end, found := sectionBounds(text, "CsScore")
	if !found {
		return text, nil
	}
	var b strings.Builder
	b.Grow(len(text))
	b.WriteString(text[:start])
	first := true
	for line := range strings.SplitSeq(text[start:end], "\n") {
		if !first {
			b.WriteByte('\n')
		}
		first = false
		if err := writeNormalized(&b, line); err != nil {
			return "", err
		}
	}
	b.WriteString(text[end:])
	return b.String(), nil
}

// writeNormalized writes the words of a table or event, one blank between two.
func writeNormalized(b *strings.Builder, line string) error {
	statement := pytext.Strip(line)
	if statement == "" || statement[0] != 'i' && statement[0] != 'f' {
		b.WriteString(line)
		return nil
	}
	code, comment, commented := strings.Cut(statement, ";")
	words := pytext.Fields(code)
	if len(words) < 2 {
		b.WriteString(line)
		return nil
	}
	for n, word := range words {
		if n > 0 {
			b.WriteByte(' ')
		} else {
			b.WriteByte(word[0])
			word = word[1:]
		}
		number, err := normalizedNumber(word)
		if err != nil {
			return err
		}
		b.WriteString(number)
	}
	if commented {
		b.WriteString(" ;")
		b.WriteString(comment)
	}
	return nil
}

// normalizedNumber writes a whole number without a point, another with at most 15
// digits, and leaves other words alone.
func normalizedNumber(word string) (string, error) {
	if isShortWhole(word) {
		return word, nil
	}
	value, ok := pytext.Float(word)
	switch {
	case !ok:
		return word, nil
	case math.IsNaN(value) || math.IsInf(value, 0):
		return "", fmt.Errorf("the published reader takes %.40q for a number and gives up", word)
	case value == 0 && !strings.ContainsAny(word, "eE"):
		return "0", nil
	case value == math.Trunc(value) && !strings.ContainsAny(word, "eE"):
		return strconv.FormatFloat(value, 'f', 0, 64), nil
	}
	return fmt.Sprintf("%.15g", value), nil
}

// isShortWhole reports whether a word is a whole number as it would be written.
func isShortWhole(word string) bool {
	const most = 15 // digits that a float holds
	if word == "" || len(word) > most || word[0] == '0' && word != "0" {
		return false
	}
	for n := range len(word) {
		if !isDigit(word[n]) {
			return false
		}
	}
	return true
}
