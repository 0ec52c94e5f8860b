package dialogue

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"agentd/models"
	"agentd/policies"
	"agentd/vfs"
	"agentd/vfs/fenced"
)

// Window sends requests to a model, and shortens conversations that exceed the model's context.
type Window struct {
	Dialogue
	Model models.Model
	Price *models.Price // nil if unknown

	ratio float64 // bytes per token of the last answered request; 0 before the first
}

// Thread is a conversation in progress. It owns Messages, so it may append to the slice and
// replace its elements.
type Thread struct {
	Messages []models.Message
	// Request is the index of the message that begins the current user turn.
	Request int
}

// LeaveIn stores the thread in the task's conversation.
func (t *Thread) LeaveIn(task *policies.Task) {
	talk := task.Talk()
	talk.Messages = slices.Clip(t.Messages)
	talk.Settle()
}

// bytesPerToken is the usual size of a token, used until a server has reported a count.
const bytesPerToken = 4

// roomAfter is the share of the window that a shortened conversation may fill, so that it is
// not shortened at every request.
const roomAfter = 0.75

// Complete requests the thread's next message. A thread that is too long is shortened first, as
// the settings say. An error is the model's.
func (w *Window) Complete(ctx context.Context, task *policies.Task, t *Thread, request models.Request) (models.Response, error) {
	for {
		request.Messages = t.Messages
		answer, err := w.ask(ctx, request)
		if !tooLong(err) {
			return answer, err
		}
		shorter, failed := w.shorten(ctx, task, t, request)
		if failed != nil {
			return answer, failed
		}
		if !shorter {
			return answer, err
		}
	}
}

// ask sends a request, unless it exceeds the experiment's context_tokens.
func (w *Window) ask(ctx context.Context, request models.Request) (models.Response, error) {
	size := bytesOf(request.Messages)
	if most := w.settings.ContextTokens; most > 0 {
		if tokens := int(float64(size) / w.perToken()); tokens > most {
			return models.Response{}, &models.Error{
				Kind: models.ContextLength, Model: w.Model.Name(),
				Err: fmt.Errorf("the conversation has about %d tokens, more than the experiment's context_tokens (%d)", tokens, most),
			}
		}
	}
	answer, err := w.Model.Complete(ctx, request)
	if err == nil && answer.Usage.Prompt > 0 {
		w.ratio = float64(size) / float64(answer.Usage.Prompt)
	}
	return answer, err
}

func (w *Window) perToken() float64 {
	if w.ratio > 0 {
		return w.ratio
	}
	return bytesPerToken
}

// room returns the size to which a conversation of the given size must be shortened, in bytes.
func (w *Window) room(size int) int {
	if most := w.settings.ContextTokens; most > 0 {
		size = min(size, int(float64(most)*w.perToken()))
	}
	return int(float64(size) * roomAfter)
}

// shorten shortens a thread. It returns false if that is not possible.
func (w *Window) shorten(ctx context.Context, task *policies.Task, t *Thread, request models.Request) (bool, error) {
	switch w.settings.Compact {
	case policies.DropResults:
		n := dropResults(t.Messages, w.room(bytesOf(t.Messages)))
		if n > 0 {
			task.Trace.Compacted = fmt.Sprintf("tool results left out: %d", n)
		}
		return n > 0, nil
	case policies.Summary:
		return w.sumUp(ctx, task, t, request)
	}
	return false, nil
}

// leftOut replaces a tool result.
const leftOut = "(This result was left out to make room. Call the tool again if you need it.)"

// dropResults replaces the oldest tool results until the messages have at most most bytes, and
// returns how many it replaced. It keeps results after the model's last message, which the
// model has not seen yet.
func dropResults(messages []models.Message, most int) (n int) {
	size := bytesOf(messages)
	for i := range messages[:lastAnswer(messages)+1] {
		m := &messages[i]
		if size <= most {
			break
		}
		if m.Role != models.ToolRole || len(m.Content) <= len(leftOut) {
			continue
		}
		size -= len(m.Content) - len(leftOut)
		*m = models.Message{Role: models.ToolRole, ToolCallID: m.ToolCallID, Content: leftOut}
		n++
	}
	return n
}

// lastAnswer returns the index of the model's last message; -1 if there is none.
func lastAnswer(messages []models.Message) int {
	for i := range slices.Backward(messages) {
		if messages[i].Role == models.Assistant {
			return i
		}
	}
	return -1
}

// Headings of a summary in a message.
const (
	before = "What went before in this conversation, in short:\n\n"
	sofar  = "What you have done of this so far, in short:\n\n"
)

