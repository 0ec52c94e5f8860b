// Package makefile is the published reading and score of the domain makefile.
//
//   - targetCov: Jaccard of target names (1 if both empty, 0 if one is).
//   - dep: mean over common targets of the Jaccard of prerequisite sets (1 both empty, 0 one empty). 0 if no common
//     target.
//   - recipe: mean over common targets. Lines are trimmed, white space runs become one blank, leading @ and - are
//     removed, lower-cased, empty lines dropped, joined by newline; 1 if both empty, 0 if one is, else difflib ratio
//     over characters, autojunk on (active from 200 characters).
//   - var: 1 both empty, 0 one empty; else 0.4 * Jaccard(names) + 0.6 * mean over common names of (1 if the trimmed
//     lower-cased texts are equal, else difflib ratio over characters); with no common name 0.5 * Jaccard, which is 0.
//   - phony: Jaccard of phony sets. pattern: Jaccard of stem sets. Same empty rules.
//   - g = (common targets / reference targets)^2, 1 if the reference has none.
//   - base = 0.25 targetCov + 0.25 g dep + 0.30 g recipe + 0.15 var + 0.05 phony.
//   - If either side has any pattern: score = 0.9 base + 0.1 pattern (always so on the primary path).
//   - If any candidate file needed the fallback: score *= 0.95. The reference's fallback is not considered, so a
//     reference that needs it gives identity 0.95.
//   - Not rounded. Detail keys: used_fallback, target_coverage, dep_accuracy, recipe_accuracy, variable_score,
//     phony_score, pattern_score, and counts (dep and recipe ungated).
package makefile

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// Kind is what a logical line is.
type Kind uint8

// The kinds of lines.
const (
	blankLine Kind = iota
	commentLine
	VariableLine    // an assignment or a definition, of a target or not
	conditionalLine // ifeq and the like, else, endif
	IncludeLine
	DirectiveLine // export, vpath, a call, and so on
	RuleLine
	RecipeLine
	ForeignLine // what Make would refuse to read
)

// Statement is a line with those that continue it or, of a definition, all of
// its lines. print puts statements together again without loss.
type Statement struct {
	Kind    Kind
	Text    string // as written
	Comment string // after it, with its mark
	Word    string // of a conditional, an include or a directive
	Rest    string // what follows the word
	Rule    RuleHead
	assignment
}

// RuleHead is the first line of a rule, or what a variable is specific to.
type RuleHead struct {
	Targets       []string
	Colon         string // ":", "::", "&:" or "&::"
	Pattern       string // of a static pattern rule
	Prerequisites []string
	OrderOnly     []string
	Recipe        string // after a semicolon
	HasRecipe     bool
}

// mostLines is how many lines of a file are read one by one; the rest is one
// foreign text. A rule for more targets is foreign too.
const mostLines = 1 << 15

// Read takes in any text.
func Read(text string) []Statement {
	lines := plain.Lines(text)
	r := reader{lines: logicalLines(plain.Text(lines[:min(len(lines), mostLines)]))}
	for r.at < len(r.lines) {
		r.statement()
	}
	if len(lines) > mostLines {
		r.add(Statement{Kind: ForeignLine, Text: strings.Join(lines[mostLines:], "\n")})
	}
	return r.all
}

type reader struct {
	lines  []string
	at     int
	inRule bool
	all    []Statement
	ends   []int // see definitionEnds; nil until one is asked for
}

func (r *reader) statement() {
	raw := r.lines[r.at]
	r.at++
	s := Statement{Text: raw}
	if r.inRule && strings.HasPrefix(raw, "\t") {
		s.Kind = RecipeLine
		r.add(s)
		return
	}
	line := joined(raw)
	before, _, comment := Cut(line, "#", true)
	if len(before) < len(line) && strings.HasSuffix(line, "#"+comment) {
		s.Comment = "#" + comment
	}
	line = trimBlanks(before)
	switch {
	case line == "" && s.Comment != "":
		s.Kind = commentLine
	case line == "":
		s.Kind = blankLine
	default:
		r.parse(&s, line)
	}
	switch s.Kind {
	case VariableLine, IncludeLine, DirectiveLine:
		r.inRule = false
	case RuleLine:
		r.inRule = true
	}
	r.add(s)
}

func (r *reader) add(s Statement) { r.all = plain.Append(r.all, s) }

