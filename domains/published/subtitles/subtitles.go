// Package subtitles is the published reading and score of the domain subtitles.
//
// score = 0.20 V + 0.40 T + 0.25 M k + 0.15 Q k, not rounded. Both sides empty: 1. One side empty: 0.
//
//   - V: Jaccard of the sets of folded texts. Repeated texts count once.
//   - T: matrix s[i][j] = ratio over the characters of fold(reference i) and fold(candidate j), autojunk on (from 200
//     characters); optimal assignment with largest summed similarity on costs 1 - s; T = sum of matched s / n_ref.
//     Surplus candidate cues are free.
//   - k = number of matched pairs / n_ref = min(n_ref, n_gen) / n_ref.
//   - M: mean over pairs of (a + e)/2, where a, e compare the start and end times: both 0: 1; one 0: 0; else smaller /
//     larger. Times are not negative.
//   - Q: rank of a cue = its place when the cues are sorted by start time, stable. For the pairs in ascending reference
//     index take the list of reference ranks and the list of candidate ranks; Q = their ratio, autojunk on. Ranks are
//     compared by value, so a cue inserted first breaks one place only.
//   - Which optimum is used matters: equal texts (Music, No.) make many optimal assignments, and M and Q depend on the
//     pairs; the rule is that of package assign.
//
// R, or ratio, is that of package ratio, with the reference first; assignments are those of package assign.
package subtitles

