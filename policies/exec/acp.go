package exec

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coder/acp-go-sdk"

	"agentd/policies"
	"agentd/sandbox"
	"agentd/tools"
)

// An agent of the Agent Client Protocol speaks JSON-RPC by its standard input and output.
// In the sandbox a small program starts it and carries its words over the one connection
// that a command has, so that nothing of the host is lent to it. Here agentd is the client:
// it opens a session, sends the task as a prompt, answers requests for files from the
// workspace, and ends the interaction when the prompt is answered.

//go:embed acp.py
var acpPy string

// acpPath is where the program in the sandbox connects.
const acpPath = "/acp"

// byACP returns the command that runs an agent.
func byACP(agent []string) []string { return append([]string{"python3", "-c", acpPy}, agent...) }

// dialogue is the conversation with the one agent of an interaction.
type dialogue struct {
	mu      sync.Mutex
	begun   bool
	ended   bool // the prompt was answered
	stopped acp.StopReason
	err     error // why the conversation broke off
}

// serveACP holds the conversation over a connection of the command's.
func (s *server) serveACP(w http.ResponseWriter, r *http.Request) {
	d := &s.dialogue
	d.mu.Lock()
	taken := d.begun
	d.begun = true
	d.mu.Unlock()
	if taken {
		fail(w, http.StatusConflict, "invalid_request_error", "the conversation is held already")
		return
	}
	conn, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		fail(w, http.StatusInternalServerError, "server_error", err.Error())
		return
	}
	defer conn.Close()
	defer context.AfterFunc(s.serving, func() { conn.Close() })()
	if _, err := io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: acp\r\n\r\n"); err != nil {
		return
	}
	stopped, err := s.converse(conn, buffered.Reader)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ended, d.stopped, d.err = err == nil, stopped, err
}

// patient writes to an agent, which must read.
type patient struct{ net.Conn }

func (p patient) Write(b []byte) (int, error) {
	if err := p.SetWriteDeadline(time.Now().Add(patience)); err != nil {
		return 0, err
	}
	return p.Conn.Write(b)
}

// converse opens a session and has the agent do the task.
func (s *server) converse(conn net.Conn, from io.Reader) (acp.StopReason, error) {
	ctx, cancel := context.WithCancel(s.serving)
	defer cancel()
	said := newUtterances(from)
	var answering sync.RWMutex // held for reading by those who answer the agent
	over := false
	handle := func(_ context.Context, method string, params json.RawMessage) (any, *acp.RequestError) {
		defer said.answered()
		answering.RLock()
		defer answering.RUnlock()
		if over {
			return nil, acp.NewInternalError("the conversation is over")
		}
		return s.answerAgent(method, params)
	}
	c := acp.NewConnection(handle, patient{conn}, said)
	c.SetLogger(slog.New(slog.DiscardHandler))
	said.begin()
	stopped, err := s.prompt(ctx, c)
	if broken := said.wrong(); broken != nil && err != nil {
		err = broken
	}
	said.end()
	_ = conn.Close() // the agent is to end
	<-c.Done()
	answering.Lock() // from here on, the agent cannot change the trace
	over = true
	answering.Unlock()
	return stopped, err
}

// prompt goes through the protocol's steps and returns why the agent stopped.
func (s *server) prompt(ctx context.Context, c *acp.Connection) (acp.StopReason, error) {
	known, err := acp.SendRequest[acp.InitializeResponse](c, ctx, acp.AgentMethodInitialize, acp.InitializeRequest{
		ProtocolVersion:    acp.ProtocolVersionNumber,
		ClientCapabilities: acp.ClientCapabilities{Fs: acp.FileSystemCapabilities{ReadTextFile: true, WriteTextFile: true}},
		ClientInfo:         &acp.Implementation{Name: "agentd", Version: "1"},
	})
	if err != nil {
		return "", fmt.Errorf("initialize: %w", err)
	}
	if known.ProtocolVersion != acp.ProtocolVersionNumber {
		return "", fmt.Errorf("it speaks version %d of the protocol, not %d", known.ProtocolVersion, acp.ProtocolVersionNumber)
	}
	session, err := acp.SendRequest[acp.NewSessionResponse](c, ctx, acp.AgentMethodSessionNew, acp.NewSessionRequest{
		Cwd: sandbox.Workspace, McpServers: []acp.McpServer{},
	})
	if err != nil {
		return "", fmt.Errorf("session/new: %w", err)
	}
	answer, err := acp.SendRequest[acp.PromptResponse](c, ctx, acp.AgentMethodSessionPrompt, acp.PromptRequest{
		SessionId: session.SessionId, Prompt: []acp.ContentBlock{acp.TextBlock(s.promptText())},
	})
	if err != nil {
		return "", fmt.Errorf("session/prompt: %w", err)
	}
	return answer.StopReason, nil
}

// promptText is the task in words.
func (s *server) promptText() string {
	return promptOf(Values{Instruction: s.task.Instruction, Targets: s.task.Targets, Files: s.task.FileOrder})
}

