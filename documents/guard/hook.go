package guard

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"agentd/internal/usage"
)

// Agents returns the supported agents: Claude Code and Codex. Both send the same events; Codex accepts fewer answers.
// Another agent needs HookEvents, Settings, SettingsFile, readByTools in names.go and docs/guard.md. One whose events
// have members of their own is translated to hookInput and from hookAnswer.
func Agents() []string { return []string{Claude, Codex} }

// The supported agents.
const (
	Claude = "claude"
	Codex  = "codex"
)

// The events of hooks, as the agents name them. Claude Code has all of them, Codex all but the failure of a tool.
const (
	sessionStart = "SessionStart"
	promptSubmit = "UserPromptSubmit"
	preToolUse   = "PreToolUse"
	postToolUse  = "PostToolUse"
	postFailure  = "PostToolUseFailure"
	subagentStop = "SubagentStop"
	stop         = "Stop"
	sessionEnd   = "SessionEnd"
)

// HookEvents returns the events for which an agent must call the hook.
func HookEvents(agent string) []string {
	if agent == Codex {
		return []string{sessionStart, promptSubmit, preToolUse, postToolUse, subagentStop, stop, sessionEnd}
	}
	return []string{sessionStart, promptSubmit, preToolUse, postToolUse, postFailure, subagentStop, stop, sessionEnd}
}

// hookInput is the input that an agent gives its hooks.
type hookInput struct {
	Event   string          `json:"hook_event_name"`
	Session string          `json:"session_id"`
	Tool    string          `json:"tool_name"`
	Input   json.RawMessage `json:"tool_input"`
	Folder  string          `json:"cwd"`
	Again   bool            `json:"stop_hook_active"` // the agent continues because a hook did not let it stop
}

// hookAnswer is the output of a hook. Fields that an event does not accept stay empty, because Codex refuses them.
type hookAnswer struct {
	Decision string        `json:"decision,omitempty"` // block
	Reason   string        `json:"reason,omitempty"`
	Message  string        `json:"systemMessage,omitempty"` // for the user
	Specific *hookSpecific `json:"hookSpecificOutput,omitempty"`
}

type hookSpecific struct {
	Event    string `json:"hookEventName"`
	Decision string `json:"permissionDecision,omitempty"` // allow, deny or ask
	Reason   string `json:"permissionDecisionReason,omitempty"`
	Context  string `json:"additionalContext,omitempty"` // for the model
}

// maxHookInput limits the input of a hook, in bytes: a tool's input and result.
const maxHookInput = 64 << 20

// Hook handles one event of an agent: it reads the event from in and writes the answer to out, both as JSON in the agent's format.
// It writes nothing if there is nothing to say. If the event is not understood, the error is a usage.Error. If the folder cannot be
// read, the answer refuses the tool call and says why.
func (l *Live) Hook(ctx context.Context, agent string, in io.Reader, out io.Writer) error {
	text, err := io.ReadAll(io.LimitReader(in, maxHookInput+1))
	if err != nil {
		return usage.Errorf("reading the hook's event: %w", err)
	}
	var event hookInput
	if err := json.Unmarshal(text, &event); err != nil || event.Event == "" {
		return usage.Errorf("standard input is no hook event of %s (%v); agentd guard hook %s --settings prints what to put into its settings", agent, err, agent)
	}
	found, err := l.check(ctx, event.session())
	if err != nil {
		found = Finding{Failed: err, Refused: "  the folder could not be compared\n", Documents: []string{l.folder.path}}
	}
	answer := event.answer(agent, l, found)
	if event.Event == preToolUse && err == nil && answer == (hookAnswer{}) {
		answer = event.foresee(agent, l)
	}
	if answer == (hookAnswer{}) {
		return nil
	}
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(answer); err != nil {
		return err
	}
	_, err = out.Write(line.Bytes())
	return err
}