import (
	"cmp"
	"math"
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
	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// Caption is a cue as the published evaluator has it.
type Caption struct {
	start, end float64 // milliseconds
	text       string  // without a speaker label
}

// Parse is the published reading: the cues of all .srt files in name order. A
// file that does not follow the cue grammar from end to end yields none.
func Parse(files vfs.Files) ([]Caption, error) {
	var captions []Caption
	for _, name := range files.Names() {
		if strings.HasSuffix(name, ".srt") {
			captions = append(captions, parseFile(files[name])...)
		}
	}
	return captions, nil
}

func parseFile(text string) []Caption {
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
	var captions []Caption
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
func scanHead(s string, at int) (c Caption, content int, ok bool) {
	at = skipSpace(s, at)
	if line := skipIndexLine(s, at); line >= 0 {
		at = line
	}
	start, end, at, ok := ScanTimes(s, at, func(_ string, at int) int { return at })
	if !ok {
		return c, at, false
	}
	content = len(s)
	if eol := strings.IndexByte(s[at:], '\n'); eol >= 0 {
		content = at + eol + 1
	}
	return Caption{start: start.published(), end: end.published()}, content, true
}

// skipIndexLine takes an index and the white space after it to its last line end.
func skipIndexLine(s string, at int) int {
	end := SkipIndex(s, at)
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
		if end := FourParts(line[at:]); end > 0 {
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

// FourParts is the length of a time such as 00:00:00:41,000 at the beginning of a text, or 0.
func FourParts(s string) int {
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
var label = lazyregexp.New(`^[A-Z][A-Z '.]+(?:\([^)]*\))?`)

// A scanner function takes a text and a place in it and returns the place
// after what it names, or -1 where that does not stand there.

func skipSpace(s string, at int) int  { return len(s) - len(pytext.StripLeft(s[at:])) }
func skipBlanks(s string, at int) int { return len(s) - len(strings.TrimLeft(s[at:], " ")) }

// skipDigits takes any number of digits, also none.
func skipDigits(s string, at int) int {
	for at < len(s) && s[at] >= '0' && s[at] <= '9' {
		at++
	}
	return at
}

// skipMark takes one of the marks between the parts of a time, full-width ones of East Asian files included.
func skipMark(s string, at int) int {
	r, size := utf8.DecodeRuneInString(s[at:])
	if size > 0 && strings.ContainsRune(",.:，．。：", r) {
		return at + size
	}
	return -1
}

// SkipIndex takes a cue's number: "7", "-1", "12.5".
func SkipIndex(s string, at int) int {
	if at < len(s) && s[at] == '-' {
		at++
	}
	end := skipDigits(s, at)
	if end == at {
		return -1
	}
	if end < len(s) && s[end] == '.' {
		end = skipDigits(s, end+1)
	}
	return end
}

// skipArrow takes "-->" with the blanks around it, or "- >".
func skipArrow(s string, at int) int {
	at = skipBlanks(s, at)
	if !strings.HasPrefix(s[at:], "--") && !strings.HasPrefix(s[at:], "- ") {
		return -1
	}
	at = skipBlanks(s, at+2)
	if !strings.HasPrefix(s[at:], ">") {
		return -1
	}
	return skipBlanks(s, at+1)
}

// ScanTimes reads a start time, an arrow and an end time. begins returns where each
// of them begins. It is false for times from endOfClock on, too.
func ScanTimes(s string, at int, begins func(s string, at int) int) (start, end Clock, after int, ok bool) {
	if start, at = scanTime(s, begins(s, at)); at < 0 {
		return 0, 0, -1, false
	}
	if at = skipArrow(s, at); at < 0 {
		return 0, 0, -1, false
	}
	end, at = scanTime(s, begins(s, at))
	return start, end, at, at >= 0 && start < endOfClock && end < endOfClock
}

// Clock is a time of the film in milliseconds.
type Clock int64

// Units of time, in milliseconds.
const (
	Second Clock = 1000
	minute       = 60 * Second
	hour         = 60 * minute
	// endOfClock is the first time that the published reader cannot hold: 1,000,000,000 days.
	endOfClock = 1_000_000_000 * 24 * hour
)

// scanTime reads hours, minutes, seconds and, if they are there, milliseconds,
// each a run of digits of any length. A time from endOfClock on is endOfClock.
func scanTime(s string, at int) (Clock, int) {
	total := Clock(0)
	for part, unit := range []Clock{hour, minute, Second, 1} {
		if part > 0 {
			if mark := skipMark(s, at); mark >= 0 {
				at = mark
			} else if part < 3 {
				return 0, -1
			}
		}
		end := skipDigits(s, at)
		if end == at && part < 3 {
			return 0, -1
		}
		value, _ := strconv.ParseInt(s[at:end], 10, 64) // the largest of all if there are too many digits
		total = min(total+min(Clock(value), endOfClock/unit)*unit, endOfClock)
		at = end
	}
	return total, at
}

// published is the time as the published evaluator has it: it goes through
// floating-point seconds and cuts off, which can lose a millisecond.
func (c Clock) published() float64 { return math.Trunc(float64(c) / 1000 * 1000) }

// Score is the published formula: 0.20 coverage + 0.40 text + 0.25 timing +
// 0.15 sequence. Captions are paired one to one so that their texts agree
// best.
func Score(reference, candidate []Caption, noted *notes.Notes) domains.Reading {
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
func foldAll(captions []Caption) []string {
	return lists.Each(captions, func(c *Caption) string { return pytext.Collapse(pytext.Lower(c.text)) })
}

// agreement is the mean over the pairs of how well start and end times agree.
func agreement(reference, candidate []Caption, pairs []assign.Pair) float64 {
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
func order(reference, candidate []Caption, pairs []assign.Pair) float64 {
	refRank, gotRank := ranks(reference), ranks(candidate)
	refOrder, gotOrder := make([]int, len(pairs)), make([]int, len(pairs))
	for k, p := range pairs {
		refOrder[k], gotOrder[k] = refRank[p.Row], gotRank[p.Col]
	}
	return ratio.Tokens(refOrder, gotOrder, true)
}

// ranks are the places of captions when sorted by start time.
func ranks(captions []Caption) []int {
	byStart := func(a, b int) int { return cmp.Compare(captions[a].start, captions[b].start) }
	rank := make([]int, len(captions))
	for place, i := range lists.Order(len(captions), byStart) {
		rank[i] = place
	}
	return rank
}

// Stats counts the parts of a document.
func Stats(captions []Caption) domains.Stats {
	duration, characters := "0", 0
	if len(captions) > 0 {
		first, last := captions[0].start, captions[0].end
		for _, c := range captions {
			first, last = min(first, c.start), max(last, c.end)
			characters += utf8.RuneCountInString(c.text)
		}
		duration = strconv.FormatFloat((last-first)/60_000, 'f', 1, 64)
	}
	return domains.StatsOf(len(captions), "Entries", len(captions), "Duration", duration+" min",
		"Text Chars", characters)
}

func (c Clock) String() string {
	text := append(padded(nil, c/hour, 2), ':')
	text = append(padded(text, c/minute%60, 2), ':')
	text = append(padded(text, c/Second%60, 2), ',')
	return string(padded(text, c%Second, 3))
}

// padded adds a number of at least so many figures.
func padded(text []byte, n Clock, figures int) []byte {
	digits := strconv.Itoa(int(n))
	for range figures - len(digits) {
		text = append(text, '0')
	}
	return append(text, digits...)
}