// sumUp replaces the messages before the current user turn by a summary. If there are none, it
// summarises the current turn so far.
func (w *Window) sumUp(ctx context.Context, task *policies.Task, t *Thread, request models.Request) (bool, error) {
	start := 0
	if len(t.Messages) > 0 && t.Messages[0].Role == models.System {
		start = 1
	}
	asked := t.Messages[t.Request]
	if t.Request > start {
		summary, err := w.summary(ctx, task, t.Messages[:t.Request], request)
		if summary == "" {
			return false, err
		}
		asked = say(before + summary + "\n\n" + asked.Content)
		t.Messages = slices.Concat(t.Messages[:start], []models.Message{asked}, t.Messages[t.Request+1:])
		t.Request = start
		return true, nil
	}
	if len(t.Messages) == t.Request+1 { // the request alone is too long
		return false, nil
	}
	summary, err := w.summary(ctx, task, t.Messages, request)
	if summary == "" {
		return false, err
	}
	wanted, _, _ := strings.Cut(asked.Content, "\n\n"+sofar)
	t.Messages = slices.Concat(t.Messages[:t.Request], []models.Message{say(wanted + "\n\n" + sofar + summary)})
	return true, nil
}

// summary asks the model to summarise messages; "" if the answer is empty. If they are too long
// for that, it first drops tool results and files.
func (w *Window) summary(ctx context.Context, task *policies.Task, messages []models.Message, request models.Request) (string, error) {
	messages = slices.Concat(messages, []models.Message{say(w.Dialogue.summary)})
	request.Messages = messages
	for {
		answer, err := w.ask(ctx, request)
		switch {
		case err == nil:
			task.Trace.Compacted = "summary"
			task.Trace.AddTurn(answer, w.Price)
			return strings.TrimSpace(answer.Message.Content), nil
		case !tooLong(err):
			return "", err
		}
		room := w.room(bytesOf(messages))
		if dropResults(messages, room)+dropFiles(messages, room) == 0 {
			return "", nil
		}
	}
}

func tooLong(err error) bool {
	failure, ok := errors.AsType[*models.Error](err)
	return ok && failure.Kind == models.ContextLength
}

// bytesOf estimates the size of messages in a request, in bytes.
func bytesOf(messages []models.Message) int {
	size := 0
	for i := range messages {
		m := &messages[i]
		size += len(m.Content)
		for _, call := range m.ToolCalls {
			size += len(call.Name) + len(call.Arguments)
		}
	}
	return size
}

// filesLeftOut replaces the files of a message.
const filesLeftOut = "(The files that stood here were left out to make room.)"

// dropFiles replaces the fenced files of the oldest messages until the messages have at most
// most bytes, and returns how many messages it changed.
func dropFiles(messages []models.Message, most int) (n int) {
	size := bytesOf(messages)
	for i := range messages {
		m := &messages[i]
		if size <= most {
			break
		}
		text, found := withoutFiles(m.Content)
		if !found || len(m.ToolCalls) > 0 || m.Role != models.User && m.Role != models.Assistant {
			continue
		}
		size -= len(m.Content) - len(text)
		*m = models.Message{Role: m.Role, Content: text}
		n++
	}
	return n
}

// withoutFiles replaces the fenced files of a text by one line.
func withoutFiles(text string) (rest string, found bool) {
	var b strings.Builder
	for text != "" {
		line, after, _ := strings.Cut(text, "\n")
		ticks := len(line) - len(strings.TrimLeft(line, "`"))
		end := -1
		if ticks >= 3 && len(line) > ticks {
			end = strings.Index(after, line[:ticks])
		}
		if end < 0 {
			b.WriteString(line + "\n")
			text = after
			continue
		}
		if !found {
			b.WriteString(filesLeftOut + "\n")
		}
		found = true
		text = strings.TrimPrefix(strings.TrimLeft(after[end:], "`"), "\n")
	}
	return strings.TrimSuffix(b.String(), "\n"), found
}

// Shows returns the files that messages show in fenced blocks. Later messages take precedence.
func Shows(messages []models.Message) vfs.Files {
	shown := vfs.Files{}
	for i := range messages {
		if m := &messages[i]; m.Role == models.User || m.Role == models.Assistant {
			maps.Copy(shown, fenced.Parse(m.Content))
		}
	}
	return shown
}

// CompleteShowing requests the answer to a request that shows files. request returns its text,
// given the messages before it: if they are shortened, more files must be shown. The thread
// then ends with the request. An error is the model's, or request's.
func (w *Window) CompleteShowing(ctx context.Context, task *policies.Task, t *Thread, asked models.Request, request func(before []models.Message) (string, error)) (models.Response, error) {
	said, summary := t.Messages, ""
	for {
		text, err := request(said)
		if err != nil {
			return models.Response{}, err
		}
		if summary != "" {
			text = before + summary + "\n\n" + text
		}
		t.Messages, t.Request = append(slices.Clip(said), say(text)), len(said)
		asked.Messages = t.Messages
		answer, err := w.ask(ctx, asked)
		if !tooLong(err) || len(said) == 0 {
			return answer, err
		}
		switch w.settings.Compact {
		case policies.DropResults:
			n := dropFiles(said, w.room(bytesOf(said)))
			if n == 0 {
				return answer, err
			}
			task.Trace.Compacted = fmt.Sprintf("messages whose files were left out: %d", n)
		case policies.Summary:
			var failed error
			if summary, failed = w.summary(ctx, task, said, models.Request{Seed: asked.Seed, Terms: asked.Terms}); failed != nil {
				return answer, failed
			}
			if summary == "" {
				return answer, err
			}
			said = nil
		default:
			return answer, err
		}
	}
}
