package gym

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"agentd/internal/jsonsafe"
)

// Limits of a connection.
const (
	mostMessage    = 4 << 20 // bytes of a message, and of a request over HTTP
	mostUnanswered = 8       // messages that wait for their answers
	writing        = 30 * time.Second
)

// errFlood ends a connection that sends too many messages before reading the answers.
var errFlood = errors.New("too many messages wait for their answers")

// handle answers one message of a connection; end says that the client has said goodbye.
type handle func(raw []byte) (answer []byte, end bool)

// connect serves one connection: with a session of its own, or the one that the query names. welcome makes the
// function that answers messages; refuse words an error for a client that gets no session.
func (s *Server) connect(w http.ResponseWriter, r *http.Request, welcome func(*session) handle, refuse func(error) []byte) {
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true}) // sameorigin has looked at the origin
	if err != nil {
		s.log.Warn().Err(err).Str("from", r.RemoteAddr).Msg("a WebSocket was refused")
		return
	}
	defer func() { _ = conn.CloseNow() }()
	c := &connection{Conn: conn, server: s, from: r.RemoteAddr}
	var x *session
	if id := r.URL.Query().Get("session_id"); id != "" {
		if x, err = s.attach(id); err == nil {
			defer x.detach() // which closes one that was told to end
		}
	} else if x, err = s.open(s.base, true); err == nil {
		defer x.close()
	}
	if err != nil {
		_ = c.send(r.Context(), refuse(err))
		_ = conn.Close(websocket.StatusTryAgainLater, "no session")
		return
	}
	c.serve(x, welcome(x))
}

// connection is one WebSocket.
type connection struct {
	*websocket.Conn
	server *Server
	from   string
}

// serve answers messages, in order, until the client leaves or has to.
func (c *connection) serve(x *session, answer handle) {
	ctx, stop := context.WithCancelCause(x.ctx)
	defer stop(nil)
	c.SetReadLimit(mostMessage)
	inbox := make(chan []byte, mostUnanswered)
	var waiting atomic.Int64 // bytes in the inbox
	var others sync.WaitGroup
	defer others.Wait()
	defer stop(nil)
	others.Go(func() { stop(c.read(ctx, inbox, &waiting)) })
	others.Go(func() { stop(c.ping(ctx)) })
	idle := time.NewTimer(c.server.options.Idle)
	for {
		idle.Reset(c.server.options.Idle)
		select {
		case raw := <-inbox:
			waiting.Add(-int64(len(raw)))
			out, end := answer(raw)
			if end {
				_ = c.Close(websocket.StatusNormalClosure, "")
				return
			}
			if err := c.send(ctx, out); err != nil && ctx.Err() == nil {
				c.leave(err)
				return
			}
		case <-idle.C:
			c.leave(errors.New("idle for too long"))
			_ = c.Close(websocket.StatusPolicyViolation, "idle")
			return
		case <-ctx.Done():
			err, status := context.Cause(ctx), websocket.StatusGoingAway
			if errors.Is(err, errFlood) {
				status = websocket.StatusPolicyViolation
			}
			c.leave(err)
			_ = c.Close(status, "")
			return
		}
	}
}

// leave logs why a connection ended, unless the client closed it properly.
func (c *connection) leave(err error) {
	switch websocket.CloseStatus(err) {
	case websocket.StatusNormalClosure, websocket.StatusGoingAway:
		return
	}
	c.server.log.Warn().Err(err).Str("from", c.from).Msg("a connection ended")
}

// read puts messages into the inbox. It must read continuously, because reading also handles pings
// and pongs.
func (c *connection) read(ctx context.Context, inbox chan<- []byte, waiting *atomic.Int64) error {
	for {
		_, raw, err := c.Read(ctx)
		if err != nil {
			return err
		}
		if waiting.Add(int64(len(raw))) > 2*mostMessage {
			return errFlood
		}
		select {
		case inbox <- raw:
		default:
			return errFlood
		}
	}
}

// ping detects clients that disappeared without closing the connection.
func (c *connection) ping(ctx context.Context) error {
	tick := time.NewTicker(c.server.options.Ping)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
		soon, cancel := context.WithTimeout(ctx, c.server.options.Ping)
		err := c.Ping(soon)
		cancel()
		if err != nil {
			return errors.Join(errors.New("a ping was not answered"), err)
		}
	}
}

func (c *connection) send(ctx context.Context, text []byte) error {
	ctx, cancel := context.WithTimeout(ctx, writing)
	defer cancel()
	return c.Write(ctx, websocket.MessageText, text)
}

// environment answers the messages of /ws.
func (x *session) environment(raw []byte) (answer []byte, end bool) {
	kind, data, err := x.answer(raw)
	if kind == "close" {
		return nil, true
	}
	if err != nil {
		return refusal(err), false
	}
	return encode(message{kind, data}), false
}

// refusal returns the message for an error.
func refusal(err error) []byte {
	var p *problem
	if !errors.As(err, &p) {
		p = &problem{Message: err.Error(), Code: executionError}
	}
	return encode(message{"error", encode(p)})
}

// answer carries out a message and returns the type and the data of the answer.
func (x *session) answer(raw []byte) (kind string, data jsontext.Value, err error) {
	m, err := readMessage(raw)
	if err != nil {
		return "", nil, err
	}
	switch m.Type {
	case "reset":
		var asked resetData
		if err = decode(m.Data, &asked); err == nil {
			return observed(x.reset(&asked))
		}
	case "step":
		var a action
		if err = decode(m.Data, &a); err == nil {
			return observed(x.step(&a))
		}
	case "state":
		return "state", encode(x.state()), nil
	case "close":
		return "close", nil, nil
	case "mcp":
		return "mcp", x.server.rpc(x.ctx, m.Data, x), nil
	}
	return "", nil, err
}

func observed(r *reply, err error) (string, jsontext.Value, error) {
	if err != nil {
		return "", nil, err
	}
	return "observation", encode(r), nil
}

// readMessage reads a message, its type first.
func readMessage(raw []byte) (m message, err error) {
	if !jsontext.Value(raw).IsValid() {
		return m, &problem{Message: "the message is not JSON", Code: invalidJSON}
	}
	if err := jsonsafe.DefaultLimits().Check(raw); err != nil {
		return m, invalidf("%v", err)
	}
	known := []string{"reset", "step", "state", "close", "mcp"}
	if json.Unmarshal(raw, &m) != nil || !slices.Contains(known, m.Type) {
		return m, &problem{Message: "a message has one of the types " + strings.Join(known, ", "), Code: unknownType}
	}
	return m, decode(raw, &m)
}
