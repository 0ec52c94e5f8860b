package subtitles

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains"
	"agentd/domains/internal/assign"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
	"agentd/domains/internal/texts"
	"agentd/vfs"
)

// caption is a cue as the published evaluator has it.
type caption struct {
	start, end float64 // milliseconds
	text       string  // without a speaker label
}

// parse is the published reading: the cues of all .srt files in name order. A
// file that does not follow the cue grammar from end to end yields none.
func parse(files vfs.Files) ([]caption, error) {
	var captions []caption
	for _, name := range files.Names() {
		if strings.HasSuffix(name, ".srt") {
			captions = append(captions, parseFile(files[name])...)
		}
	}
	return captions, nil
}

func parseFile(text string) []caption {
	lines := pytext.SplitLines(text)
	for i, line := range lines {
		if strings.Contains(line, " --> ") {
			lines[i] = repairTimeLine(line)
		}
	}
	text = strings.TrimPrefix(strings.Join(lines, "\n"), "\ufeff")
	if skipSpace(text, 0) == len(text) {
		return nil
	}
	var captions []caption
	for at := 0; at < len(text); {
		c, content, ok := scanHead(text, at)
		if !ok {
			return nil
		}
		end, next := scanContent(text, content)
		c.text = withoutLabel(pytext.Strip(text[content:end]))
		captions = plain.Append(captions, c)
		at = next
	}
	return captions
}

// scanHead reads white space, a cue's index, if it has one, and its time line. It returns where the content begins.
func scanHead(s string, at int) (c caption, content int, ok bool) {
	at = skipSpace(s, at)
	if line := skipIndexLine(s, at); line >= 0 {
		at = line
	}
	start, end, at, ok := scanTimes(s, at, func(_ string, at int) int { return at })
	if !ok {
		return c, at, false
	}
	content = len(s)
	if eol := strings.IndexByte(s[at:], '\n'); eol >= 0 {
		content = at + eol + 1
	}
	return caption{start: start.published(), end: end.published()}, content, true
}

// skipIndexLine takes an index and the white space after it to its last line end.
func skipIndexLine(s string, at int) int {
	end := skipIndex(s, at)
	if end < 0 {
		return -1
	}
	eol := strings.LastIndexByte(s[end:skipSpace(s, end)], '\n')
	if eol < 0 {
		return -1
	}
	return end + eol + 1
}

// scanContent finds the shortest content that begins at a place and is followed by the end of the text, by a blank line
// and a cue, or without a blank line by a cue with an index. It returns where the content ends and where the next cue
// begins.
func scanContent(s string, at int) (end, next int) {
	for end = at; ; end++ {
		eol := strings.IndexByte(s[end:], '\n')
		if eol < 0 {
			return len(s), len(s)
		}
		end += eol
		next = end + 1
		switch {
		case next == len(s), indexedTimeAt(s, next):
			return end, next
		case s[next] == '\n' && (next+1 == len(s) || indexedTimeAt(s, next+1) || timeAt(s, next+1)):
			return end, next + 1
		}
	}
}

func timeAt(s string, at int) bool {
	_, end := scanTime(s, at)
	return end >= 0
}

func indexedTimeAt(s string, at int) bool {
	line := skipIndexLine(s, at)
	return line >= 0 && timeAt(s, line)
}

// repairTimeLine forgives what the published evaluator forgives: a remark after the end time, question marks for
// digits, and one part too many before the hours.
func repairTimeLine(line string) string {
	line = strings.ReplaceAll(withoutRemark(line), "?", "0")
	var b strings.Builder
	for at := 0; at < len(line); {
		if end := fourParts(line[at:]); end > 0 {
			b.WriteString(line[at+strings.IndexByte(line[at:], ':')+1 : at+end])
			at += end
			continue
		}
		_, size := utf8.DecodeRuneInString(line[at:])
		b.WriteString(line[at : at+size])
		at += size
	}
	return b.String()
}

// withoutRemark cuts a remark that begins with "<--" or "#" off a line on which only times stand before it.
func withoutRemark(line string) string {
	arrow := strings.Index(line, "-->")
	if arrow == 0 || strings.TrimLeftFunc(line[:arrow], ofTime) != "" {
		return line
	}
	after := line[arrow+len("-->"):]
	remark := strings.TrimLeftFunc(after, ofTime)
	times := pytext.StripRight(after[:len(after)-len(remark)])
	if times == "" || !strings.HasPrefix(remark, "<--") && !strings.HasPrefix(remark, "#") {
		return line
	}
	return line[:arrow+len("-->")] + times
}

func ofTime(r rune) bool {
	return unicode.IsDigit(r) || pytext.IsSpace(r) || strings.ContainsRune(":,.", r)
}

