package screenplay

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains/internal/pytext"
)

// label is what a line of a speech or of the cast begins with.
type label struct {
	name   string // as written, without marks
	manner string // "(aside)" between the name and the colon; empty if there is none
}

const (
	emphasis = "*_"
	bullets  = "-*•>"
	// longestName is the length in bytes up to which text before a colon can be a
	// name.
	longestName = 60
)

// cutLabel takes a name with a colon off a trimmed line, in any case that the name is
// in. A list mark and emphasis around the name are read over.
func cutLabel(line string) (l label, rest string, ok bool) {
	rest = pytext.StripLeft(cutBullet(line))
	marks := rest[:len(rest)-len(strings.TrimLeft(rest, emphasis))]
	rest = rest[len(marks):]
	end := strings.IndexFunc(rest, func(r rune) bool { return !belongsToName(r) })
	if end <= 0 || end > longestName {
		return l, line, false
	}
	l.name = pytext.StripRight(rest[:end])
	rest = pytext.StripLeft(cutMarks(rest[end:], &marks))
	if strings.HasPrefix(rest, "(") {
		shut := strings.IndexByte(rest, ')')
		if shut < 0 {
			return l, line, false
		}
		l.manner = rest[:shut+1]
		rest = pytext.StripLeft(cutMarks(rest[shut+1:], &marks))
	}
	rest, ok = strings.CutPrefix(rest, ":")
	if !ok || l.name == "" || isClock(l.name, rest) {
		return l, line, false
	}
	return l, pytext.Strip(cutMarks(rest, &marks)), true
}

func cutBullet(line string) string {
	r, size := utf8.DecodeRuneInString(line)
	if strings.ContainsRune(bullets, r) && strings.HasPrefix(line[size:], " ") {
		return line[size:]
	}
	return line
}

// cutMarks takes the end of emphasis off a text, if it was begun with marks.
func cutMarks(text string, marks *string) string {
	if *marks == "" {
		return text
	}
	if rest, found := strings.CutPrefix(text, *marks); found {
		*marks = ""
		return rest
	}
	return text
}

func belongsToName(r rune) bool {
	if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
		return true
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) ||
		strings.ContainsRune(" \t\u00a0.'’-‑&/#", r)
}

// isClock reports whether a colon stands in a time or an address.
func isClock(name, rest string) bool {
	if strings.HasPrefix(rest, "/") {
		return true
	}
	return rest != "" && unicode.IsDigit(rune(rest[0])) && unicode.IsDigit(rune(name[len(name)-1]))
}

// foldName is a name as speakers are compared.
func foldName(name string) string {
	return strings.ToUpper(pytext.Collapse(plainly(name)))
}

// isCapitals reports whether a name is written in capitals, of which "Mc" and
// "Mac" may be an exception.
func isCapitals(name string) bool {
	letters := 0
	for _, word := range strings.FieldsFunc(name, pytext.IsSpace) {
		for _, scottish := range []string{"Mac", "Mc"} {
			word = strings.TrimPrefix(word, scottish)
		}
		for _, r := range word {
			if unicode.IsLower(r) {
				return false
			}
			if unicode.IsLetter(r) {
				letters++
			}
		}
	}
	return letters > 0
}

// isTitled reports whether a name is of a few words with capitals or digits at
// their beginning.
func isTitled(name string) bool {
	const most = 4
	words := pytext.Fields(name)
	for _, word := range words {
		r, _ := utf8.DecodeRuneInString(word)
		if !unicode.IsUpper(r) && !unicode.IsDigit(r) {
			return false
		}
	}
	return len(words) > 0 && len(words) <= most && strings.ContainsFunc(name, unicode.IsLetter)
}
