// Package dialogue is what policies share that talk with a model over several user turns:
// the prompts of the later turns, and what happens where a conversation becomes longer than
// its model takes.
package dialogue

import (
	"embed"
	"fmt"
	"maps"
	"slices"
	"text/template"

	"agentd/models"
	"agentd/policies"
	"agentd/policies/prompt"
)

//go:embed *.md
var prompts embed.FS

// Dialogue is how one policy goes on with conversations. Its zero value opens them only.
type Dialogue struct {
	settings policies.Dialogue
	next     *template.Template // nil where conversations do not go on
	summary  string             // the request for a summary, "" where none is asked for
}

// Files are the prompts that a policy has which shows no contents of files, ShowingFiles
// those of one that does.
func Files() []string        { return []string{NextFile, summaryFile} }
func ShowingFiles() []string { return []string{ShowFile, summaryFile} }

// NextFile is the prompt of a later request, and ShowFile the same with the contents of the
// files that the conversation does not show as they are.
const (
	NextFile    = "next.md"
	ShowFile    = "show.md"
	summaryFile = "summary.md"
)

// New loads what the settings need for a policy; next is NextFile or ShowFile.
func New(settings policies.Dialogue, source *prompt.Source, policy, next string) (d Dialogue, err error) {
	d.settings = settings
	if settings.Continues {
		if d.next, err = source.Load(prompts, policy, next); err != nil {
			return d, err
		}
	}
	if settings.Compact == policies.Summary {
		asking, err := source.Load(prompts, policy, summaryFile)
		if err != nil {
			return d, err
		}
		d.summary, err = prompt.Render(asking, prompt.Values{})
		return d, err
	}
	return d, nil
}

// Request is the text of a user turn in a conversation that has begun: the next part of an
// instruction as it is, or a request in the words of the prompt. values holds what the prompt
// may use in addition to the task's instruction and targets.
func (d *Dialogue) Request(task *policies.Task, values prompt.Values) (string, error) {
	if task.Part {
		return task.Instruction, nil
	}
	if d.next == nil {
		return "", fmt.Errorf("the conversation goes on, but the policy was made to open conversations only")
	}
	return prompt.Render(d.next, values.Of(task))
}

// Changed says which files are not as the conversation has left them. Only at the start of an
// interaction may there be any.
func Changed(task *policies.Task) ([]string, error) {
	before := task.Talk().Files
	if before == nil || task.UserTurn > 1 {
		return nil, nil
	}
	files, err := task.Workspace.Snapshot()
	if err != nil {
		return nil, err
	}
	now := policies.HashesOf(files)
	var changed []string
	for _, name := range files.Names() {
		if was, there := before[name]; !there {
			changed = append(changed, name+" is new")
		} else if was != now[name] {
			changed = append(changed, name+" has another content")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if _, there := now[name]; !there {
			changed = append(changed, name+" is gone")
		}
	}
	return changed, nil
}

// say is a message of the user's.
func say(text string) models.Message { return models.Message{Role: models.User, Content: text} }
