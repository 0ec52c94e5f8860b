package makefile

import (
	"slices"
	"strings"

	"agentd/domains/internal/plain"
)

type kind uint8

const (
	blankLine kind = iota
	commentLine
	variableLine    // an assignment or a definition, of a target or not
	conditionalLine // ifeq and the like, else, endif
	includeLine
	directiveLine // export, vpath, a call, and so on
	ruleLine
	recipeLine
	foreignLine // what Make would refuse to read
)

// statement is a line with those that continue it or, of a definition, all of
// its lines. print puts statements together again without loss.
type statement struct {
	kind    kind
	text    string // as written
	comment string // after it, with its mark
	word    string // of a conditional, an include or a directive
	rest    string // what follows the word
	rule    ruleHead
	assignment
}

// ruleHead is the first line of a rule, or what a variable is specific to.
type ruleHead struct {
	targets       []string
	colon         string // ":", "::", "&:" or "&::"
	pattern       string // of a static pattern rule
	prerequisites []string
	orderOnly     []string
	recipe        string // after a semicolon
	hasRecipe     bool
}

// mostLines is how many lines of a file are read one by one; the rest is one
// foreign text. A rule for more targets is foreign too.
const mostLines = 1 << 15

// read takes in any text.
func read(text string) []statement {
	lines := plain.Lines(text)
	r := reader{lines: logicalLines(plain.Text(lines[:min(len(lines), mostLines)]))}
	for r.at < len(r.lines) {
		r.statement()
	}
	if len(lines) > mostLines {
		r.add(statement{kind: foreignLine, text: strings.Join(lines[mostLines:], "\n")})
	}
	return r.all
}

type reader struct {
	lines  []string
	at     int
	inRule bool
	all    []statement
	ends   []int // see definitionEnds; nil until one is asked for
}

// printed is the text of statements.
func printed(all []statement) string {
	var b strings.Builder
	for i := range all {
		b.WriteString(all[i].text)
		b.WriteByte('\n')
	}
	return b.String()
}

func (r *reader) statement() {
	raw := r.lines[r.at]
	r.at++
	s := statement{text: raw}
	if r.inRule && strings.HasPrefix(raw, "\t") {
		s.kind = recipeLine
		r.add(s)
		return
	}
	line := joined(raw)
	before, _, comment := cut(line, "#", true)
	if len(before) < len(line) && strings.HasSuffix(line, "#"+comment) {
		s.comment = "#" + comment
	}
	line = trimBlanks(before)
	switch {
	case line == "" && s.comment != "":
		s.kind = commentLine
	case line == "":
		s.kind = blankLine
	default:
		r.parse(&s, line)
	}
	switch s.kind {
	case variableLine, includeLine, directiveLine:
		r.inRule = false
	case ruleLine:
		r.inRule = true
	}
	r.add(s)
}

func (r *reader) add(s statement) { r.all = plain.Append(r.all, s) }

func (r *reader) parse(s *statement, line string) {
	if a, ok := readAssignment(line, false); ok {
		s.kind, s.assignment = variableLine, a
		if a.directive == "define" {
			r.definition(s)
		}
		return
	}
	s.word, s.rest = firstWord(line)
	switch s.word {
	case "ifdef", "ifndef", "ifeq", "ifneq", "else", "endif":
		s.kind = conditionalLine
		return
	case "include", "-include", "sinclude":
		s.kind = includeLine
		return
	case "export", "unexport", "vpath", "load", "-load":
		s.kind = directiveLine
		return
	}
	switch {
	case r.inRule && isBlank(s.text[0]):
		// Most likely of the recipe, though Make does not take it for that.
		s.kind = foreignLine
	case readRule(s):
	case !slices.ContainsFunc(words(line), isNoReference):
		s.kind, s.word, s.rest = directiveLine, "", line
	default:
		s.kind = foreignLine
	}
}

// definition takes the lines of a definition into its statement. Without an end it has but one.
func (r *reader) definition(s *statement) {
	if r.ends == nil {
		r.ends = definitionEnds(r.lines)
	}
	end := r.ends[r.at]
	if end == len(r.lines) {
		s.kind = foreignLine
		return
	}
	s.value = strings.Join(r.lines[r.at:end], "\n")
	s.text += "\n" + strings.Join(r.lines[r.at:end+1], "\n")
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
func readRule(s *statement) bool {
	before, stop, recipe := cut(s.text, ";#", true)
	head, colon, rest := cut(joined(before), ":", true)
	if colon == 0 || trimBlanks(head) == "" {
		return false
	}
	h := ruleHead{colon: ":"}
	if strings.HasSuffix(head, "&") {
		head, h.colon = strings.TrimSuffix(head, "&"), "&:"
	}
	if after, double := strings.CutPrefix(rest, ":"); double {
		h.colon, rest = h.colon+":", after
	}
	if h.targets = words(head); len(h.targets) > mostLines {
		return false
	}
	if a, ok := readAssignment(rest, true); ok {
		if stop == ';' {
			a.value += ";" + uncommented(joined(recipe))
		}
		s.kind, s.assignment, s.rule = variableLine, a, h
		s.value = strings.TrimRight(s.value, " \t")
		return true
	}
	s.kind = ruleLine
	if pattern, colon, after := cut(rest, ":", true); colon != 0 {
		h.pattern, rest = trimBlanks(pattern), after
	}
	normal, bar, orderOnly := cut(rest, "|", true)
	h.prerequisites = words(normal)
	if bar != 0 {
		h.orderOnly = words(orderOnly)
	}
	if h.hasRecipe = stop == ';'; h.hasRecipe {
		h.recipe = strings.TrimLeft(recipe, " \t")
	}
	s.rule = h
	return true
}
