package docker

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// document is the file that every backward step leaves.
const document = "Dockerfile"

func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "stage_files", Forward: splitStages, Backward: mergeStages},
		{Name: "build_json", Forward: toJSON, Backward: fromJSON},
		{Name: "comment_notes", Forward: numberComments, Backward: writeComments},
		{Name: "single_pairs", Forward: breakPairs, Backward: groupPairs},
		{Name: "package_lists", Forward: listPackages, Backward: writePackages},
		{Name: "image_arguments", Forward: nameImages, Backward: writeImages},
		{Name: "numbered_stages", Forward: numberStages, Backward: nameStages},
		{Name: "port_and_id_shift", Forward: shiftUp, Backward: shiftDown},
		{Name: "layer_review", Forward: reviewLayers, Backward: writeLayers},
	}
}

var errNoInstruction = errors.New("no Dockerfile with an instruction")

// readDocument reads the Dockerfiles that a forward step is given, as one.
func readDocument(files vfs.Files) (script, error) {
	var all script
	for _, name := range files.Names() {
		if isDockerfile(name) {
			all.parts = append(all.parts, read(files[name]).parts...)
		}
	}
	if !slices.ContainsFunc(all.parts, isInstruction) {
		return script{}, errNoInstruction
	}
	return all, nil
}

// readNamed reads the Dockerfile that a backward step needs.
func readNamed(files vfs.Files, name string) (script, error) {
	text, err := plain.File(files, name)
	return read(text), err
}

func asDocument(s script) vfs.Files { return vfs.Files{document: s.print()} }

func isInstruction(p part) bool { return p.kind == instructionPart }

func (p *part) is(keyword string) bool { return p.kind == instructionPart && p.keyword == keyword }

// eachInstruction calls do with every instruction, to change its lines, and
// the stage that it stands in or opens.
func (s script) eachInstruction(do func(stage string, p *part)) {
	var names stageNames
	for i := range s.parts {
		if p := &s.parts[i]; p.kind == instructionPart {
			names.pass(p)
			do(names.stage, p)
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
