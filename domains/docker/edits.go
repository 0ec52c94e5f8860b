package docker

import (
	"errors"
	"iter"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/exact"
)

// scripts says how Dockerfiles, which are lists of instructions and other lines, are read and
// written.
var scripts = exact.Format[script, part]{
	Patterns: []string{"*Dockerfile*", "*dockerfile*"},
	Read:     read,
	Print:    script.print,
	Parts:    func(s *script) *[]part { return &s.parts },
	Empty:    errors.New("no Dockerfile with an instruction"),
	Counts:   func(p *part) bool { return p.kind == instructionPart },
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("split_by_stage", splitByStage),
		domains.Taking("json", inJSON),
		domains.Taking("number_comments", numberComments),
		domains.Taking("single_pairs", singlePairs),
		domains.Taking("list_packages", listPackages),
		domains.Taking("image_arguments", imageArguments),
		domains.Taking("number_stages", numberStages),
		domains.Taking("shift_numbers", shiftNumbers),
		domains.Taking("commands_apart", commandsApart),
	}
}

func (p *part) is(keyword string) bool { return p.kind == instructionPart && p.keyword == keyword }

// instructions yields those of a keyword, every one for "", to change their lines,
// with the stage that each stands in or opens.
func (s script) instructions(keyword string) iter.Seq2[string, *part] {
	return func(yield func(stage string, p *part) bool) {
		var names stageNames
		for i := range s.parts {
			p := &s.parts[i]
			names.pass(p)
			if p.kind == instructionPart && (keyword == "" || p.keyword == keyword) && !yield(names.stage, p) {
				return
			}
		}
	}
}

// stageNames follows the stages of a script. A stage without a name is called
// by its number, as in stage3; before the first one stage is empty.
type stageNames struct {
	stage string
	count int
}

func (n *stageNames) pass(p *part) {
	if !p.is("FROM") {
		return
	}
	n.count++
	if n.stage = readFrom(p.text).name; n.stage == "" {
		n.stage = "stage" + strconv.Itoa(n.count)
	}
}

// head returns the lines of an instruction without its heredocs, as one text.
func (p *part) head() string { return strings.Join(p.lines[:len(p.lines)-p.body], "\n") }

// setHead replaces what head returns.
func (p *part) setHead(text string) {
	p.lines = slices.Concat(strings.Split(text, "\n"), p.lines[len(p.lines)-p.body:])
}

// cutKeyword splits the lines of an instruction, heredocs included, into its
// first word with the blanks around it and the rest.
func (p *part) cutKeyword() (keyword, rest string) {
	all := strings.Join(p.lines, "\n")
	start := len(all) - len(strings.TrimLeft(all, " \t"))
	_, rest = cutBlank(all[start:])
	return all[:len(all)-len(rest)], rest
}
