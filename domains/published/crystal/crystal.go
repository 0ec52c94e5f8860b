// Package crystal is the published reading and score of the domain crystal.
//
//   - cell: none on both sides 1, on one side 0. Over the six values the reference has: missing 0; relative error <
//     0.001 gives 1, < 0.01 gives 0.9, < 0.05 gives 0.5, else 0; reference value 0: equal or not. Mean; no value 1.
//     "None" looks at all nine cell numbers.
//   - symmetry: mean of up to two parts, 1 when there is none: space group without blanks, lower-cased, equal or not
//     (if the reference has one); Jaccard of operations (if the reference has any).
//   - sites: both none (1, recall 1); reference none (0.5, 1); candidate none (0, 0). By label, last wins on both
//     sides. A site: 0.7*c + 0.3*p. c = mean over coordinates the reference has: missing 0; difference < 0.001: 1, <
//     0.005: 0.9, < 0.01: 0.7, < 0.03: 0.3, < 0.05: 0.1, else 0; none 1. p = mean of [type symbol equal] if the
//     reference has one and [occupancy within 0.01] if both have one; none 1. Missing site 0. atom = mean over
//     reference labels; with e extra labels times max(0, 1 - e/(2*reference labels)). recall = found / reference
//     labels.
//   - aniso: both none 1, reference none 0.5, candidate none 0. Mean over reference labels (absent 0) of the mean over
//     terms both have: < 0.0005: 1, < 0.005: 0.8, else 0; no common term 0.
//   - bonds: same three empty rules. Key: the two labels sorted plus symmetry. Mean over reference rows: absent 0;
//     difference < 0.005: 1, < 0.02: 0.8, < 0.1: 0.5, else 0.1; a distance missing on either side 0.5, even against
//     itself.
//   - angles: same; key three labels in order plus two symmetries; < 0.1: 1, < 1: 0.8, < 5: 0.3, else 0; missing 0.5.
//   - hbonds: same; key donor, hydrogen, acceptor, symmetry; mean over values both have: distances < 0.01: 1, < 0.05:
//     0.5, else 0; angle < 1: 1, < 5: 0.5, else 0; none 1.
//   - meta: both without any metadata 1, one 0; else mean over what the reference has, 1 when nothing: formula (blanks
//     removed, lower-cased) R; authors Jaccard of lower-cased trimmed names; journal name, year, volume, radiation
//     type, colour (trimmed, lower-cased) R.
//
// score = 0.05 cell + 0.05 symmetry + 0.30 atom + recall*(0.10 aniso + 0.20 bonds + 0.10 angles + 0.10 hbonds) + 0.10
// meta, not rounded; a perfect document gives 0.9999999999999999.
//
// R, or ratio, is that of package ratio, with the reference first.
package crystal

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"agentd/domains/internal/lists"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// Block is what the published evaluator makes of a document: of the first data
// block the value of each tag in lower case, of a looped one all values.
type Block map[string]entry

type entry struct {
	texts  []string
	looped bool
}

var errNothing = errors.New("no data block")

// Parse reads all files, joined in name order.
func Parse(files vfs.Files) (Block, error) {
	text := strings.Join(lists.Map(files.Names(), func(name string) string { return files[name] }), "\n")
	if pytext.Strip(text) == "" {
		return nil, errNothing
	}
	return readBlock(repaired(text))
}

// readBlock reads the first data block of a text.
func readBlock(text string) (Block, error) {
	if strings.HasPrefix(text, `#\#CIF_2.0`) {
		if r := readBlocks(scanner{text: text, cif2: true}); r.err == nil || r.blocks > 0 {
			return r.result()
		}
	}
	r := readBlocks(scanner{text: text})
	if r.err != nil && r.blocks == 0 { // once a block was read the second attempt finds it twice
		r = readBlocks(scanner{text: text, brackets: true})
	}
	return r.result()
}

type blockReader struct {
	scanner
	first  Block
	blocks int // that were read to their end
}

