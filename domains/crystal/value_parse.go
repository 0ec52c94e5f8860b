package crystal

import (
	"errors"
	"fmt"
	"strings"

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
	var texts []string
	for _, name := range files.Names() {
		texts = append(texts, files[name])
	}
	text := strings.Join(texts, "\n")
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
		r := blockReader{scanner: scanner{text: text, cif2: true}}
		if err := r.read(); err == nil || r.blocks > 0 {
			return r.result(err)
		}
	}
	r := blockReader{scanner: scanner{text: text}}
	err := r.read()
	if err != nil && r.blocks == 0 { // once a block was read the second attempt finds it twice
		r = blockReader{scanner: scanner{text: text, brackets: true}}
		err = r.read()
	}
	return r.result(err)
}

type blockReader struct {
	scanner
	first  block
	blocks int // that were read to their end
}

func (r *blockReader) result(err error) (block, error) {
	if err != nil {
		line := 1 + strings.Count(r.text[:min(r.at, len(r.text))], "\n")
		return nil, fmt.Errorf("reading as CIF, about line %d: %w", line, err)
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

func (r *blockReader) read() error {
	names := map[string]bool{}
	found, name, err := r.next(blockStarts)
	for ; err == nil && found == headingToken; r.blocks++ {
		name = strings.ToLower(name)
		switch {
		case names[name]:
			return errRepeated
		case len(name) > longestName:
			return errLong
		}
		names[name] = true
		items := block{}
		if found, name, err = r.block(items); err != nil {
			return err
		}
		if r.blocks == 0 {
			r.first = items
		}
	}
	return err
}

// block reads up to the next block or the end, and returns what it met there.
func (r *blockReader) block(items block) (kind, string, error) {
	frames := []block{items}
	found, text, err := r.next(itemStarts)
	for err == nil {
		into := frames[len(frames)-1]
		switch found {
		case tagToken:
			tag := text
			if _, text, err = r.next(valueToken); err == nil {
				err = into.add(tag, []string{text}, false)
			}
			if err == nil {
				found, text, err = r.next(itemStarts)
			}
		case loopToken:
			found, text, err = r.loop(into)
		case frameToken:
			frames = append(frames, block{})
			found, text, err = r.next(itemStarts)
		case frameEnd:
			if len(frames) == 1 {
				return 0, "", errSyntax
			}
			frames = frames[:len(frames)-1]
			found, text, err = r.next(itemStarts)
		default:
			if len(frames) > 1 {
				return 0, "", errSyntax
			}
			for tag := range items {
				if len(tag) > longestName {
					return 0, "", errLong
				}
			}
			return found, text, nil
		}
	}
	return 0, "", err
}

func (b block) add(tag string, texts []string, looped bool) error {
	tag = strings.ToLower(tag)
	if _, known := b[tag]; known {
		return errRepeated
	}
	b[tag] = entry{texts, looped}
	return nil
}

// loop reads a loop and the token after it.
func (r *blockReader) loop(into block) (kind, string, error) {
	var tags, values []string
	found, text, err := r.next(tagToken | valueToken)
	for ; err == nil && found == tagToken; found, text, err = r.next(tagToken | valueToken) {
		tags = append(tags, text)
	}
	for ; err == nil && found == valueToken; found, text, err = r.next(valueToken | itemStarts) {
		values = append(values, text)
	}
	if err != nil || len(tags) == 0 {
		return found, text, err
	}
	for at, tag := range tags {
		var column []string
		if readTags[strings.ToLower(tag)] {
			column = make([]string, 0, len(values)/len(tags)+1)
			for k := at; k < len(values); k += len(tags) {
				column = append(column, values[k])
			}
		}
		if err := into.add(tag, column, true); err != nil {
			return 0, "", err
		}
	}
	if len(values)%len(tags) != 0 {
		return 0, "", errRagged
	}
	return found, text, nil
}