// fourParts is the length of a time such as 00:00:00:41,000 at the beginning of a text, or 0.
func fourParts(s string) int {
	at := 0
	for _, want := range "dd:dd:dd:dd,ddd" {
		r, size := utf8.DecodeRuneInString(s[at:])
		if want == 'd' && !unicode.IsDigit(r) || want != 'd' && r != want {
			return 0
		}
		at += size
	}
	return at
}

// withoutLabel removes a speaker's name from a trimmed text: a first line that
// is nothing but a name in capitals, or such a name and a colon.
func withoutLabel(text string) string {
	if first, rest, more := strings.Cut(text, "\n"); more {
		first = pytext.StripRight(first)
		if label.FindString(first) == first && first != "" {
			return pytext.Strip(rest)
		}
	}
	end := len(label.FindString(text))
	if end == 0 {
		return text
	}
	end = skipSpace(text, end)
	if !strings.HasPrefix(text[end:], ":") {
		return text
	}
	if end = skipSpace(text, end+1); end < len(text) {
		return text[end:]
	}
	return text
}

// label is a speaker's name in capitals of at least two characters, with a remark in parentheses if there is one.
var label = regexp.MustCompile(`^[A-Z][A-Z '.]+(?:\([^)]*\))?`)

// score is the published formula: 0.20 coverage + 0.40 text + 0.25 timing +
// 0.15 sequence. Captions are paired one to one so that their texts agree
// best.
func score(reference, candidate []caption, noted *notes.Notes) domains.Reading {
	reading := domains.Reading{
		Elements: domains.Elements{Reference: len(reference), Candidate: len(candidate)},
	}
	if value, empty := sets.EitherEmpty(reference, candidate); empty {
		reading.RS = value
		return reading
	}
	ref, got := foldAll(reference), foldAll(candidate)
	pairing := texts.Pair(ref, got, noted)
	pairs := pairing.Pairs
	count := float64(len(reference))
	paired := float64(len(pairs)) / count
	coverage := sets.Jaccard(ref, got)
	text := pairing.Similarity() / count
	timing := agreement(reference, candidate, pairs) * paired
	sequence := order(reference, candidate, pairs) * paired
	// Conversions keep the compiler from fusing products into the sums.
	reading.RS = float64(0.20*coverage) + float64(0.40*text) + float64(0.25*timing) + float64(0.15*sequence)
	reading.Components = map[string]float64{
		"coverage": coverage, "text": text, "timing": timing, "sequence": sequence,
	}
	return reading
}

// foldAll are the texts that the published evaluator compares.
func foldAll(captions []caption) []string {
	return lists.Each(captions, func(c *caption) string { return pytext.Collapse(pytext.Lower(c.text)) })
}

// agreement is the mean over the pairs of how well start and end times agree.
func agreement(reference, candidate []caption, pairs []assign.Pair) float64 {
	sum := 0.0
	for _, p := range pairs {
		ref, got := reference[p.Row], candidate[p.Col]
		sum += (closeness(ref.start, got.start) + closeness(ref.end, got.end)) / 2
	}
	return sum / float64(len(pairs))
}

// closeness is the ratio of the smaller time to the larger.
func closeness(a, b float64) float64 {
	if a == b {
		return 1
	}
	return min(a, b) / max(a, b)
}

// order is how well the order of the pairs by start time agrees.
func order(reference, candidate []caption, pairs []assign.Pair) float64 {
	refRank, gotRank := ranks(reference), ranks(candidate)
	refOrder, gotOrder := make([]int, len(pairs)), make([]int, len(pairs))
	for k, p := range pairs {
		refOrder[k], gotOrder[k] = refRank[p.Row], gotRank[p.Col]
	}
	return ratio.Tokens(refOrder, gotOrder, true)
}

// ranks are the places of captions when sorted by start time.
func ranks(captions []caption) []int {
	byStart := func(a, b int) int { return cmp.Compare(captions[a].start, captions[b].start) }
	rank := make([]int, len(captions))
	for place, i := range lists.Order(len(captions), byStart) {
		rank[i] = place
	}
	return rank
}

func stats(captions []caption) domains.Stats {
	duration, characters := "0", 0
	if len(captions) > 0 {
		first, last := captions[0].start, captions[0].end
		for _, c := range captions {
			first, last = min(first, c.start), max(last, c.end)
			characters += utf8.RuneCountInString(c.text)
		}
		duration = strconv.FormatFloat((last-first)/60_000, 'f', 1, 64)
	}
	return domains.Stats{
		Elements: len(captions),
		Counts: []domains.Count{
			{Name: "Entries", Value: strconv.Itoa(len(captions))},
			{Name: "Duration", Value: duration + " min"},
			{Name: "Text Chars", Value: strconv.Itoa(characters)},
		},
	}
}
