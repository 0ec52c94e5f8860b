package gym

import (
	"context"
	"errors"

	"github.com/go-json-experiment/json/jsontext"
)

// Codes of JSON-RPC.
const (
	parseError     = -32700
	invalidRequest = -32600
	noMethod       = -32601
	invalidParams  = -32602
	serverError    = -32000
)

// rpcRequest is a request by JSON-RPC 2.0.
type rpcRequest struct {
	Version string         `json:"jsonrpc"`
	Method  string         `json:"method"`
	Params  jsontext.Value `json:"params"`
	ID      jsontext.Value `json:"id"`
}

// rpcAnswer has a result or an error.
type rpcAnswer struct {
	Version string         `json:"jsonrpc"`
	ID      jsontext.Value `json:"id"`
	Result  any            `json:"result,omitzero"`
	Error   *rpcError      `json:"error,omitzero"`
}

type rpcError struct {
	Code    int      `json:"code"`
	Message string   `json:"message"`
	Data    *problem `json:"data,omitzero"`
}

func (e *rpcError) Error() string { return e.Message }

// rpcParams has the parameters of all methods.
type rpcParams struct {
	Name      string         `json:"name"`
	Arguments jsontext.Value `json:"arguments"`
	Session   string         `json:"session_id"`
	// Reset begins an episode in the session that is made.
	Reset *resetData     `json:"reset"`
	Meta  jsontext.Value `json:"_meta"`
}

// rpc answers a request in the session of a connection, or in the one that it names where own is nil. Sessions
// that it makes end with ctx.
func (s *Server) rpc(ctx context.Context, raw []byte, own *session) []byte {
	var r rpcRequest
	answer := rpcAnswer{Version: "2.0", ID: jsontext.Value("null")}
	var err error
	switch {
	case !jsontext.Value(raw).IsValid():
		err = &rpcError{Code: parseError, Message: "the request is not JSON"}
	case decode(raw, &r) != nil || r.Version != answer.Version:
		err = &rpcError{Code: invalidRequest, Message: "the request is not JSON-RPC 2.0"}
	default:
		if kind := r.ID.Kind(); kind == '"' || kind == '0' {
			answer.ID = r.ID
		}
		answer.Result, err = s.method(ctx, &r, own)
	}
	if err != nil {
		answer.Result, answer.Error = nil, rpcErrorOf(err)
	}
	return encode(answer)
}

func rpcErrorOf(err error) *rpcError {
	var known *rpcError
	var p *problem
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &p) && p.Code == validationError:
		return &rpcError{Code: invalidParams, Message: p.Message}
	case errors.As(err, &p):
		return &rpcError{Code: serverError, Message: p.Message, Data: p}
	}
	return &rpcError{Code: serverError, Message: err.Error()}
}

// refusedRPC returns the message for a client of /mcp that gets no session.
func refusedRPC(err error) []byte {
	return encode(rpcAnswer{Version: "2.0", ID: jsontext.Value("null"), Error: rpcErrorOf(err)})
}

func (s *Server) method(ctx context.Context, r *rpcRequest, own *session) (any, error) {
	var p rpcParams
	if err := decode(r.Params, &p); err != nil {
		return nil, err
	}
	switch r.Method {
	case "tools/list":
		return map[string]any{"tools": mcpTools()}, nil
	case "tools/call":
		x := own
		if x == nil {
			x = s.find(p.Session)
		}
		if x == nil {
			return nil, &rpcError{Code: invalidParams, Message: "no session has this session_id"}
		}
		return x.callTool(&p)
	case "openenv/session/create":
		return s.createByRPC(ctx, &p, own)
	case "openenv/session/close":
		return s.closeByRPC(&p, own)
	}
	return nil, &rpcError{Code: noMethod, Message: "there are tools/list, tools/call, openenv/session/create and openenv/session/close"}
}

// mcpTools are the tools as MCP describes them.
func mcpTools() []map[string]any {
	var all []map[string]any
	for _, t := range allTools() {
		all = append(all, map[string]any{"name": t.Name, "description": t.Description, "inputSchema": t.Schema})
	}
	return all
}

// callTool is a step whose answer has the form of MCP. "data" is the text again, where OpenEnv's client looks for it, and
// "step" is what a step would have been answered with.
func (x *session) callTool(p *rpcParams) (any, error) {
	r, err := x.step(&action{Type: callTool, ToolName: p.Name, Arguments: p.Arguments})
	if err != nil {
		return nil, err
	}
	text := r.Observation.Result
	return map[string]any{
		"content": []map[string]string{{"type": "text", "text": text}}, "isError": r.Observation.Failed, "data": text, "step": r,
	}, nil
}

func (s *Server) createByRPC(ctx context.Context, p *rpcParams, own *session) (any, error) {
	x := own
	if x == nil {
		var err error
		if x, err = s.open(ctx, false); err != nil {
			return nil, err
		}
	}
	made := map[string]any{"session_id": x.id}
	if p.Reset == nil {
		return made, nil
	}
	r, err := x.reset(p.Reset)
	if err != nil {
		if own == nil {
			x.close()
		}
		return nil, err
	}
	made["reset"] = r
	return made, nil
}

// closeByRPC closes a session. One that a connection uses is closed by leaving.
func (s *Server) closeByRPC(p *rpcParams, own *session) (any, error) {
	x := s.find(p.Session)
	switch {
	case own != nil && p.Session == own.id:
		return nil, &rpcError{Code: invalidRequest, Message: "the session ends with its connection"}
	case x == nil:
		return nil, &rpcError{Code: invalidParams, Message: "no session has this session_id"}
	}
	if _, err := s.attach(p.Session); err != nil { // a connection has it, and its episode ends with that
		x.end()
		return map[string]any{"session_id": p.Session, "closed": false, "closing": true}, nil
	}
	x.close()
	return map[string]any{"session_id": p.Session, "closed": true}, nil
}
