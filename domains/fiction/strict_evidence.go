package fiction

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// evidence counts the words that stand in sentences, none if these are less than
// half of all words, or if lines that begin as those of lists and forms outnumber
// the paragraphs of sentences. Every text has words, but only prose is sentences.
func evidence(files vfs.Files, _ []domains.Element) int {
	told, all, paragraphs, listed := 0, 0, 0, 0
	for _, name := range inOrder(files) {
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
	item = regexp.MustCompile(`^\s*(#|\||[-*+>] |\d+[.)] )`)
	// label is how a header of an e-mail begins, a speech of a play, a field of a form.
	label = regexp.MustCompile(`^\s*\p{Lu}[\p{L}\p{N}_'’.-]*( [\p{L}\p{N}_'’.-]+){0,3}:( |$)`)
)

// isTold reports whether a paragraph is made of sentences: it ends as one does, and
// has few characters but letters.
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
