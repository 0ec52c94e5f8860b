package direct

import (
	"context"
	"fmt"
	"strings"
	"text/template"

	"agentd/internal/picture"
	"agentd/models"
	"agentd/policies"
	"agentd/policies/prompt"
	"agentd/vfs"
)

// drawFile is the prompt for documents that are pictures.
const drawFile = "image.md"

// drawValues fill it in.
type drawValues struct {
	prompt.Values
	Attached []string // names of the pictures that the message shows, in order
	Picture  string   // the one to answer with
}

// loadDraw parses the prompt for pictures. Unlike the others it is part of an experiment's
// manifest only where it was replaced.
func loadDraw(source *prompt.Source, policy string) (*template.Template, error) {
	text, replaced, err := source.Text(policy, drawFile)
	if err != nil {
		return nil, err
	}
	if !replaced {
		raw, err := prompts.ReadFile(drawFile)
		if err != nil {
			return nil, err
		}
		text = string(raw)
	}
	t, err := template.New(drawFile).Option("missingkey=error").Parse(strings.TrimSpace(text))
	if err != nil {
		return nil, fmt.Errorf("reading prompt %s: %w", drawFile, err)
	}
	return t, nil
}

// hasPictures reports whether any of the documents is a binary file.
func hasPictures(task *policies.Task) (bool, error) {
	documents, err := task.Workspace.Documents()
	return documents.HasBinary(), err
}

// drawAll asks for each picture that the task produces, and takes the first of each answer:
// models that draw answer with one picture. Distractors are not shown.
func (p *Policy) drawAll(ctx context.Context, task *policies.Task) error {
	task.Trace.Ending = policies.Failed
	made := vfs.Files{}
	for _, target := range task.Targets {
		if !vfs.Binary(target) || strings.ContainsAny(target, "*?[") {
			return policies.Failf(policies.BadAnswer, "%s cannot be asked for: an answer has pictures, each of a known name", target)
		}
		content, err := p.drawOne(ctx, task, target)
		if err != nil {
			return err
		}
		made[target] = content
	}
	task.Trace.Ending = policies.Answered
	if p.protocol == policies.Published {
		task.Answer = made
		return nil
	}
	return deliver(task, made)
}

// drawOne asks for one picture.
func (p *Policy) drawOne(ctx context.Context, task *policies.Task, target string) (string, error) {
	message, err := p.showing(task, target)
	if err != nil {
		return "", err
	}
	answer, err := p.Model.Complete(ctx, models.Request{Messages: []models.Message{message}, Draws: true, Seed: task.Seed, Terms: p.terms})
	if err != nil {
		task.Trace.AddFailure(err, p.Price)
		return "", policies.ModelFailure(ctx, task, err)
	}
	task.Trace.AddTurn(answer, p.Price)
	if len(answer.Message.Pictures) == 0 {
		return "", policies.Failf(policies.BadAnswer, policies.NoPictures+" (finish reason %s)", answer.FinishReason)
	}
	return string(answer.Message.Pictures[0].Data), nil
}

// showing is the message with the prompt and the documents. A picture that cannot be read
// goes as what its name says.
func (p *Policy) showing(task *policies.Task, target string) (models.Message, error) {
	values := drawValues{Values: prompt.Values{}.Of(task), Picture: target}
	message := models.Message{Role: models.User}
	for _, name := range task.FileOrder {
		origin, _ := task.Workspace.Origin(name)
		if origin != vfs.Document || !vfs.Binary(name) {
			continue
		}
		content, err := task.Workspace.Read(toolName, name)
		if err != nil {
			return message, err
		}
		kind, ok := picture.MediaType(content)
		if !ok {
			kind = "image/png"
		}
		values.Attached = append(values.Attached, name)
		message.Show(kind, content)
	}
	var text strings.Builder
	if err := p.draw.Execute(&text, values); err != nil {
		return message, fmt.Errorf("writing prompt %s: %w", drawFile, err)
	}
	message.Content = text.String()
	return message, nil
}
