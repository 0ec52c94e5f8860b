// Package treebank is the published reading and score of the domain treebank.
//
// Sentence matching: cost 1 - ratio(lower(trim text), lower(trim text)), reference as first sequence; minimum-cost
// assignment, min(n_R, n_C) pairs, all kept, however dissimilar. If either side has no sentences there are no
// pairs.
//
// Token matching inside each pair, range and empty-node lines left out: cost 1 - ratio(lower form, lower form);
// minimum-cost assignment, all min(n, m) pairs kept. No pairs if either side is empty.
//
//   - tokenCompleteness = number of token pairs / reference tokens (1 if the reference has none).
//   - sentenceCompleteness = sentence pairs / n_R (1 if none).
//   - completeness = product of the two.
//   - Field accuracy, over all token pairs (all 1 if there is no pair): form equal; lemma equal ignoring case; upos
//     equal; xpos equal (none equals none); feats: 1 if equal, else ratio of the canonical texts; head equal; deprel
//     equal.
//   - metadata = mean over sentence pairs of ((sent_id equal) + (speaker equal) + ratio(trim text, trim text)) / 3; 1
//     without pairs.
//   - sequence: sentence pairs in reference order; share of index pairs i < j whose candidate indices also increase; 1
//     with fewer than two pairs.
//   - quality = 0.10 form + 0.08 lemma + 0.15 upos + 0.07 xpos + 0.10 feats + 0.20 head + 0.15 deprel + 0.10 metadata +
//     0.05 sequence.
//   - score = completeness * quality. Not rounded. Detail: completeness, token_completeness, sentence_completeness,
//     quality, form_accuracy ... deprel_accuracy, metadata_score, sequence_score, ref_sentence_count,
//     gen_sentence_count, matched_sentences.
//
// R, or ratio, is that of package ratio, with the reference first; assignments are those of package assign.
package treebank

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// The columns of a line.
const (
	ColID = iota
	ColForm
	ColLemma
	ColUPOS
	ColXPOS
	ColFeats
	ColHead
	ColDeprel
	ColDeps
	ColMisc
	ColumnCount
)

// ColumnNames are the names of the columns.
var ColumnNames = [ColumnCount]string{
	"id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc",
}

// Annotation is a sentence as the published evaluator has it.
type Annotation struct {
	id, text, speaker string
	words             []annotatedWord
}

// annotatedWord is a word, without what is not compared.
type annotatedWord struct {
	form                              string
	feats                             string // in canonical order
	lemma, upos, xpos, head, relation cell
}

// cell is the value of a column that a line may lack.
type cell struct {
	text  string
	there bool
}

// Parse is the published reading: the sentences of all .conllu files in name order.
func Parse(files vfs.Files) ([]Annotation, error) {
	var sentences []Annotation
	for _, name := range files.Names() {
		if strings.HasSuffix(name, ".conllu") {
			sentences = append(sentences, parseFile(files[name])...)
		}
	}
	return sentences, nil
}

// parseFile reads a file as a whole or, if any sentence is in error, each
// sentence on its own, and then leaves out those in error.
func parseFile(text string) []Annotation {
	blocks := runs(text)
	var whole, apart []Annotation
	columns := ColumnNames[:]
	for _, block := range blocks {
		columns = columnsOf(block, columns)
		if sentence, ok := parseSentence(block, columns); ok {
			whole = append(whole, sentence)
		}
	}
	if len(whole) == len(blocks) {
		return whole
	}
	for _, block := range blocks {
		if sentence, ok := parseSentence(block, columnsOf(block, ColumnNames[:])); ok {
			apart = append(apart, sentence)
		}
	}
	return apart
}

// runs repairs the lines of a text and returns the runs of those that are not blank.
func runs(text string) [][]string {
	var all [][]string
	after := true // a blank line
	for line := range strings.SplitSeq(text, "\n") {
		if pytext.Strip(line) == "" {
			after = true
			continue
		}
		if after {
			all = plain.Append(all, nil)
			after = false
		}
		all[len(all)-1] = append(all[len(all)-1], repaired(line))
	}
	return all
}

// repaired drops the sixth of eleven columns, and rounds a head.
func repaired(line string) string {
	if line[0] == '#' || strings.Count(line, "\t") < ColHead {
		return line
	}
	cells := strings.Split(line, "\t")
	if len(cells) == ColumnCount+1 {
		cells = slices.Delete(cells, ColFeats, ColFeats+1)
	}
	if head, ok := pytext.Float(cells[ColHead]); ok && !math.IsInf(head, 0) && !math.IsNaN(head) {
		// Adding 0 makes a negative zero positive.
		cells[ColHead] = strconv.FormatFloat(math.RoundToEven(head)+0, 'f', 0, 64)
	}
	return strings.Join(cells, "\t")
}

// columnsOf returns the columns that a run declares, or those before.
func columnsOf(run, before []string) []string {
	for _, line := range run {
		if names, ok := strings.CutPrefix(line, "# global.columns = "); ok {
			return pytext.Fields(pytext.Lower(names))
		}
	}
	return before
}

