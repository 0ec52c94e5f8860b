package wellformed

import (
	"strings"

	"agentd/internal/lazyregexp"
)

// What an answer of an assistant leaves in a file.
const (
	fence       = "a Markdown code fence is no part of the file"
	remark      = "a remark about the file stands in it"
	placeholder = "a remark stands in the place of what was left out"
)

var (
	// opening is the first line of an answer, above the file.
	opening = lazyregexp.New(`(?i)^[*_]*(?:(?:sure|certainly|of course|absolutely|okay|ok|great|done|understood)\b[,.!:— -]*)?` +
		`(?:here(?:['’]s| is| are| you go)\b|below (?:is|are|you)\b|the following\b|i(?:['’]ve| have|['’]m| am)\b|attached (?:is|are)\b|this is the\b|as (?:you )?(?:requested|asked)\b).*[:.!?][*_]*$` +
		`|^(?i)(?:sure|certainly|of course|absolutely)[,!.]`)
	// closing is the last line of an answer, below the file.
	closing = lazyregexp.New(`(?i)^[*_]*(?:(?:please )?let me know\b|i hope\b|hope this\b|(?:please )?feel free\b|if you (?:need|have|want|would like|['’]d like)\b|i(?:['’]ve| have) (?:made|updated|kept|merged|restored|changed|edited|preserved)\b|all other\b.*\bunchanged|the rest of the (?:file|document)\b)`)
	// about are words by which a sentence speaks of the file, and is no sentence of it.
	about = lazyregexp.New(`(?i)\b(?:file|document|version|output|result|content|updated?|revised|modified|edited|requested|corrected|converted|restored|merged|changes?|asked|know|help|questions?|anything|unchanged)\b|:$`)
	// elided stands for lines that an assistant did not write out.
	elided = lazyregexp.New(`(?i)^\W*(?:\.\.\.|…)?\W*(?:the )?(?:rest of|remaining|remainder of|all other)\b.{0,60}\b(?:unchanged|the same|as before|omitted|as in the original|remains?|stays?)\b\W*$`)
)

// Answer finds what an answer leaves around a file, and in the place of parts of it: code fences, remarks, and
// "rest of the file unchanged".
func Answer(_, text string) []Slip {
	return answer(text, func(_ int, line string) bool { return isFence(line) })
}

// AnswerAround is Answer for texts in which a code fence may stand: it finds one around the whole, and one that is not closed.
func AnswerAround(_, text string) []Slip {
	first, last, count := 0, 0, 0
	for n, line := range lines(text) {
		if line = strings.TrimSpace(line); line != "" && !isRemark(opening, line) && !isRemark(closing, line) {
			if first == 0 {
				first = n
			}
			last = n
		}
		if isFence(line) {
			count++
		}
	}
	return answer(text, func(n int, line string) bool {
		return isFence(line) && (n == first || n == last && count%2 == 1)
	})
}

func answer(text string, isSlip func(n int, line string) bool) []Slip {
	var all []Slip
	first, last := 0, 0
	var top, bottom string // the lines of these numbers
	for n, line := range lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if isSlip(n, line) {
			all = append(all, Slip{Line: n, What: fence, Text: line})
			continue
		}
		if elided.MatchString(line) {
			all = append(all, Slip{Line: n, What: placeholder, Text: line})
		}
		if first == 0 {
			first, top = n, line
		}
		last, bottom = n, line
	}
	if first > 0 && isRemark(opening, top) {
		all = append(all, Slip{Line: first, What: remark, Text: top})
	}
	if last > first && isRemark(closing, bottom) {
		all = append(all, Slip{Line: last, What: remark, Text: bottom})
	}
	return all
}

// Fence finds the code fences of a text, see Code.Bare.
func Fence(_, text string) []Slip {
	var all []Slip
	for n, line := range lines(text) {
		if isFence(line) {
			all = append(all, Slip{Line: n, What: fence, Text: strings.TrimSpace(line)})
		}
	}
	return all
}

func isFence(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")
}

func isRemark(pattern *lazyregexp.Regexp, line string) bool {
	const longest = 400
	return len(line) < longest && pattern.MatchString(line) && about.MatchString(line)
}
