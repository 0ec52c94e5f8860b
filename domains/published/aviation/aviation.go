// Package aviation is the published reading and score of the domain aviation.
//
// Field similarity S(x,y): both empty 1; one empty 0; else upper-case both, collapse white space to single spaces,
// equal gives 1, otherwise R. R = CPython difflib ratio 2M/(n+m) on code points, reference first, autojunk on: when the
// candidate string has 200 or more characters, characters that occur more than floor(n/100)+1 times leave the match
// index (a match may still grow over them). Item E texts of that length are common, so this matters.
//
// Key: id, upper-cased and trimmed. Per key the LAST notice of each side is used. K = keys on both sides; all means
// over K, 0 when K is empty.
//
//   - coverage = Jaccard of the key sets
//   - header = mean of 0.10 S(type) + 0.05 S(replaced) + 0.15 S(location) + 0.15 S(q-code) + 0.15 S(from) + 0.10 S(to)
//   - 0.10 S(schedule) + 0.10 S(lower) + 0.10 S(upper)
//   - text = mean S(text); qline = mean S(q line)
//   - meta = mean of 0.6 S(created) + 0.4 S(source)
//   - sequence = R over the two lists of keys in document order, repeats included
//
// score = coverage^2 * (0.30 header + 0.45 text + 0.25 qline) * sqrt((meta + sequence)/2), not rounded.
package aviation

import (
	"errors"
	"strings"
	"unicode"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// notam is a notice as the published program divides a bulletin. Its items are read where they are needed.
type notam struct {
	ID, kind, replaced string
	body               string // the lines after the first
}

// Bulletin is what the published reading makes of a document.
type Bulletin []notam

// Parse reads a document as the published evaluator does.
func Parse(files vfs.Files) (Bulletin, error) {
	var all Bulletin
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
func appendNotams(all Bulletin, text string) Bulletin {
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

// opensNotam reports whether a line begins with an identifier that a type follows, or is one.
func opensNotam(line string) bool {
	n := IdentifierLength(line)
	if n == 0 {
		return false
	}
	rest := pytext.StripLeft(line[n:])
	return rest == "" || len(rest) < len(line)-n && BeginsWithType(rest)
}

// IdentifierLength is the length of the capital, digits, slash and digits with which a line begins, 0 if it does not.
func IdentifierLength(line string) int {
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

// TypeLength is the length of the word NOTAM with the letter of its type.
const TypeLength = len("NOTAMN")

// BeginsWithType reports whether a text begins with NOTAM and the letter of a type: new, replacing or cancelling.
func BeginsWithType(text string) bool {
	return len(text) >= TypeLength && strings.HasPrefix(text, "NOTAM") && strings.IndexByte("NRC", text[TypeLength-1]) >= 0
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
	case word != "" && BeginsWithType(rest):
		n.ID, n.kind = word, rest[:TypeLength]
		if after := pytext.StripLeft(rest[TypeLength:]); len(after) < len(rest)-TypeLength {
			n.replaced = leading(after, isInk)
		}
		return n, true
	case first != "" && IdentifierLength(first) == len(first):
		n.ID = first
		return n, true
	}
	return n, false
}

var errNoNotam = errors.New("the bulletin has no NOTAM")
