// Package direct is the baseline without tools: one prompt that holds the
// instruction and all files, one answer that holds the files to be produced.
package direct

import (
	"context"
	"embed"
	"strings"
	"text/template"

	"agentd/models"
	"agentd/policies"
	"agentd/policies/prompt"
	"agentd/vfs"
)

//go:embed *.md
var prompts embed.FS

// toolName is what reads are recorded under: every file is in the prompt.
const toolName = "prompt"

// Policy is the direct mode with one model.
type Policy struct {
	Model models.Model
	Price *models.Price // nil if unknown

	ask *template.Template
}

// New returns the policy.
func New(model models.Model, price *models.Price, source *prompt.Source) (*Policy, error) {
	p := &Policy{Model: model, Price: price}
	var err error
	p.ask, err = source.Load(prompts, p.Name(), "prompt.md")
	return p, err
}

func (p *Policy) Name() string { return "direct" }

// Edit asks once and puts the files of the answer into the workspace, in place
// of the documents. A file that matches no target is a Failure, and so is an
// answer without files; a missing file is for the caller to notice.
func (p *Policy) Edit(ctx context.Context, task *policies.Task) error {
	values := prompt.Values{Instruction: task.Instruction, Targets: task.Targets}
	for _, name := range task.FileOrder {
		content, err := task.Workspace.Read(toolName, name)
		if err != nil {
			return err
		}
		values.Files = append(values.Files, show(name, content))
	}
	text, err := prompt.Render(p.ask, values)
	if err != nil {
		return err
	}
	answer, err := p.Model.Complete(ctx, models.Request{
		Messages: []models.Message{{Role: models.User, Content: text}}, Seed: task.Seed,
	})
	if err != nil {
		task.Trace.AddFailure(err, p.Price)
		task.Trace.Ending = policies.Failed
		return policies.ModelFailure(ctx, err)
	}
	task.Trace.AddTurn(answer, p.Price)
	task.Trace.Ending = policies.Failed
	files, foreign := parseAnswer(answer.Message.Content, task.Targets)
	if len(files) == 0 {
		return policies.Failf(policies.BadAnswer, "no fenced block with a file name was found in the answer (finish reason %s)", answer.FinishReason)
	}
	if err := deliver(task, files); err != nil {
		return policies.Failf(policies.BadAnswer, "%v", err)
	}
	if len(foreign) > 0 {
		return policies.Failf(policies.BadAnswer, "unexpected files in the answer: %s", strings.Join(foreign, ", "))
	}
	task.Trace.Ending = policies.Answered
	return nil
}

// show prepares a file for the prompt, with a fence that nothing inside it can
// close.
func show(name, content string) prompt.File {
	if !strings.HasSuffix(content, "\n") {
		content += "\n"
	}
	longest := 0
	for rest := content; ; {
		at := strings.IndexByte(rest, '`')
		if at < 0 {
			break
		}
		after := strings.TrimLeft(rest[at:], "`")
		longest = max(longest, len(rest)-at-len(after))
		rest = after
	}
	return prompt.File{Name: name, Content: content, Fence: strings.Repeat("`", max(3, longest+1))}
}

// deliver puts the answer's files into the workspace: in place of the documents
// if all targets are there, else beside them.
func deliver(task *policies.Task, files vfs.Files) error {
	for _, target := range task.Targets {
		if len(files.Match([]string{target})) > 0 {
			continue
		}
		for _, name := range files.Names() {
			if err := task.Workspace.Write(name, files[name]); err != nil {
				return err
			}
		}
		return nil
	}
	return task.Workspace.ReplaceDocuments(files)
}
