package docker

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	topFile    = "Dockerfile.top"
	stagesFile = "stages.txt"
)

// splitStages makes a file of each stage, with the comments right above its
// FROM line, and one of what stands before the first.
func splitStages(files vfs.Files) (vfs.Files, error) {
	s, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	out := vfs.Files{}
	var order []string
	var names stageNames
	start, name := 0, topFile
	end := func(at int) {
		lines := trimBlank(script{s.parts[start:at]}.lines())
		if len(lines) > 0 {
			out[name] = plain.Text(lines)
			order = append(order, name)
		}
	}
	for i := range s.parts {
		if !s.parts[i].is("FROM") {
			continue
		}
		at := i
		for at > start && s.parts[at-1].kind == commentLine {
			at--
		}
		end(at)
		names.pass(&s.parts[i])
		start, name = at, freeName(out, "Dockerfile."+strings.ReplaceAll(names.stage, "/", "-"))
	}
	end(len(s.parts))
	out[stagesFile] = plain.Text(order)
	return out, nil
}

// freeName is a name that no file has yet.
func freeName(files vfs.Files, name string) string {
	free := name
	for n := 2; ; n++ {
		if _, taken := files[free]; !taken {
			return free
		}
		free = name + "-" + strconv.Itoa(n)
	}
}

// trimBlank drops blank lines at both ends.
func trimBlank(lines []string) []string {
	isText := func(line string) bool { return strings.TrimSpace(line) != "" }
	first := slices.IndexFunc(lines, isText)
	if first < 0 {
		return nil
	}
	last := len(lines)
	for !isText(lines[last-1]) {
		last--
	}
	return lines[first:last]
}

// mergeStages puts the files one after the other. Those that the list does not
// name come last.
func mergeStages(files vfs.Files) (vfs.Files, error) {
	list, err := plain.File(files, stagesFile)
	if err != nil {
		return nil, err
	}
	stages := files.Match([]string{"Dockerfile.*"})
	if _, err := readDocument(stages); err != nil {
		return nil, err
	}
	left := stages.Clone()
	var texts []string
	take := func(name string) {
		if text, ok := left[name]; ok {
			texts = append(texts, plain.Text(trimBlank(plain.Lines(text))))
			delete(left, name)
		}
	}
	for _, line := range plain.Lines(list) {
		take(strings.TrimSpace(line))
	}
	for _, name := range stages.Names() {
		take(name)
	}
	return vfs.Files{document: strings.Join(texts, "\n")}, nil
}

const buildFile = "build.json"

// step is an instruction in JSON, or text that is none.
type step struct {
	Comments    []string `json:"comments,omitempty"`
	Instruction string   `json:"instruction,omitempty"`
	Lines       []string `json:"lines,omitempty"`
}

// toJSON makes an object of each instruction. Comments after the last one are
// an object of their own.
func toJSON(files vfs.Files) (vfs.Files, error) {
	s, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	var steps []step
	var comments []string
	for i := range s.parts {
		switch p := &s.parts[i]; p.kind {
		case commentLine, directive:
			text, _ := strings.CutPrefix(strings.TrimSpace(p.lines[0]), "#")
			text, _ = strings.CutPrefix(text, " ")
			comments = append(comments, text)
		case instructionPart:
			_, rest := p.cutKeyword()
			steps = append(steps, step{comments, p.keyword, strings.Split(rest, "\n")})
			comments = nil
		case foreignText:
			steps = append(steps, step{comments, "", p.lines})
			comments = nil
		}
	}
	if comments != nil {
		steps = append(steps, step{Comments: comments})
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(steps); err != nil {
		return nil, fmt.Errorf("writing %s: %w", buildFile, err)
	}
	return vfs.Files{buildFile: b.String()}, nil
}

func fromJSON(files vfs.Files) (vfs.Files, error) {
	var steps []step
	if err := plain.JSON(files, buildFile, &steps); err != nil {
		return nil, err
	}
	var lines []string
	for i, s := range steps {
		if i > 0 && (s.Comments != nil || s.Instruction == "FROM") {
			lines = append(lines, "")
		}
		for _, comment := range s.Comments {
			lines = append(lines, strings.TrimRight("# "+comment, " "))
		}
		text := slices.Clone(s.Lines)
		if s.Instruction != "" {
			if text == nil {
				text = []string{""}
			}
			text[0] = strings.TrimRight(s.Instruction+" "+text[0], " ")
		}
		lines = append(lines, text...)
	}
	if len(lines) == 0 {
		return nil, errNoInstruction
	}
	return vfs.Files{document: plain.Text(lines)}, nil
}
