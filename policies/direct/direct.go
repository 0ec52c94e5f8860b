// Package direct is the baseline without tools: one prompt with the instruction and all files,
// and one answer with the files to produce.
package direct

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"slices"
	"strings"
	"text/template"
	"time"

	"agentd/models"
	"agentd/policies"
	"agentd/policies/dialogue"
	"agentd/policies/entry"
	"agentd/policies/prompt"
	"agentd/vfs"
	"agentd/vfs/fenced"
)

//go:embed *.md
var prompts embed.FS

// toolName is the tool name under which reads are recorded, because every file is in the
// prompt.
const toolName = "prompt"

// Policy is the direct mode with one model.
type Policy struct {
	Model models.Model
	Price *models.Price // nil if unknown

	protocol policies.Protocol
	terms    models.Terms
	ask      map[string]*template.Template // by domain; "" is used for domains without their own
	draw     *template.Template            // for documents that are pictures
	dialogue dialogue.Dialogue
}

// options make the policy; there are none.
type options struct{}

func (*options) New(in entry.Ingredients) (policies.Policy, error) {
	p, err := New(in.Model, in.Served, in.Price, in.Protocol, in.Prompts)
	if err != nil {
		return nil, err
	}
	p.dialogue, err = dialogue.New(in.Dialogue, in.Prompts, p.Name(), dialogue.ShowFile)
	return p, err
}

// Entry is the policy in the catalog.
func Entry() entry.Entry {
	return entry.Entry{
		Name: "direct", Summary: "one prompt with all files, one answer with the files to produce, no tools",
		NeedsModel: true, Converses: true, ShowsFiles: true, Traits: entry.Traits{Baseline: true}, Prompts: append(prompt.Files(prompts), dialogue.ShowingFiles()...), Options: &options{},
	}
}

// New returns the policy. served is what the server calls the model.
func New(model models.Model, served string, price *models.Price, protocol policies.Protocol, source *prompt.Source) (*Policy, error) {
	p := &Policy{Model: model, Price: price, protocol: protocol, ask: map[string]*template.Template{}}
	files := map[string]string{"": "prompt.md"}
	if protocol == policies.Published {
		p.terms = publishedTerms(cmp.Or(served, model.Name()))
		files = map[string]string{"": "documents.md", "python": "python.md", "fiction": "fiction.md"}
	}
	for domain, file := range files {
		t, err := source.Load(prompts, p.Name(), file)
		if err != nil {
			return nil, err
		}
		p.ask[domain] = t
	}
	var err error
	p.draw, err = loadDraw(source, p.Name())
	return p, err
}

// publishedTerms are the published harness's terms for a request to the model.
func publishedTerms(model string) models.Terms {
	t := models.Terms{MaxOutput: 20_000, Timeout: 30 * time.Minute, Attempts: 10, Pause: 4 * time.Second}
	if strings.Contains(model, "gpt-4o") {
		t.MaxOutput = 16_000
	}
	return t
}

// Name implements policies.Policy.
func (p *Policy) Name() string { return "direct" }

// Edit asks once and takes the files from the answer. An answer without files is a Failure. The
// caller must check for missing files. If the documents are pictures, it asks once for each
// picture to produce.
func (p *Policy) Edit(ctx context.Context, task *policies.Task) error {
	if drawn, err := hasPictures(task); err != nil {
		return err
	} else if drawn {
		return p.drawAll(ctx, task)
	}
	window := dialogue.Window{Dialogue: p.dialogue, Model: p.Model, Price: p.Price}
	thread := &dialogue.Thread{Messages: slices.Clone(task.Talk().Messages)}
	answer, err := window.CompleteShowing(ctx, task, thread, models.Request{Seed: task.Seed, Terms: p.terms}, func(before []models.Message) (string, error) {
		return p.request(task, before)
	})
	task.Trace.Ending = policies.Failed
	if _, ok := errors.AsType[*models.Error](err); err != nil && !ok && ctx.Err() == nil {
		return err
	}
	if err != nil {
		task.Trace.AddFailure(err, p.Price)
		return policies.ModelFailure(ctx, task, err)
	}
	task.Trace.AddTurn(answer, p.Price)
	thread.Messages = append(thread.Messages, answer.Message)
	thread.LeaveIn(task)
	return p.Take(task, answer)
}

// Take handles an answer to Prompt as Edit does: it writes the files to the workspace, or
// returns a Failure.
func (p *Policy) Take(task *policies.Task, answer models.Response) error {
	take := takeClean
	if p.protocol == policies.Published {
		take = takePublished
	}
	task.Trace.Ending = policies.Failed
	err := take(task, answer)
	if err == nil {
		task.Trace.Ending = policies.Answered
	}
	return err
}

