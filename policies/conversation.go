package policies

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"agentd/models"
	"agentd/vfs"
)

// Conversation is the conversation of user and model in a relay so far. A policy opens a new
// one if it is empty, and otherwise continues it. The policy stores its messages in it.
type Conversation struct {
	// Messages can be sent to the model unchanged, followed by a user message: each tool call
	// in them has a result.
	Messages []models.Message
	// Files are the hashes of the files at the end of the last interaction, by name.
	Files map[string]string
	// Session is an agent's own session data; nil for policies that keep the conversation in
	// Messages.
	Session []byte
	// Tools are the tools offered to the model in this interaction. Asides are requests of this
	// interaction outside Messages. Both are only for traces and are not sent again.
	Tools  []models.Tool
	Asides []Aside
}

// Aside is a conversation within an interaction that ends with it.
type Aside struct {
	After    int              `json:"after"` // number of Messages of the Conversation before it
	Messages []models.Message `json:"messages"`
	Tools    []models.Tool    `json:"tools,omitempty"`
}

// Empty reports whether the conversation has not begun.
func (c *Conversation) Empty() bool { return len(c.Messages)+len(c.Session) == 0 }

// Talk is the task's conversation, never nil.
func (t *Task) Talk() *Conversation {
	if t.Conversation == nil {
		t.Conversation = &Conversation{}
	}
	return t.Conversation
}

// notDone is the result of a tool call that was not carried out.
const notDone = "This call was not carried out."

// Settle adds results for the last tool calls without one, because servers refuse a
// conversation with an open call.
func (c *Conversation) Settle() {
	last := len(c.Messages) - 1
	for last >= 0 && c.Messages[last].Role != models.Assistant {
		last--
	}
	if last < 0 {
		return
	}
	answers := c.Messages[last+1:]
	for _, call := range c.Messages[last].ToolCalls {
		if len(answers) > 0 && answers[0].Role == models.ToolRole && answers[0].ToolCallID == call.ID {
			answers = answers[1:]
			continue
		}
		c.Messages = append(c.Messages, models.Message{Role: models.ToolRole, ToolCallID: call.ID, Content: notDone})
	}
}

// HashesOf returns the hashes of files, by name.
func HashesOf(files vfs.Files) map[string]string {
	hashes := make(map[string]string, len(files))
	for name, content := range files {
		sum := sha256.Sum256([]byte(content))
		hashes[name] = hex.EncodeToString(sum[:8])
	}
	return hashes
}

// Addition describes how an interaction changed a conversation: how many messages it kept, and
// the messages after them.
type Addition struct {
	Kept     int               `json:"kept"` // messages from the beginning
	Messages []models.Message  `json:"messages,omitempty"`
	Files    map[string]string `json:"files,omitempty"`
	Session  []byte            `json:"session,omitempty"`
	Tools    []models.Tool     `json:"tools,omitempty"`
	Asides   []Aside           `json:"asides,omitempty"`
}

// Since returns the Addition that changes the messages before into the current ones, as JSON.
func (c *Conversation) Since(before []models.Message) (string, error) {
	kept := 0
	for kept < min(len(before), len(c.Messages)) && same(&before[kept], &c.Messages[kept]) {
		kept++
	}
	raw, err := json.Marshal(Addition{Kept: kept, Messages: c.Messages[kept:], Files: c.Files, Session: c.Session, Tools: c.Tools, Asides: c.Asides})
	return string(raw), err
}

// same reports whether two messages say the same.
func same(a, b *models.Message) bool {
	sameReplay := a.Replay == b.Replay || a.Replay != nil && b.Replay != nil && *a.Replay == *b.Replay
	return sameReplay && a.Role == b.Role && a.Content == b.Content && a.ToolCallID == b.ToolCallID &&
		slices.Equal(a.ToolCalls, b.ToolCalls) && len(a.Pictures) == len(b.Pictures)
}

// Restore rebuilds a conversation from the Additions of successive interactions, as returned by
// Since.
func Restore(additions []string) (*Conversation, error) {
	c := &Conversation{}
	for _, text := range additions {
		var a Addition
		if err := json.Unmarshal([]byte(text), &a); err != nil {
			return nil, fmt.Errorf("reading a stored conversation: %w", err)
		}
		if a.Kept < 0 || a.Kept > len(c.Messages) {
			return nil, errors.New("reading a stored conversation: it goes on with messages that are not stored")
		}
		c.Messages, c.Files, c.Session = append(c.Messages[:a.Kept:a.Kept], a.Messages...), a.Files, a.Session
		c.Tools, c.Asides = a.Tools, a.Asides
	}
	return c, nil
}