// parseSentence is not ok for a run with a line in error.
func parseSentence(run, columns []string) (s Annotation, ok bool) {
	for _, line := range s.takeComments(run) {
		word, isWord, ok := parseLine(line, columns)
		if !ok {
			return s, false
		}
		if isWord {
			s.words = append(s.words, word)
		}
	}
	return s, true
}

// takeComments takes in the comments of a run and returns its other lines, trimmed. Of comments of one name the last
// counts, only that comments at the beginning of their line come before others.
func (s *Annotation) takeComments(run []string) (lines []string) {
	kept := map[string]*string{"sent_id": &s.id, "text": &s.text, "speaker": &s.speaker}
	add := func(line string) {
		name, value, _ := strings.Cut(line[1:], "=")
		value = pytext.Strip(value)
		if to := kept[pytext.Strip(name)]; to != nil && value != "" {
			*to = value
		}
	}
	lines = make([]string, 0, len(run))
	var indented []string
	for n, line := range run {
		trimmed := pytext.Strip(line)
		switch {
		case trimmed[0] != '#':
			lines = append(lines, trimmed)
		case n == 0 || line[0] == '#':
			add(trimmed)
		default:
			indented = append(indented, trimmed)
		}
	}
	for _, line := range indented {
		add(line)
	}
	return lines
}

// parseLine reads a line of columns; isWord is false for a multiword token and an empty node. It is not ok without
// columns, or with a malformed ID or head.
func parseLine(line string, columns []string) (word annotatedWord, isWord, ok bool) {
	cells := SplitColumns(line)
	if len(cells) == 1 {
		return word, false, false
	}
	var of [ColumnCount]cell
	for k, name := range columns[:min(len(columns), len(cells))] {
		if at := slices.Index(ColumnNames[:], name); at >= 0 {
			of[at] = cell{cells[k], true}
		}
	}
	id, head := of[ColID].text, of[ColHead]
	isOther := IsRangeID(id) || IsEmptyID(id)
	goodID := id == "" || id == "_" || IsWordID(id) || isOther
	goodHead := !head.there || head.text == "_" || IsHead(head.text)
	if isOther || !goodID || !goodHead {
		return word, false, goodID && goodHead
	}
	return annotatedWord{
		form: of[ColForm].text, lemma: of[ColLemma],
		upos: of[ColUPOS], xpos: of[ColXPOS].orNone(),
		feats: canonicalFeats(of[ColFeats]),
		head:  head.orNone(), relation: of[ColDeprel],
	}, true, true
}

// orNone takes "_" and nothing for a value that is not there.
func (c cell) orNone() cell {
	if c.text == "" || c.text == "_" {
		return cell{}
	}
	return c
}

// divider is what stands between columns.
var divider = lazyregexp.New(`\t| {2,}`)

// SplitColumns splits a line at tabs, or at runs of blanks where it has some.
func SplitColumns(line string) []string {
	if !strings.Contains(line, "  ") {
		return strings.Split(line, "\t")
	}
	return divider.Split(line, -1)
}

// IsWordID reports whether a text is 0 or a positive integer without a leading zero.
func IsWordID(id string) bool { return id == "0" || isPositive(id) }

// IsRangeID reports whether a text is the ID of a multiword token, as in 4-5.
func IsRangeID(id string) bool {
	from, to, ok := strings.Cut(id, "-")
	return ok && isPositive(from) && isPositive(to) &&
		(len(from) < len(to) || len(from) == len(to) && from <= to)
}

// IsEmptyID reports whether a text is the ID of an empty node, as in 6.1.
func IsEmptyID(id string) bool {
	after, number, ok := strings.Cut(id, ".")
	return ok && plain.IsDigits(after) && isPositive(number)
}

// IsHead reports whether a text is 0 or a number, which may be negative.
func IsHead(text string) bool { return text == "0" || isPositive(strings.TrimPrefix(text, "-")) }

func isPositive(text string) bool { return plain.IsDigits(text) && text[0] != '0' }

// canonicalFeats is the text of the features that the published evaluator compares: sorted by name, the last of one
// name counting, "None" for a value that is not given.
func canonicalFeats(c cell) string {
	if c = c.orNone(); !c.there {
		return "_"
	}
	features := map[string]string{}
	var names []string
	for part := range strings.SplitSeq(c.text, "|") {
		name, value, given := strings.Cut(part, "=")
		if name == "" || name == "_" {
			continue
		}
		if value, _, _ = strings.Cut(value, "="); given && (value == "" || value == "_") {
			value = "None"
		}
		if _, known := features[name]; !known {
			names = append(names, name)
		}
		features[name] = value
	}
	if len(names) == 0 {
		return "_"
	}
	slices.Sort(names)
	for i, name := range names {
		names[i] = name + "=" + features[name]
	}
	return strings.Join(names, "|")
}
