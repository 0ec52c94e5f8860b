package earncall

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
)

// publishedFigures are the amounts, percentages and basis points of a text, as
// the published patterns find them from left to right:
//
//	\$[\d,]+\.?\d*\s*(?:billion|million)?\b
//	\b\d+\.?\d*\s*(?:billion|million)\b
//	\b\d+\.?\d*%
//	\b\d+\.?\d*\s*(?:basis points|bps)\b
//
// They are matched by hand, since Python's classes are Unicode's and its
// backtracking takes quadratic time.
func publishedFigures(text string) []string {
	var found []string
	for at := 0; at < len(text); {
		r, size := runeAt(text, at)
		end := -1
		switch {
		case r == '$':
			end = dollarEnd(text, at+1)
		case unicode.IsDigit(r) && isWordEdge(text, at):
			end = quantityEnd(text, at)
		}
		if end < 0 {
			at += size
			continue
		}
		found = plain.Append(found, pytext.Strip(text[at:end]))
		at = end
	}
	return found
}

// dollarEnd is where an amount ends of which the digits begin at a place, -1 if
// there is none. What the pattern takes at first must end at a word's edge;
// else it gives back, which leads to one only after the point or within the
// digits and commas.
func dollarEnd(text string, at int) int {
	whole := skip(text, at, func(r rune) bool { return r == ',' || unicode.IsDigit(r) })
	if whole == at {
		return -1
	}
	if strings.HasPrefix(text[whole:], ".") {
		fraction := skip(text, whole+1, unicode.IsDigit)
		if end := scaledEnd(text, fraction); end >= 0 {
			return end
		}
		if isWordEdge(text, whole+1) {
			return whole + 1
		}
	}
	if end := scaledEnd(text, whole); end >= 0 {
		return end
	}
	for end := whole; end > at; {
		_, size := utf8.DecodeLastRuneInString(text[:end])
		if end -= size; end > at && isWordEdge(text, end) {
			return end
		}
	}
	return -1
}

// scaledEnd takes white space and a scale after a number, or less of them.
func scaledEnd(text string, number int) int {
	space := skip(text, number, pytext.IsSpace)
	if end := skipWord(text, space, "billion", "million"); end >= 0 {
		return end
	}
	for _, end := range []int{space, number} {
		if isWordEdge(text, end) {
			return end
		}
	}
	return -1
}

// quantityEnd is where a number with a scale, a percent sign or basis points
// ends, -1 if the number has none of them.
func quantityEnd(text string, at int) int {
	number := skip(text, at, unicode.IsDigit)
	if strings.HasPrefix(text[number:], ".") {
		number = skip(text, number+1, unicode.IsDigit)
	}
	space := skip(text, number, pytext.IsSpace)
	if end := skipWord(text, space, "billion", "million"); end >= 0 {
		return end
	}
	if strings.HasPrefix(text[number:], "%") {
		return number + 1
	}
	return skipWord(text, space, "basis points", "bps")
}

func skip(text string, at int, in func(rune) bool) int {
	return len(text) - len(strings.TrimLeftFunc(text[at:], in))
}

// skipWord takes one of the words, in any letter case, if it ends at an edge.
func skipWord(text string, at int, words ...string) int {
	for _, word := range words {
		end := at
		for _, letter := range word {
			r, size := runeAt(text, end)
			if size == 0 || lowerOf(r) != letter {
				end = -1
				break
			}
			end += size
		}
		if end >= 0 && isWordEdge(text, end) {
			return end
		}
	}
	return -1
}

// lowerOf is the letter as which Python's patterns take another where case is
// ignored.
func lowerOf(r rune) rune {
	switch r {
	case 'ı', 'İ':
		return 'i'
	case 'ſ':
		return 's'
	}
	return unicode.ToLower(r)
}

// isWordEdge is \b: a word character on one side only.
func isWordEdge(text string, at int) bool {
	before, size := utf8.DecodeLastRuneInString(text[:at])
	after, more := runeAt(text, at)
	return (size > 0 && pytext.IsWord(before)) != (more > 0 && pytext.IsWord(after))
}

func runeAt(text string, at int) (rune, int) {
	if at < len(text) && text[at] < utf8.RuneSelf {
		return rune(text[at]), 1
	}
	return utf8.DecodeRuneInString(text[at:])
}
