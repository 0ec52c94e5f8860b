package docker

import (
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
	comment string // the lines above it
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
	p.closeValue()
	return p.stages
}

// joinedLines joins a line that ends in a backslash with the next one, comment
// or not.
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
	comments []string        // those that wait for an instruction
	value    strings.Builder // of the last instruction
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
		p.extend(line)
	case keyword == "FROM":
		p.closeValue()
		base, name := parseFrom(value)
		p.stages = append(p.stages, stage{name: name, base: base, comment: p.takeComments()})
	default:
		p.closeValue()
		if len(p.stages) == 0 {
			p.stages = append(p.stages, stage{})
		}
		last := &p.stages[len(p.stages)-1]
		last.instructions = append(last.instructions, instruction{keyword: keyword, comment: p.takeComments()})
		p.value.WriteString(value)
	}
}

// extend adds a line that is no instruction to the value of the last one.
func (p *parser) extend(line string) {
	if n := len(p.stages); n > 0 && len(p.stages[n-1].instructions) > 0 {
		p.value.WriteByte(' ')
		p.value.WriteString(line)
	}
}

// closeValue gives the last instruction its value.
func (p *parser) closeValue() {
	if n := len(p.stages); n > 0 {
		if in := p.stages[n-1].instructions; len(in) > 0 {
			in[len(in)-1].value = p.value.String()
		}
	}
	p.value.Reset()
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

// parseFrom reads "--platform=x base AS name"; platform and name may be missing.
func parseFrom(value string) (base, name string) {
	if strings.HasPrefix(value, "--platform=") {
		if platform, rest := cutWord(value); len(platform) > len("--platform=") && rest != "" {
			value = rest
		}
	}
	if base, name, ok := cutAs(value); ok {
		return base, name
	}
	return pytext.Strip(value), ""
}

// cutAs splits at the first word AS that has a word on each side.
func cutAs(value string) (base, name string, ok bool) {
	base, rest := cutWord(value)
	end := len(base)
	for rest != "" {
		at := len(value) - len(rest)
		word, after := cutWord(rest)
		if word := strings.ToLower(word); word == "as" && after != "" {
			name, _ := cutWord(after)
			return value[:end], name, true
		}
		end, rest = at+len(word), after
	}
	return "", "", false
}
