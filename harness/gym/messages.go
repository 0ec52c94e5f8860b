package gym

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"agentd/harness/grade"
	"agentd/internal/jsonsafe"
	"agentd/results"
	"agentd/tools"
)

// Codes of errors, as OpenEnv names them.
const (
	invalidJSON     = "INVALID_JSON"
	unknownType     = "UNKNOWN_TYPE"
	validationError = "VALIDATION_ERROR"
	executionError  = "EXECUTION_ERROR"
	capacityReached = "CAPACITY_REACHED"
	factoryError    = "FACTORY_ERROR"
	sessionError    = "SESSION_ERROR"
)

// problem is an error that is reported to the client.
type problem struct {
	Message  string `json:"message"`
	Code     string `json:"code"`
	Active   int    `json:"active_sessions,omitzero"`
	Sessions int    `json:"max_sessions,omitzero"`
}

func (p *problem) Error() string { return p.Message }

// invalidf returns the error for an invalid message of a client.
func invalidf(format string, args ...any) error {
	return &problem{Message: fmt.Sprintf(format, args...), Code: validationError}
}

func failedf(format string, args ...any) error {
	return &problem{Message: fmt.Sprintf(format, args...), Code: executionError}
}

// message is a request or reply on /ws.
type message struct {
	Type string         `json:"type"`
	Data jsontext.Value `json:"data,omitzero"`
}

// resetData says which task an episode has.
type resetData struct {
	Seed       *int64 `json:"seed"`
	EpisodeID  string `json:"episode_id"`
	Env        string `json:"env"`
	Edit       string `json:"edit"`
	Direction  string `json:"direction"`
	RoundTrips *int   `json:"round_trips"`
	Split      string `json:"split"`
	Index      *int   `json:"index"`
	Domain     string `json:"domain"`
	Verb       string `json:"verb"`
	Difficulty string `json:"difficulty"`
	MaxTokens  int    `json:"max_tokens"`
	Prompt     bool   `json:"prompt"` // have observations show Prompt
}

// Types of actions.
const (
	callTool  = "call_tool"
	listTools = "list_tools"
	giveFiles = "answer"
)

// action is what a step does.
type action struct {
	Type      string            `json:"type"`
	ToolName  string            `json:"tool_name"`
	Arguments jsontext.Value    `json:"arguments"` // an object, or its text as a model wrote it
	Files     map[string]string `json:"files"`
	Text      *string           `json:"text"`
	Metadata  jsontext.Value    `json:"metadata"` // OpenEnv's clients send it; it is ignored
}

// arguments are the arguments of a call as text.
func (a *action) arguments() string {
	if a.Arguments.Kind() != '"' {
		return string(a.Arguments)
	}
	var text string
	if json.Unmarshal(a.Arguments, &text) != nil {
		return string(a.Arguments)
	}
	return text
}

// bytes returns the size of what a client has sent with the action.
func (a *action) bytes() int {
	n := len(a.Arguments)
	for name, text := range a.Files {
		n += len(name) + len(text)
	}
	if a.Text != nil {
		n += len(*a.Text)
	}
	return n
}

func (a *action) check() error {
	switch {
	case a.Type == callTool && a.ToolName == "":
		return invalidf("an action %s has a tool_name", callTool)
	case a.Type == giveFiles && (a.Files == nil) == (a.Text == nil):
		return invalidf("an action %s has either files or text", giveFiles)
	case a.Type != callTool && a.Type != listTools && a.Type != giveFiles:
		return invalidf("the type of an action is %s, %s or %s, not %q", callTool, listTools, giveFiles, a.Type)
	}
	return nil
}

// decode reads a client's message. Unknown members are an error.
func decode(raw []byte, into any) error {
	if len(raw) == 0 {
		raw = []byte("{}")
	}
	if err := jsonsafe.DefaultLimits().Check(raw); err != nil {
		return invalidf("%v", err)
	}
	if err := json.Unmarshal(raw, into, json.RejectUnknownMembers(true)); err != nil {
		return invalidf("%v", err)
	}
	return nil
}

