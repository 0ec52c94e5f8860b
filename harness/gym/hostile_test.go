package gym

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// undisturbed plays an episode to its end while something happens, and fails if that is noticed.
func (g *gym) undisturbed(t *testing.T, happens func()) {
	t.Helper()
	c := g.dial(t, "/ws")
	s := c.reset(m{"env": "accounting1", "direction": "forward", "seed": 1})
	happens()
	if s = c.answer(g.exact(t, s)); *s.Reward != 1 {
		t.Errorf("another session was disturbed: %+v", s)
	}
	_ = c.Close(websocket.StatusNormalClosure, "")
}

func TestWrongMessagesHaveCodes(t *testing.T) {
	t.Parallel()
	g := serve(t, Options{}, "accounting1")
	g.undisturbed(t, func() {
		c := g.dial(t, "/ws")
		for text, want := range map[string]string{
			"": invalidJSON, "{": invalidJSON, "reset": invalidJSON, `{"type":"reset"} {}`: invalidJSON, "\xff": invalidJSON,
			"[]": unknownType, "null": unknownType, `"reset"`: unknownType, "{}": unknownType, `{"type":7}`: unknownType, `{"type":"Reset"}`: unknownType,
			`{"type":"run","code":"x"}`: unknownType, `{"type":"constructor"}`: unknownType,
			`{"type":"reset","date":{}}`: validationError, `{"type":"reset","data":[]}`: validationError, `{"type":"reset","data":{"seed":1.5}}`: validationError,
			`{"type":"step","data":{}}`: validationError, `{"type":"step"}`: validationError, `{"type":"step","data":{"type":"call_tool"}}`: validationError,
			`{"type":"step","data":{"type":"answer"}}`: validationError, `{"type":"step","data":{"type":"answer","files":{},"text":""}}`: validationError,
			`{"type":"step","data":{"type":"jump"}}`: validationError, `{"type":"step","data":{"type":"call_tool","tool_name":"list","x":1}}`: validationError,
			`{"type":"step","data":{"type":"call_tool","tool_name":"list"}}`:                        executionError, // before a reset
			`{"type":"reset","data":` + strings.Repeat(`[`, 5000) + strings.Repeat(`]`, 5000) + `}`: validationError,
		} {
			if code := c.code(text); code != want {
				t.Errorf("%.80q has the code %s, want %s", text, code, want)
			}
		}
		if s := c.step(m{"type": "list_tools"}); len(s.Observation.Tools) < 5 {
			t.Errorf("tools before a reset: %+v", s)
		}
		s := c.reset(m{"env": "accounting1"})
		for _, call := range []m{
			{"tool_name": "reset", "arguments": m{}}, {"tool_name": "list", "arguments": "{"}, {"tool_name": "read_file", "arguments": m{"path": "../../etc/passwd"}},
			{"tool_name": "read_file", "arguments": m{}}, {"tool_name": "read_file", "arguments": nil},
		} {
			call["type"] = "call_tool"
			if s := c.step(call); !s.Observation.Failed || s.Observation.Result == "" || s.Done {
				t.Errorf("%v: %+v", call, s)
			}
		}
		if s := c.step(m{"type": "call_tool", "tool_name": "read_file", "arguments": fmt.Sprintf("{\"path\": %q}", s.Observation.Files[0])}); s.Observation.Failed {
			t.Errorf("arguments as text: %+v", s)
		}
	})
}

// ended returns how the server has closed a connection.
func ended(t *testing.T, c *client) websocket.StatusCode {
	t.Helper()
	for {
		_, _, err := c.Read(t.Context())
		if err != nil {
			return websocket.CloseStatus(err)
		}
	}
}

func TestFloodsEnd(t *testing.T) {
	t.Parallel()
	g := serve(t, Options{}, "accounting1")
	g.undisturbed(t, func() {
		c := g.dial(t, "/ws")
		text := []byte(sent(t, "reset", m{"env": "accounting1"}))
		for range 10_000 {
			if err := c.Write(t.Context(), websocket.MessageText, text); err != nil {
				break
			}
		}
		if code := ended(t, c); code == websocket.StatusNormalClosure {
			t.Errorf("a flood ended with %v", code)
		}
		g.log.have(t, errFlood.Error())
	})
}

func TestHugeFramesEnd(t *testing.T) {
	t.Parallel()
	g := serve(t, Options{}, "accounting1")
	g.undisturbed(t, func() {
		c := g.dial(t, "/ws")
		_ = c.Write(t.Context(), websocket.MessageText, []byte(strings.Repeat("x", mostMessage+1)))
		if code := ended(t, c); code == websocket.StatusNormalClosure {
			t.Errorf("a huge frame ended with %v", code)
		}
		g.log.have(t, "limit")
		if status, _ := g.post(t, "/reset", strings.Repeat("x", mostMessage+1)); status != http.StatusRequestEntityTooLarge {
			t.Errorf("a huge body has the status %d", status)
		}
	})
}

