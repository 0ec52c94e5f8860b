package makefile

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/element"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	published "agentd/domains/published/makefile"
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
	parts := published.Gather(files)
	all := lists.Map(published.Roots(parts), published.Place)
	for _, root := range all {
		for i := range root {
			if isGlobal(&root[i]) {
				f.assigned[root[i].Name] = 0
			}
		}
	}
	for n, root := range all {
		number := strconv.Itoa(n + 1)
		fields := []domains.Field{{Name: "number", Value: number}}
		f.add(domains.Element{Kind: makefileElement, Key: "makefile " + number, Fields: fields})
		f.root(root)
	}
	for i := range parts {
		f.comments(parts[i].Statements)
	}
	return f.all
}

// comments adds the comments of a makefile, which weigh nothing.
func (f *flattener) comments(all []published.Statement) {
	for i := range all {
		for _, e := range element.Remarks(all[i].Comment, "#") {
			e.Weightless = true
			f.add(e)
		}
	}
}

// isGlobal reports whether a statement assigns to a variable that is not specific to a target.
func isGlobal(p *published.Placed) bool {
	return p.Kind == published.VariableLine && p.Rule.Targets == nil
}

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
func shortened(p *published.Placed) string {
	const most = 1 << 10
	if p.Short == "" {
		p.Short = p.Text
		if len(p.Text) > most {
			h := fnv.New64a()
			_, _ = h.Write([]byte(p.Text)) // a hash cannot fail
			p.Short = fmt.Sprintf("%s… (%d bytes, %x)", strings.ToValidUTF8(p.Text[:most], ""), len(p.Text), h.Sum64())
		}
	}
	return p.Short
}

// root adds the elements of a makefile. Targets come first, since they are put together from several rules.
func (f *flattener) root(all []published.Placed) {
	f.phony = map[string]bool{}
	ownGoal := false
	for i := range all {
		p := &all[i]
		switch p.Kind {
		case published.RuleLine:
			f.look(p)
			f.special(p)
		case published.VariableLine:
			ownGoal = ownGoal || isGlobal(p) && p.Name == ".DEFAULT_GOAL"
			f.variable(p)
		case published.IncludeLine:
			f.listed(p, includeElement, published.Words(p.Rest))
		case published.DirectiveLine:
			f.directive(p)
		default:
			f.line(p.Text)
		}
	}
	list := published.Groups(all)
	goal := slices.IndexFunc(list, func(g published.Group) bool { return published.MayBeGoal(g.Name) })
	for i := range list {
		e := f.target(&list[i])
		switch {
		case ownGoal:
		case i == goal:
			e.Position = 1
		default:
			e.Position = 2
		}
		delete(f.phony, list[i].Name)
		f.add(e)
	}
	for _, name := range published.Names(f.phony) {
		fields := []domains.Field{{Name: ".PHONY", Value: name}}
		f.add(domains.Element{Kind: specialElement, Key: ".PHONY " + name, Fields: fields})
	}
}

