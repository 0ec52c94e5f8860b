package docker

import (
	"cmp"
	"slices"
	"strings"

	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// stage is a build stage as the published evaluator reads it. Instructions
// before the first FROM of a file make a stage without name and base.
type stage struct {
	name         string // empty if it has none
	base         string
	comment      string
	instructions []instruction
}

type instruction struct {
	keyword string // upper case
	value   string
	comment string   // the lines above it
	lines   []string // of the value: what is no instruction goes on with the one before
}

// keywords are the instructions there are.
var keywords = []string{
	"FROM", "RUN", "CMD", "LABEL", "MAINTAINER", "EXPOSE", "ENV", "ADD", "COPY", "ENTRYPOINT", "VOLUME",
	"USER", "WORKDIR", "ARG", "ONBUILD", "STOPSIGNAL", "HEALTHCHECK", "SHELL",
}

// parse reads a document as the published evaluator does. It has no errors:
// what it does not understand it takes for a part of the instruction before.
func parse(files vfs.Files) ([]stage, error) {
	var stages []stage
	for _, name := range files.Names() {
		if isDockerfile(name) {
			stages = append(stages, parseText(files[name])...)
		}
	}
	return stages, nil
}

func isDockerfile(name string) bool {
	return strings.Contains(pytext.Lower(name), "dockerfile")
}

func parseText(text string) []stage {
	var p parser
	for _, line := range joinedLines(text) {
		p.take(pytext.Strip(line))
	}
	for _, s := range p.stages {
		for i := range s.instructions {
			s.instructions[i].value = strings.Join(s.instructions[i].lines, " ")
		}
	}
	return p.stages
}

// joinedLines joins a line that ends in a backslash with the next one, comment or not.
func joinedLines(text string) []string {
	var lines []string
	var joined strings.Builder
	for line := range strings.SplitSeq(text, "\n") {
		line = pytext.StripRight(line)
		if continued, ok := strings.CutSuffix(line, `\`); ok {
			joined.WriteString(continued)
			joined.WriteByte(' ')
			continue
		}
		joined.WriteString(line)
		lines = append(lines, joined.String())
		joined.Reset()
	}
	return append(lines, joined.String())
}

type parser struct {
	stages   []stage
	comments []string // those that wait for an instruction
}

func (p *parser) take(line string) {
	if line == "" {
		if n := len(p.comments); n > 0 && p.comments[n-1] != "" {
			p.comments = append(p.comments, "")
		}
		return
	}
	if comment, ok := strings.CutPrefix(line, "#"); ok {
		p.comments = append(p.comments, pytext.Strip(comment))
		return
	}
	word, value := cutWord(line)
	keyword := strings.ToUpper(word)
	switch {
	case !slices.Contains(keywords, keyword):
		if n := len(p.stages); n > 0 && len(p.stages[n-1].instructions) > 0 {
			in := p.stages[n-1].instructions
			in[len(in)-1].lines = append(in[len(in)-1].lines, line)
		}
	case keyword == "FROM":
		base, name := parseFrom(value)
		p.stages = append(p.stages, stage{name: name, base: base, comment: p.takeComments()})
	default:
		if len(p.stages) == 0 {
			p.stages = append(p.stages, stage{})
		}
		last := &p.stages[len(p.stages)-1]
		last.instructions = append(last.instructions, instruction{keyword: keyword, comment: p.takeComments(), lines: []string{value}})
	}
}

func (p *parser) takeComments() string {
	text := pytext.Strip(strings.Join(p.comments, "\n"))
	p.comments = nil
	return text
}

// cutWord splits off the first word and the white space after it.
func cutWord(text string) (word, rest string) {
	at := strings.IndexFunc(text, pytext.IsSpace)
	if at < 0 {
		return text, ""
	}
	return text[:at], pytext.StripLeft(text[at:])
}

var (
	platformOption = pytext.Pattern(`^--platform=\S+\s+`)
	// namedBase is split at the first word AS that has a word on each side.
	namedBase = pytext.Pattern(`(?s)^(.*?\S)\s+[aA][sS]\s+(\S+)`)
)

// parseFrom reads "--platform=x base AS name"; platform and name may be missing.
func parseFrom(value string) (base, name string) {
	value = platformOption.ReplaceAllString(value, "")
	if found := namedBase.FindStringSubmatch(value); found != nil {
		return found[1], found[2]
	}
	return pytext.Strip(value), ""
}

// unnamed is the key that all stages without a name share in the tables.
const unnamed = "_unnamed_"

// variable is the key of ENV and ARG entries.
func variable(stage, name string) string { return stage + "\x00" + name }

// tables are what the published evaluator collects of all stages. Where several stages have one key, variables, health
// checks and commands of later ones replace those of earlier ones by name, lists as a whole.
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

// cutAssignment reads key=value: neither is empty, and no white space stands before the first "=" that ends a key.
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
