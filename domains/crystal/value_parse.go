package crystal

import (
	"errors"
	"fmt"
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
	if end := strings.IndexByte(text, 0x1a); end >= 0 {
		text = text[:end] // Control-Z ends a file
	}
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
	frames := []block{items}
	for r.next(itemStarts); r.err == nil; {
		into := frames[len(frames)-1]
		switch r.found {
		case tagToken:
			tag := r.word
			r.next(valueToken)
			r.add(into, tag, []string{r.word}, false)
			r.next(itemStarts)
		case loopToken:
			r.loop(into)
		case frameToken:
			frames = append(frames, block{})
			r.next(itemStarts)
		case frameEnd:
			if frames = frames[:len(frames)-1]; len(frames) == 0 {
				r.fail(errSyntax)
			}
			r.next(itemStarts)
		default:
			r.failIf(len(frames) > 1, errSyntax)
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
