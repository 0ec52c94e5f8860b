package earncall

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains/internal/pytext"
)

// longestLabel is the length in bytes up to which a name is taken for a
// speaker's.
const longestLabel = 120

// markup is what may stand around a name: a heading, a list, emphasis.
const markup = "#>*_•- \t"

// colonLabel cuts a trimmed line that begins with a speaker's name and a colon.
func colonLabel(line string) (speaker, rest string, ok bool) {
	name, rest, found := strings.Cut(line[:min(len(line), longestLabel)], ":")
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

// dashLabel cuts a trimmed line that begins with a speaker's name and a dash
// between blanks.
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
	words := pytext.Fields(name)
	if len(words) == 0 || len(words) > mostWords || !startsCapital(words[0]) {
		return false
	}
	for _, word := range words {
		if !isNameWord(word) {
			return false
		}
	}
	return !slices.Contains(topics, strings.ToLower(name)) && !isSectionName(name)
}

// topics are single words with which speech, or a line above it, goes on to
// what follows the colon.
var topics = strings.Fields(`agenda answer answers caution company contact correction date disclaimer disclosure
	duration event example finally first fourth guidance however item link location note notes notice outlook
	question reminder revenue revenues second source subject summary symbol third ticker time title today topic
	transcript update url warning webcast website`)

func startsCapital(word string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(word, "([\"“"))
	return unicode.IsLetter(r) && !unicode.IsLower(r)
}

// isNameWord takes capitalised words, numbers, signs, and the small words within
// names and titles.
func isNameWord(word string) bool {
	for _, r := range word {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && !strings.ContainsRune("'’.,()[]/&-–—‐\"“”", r) {
			return false
		}
	}
	bare := strings.Trim(word, ".,()[]/&-–—‐\"“”")
	return bare == "" || startsCapital(bare) || strings.Trim(bare, "0123456789") == "" ||
		slices.Contains(particles, bare) || strings.Contains(bare, "'") && startsCapital(bare[strings.Index(bare, "'")+1:])
}

var particles = strings.Fields("af al and av bin da das de del della den der di do dos du e el ibn la le of ten ter van von y zu")

// isHeading reports whether a trimmed line is the name of a section, in
// whatever markup, with or without a colon.
func isHeading(line string) bool {
	const longest = 64
	return len(line) <= longest && isSectionName(strings.TrimSuffix(strings.Trim(line, markup+"="), ":"))
}

func isSectionName(name string) bool { return slices.Contains(sections, foldSection(name)) }

// sections are the usual sections of a transcript, as foldSection has them.
var sections = []string{
	"analyst participants", "analysts", "call participants", "closing remarks", "company participants",
	"conference call participants", "corporate participants", "executives", "management discussion",
	"management discussion section", "management remarks", "opening remarks", "participants", "prepared remarks",
	"presentation", "q and a", "q and a session", "question and answer", "question and answer section",
	"question and answer session", "question and answers", "questions and answers", "questions and answers session",
}

// foldSection is a section's name without case, markup and ways to write "and".
func foldSection(name string) string {
	name = strings.ToLower(strings.Trim(name, markup+"=:"))
	return strings.Join(strings.Fields(wordings.Replace(name)), " ")
}

var wordings = strings.NewReplacer("-", " ", "–", " ", "&", " and ")

// isQuestions reports whether a heading opens the questions and answers.
func isQuestions(heading string) bool {
	folded := foldSection(heading)
	return strings.HasPrefix(folded, "q and a") || strings.HasPrefix(folded, "question")
}

// isList reports whether a heading stands above a list of participants.
func isList(heading string) bool {
	folded := foldSection(heading)
	return strings.HasSuffix(folded, "participants") || folded == "analysts" || folded == "executives"
}
