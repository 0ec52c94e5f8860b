package treebank

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains/internal/exact"
)

// name is a proper noun with its lemma.
type name struct {
	Form  string `json:"form"`
	Lemma string `json:"lemma"`
}

// placeholder is what stands for a name.
var placeholder = regexp.MustCompile(`NAME[0-9]+`)

// hideNames writes NAME1, NAME2 … for proper nouns, in the columns, in
// multiword tokens and in the text of the sentence.
func hideNames(p struct{ Document, To, List string }) exact.Steps {
	change := func(sentences *[]sentence) (map[string]name, error) {
		hidden, names := map[name]string{}, map[string]name{}
		for i := range *sentences {
			hideInSentence(&(*sentences)[i], func(n name) string {
				if hidden[n] == "" {
					hidden[n] = "NAME" + strconv.Itoa(len(names)+1)
					names[hidden[n]] = n
				}
				return hidden[n]
			})
		}
		return names, nil
	}
	return exact.Keeping(&treebanks, p.Document, p.To, p.List, change, func(sentences *[]sentence, names map[string]name) error {
		show := func(text string) string {
			return placeholder.ReplaceAllStringFunc(text, func(hidden string) string {
				if n, ok := names[hidden]; ok {
					return n.Form
				}
				return hidden
			})
		}
		eachToken(*sentences, func(_ *sentence, t token) {
			if n, ok := names[t[colLemma]]; ok {
				t[colLemma] = n.Lemma
			}
			t[colForm] = show(t[colForm])
		})
		for _, s := range *sentences {
			for k, c := range s.comments {
				if label, _, ok := strings.Cut(c, "="); ok && ofText(label) {
					s.comments[k] = show(c)
				}
			}
		}
		return nil
	})
}

// replacement is a word that stands for another in a text.
type replacement struct {
	id      int
	was, is string
}

func hideInSentence(s *sentence, hide func(name) string) {
	var words []replacement
	for _, t := range s.tokens {
		if !t.isWord() {
			continue
		}
		id, _ := t.number(colID)
		w := replacement{id, t[colForm], t[colForm]}
		if t[colUPOS] == "PROPN" {
			w.is = hide(name{t[colForm], t[colLemma]})
			t[colForm], t[colLemma] = w.is, w.is
		}
		words = append(words, w)
	}
	for _, t := range s.tokens {
		if t.isRange() {
			outside := func(w replacement) bool { return !t.covers(w.id) }
			t[colForm] = replaceInOrder(t[colForm], slices.DeleteFunc(slices.Clone(words), outside))
		}
	}
	for i, c := range s.comments {
		if label, text, ok := strings.Cut(c, "="); ok && ofText(label) {
			s.comments[i] = label + "=" + replaceInOrder(text, words)
		}
	}
}

// ofText reports whether a comment of this name has the text of its sentence.
func ofText(label string) bool {
	label = strings.TrimSpace(label)
	return label == "text" || strings.HasPrefix(label, "text_")
}

// replaceInOrder replaces words where they stand one after the other in a
// text, each as a whole word. A word that is not found is passed over.
func replaceInOrder(text string, words []replacement) string {
	var b strings.Builder
	for _, w := range words {
		if at := indexWord(text, w.was); at >= 0 {
			b.WriteString(text[:at] + w.is)
			text = text[at+len(w.was):]
		}
	}
	return b.String() + text
}

// indexWord finds a word that has no letter or digit next to it.
func indexWord(text, word string) int {
	if word == "" {
		return -1
	}
	for from := 0; ; {
		at := strings.Index(text[from:], word)
		if at < 0 {
			return -1
		}
		at += from
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+len(word):])
		if !wordRune(before) && !wordRune(after) {
			return at
		}
		from = at + 1
	}
}

func wordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}
