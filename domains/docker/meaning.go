package docker

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	published "agentd/domains/published/docker"
	"agentd/vfs"
)

// mostFields is how many fields of an element are compared one with the other.
const mostFields = 64

// elements flattens files of any name by Docker's own rules.
func elements(files vfs.Files) []domains.Element {
	f := flattener{directives: map[string]bool{}, oneEach: len(files) > 1}
	for _, name := range files.Names() {
		if !published.IsDockerfile(name) {
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
			text := []domains.Field{{Value: plain.SingleBlanks(strings.Join(p.lines, " "))}}
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
		if text := plain.SingleBlanks(line); text != "" {
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

// placeStages gives stages their order within a file. Files of one stage each have none.
func (f *flattener) placeStages() {
	position := 0
	for i := range f.all {
		if f.all[i].Kind == stageKind && !f.oneEach {
			position++
			f.all[i].Position = position
		}
	}
}

// placeInStages gives the other elements their order within their stage. The stages follow one another in order of
// their names, so that their own order does not matter; the elements are put in that order too, since of several
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
	o.base, o.rest = bare(o.base), plain.SingleBlanks(text)
	return o
}

// without leaves out instructions with the comments above them. Comments at the top of a file stay.
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

// content is what an instruction says, or one of several things that it says.
type content struct {
	key    string // by which it is known
	fields []domains.Field
}

// contents takes an instruction's text apart. Several pairs of ENV or LABEL,
// several ARGs and several ports are the same in one instruction as in as many.
func (f *flattener) contents(p *part) []content {
	var several []content
	add := func(name string, fields ...domains.Field) { several = append(several, content{name, fields}) }
	switch p.keyword {
	case "ENV", "LABEL":
		for _, p := range readPairs(p.text) {
			name := bare(p.name)
			add(name, domains.Field{Name: "name", Value: name}, domains.Field{Name: "value", Value: bare(p.value)})
		}
	case "ARG":
		for _, word := range words(p.text) {
			name, value, assigned := strings.Cut(word, "=")
			fields := []domains.Field{{Name: "name", Value: name}}
			if assigned {
				fields = append(fields, domains.Field{Name: "default", Value: bare(value)})
			}
			add(name, fields...)
		}
	case "EXPOSE":
		for _, port := range bareWords(p.text) {
			port = strings.ToLower(port)
			if !strings.ContainsAny(port, "/$") {
				port += "/tcp"
			}
			add(port, domains.Field{Name: "port", Value: port})
		}
	case "ONBUILD":
		return f.onBuildContents(p)
	default:
		return []content{f.singleContent(p)}
	}
	if several == nil {
		return []content{{}}
	}
	return several
}

func (f *flattener) singleContent(p *part) content {
	flags, text := cutFlags(p.text)
	c := content{fields: f.flagFields(flags)}
	add := func(name string, values ...string) {
		for _, value := range values {
			c.fields = append(c.fields, domains.Field{Name: name, Value: value})
		}
	}
	switch p.keyword {
	case "RUN", "CMD", "ENTRYPOINT", "SHELL":
		first := strings.Fields(text[:min(len(text), 200)])
		c.key = strings.Join(first[:min(len(first), 3)], " ")
		c.fields = append(c.fields, commandFields(text)...)
	case "HEALTHCHECK":
		kind, rest := cutBlank(text)
		add("test", strings.ToUpper(kind))
		c.fields = append(c.fields, commandFields(rest)...)
	case "COPY", "ADD":
		paths := pathList(text)
		if n := len(paths); n > 0 {
			add("source", paths[:n-1]...)
			add("destination", paths[n-1])
			c.key = paths[n-1]
		}
	case "VOLUME":
		add("path", pathList(text)...)
	default:
		add("value", bare(plain.SingleBlanks(text)))
	}
	for _, h := range p.heredocs {
		for i, line := range h.lines {
			add(fmt.Sprintf("line %d of %s", i+1, h.name), line)
		}
	}
	return c
}

func bareWords(text string) []string {
	all := words(text)
	for i := range all {
		if !strings.HasPrefix(all[i], "<<") { // quotes of a heredoc's name say that nothing is expanded in it
			all[i] = bare(all[i])
		}
	}
	return all
}

func pathList(text string) []string {
	if list, ok := jsonList(text); ok {
		return list
	}
	return bareWords(text)
}

// jsonList reads the exec form.
func jsonList(text string) ([]string, bool) {
	var list []string
	exec := strings.HasPrefix(text, "[") && json.Unmarshal([]byte(text), &list) == nil
	return list, exec
}

// commandFields are the arguments of an exec form or the commands of a shell form, in order.
func commandFields(text string) []domains.Field {
	name := "argument"
	parts, exec := jsonList(text)
	if !exec {
		name, parts = "command", commands(text)
	}
	fields := make([]domains.Field, len(parts))
	for i, part := range parts {
		fields[i] = domains.Field{Name: fmt.Sprintf("%s %d", name, i+1), Value: part}
	}
	return fields
}

// flagFields are the options of an instruction; which stage they mean counts, not how they call it.
func (f *flattener) flagFields(flags []flag) []domains.Field {
	return lists.Map(flags, func(option flag) domains.Field {
		value := bare(option.value)
		switch option.name {
		case "--from":
			value = f.source(value)
		case "--mount":
			value = f.mount(value)
		case "--interval", "--timeout", "--start-period", "--start-interval":
			if d, err := time.ParseDuration(value); err == nil {
				value = d.String()
			}
		}
		return domains.Field{Name: option.name, Value: value}
	})
}

// mount puts the options of a mount in order.
func (f *flattener) mount(value string) string {
	options := strings.Split(value, ",")
	for i, option := range options {
		if from, ok := strings.CutPrefix(option, "from="); ok {
			options[i] = "from=" + f.source(from)
		}
	}
	slices.Sort(options)
	return strings.Join(options, ",")
}

// pair is an assignment of ENV or LABEL as it is written.
type pair struct{ name, value string }

// readPairs reads "a=1 b=2", or the old form "a 1" of one pair without "=".
func readPairs(text string) []pair {
	all := words(text)
	if len(all) == 0 {
		return nil
	}
	if !strings.Contains(all[0], "=") {
		name, value := cutBlank(text)
		return []pair{{name, value}}
	}
	return lists.Map(all, func(word string) pair {
		name, value, _ := strings.Cut(word, "=")
		return pair{name, value}
	})
}

// onBuildContents are those of the instruction that waits for another build.
func (f *flattener) onBuildContents(p *part) []content {
	waiting := *p
	var keyword string
	keyword, waiting.text = cutBlank(p.text)
	waiting.keyword = strings.ToUpper(keyword)
	if waiting.keyword == "ONBUILD" || !slices.Contains(published.Keywords, waiting.keyword) {
		return []content{{fields: []domains.Field{{Name: "value", Value: plain.SingleBlanks(p.text)}}}}
	}
	all := f.contents(&waiting)
	for i := range all {
		all[i].fields = append([]domains.Field{{Name: "waiting", Value: waiting.keyword}}, all[i].fields...)
	}
	return all
}

const (
	counted   = "instruction"
	stageKind = "stage"
)