func (r *blockReader) result() (Block, error) {
	if r.err != nil {
		line := 1 + strings.Count(r.text[:min(r.at, len(r.text))], "\n")
		return nil, fmt.Errorf("reading as CIF, about line %d: %w", line, r.err)
	}
	if r.blocks == 0 {
		return nil, errNothing
	}
	return r.first, nil
}

// longestName is the most that a tag or the name of a block may have.
const longestName = 75

var (
	errRepeated = errors.New("a name that occurs twice")
	errLong     = errors.New("a name that is too long")
	errRagged   = errors.New("a loop whose values are no multiple of its tags")
)

func readBlocks(s scanner) *blockReader {
	r := &blockReader{scanner: s}
	names := map[string]bool{}
	for r.next(blockStarts); r.err == nil && r.found == headingToken; r.blocks++ {
		name := strings.ToLower(r.word)
		r.failIf(names[name], errRepeated)
		r.failIf(len(name) > longestName, errLong)
		names[name] = true
		items := Block{}
		if r.block(items); r.err != nil {
			break
		}
		if r.blocks == 0 {
			r.first = items
		}
	}
	return r
}

func (r *blockReader) failIf(wrong bool, err error) {
	if wrong {
		r.fail(err)
	}
}

// block reads up to the next block or the end, which is the token in hand then.
func (r *blockReader) block(items Block) {
	for r.next(itemStarts); r.err == nil; {
		switch r.found {
		case tagToken:
			tag := r.word
			r.next(valueToken)
			r.add(items, tag, []string{r.word}, false)
			r.next(itemStarts)
		case loopToken:
			r.loop(items)
		default:
			for tag := range items {
				r.failIf(len(tag) > longestName, errLong)
			}
			return
		}
	}
}

func (r *blockReader) add(into Block, tag string, texts []string, looped bool) {
	tag = strings.ToLower(tag)
	_, known := into[tag]
	r.failIf(known, errRepeated)
	into[tag] = entry{texts, looped}
}

// loop reads a loop. The token after it is in hand then.
func (r *blockReader) loop(into Block) {
	var tags, values []string
	for r.next(tagToken | valueToken); r.found == tagToken; r.next(tagToken | valueToken) {
		tags = append(tags, r.word)
	}
	for ; r.found == valueToken; r.next(valueToken | itemStarts) {
		values = append(values, r.word)
	}
	if r.err != nil || len(tags) == 0 {
		return
	}
	for at, tag := range tags {
		var column []string
		if readTags[strings.ToLower(tag)] {
			column = make([]string, 0, len(values)/len(tags)+1)
			for k := at; k < len(values); k += len(tags) {
				column = append(column, values[k])
			}
		}
		r.add(into, tag, column, true)
	}
	r.failIf(len(values)%len(tags) != 0, errRagged)
}

// repaired is what the published evaluator makes of a text before it reads it.
func repaired(text string) string {
	lines := withoutFences(strings.Split(text, "\n"))
	lines = withQuotedTexts(lines)
	for i := range lines {
		lines[i] = withQuotes(lines[i])
	}
	lines = withoutEmptyLoops(lines)
	lines = withoutRepeatedLoops(lines)
	return strings.Join(withDividedTexts(lines), "\n")
}

func withoutFences(lines []string) []string {
	if strings.HasPrefix(lines[0], "```") {
		lines = lines[1:]
	}
	end := len(lines)
	for end > 0 && pytext.Strip(lines[end-1]) == "" {
		end--
	}
	if end > 0 && pytext.Strip(lines[end-1]) == "```" {
		lines = lines[:end-1]
	}
	return lines
}

