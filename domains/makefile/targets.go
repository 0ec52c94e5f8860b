package makefile

import (
	"slices"
	"strconv"
	"strings"

	published "agentd/domains/published/makefile"
	"agentd/vfs"
)

// commandOf is a recipe's line as it is compared: what Make reads before the
// command in one order, without the indentation of lines that continue it.
func commandOf(line string, continues bool) string {
	line = strings.TrimLeft(line, " \t")
	if trimmed := strings.TrimRight(line, " \t"); !strings.HasSuffix(trimmed, `\`) {
		line = trimmed
	}
	if continues {
		return published.Normal(line)
	}
	command := strings.TrimLeft(line, "@-+ \t")
	var marks []string
	for _, mark := range []string{"@", "-", "+"} {
		if strings.Contains(line[:len(line)-len(command)], mark) {
			marks = append(marks, mark)
		}
	}
	return strings.Join(marks, "") + published.Normal(command)
}

// commands are the lines of a recipe's statement.
func commands(text string) []string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = commandOf(line, i > 0)
	}
	return lines
}

// ranks says in which order texts stand, by their places among the sorted ones:
// "2 1 3". Of one text alone there is nothing to say.
func ranks(list []string) string {
	if len(list) < 2 {
		return ""
	}
	sorted := slices.Compact(slices.Sorted(slices.Values(list)))
	places := make([]string, len(list))
	for i, text := range list {
		place, _ := slices.BinarySearch(sorted, text)
		places[i] = strconv.Itoa(place + 1)
	}
	return strings.Join(places, " ")
}

// mostReferences is how many references of a text are looked at.
const mostReferences = 32

// references are the names of the variables that a text refers to.
func references(text string) []string {
	var names []string
	for len(names) < mostReferences {
		_, after, more := strings.Cut(text, "$")
		if !more || after == "" {
			break
		}
		text = after[1:]
		if after[0] != '(' && after[0] != '{' {
			continue
		}
		name := text
		if stop := strings.IndexAny(name, ")}:$ \t,"); stop >= 0 {
			name = name[:stop]
		}
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// without leaves out explicit targets with their recipes, their variables and their places in .PHONY.
func without(files vfs.Files, leave func() bool) vfs.Files {
	parts := published.Gather(files)
	gone, left, removed := map[*published.Statement]map[string]bool{}, map[string]bool{}, map[string]bool{}
	recipes := map[*published.Statement][]published.Placed{}
	for _, root := range published.Roots(parts) {
		for _, g := range published.Groups(published.Place(root)) {
			if !leave() {
				left[g.Name] = true
				continue
			}
			removed[g.Name] = true
			for _, r := range g.Rules {
				if gone[r.Statement] == nil {
					gone[r.Statement] = map[string]bool{}
				}
				gone[r.Statement][g.Name] = true
				recipes[r.Statement] = r.Recipe
			}
		}
	}
	wholly := func(name string) bool { return removed[name] && !left[name] }
	dropped := map[*published.Statement]bool{}
	for i := range parts {
		for k := range parts[i].Statements {
			s := &parts[i].Statements[k]
			switch {
			case gone[s] != nil:
				leaveTargets(s, func(name string) bool { return gone[s][name] })
			case s.Kind == published.VariableLine && s.Rule.Targets != nil:
				leaveTargets(s, wholly)
			case s.Kind == published.RuleLine && slices.Equal(s.Rule.Targets, []string{".PHONY"}):
				leavePrerequisites(s, wholly)
			}
			if s.Text == "" && (s.Kind == published.RuleLine || s.Kind == published.VariableLine) {
				dropped[s] = true
				for _, line := range recipes[s] {
					dropped[line.Statement] = true
				}
			}
		}
	}
	out := files.Clone()
	for _, p := range parts {
		var kept []published.Statement
		for k := range p.Statements {
			if !dropped[&p.Statements[k]] {
				kept = append(kept, p.Statements[k])
			}
		}
		out[p.Name] = printed(kept)
	}
	return out
}

// staying are the names that are not left out, and whether some are.
func staying(names []string, leave func(name string) bool) (kept []string, some bool) {
	kept = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return leave(published.Normal(name)) })
	return kept, len(kept) < len(names)
}

// leaveTargets takes targets out of a line. Without any it is empty.
func leaveTargets(s *published.Statement, leave func(name string) bool) {
	kept, some := staying(s.Rule.Targets, leave)
	if !some {
		return
	}
	s.Rule.Targets = kept
	_, _, after := published.Cut(s.Text, ":", true)
	head := strings.Join(kept, " ")
	if strings.HasPrefix(s.Rule.Colon, "&") {
		head += " &"
	}
	if s.Text = head + ":" + after; len(kept) == 0 {
		s.Text = ""
	}
}

// leavePrerequisites takes prerequisites out of a rule without a recipe.
func leavePrerequisites(s *published.Statement, leave func(name string) bool) {
	kept, some := staying(s.Rule.Prerequisites, leave)
	if !some {
		return
	}
	s.Rule.Prerequisites = kept
	s.Text = strings.TrimRight(strings.Join(s.Rule.Targets, " ")+": "+strings.Join(kept, " ")+" "+s.Comment, " ")
	if len(kept) == 0 {
		s.Text = ""
	}
}
