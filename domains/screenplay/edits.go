package screenplay

import (
	"fmt"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("fountain", fountain),
		domains.Taking("split_by_speaker", splitBySpeaker),
		domains.Taking("number_directions", numberDirections),
		domains.Taking("last_part_first", lastPartFirst),
		domains.Taking("markdown", markdown),
		domains.Taking("sort_cast", sortCast),
		domains.Taking("join_small_parts", joinSmallParts),
		domains.Taking("start_times", startTimes),
	}
}

// whole puts together what stands up to the heading of the dialogue, and what stands below it.
type whole func(vfs.Files) (head, body []paragraph, err error)

// steps are those of an edit that changes a play, divided at the heading of its dialogue, into
// files, and back from them.
func steps(document string, forward func(head, body []block) (vfs.Files, error), backward whole) exact.Steps {
	return exact.Steps{
		Forward: func(files vfs.Files) (vfs.Files, error) {
			head, body, err := playOf(files, document)
			if err != nil {
				return nil, err
			}
			made, err := forward(head, body)
			if err != nil {
				err = fmt.Errorf("%s: %w", document, err)
			}
			return made, err
		},
		Backward: func(files vfs.Files) (vfs.Files, error) {
			head, body, err := backward(files)
			if err != nil {
				return nil, err
			}
			return vfs.Files{document: printed(slices.Concat(head, body))}, nil
		},
	}
}

// playOf reads a file that must have a dialogue with speeches. It returns what
// stands up to the heading of the dialogue, and what stands below it.
func playOf(files vfs.Files, name string) (head, body []block, err error) {
	text, err := plain.File(files, name)
	if err != nil {
		return nil, nil, err
	}
	blocks := readText(text).blocks
	split, speeches := 0, 0
	for i := range blocks {
		b := &blocks[i]
		if b.kind == heading && b.in == dialogue && split == 0 {
			split = i + 1
		}
		if b.kind != counted {
			continue
		}
		if speeches++; split == 0 || b.rest == "" {
			return nil, nil, fmt.Errorf("%s: %s has no text on its line, or stands above the dialogue", name, b.name)
		}
	}
	if speeches == 0 {
		return nil, nil, fmt.Errorf("%s: no speeches found", name)
	}
	return blocks[:split:split], blocks[split:], nil
}

// paragraph is a run of lines without a blank one.
type paragraph []string

// paragraphs divides a text at its blank lines.
func paragraphs(text string) []paragraph {
	var all []paragraph
	open := false
	for _, line := range plain.Lines(text) {
		line = pytext.Strip(line)
		switch {
		case line == "":
			open = false
		case open:
			all[len(all)-1] = append(all[len(all)-1], line)
		default:
			all = append(all, paragraph{line})
			open = true
		}
	}
	return all
}

// printed writes paragraphs with a blank line between them.
func printed(paragraphs []paragraph) string {
	return strings.Join(lists.Map(paragraphs, func(p paragraph) string { return plain.Text(p) }), "\n")
}

// written are blocks as they were written, the entries of a list in one paragraph.
func written(blocks []block) []paragraph {
	var all []paragraph
	for i := range blocks {
		b := &blocks[i]
		if i > 0 && b.isListed() && blocks[i-1].isListed() {
			all[len(all)-1] = append(all[len(all)-1], b.lines...)
			continue
		}
		all = append(all, append(paragraph(nil), b.lines...))
	}
	return all
}

// isListed reports whether a block is an entry with a list mark.
func (b *block) isListed() bool { return b.kind == character && cutBullet(b.lines[0]) != b.lines[0] }

// partsOf reads a file and divides its paragraphs below the heading of the dialogue.
func partsOf(files vfs.Files, name string) (head, body []paragraph, err error) {
	text, err := plain.File(files, name)
	if err != nil {
		return nil, nil, err
	}
	return parted(paragraphs(text), name)
}

// parted divides the paragraphs of a play below the heading of its dialogue.
func parted(all []paragraph, source string) (head, body []paragraph, err error) {
	for i, p := range all {
		if _, in, _, ok := cutHeading(p[0]); ok && in == dialogue {
			return all[:i+1], all[i+1:], nil
		}
	}
	return nil, nil, fmt.Errorf("%s: no heading of the dialogue", source)
}

// cue is a speaker's name with what stands after it before the colon.
func (b *block) cue() string {
	if b.manner == "" {
		return b.name
	}
	return b.name + " " + b.manner
}

// unwrapped are the lines of a direction without the parentheses around them.
func (b *block) unwrapped() ([]string, bool) {
	if b.kind != direction || !isPair(strings.Join(b.lines, "\n"), '(', ')') {
		return nil, false
	}
	lines := append([]string(nil), b.lines...)
	lines[0] = lines[0][1:]
	last := &lines[len(lines)-1]
	*last = (*last)[:len(*last)-1]
	return lines, true
}

// wrapped puts parentheses around lines.
func wrapped(lines []string) paragraph {
	p := append(paragraph(nil), lines...)
	p[0] = "(" + p[0]
	p[len(p)-1] += ")"
	return p
}

// words is the number of words of a speech, parentheticals aside.
func (b *block) words() int {
	said, _ := parentheticals(strings.Join(b.text(), " "))
	return len(pytext.Fields(strings.ReplaceAll(said, "()", " ")))
}
