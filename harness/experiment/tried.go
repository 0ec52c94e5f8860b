package experiment

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"agentd/internal/layout"
	"agentd/internal/printable"
	"agentd/models"
	"agentd/policies/catalog"
)

// Tried is the result of one request to a model, with what its server says about it.
type Tried struct {
	Spec     models.Spec  // with everything that its name implies
	Server   models.Facts // zero if the server says nothing
	Answer   models.Response
	Refused  error // error of a request with tools; the answer is then to a request without tools
	Fitting  int   // built-in environments that fit into the context
	Builtins int
}

// TryModel asks a model for one short completion, with a tool that it should call. The error is
// a usage.Error if the spec is wrong, otherwise that of the server.
func TryModel(ctx context.Context, model Model) (t *Tried, err error) {
	o := &opener{}
	defer func() { err = errors.Join(err, o.close()) }()
	specs, err := o.complete([]Model{model})
	if err != nil {
		return nil, err
	}
	t = &Tried{Spec: specs[0]}
	opened, server, err := o.open(ctx, t.Spec)
	if err != nil {
		return nil, err
	}
	t.Server = server
	request := models.Request{
		Messages: []models.Message{{Role: models.User, Content: "Read the file notes.txt with the tool read_file. Before that, write one sentence on what you are about to do."}},
		Tools: []models.Tool{{
			Name: "read_file", Description: "Returns the text of a file.",
			Parameters: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string","description":"name of the file"}},"required":["path"]}`),
		}},
		Terms: models.Terms{MaxOutput: 200, Timeout: 2 * time.Minute, Attempts: 2},
	}
	t.Answer, err = opened.Complete(ctx, request)
	var failure *models.Error
	if errors.As(err, &failure) && failure.Kind == models.Refused {
		t.Refused, request.Tools = err, nil
		request.Messages[0].Content = "Write one sentence on how a file is read."
		t.Answer, err = opened.Complete(ctx, request)
	}
	if err != nil {
		return nil, err
	}
	return t, t.fit()
}

// fit counts the built-in environments that fit into the model's context.
func (t *Tried) fit() error {
	envs, err := (&Environments{}).LoadAll()
	if err != nil {
		return err
	}
	direct, err := catalog.Choose(catalog.Spec{Use: "direct"})
	if err != nil {
		return err
	}
	t.Builtins = len(envs)
	for i := range envs {
		if t.context() == 0 || needs(&envs[i], true, []*catalog.Chosen{direct}) <= t.context() {
			t.Fitting++
		}
	}
	return nil
}

func (t *Tried) context() int { return cmp.Or(t.Spec.Context, t.Server.Context) }

// Rate returns the tokens that the model writes per second, including the time to read the
// request; 0 if the server reported no count.
func (t *Tried) Rate() float64 {
	if t.Answer.Duration <= 0 {
		return 0
	}
	return float64(t.Answer.Usage.Completion) / t.Answer.Duration.Seconds()
}

// Write prints the result as text, and the command to run next.
func (t *Tried) Write(w io.Writer) error {
	var list layout.List
	about := t.Spec.Model
	if about == "" {
		about = t.Spec.Name
	}
	if t.Spec.StandIn {
		list.Add("model", about+", a stand-in: a program of agentd that plays a model, without a server or a key")
		list.Add("tool calls", "yes, of the tools that agentd's policies offer")
		list.Add("context", "unlimited")
		list.Add("documents", t.documents())
		return list.Write(w)
	}
	if t.Spec.BaseURL != "" {
		about += " at " + t.Spec.BaseURL
	}
	if !t.Server.Lists(cmp.Or(t.Spec.Model, t.Spec.Name)) {
		about += fmt.Sprintf("; the server does not list it, but %s", printable.Count(len(t.Server.Served), "other"))
	}
	list.Add("model", about)
	list.Add("answers", fmt.Sprintf("after %.1f s", t.Answer.Duration.Seconds()))
	list.Add("tool calls", t.tools())
	switch tokens := t.context(); {
	case t.Spec.Context > 0:
		list.Add("context", layout.Thousands(tokens)+" tokens, as you say")
	case tokens > 0:
		list.Add("context", layout.Thousands(tokens)+" tokens, as the server says")
	default:
		list.Add("context", "unknown: the server does not say (--context TOKENS)")
	}
	if t.Server.Slots > 0 {
		list.Add("at a time", printable.Count(t.Server.Slots, "request"))
	}
	if rate := t.Rate(); rate > 0 {
		list.Add("speed", fmt.Sprintf("%.0f tokens a second", rate))
		list.Add("an edit", fmt.Sprintf("about %.0f s for each 1,000 tokens of documents without tools, three times that with them", 1000/rate))
	}
	list.Add("documents", t.documents())
	return list.Write(w)
}

// documents says how many documents the model can be measured on.
func (t *Tried) documents() string {
	return fmt.Sprintf("%d of %s fit", t.Fitting, builtIn(t.Builtins))
}

// tools says how the model used the tool that it was offered.
func (t *Tried) tools() string {
	switch calls := t.Answer.Message.ToolCalls; {
	case t.Refused != nil:
		return "refused by the server: " + t.Refused.Error()
	case len(calls) > 0 && calls[0].Name == "read_file":
		return "yes"
	case len(calls) > 0:
		return fmt.Sprintf("it called %q instead of read_file", calls[0].Name)
	case t.Server.NoTools:
		return "no: the model's chat template has no place for tools, so policies with tools will do nothing"
	}
	return "no: it answered in words"
}
