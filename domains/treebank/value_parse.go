package treebank

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// The columns of a line.
const (
	colID = iota
	colForm
	colLemma
	colUPOS
	colXPOS
	colFeats
	colHead
	colDeprel
	colDeps
	colMisc
	columnCount
)

var columnNames = [columnCount]string{
	"id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc",
}

// annotation is a sentence as the published evaluator has it.
type annotation struct {
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

// parse is the published reading: the sentences of all .conllu files in name order.
func parse(files vfs.Files) ([]annotation, error) {
	var sentences []annotation
	for _, name := range files.Names() {
		if strings.HasSuffix(name, ".conllu") {
			sentences = append(sentences, parseFile(files[name])...)
		}
	}
	return sentences, nil
}

// parseFile reads a file as a whole or, if any sentence is in error, each
// sentence on its own, and then leaves out those in error.
func parseFile(text string) []annotation {
	blocks := runs(text)
	var whole, apart []annotation
	columns := columnNames[:]
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
		if sentence, ok := parseSentence(block, columnsOf(block, columnNames[:])); ok {
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
	if line[0] == '#' || strings.Count(line, "\t") < colHead {
		return line
	}
	cells := strings.Split(line, "\t")
	if len(cells) == columnCount+1 {
		cells = slices.Delete(cells, colFeats, colFeats+1)
	}
	if head, ok := pytext.Float(cells[colHead]); ok && !math.IsInf(head, 0) && !math.IsNaN(head) {
		// Adding 0 makes a negative zero positive.
		cells[colHead] = strconv.FormatFloat(math.RoundToEven(head)+0, 'f', 0, 64)
	}
	return strings.Join(cells, "\t")
}

// columnsOf returns the columns that a run declares, or those before.
func columnsOf(run, before []string) []string {
	for _, line := range run {
		if names, ok := strings.CutPrefix(line, "# global.columns = "); ok {
			if columns := pytext.Fields(pytext.Lower(names)); len(columns) > 0 {
				return columns
			}
			return columnNames[:]
		}
	}
	return before
}

// parseSentence is not ok for a run with a line in error.
func parseSentence(run, columns []string) (s annotation, ok bool) {
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
func (s *annotation) takeComments(run []string) (lines []string) {
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
	cells := splitColumns(line)
	if len(cells) == 1 {
		return word, false, false
	}
	var of [columnCount]cell
	for k, name := range columns[:min(len(columns), len(cells))] {
		if at := slices.Index(columnNames[:], name); at >= 0 {
			of[at] = cell{cells[k], true}
		}
	}
	id, head := of[colID].text, of[colHead]
	isOther := isRangeID(id) || isEmptyID(id)
	goodID := id == "" || id == "_" || isWordID(id) || isOther
	goodHead := !head.there || head.text == "_" || isHead(head.text)
	if isOther || !goodID || !goodHead {
		return word, false, goodID && goodHead
	}
	return annotatedWord{
		form: of[colForm].text, lemma: of[colLemma],
		upos: of[colUPOS], xpos: of[colXPOS].orNone(),
		feats: canonicalFeats(of[colFeats]),
		head:  head.orNone(), relation: of[colDeprel],
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
var divider = regexp.MustCompile(`\t| {2,}`)

func splitColumns(line string) []string {
	if !strings.Contains(line, "  ") {
		return strings.Split(line, "\t")
	}
	return divider.Split(line, -1)
}

// isWordID reports whether a text is 0 or a positive integer without a leading zero.
func isWordID(id string) bool { return id == "0" || isPositive(id) }

// isRangeID reports whether a text is the ID of a multiword token, as in 4-5.
func isRangeID(id string) bool {
	from, to, ok := strings.Cut(id, "-")
	return ok && isPositive(from) && isPositive(to) &&
		(len(from) < len(to) || len(from) == len(to) && from <= to)
}

// isEmptyID reports whether a text is the ID of an empty node, as in 6.1.
func isEmptyID(id string) bool {
	after, number, ok := strings.Cut(id, ".")
	return ok && plain.IsDigits(after) && isPositive(number)
}

func isHead(text string) bool { return text == "0" || isPositive(strings.TrimPrefix(text, "-")) }

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
