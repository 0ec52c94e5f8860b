package makefile

import (
	"slices"
	"strings"
)

// rule is a rule that is being read: recipe lines may follow.
type rule struct {
	targets       []string
	prerequisites string // expanded
	doubleColon   bool
	pattern       string // of a static pattern rule
	recipe        []string
	hasRecipe     bool
}

// scan is the reading of one text.
type scan struct {
	*maker
	lines        []string
	at           int
	rule         *rule
	noTargets    bool // the last rule expanded to no target
	conditionals []conditional
	defineDepth  int // of definitions in a branch that is not taken
}

// read reads a text, which $(eval) does too.
func (m *maker) read(text string) {
	if m.depth++; m.depth > deepest {
		m.fail("makefiles too deep")
		return
	}
	defer func() { m.depth-- }()
	s := scan{maker: m, lines: logicalLines(text)}
	for s.at < len(s.lines) && m.err == nil {
		s.at++
		s.line(s.lines[s.at-1])
	}
	s.endRule()
	if len(s.conditionals) > 0 {
		m.fail("missing 'endif'")
	}
}

func (s *scan) line(raw string) {
	if raw == "" {
		return
	}
	isRecipe := raw[0] == '\t'
	if isRecipe && (s.noTargets || s.rule != nil) {
		if !s.noTargets && !s.ignoring() {
			s.rule.addRecipe(raw[1:])
		}
		return
	}
	line := strings.TrimLeft(uncommented(joined(raw)), " \t")
	if line == "" {
		return
	}
	if s.defineDepth > 0 {
		word, _ := firstWord(line)
		s.defineDepth += defineDepth[word]
		return
	}
	if a, ok := readAssignment(line, false); ok {
		s.assignment(a)
		return
	}
	switch {
	case s.conditional(line), s.ignoring(), s.directive(line):
	case isRecipe:
		s.fail("recipe commences before first target")
	default:
		s.ruleLine(raw)
	}
}

func (r *rule) addRecipe(line string) {
	r.recipe = append(r.recipe, strings.Split(line, "\n")...)
	r.hasRecipe = true
}

// defineDepth is how much deeper in definitions the lines after a first word are.
var defineDepth = map[string]int{"define": 1, "endef": -1}

func (s *scan) assignment(a assignment) {
	if s.ignoring() {
		if a.Directive == "define" {
			s.defineDepth = 1
		}
		return
	}
	s.endRule()
	from := fromFile
	if slices.Contains(a.Modifiers, "override") {
		from = fromOverride
	}
	switch a.Directive {
	case "define":
		body, ok := s.definition()
		if !ok {
			s.fail("missing 'endef'")
			return
		}
		s.define(a.Name, a.Operator, body, from)
	case "":
		s.define(a.Name, a.Operator, strings.ReplaceAll(a.Value, `\#`, "#"), from)
	}
}

// definition reads the lines of a definition up to its end.
func (s *scan) definition() (body string, ok bool) {
	var lines []string
	depth := 1
	for s.at < len(s.lines) {
		line := joined(s.lines[s.at])
		s.at++
		if line == "" || line[0] != '\t' {
			word, _ := firstWord(line)
			if depth += defineDepth[word]; depth == 0 {
				return strings.Join(lines, "\n"), true
			}
		}
		lines = append(lines, line)
	}
	return "", false
}

// directive carries out a line that begins with a key word.
func (s *scan) directive(line string) bool {
	word, rest := firstWord(line)
	switch word {
	case "export", "unexport", "vpath":
		s.endRule()
		s.expand(rest)
		return true
	case "include", "-include", "sinclude":
		s.endRule()
		names := strings.Fields(s.expand(rest))
		if len(names) > 0 && word == "include" {
			s.fail("%s: no such file", names[0])
		}
		for _, name := range names {
			s.table.enter(fileName(name))
		}
		return true
	}
	return false
}

// RuleLine reads a rule's first line, or a target-specific variable.
func (s *scan) ruleLine(raw string) {
	s.endRule()
	before, stop, recipe := Cut(raw, ";#", true)
	hasRecipe := stop == ';'
	head, rest, found := s.ruleHead(joined(before))
	switch {
	case s.err != nil:
		return
	case !found && trimBlanks(head) == "" && !hasRecipe:
		return
	case !found:
		s.fail("missing separator")
		return
	}
	targets, _, body := Cut(head, ":", false)
	r := rule{targets: fileNames(strings.TrimSuffix(targets, "&"))}
	if s.noTargets = len(r.targets) == 0; s.noTargets {
		return
	}
	body, r.doubleColon = strings.CutPrefix(body, ":")
	if a, ok := readAssignment(body+rest, true); ok {
		if hasRecipe {
			a.Value += ";" + joined(uncommented(recipe))
		}
		s.targetVariable(r.targets, a)
		return
	}
	r.prerequisites = body + s.expand(rest)
	if hasRecipe {
		r.addRecipe(strings.TrimLeft(recipe, " \t"))
	}
	if s.staticPattern(&r) {
		s.rule = &r
		s.chooseGoal(r.targets)
	}
}

// staticPattern takes the target pattern of a static pattern rule off its prerequisites.
func (s *scan) staticPattern(r *rule) bool {
	first, stop, after := Cut(r.prerequisites, ":", false)
	if r.prerequisites = first; stop == 0 {
		return true
	}
	list := fileNames(first)
	if len(list) != 1 || !strings.Contains(list[0], "%") {
		s.fail("no single target pattern")
		return false
	}
	r.pattern, r.prerequisites = list[0], after
	return true
}

