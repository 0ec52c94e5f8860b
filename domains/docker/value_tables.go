package docker

import (
	"cmp"
	"strings"

	"agentd/domains/internal/pytext"
)

// unnamed is the key that all stages without a name share in the tables.
const unnamed = "_unnamed_"

// variable is the key of ENV and ARG entries.
func variable(stage, name string) string { return stage + "\x00" + name }

// tables are what the published evaluator collects of all stages. Where
// several stages have one key, variables, health checks and commands of later
// ones replace those of earlier ones by name, lists as a whole.
type tables struct {
	env, arg, health     map[string]string
	commands             map[string]instruction // ENTRYPOINT and CMD
	expose, copies, runs map[string][]string
	comments             string // all of them, normalised
}

func tablesOf(stages []stage) tables {
	t := tables{
		env: map[string]string{}, arg: map[string]string{}, health: map[string]string{}, commands: map[string]instruction{},
		expose: map[string][]string{}, copies: map[string][]string{}, runs: map[string][]string{},
	}
	var comments []string
	for i := range stages {
		s := &stages[i]
		t.add(s)
		comments = append(comments, s.comment)
		for k := range s.instructions {
			comments = append(comments, s.instructions[k].comment)
		}
	}
	t.comments = norm(strings.Join(comments, " "))
	return t
}

func (t *tables) add(s *stage) {
	key := cmp.Or(s.name, unnamed)
	var ports, copies, runs []string
	for _, in := range s.instructions {
		switch in.keyword {
		case "ENV":
			name, value, ok := cutAssignment(in.value)
			if !ok {
				name, value = cutWord(pytext.Strip(in.value))
			}
			if name != "" {
				t.env[variable(key, name)] = value
			}
		case "ARG":
			name, value, ok := cutAssignment(in.value)
			if !ok {
				name = in.value
			}
			t.arg[variable(key, name)] = value
		case "EXPOSE":
			ports = append(ports, pytext.Fields(in.value)...)
		case "HEALTHCHECK":
			t.health[key] = in.value
		case "ENTRYPOINT", "CMD":
			t.commands[key] = in
		case "COPY", "ADD":
			copies = append(copies, in.value)
		case "RUN":
			runs = append(runs, in.value)
		}
	}
	replace := func(table map[string][]string, list []string) {
		if len(list) > 0 {
			table[key] = list
		}
	}
	replace(t.expose, ports)
	replace(t.copies, copies)
	replace(t.runs, runs)
}

// assignment is key=value. The key has at least one character, even if that is "=".
var assignment = pytext.Pattern(`(?s)^(\S+?)=(.+)$`)

// cutAssignment reads key=value: neither is empty, and no white space stands
// before the first "=" that ends a key.
func cutAssignment(text string) (name, value string, ok bool) {
	found := assignment.FindStringSubmatch(text)
	if found == nil {
		return "", "", false
	}
	return found[1], found[2], true
}

// norm is how texts are compared: in lower case, blanks made one.
func norm(text string) string {
	return pytext.Lower(pytext.Collapse(text))
}
