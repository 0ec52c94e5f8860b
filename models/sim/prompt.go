package sim

import (
	"maps"
	"slices"
	"strings"

	"agentd/internal/lazyregexp"
	"agentd/models/wire"
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

// between stands between the parts of a message: agents put texts of their own next to the task.
const between = "\n"

// firstOf is the text of the first message in a role.
func (r *request) firstOf(role wire.Role) string {
	for i := range r.Messages {
		if r.Messages[i].Role == role {
			return r.Messages[i].Text(between)
		}
	}
	return ""
}

// producing is the line above a list of the files to produce.
const producing = "Files to produce:"

// readPrompt finds the files: of a request without tools in fenced blocks whose
// opening fence is followed by a name, of one with tools in a list.
//
// Prompts come in two forms. In ours for the clean protocol the instruction comes
// first, and the files to produce are a list below the line producing; as an
// instruction may hold lists too, the last ones count. In that of the published
// protocol, in any words, the instruction stands anywhere, and an indented list
// names the files. Only where the words are ours is there a line known to name those
// to produce.
func readPrompt(r *request) prompt {
	p := prompt{text: r.task(), contents: map[string]string{}}
	p.review = strings.Contains(p.text, "\nThis was done. What changed:\n")
	rest := p.text
	inBlocks := len(r.Tools) == 0 && !r.mentions(searchReplace)
	goesOn := inBlocks && r.goesOn()
	if goesOn {
		p.takeShown(r, r.asked())
	}
	if inBlocks {
		rest = p.takeBlocks()
	}
	files, listed := lists(rest)
	if !inBlocks || goesOn {
		p.files = files
	}
	if goesOn {
		maps.DeleteFunc(p.contents, func(name, _ string) bool { return !slices.Contains(files, name) })
		p.targets, p.verbatim = listed, !strings.Contains(r.firstOf(user), "\n"+producing+"\n")
		return p
	}
	p.targets = targetsInLine(rest)
	if p.targets == nil && listed == nil {
		p.targets = targetsInLine(r.firstOf(system))
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
	targetLine = lazyregexp.New(`(?m)(?:must be in your answer|and no others): (.*)$`)
	// oneTarget is one of them: a name or a pattern.
	oneTarget = lazyregexp.New("(any number of )?`([^`]+)`")
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

// asked is the place of the message that says what to do; -1 if there is none. Agents put
// messages of their own around it, and in a conversation that goes on there are several. The
// last that lists the files to produce is the one that counts; without such a list it is the
// user's first.
func (r *request) asked() int {
	first := -1
	for i := range slices.Backward(r.Messages) {
		if r.Messages[i].Role != user {
			continue
		}
		if first = i; strings.Contains(r.Messages[i].Text(between), "\n"+producing+"\n") {
			return i
		}
	}
	return first
}

// task is the message that says what to do.
func (r *request) task() string {
	if at := r.asked(); at >= 0 {
		return r.Messages[at].Text(between)
	}
	return ""
}

// wanted is all that the user has said since the message that says what to do: an
// instruction may come in parts.
func (r *request) wanted() string {
	var b strings.Builder
	for i := max(r.asked(), 0); i < len(r.Messages); i++ {
		if r.Messages[i].Role == user {
			b.WriteString(r.Messages[i].Text(between) + "\n")
		}
	}
	return b.String()
}

// takeShown takes the files that a conversation has shown before the message that says what
// to do, the last of each name.
func (p *prompt) takeShown(r *request, before int) {
	for i := range r.Messages[:before] {
		if m := &r.Messages[i]; m.Role == user || m.Role == assistant {
			earlier := prompt{text: m.Text(between), contents: p.contents}
			earlier.takeBlocks()
		}
	}
}

// goesOn reports whether the conversation had another request before.
func (r *request) goesOn() bool {
	return strings.Contains(r.task(), "\n"+thereNow+"\n")
}

// thereNow is the line above the list of all files, in a prompt that shows only some of them.
const thereNow = "Files that are there now:"

// mentions reports whether a message of the system's or the user's holds a text.
func (r *request) mentions(text string) bool {
	for i := range r.Messages {
		m := &r.Messages[i]
		if (m.Role == system || m.Role == user) && strings.Contains(m.Text(between), text) {
			return true
		}
	}
	return false
}

// listed returns the items of a list: lines that begin with a mark, such as "- ".
func listed(mark string, lines []string) []string {
	var items []string
	for _, line := range lines {
		item, ok := strings.CutPrefix(line, mark)
		if !ok {
			break
		}
		items = append(items, strings.TrimSpace(item))
	}
	return items
}

// aroundProducing returns the lists before and after the line producing. An agent may
// have put texts of its own around them.
func aroundProducing(text string) (files, targets []string) {
	lines := strings.Split(text, "\n")
	at := len(lines) - 1
	for lines[at] != producing {
		at--
	}
	targets = listed("- ", lines[at+1:])
	for at--; at >= 0 && strings.TrimSpace(lines[at]) == ""; at-- {
	}
	from := at + 1
	for from > 0 && strings.HasPrefix(lines[from-1], "- ") {
		from--
	}
	return listed("- ", lines[from:at+1]), targets
}

// lists returns the files and the targets that lists of a text name.
func lists(text string) (files, targets []string) {
	if strings.Contains(text, "\n"+producing+"\n") {
		return aroundProducing(text)
	}
	if start := strings.Index(text, "\n  - "); start >= 0 {
		return listed("  - ", strings.Split(text[start+1:], "\n")), nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		item, listed := strings.CutPrefix(line, "- ")
		switch {
		case listed:
			files = append(files, strings.TrimSpace(item))
		case strings.HasSuffix(line, ":"):
			files = nil
		}
	}
	return files, nil
}
