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

// isGlobal reports whether a statement assigns to a variable that is not specific to a target.
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

// mostRoom is how many fields rules may give to their targets. Beyond, a rule of several targets is one field of each.
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

// root adds the elements of a makefile. Targets come first, since they are put together from several rules.
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

// evidence counts the rules and variables of a makefile. Much other text has lines with a colon, which can be read as
// rules, and with an equals sign, which can be read as variables. So there must be a line of a recipe, which begins
// with a tab, or a special target, and few lines that are neither, since Make stops at the first. A makefile that only
// sets variables has nothing else in it.
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

// special adds what a rule says of special targets, and pattern rules.
func (f *flattener) special(p *placed) {
	isPattern := p.rule.pattern == "" && slices.ContainsFunc(p.rule.targets, hasPercent)
	for _, name := range p.rule.targets {
		switch {
		case isPattern || isExplicit(name, &p.rule):
		case name == ".PHONY":
			for _, phony := range p.rule.prerequisites {
				f.phony[normal(phony)] = true
			}
		default:
			fields := []domains.Field{{Name: "name", Value: name}}
			fields = appendAll(fields, "when", p.conditions)
			f.add(domains.Element{Kind: specialElement, Key: name, Fields: f.ruleFields(fields, []*placed{p})})
		}
	}
	if !isPattern {
		return
	}
	targets := words(normal(strings.Join(p.rule.targets, " ")))
	fields := appendAll(nil, "target", targets)
	fields = appendAll(fields, "when", p.conditions)
	fields = f.ruleFields(fields, []*placed{p})
	f.stems[targets[0]]++
	if place := f.stems[targets[0]]; place > 1 {
		fields = append(fields, domains.Field{Name: "place among the rules for " + targets[0], Value: strconv.Itoa(place)})
	}
	key := targets[0] + ":"
	if len(p.rule.prerequisites) > 0 {
		key += " " + normal(p.rule.prerequisites[0])
	}
	f.add(domains.Element{Kind: patternElement, Key: "pattern rule " + key, Fields: fields})
}

// target is the element of an explicit target.
func (f *flattener) target(g *group) domains.Element {
	fields := []domains.Field{{Name: "name", Value: g.name}}
	fields = appendAll(fields, "when", g.rules[0].conditions)
	if f.phony[g.name] {
		fields = append(fields, domains.Field{Name: "phony", Value: "yes"})
	}
	fields = append(fields, g.rules[0].targetSees[g.name]...)
	return domains.Element{Kind: counted, Key: "target " + g.name, Fields: f.ruleFields(fields, g.rules)}
}

// ruleFields appends what rules say, as if they were one. Of several recipes the
// last is the one that runs; one that is repeated counts once.
func (f *flattener) ruleFields(fields []domains.Field, rules []*placed) []domains.Field {
	if shared := len(rules[0].rule.targets); shared > 1 && len(rules) == 1 {
		if f.room -= len(rules[0].recipe) + len(rules[0].rule.prerequisites); f.room < 0 {
			return append(fields, domains.Field{Name: "rule", Value: rules[0].shortened()})
		}
	}
	var prerequisites, orderOnly []string
	known, knownOrderOnly := map[string]bool{}, map[string]bool{}
	var recipes [][]domains.Field
	for _, p := range rules {
		h := &p.rule
		if h.colon != ":" {
			fields = append(fields, domains.Field{Name: "separator", Value: h.colon})
		}
		if h.pattern != "" {
			fields = append(fields, domains.Field{Name: "target pattern", Value: normal(h.pattern)})
		}
		prerequisites = appendNew(prerequisites, known, h.prerequisites)
		orderOnly = appendNew(orderOnly, knownOrderOnly, h.orderOnly)
		fields = append(fields, p.sees...)
		recipe := p.commands()
		same := func(other []domains.Field) bool { return slices.Equal(other, recipe) }
		if len(recipe) > 0 && (len(recipes) < mostRecipes || len(rules) <= mostRecipes) {
			recipes = append(slices.DeleteFunc(recipes, same), recipe)
		}
	}
	fields = appendList(fields, "prerequisite", prerequisites)
	fields = appendAll(fields, "order-only prerequisite", orderOnly)
	for n, recipe := range recipes {
		overridden := ""
		if n < len(recipes)-1 {
			overridden = "overridden "
		}
		lines := make([]string, len(recipe))
		for i, line := range recipe {
			fields = append(fields, domains.Field{Name: overridden + line.Name, Value: line.Value})
			lines[i] = line.Value
		}
		if order := ranks(lines); order != "" {
			fields = append(fields, domains.Field{Name: "order of " + overridden + "recipe", Value: order})
		}
	}
	return fields
}

// mostRecipes is how many recipes of one target are looked at.
const mostRecipes = 16

func appendNew(list []string, known map[string]bool, more []string) []string {
	for _, word := range more {
		if word = normal(word); !known[word] {
			known[word] = true
			list = append(list, word)
		}
	}
	return list
}

// commands are the lines of a rule's recipe. A name says under which conditions
// a line stands, in addition to those of the rule.
func (p *placed) commands() []domains.Field {
	var all []domains.Field
	if p.rule.hasRecipe {
		all = append(all, domains.Field{Name: "recipe", Value: commandOf(p.rule.recipe, false)})
	}
	for i := range p.recipe {
		line := &p.recipe[i]
		name := "recipe"
		if len(line.conditions) > len(p.conditions) {
			name += " when " + strings.Join(line.conditions[len(p.conditions):], " and ")
		}
		if line.kind == foreignLine {
			all = append(all, domains.Field{Name: name, Value: "(indented by blanks) " + normal(strings.TrimSpace(line.text))})
			continue
		}
		all = appendAll(all, name, commands(strings.TrimPrefix(line.text, "\t")))
	}
	return slices.DeleteFunc(all, func(f domains.Field) bool { return f.Value == "" })
}