func (r *reader) parse(s *Statement, line string) {
	if a, ok := readAssignment(line, false); ok {
		s.Kind, s.assignment = VariableLine, a
		if a.Directive == "define" {
			r.definition(s)
		}
		return
	}
	s.Word, s.Rest = firstWord(line)
	switch s.Word {
	case "ifdef", "ifndef", "ifeq", "ifneq", "else", "endif":
		s.Kind = conditionalLine
		return
	case "include", "-include", "sinclude":
		s.Kind = IncludeLine
		return
	case "export", "unexport", "vpath", "load", "-load":
		s.Kind = DirectiveLine
		return
	}
	switch {
	case r.inRule && isBlank(s.Text[0]):
		// Most likely of the recipe, though Make does not take it for that.
		s.Kind = ForeignLine
	case readRule(s):
	case !slices.ContainsFunc(Words(line), isNoReference):
		s.Kind, s.Word, s.Rest = DirectiveLine, "", line
	default:
		s.Kind = ForeignLine
	}
}

// definition takes the lines of a definition into its statement. Without an end it has but one.
func (r *reader) definition(s *Statement) {
	if r.ends == nil {
		r.ends = definitionEnds(r.lines)
	}
	end := r.ends[r.at]
	if end == len(r.lines) {
		s.Kind = ForeignLine
		return
	}
	s.Value = strings.Join(r.lines[r.at:end], "\n")
	s.Text += "\n" + strings.Join(r.lines[r.at:end+1], "\n")
	r.at = end + 1
}

// definitionEnds are, for each line, the endef of a definition whose body begins there; the number of
// lines where there is none. One pass finds them all, however deep definitions are nested.
func definitionEnds(lines []string) []int {
	ends := make([]int, len(lines)+1)
	ends[len(lines)] = len(lines)
	for at := len(lines) - 1; at >= 0; at-- {
		deeper := 0
		if !strings.HasPrefix(lines[at], "\t") {
			word, _ := firstWord(uncommented(lines[at]))
			deeper = defineDepth[word]
		}
		switch end := ends[at+1]; {
		case deeper < 0:
			ends[at] = at
		case deeper > 0 && end < len(lines):
			ends[at] = ends[end+1]
		default:
			ends[at] = end
		}
	}
	return ends
}

// readRule reads the first line of a rule, or a target-specific variable.
func readRule(s *Statement) bool {
	before, stop, recipe := Cut(s.Text, ";#", true)
	head, colon, rest := Cut(joined(before), ":", true)
	if colon == 0 || trimBlanks(head) == "" {
		return false
	}
	h := RuleHead{Colon: ":"}
	if strings.HasSuffix(head, "&") {
		head, h.Colon = strings.TrimSuffix(head, "&"), "&:"
	}
	if after, double := strings.CutPrefix(rest, ":"); double {
		h.Colon, rest = h.Colon+":", after
	}
	if h.Targets = Words(head); len(h.Targets) > mostLines {
		return false
	}
	if a, ok := readAssignment(rest, true); ok {
		if stop == ';' {
			a.Value += ";" + uncommented(joined(recipe))
		}
		s.Kind, s.assignment, s.Rule = VariableLine, a, h
		s.Value = strings.TrimRight(s.Value, " \t")
		return true
	}
	s.Kind = RuleLine
	if pattern, colon, after := Cut(rest, ":", true); colon != 0 {
		h.Pattern, rest = trimBlanks(pattern), after
	}
	normal, bar, orderOnly := Cut(rest, "|", true)
	h.Prerequisites = Words(normal)
	if bar != 0 {
		h.OrderOnly = Words(orderOnly)
	}
	if h.HasRecipe = stop == ';'; h.HasRecipe {
		h.Recipe = strings.TrimLeft(recipe, " \t")
	}
	s.Rule = h
	return true
}

// Part is a makefile of a document.
type Part struct {
	Name       string
	Statements []Statement
}

// Gather reads the makefiles among files of any name: those that are named so,
// and those that have a rule with a recipe.
func Gather(files vfs.Files) []Part {
	var parts []Part
	for _, name := range files.Names() {
		if isMakefile(name) || strings.Contains(files[name], "\n\t") {
			p := Part{name, Read(files[name])}
			if isMakefile(name) || p.hasRecipe() {
				parts = append(parts, p)
			}
		}
	}
	return parts
}

func (p *Part) hasRecipe() bool {
	return slices.ContainsFunc(p.Statements, func(s Statement) bool { return s.Kind == RecipeLine })
}

// Roots are the makefiles that no other includes, each with what it includes in its place.
func Roots(parts []Part) [][]*Statement {
	included := map[string]bool{}
	for i := range parts {
		for k := range parts[i].Statements {
			if s := &parts[i].Statements[k]; s.Kind == IncludeLine {
				found, _ := resolve(s, parts[i].Name, parts)
				for _, p := range found {
					included[p.Name] = true
				}
			}
		}
	}
	var all [][]*Statement
	for i := range parts {
		if p := &parts[i]; !included[p.Name] || len(included) == len(parts) {
			all = append(all, p.whole(parts, map[string]bool{}, nil))
		}
	}
	return all
}

