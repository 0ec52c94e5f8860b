package treebank

import (
	"strconv"

	"agentd/domains/edit"
	"agentd/internal/lazyregexp"
)

// vocabulary makes parts of sentences, or of the lines of a treebank that has few.
func vocabulary() edit.Format {
	attributes := []edit.Attribute{
		edit.Has("sentence text", "sentence texts", `^#[ \t]*text[ \t]*=[ \t]*(\S[^\n]*)`),
		edit.Has("speaker", "speakers", `^#[ \t]*speaker[ \t]*=[ \t]*(\S[^\n]*)`),
		edit.Has("part of speech", "parts of speech", `^[\d.-]+\t[^\t\n]*\t[^\t\n]*\t([A-Z]+)\t`),
		edit.Has("relation", "relations", `^\d+(?:\t[^\t\n]*){6}\t([a-z][^\t\n]*)\t`),
		edit.Has("lemma", "lemmas", `^[\d.-]+\t[^\t\n]*\t([^\t\n]{3,})\t`),
		edit.Has("features", "feature lists", `^[\d.]+(?:\t[^\t\n]*){4}\t([^\t\n_]{2,})\t`),
	}
	id := edit.Has("sentence id", "sentence ids", `^#[ \t]*sent_id[ \t]*=[ \t]*(\S+)`)
	form := edit.Has("word form", "word forms", `^[\d.-]+\t([^\t\n]+)\t`)
	return edit.Format{
		Document: "treebank", Part: "sentence", Parts: "sentences", Cut: edit.Blocks(""),
		Remark: "# computed = {}", RemarkAt: edit.Above,
		Attributes: append([]edit.Attribute{id, edit.ComputedNumber("number of words", "numbers of words", wordsOf)}, attributes...),
		Finer: &edit.Format{
			Document: "treebank", Part: "line", Parts: "lines", Cut: edit.Lines(),
			Attributes: append([]edit.Attribute{form}, attributes...),
		},
	}
}

var wordLine = lazyregexp.New(`(?m)^\d+\t`)

// wordsOf is how many words a sentence has: its lines with a whole number, not ranges nor empty nodes.
func wordsOf(part string) string { return strconv.Itoa(len(wordLine.FindAllString(part, -1))) }
