package fiction

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	published "agentd/domains/published/fiction"
	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// paragraphsOf are the paragraphs of a text, each its lines: what stands between blank lines, without code fences.
func paragraphsOf(text string) [][]string {
	var all [][]string
	begun := false
	for _, line := range plain.Lines(text) {
		line = pytext.StripRight(line)
		switch {
		case line == "":
			begun = false
			continue
		case !begun:
			begun = true
			all = plain.Append(all, nil)
		}
		last := &all[len(all)-1]
		*last = plain.Append(*last, line)
	}
	return all
}

// Kinds of elements other than the word.
const (
	paragraphKind = "paragraph" // that one begins
	restKind      = "rest"      // of a very long document
)

// elements flattens the stories of all files, as if they were one, into words and then paragraphs. Both are known by
// their numbers; aligned gives those of a candidate the numbers of the reference.
func elements(files vfs.Files) []domains.Element {
	const bytesPerWord = 5
	f := flattener{words: make([]domains.Element, 0, min(published.MostWords, files.Bytes()/bytesPerWord))}
	for _, name := range published.InOrder(files) {
		for _, lines := range paragraphsOf(files[name]) {
			f.paragraph(lines)
		}
	}
	return append(append(f.words, f.paragraphs...), f.rest...)
}

type flattener struct{ words, paragraphs, rest []domains.Element }

func (f *flattener) paragraph(lines []string) {
	words := pytext.Fields(plainShape(strings.Join(lines, " ")))
	number := len(f.paragraphs) + len(f.rest) + 1
	key := "paragraph " + strconv.Itoa(number)
	rest := func(words []string) {
		f.rest = plain.Append(f.rest, domains.Element{
			Kind: restKind, Key: key, Fields: []domains.Field{{Value: strings.Join(words, " ")}}, Position: number,
		})
	}
	single := min(len(words), published.MostWords-len(f.words))
	if single == 0 {
		rest(words)
		return
	}
	fields := make([]domains.Field, single)
	for i, word := range words[:single] {
		n := len(f.words) + 1
		fields[i] = domains.Field{Name: "word " + strconv.Itoa(n), Value: word}
		f.words = plain.Append(f.words, domains.Element{Kind: counted, Key: key, Fields: fields[i : i+1 : i+1], Position: n})
	}
	// Paragraphs have no places of their own: their words do.
	f.paragraphs = plain.Append(f.paragraphs, domains.Element{
		Kind: paragraphKind, Key: key, Fields: []domains.Field{{Name: key, Value: "a paragraph of its own"}},
	})
	if single < len(words) {
		rest(words[single:])
	}
}

// plainShape gives quotes, apostrophes and dashes one shape.
func plainShape(text string) string {
	if !strings.Contains(text, "\xe2\x80") && !strings.Contains(text, "--") {
		return text
	}
	return shapes.Replace(text)
}

var shapes = strings.NewReplacer("‘", "'", "’", "'", "“", `"`, "”", `"`, "–", "—", "--", "—", "…", "...")

// without leaves out words.
func without(files vfs.Files, leave func() bool) vfs.Files {
	left := vfs.Files{}
	for _, name := range published.InOrder(files) {
		var kept []string
		for _, lines := range paragraphsOf(files[name]) {
			var paragraph []string
			for _, line := range lines {
				words := slices.DeleteFunc(pytext.Fields(line), func(string) bool { return leave() })
				if len(words) > 0 {
					paragraph = append(paragraph, strings.Join(words, " "))
				}
			}
			if len(paragraph) > 0 {
				kept = append(kept, strings.Join(paragraph, "\n"))
			}
		}
		left[name] = printed(kept)
	}
	return left
}

// printed are paragraphs with a blank line between each two.
func printed(paragraphs []string) string {
	if len(paragraphs) == 0 {
		return ""
	}
	return strings.Join(paragraphs, "\n\n") + "\n"
}

// evidence counts the words that stand in sentences, none if these are less than
// half of all words, or if lines that begin as those of lists and forms outnumber
// the paragraphs of sentences. Every text has words, but only prose is sentences.
func evidence(files vfs.Files, _ []domains.Element) int {
	told, all, paragraphs, listed := 0, 0, 0, 0
	for _, name := range published.InOrder(files) {
		for _, lines := range paragraphsOf(files[name]) {
			text := strings.Join(lines, " ")
			words := len(pytext.Fields(text))
			all += words
			if isTold(text) {
				told += words
				paragraphs++
			}
			for _, line := range lines {
				if item.MatchString(line) || label.MatchString(line) {
					listed++
				}
			}
		}
	}
	if 2*told < all || listed > paragraphs {
		return 0
	}
	return told
}

var (
	// item is how a heading, an item of a list or a row of a table begins.
	item = lazyregexp.New(`^\s*(#|\||[-*+>] |\d+[.)] )`)
	// label is how a header of an e-mail begins, a speech of a play, a field of a form.
	label = lazyregexp.New(`^\s*\p{Lu}[\p{L}\p{N}_'’.-]*( [\p{L}\p{N}_'’.-]+){0,3}:( |$)`)
)

// isTold reports whether a paragraph is made of sentences: it ends as one does, and has few characters but letters.
func isTold(paragraph string) bool {
	const least = 0.85 // of the characters are letters, blanks apart
	text := strings.TrimRightFunc(paragraph, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(`"'”’»«*_)`, r)
	})
	if last, _ := utf8.DecodeLastRuneInString(text); !strings.ContainsRune(".!?…:—。！？", last) {
		return false
	}
	if strings.ContainsAny(text, `\{}<>|=`) || label.MatchString(paragraph) {
		return false
	}
	letters, others := 0, 0
	for _, r := range text {
		switch {
		case unicode.IsLetter(r) || unicode.IsMark(r):
			letters++
		case !unicode.IsSpace(r):
			others++
		}
	}
	return float64(letters) >= least*float64(letters+others)
}