// whole appends the statements of a makefile and of what it includes. A file is taken once.
func (p *Part) whole(parts []Part, taken map[string]bool, all []*Statement) []*Statement {
	taken[p.Name] = true
	for k := range p.Statements {
		s := &p.Statements[k]
		if s.Kind != IncludeLine {
			all = plain.Append(all, s)
			continue
		}
		found, others := resolve(s, p.Name, parts)
		for _, next := range found {
			if !taken[next.Name] {
				all = next.whole(parts, taken, all)
			}
		}
		if len(others) > 0 || len(found) == 0 {
			rest := *s
			rest.Rest = strings.Join(others, " ")
			all = plain.Append(all, &rest)
		}
	}
	return all
}

// resolve returns the makefiles that a line includes, and the names of which there is none.
func resolve(s *Statement, from string, parts []Part) (found []*Part, others []string) {
	for _, word := range Words(s.Rest) {
		name := path.Clean(word)
		at := len(found)
		for i := range parts {
			matched, _ := path.Match(name, parts[i].Name)
			if (matched || path.Join(path.Dir(from), name) == parts[i].Name) && parts[i].Name != from {
				found = append(found, &parts[i])
			}
		}
		if at == len(found) {
			others = append(others, Normal(word))
		}
	}
	return found, others
}

// Placed is a statement with the conditions that it stands under. The lines of a recipe are with their rule.
type Placed struct {
	*Statement
	Conditions []string
	Recipe     []Placed
	Sees       []domains.Field            // how often what is expanded at once was assigned to so far
	TargetSees map[string][]domains.Field // the same of the targets' names
	Short      string                     // stands for the text, once needed
}

// Place puts statements in their context and leaves out blank lines, comments
// and conditionals. A conditional's line where none belongs is foreign.
func Place(root []*Statement) []Placed {
	var all []Placed
	var b branches
	rule := -1 // the last one
	for _, s := range root {
		switch s.Kind {
		case blankLine, commentLine:
			continue
		case conditionalLine:
			if b.line(s.Word, s.Rest) {
				continue
			}
		case RecipeLine:
			all[rule].Recipe = plain.Append(all[rule].Recipe, Placed{Statement: s, Conditions: b.inForce})
			continue
		case ForeignLine:
			if rule >= 0 && isBlank(s.Text[0]) {
				all[rule].Recipe = plain.Append(all[rule].Recipe, Placed{Statement: s, Conditions: b.inForce})
				continue
			}
		case RuleLine:
			rule = len(all)
		default:
			rule = -1
		}
		all = plain.Append(all, Placed{Statement: s, Conditions: b.inForce})
	}
	return all
}

// Group is an explicit target: all rules for it that stand under the same
// conditions. Each double-colon rule is one of its own.
type Group struct {
	Name  string
	Rules []*Placed
}

// SpecialTargets mean something else than a file to make.
var SpecialTargets = strings.Fields(`
	.PHONY .SUFFIXES .DEFAULT .PRECIOUS .INTERMEDIATE .SECONDARY .SECONDEXPANSION .DELETE_ON_ERROR .IGNORE
	.LOW_RESOLUTION_TIME .SILENT .EXPORT_ALL_VARIABLES .NOTPARALLEL .ONESHELL .POSIX`)

// IsExplicit reports whether a rule makes a target by name.
func IsExplicit(name string, h *RuleHead) bool {
	switch {
	case h.Pattern == "" && HasPercent(name):
		return false
	case name[0] != '.':
		return true
	}
	return !slices.Contains(SpecialTargets, name) &&
		!slices.Contains(defaultSuffixes, name) && !slices.Contains(suffixRules, name)
}

// HasPercent reports whether a percent sign stands outside of references.
func HasPercent(name string) bool {
	_, stop, _ := Cut(name, "%", true)
	return stop != 0
}

// Groups are the explicit targets of a makefile in the order of their first rules.
func Groups(all []Placed) []Group {
	var list []Group
	places := map[string]int{}
	for i := range all {
		p := &all[i]
		if p.Kind != RuleLine {
			continue
		}
		context := "\x00" + strings.Join(p.Conditions, "\x00")
		if strings.HasSuffix(p.Rule.Colon, "::") {
			context += "\x00" + strconv.Itoa(i)
		}
		for _, name := range p.Rule.Targets {
			if !IsExplicit(name, &p.Rule) {
				continue
			}
			key := Normal(name) + context
			at, known := places[key]
			if !known {
				at = len(list)
				places[key] = at
				list = plain.Append(list, Group{Name: Normal(name)})
			}
			if rules := list[at].Rules; len(rules) == 0 || rules[len(rules)-1] != p {
				list[at].Rules = append(rules, p)
			}
		}
	}
	return list
}

// countTargets is the number of explicit targets of a document.
func countTargets(files vfs.Files) int {
	n := 0
	for _, root := range Roots(Gather(files)) {
		n += len(Groups(Place(root)))
	}
	return n
}
