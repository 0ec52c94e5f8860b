package docker

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/vfs"
)

// mostFields is how many fields of an element are compared one with the other.
const mostFields = 64

// elements flattens files of any name by Docker's own rules.
func elements(files vfs.Files) []domains.Element {
	f := flattener{directives: map[string]bool{}, oneEach: len(files) > 1}
	for _, name := range files.Names() {
		if !isDockerfile(name) {
			f.add("", domains.Element{Kind: "file", Key: name, Fields: []domains.Field{{Name: "name", Value: name}}})
		}
		f.file(read(files[name]))
	}
	f.placeStages()
	f.placeInStages()
	return f.all
}

type flattener struct {
	all        []domains.Element
	stages     []string        // that elements have a place in, empty for those that have none
	next       int             // the number of the next place; numbers grow through the document
	directives map[string]bool // those there are; files may repeat them
	unnamed    int             // stages so far that have no name
	oneEach    bool            // there are several files, of at most one stage each

	stage   string   // the one in hand
	known   []string // the stages of this file so far
	byName  map[string]string
	waiting []string // comments since the last instruction
}

// outside is the stage of what stands before the first FROM of a file.
const outside = "(outside stages)"

func (f *flattener) add(in string, e domains.Element) {
	if in != "" {
		e.Position = f.next
	}
	f.all, f.stages = append(f.all, e), append(f.stages, in)
}

func (f *flattener) file(s script) {
	f.stage, f.known, f.byName = outside, nil, map[string]string{}
	for i := range s.parts {
		switch p := &s.parts[i]; p.kind {
		case directive:
			if !f.directives[p.text] {
				f.directives[p.text] = true
				f.add("", domains.Element{Kind: "directive", Key: "directive", Fields: []domains.Field{{Value: p.text}}})
			}
		case commentLine:
			f.waiting = append(f.waiting, p.text)
		case foreignText:
			text := []domains.Field{{Value: blanksAsOne(strings.Join(p.lines, " "))}}
			f.next++
			f.add(f.stage, domains.Element{Kind: "line", Key: "line in " + f.stage, Fields: text})
		case instructionPart:
			f.instruction(p)
		}
	}
	f.comments("end", f.waiting)
	f.waiting = nil
	f.oneEach = f.oneEach && len(f.known) <= 1
}

func (f *flattener) instruction(p *part) {
	if p.keyword == "FROM" {
		f.from(p)
	} else {
		f.comments(p.keyword, f.waiting)
		f.next++ // the pairs of one ENV have one place
		for _, c := range f.contents(p) {
			f.add(f.stage, domains.Element{
				Kind: counted, Key: strings.TrimSpace(f.stage + " " + p.keyword + " " + c.key),
				Fields: append([]domains.Field{{Name: "instruction", Value: p.keyword}}, domains.Bounded(c.fields, mostFields)...),
			})
			// That an instruction belongs to a stage is an element of its own so that a renamed
			// stage leaves what its instructions say as it was. Also, the pairs of one ENV are an
			// element each, so there are more of them than there are instructions; together with
			// its step, one that is lost costs no less than its share of the instructions.
			f.add("", domains.Element{
				Kind: "step", Key: "step in " + f.stage,
				Fields: []domains.Field{{Name: "stage", Value: f.stage}, {Name: "instruction", Value: p.keyword}},
			})
		}
	}
	f.waiting = nil
	f.comments("inside "+p.keyword, p.inside)
}

// comments adds comment lines with what they stand before.
func (f *flattener) comments(before string, lines []string) {
	for _, line := range lines {
		if text := blanksAsOne(line); text != "" {
			f.next++
			f.add(f.stage, domains.Element{
				Kind: "comment", Key: "comment in " + f.stage,
				Fields: []domains.Field{{Name: "text", Value: text}, {Name: "stage", Value: f.stage}, {Name: "before", Value: before}},
			})
		}
	}
}

// from opens a stage.
func (f *flattener) from(p *part) {
	opening := readFrom(p.text)
	f.stage = opening.name
	if opening.name == "" {
		f.unnamed++
		f.stage = "(unnamed " + strconv.Itoa(f.unnamed) + ")"
	}
	f.comments("FROM", f.waiting)
	fields := []domains.Field{{Name: "base", Value: f.source(opening.base)}}
	if opening.name != "" {
		fields = append(fields, domains.Field{Name: "name", Value: opening.name})
	}
	fields = append(fields, f.flagFields(opening.flags)...)
	if opening.rest != "" {
		fields = append(fields, domains.Field{Name: "rest", Value: opening.rest})
	}
	f.known = append(f.known, f.stage)
	f.byName[strings.ToLower(f.stage)] = f.stage
	f.add("", domains.Element{Kind: stageKind, Key: "stage " + f.stage, Fields: domains.Bounded(fields, mostFields)})
}

// source says what an image is that an instruction names: an earlier stage of
// the file, by name or number, or one from elsewhere.
func (f *flattener) source(name string) string {
	if stage, ok := f.byName[strings.ToLower(name)]; ok {
		return "stage " + stage
	}
	if n, err := strconv.Atoi(name); err == nil && n >= 0 && n < len(f.known) {
		return "stage " + f.known[n]
	}
	return "image " + name
}

// placeStages gives stages their order within a file. Files of one stage each
// have none.
func (f *flattener) placeStages() {
	position := 0
	for i := range f.all {
		if f.all[i].Kind == stageKind && !f.oneEach {
			position++
			f.all[i].Position = position
		}
	}
}

// placeInStages gives the other elements their order within their stage. The
// stages follow one another in order of their names, so that their own order
// does not matter; the elements are put in that order too, since of several
// identical ones the first is paired with the first.
func (f *flattener) placeInStages() {
	var slots []int
	var placed []domains.Element
	rank := map[string]int{}
	for _, stage := range f.stages {
		rank[stage] = 0
	}
	delete(rank, "")
	for n, stage := range slices.Sorted(maps.Keys(rank)) {
		rank[stage] = n
	}
	for i, stage := range f.stages {
		if stage != "" {
			slots = append(slots, i)
			f.all[i].Position += rank[stage] * (f.next + 1)
			placed = append(placed, f.all[i])
		}
	}
	slices.SortStableFunc(placed, func(a, b domains.Element) int { return cmp.Compare(a.Position, b.Position) })
	for k, i := range slots {
		f.all[i] = placed[k]
	}
}

func blanksAsOne(text string) string { return strings.Join(strings.Fields(text), " ") }

// opening is what a FROM line says.
type opening struct {
	flags            []flag
	base, name, rest string
}

func readFrom(text string) opening {
	var o opening
	o.flags, text = cutFlags(text)
	o.base, text = cutBlank(text)
	if as, after := cutBlank(text); strings.EqualFold(as, "as") && after != "" {
		o.name, text = cutBlank(after)
	}
	o.base, o.rest = bare(o.base), blanksAsOne(text)
	return o
}

// without leaves out instructions with the comments above them. Comments at the
// top of a file stay.
func without(_, text string, leave func() bool) string {
	var kept []part
	above := -1 // where the comments above the next instruction begin, -1 at the top
	for _, p := range read(text).parts {
		switch {
		case p.kind != instructionPart:
			kept = append(kept, p)
			continue
		case p.keyword == "FROM" || !leave():
			kept = append(kept, p)
		case above >= 0:
			kept = append(kept[:above], slices.DeleteFunc(kept[above:], func(p part) bool { return p.kind == commentLine })...)
		}
		above = len(kept)
	}
	return script{kept}.print()
}