// session says how an event changes the set of active sessions. From the first event of a turn until its end, the rule applies to
// every change, whoever made it. Between turns the user may edit freely: the next turn accepts the folder as it is, unless
// another session is active.
func (e hookInput) session() session {
	return session{
		fresh: func(sessions map[string]time.Time) bool {
			switch e.Event {
			case sessionStart, promptSubmit, preToolUse:
				return len(sessions) == 0
			}
			return false
		},
		after: func(sessions map[string]time.Time, found Finding) {
			sessions[e.Session] = time.Now()
			if e.Event == sessionEnd || e.Event == stop && found.Refused == "" {
				delete(sessions, e.Session)
			}
		},
	}
}

// answer tells the agent about a finding.
func (e hookInput) answer(agent string, l *Live, found Finding) (a hookAnswer) {
	if found.Refused == "" {
		if found.First && e.Event != sessionStart && e.Event != promptSubmit && e.Event != preToolUse {
			a.Message = "agentd guard: nothing was compared, as no earlier event of this folder is known; from now on its documents are guarded"
		}
		return a
	}
	reason := fmt.Sprintf("agentd guard, %s: %s", l.rule, found)
	a.Message = fmt.Sprintf("agentd guard refused a change of %s", l.folder.path)
	if found.Change > 0 {
		a.Message += fmt.Sprintf(" and put the documents back; agentd guard undo %d --files %s brings the change back", found.Change, l.folder.path)
	}
	if e.Event == stop && e.Again && found.Failed != nil {
		a.Message += "; " + reason // the agent cannot repair it, and would loop forever
		return a
	}
	switch e.Event {
	case preToolUse:
		a.Specific = &hookSpecific{Event: e.Event, Decision: "deny", Reason: reason + "The change was made before this call. The call was not carried out; make it again if it still fits."}
		if found.Failed != nil && agent == Claude {
			a.Specific.Decision = "ask" // so that the user can repair it
		}
	case postToolUse, stop, subagentStop:
		a.Decision, a.Reason = "block", reason
	case postFailure, sessionStart, promptSubmit:
		a.Specific = &hookSpecific{Event: e.Event, Context: reason}
	}
	return a
}

// SettingsFile returns the file, within a project, in which an agent looks for hooks.
func SettingsFile(agent string) string {
	if agent == Codex {
		return filepath.Join(".codex", "hooks.json")
	}
	return filepath.Join(".claude", "settings.local.json")
}

// Settings returns the value of "hooks" in an agent's settings, with a command that is called for each event.
func Settings(agent, command string) ([]byte, error) {
	type handler struct {
		Type    string `json:"type"`
		Command string `json:"command"`
		Timeout int    `json:"timeout"` // s
	}
	type group struct {
		Matcher string    `json:"matcher,omitempty"`
		Hooks   []handler `json:"hooks"`
	}
	const longest = 60
	hooks := map[string][]group{}
	for _, event := range HookEvents(agent) {
		g := group{Hooks: []handler{{"command", command, longest}}}
		switch event {
		case preToolUse, postToolUse, postFailure:
			g.Matcher = "*"
		}
		hooks[event] = []group{g}
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(map[string]any{"hooks": hooks})
	return b.Bytes(), err
}

// Installed inserts hooks, as returned by Settings, before the other keys of an agent's settings, whose bytes it keeps. It fails if
// the settings are not a JSON object or already have hooks.
func Installed(was, hooks []byte) ([]byte, error) {
	if len(bytes.TrimSpace(was)) == 0 {
		return hooks, nil
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(was, &keys); err != nil {
		return nil, fmt.Errorf("it is no JSON object: %w", err)
	}
	if _, there := keys["hooks"]; there {
		return nil, errors.New("it has hooks already")
	}
	own := bytes.TrimSpace(hooks)
	own = bytes.TrimRight(own[1:len(own)-1], "\n") // without the braces
	end := ","
	if len(keys) == 0 {
		end = "\n"
	}
	at := bytes.IndexByte(was, '{') + 1
	return slices.Concat(was[:at], own, []byte(end), was[at:]), nil
}