// withQuotedTexts turns a text between a line that is only a quote and a line that ends in one into a text field.
func withQuotedTexts(lines []string) []string {
	const quote = "'"
	isLast := func(line string) bool { return strings.HasSuffix(pytext.Strip(line), quote) }
	for i := 0; i < len(lines); i++ {
		if pytext.Strip(lines[i]) != quote {
			continue
		}
		length := slices.IndexFunc(lines[i+1:], isLast)
		if length < 0 {
			break
		}
		last := i + 1 + length
		text := strings.TrimSuffix(pytext.Strip(lines[last]), quote)
		lines[i], lines[last] = ";", strings.TrimPrefix(text+"\n;", "\n")
		i = last
	}
	return lines
}

// withQuotes quotes the value after a tag if it contains a blank.
func withQuotes(line string) string {
	line, original := pytext.Strip(line), line
	if !strings.HasPrefix(line, "_") {
		return original
	}
	end := strings.IndexFunc(line, pytext.IsSpace)
	if end < 0 {
		return original
	}
	value := pytext.StripLeft(line[end:])
	if !strings.Contains(value, " ") || isWrapped(value, "'") || isWrapped(value, `"`) {
		return original
	}
	return line[:end] + " '" + value + "'"
}

func isWrapped(value, quote string) bool {
	return len(value) > 1 && strings.HasPrefix(value, quote) && strings.HasSuffix(value, quote)
}

// LoopWord begins a table.
const LoopWord = "loop_"

func isLoopLine(line string) bool { return pytext.Strip(line) == LoopWord }

// tagLines is the place after the tag lines that begin there.
func tagLines(lines []string, from int) int {
	for from < len(lines) && strings.HasPrefix(pytext.StripLeft(lines[from]), "_") {
		from++
	}
	return from
}

// withoutLoops leaves out each loop and what goes with it: the lines up to a place that drop finds after the loop's tags; 0
// keeps the loop.
func withoutLoops(lines []string, drop func(tags, rest []string) int) []string {
	kept := lines[:0] // they are ours
	for i := 0; i < len(lines); i++ {
		if isLoopLine(lines[i]) {
			end := tagLines(lines, i+1)
			if length := drop(lines[i+1:end], lines[end:]); length > 0 {
				i += length - 1
				continue
			}
		}
		kept = append(kept, lines[i])
	}
	return kept
}

// withoutEmptyLoops removes loops that no value follows, blank lines aside.
func withoutEmptyLoops(lines []string) []string {
	return withoutLoops(lines, func(tags, rest []string) int {
		for len(rest) > 0 && pytext.Strip(rest[0]) == "" {
			rest = rest[1:]
		}
		if len(rest) == 0 || beginsWith(rest[0], LoopWord, "data_", "_") {
			return 1 + len(tags)
		}
		return 0
	})
}

// withoutRepeatedLoops removes a loop with the tags of one before, and what
// follows it up to a blank line, loop or block.
func withoutRepeatedLoops(lines []string) []string {
	seen := map[string]bool{}
	return withoutLoops(lines, func(tags, rest []string) int {
		set := tagSet(tags)
		if set == "" || !seen[set] {
			seen[set] = true
			return 0
		}
		end := slices.IndexFunc(rest, func(line string) bool { return pytext.Strip(line) == "" || beginsWith(line, LoopWord, "data_") })
		if end < 0 {
			end = len(rest)
		}
		return 1 + len(tags) + end
	})
}

// beginsWith reports whether a line begins with one of some words after white space.
func beginsWith(line string, words ...string) bool {
	line = pytext.StripLeft(line)
	return slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(line, word) })
}

// tagSet is equal for lines with the same set of tags.
func tagSet(lines []string) string {
	tags := lists.Map(lines, pytext.Strip)
	slices.Sort(tags)
	return strings.Join(slices.Compact(tags), "\n")
}

// withDividedTexts gives a text field that is written on one line its lines.
func withDividedTexts(lines []string) []string {
	for i, line := range lines {
		if bare := pytext.StripRight(line); len(bare) > 2 && bare[0] == ';' && bare[len(bare)-1] == ';' {
			lines[i] = ";\n" + bare[1:len(bare)-1] + "\n;"
		}
	}
	return lines
}