func (f *flattener) line(text string) {
	if line := plain.SingleBlanks(text); line != "" {
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
func (f *flattener) look(p *published.Placed) {
	h := &p.Rule
	p.Sees = f.seen(h.Pattern + " " + strings.Join(h.Prerequisites, " ") + " " + strings.Join(h.OrderOnly, " "))
	for _, name := range h.Targets {
		if sees := f.seen(name); sees != nil {
			if p.TargetSees == nil {
				p.TargetSees = map[string][]domains.Field{}
			}
			p.TargetSees[published.Normal(name)] = sees
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
func (f *flattener) variable(p *published.Placed) {
	operator := strings.Replace(p.Operator, "::", ":", 1)
	if p.Directive == "undefine" {
		operator = "undefine"
	}
	fields := []domains.Field{{Name: "name", Value: published.Normal(p.Name)}, {Name: "operator", Value: operator}}
	for _, modifier := range p.Modifiers {
		if modifier == "export" && isGlobal(p) {
			f.listed(p, directiveElement, []string{"export " + p.Name})
			continue
		}
		fields = append(fields, domains.Field{Name: "modifier", Value: modifier})
	}
	fields = appendAll(fields, "when", p.Conditions)
	fields = appendList(fields, "value", statementValues(p.Statement))
	if blanks := blanksAtEnd(p.Statement); blanks != "" {
		fields = append(fields, domains.Field{Name: "blanks at the end of the value", Value: blanks})
	}
	if operator == ":=" || operator == "!=" {
		fields = append(fields, f.seen(p.Value)...)
	}
	key := published.Normal(p.Name)
	if isGlobal(p) {
		f.assigned[p.Name]++
		if place := f.assigned[p.Name]; place > 1 {
			key += ", assignment " + strconv.Itoa(place)
			fields = append(fields, domains.Field{Name: "place", Value: strconv.Itoa(place)})
		}
		f.add(domains.Element{Kind: variableElement, Key: "variable " + key, Fields: fields})
		return
	}
	for _, target := range p.Rule.Targets {
		f.room -= len(fields)
		if f.room < 0 && len(p.Rule.Targets) > 1 {
			fields = []domains.Field{{Name: "assignment", Value: shortened(p)}}
		}
		own := append(fields[:len(fields):len(fields)], domains.Field{Name: "target", Value: published.Normal(target)})
		f.add(domains.Element{Kind: variableElement, Key: "variable " + key + " of " + published.Normal(target), Fields: own})
	}
}

// values are the parts of a value that are compared: the lines of a definition,
// or words. In a text with quotes the blanks count.
func statementValues(s *published.Statement) []string {
	value := strings.TrimRight(s.Value, " \t")
	if s.Directive == "define" {
		return strings.Split(published.Normal(value), "\n")
	}
	if strings.ContainsAny(value, `"'`) {
		return []string{published.Normal(value)}
	}
	return published.Words(published.Normal(value))
}

// blanksAtEnd says how many blanks end a value, which GNU make keeps, as in "DIR = /tmp  "; "" if none do. Before a comment they are
// layout to most people, and the value of a definition of several lines has none.
func blanksAtEnd(s *published.Statement) string {
	line := strings.TrimRight(s.Text, "\r\n")
	if n := len(line) - len(strings.TrimRight(line, " \t")); n > 0 && strings.TrimSpace(s.Value) != "" && s.Directive == "" && s.Comment == "" {
		return strconv.Itoa(n)
	}
	return ""
}

func (f *flattener) directive(p *published.Placed) {
	if p.Rest == "" || p.Word != "export" && p.Word != "unexport" {
		f.listed(p, directiveElement, []string{strings.TrimSpace(p.Word + " " + plain.SingleBlanks(p.Rest))})
		return
	}
	for _, name := range published.Words(p.Rest) {
		f.listed(p, directiveElement, []string{p.Word + " " + name})
	}
}

// listed adds an element of each name.
func (f *flattener) listed(p *published.Placed, kind string, names []string) {
	for _, name := range names {
		fields := []domains.Field{{Name: kind, Value: published.Normal(name)}}
		if kind == includeElement {
			fields = append(fields, domains.Field{Name: "needed", Value: strconv.FormatBool(p.Word == "include")})
		}
		f.add(domains.Element{Kind: kind, Key: kind + " " + published.Normal(name), Fields: appendAll(fields, "when", p.Conditions)})
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
func (f *flattener) special(p *published.Placed) {
	isPattern := p.Rule.Pattern == "" && slices.ContainsFunc(p.Rule.Targets, published.HasPercent)
	for _, name := range p.Rule.Targets {
		switch {
		case isPattern || published.IsExplicit(name, &p.Rule):
		case name == ".PHONY":
			for _, phony := range p.Rule.Prerequisites {
				f.phony[published.Normal(phony)] = true
			}
		default:
			fields := []domains.Field{{Name: "name", Value: name}}
			fields = appendAll(fields, "when", p.Conditions)
			f.add(domains.Element{Kind: specialElement, Key: name, Fields: f.ruleFields(fields, []*published.Placed{p})})
		}
	}
	if !isPattern {
		return
	}
	targets := published.Words(published.Normal(strings.Join(p.Rule.Targets, " ")))
	fields := appendAll(nil, "target", targets)
	fields = appendAll(fields, "when", p.Conditions)
	fields = f.ruleFields(fields, []*published.Placed{p})
	f.stems[targets[0]]++
	if place := f.stems[targets[0]]; place > 1 {
		fields = append(fields, domains.Field{Name: "place among the rules for " + targets[0], Value: strconv.Itoa(place)})
	}
	key := targets[0] + ":"
	if len(p.Rule.Prerequisites) > 0 {
		key += " " + published.Normal(p.Rule.Prerequisites[0])
	}
	f.add(domains.Element{Kind: patternElement, Key: "pattern rule " + key, Fields: fields})
}

// target is the element of an explicit target.
func (f *flattener) target(g *published.Group) domains.Element {
	fields := []domains.Field{{Name: "name", Value: g.Name}}
	fields = appendAll(fields, "when", g.Rules[0].Conditions)
	if f.phony[g.Name] {
		fields = append(fields, domains.Field{Name: "phony", Value: "yes"})
	}
	fields = append(fields, g.Rules[0].TargetSees[g.Name]...)
	return domains.Element{Kind: counted, Key: "target " + g.Name, Fields: f.ruleFields(fields, g.Rules)}
}

// ruleFields appends what rules say, as if they were one. Of several recipes the
// last is the one that runs; one that is repeated counts once.
func (f *flattener) ruleFields(fields []domains.Field, rules []*published.Placed) []domains.Field {
	if shared := len(rules[0].Rule.Targets); shared > 1 && len(rules) == 1 {
		if f.room -= len(rules[0].Recipe) + len(rules[0].Rule.Prerequisites); f.room < 0 {
			return append(fields, domains.Field{Name: "rule", Value: shortened(rules[0])})
		}
	}
	var prerequisites, orderOnly []string
	known, knownOrderOnly := map[string]bool{}, map[string]bool{}
	var recipes [][]domains.Field
	for _, p := range rules {
		h := &p.Rule
		if h.Colon != ":" {
			fields = append(fields, domains.Field{Name: "separator", Value: h.Colon})
		}
		if h.Pattern != "" {
			fields = append(fields, domains.Field{Name: "target pattern", Value: published.Normal(h.Pattern)})
		}
		prerequisites = appendNew(prerequisites, known, h.Prerequisites)
		orderOnly = appendNew(orderOnly, knownOrderOnly, h.OrderOnly)
		fields = append(fields, p.Sees...)
		recipe := placedCommands(p)
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
		if word = published.Normal(word); !known[word] {
			known[word] = true
			list = append(list, word)
		}
	}
	return list
}

// commands are the lines of a rule's recipe. A name says under which conditions
// a line stands, in addition to those of the rule.
func placedCommands(p *published.Placed) []domains.Field {
	var all []domains.Field
	if p.Rule.HasRecipe {
		all = append(all, domains.Field{Name: "recipe", Value: commandOf(p.Rule.Recipe, false)})
	}
	for i := range p.Recipe {
		line := &p.Recipe[i]
		name := "recipe"
		if len(line.Conditions) > len(p.Conditions) {
			name += " when " + strings.Join(line.Conditions[len(p.Conditions):], " and ")
		}
		if line.Kind == published.ForeignLine {
			all = append(all, domains.Field{Name: name, Value: "(indented by blanks) " + published.Normal(strings.TrimSpace(line.Text))})
			continue
		}
		all = appendAll(all, name, commands(strings.TrimPrefix(line.Text, "\t")))
	}
	return slices.DeleteFunc(all, func(f domains.Field) bool { return f.Value == "" })
}

const counted = "target"
