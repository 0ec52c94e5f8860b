package aviation

import (
	"strings"
	"unicode"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// notam is a notice as the published program divides a bulletin. Its items are
// read where they are needed.
type notam struct {
	id, kind, replaced string
	body               string // the lines after the first
}

// bulletin is what the published reading makes of a document.
type bulletin []notam

func parse(files vfs.Files) (bulletin, error) {
	var all bulletin
	for _, name := range files.Names() {
		all = appendNotams(all, files[name])
	}
	if len(all) == 0 {
		return nil, errNoNotam
	}
	return all, nil
}

// appendNotams divides a text where a line begins with an identifier. What
// stands before the first such line is tried as well.
func appendNotams(all bulletin, text string) bulletin {
	add := func(chunk string) {
		if n, ok := readNotam(chunk); ok {
			all = plain.Append(all, n)
		}
	}
	begin := 0
	for at := 0; at < len(text); {
		end := lineEnd(text, at)
		if opensNotam(pytext.Strip(text[at:end])) {
			add(text[begin:at])
			begin = at
		}
		at = end + 1
	}
	add(text[begin:])
	return all
}

// lineEnd is where the line that stands at that place ends.
func lineEnd(text string, at int) int {
	if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
		return at + n
	}
	return len(text)
}

// opensNotam reports whether a line begins with an identifier that a type
// follows, or is one.
func opensNotam(line string) bool {
	n := identifierLength(line)
	if n == 0 {
		return false
	}
	rest := pytext.StripLeft(line[n:])
	return rest == "" || len(rest) < len(line)-n && beginsWithType(rest)
}

// identifierLength is the length of the capital, digits, slash and digits with
// which a line begins, 0 if it does not.
func identifierLength(line string) int {
	if line == "" || line[0] < 'A' || line[0] > 'Z' {
		return 0
	}
	number := leading(line[1:], unicode.IsDigit)
	rest, ok := strings.CutPrefix(line[1+len(number):], "/")
	year := leading(rest, unicode.IsDigit)
	if number == "" || !ok || year == "" {
		return 0
	}
	return len(line) - len(rest) + len(year)
}

// leading is the beginning of a text as far as its characters are of some class.
func leading(text string, is func(rune) bool) string {
	return text[:len(text)-len(strings.TrimLeftFunc(text, is))]
}

const typeLength = len("NOTAMN")

func beginsWithType(text string) bool {
	return len(text) >= typeLength && strings.HasPrefix(text, "NOTAM") && strings.IndexByte("NRC", text[typeLength-1]) >= 0
}

func isInk(r rune) bool { return !pytext.IsSpace(r) }

// readNotam reads the first line of a chunk; false if it names no notice.
func readNotam(chunk string) (n notam, ok bool) {
	chunk = pytext.Strip(chunk)
	first, body, _ := strings.Cut(chunk, "\n")
	first = pytext.StripRight(first)
	n.body = body
	word := leading(first, isInk)
	rest := pytext.StripLeft(first[len(word):])
	switch {
	case word != "" && beginsWithType(rest):
		n.id, n.kind = word, rest[:typeLength]
		if after := pytext.StripLeft(rest[typeLength:]); len(after) < len(rest)-typeLength {
			n.replaced = leading(after, isInk)
		}
		return n, true
	case first != "" && identifierLength(first) == len(first):
		n.id = first
		return n, true
	}
	return n, false
}

// key is what notices are paired by.
func (n *notam) key() string { return capitals(n.id) }

// capitals is str.upper(), which spells out the sharp s.
func capitals(text string) string { return strings.ToUpper(strings.ReplaceAll(text, "ß", "SS")) }
