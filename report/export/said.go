package export

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"agentd/environments"
	"agentd/models"
	"agentd/policies"
	"agentd/results"
	"agentd/results/record"
)

// carried is results.Manifest.Conversation of experiments whose relays have one conversation each.
const carried = "carried"

// said is a message of an interaction's conversation.
type said struct {
	models.Message
	copied bool // an earlier interaction of the relay has said it
	turn   int  // which turn of the interaction it is, from 1; 0 of messages that are no turn of it
}

// talk is what was said in an interaction.
type talk struct {
	said  []said
	tools []models.Tool
	// kept is the conversation as it was sent; nil if it was not kept, so that the messages come
	// from the trace: the user's request is the edit's instruction then, without the policy's prompts.
	kept *policies.Conversation
}

// relayTalks are the conversations of a relay's interactions.
type relayTalks struct {
	conversations map[int]*policies.Conversation // as each interaction has left it, by its number
	copied        map[int]int                    // how many of their messages are from before
	env           *environments.Environment      // nil if it is not stored
}

// talksOf reads what was kept of the conversations of a relay.
func talksOf(ctx context.Context, store *results.Store, manifest *results.Manifest, relay results.Relay) (relayTalks, error) {
	t := relayTalks{map[int]*policies.Conversation{}, map[int]int{}, nil}
	kept, err := store.Conversation(ctx, relay.ID)
	if err != nil {
		return t, err
	}
	var texts []string
	for _, one := range kept {
		var addition policies.Addition
		if err := json.Unmarshal([]byte(one.Text), &addition); err != nil {
			return t, fmt.Errorf("reading the conversation of relay %d, interaction %d: %w", relay.ID, one.Number, err)
		}
		if manifest.Conversation != carried {
			texts = nil
		}
		texts = append(texts, one.Text)
		if t.conversations[one.Number], err = policies.Restore(texts); err != nil {
			return t, fmt.Errorf("relay %d, interaction %d: %w", relay.ID, one.Number, err)
		}
		t.copied[one.Number] = addition.Kept
	}
	if hash := manifest.Environments[relay.Environment]; hash != "" {
		text, err := store.Content(ctx, hash)
		if err != nil {
			return t, fmt.Errorf("reading environment %s: %w", relay.Environment, err)
		}
		env, err := environments.Decode(text)
		if err != nil {
			return t, err
		}
		t.env = &env
	}
	return t, nil
}

// of returns what was said in an interaction; nil if nothing was kept of it.
func (t relayTalks) of(in *results.Interaction) *talk {
	c := t.conversations[in.Number]
	if c != nil && len(c.Messages) > 0 {
		return fromMessages(c, t.copied[in.Number], in)
	}
	if !slices.ContainsFunc(in.Turns, func(turn record.Turn) bool { return turn.Text != nil }) {
		return nil
	}
	return t.fromTrace(in)
}

// fromMessages is a conversation as it was kept, each aside where it took place. Its turns are
// known unless the conversation was made shorter.
func fromMessages(c *policies.Conversation, copied int, in *results.Interaction) *talk {
	found := &talk{tools: c.Tools, kept: c}
	at := 0
	add := func(to int) {
		for ; at < min(to, len(c.Messages)); at++ {
			found.said = append(found.said, said{Message: c.Messages[at], copied: at < copied})
		}
	}
	for _, aside := range c.Asides {
		add(aside.After)
		for _, m := range aside.Messages {
			found.said = append(found.said, said{Message: m})
		}
		for _, tool := range aside.Tools {
			if !slices.ContainsFunc(found.tools, func(known models.Tool) bool { return known.Name == tool.Name }) {
				found.tools = append(slices.Clip(found.tools), tool)
			}
		}
	}
	add(len(c.Messages))
	var turns []int
	for i := range in.Turns {
		if in.Turns[i].Answered() {
			turns = append(turns, i+1)
		}
	}
	var own []*said
	for i := range found.said {
		if s := &found.said[i]; s.Role == models.Assistant && !s.copied {
			own = append(own, s)
		}
	}
	if len(own) == len(turns) {
		for i, s := range own {
			s.turn = turns[i]
		}
	}
	return found
}

// fromTrace rebuilds a conversation of the turns and tool calls that were kept.
func (t relayTalks) fromTrace(in *results.Interaction) *talk {
	found := &talk{}
	ask := func(text string) {
		found.said = append(found.said, said{Message: models.Message{Role: models.User, Content: text}})
	}
	requests := []string{cmp.Or(t.env.Instruction(in.Edit, in.Direction == results.Backward), in.Edit)}
	if len(in.UserTurns) > 0 {
		requests = nil
		for _, turn := range in.UserTurns {
			requests = append(requests, turn.Text)
		}
	}
	asked := 0
	for i := range in.Turns {
		turn := &in.Turns[i]
		if !turn.Answered() {
			continue
		}
		for ; asked < min(max(turn.UserTurn, 1), len(requests)); asked++ {
			ask(requests[asked])
		}
		found.answer(i+1, text(turn.Text), text(turn.Thought), in.ToolCalls)
	}
	found.answer(0, "", "", in.ToolCalls) // the calls that no turn asked for
	return found
}

// answer adds a turn with its tool calls and their answers.
func (t *talk) answer(turn int, content, thought string, calls []record.Call) {
	m := models.Message{Role: models.Assistant, Content: content, Reasoning: thought}
	var answers []said
	for i := range calls {
		if c := &calls[i]; c.Turn == turn {
			id := fmt.Sprintf("call_%d", i+1)
			m.ToolCalls = append(m.ToolCalls, models.ToolCall{ID: id, Name: c.Tool, Arguments: text(c.Arguments)})
			answers = append(answers, said{Message: models.Message{Role: models.ToolRole, ToolCallID: id, Content: text(c.Answer)}})
		}
	}
	if turn > 0 || len(answers) > 0 {
		t.said = append(append(t.said, said{Message: m, turn: turn}), answers...)
	}
}

func text(kept *string) string {
	if kept == nil {
		return ""
	}
	return *kept
}
