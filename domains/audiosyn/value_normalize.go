package audiosyn

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
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
	word, rest := cutField(code)
	if rest == "" {
		b.WriteString(line)
		return nil
	}
	b.WriteByte(word[0])
	for word = word[1:]; ; word, rest = cutField(rest) {
		number, err := normalizedNumber(word)
		if err != nil {
			return err
		}
		b.WriteString(number)
		if rest == "" {
			break
		}
		b.WriteByte(' ')
	}
	if commented {
		b.WriteString(" ;")
		b.WriteString(comment)
	}
	return nil
}

// cutField cuts a text after its first word. What is left has no blanks around
// it.
func cutField(text string) (word, rest string) {
	text = pytext.Strip(text)
	for n, r := range text {
		if r == ' ' || r != '.' && !isDigit(byte(r)) && pytext.IsSpace(r) {
			return text[:n], pytext.Strip(text[n:])
		}
	}
	return text, ""
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
		return "", fmt.Errorf("%w: it takes the word %.40q for a number", domains.ErrCrash, word)
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
	return len(word) <= most && plain.IsDigits(word) && (word[0] != '0' || word == "0")
}
