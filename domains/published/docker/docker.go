// Package docker is the published reading and score of the domain docker.
//
// norm(s): runs of white space to one blank, trimmed, lower case. R(a, b): difflib ratio on characters with autojunk
// on, a = reference, b = candidate (autojunk acts when b has 200 characters or more, which RUN texts and comments often
// do). J: Jaccard; both empty 1, one empty 0.
//
// Stage pairing: each stage has the key name or _pos_<index>; the candidate map keeps the last stage of a key; each
// reference stage takes the candidate stage with its own key once, else none.
//
//   - S stage structure = 0.20 count + 0.25 names + 0.25 bases + 0.30 completeness. Both without stages 1, one without
//     0; count: min/max of the stage counts; names: J of the sets of names; 1 when the reference has no names; bases:
//     mean over common names of 1 if norm equal else R(norm, norm); with no common name, mean over positional pairs;
//     completeness: mean over reference stages of min/max of the instruction counts; unpaired 0; both 0 instructions 1.
//   - Q sequence: mean over reference stages of (min/max of lengths) x difflib ratio of the two keyword lists (elements
//     are keywords, autojunk on); unpaired 0; both empty 1; one empty 0. No stages at all 1; only reference empty 0.
//   - U RUN: neither side has RUN 1; only the reference has none 0; else mean over reference stage keys of (min/max of
//     counts) x R(lists of norm values joined by newlines); key missing in the candidate 0.
//   - F configuration: mean of five parts, each 1 when both sides have none of it: ENV and ARG: 0.4 J(keys) + 0.6 mean
//     over common keys of (1 if norm equal else R), 0 for the second term without common keys (an absent ARG value is
//     ""); EXPOSE: J of all ports of all stages together, words compared as written (80 differs from 80/tcp);
//     HEALTHCHECK: mean over common stage keys of (1 or R), 0 without common keys; ENTRYPOINT/CMD: mean over common
//     stage keys of 0.3 (1 same keyword, 0.5 other) + 0.7 (1 or R). Missing or extra stage keys cost nothing once one
//     key is common.
//   - P COPY/ADD: as U, on the COPY and ADD values.
//   - M comments: J-like gate (both none 1, one none 0), else R of all comment blocks joined by blanks and normalised.
//
// core = S^0.25 x Q^0.15 x U^0.25 x F^0.20 x P^0.15, each factor floored at 1e-9; score = core x (0.90 + 0.10 M). No
// rounding. A factor of 0 multiplies the score by 0.0056 (weight 0.25), 0.045 (0.15) or 0.016 (0.20), never by 0: an
// empty candidate scores 9e-10 or more. A document against itself scores 1 unless two of its stages have one name (the
// second is unpaired).
package docker

import (
	"slices"
	"strings"

	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// Stage is a build stage as the published evaluator reads it. Instructions
// before the first FROM of a file make a stage without name and base.
type Stage struct {
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

// Keywords are the instructions there are.
var Keywords = []string{
	"FROM", "RUN", "CMD", "LABEL", "MAINTAINER", "EXPOSE", "ENV", "ADD", "COPY", "ENTRYPOINT", "VOLUME",
	"USER", "WORKDIR", "ARG", "ONBUILD", "STOPSIGNAL", "HEALTHCHECK", "SHELL",
}

// Parse reads a document as the published evaluator does. It has no errors:
// what it does not understand it takes for a part of the instruction before.
func Parse(files vfs.Files) ([]Stage, error) {
	var stages []Stage
	for _, name := range files.Names() {
		if IsDockerfile(name) {
			stages = append(stages, parseText(files[name])...)
		}
	}
	return stages, nil
}

// IsDockerfile reports whether the published reader takes a file of this name.
func IsDockerfile(name string) bool {
	return strings.Contains(pytext.Lower(name), "dockerfile")
}

func parseText(text string) []Stage {
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
	stages   []Stage
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
	case !slices.Contains(Keywords, keyword):
		if n := len(p.stages); n > 0 && len(p.stages[n-1].instructions) > 0 {
			in := p.stages[n-1].instructions
			in[len(in)-1].lines = append(in[len(in)-1].lines, line)
		}
	case keyword == "FROM":
		base, name := parseFrom(value)
		p.stages = append(p.stages, Stage{name: name, base: base, comment: p.takeComments()})
	default:
		if len(p.stages) == 0 {
			p.stages = append(p.stages, Stage{})
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
