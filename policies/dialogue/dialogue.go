// Package dialogue is shared by policies that talk with a model over several user turns. It has
// the prompts of later turns, and shortens conversations that exceed the model's context.
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

// Dialogue controls how one policy continues conversations. The zero value cannot continue
// them.
type Dialogue struct {
	settings policies.Dialogue
	next     *template.Template // nil if conversations are not continued
	summary  string             // the request for a summary, "" if summaries are off
}

// Files are the prompt files of a policy that does not show files' contents. ShowingFiles are
// those of a policy that does.
func Files() []string        { return []string{NextFile, summaryFile} }
func ShowingFiles() []string { return []string{ShowFile, summaryFile} }

// NextFile is the prompt of a later request. ShowFile is the same with the contents of files
// that the conversation does not already show.
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

// Request returns the text of a later user turn: the next part of an instruction unchanged, or
// a request formatted by the prompt. values supplement the task's instruction and targets.
func (d *Dialogue) Request(task *policies.Task, values prompt.Values) (string, error) {
	if task.Part {
		return task.Instruction, nil
	}
	if d.next == nil {
		return "", fmt.Errorf("the conversation goes on, but the policy was made to open conversations only")
	}
	return prompt.Render(d.next, values.Of(task))
}

// Changed describes files that differ from the conversation's last state. They can differ only
// at the start of an interaction.
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

// say returns a user message.
func say(text string) models.Message { return models.Message{Role: models.User, Content: text} }
