package makefile

import (
	"cmp"
	"slices"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
)

// entry is a rule, an assignment or another statement in JSON, with the comments
// and blank lines above it. Nothing but those follow the last.
type entry struct {
	Above         []string `json:"above,omitempty"`
	Targets       []string `json:"targets,omitempty"`
	Separator     string   `json:"separator,omitempty"`
	Pattern       string   `json:"pattern,omitempty"`
	Prerequisites []string `json:"prerequisites,omitempty"`
	OrderOnly     []string `json:"order_only,omitempty"`
	Recipe        []string `json:"recipe,omitempty"`
	Name          string   `json:"name,omitempty"`
	Operator      string   `json:"operator,omitempty"`
	Value         string   `json:"value,omitempty"`
	Comment       string   `json:"comment,omitempty"`
	Lines         []string `json:"lines,omitempty"`
}

// inJSON makes an array of the rules, the assignments and the other statements.
func inJSON(p struct{ Document, To string }) exact.Steps {
	forward := func(all []statement) (entries []entry, err error) {
		var above []string
		for at := 0; at < len(all); at++ {
			s := &all[at]
			if s.kind == blankLine || s.kind == commentLine {
				above = append(above, strings.Split(s.text, "\n")...)
				continue
			}
			e := s.entry()
			e.Above, above = above, nil
			if e.Targets != nil {
				end := max(withoutBlanks(all[:ruleEnd(all, at)]), at+1)
				e.Recipe = plain.Lines(printed(all[at+1 : end]))
				at = end - 1
			}
			entries = append(entries, e)
		}
		if above != nil {
			entries = append(entries, entry{Above: above})
		}
		return entries, nil
	}
	return exact.JSON(&makefiles, p.Document, p.To, forward, func(entries []entry) ([]statement, error) {
		lines := lists.Each(entries, func(e *entry) []string { return slices.Concat(e.Above, e.head(), e.Recipe) })
		return read(plain.Text(slices.Concat(lines...))), nil
	})
}

// withoutBlanks is the place after the last statement that is no blank line.
func withoutBlanks(all []statement) int {
	end := len(all)
	for end > 0 && all[end-1].kind == blankLine {
		end--
	}
	return end
}

// entry is a statement in JSON. One that would not come back the same is kept
// as it is written.
func (s *statement) entry() entry {
	as := entry{Lines: strings.Split(s.text, "\n")}
	switch {
	case s.kind == ruleLine:
		h := &s.rule
		as = entry{
			Targets: h.targets, Pattern: h.pattern, Prerequisites: h.prerequisites, OrderOnly: h.orderOnly, Comment: s.comment,
		}
		if h.colon != ":" {
			as.Separator = h.colon
		}
	case s.kind == variableLine && s.rule.targets == nil && s.directive == "":
		head, value := s.written()
		as = entry{Name: head, Operator: s.operator, Value: value}
	}
	again := read(strings.Join(as.head(), "\n"))
	if len(again) != 1 || !again[0].same(s) {
		return entry{Lines: strings.Split(s.text, "\n")}
	}
	return as
}

// same reports whether two statements say the same.
func (s *statement) same(t *statement) bool {
	return s.kind == t.kind && s.comment == t.comment &&
		s.rule.colon == t.rule.colon && s.rule.pattern == t.rule.pattern && !s.rule.hasRecipe && !t.rule.hasRecipe &&
		slices.Equal(s.rule.targets, t.rule.targets) && slices.Equal(s.rule.prerequisites, t.rule.prerequisites) &&
		slices.Equal(s.rule.orderOnly, t.rule.orderOnly) && s.name == t.name && s.operator == t.operator && s.value == t.value
}

// head are the lines of an entry between those above and the recipe.
func (e *entry) head() []string {
	switch {
	case e.Targets != nil:
		line := strings.Join(e.Targets, " ")
		if strings.HasPrefix(e.Separator, "&") {
			line += " "
		}
		line += cmp.Or(e.Separator, ":")
		if e.Pattern != "" {
			line += " " + e.Pattern + ":"
		}
		line += " " + strings.Join(e.Prerequisites, " ")
		if e.OrderOnly != nil {
			line += " | " + strings.Join(e.OrderOnly, " ")
		}
		return []string{strings.TrimRight(strings.TrimRight(line, " ")+" "+e.Comment, " ")}
	case e.Name != "":
		return strings.Split(strings.TrimRight(e.Name+" "+e.Operator+" "+e.Value, " "), "\n")
	}
	return e.Lines
}
