package makefile

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// What elements are called that are not counted.
const (
	makefileElement  = "makefile"
	variableElement  = "variable"
	patternElement   = "pattern rule"
	specialElement   = "special target"
	includeElement   = "include"
	directiveElement = "directive"
	lineElement      = "line"
)

// elements flattens files of any name by the rules of the format.
func elements(files vfs.Files) []domains.Element {
	f := flattener{assigned: map[string]int{}, stems: map[string]int{}, room: mostRoom}
	all := lists.Map(roots(gather(files)), place)
	for _, root := range all {
		for i := range root {
			if root[i].isGlobal() {
				f.assigned[root[i].name] = 0
			}
		}
	}
	for n, root := range all {
		number := strconv.Itoa(n + 1)
		fields := []domains.Field{{Name: "number", Value: number}}
		f.add(domains.Element{Kind: makefileElement, Key: "makefile " + number, Fields: fields})
		f.root(root)
	}
	return f.all
}

// isGlobal reports whether a statement assigns to a variable that is not
// specific to a target.
func (p *placed) isGlobal() bool { return p.kind == variableLine && p.rule.targets == nil }

type flattener struct {
	all      []domains.Element
	assigned map[string]int // how often so far, of each variable that ever is
	stems    map[string]int // the pattern rules so far, by their first target
	room     int            // for fields that several targets have each
	phony    map[string]bool
}

func (f *flattener) add(e domains.Element) {
	f.all = plain.Append(f.all, e)
}

// mostRoom is how many fields rules may give to their targets. Beyond, a rule
// of several targets is one field of each.
const mostRoom = 1 << 19

// shortened stands for a text that many elements share.
func (p *placed) shortened() string {
	const most = 1 << 10
	if p.short == "" {
		p.short = p.text
		if len(p.text) > most {
			h := fnv.New64a()
			_, _ = h.Write([]byte(p.text)) // a hash cannot fail
			p.short = fmt.Sprintf("%s… (%d bytes, %x)", strings.ToValidUTF8(p.text[:most], ""), len(p.text), h.Sum64())
		}
	}
	return p.short
}

// root adds the elements of a makefile. Targets come first, since they are put
// together from several rules.
func (f *flattener) root(all []placed) {
	f.phony = map[string]bool{}
	ownGoal := false
	for i := range all {
		p := &all[i]
		switch p.kind {
		case ruleLine:
			f.look(p)
			f.special(p)
		case variableLine:
			ownGoal = ownGoal || p.isGlobal() && p.name == ".DEFAULT_GOAL"
			f.variable(p)
		case includeLine:
			f.listed(p, includeElement, words(p.rest))
		case directiveLine:
			f.directive(p)
		default:
			f.line(p.text)
		}
	}
	list := groups(all)
	goal := slices.IndexFunc(list, func(g group) bool { return mayBeGoal(g.name) })
	for i := range list {
		e := f.target(&list[i])
		switch {
		case ownGoal:
		case i == goal:
			e.Position = 1
		default:
			e.Position = 2
		}
		delete(f.phony, list[i].name)
		f.add(e)
	}
	for _, name := range names(f.phony) {
		fields := []domains.Field{{Name: ".PHONY", Value: name}}
		f.add(domains.Element{Kind: specialElement, Key: ".PHONY " + name, Fields: fields})
	}
}

func (f *flattener) line(text string) {
	if line := strings.Join(strings.Fields(text), " "); line != "" {
		f.add(domains.Element{Kind: lineElement, Key: "line", Fields: []domains.Field{{Value: line}}})
	}
}

// seen says how often the variables that a text refers to were assigned to
// before it: what is expanded at once depends on that.
func (f *flattener) seen(text string) (all []domains.Field) {
	for _, name := range references(text) {
		if times, ever := f.assigned[name]; ever {
			all = append(all, domains.Field{Name: "assignments before to " + name, Value: strconv.Itoa(times)})
		}
	}
	return all
}

// look notes what a rule's first line needs at once.
func (f *flattener) look(p *placed) {
	h := &p.rule
	p.sees = f.seen(h.pattern + " " + strings.Join(h.prerequisites, " ") + " " + strings.Join(h.orderOnly, " "))
	for _, name := range h.targets {
		if sees := f.seen(name); sees != nil {
			if p.targetSees == nil {
				p.targetSees = map[string][]domains.Field{}
			}
			p.targetSees[normal(name)] = sees
		}
	}
}

