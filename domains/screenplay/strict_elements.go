package screenplay

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/texts"
	"agentd/vfs"
)

// elements flattens a play: speeches, the cast, directions and the sentences of
// all other text, each with an order, and headings.
func elements(files vfs.Files) []domains.Element {
	p := readFiles(files)
	f := flattener{all: make([]domains.Element, 0, len(p.blocks)), speakers: map[string]string{}}
	for i := range p.blocks {
		f.add(&p.blocks[i])
	}
	return f.all
}

// readFiles reads the files of a play in the order of their names: a later one
// goes on where the one before it ends.
func readFiles(files vfs.Files) play {
	names := files.Names()
	if len(names) == 1 {
		return readText(files[names[0]])
	}
	var lines []string
	for _, name := range names {
		lines = append(lines, plain.Lines(files[name])...)
	}
	return read(lines)
}

type flattener struct {
	all                          []domains.Element
	speakers                     map[string]string // names and how they are compared
	speeches, directions, others int
}

func (f *flattener) add(b *block) {
	switch b.kind {
	case heading:
		f.all = append(f.all, domains.Element{
			Kind: heading, Key: "heading " + b.name, Fields: []domains.Field{{Value: b.name}},
		})
	case character:
		f.all = append(f.all, domains.Element{
			Kind: character, Key: "character " + b.name,
			Fields: []domains.Field{
				{Name: "name", Value: f.speaker(b.name)},
				{Name: "description", Value: plainly(strings.Join(b.text(), " "))},
			},
		})
	case counted:
		f.speeches++
		f.all = append(f.all, f.speech(b))
	case direction:
		f.directions++
		text := plainly(strings.Join(b.lines, " "))
		f.all = append(f.all, domains.Element{
			Kind: direction, Key: "direction (" + texts.Opening(bareDirection(text)) + ")",
			Fields: sentenceFields(nil, bareDirection(text)), Position: f.directions,
		})
	case prose:
		where := "line"
		if b.in == scene {
			where = "scene, sentence"
		}
		for sentence := range sentences(plainly(strings.Join(b.lines, " "))) {
			f.others++
			f.all = append(f.all, domains.Element{
				Kind: prose, Key: where + " " + strconv.Itoa(f.others),
				Fields: []domains.Field{{Value: sentence}}, Position: f.others,
			})
		}
	}
}

func (f *flattener) speech(b *block) domains.Element {
	text := b.rest
	if len(b.lines) > 1 {
		text = strings.Join(b.text(), " ")
	}
	if b.manner != "" {
		text = b.manner + " " + text
	}
	text = plainly(text)
	said, inside := parentheticals(text)
	fields := make([]domains.Field, 1, 2+len(inside))
	fields[0] = domains.Field{Name: "speaker", Value: f.speaker(b.name)}
	fields = sentenceFields(fields, said)
	for n, p := range inside {
		if n == mostSentences {
			fields = append(fields, domains.Field{Name: "parenthetical", Value: strings.Join(inside[n:], " ")})
			break
		}
		fields = append(fields, domains.Field{Name: "parenthetical", Value: p})
	}
	return domains.Element{
		Kind: counted, Key: b.name + `, "` + texts.Opening(text) + `"`, Fields: fields, Position: f.speeches,
	}
}

func (f *flattener) speaker(name string) string {
	folded, known := f.speakers[name]
	if !known {
		folded = foldName(name)
		f.speakers[name] = folded
	}
	return folded
}

// sentences divides a text as plainly gives it.
func sentences(text string) iter.Seq[string] { return texts.Sentences(text, `"'([`) }

// mostSentences are compared one by one; of a longer text the rest counts as one.
const mostSentences = 250

func sentenceFields(fields []domains.Field, text string) []domains.Field {
	n, seen := 0, 0
	for sentence := range sentences(text) {
		if n++; n > mostSentences {
			return append(fields, domains.Field{Name: "sentence", Value: text[seen:]})
		}
		fields = append(fields, domains.Field{Name: "sentence", Value: sentence})
		seen += len(sentence) + len(" ")
	}
	return fields
}

// without leaves speeches out, counted through all files.
func without(files vfs.Files, leave func() bool) vfs.Files {
	names := files.Names()
	var lines []string
	ends := make([]int, len(names)) // of the files
	for k, name := range names {
		lines = append(lines, plain.Lines(files[name])...)
		ends[k] = len(lines)
	}
	left := make([]bool, len(lines))
	p := read(slices.Clone(lines))
	for i := range p.blocks {
		b := &p.blocks[i]
		if b.kind != counted {
			continue
		}
		if leave() {
			for at := b.from; at < b.from+len(b.lines); at++ {
				left[at] = true
			}
		}
	}
	kept, start := vfs.Files{}, 0
	for k, name := range names {
		kept[name] = plain.Text(remaining(lines[start:ends[k]], left[start:ends[k]]))
		start = ends[k]
	}
	return kept
}

// remaining are the lines that are not left out, without the blank ones after
// those that are.
func remaining(lines []string, left []bool) []string {
	var kept []string
	gone := false
	for at, line := range lines {
		blank := strings.TrimSpace(line) == ""
		if left[at] || gone && blank {
			gone = true
			continue
		}
		gone = false
		kept = append(kept, line)
	}
	return kept
}
