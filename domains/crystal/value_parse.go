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

// block is what the published evaluator makes of a document: of the first data
// block the value of each tag in lower case, of a looped one all values.
type block map[string]entry

type entry struct {
	texts  []string
	looped bool
}

var errNothing = errors.New("no data block")

// parse reads all files, joined in name order.
func parse(files vfs.Files) (block, error) {
	text := strings.Join(lists.Map(files.Names(), func(name string) string { return files[name] }), "\n")
	if pytext.Strip(text) == "" {
		return nil, errNothing
	}
	return readBlock(repaired(text))
}

// readBlock reads the first data block of a text.
func readBlock(text string) (block, error) {
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
	first  block
	blocks int // that were read to their end
}

func (r *blockReader) result() (block, error) {
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
		items := block{}
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
func (r *blockReader) block(items block) {
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

func (r *blockReader) add(into block, tag string, texts []string, looped bool) {
	tag = strings.ToLower(tag)
	_, known := into[tag]
	r.failIf(known, errRepeated)
	into[tag] = entry{texts, looped}
}

// loop reads a loop. The token after it is in hand then.
func (r *blockReader) loop(into block) {
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
	out := make([]string, 0, len(lines)+1)
	for len(lines) > 0 {
		first, rest := lines[0], lines[1:]
		end := -1
		if pytext.Strip(first) == quote {
			end = slices.IndexFunc(rest, isLast)
		}
		if end < 0 {
			out, lines = append(out, first), rest
			continue
		}
		out = append(append(out, ";"), rest[:end]...)
		if text := strings.TrimSuffix(pytext.Strip(rest[end]), quote); text != "" {
			out = append(out, text)
		}
		out, lines = append(out, ";"), rest[end+1:]
	}
	return out
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

const loopWord = "loop_"

func isLoopLine(line string) bool { return pytext.Strip(line) == loopWord }

// tagLines is the place after the tag lines that begin there.
func tagLines(lines []string, from int) int {
	for from < len(lines) && strings.HasPrefix(pytext.StripLeft(lines[from]), "_") {
		from++
	}
	return from
}

func withoutEmptyLoops(lines []string) []string {
	kept := lines[:0] // they are ours
	for i := 0; i < len(lines); i++ {
		if isLoopLine(lines[i]) {
			end := tagLines(lines, i+1)
			if endsLoop(lines, end) {
				i = end - 1
				continue
			}
		}
		kept = append(kept, lines[i])
	}
	return kept
}

// endsLoop reports whether no value follows, blank lines aside.
func endsLoop(lines []string, at int) bool {
	for at < len(lines) && pytext.Strip(lines[at]) == "" {
		at++
	}
	if at == len(lines) {
		return true
	}
	line := pytext.StripLeft(lines[at])
	return strings.HasPrefix(line, loopWord) || strings.HasPrefix(line, "data_") || strings.HasPrefix(line, "_")
}

// withoutRepeatedLoops removes a loop with the tags of one before, and what
// follows it up to a blank line, loop or block.
func withoutRepeatedLoops(lines []string) []string {
	seen := map[string]bool{}
	kept := lines[:0] // they are ours
	for i := 0; i < len(lines); i++ {
		if isLoopLine(lines[i]) {
			end := tagLines(lines, i+1)
			if tags := tagSet(lines[i+1 : end]); tags != "" {
				if seen[tags] {
					for end < len(lines) && !endsRemoval(lines[end]) {
						end++
					}
					i = end - 1
					continue
				}
				seen[tags] = true
			}
		}
		kept = append(kept, lines[i])
	}
	return kept
}

func endsRemoval(line string) bool {
	line = pytext.Strip(line)
	return line == "" || strings.HasPrefix(line, loopWord) || strings.HasPrefix(line, "data_")
}

// tagSet is equal for lines with the same set of tags.
func tagSet(lines []string) string {
	tags := slices.Clone(lines)
	for i := range tags {
		tags[i] = pytext.Strip(tags[i])
	}
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
