// Package earncall is the published reading and score of the domain earncall.
//
// score = 0.40 content + 0.35 metrics + 0.25 sequence. No rounding and no clamp: the score can pass 1 (see below).
//
//   - Speaker names are compared lower-cased with white space folded to single blanks.
//   - sequence: both lists empty 1, one empty 0, else difflib ratio of the two lists of names (elements are whole
//     names, autojunk on, which matters from 200 turns in the candidate).
//   - content: both empty 1, one empty 0. The candidate's turns are queued per speaker in order. Each reference turn
//     takes the next turn of its speaker: difflib ratio of the two contents as characters, case kept, a = reference, b
//     = candidate, autojunk on (matters for contents of 200 characters or more); an empty queue gives 0. Mean over
//     reference turns. Two empty contents have ratio 1. Left-over candidate turns cost nothing here.
//   - metrics: no reference metrics: 1 if the candidate has none, else 0; candidate without metrics 0. Otherwise fold
//     each metric (lower case, blanks removed, other white space kept). hits = number of reference metrics, repeats
//     included, whose text is in the set of candidate metrics. precision = hits / candidate count, recall = hits /
//     reference count, metrics = 2pr / (p + r), 0 if both are 0. Because repeats are counted on the reference side
//     only, precision can pass 1.
//   - Empty candidate 0; prose with one "Note:" line 0.
//
// R, or ratio, is that of package ratio, with the reference first.
package earncall

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// Published is a transcript as the published evaluator has it.
type Published struct {
	turns   []publishedTurn
	figures []string // in the raw text, repeats included
}

type publishedTurn struct {
	speaker, content string
	folded           string // the name by which turns of a speaker are found
}

// Parse is the published reading: of the first file alone, under any name.
func Parse(files vfs.Files) (Published, error) {
	names := files.Names()
	if len(names) == 0 {
		return Published{}, nil
	}
	text := files[names[0]]
	return Published{turns: publishedTurns(text), figures: publishedFigures(text)}, nil
}

// publishedTurns drops lines before the first turn.
func publishedTurns(text string) []publishedTurn {
	var turns []publishedTurn
	var pieces []string // of the last turn's content
	end := func() {
		if len(turns) > 0 {
			turns[len(turns)-1].content = strings.Join(pieces, " ")
		}
		pieces = pieces[:0]
	}
	for line := range strings.SplitSeq(text, "\n") {
		if name, rest, ok := CutName(line); ok {
			end()
			turns = plain.Append(turns, publishedTurn{speaker: pytext.Strip(name), folded: pytext.Collapse(pytext.Lower(name))})
			line = rest
		}
		if line = pytext.Strip(line); line != "" && len(turns) > 0 {
			pieces = append(pieces, line)
		}
	}
	end()
	return turns
}

// CutName cuts a line at its first colon if what stands before it is a capital
// and one or more letters, white space, apostrophes and hyphens.
func CutName(line string) (name, rest string, ok bool) {
	const shortest = 2
	name, rest, ok = strings.Cut(line, ":")
	if !ok || len(name) < shortest || name[0] < 'A' || name[0] > 'Z' {
		return "", "", false
	}
	return name, rest, !strings.ContainsFunc(name, notOfName)
}

func notOfName(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r != '\'' && r != '-' && !pytext.IsSpace(r)
}

// publishedFigures are the amounts, percentages and basis points of a text, as
// the published patterns find them from left to right:
//
//	\$[\d,]+\.?\d*\s*(?:billion|million)?\b
//	\b\d+\.?\d*\s*(?:billion|million)\b
//	\b\d+\.?\d*%
//	\b\d+\.?\d*\s*(?:basis points|bps)\b
//
// They are matched by hand, since Python's classes are Unicode's and its backtracking takes quadratic time.
func publishedFigures(text string) []string {
	var found []string
	next := 0 // after the last figure
	for at, r := range text {
		if at < next {
			continue
		}
		end := -1
		switch {
		case r == '$':
			end = dollarEnd(text, at+1)
		case unicode.IsDigit(r) && isWordEdge(text, at):
			end = quantityEnd(text, at)
		}
		if end >= 0 {
			found = plain.Append(found, pytext.Strip(text[at:end]))
			next = end
		}
	}
	return found
}

// dollarEnd is where an amount ends of which the digits begin at a place, -1 if there is none. What the pattern takes
// at first must end at a word's edge; else it gives back, which leads to one only after the point or within the digits
// and commas.
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

// quantityEnd is where a number with a scale, a percent sign or basis points ends, -1 if the number has none of them.
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
			r, size := utf8.DecodeRuneInString(text[end:])
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

// lowerOf is the letter as which Python's patterns take another where case is ignored.
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
	after, more := utf8.DecodeRuneInString(text[at:])
	return (size > 0 && pytext.IsWord(before)) != (more > 0 && pytext.IsWord(after))
}
