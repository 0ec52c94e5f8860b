package earncall

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/sets"
)

// call is a transcript as people read it. Only the first part may be without a heading.
type call struct{ parts []part }

// part is a section of a call.
type part struct {
	Heading string   // as written
	Lines   []string // before its first turn: titles, dates, lists of participants
	Turns   []turn
}

// turn is what a speaker says before another does.
type turn struct {
	Speaker string   // as written, without markup
	Lines   []string // trimmed, none blank
}

// labeller cuts a trimmed line that opens a turn.
type labeller func(line string) (speaker, rest string, ok bool)

// read reads a file of any name, tolerantly. A line that begins with a speaker and a colon opens a turn; if a file has
// no such line, a dash opens one too, outside of lists of participants.
func read(text string) call {
	c := readBy(plain.Lines(text), colonLabel)
	if c.count() > 0 {
		return c
	}
	for i := range c.parts {
		p := &c.parts[i]
		if isList(p.Heading) {
			continue
		}
		lines := p.Lines
		p.Lines = nil
		for _, line := range lines {
			p.add(line, dashLabel)
		}
	}
	return c
}

func readBy(lines []string, label labeller) call {
	var c call
	for _, line := range lines {
		line = pytext.Strip(line)
		switch {
		case line == "":
		case section(line) != "":
			c.parts = plain.Append(c.parts, part{Heading: line})
		default:
			c.last().add(line, label)
		}
	}
	return c
}

// add takes a line that is neither blank nor a heading.
func (p *part) add(line string, label labeller) {
	if speaker, rest, ok := label(line); ok {
		p.Turns = plain.Append(p.Turns, turn{Speaker: speaker})
		line = rest
	}
	switch {
	case line == "":
	case len(p.Turns) == 0:
		p.Lines = plain.Append(p.Lines, line)
	default:
		t := &p.Turns[len(p.Turns)-1]
		t.Lines = plain.Append(t.Lines, line)
	}
}

// last is the part in hand, a first one if there is none.
func (c *call) last() *part {
	if len(c.parts) == 0 {
		c.parts = append(c.parts, part{})
	}
	return &c.parts[len(c.parts)-1]
}

func (c *call) count() int {
	n := 0
	for i := range c.parts {
		n += len(c.parts[i].Turns)
	}
	return n
}

// print writes a call as read reads it: a blank line between parts and turns.
func (c *call) print() string {
	var b strings.Builder
	for i := range c.parts {
		p := &c.parts[i]
		if p.Heading != "" {
			b.WriteString(p.Heading + "\n")
		}
		b.WriteString(plain.Text(p.Lines))
		if p.Heading != "" || len(p.Lines) > 0 {
			b.WriteByte('\n')
		}
		for k := range p.Turns {
			b.WriteString(p.Turns[k].print() + "\n")
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (t *turn) print() string {
	if len(t.Lines) == 0 {
		return t.Speaker + ":\n"
	}
	return t.Speaker + ": " + plain.Text(t.Lines)
}

// longestLabel is the length in bytes up to which a name is taken for a speaker's.
const longestLabel = 120

// markup is what may stand around a name: a heading, a list, emphasis.
const markup = "#>*_•- \t"

// colonLabel cuts a trimmed line that begins with a speaker's name and a colon.
func colonLabel(line string) (speaker, rest string, ok bool) {
	name, _, found := strings.Cut(line[:min(len(line), longestLabel)], ":")
	if !found {
		return "", "", false
	}
	speaker = strings.Trim(name, markup)
	if !isSpeaker(speaker) {
		return "", "", false
	}
	rest = line[len(name)+len(":"):]
	if isClock(name, rest) {
		return "", "", false
	}
	if speaker != pytext.StripRight(name) {
		rest = strings.TrimLeft(rest, "*_")
	}
	return speaker, pytext.Strip(rest), true
}

// isClock reports whether a colon stands between digits, as in "March 4, 8:30".
func isClock(before, after string) bool {
	return before != "" && after != "" && isASCIIDigit(rune(before[len(before)-1])) && isASCIIDigit(rune(after[0]))
}

// dashLabel cuts a trimmed line that begins with a speaker's name and a dash between blanks.
func dashLabel(line string) (speaker, rest string, ok bool) {
	head := line[:min(len(line), longestLabel)]
	for _, dash := range []string{" - ", " – ", " — ", " -- "} {
		name, _, found := strings.Cut(head, dash)
		if speaker = strings.Trim(name, markup); found && isSpeaker(speaker) {
			return speaker, pytext.Strip(strings.TrimLeft(line[len(name)+len(dash):], "*_")), true
		}
	}
	return "", "", false
}

// isSpeaker reports whether a text is a name, role or company with capitals, as
// in "J. P. O'Neill", "Lotte van der Berg, CFO" and "Analyst 2 (Larkspur)".
func isSpeaker(name string) bool {
	const mostWords = 10
	words := 0
	for word := range strings.FieldsSeq(name) {
		words++
		if words > mostWords || words == 1 && !startsCapital(word) || !isNameWord(word) {
			return false
		}
	}
	return words > 0 && (words > 1 || !topics[strings.ToLower(name)]) && section(name) == ""
}

// topics are single words with which speech, or a line above it, goes on to what follows the colon.
var topics = sets.Words(`agenda answer answers caution company contact correction date disclaimer
	disclosure duration event example finally first fourth guidance however item link location note notes notice
	outlook question reminder revenue revenues second source subject summary symbol third ticker time title today
	topic transcript update url warning webcast website`)

func startsCapital(word string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(word, "([\"“"))
	return unicode.IsLetter(r) && !unicode.IsLower(r)
}

// isNameWord takes capitalised words, numbers, signs, and the small words within names and titles.
func isNameWord(word string) bool {
	const signs = ".,()[]/&-–—‐\"“”"
	for _, r := range word {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && !strings.ContainsRune("'’"+signs, r) {
			return false
		}
	}
	bare := strings.Trim(word, signs)
	_, afterApostrophe, _ := strings.Cut(strings.ReplaceAll(bare, "’", "'"), "'") // as in d'Arcy
	return bare == "" || startsCapital(bare) || startsCapital(afterApostrophe) || particles[bare] ||
		strings.Trim(bare, "0123456789") == ""
}

var particles = sets.Words(`af al and av bin da das de del della den der di do dos du e el ibn la le of ten ter van
	von y zu`)

// sections are the usual sections of a transcript, as section has them.
var sections = []string{
	"analyst participants", "analysts", "call participants", "closing remarks", "company participants",
	"conference call participants", "corporate participants", "executives", "management discussion",
	"management discussion section", "management remarks", "opening remarks", "participants", "prepared remarks",
	"presentation", "q and a", "q and a session", "question and answer", "question and answer section",
	"question and answer session", "question and answers", "questions and answers", "questions and answers session",
}

// section is the name of the section that a line is the heading of, without case, markup, colon and the ways to write
// "and". It is empty if the line is no heading.
func section(line string) string {
	const longest = 64
	if len(line) > longest {
		return ""
	}
	words := strings.FieldsFunc(strings.ReplaceAll(line, "&", " and "), func(r rune) bool {
		return strings.ContainsRune(markup+"=:", r)
	})
	if name := strings.ToLower(strings.Join(words, " ")); slices.Contains(sections, name) {
		return name
	}
	return ""
}

// isList reports whether a heading stands above a list of participants.
func isList(heading string) bool {
	name := section(heading)
	return strings.HasSuffix(name, "participants") || name == "analysts" || name == "executives"
}
