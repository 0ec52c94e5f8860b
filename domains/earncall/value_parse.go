package earncall

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
	"agentd/vfs"
)

// published is a transcript as the published evaluator has it.
type published struct {
	turns   []publishedTurn
	figures []string // in the raw text, repeats included
}

type publishedTurn struct {
	speaker, content string
	folded           string // the name by which turns of a speaker are found
}

// parse is the published reading: of the first file alone, under any name.
func parse(files vfs.Files) (published, error) {
	names := files.Names()
	if len(names) == 0 {
		return published{}, nil
	}
	text := files[names[0]]
	return published{turns: publishedTurns(text), figures: publishedFigures(text)}, nil
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
		if name, rest, ok := cutName(line); ok {
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

// cutName cuts a line at its first colon if what stands before it is a capital
// and one or more letters, white space, apostrophes and hyphens.
func cutName(line string) (name, rest string, ok bool) {
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

// counted is the kind of element that is counted.
const counted = "turn"

// score is the published formula: 0.40 content + 0.35 metrics + 0.25 sequence.
// It can exceed 1, since repeated figures count on the reference's side alone.
func score(reference, candidate published, noted *notes.Notes) domains.Reading {
	content := contents(reference.turns, candidate.turns, noted)
	metrics := agreement(reference.figures, candidate.figures)
	refSpeakers, gotSpeakers := speakersOf(reference.turns), speakersOf(candidate.turns)
	sequence := ratio.Bounded(refSpeakers, gotSpeakers, ratio.Limits{Work: mostWork}, noted)
	return domains.Reading{
		// Conversions keep the compiler from fusing products into the sums.
		RS:         float64(0.40*content) + float64(0.35*metrics) + float64(0.25*sequence),
		Components: map[string]float64{"content": content, "metrics": metrics, "sequence": sequence},
		Elements:   domains.Elements{Reference: len(reference.turns), Candidate: len(candidate.turns)},
	}
}

// mostWork is the product of the numbers of turns above which the speakers that two calls share, in
// any order, stand for their ratio.
const mostWork = 1 << 30

// speakersOf are those of turns by their folded names.
func speakersOf(turns []publishedTurn) []string {
	return lists.Each(turns, func(t *publishedTurn) string { return t.folded })
}

// contents is the mean over the reference's turns of how similar the candidate's next turn of the same speaker is.
func contents(reference, candidate []publishedTurn, noted *notes.Notes) float64 {
	if similarity, empty := sets.EitherEmpty(reference, candidate); empty {
		return similarity
	}
	queues := map[string][]string{}
	for j := range candidate {
		t := &candidate[j]
		queues[t.folded] = append(queues[t.folded], t.content)
	}
	sum := 0.0
	for i := range reference {
		t := &reference[i]
		if queue := queues[t.folded]; len(queue) > 0 {
			sum += ratio.Share(t.content, queue[0], noted)
			queues[t.folded] = queue[1:]
		}
	}
	return sum / float64(len(reference))
}

// agreement is the published F1 of figures. Repeats count among the hits, so that the precision can exceed 1.
func agreement(reference, candidate []string) float64 {
	if similarity, empty := sets.EitherEmpty(reference, candidate); empty {
		return similarity
	}
	said := make(map[string]bool, len(candidate))
	for _, figure := range candidate {
		said[foldFigure(figure)] = true
	}
	hits := lists.Count(reference, func(figure *string) bool { return said[foldFigure(*figure)] })
	return sets.F1(hits, len(reference), len(candidate))
}

func foldFigure(figure string) string { return strings.ReplaceAll(pytext.Lower(figure), " ", "") }

func stats(p published) domains.Stats {
	speakers := map[string]bool{}
	for i := range p.turns {
		speakers[p.turns[i].speaker] = true
	}
	return domains.Stats{
		Elements: len(p.turns),
		Counts: []domains.Count{
			{Name: "Speaker Turns", Value: strconv.Itoa(len(p.turns))},
			{Name: "Speakers", Value: strconv.Itoa(len(speakers))},
			{Name: "Financial Metrics", Value: strconv.Itoa(len(p.figures))},
		},
	}
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
