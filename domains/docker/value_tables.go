package docker

import (
	"strings"

	"agentd/domains/internal/pytext"
)

// unnamed is the key that all stages without a name share in the tables.
const unnamed = "_unnamed_"

// variable is the key of ENV and ARG entries.
func variable(stage, name string) string { return stage + "\x00" + name }

// command is an ENTRYPOINT or CMD.
type command struct{ keyword, value string }

// tables are what the published evaluator collects of all stages. Where
// several stages have one key, variables, health checks and commands of later
// ones replace those of earlier ones by name, lists as a whole.
type tables struct {
	env, arg     map[string]string
	expose       map[string][]string
	health       map[string]string
	commands     map[string]command
	copies, runs map[string][]string
	comments     string // all of them, normalised
	hasComments  bool
}

func tablesOf(stages []stage) tables {
	t := tables{
		env: map[string]string{}, arg: map[string]string{},
		expose: map[string][]string{}, health: map[string]string{}, commands: map[string]command{},
		copies: map[string][]string{}, runs: map[string][]string{},
	}
	var comments []string
	addComment := func(text string) {
		if text != "" {
			comments = append(comments, text)
		}
	}
	for i := range stages {
		s := &stages[i]
		t.add(s)
		addComment(s.comment)
		for k := range s.instructions {
			addComment(s.instructions[k].comment)
		}
	}
	t.hasComments = len(comments) > 0
	t.comments = norm(strings.Join(comments, " "))
	return t
}

func (t *tables) add(s *stage) {
	key := s.name
	if key == "" {
		key = unnamed
	}
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
				name, value = in.value, ""
			}
			t.arg[variable(key, name)] = value
		case "EXPOSE":
			ports = append(ports, pytext.Fields(in.value)...)
		case "HEALTHCHECK":
			t.health[key] = in.value
		case "ENTRYPOINT", "CMD":
			t.commands[key] = command{in.keyword, in.value}
		case "COPY", "ADD":
			copies = append(copies, in.value)
		case "RUN":
			runs = append(runs, in.value)
		}
	}
	replace(t.expose, key, ports)
	replace(t.copies, key, copies)
	replace(t.runs, key, runs)
}

func replace(table map[string][]string, key string, list []string) {
	if len(list) > 0 {
		table[key] = list
	}
}

// cutAssignment reads key=value: neither is empty, and no white space stands
// before the first "=" that ends a key.
func cutAssignment(text string) (name, value string, ok bool) {
	word := text
	if at := strings.IndexFunc(text, pytext.IsSpace); at >= 0 {
		word = text[:at]
	}
	if word == "" {
		return "", "", false
	}
	// The key has at least one character, even if that is "=".
	at := strings.IndexByte(word[1:], '=') + 1
	if at == 0 || at+1 == len(text) {
		return "", "", false
	}
	return text[:at], text[at+1:], true
}

// norm is how texts are compared: in lower case, blanks made one.
func norm(text string) string {
	return pytext.Lower(pytext.Collapse(text))
}