// encode writes a reply. It replaces text that is not UTF-8.
func encode(value any) []byte {
	raw, err := json.Marshal(value, jsontext.AllowInvalidUTF8(true), json.Deterministic(true))
	if err != nil {
		panic(err) // structs of texts and numbers always marshal
	}
	return raw
}

// reply answers a reset or a step.
type reply struct {
	Observation observation `json:"observation"`
	Reward      *float64    `json:"reward"` // nil until an interaction ends
	Done        bool        `json:"done"`
	Metadata    metadata    `json:"metadata"`
}

// observation is what a policy sees. An interaction that begins has the first members, a call
// those after them.
type observation struct {
	Instruction string            `json:"instruction,omitzero"`
	Files       []string          `json:"files,omitempty"` // in the order in which a prompt shows them
	Targets     []string          `json:"targets,omitempty"`
	Documents   map[string]string `json:"documents,omitempty"` // contents of the files, distractors included; base64 of binary files

	Prompt string `json:"prompt,omitzero"` // instruction and files as the policy direct words them; none of documents that are pictures

	Tools    []tool `json:"tools,omitempty"` // answer to list_tools
	ToolName string `json:"tool_name,omitzero"`
	Result   string `json:"result,omitzero"` // what the tool says, errors included
	Failed   bool   `json:"failed,omitzero"` // whether Result is an error

	Step      int `json:"step"`       // of the episode, 0 after a reset
	StepsLeft int `json:"steps_left"` // of the interaction
}

// metadata says what an episode is of and, where an interaction has ended, the parts of its reward.
type metadata struct {
	Episode      string `json:"episode_id,omitzero"`
	Environment  string `json:"environment,omitzero"`
	Domain       string `json:"domain,omitzero"`
	Split        string `json:"split,omitzero"`
	Seed         int64  `json:"seed"`
	Edit         string `json:"edit,omitzero"`
	Direction    string `json:"direction,omitzero"`
	Interaction  int    `json:"interaction,omitzero"` // in the episode, from 1
	Interactions int    `json:"interactions,omitzero"`
	Failure      string `json:"failure,omitzero"` // why the interaction failed

	*grade.Grade // a relay pays a share of its Reward

	// What a run stores of an interaction: the score of a forward step, the scores of a backward step, and RS with
	// no-ops as 0. nil for none.
	ForwardScore *float64 `json:"forward_score,omitzero"`
	RS           *float64 `json:"rs,omitzero"`
	Strict       *float64 `json:"strict,omitzero"`
	RSNoOpsZero  *float64 `json:"rs_noops_zero,omitzero"`
}

// scored adds what the harness made of the interaction that has ended, the last of those given.
func (m *metadata) scored(interactions []*results.Interaction) {
	in := interactions[len(interactions)-1]
	if in.Failure != "" {
		m.Failure = in.Failure + ": " + in.Detail
	}
	m.ForwardScore = in.Forward
	if in.Direction != results.Backward {
		return
	}
	trip := results.Trip{Backward: in}
	if len(interactions) > 1 {
		trip.Forward = interactions[len(interactions)-2]
	}
	m.RS, m.Strict = trip.Scores(false)
	m.RSNoOpsZero, _ = trip.NoOpsZero(false)
}

// state is the current position in an episode.
type state struct {
	Episode      *string `json:"episode_id"`
	Steps        int     `json:"step_count"`
	Environment  string  `json:"environment,omitzero"`
	Edit         string  `json:"edit,omitzero"` // that is to be done now
	Direction    string  `json:"direction,omitzero"`
	Interaction  int     `json:"interaction,omitzero"`
	Interactions int     `json:"interactions,omitzero"`
	Done         bool    `json:"done"`
}

// tool describes a tool to clients.
type tool struct {
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Schema      jsontext.Value `json:"input_schema"`
}

// allTools describes the tools of an interaction.
func allTools() []tool {
	set := tools.All()
	all := make([]tool, len(set))
	for i, t := range set {
		all[i] = tool{t.Name, t.Description, jsontext.Value(t.Parameters)}
	}
	return all
}
