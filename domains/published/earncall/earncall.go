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
	for _, name := range files.Names() {
		return Published{turns: publishedTurns(files[name]), figures: publishedFigures(files[name])}, nil
	}
	return Published{}, nil
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

// figure is an amount, a percentage or basis points, as the published patterns have them.
var figure = pytext.Pattern(`(?i)^(?:\$[\d,]+\.?\d*\s*(?:billion|million)?\b|` +
	`\d+\.?\d*\s*(?:billion|million)\b|\d+\.?\d*%|\d+\.?\d*\s*(?:basis points|bps)\b)`)

// publishedFigures are the figures of a text from left to right. Those without a dollar sign begin at a word's edge.
func publishedFigures(text string) []string {
	const longest = 20 // bytes: "basis points" in any letters, and the character after it
	ofNumber := func(r rune) bool { return strings.ContainsRune("$,.", r) || unicode.IsDigit(r) }
	var found []string
	next := 0 // after the last figure
	for at, r := range text {
		if at < next || r != '$' && (!unicode.IsDigit(r) || !isWordEdge(text, at)) {
			continue
		}
		unit := pytext.StripLeft(strings.TrimLeftFunc(text[at:], ofNumber))
		unitEnd := len(text) - max(0, len(unit)-longest)
		if r != '$' && (unit == "" || strings.IndexByte("%bBmM", unit[0]) < 0) {
			continue // as most numbers are
		}
		if end := figure.FindStringIndex(text[at:unitEnd]); end != nil {
			next = at + end[1]
			found = plain.Append(found, pytext.Strip(text[at:next]))
		}
	}
	return found
}

// isWordEdge is \b: a word character on one side only.
func isWordEdge(text string, at int) bool {
	before, size := utf8.DecodeLastRuneInString(text[:at])
	after, more := utf8.DecodeRuneInString(text[at:])
	return (size > 0 && pytext.IsWord(before)) != (more > 0 && pytext.IsWord(after))
}

// Score is the published formula: 0.40 content + 0.35 metrics + 0.25 sequence.
// It can exceed 1, since repeated figures count on the reference's side alone.
func Score(reference, candidate Published, noted *notes.Notes) domains.Reading {
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

// Stats counts the parts of a document.
func Stats(p Published) domains.Stats {
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