// RuleHead expands the words of a line until a colon turns up in what they make.
func (s *scan) ruleHead(line string) (head, rest string, found bool) {
	list := headWords(line)
	var b strings.Builder
	for _, word := range list {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		made := s.expand(word)
		b.WriteString(made)
		at := strings.Index(line, word) + len(word)
		line = line[at:]
		if _, stop, _ := Cut(made, ":", false); stop != 0 {
			return b.String(), line, true
		}
	}
	return b.String(), line, false
}

// headWords are the words of a rule's head. A colon ends one, with the colons
// and the ampersand that belong to it, and is part of it.
func headWords(line string) []string {
	var all []string
	for _, word := range Words(line) {
		start := 0
		for at := 0; at < len(word); {
			switch {
			case word[at] == '$':
				at = referenceEnd(word, at)
			case word[at] == '\\':
				at += 2
			case word[at] == ':':
				at++
				if at < len(word) && word[at] == ':' {
					at++
				}
				return append(all, word[start:at])
			default:
				at++
			}
		}
		all = append(all, word[start:])
	}
	return all
}

// chooseGoal makes the first target that may be it the default goal.
func (s *scan) chooseGoal(names []string) {
	if s.goal != "" || strings.Contains(names[0], "%") {
		return
	}
	if at := slices.IndexFunc(names, MayBeGoal); at >= 0 {
		s.goal = names[at]
	}
}

// MayBeGoal reports whether a target may be the default goal.
func MayBeGoal(name string) bool { return name[0] != '.' || strings.Contains(name, "/") }

// fileNames are the words of a list of files.
func fileNames(text string) []string {
	list := strings.Fields(text)
	for i := range list {
		list[i] = fileName(list[i])
	}
	return list
}

// fileName takes off leading "./".
func fileName(word string) string {
	for len(word) > 2 && strings.HasPrefix(word, "./") {
		word = strings.TrimLeft(word[2:], "/")
	}
	if word == "" {
		return "./"
	}
	return word
}

// conditional is an open ifeq or the like.
type conditional struct {
	state    branch
	within   bool // a branch that is not taken
	seenElse bool
}

type branch uint8

const (
	taken  branch = iota
	notYet        // no branch was taken so far
	done          // one was
)

func (s *scan) ignoring() bool {
	open := len(s.conditionals)
	return open > 0 && (s.conditionals[open-1].within || s.conditionals[open-1].state != taken)
}

// conditional carries out a line if it is one of a conditional.
func (s *scan) conditional(line string) bool {
	word, rest := firstWord(line)
	open := len(s.conditionals)
	switch word {
	case "ifdef", "ifndef", "ifeq", "ifneq":
		state, within := notYet, s.ignoring()
		if !within {
			holds, ok := s.holds(word, rest)
			if !ok {
				s.fail("invalid syntax in conditional")
			}
			if holds {
				state = taken
			}
		}
		s.conditionals = append(s.conditionals, conditional{state: state, within: within})
	case "endif":
		if open == 0 {
			s.fail("extraneous 'endif'")
			return true
		}
		s.conditionals = s.conditionals[:open-1]
	case "else":
		if open == 0 || s.conditionals[open-1].seenElse {
			s.fail("extraneous 'else'")
			return true
		}
		s.otherwise(&s.conditionals[open-1], rest)
	default:
		return false
	}
	return true
}

// otherwise carries out an else, which may have a condition of its own.
func (s *scan) otherwise(c *conditional, rest string) {
	switch c.state {
	case taken:
		c.state = done
	case notYet:
		c.state = taken
	}
	if rest == "" {
		c.seenElse = true
		return
	}
	word, condition := firstWord(rest)
	if s.ignoring() || !isConditional(word) {
		return
	}
	holds, ok := s.holds(word, condition)
	if !holds || !ok {
		c.state = notYet
	}
}

// conditionalDepth is how much deeper in conditionals the lines after a first word are.
var conditionalDepth = map[string]int{"ifdef": 1, "ifndef": 1, "ifeq": 1, "ifneq": 1, "endif": -1}

func isConditional(word string) bool { return conditionalDepth[word] > 0 }

// holds evaluates a condition; ok is false if it is malformed.
func (s *scan) holds(word, condition string) (holds, ok bool) {
	if word == "ifdef" || word == "ifndef" {
		names := strings.Fields(s.expand(condition))
		if len(names) > 1 {
			return false, false
		}
		v := s.variables[strings.Join(names, "")]
		return (v != nil && v.value != "") == (word == "ifdef"), true
	}
	left, right, ok := sides(condition)
	return ok && (s.expand(left) == s.expand(right)) == (word == "ifeq"), ok
}

// sides divides "(a,b)", or two texts in quotes.
func sides(condition string) (left, right string, ok bool) {
	if inside, is := strings.CutPrefix(condition, "("); is {
		left, rest, divided := cutOutside(inside, ',')
		right, _, closed := cutOutside(strings.TrimLeft(rest, " \t"), ')')
		return strings.TrimRight(left, " \t"), right, divided && closed
	}
	left, rest, ok := quoted(condition)
	if ok {
		right, _, ok = quoted(strings.TrimLeft(rest, " \t"))
	}
	return left, right, ok
}

// cutOutside divides a text at the first such character that no parentheses enclose.
func cutOutside(text string, c byte) (before, after string, found bool) {
	depth := 0
	for at := range len(text) {
		switch {
		case text[at] == c && depth <= 0:
			return text[:at], text[at+1:], true
		case text[at] == '(':
			depth++
		case text[at] == ')':
			depth--
		}
	}
	return text, "", false
}

func quoted(text string) (inside, rest string, ok bool) {
	if text == "" || text[0] != '"' && text[0] != '\'' {
		return "", "", false
	}
	inside, rest, ok = strings.Cut(text[1:], text[:1])
	return inside, rest, ok
}
