package sim

import (
	"fmt"
	"strings"
)

// searchReplace is the agents' name for blocks by which a model without tools changes files:
// the file's name, the lines to search for, and their replacement.
const searchReplace = "SEARCH/REPLACE"

// suggestedShell is the phrase with which an agent allows a model without tools to suggest
// shell commands, which the user may run.
const suggestedShell = "in ```bash blocks"

// inSearchReplace answers with such blocks. It suggests a command that removes used-up
// documents, if the agent allows suggestions.
func inSearchReplace(r *request, p prompt, job Job, damage Damage) string {
	documents := map[string]string{}
	for _, name := range p.files {
		if content, ok := shownFile(r, name); ok && job.IsDocument(name) {
			documents[name] = content
		}
	}
	result := job.Do(documents, damage)
	var b strings.Builder
	b.WriteString("Here are the changes.\n")
	for _, name := range sortedNames(result) {
		was, there := documents[name]
		if there && was == result[name] {
			continue
		}
		fence := fenceFor(was + result[name])
		fmt.Fprintf(&b, "\n%s\n%s\n<<<<<<< SEARCH\n%s=======\n%s>>>>>>> REPLACE\n%s\n",
			name, fence.open, lined(was), lined(result[name]), fence.close)
	}
	if gone := usedUp(documents, result); len(gone) > 0 && r.mentions(suggestedShell) {
		fmt.Fprintf(&b, "\n```bash\nrm --%s\n```\n", quotedForShell(gone))
	}
	return b.String()
}

// quotedForShell quotes words for a shell, each preceded by a blank.
func quotedForShell(words []string) string {
	var b strings.Builder
	for _, word := range words {
		b.WriteString(" '" + strings.ReplaceAll(word, "'", `'\''`) + "'")
	}
	return b.String()
}

// lined ends a text with a newline, unless it is empty.
func lined(text string) string {
	if text != "" && !strings.HasSuffix(text, "\n") {
		return text + "\n"
	}
	return text
}

// fence is a pair of lines around a file's content.
type fence struct{ open, close string }

// fences are the fences that agents use. They take the next one if the content contains the
// first.
func fences() []fence {
	return []fence{{"```", "```"}, {"````", "````"}, {"<source>", "</source>"}, {"<code>", "</code>"}, {"<pre>", "</pre>"}}
}

// fenceFor returns the first fence that does not occur in the content.
func fenceFor(content string) fence {
	for _, f := range fences() {
		if !strings.Contains("\n"+content, "\n"+f.open) {
			return f
		}
	}
	return fences()[0]
}

// shownFile finds a file's content in the user's messages, in a fence below its name. The last
// occurrence counts.
func shownFile(r *request, name string) (content string, ok bool) {
	for i := range r.Messages {
		if r.Messages[i].Role != user {
			continue
		}
		text := "\n" + r.Messages[i].Text(between)
		for _, f := range fences() {
			_, after, found := strings.Cut(text, "\n"+name+"\n"+f.open+"\n")
			if !found {
				continue
			}
			if end := strings.Index("\n"+after, "\n"+f.close+"\n"); end >= 0 {
				content, ok = after[:end], true
			} else if before, whole := strings.CutSuffix(after, f.close); whole {
				content, ok = before, true
			}
		}
	}
	return content, ok
}
