// Package acp is a client of the Agent Client Protocol for an agent in a sandbox: JSON-RPC over
// the agent's standard input and output.
//
// In the sandbox, a small program starts the agent and forwards its messages over the only
// connection that a command has, so that the agent gets no other access to the host. agentd is
// the protocol's client: it opens a session, sends the task as a prompt, answers file requests
// from the workspace, and ends the interaction when the prompt is answered.
package acp

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	protocol "github.com/coder/acp-go-sdk"

	"agentd/models/gateway"
	"agentd/sandbox"
)

//go:embed acp.py
var acpPy string

// Path is the HTTP path to which the program in the sandbox connects.
const Path = "/acp"

// Command returns the command that runs an agent in a sandbox.
func Command(agent []string) []string { return append([]string{"python3", "-c", acpPy}, agent...) }

// Files handles an agent's file requests. Its methods must be safe for concurrent use. Errors
// are reported to the agent; fs.ErrNotExist means that the file does not exist.
type Files interface {
	ReadFile(Request) (text string, err error)
	WriteFile(r Request, content string) error
}

// Request is an agent's request for a file.
type Request struct {
	Tool      string // the tool's name in traces
	Path      string // the agent's path of the file
	Arguments string // all parameters of the request, in JSON
	lines     protocol.ReadTextFileRequest
}

// Names in traces for the tools of the protocol's client.
const (
	ReadTextFile  = "read_text_file"
	WriteTextFile = "write_text_file"
)

// Agent is the connection to the agent of one interaction.
type Agent struct {
	prompt string
	files  Files

	mu      sync.Mutex
	begun   bool
	ended   bool // the prompt was answered
	stopped protocol.StopReason
	err     error // why the connection failed
}

// New returns the connection for an agent that is to carry out the prompt.
func New(prompt string, files Files) *Agent { return &Agent{prompt: prompt, files: files} }

// Serve runs the protocol over the agent's connection, until ctx ends.
func (a *Agent) Serve(ctx context.Context, w http.ResponseWriter) {
	a.mu.Lock()
	taken := a.begun
	a.begun = true
	a.mu.Unlock()
	if taken {
		gateway.Fail(w, http.StatusConflict, "invalid_request_error", "the conversation is held already")
		return
	}
	conn, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		gateway.Fail(w, http.StatusInternalServerError, "server_error", err.Error())
		return
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	if _, err := io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: acp\r\n\r\n"); err != nil {
		return
	}
	stopped, err := a.converse(ctx, conn, buffered.Reader)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ended, a.stopped, a.err = err == nil, stopped, err
}

// Err returns what went wrong with an agent whose program has ended; nil if it answered.
func (a *Agent) Err() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.err != nil:
		return fmt.Errorf("the conversation broke off: %w", a.err)
	case !a.ended:
		return errors.New("it ended before it had answered")
	case a.stopped != protocol.StopReasonEndTurn && a.stopped != protocol.StopReasonRefusal:
		return fmt.Errorf("it stopped for the reason %.100q", a.stopped)
	}
	return nil
}

// patient is a connection with a time limit for writes.
type patient struct{ net.Conn }

func (p patient) Write(b []byte) (int, error) {
	if err := p.SetWriteDeadline(time.Now().Add(gateway.Patience)); err != nil {
		return 0, err
	}
	return p.Conn.Write(b)
}