// upgrade opens a WebSocket by hand and does nothing more, not even answer pings.
func upgrade(t *testing.T, g *gym) net.Conn {
	t.Helper()
	host := strings.TrimPrefix(g.url, "http://")
	conn, err := net.Dial("tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	fmt.Fprintf(conn, "GET /ws HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n", host)
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || response.StatusCode != http.StatusSwitchingProtocols {
		t.Fatalf("%v, %v", response, err)
	}
	return conn
}

func TestHalfOpenConnectionsAreNoticed(t *testing.T) {
	t.Parallel()
	g := serve(t, Options{Ping: 200 * time.Millisecond}, "accounting1")
	c := g.dial(t, "/ws")
	upgrade(t, g)
	upgrade(t, g)
	eventually(t, "the sessions of the two are free", func() bool {
		c.say(`{"type":"state"}`) // a client that reads answers pings
		return g.active() == 1
	})
	g.log.have(t, "a ping was not answered")
	c.reset(m{"env": "accounting1"})
}

func TestClientsThatSayNothingLoseTheirSession(t *testing.T) {
	t.Parallel()
	g := serve(t, Options{Idle: 100 * time.Millisecond}, "accounting1")
	c := g.dial(t, "/ws")
	if code := ended(t, c); code != websocket.StatusPolicyViolation {
		t.Errorf("an idle connection ended with %v", code)
	}
	if status, body := g.post(t, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"openenv/session/create"}`); status != http.StatusOK || !strings.Contains(body, "session_id") {
		t.Errorf("%d %s", status, body)
	}
	eventually(t, "all sessions are free", func() bool { return g.active() == 0 })
}

// A client that goes away in the middle of an episode leaves nothing.
func TestClientsThatDisappearFreeTheirSession(t *testing.T) {
	t.Parallel()
	g := serve(t, Options{Sessions: 3}, "accounting1")
	for range 20 {
		var all []*client
		eventually(t, "there are free sessions", func() bool { return g.active() == 0 })
		for range 3 {
			c := g.dial(t, "/ws")
			c.reset(m{"env": "accounting1", "round_trips": 2})
			all = append(all, c)
		}
		c := g.dial(t, "/ws")
		if _, raw, err := c.Read(t.Context()); err != nil || !strings.Contains(string(raw), capacityReached) {
			t.Fatalf("%s, %v", raw, err)
		}
		for _, c := range all {
			_ = c.CloseNow()
		}
	}
	g.log.have(t, "all are in use")
}

func TestForeignOriginsAndHostsAreRefused(t *testing.T) {
	t.Parallel()
	g := serve(t, Options{}, "accounting1")
	g.undisturbed(t, func() {
		for _, header := range []http.Header{{"Origin": {"https://evil.example"}}, {"Origin": {"null"}}} {
			conn, response, err := websocket.Dial(t.Context(), g.url+"/ws", &websocket.DialOptions{HTTPHeader: header})
			if err == nil {
				_ = conn.CloseNow()
			}
			if response == nil || response.StatusCode != http.StatusForbidden {
				t.Errorf("%v: %v, %v", header, response, err)
			}
		}
		conn, response, err := websocket.Dial(t.Context(), g.url+"/ws", &websocket.DialOptions{Host: "evil.example"})
		if err == nil {
			_ = conn.CloseNow()
		}
		if response == nil || response.StatusCode != http.StatusMisdirectedRequest {
			t.Errorf("%v, %v", response, err)
		}
		g.log.have(t, "evil.example")
	})
}

// Requests that are never completed hold nothing that sessions need.
func TestSlowHeadersDisturbNoSession(t *testing.T) {
	t.Parallel()
	g := serve(t, Options{}, "accounting1")
	host := strings.TrimPrefix(g.url, "http://")
	for range 100 {
		conn, err := net.Dial("tcp", host)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		fmt.Fprintf(conn, "GET /ws HTTP/1.1\r\nHost: %s\r\n", host)
	}
	g.undisturbed(t, func() {})
}

// A server that ends closes its connections.
func TestTheEndOfAServerIsTold(t *testing.T) {
	t.Parallel()
	g := serve(t, Options{}, "accounting1")
	c := g.dial(t, "/ws")
	c.reset(m{"env": "accounting1"})
	g.closeAll()
	if _, _, err := c.Read(t.Context()); err == nil || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}
