// Package acp speaks the Agent Client Protocol with an agent in a sandbox: JSON-RPC by the
// agent's standard input and output.
//
// In the sandbox a small program starts the agent and carries its words over the one
// connection that a command has, so that nothing of the host is lent to it. Here agentd is
// the client: it opens a session, sends the task as a prompt, answers requests for files
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

// Path is where the program in the sandbox connects.
const Path = "/acp"

// Command returns the command that runs an agent in a sandbox.
func Command(agent []string) []string { return append([]string{"python3", "-c", acpPy}, agent...) }

// Files does what an agent asks of files. Its methods are called by several requests at the
// same time. An agent is told of an error; by fs.ErrNotExist it knows that there is no file.
type Files interface {
	ReadFile(Request) (text string, err error)
	WriteFile(r Request, content string) error
}

// Request is an agent's request for a file.
type Request struct {
	Tool      string // as traces call it
	Path      string // as the agent calls it
	Arguments string // all of the request's, in JSON
	lines     protocol.ReadTextFileRequest
}

// Tools of the protocol's client, as traces call them.
const (
	ReadTextFile  = "read_text_file"
	WriteTextFile = "write_text_file"
)

// Agent is the other end of the conversation with the one agent of an interaction.
type Agent struct {
	prompt string
	files  Files

	mu      sync.Mutex
	begun   bool
	ended   bool // the prompt was answered
	stopped protocol.StopReason
	err     error // why the conversation broke off
}

// New returns the other end for an agent that is to do what the prompt says.
func New(prompt string, files Files) *Agent { return &Agent{prompt: prompt, files: files} }

// Serve holds the conversation over a connection of the agent's, until ctx ends.
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

// Err is what was wrong with an agent whose program has ended; nil if it answered.
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

// patient writes to an agent, which must read.
type patient struct{ net.Conn }

func (p patient) Write(b []byte) (int, error) {
	if err := p.SetWriteDeadline(time.Now().Add(gateway.Patience)); err != nil {
		return 0, err
	}
	return p.Conn.Write(b)
}

// converse opens a session and has the agent do the task.
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

// send goes through the protocol's steps and returns why the agent stopped.
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

// answer answers a request of the agent's.
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

// answerTo reads the parameters of a request and has it met.
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

// permitted allows a tool call, unless it is about a place outside of the workspace. The
// sandbox holds the agent in any case.
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

// Name is the name in the workspace that the path of a request stands for.
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

// Codes of errors. Agents tell by the second that a file is to be made.
const (
	invalidParams = -32602
	notFound      = -32002
)

// Of returns the lines of a file's text that the request asks for.
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