// answerAgent answers a request of the agent's.
func (s *server) answerAgent(method string, params json.RawMessage) (any, *acp.RequestError) {
	switch method {
	case acp.ClientMethodSessionUpdate:
		return nil, nil // what the model said and called is in the trace already
	case acp.ClientMethodFsReadTextFile:
		var ask acp.ReadTextFileRequest
		if err := json.Unmarshal(params, &ask); err != nil {
			return nil, acp.NewInvalidParams(err.Error())
		}
		return s.readForAgent(ask, params)
	case acp.ClientMethodFsWriteTextFile:
		var ask acp.WriteTextFileRequest
		if err := json.Unmarshal(params, &ask); err != nil {
			return nil, acp.NewInvalidParams(err.Error())
		}
		return s.writeForAgent(ask, params)
	case acp.ClientMethodSessionRequestPermission:
		var ask acp.RequestPermissionRequest
		if err := json.Unmarshal(params, &ask); err != nil {
			return nil, acp.NewInvalidParams(err.Error())
		}
		return acp.RequestPermissionResponse{Outcome: permitted(ask)}, nil
	}
	return nil, acp.NewMethodNotFound(method)
}

// permitted allows a tool call, unless it is about a place outside of the workspace. The
// sandbox holds the agent in any case.
func permitted(ask acp.RequestPermissionRequest) acp.RequestPermissionOutcome {
	kinds := []acp.PermissionOptionKind{acp.PermissionOptionKindAllowOnce, acp.PermissionOptionKindAllowAlways}
	for _, location := range ask.ToolCall.Locations {
		if _, err := inWorkspace(location.Path); err != nil {
			kinds = []acp.PermissionOptionKind{acp.PermissionOptionKindRejectOnce, acp.PermissionOptionKindRejectAlways}
		}
	}
	for _, kind := range kinds {
		for _, option := range ask.Options {
			if option.Kind == kind {
				return acp.NewRequestPermissionOutcomeSelected(option.OptionId)
			}
		}
	}
	return acp.NewRequestPermissionOutcomeCancelled()
}

// inWorkspace is the name in the workspace that a path of the sandbox stands for.
func inWorkspace(name string) (string, error) {
	clean := name
	if !path.IsAbs(clean) {
		clean = sandbox.Workspace + "/" + clean
	}
	inside, ok := strings.CutPrefix(path.Clean(clean), sandbox.Workspace+"/")
	if !ok {
		return "", fmt.Errorf("%.200q is not in %s", name, sandbox.Workspace)
	}
	return inside, nil
}

// Tools of the protocol's client, as traces call them.
const (
	readTextFile  = "read_text_file"
	writeTextFile = "write_text_file"
)

func (s *server) readForAgent(ask acp.ReadTextFileRequest, params json.RawMessage) (any, *acp.RequestError) {
	var text string
	err := s.forAgent(readTextFile, ask.Path, params, func(name string) (tools.Outcome, error) {
		content, err := s.task.Workspace.Read(readTextFile, name)
		text = linesOf(content, ask.Line, ask.Limit)
		return tools.Outcome{Text: text}, err
	})
	if err != nil {
		return nil, err
	}
	return acp.ReadTextFileResponse{Content: text}, nil
}

func (s *server) writeForAgent(ask acp.WriteTextFileRequest, params json.RawMessage) (any, *acp.RequestError) {
	err := s.forAgent(writeTextFile, ask.Path, params, func(name string) (tools.Outcome, error) {
		before, there := s.task.Workspace.Peek(name)
		if there == nil && before == ask.Content {
			return tools.Outcome{}, nil
		}
		return tools.Outcome{Changed: 1}, s.task.Workspace.Write(name, ask.Content)
	})
	if err != nil {
		return nil, err
	}
	return acp.WriteTextFileResponse{}, nil
}

