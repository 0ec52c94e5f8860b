package sim

import (
	"regexp"
	"strings"
)

// prompt is what the stand-in understands of how a conversation begins.
type prompt struct {
	text     string            // the user's first message
	files    []string          // names of the files there are, in order
	contents map[string]string // of files whose contents the message holds
	targets  []string          // names or patterns of the files to produce, nil if it finds none
	review   bool              // the work is done and to be looked over
	verbatim bool              // files end as they end, also without a newline
}

// producing is the line above a list of the files to produce.
const producing = "Files to produce:"

// readPrompt finds the files: of a request without tools in fenced blocks whose
// opening fence is followed by a name, of one with tools in a list.
//
// Prompts come in two forms. In ours for the clean protocol the instruction comes
// first, and the files to produce are a list below the line producing; as an
// instruction may hold lists too, the last ones count. In that of the published
// protocol, in whatever words, the instruction stands anywhere, and an indented list
// names the files. Only where the words are ours is there a line known to name those
// to produce.
func readPrompt(r *request) prompt {
	p := prompt{text: r.firstOfUser(), contents: map[string]string{}}
	p.review = strings.Contains(p.text, "\nThis was done. What changed:\n")
	rest := p.text
	if len(r.Tools) == 0 {
		rest = p.takeBlocks()
	}
	files, listed := lists(rest)
	if len(r.Tools) > 0 {
		p.files = files
	}
	p.targets = targetsInLine(rest)
	if p.targets == nil {
		p.targets = targetsInLine(r.ofSystem())
	}
	if p.verbatim = p.targets != nil || listed == nil; !p.verbatim {
		p.targets = listed
	}
	return p
}

// takeBlocks takes the files with their contents and returns the rest of the text.
func (p *prompt) takeBlocks() string {
	var rest strings.Builder
	for text := p.text; text != ""; {
		line, after, whole := strings.Cut(text, "\n")
		ticks := len(line) - len(strings.TrimLeft(line, "`"))
		end := -1
		if whole && ticks >= 3 && len(line) > ticks {
			end = strings.Index(after, line[:ticks])
		}
		if end < 0 {
			rest.WriteString(line + "\n")
			text = after
			continue
		}
		name := line[ticks:]
		p.files = append(p.files, name)
		p.contents[name] = after[:end]
		text = strings.TrimLeft(after[end:], "`")
	}
	return rest.String()
}

var (
	// targetLine is the line of a prompt that names the files to produce.
	targetLine = regexp.MustCompile(`(?m)(?:must be in your answer|and no others): (.*)$`)
	// oneTarget is one of them: a name or a pattern.
	oneTarget = regexp.MustCompile("(any number of )?`([^`]+)`")
)

// targetsInLine are the targets that a line of a text names; nil if there is none.
func targetsInLine(text string) []string {
	found := targetLine.FindAllStringSubmatch(text, -1)
	if found == nil {
		return nil
	}
	said := found[len(found)-1][1]
	if !strings.Contains(said, "`") {
		return strings.Split(said, ", ")
	}
	var targets []string
	for _, target := range oneTarget.FindAllStringSubmatch(said, -1) {
		if target[1] != "" {
			target[2] = "*" + target[2] // an extension
		}
		targets = append(targets, target[2])
	}
	return targets
}

// lists returns the files and the targets that lists of a text name.
func lists(text string) (files, targets []string) {
	if start := strings.Index(text, "\n  - "); start >= 0 {
		for line := range strings.Lines(text[start+1:]) {
			name, listed := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "  - ")
			if !listed {
				break
			}
			files = append(files, name)
		}
		return files, nil
	}
	toProduce := false
	for line := range strings.SplitSeq(text, "\n") {
		item, listed := strings.CutPrefix(line, "- ")
		switch {
		case listed && toProduce:
			targets = append(targets, strings.TrimSpace(item))
		case listed:
			files = append(files, strings.TrimSpace(item))
		case strings.HasSuffix(line, ":"):
			if toProduce = line == producing; toProduce {
				targets = nil
			} else {
				files = nil
			}
		}
	}
	return files, targets
}
