package sim

import (
	"strings"
)

// prompt is what the stand-in understands of a request's first user message.
type prompt struct {
	text     string
	files    []string          // names of the files there are, in order
	contents map[string]string // of files whose contents the message holds
	targets  []string          // names or patterns of the files to produce
	review   bool              // the work is done and to be looked over
}

// readPrompt finds the files: of a request without tools in fenced blocks whose
// opening fence is followed by a name, of one with tools in a list. The list
// below a line that asks to produce files holds the targets. Of several lists
// the last one counts, since an instruction, which stands first, may hold some.
func readPrompt(r *request) prompt {
	p := prompt{text: r.firstOfUser(), contents: map[string]string{}}
	withContents := len(r.Tools) == 0
	p.review = strings.Contains(p.text, "\nThis was done. What changed:\n")
	fence, name := "", ""
	producing := false
	var content []string
	for line := range strings.SplitSeq(p.text, "\n") {
		ticks := len(line) - len(strings.TrimLeft(line, "`"))
		item, listed := strings.CutPrefix(line, "- ")
		switch {
		case fence != "" && line == fence:
			p.files = append(p.files, name)
			p.contents[name] = strings.Join(content, "\n") + "\n"
			fence, content = "", nil
		case fence != "":
			content = append(content, line)
		case withContents && ticks >= 3 && len(line) > ticks:
			fence, name = line[:ticks], line[ticks:]
		case listed && producing:
			p.targets = append(p.targets, strings.TrimSpace(item))
		case listed && !withContents:
			p.files = append(p.files, strings.TrimSpace(item))
		case strings.HasSuffix(line, ":"):
			if producing = strings.Contains(line, "produce"); producing {
				p.targets = nil
			} else if !withContents {
				p.files = nil
			}
		}
	}
	return p
}