// converse opens a session and sends the task to the agent.
func (a *Agent) converse(ctx context.Context, conn net.Conn, from io.Reader) (protocol.StopReason, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	said := newUtterances(from)
	var answering sync.RWMutex // held for reading by those who answer the agent
	over := false
	handle := func(_ context.Context, method string, params json.RawMessage) (any, *protocol.RequestError) {
		defer said.answered()
		answering.RLock()
		defer answering.RUnlock()
		if over {
			return nil, protocol.NewInternalError("the conversation is over")
		}
		return a.answer(method, params)
	}
	c := protocol.NewConnection(handle, patient{conn}, said)
	c.SetLogger(slog.New(slog.DiscardHandler))
	said.begin()
	stopped, err := a.send(ctx, c)
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

// send performs the protocol's steps and returns why the agent stopped.
func (a *Agent) send(ctx context.Context, c *protocol.Connection) (protocol.StopReason, error) {
	known, err := protocol.SendRequest[protocol.InitializeResponse](c, ctx, protocol.AgentMethodInitialize, protocol.InitializeRequest{
		ProtocolVersion:    protocol.ProtocolVersionNumber,
		ClientCapabilities: protocol.ClientCapabilities{Fs: protocol.FileSystemCapabilities{ReadTextFile: true, WriteTextFile: true}},
		ClientInfo:         &protocol.Implementation{Name: "agentd", Version: "1"},
	})
	if err != nil {
		return "", fmt.Errorf("initialize: %w", err)
	}
	if known.ProtocolVersion != protocol.ProtocolVersionNumber {
		return "", fmt.Errorf("it speaks version %d of the protocol, not %d", known.ProtocolVersion, protocol.ProtocolVersionNumber)
	}
	session, err := protocol.SendRequest[protocol.NewSessionResponse](c, ctx, protocol.AgentMethodSessionNew, protocol.NewSessionRequest{
		Cwd: sandbox.Workspace, McpServers: []protocol.McpServer{},
	})
	if err != nil {
		return "", fmt.Errorf("session/new: %w", err)
	}
	answer, err := protocol.SendRequest[protocol.PromptResponse](c, ctx, protocol.AgentMethodSessionPrompt, protocol.PromptRequest{
		SessionId: session.SessionId, Prompt: []protocol.ContentBlock{protocol.TextBlock(a.prompt)},
	})
	if err != nil {
		return "", fmt.Errorf("session/prompt: %w", err)
	}
	return answer.StopReason, nil
}

// answer answers a request of the agent.
func (a *Agent) answer(method string, params json.RawMessage) (any, *protocol.RequestError) {
	switch method {
	case protocol.ClientMethodSessionUpdate:
		return nil, nil // what the model said and called is in the trace already
	case protocol.ClientMethodFsReadTextFile:
		return answerTo(params, func(ask protocol.ReadTextFileRequest) (any, error) {
			text, err := a.files.ReadFile(Request{ReadTextFile, ask.Path, string(params), ask})
			return protocol.ReadTextFileResponse{Content: text}, err
		})
	case protocol.ClientMethodFsWriteTextFile:
		return answerTo(params, func(ask protocol.WriteTextFileRequest) (any, error) {
			err := a.files.WriteFile(Request{Tool: WriteTextFile, Path: ask.Path, Arguments: string(params)}, ask.Content)
			return protocol.WriteTextFileResponse{}, err
		})
	case protocol.ClientMethodSessionRequestPermission:
		return answerTo(params, func(ask protocol.RequestPermissionRequest) (any, error) {
			return protocol.RequestPermissionResponse{Outcome: permitted(ask)}, nil
		})
	}
	return nil, protocol.NewMethodNotFound(method)
}

// answerTo decodes the parameters of a request and calls meet with them.
func answerTo[T any](params json.RawMessage, meet func(T) (any, error)) (any, *protocol.RequestError) {
	var ask T
	if err := json.Unmarshal(params, &ask); err != nil {
		return nil, protocol.NewInvalidParams(err.Error())
	}
	answer, err := meet(ask)
	switch {
	case err == nil:
		return answer, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, &protocol.RequestError{Code: notFound, Message: err.Error()}
	}
	return nil, &protocol.RequestError{Code: invalidParams, Message: err.Error()}
}

// permitted allows a tool call unless it concerns a place outside the workspace. The sandbox
// confines the agent in any case.
func permitted(ask protocol.RequestPermissionRequest) protocol.RequestPermissionOutcome {
	kinds := []protocol.PermissionOptionKind{protocol.PermissionOptionKindAllowOnce, protocol.PermissionOptionKindAllowAlways}
	for _, location := range ask.ToolCall.Locations {
		if _, err := (Request{Path: location.Path}).Name(); err != nil {
			kinds = []protocol.PermissionOptionKind{protocol.PermissionOptionKindRejectOnce, protocol.PermissionOptionKindRejectAlways}
		}
	}
	for _, kind := range kinds {
		for _, option := range ask.Options {
			if option.Kind == kind {
				return protocol.NewRequestPermissionOutcomeSelected(option.OptionId)
			}
		}
	}
	return protocol.NewRequestPermissionOutcomeCancelled()
}

// Name returns the workspace name for the path of a request.
func (r Request) Name() (string, error) {
	clean := r.Path
	if !path.IsAbs(clean) {
		clean = sandbox.Workspace + "/" + clean
	}
	inside, ok := strings.CutPrefix(path.Clean(clean), sandbox.Workspace+"/")
	if !ok {
		return "", fmt.Errorf("%.200q is not in %s", r.Path, sandbox.Workspace)
	}
	return inside, nil
}

// Error codes. The second tells agents that a file does not exist.
const (
	invalidParams = -32602
	notFound      = -32002
)

// Of returns the requested lines of a file's text.
func (r Request) Of(text string) string {
	from, most := r.lines.Line, r.lines.Limit // counted from 1
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
