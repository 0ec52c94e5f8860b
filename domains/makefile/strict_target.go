package makefile

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
)

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
