package docker

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// splitByStage makes a file of each stage, with the comments right above its FROM line, and one
// of what stands before the first. On the way back files that the list does not name come last.
func splitByStage(p struct {
	Document string
	Begins   string // names of files: the stage follows
	Top      string // stands for the stage before the first one
	List     string
}) exact.Steps {
	forward := func(s script) (vfs.Files, error) {
		made := vfs.Files{}
		var order []string
		var names stageNames
		start, name := 0, p.Begins+p.Top
		end := func(at int) {
			lines := lists.Trim(script{s.parts[start:at]}.lines(), isBlankLine)
			if len(lines) > 0 {
				made[name] = plain.Text(lines)
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
			start, name = at, freeName(made, p.Begins+strings.ReplaceAll(names.stage, "/", "-"))
		}
		end(len(s.parts))
		made[p.List] = plain.Text(order)
		return made, nil
	}
	return scripts.Whole(p.Document, forward, func(files vfs.Files) (script, error) {
		list, err := plain.File(files, p.List)
		left := files.Match([]string{p.Begins + "*"})
		var texts []string
		for _, name := range slices.Concat(plain.Lines(list), left.Names()) {
			name = strings.TrimSpace(name)
			if text, ok := left[name]; ok {
				texts = append(texts, plain.Text(lists.Trim(plain.Lines(text), isBlankLine)))
				delete(left, name)
			}
		}
		return read(strings.Join(texts, "\n")), err
	})
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

func isBlankLine(line string) bool { return strings.TrimSpace(line) == "" }

// step is an instruction in JSON, or text that is none.
type step struct {
	Comments    []string `json:"comments,omitempty"`
	Instruction string   `json:"instruction,omitempty"`
	Lines       []string `json:"lines,omitempty"`
}

// inJSON makes an object of each instruction. Comments after the last one are an object of
// their own.
func inJSON(p struct{ Document, To string }) exact.Steps {
	forward := func(s script) (steps []step, err error) {
		var comments []string
		for i := range s.parts {
			switch p := &s.parts[i]; p.kind {
			case commentLine, directive:
				comments = append(comments, p.comment())
			case instructionPart, foreignText:
				lines := p.lines
				if p.kind == instructionPart {
					_, rest := p.cutKeyword()
					lines = strings.Split(rest, "\n")
				}
				steps = append(steps, step{comments, p.keyword, lines})
				comments = nil
			}
		}
		if comments != nil {
			steps = append(steps, step{Comments: comments})
		}
		return steps, nil
	}
	return exact.JSON(&scripts, p.Document, p.To, forward, func(steps []step) (script, error) {
		var lines []string
		for i, s := range steps {
			if i > 0 && (s.Comments != nil || s.Instruction == "FROM") {
				lines = append(lines, "")
			}
			for _, comment := range s.Comments {
				lines = append(lines, commentOf(comment))
			}
			rest := s.Lines
			if first := s.Instruction; first != "" {
				if len(rest) > 0 {
					first, rest = strings.TrimRight(first+" "+rest[0], " "), rest[1:]
				}
				lines = append(lines, first)
			}
			lines = append(lines, rest...)
		}
		return read(plain.Text(lines)), nil
	})
}

// comment is the text of a comment, with its blanks but the first one.
func (p *part) comment() string {
	text, _ := strings.CutPrefix(strings.TrimSpace(p.lines[0]), "#")
	text, _ = strings.CutPrefix(text, " ")
	return text
}

// commentOf is a comment with that text.
func commentOf(text string) string { return strings.TrimRight("# "+text, " ") }