// request returns the text of a user turn. before are the earlier messages. In a conversation
// in progress it shows only files that the conversation does not already show unchanged.
func (p *Policy) request(task *policies.Task, before []models.Message) (string, error) {
	if task.Talk().Empty() {
		return p.Prompt(task)
	}
	if task.Part && len(before) > 0 {
		return p.dialogue.Request(task, prompt.Values{})
	}
	values, shown, hidden, order := prompt.Values{}, dialogue.Shows(before), vfs.Files{}, []string(nil)
	for _, name := range task.FileOrder {
		content, err := task.Workspace.Read(toolName, name)
		if err != nil {
			return "", err
		}
		values.Files = append(values.Files, prompt.File{Name: name})
		if p.protocol != policies.Published {
			content = show(name, content).Content
		}
		if is, there := shown[name]; !there || is != content {
			hidden[name], order = content, append(order, name)
		}
	}
	values.Contents = fenced.Format(hidden, order)
	whole := *task
	whole.Part = false
	return p.dialogue.Request(&whole, values)
}

// Prompt returns Edit's first prompt, unless documents are pictures: the prompt for the task's
// domain, filled in. All files count as read.
func (p *Policy) Prompt(task *policies.Task) (string, error) {
	values := prompt.Values{}.Of(task)
	files := vfs.Files{}
	for _, name := range task.FileOrder {
		content, err := task.Workspace.Read(toolName, name)
		if err != nil {
			return "", err
		}
		files[name] = content
		if origin, _ := task.Workspace.Origin(name); origin == vfs.Document {
			values.Words += len(strings.Fields(content))
		}
		if p.protocol != policies.Published {
			values.Files = append(values.Files, show(name, content))
		}
	}
	if p.protocol == policies.Published {
		values.Contents = fenced.Format(files, task.FileOrder)
	}
	ask, special := p.ask[task.Domain]
	if !special {
		ask = p.ask[""]
	}
	return prompt.Render(ask, values)
}

// takePublished replaces the documents by the files that the published reader finds in the
// answer.
func takePublished(task *policies.Task, answer models.Response) error {
	task.Answer = fenced.Parse(answer.Message.Content)
	if len(task.Answer) == 0 && task.More {
		task.Answer = nil // the documents stay as they are
		return nil
	}
	if len(task.Answer) == 0 {
		return noFiles(answer)
	}
	return nil
}

// takeClean replaces the documents in the workspace by the files of the answer. A file that
// matches no target is a Failure.
func takeClean(task *policies.Task, answer models.Response) error {
	files, foreign := parseAnswer(answer.Message.Content, task.Targets)
	if len(files) == 0 && task.More {
		return nil
	}
	if len(files) == 0 {
		return noFiles(answer)
	}
	return deliverKnown(task, files, foreign)
}

// Deliver writes the files of an answer to the workspace. They replace the documents if all
// targets are present, and otherwise are added. No files, or a file that matches no target, is
// a Failure.
func Deliver(task *policies.Task, files vfs.Files) error {
	known, foreign := vfs.Files{}, []string(nil)
	for _, name := range files.Names() {
		if matchesAny(task.Targets, name) {
			known[name] = files[name]
		} else {
			foreign = append(foreign, name)
		}
	}
	if len(files) == 0 {
		return policies.Failf(policies.BadAnswer, "the answer has no files")
	}
	return deliverKnown(task, known, foreign)
}

func deliverKnown(task *policies.Task, files vfs.Files, foreign []string) error {
	if err := deliver(task, files); err != nil {
		return policies.Failf(policies.BadAnswer, "%v", err)
	}
	if len(foreign) > 0 {
		return policies.Failf(policies.BadAnswer, policies.Unexpected+": %s", strings.Join(foreign, ", "))
	}
	return nil
}

func noFiles(answer models.Response) error {
	return policies.Failf(policies.BadAnswer, policies.NoBlocks+" (finish reason %s)", answer.FinishReason)
}

// show prepares a file for the prompt. It adds a final newline, so that the closing fence is on
// a line of its own.
func show(name, content string) prompt.File {
	if !strings.HasSuffix(content, "\n") {
		content += "\n"
	}
	return prompt.File{Name: name, Content: content, Fence: fenced.Fence(content)}
}

// deliver writes the answer's files to the workspace. They replace the documents if all targets
// are present, and otherwise are added.
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