// forAgent does what the agent asks of a file, and counts it: for the call of the model's
// that it carries out, if there is one that names the file, or else as a call.
func (s *server) forAgent(tool, file string, params json.RawMessage, do func(name string) (tools.Outcome, error)) *acp.RequestError {
	if _, over := s.tooMany(); over {
		return acp.NewInternalError(fmt.Sprintf("there were %d requests in this interaction, no more are possible", maxMCPCalls))
	}
	began := time.Now()
	var outcome tools.Outcome
	code := invalidParams
	name, err := inWorkspace(file)
	if err == nil {
		err = s.exchange(func() (err error) {
			s.compare()
			if !slices.Contains(s.task.Workspace.Names(), name) {
				code = notFound
			}
			if outcome, err = do(name); err == nil {
				s.forget()
			}
			return err
		})
	}
	if err != nil {
		outcome = tools.Outcome{Failed: true, Text: "Error: " + err.Error()}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if at := s.callNaming(file); at >= 0 {
		s.task.Trace.Calls[at].Changed += outcome.Changed
	} else {
		outcome.ArgNames = argumentNames(string(params))
		call := policies.NewCall(len(s.task.Trace.Turns), tool, string(params), outcome, time.Since(began))
		call.Arguments, call.Answer = s.retain(call.Arguments), s.retain(call.Answer)
		s.task.Trace.Calls = append(s.task.Trace.Calls, call)
	}
	if err != nil {
		return &acp.RequestError{Code: code, Message: err.Error()}
	}
	return nil
}

// Codes of errors. Agents tell by the second that a file is to be made.
const (
	invalidParams = -32602
	notFound      = -32002
)

// callNaming is the model's last call without an answer that names a file; -1 if there is
// none. s.mu is held.
func (s *server) callNaming(file string) int {
	for _, a := range slices.Backward(s.asked) {
		if strings.Contains(s.task.Trace.Calls[a.record].Arguments, path.Base(file)) {
			return a.record
		}
	}
	return -1
}

// linesOf are so many lines of a text from one on, counted from 1; all where nothing is
// said.
func linesOf(text string, from, most *int) string {
	if from == nil && most == nil {
		return text
	}
	lines := slices.Collect(strings.Lines(text))
	if from != nil {
		lines = lines[min(max(*from-1, 0), len(lines)):]
	}
	if most != nil {
		lines = lines[:min(max(*most, 0), len(lines))]
	}
	return strings.Join(lines, "")
}

// judgeACP returns Edit's error for an agent whose program has ended.
func (s *server) judgeACP(said string) error {
	d := &s.dialogue
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.err != nil:
		return policies.Failf(policies.CommandFailure, "the conversation broke off: %v; %s", d.err, said)
	case !d.ended:
		return policies.Failf(policies.CommandFailure, "it ended before it had answered; %s", said)
	case d.stopped != acp.StopReasonEndTurn && d.stopped != acp.StopReasonRefusal:
		return policies.Failf(policies.CommandFailure, "it stopped for the reason %.100q; %s", d.stopped, said)
	}
	return nil
}

// Bounds of what an agent says.
const (
	maxUtterance  = 9 << 20   // one message, in bytes
	maxUtterances = 100_000   // messages
	maxSaid       = 256 << 20 // all of them, in bytes
	answeredAt    = 4         // requests that are answered at the same time
)

// utterances reads an agent's messages, a line each, and holds them to the bounds: the
// package that answers them does so with all of them at once.
type utterances struct {
	from   *bytes.Buffer // the message that is being read
	lines  func() ([]byte, error)
	ready  chan struct{} // closed when the messages may be read
	ended  chan struct{} // closed when no more are
	room   chan struct{}
	mu     sync.Mutex
	broken error
	number int
	size   int
}

func newUtterances(from io.Reader) *utterances {
	return &utterances{
		from: &bytes.Buffer{}, lines: limitedLines(from, maxUtterance), ready: make(chan struct{}), ended: make(chan struct{}),
		room: make(chan struct{}, answeredAt),
	}
}

func (u *utterances) begin() { close(u.ready) }
func (u *utterances) end()   { close(u.ended) }

// answered gives back the room of a message.
func (u *utterances) answered() { <-u.room }

// wrong is what was wrong with what the agent said; nil for nothing.
func (u *utterances) wrong() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.broken
}

// Read hands on message after message.
func (u *utterances) Read(p []byte) (int, error) {
	<-u.ready
	if u.from.Len() == 0 {
		line, err := u.next()
		if err != nil {
			return 0, err
		}
		u.from.Reset()
		u.from.Write(line)
	}
	return u.from.Read(p)
}

// next is the next message, once there is room for it.
func (u *utterances) next() ([]byte, error) {
	line, err := u.lines()
	for err == nil && len(bytes.TrimSpace(line)) == 0 {
		line, err = u.lines()
	}
	if errors.Is(err, io.EOF) {
		return nil, err
	}
	var message struct {
		Method string `json:"method"`
	}
	u.number, u.size = u.number+1, u.size+len(line)
	switch {
	case err != nil:
	case u.number > maxUtterances || u.size > maxSaid:
		err = fmt.Errorf("it said more than %d messages, or %d bytes", maxUtterances, maxSaid)
	default:
		if err = json.Unmarshal(line, &message); err != nil {
			err = fmt.Errorf("it said what is no message: %.200q", line)
		}
	}
	if err != nil {
		u.mu.Lock()
		u.broken = err
		u.mu.Unlock()
		return nil, io.EOF
	}
	if message.Method != "" && message.Method != "$/cancel_request" { // these are answered
		select {
		case u.room <- struct{}{}:
		case <-u.ended:
			return nil, io.EOF
		}
	}
	return line, nil
}

// limitedLines reads lines of so many bytes at most.
func limitedLines(from io.Reader, most int) func() ([]byte, error) {
	var rest []byte
	chunk := make([]byte, 64<<10)
	var failed error
	return func() ([]byte, error) {
		for searched := 0; ; {
			if at := bytes.IndexByte(rest[searched:], '\n'); at >= 0 {
				line := bytes.Clone(rest[:searched+at+1])
				rest = rest[:copy(rest, rest[searched+at+1:])]
				return line, nil
			}
			switch {
			case len(rest) > most:
				return nil, fmt.Errorf("it said a message of more than %d bytes", most)
			case failed != nil:
				return nil, io.EOF // a message without an end
			}
			searched = len(rest)
			var n int
			n, failed = from.Read(chunk)
			rest = append(rest, chunk[:n]...)
		}
	}
}