func appendAll(fields []domains.Field, name string, values []string) []domains.Field {
	for _, value := range values {
		fields = append(fields, domains.Field{Name: name, Value: value})
	}
	return fields
}

// appendList appends values whose order counts.
func appendList(fields []domains.Field, name string, values []string) []domains.Field {
	fields = appendAll(fields, name, values)
	if order := ranks(values); order != "" {
		fields = append(fields, domains.Field{Name: "order of " + name, Value: order})
	}
	return fields
}

// variable adds an assignment.
func (f *flattener) variable(p *placed) {
	operator := strings.Replace(p.operator, "::", ":", 1)
	if p.directive == "undefine" {
		operator = "undefine"
	}
	fields := []domains.Field{{Name: "name", Value: normal(p.name)}, {Name: "operator", Value: operator}}
	for _, modifier := range p.modifiers {
		if modifier == "export" && p.isGlobal() {
			f.listed(p, directiveElement, []string{"export " + p.name})
			continue
		}
		fields = append(fields, domains.Field{Name: "modifier", Value: modifier})
	}
	fields = appendAll(fields, "when", p.conditions)
	fields = appendList(fields, "value", p.values())
	if operator == ":=" || operator == "!=" {
		fields = append(fields, f.seen(p.value)...)
	}
	key := normal(p.name)
	if p.isGlobal() {
		f.assigned[p.name]++
		if place := f.assigned[p.name]; place > 1 {
			key += ", assignment " + strconv.Itoa(place)
			fields = append(fields, domains.Field{Name: "place", Value: strconv.Itoa(place)})
		}
		f.add(domains.Element{Kind: variableElement, Key: "variable " + key, Fields: fields})
		return
	}
	for _, target := range p.rule.targets {
		f.room -= len(fields)
		if f.room < 0 && len(p.rule.targets) > 1 {
			fields = []domains.Field{{Name: "assignment", Value: p.shortened()}}
		}
		own := append(fields[:len(fields):len(fields)], domains.Field{Name: "target", Value: normal(target)})
		f.add(domains.Element{Kind: variableElement, Key: "variable " + key + " of " + normal(target), Fields: own})
	}
}

// values are the parts of a value that are compared: the lines of a definition,
// or words. In a text with quotes the blanks count.
func (s *statement) values() []string {
	value := strings.TrimRight(s.value, " \t")
	if s.directive == "define" {
		return strings.Split(normal(value), "\n")
	}
	if strings.ContainsAny(value, `"'`) {
		return []string{normal(value)}
	}
	return words(normal(value))
}

func (f *flattener) directive(p *placed) {
	if p.rest == "" || p.word != "export" && p.word != "unexport" {
		f.listed(p, directiveElement, []string{strings.TrimSpace(p.word + " " + strings.Join(strings.Fields(p.rest), " "))})
		return
	}
	for _, name := range words(p.rest) {
		f.listed(p, directiveElement, []string{p.word + " " + name})
	}
}

// listed adds an element of each name.
func (f *flattener) listed(p *placed, kind string, names []string) {
	for _, name := range names {
		fields := []domains.Field{{Name: kind, Value: normal(name)}}
		if kind == includeElement {
			fields = append(fields, domains.Field{Name: "needed", Value: strconv.FormatBool(p.word == "include")})
		}
		f.add(domains.Element{Kind: kind, Key: kind + " " + normal(name), Fields: appendAll(fields, "when", p.conditions)})
	}
}

// evidence counts the rules and variables of a makefile. Much other text has lines
// with a colon, which can be read as rules, and with an equals sign, which can be
// read as variables. So there must be a line of a recipe, which begins with a tab,
// or a special target, and few lines that are neither, since Make stops at the
// first. A makefile that only sets variables has nothing else in it.
func evidence(files vfs.Files, elements []domains.Element) int {
	const foreignMost = 0.1 // of the rules and variables
	rules := domains.OfKinds(counted, patternElement)(files, elements)
	variables := domains.OfKinds(variableElement)(files, elements)
	foreign := domains.OfKinds(lineElement)(files, elements)
	isMake := hasRecipe(files) || domains.OfKinds(specialElement)(files, elements) > 0
	switch {
	case foreign == 0 && (isMake || rules == 0):
		return rules + variables
	case isMake && float64(foreign) <= foreignMost*float64(rules+variables):
		return rules + variables
	}
	return 0
}

func hasRecipe(files vfs.Files) bool {
	return slices.ContainsFunc(files.Names(), func(name string) bool {
		return strings.Contains(files[name], "\n\t")
	})
}
