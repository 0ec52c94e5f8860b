package sim

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"agentd/models/wire"
)

// Prefix is the prefix of stand-ins among model names: sim:weak.
const Prefix = "sim:"

// Options set how a server answers.
type Options struct {
	Delay time.Duration // before each completion
	Pace  time.Duration // between two events of a streamed answer; 0 sends them at once
	// Faults is the share of requests with a fault that does not recur when the request is
	// retried. LastingFaults is the share with one that does: the conversation is too long, or
	// an answer is filtered or ends at the output limit.
	Faults, LastingFaults float64
	Seed                  uint64        // of the faults
	Stall                 time.Duration // how long a stalled request keeps its client waiting
	Rules                 []string      // further ones that requests must keep; see AllRules
}

// DefaultStall is shorter than the timeout of clients.
const DefaultStall = 2 * time.Second

// maxBody bounds a request; up to usualBody its length is believed before it has come.
const (
	maxBody   = 64 << 20
	usualBody = 1 << 20
)

// Handler serves the stand-ins as the makers serve their models: chat completions, Responses,
// images/edits and Messages under /v1, and generateContent under /v1beta and /v1. The model of
// a request is a profile's name, with or without Prefix.
func Handler(editor Editor, options Options) http.Handler {
	s := &standIns{
		editor: editor, options: options, faults: &faults{options: options, seen: map[uint64]uint64{}},
		works: &works{seed: maphash.MakeSeed()},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", listModels)
	for path, d := range dialects() {
		mux.HandleFunc("POST "+path, s.serve(d))
	}
	return mux
}

// standIns are the models of a server.
type standIns struct {
	editor  Editor
	options Options
	faults  *faults
	works   *works
}

// serve handles requests of a dialect.
func (s *standIns) serve(d dialect) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var body bytes.Buffer
		body.Grow(int(min(max(r.ContentLength, 0), usualBody)) + bytes.MinRead)
		_, err := body.ReadFrom(http.MaxBytesReader(w, r.Body, maxBody))
		if err != nil {
			refuse(w, d, refusedf("the request cannot be read: %v", err))
			return
		}
		asked, refused := s.understand(d, r, body.Bytes())
		if refused != nil {
			refuse(w, d, refused)
			return
		}
		met, err := s.faults.of(r, body.Bytes())
		if err != nil {
			refuse(w, d, refusedf("%v", err))
			return
		}
		select {
		case <-time.After(s.options.Delay):
		case <-r.Context().Done():
			return
		}
		whole := s.answer(asked)
		s.faults.play(w, r, d, asked, met, whole)
	}
}

// understand decodes a request and checks the rules of the dialect.
func (s *standIns) understand(d dialect, r *http.Request, body []byte) (*request, *refusal) {
	asked, refused := d.read(r, body)
	if refused != nil {
		return nil, refused
	}
	profile, ok := ProfileNamed(strings.TrimPrefix(asked.Model, Prefix))
	if !ok {
		return nil, &refusal{http.StatusNotFound, "model_not_found", fmt.Sprintf("there is no stand-in %q; there are %s", asked.Model, strings.Join(names(), ", "))}
	}
	asked.profile = profile
	if refused := fits(r, asked); refused != nil {
		return nil, refused
	}
	return asked, rulesOf(r, s.options.Rules).hold(d, asked)
}

// WindowHeader of a request sets the largest number of its tokens; 0 for no limit.
const WindowHeader = "Sim-Window"

// fits refuses a request that exceeds the window.
func fits(r *http.Request, asked *request) *refusal {
	said := cmp.Or(r.Header.Get(WindowHeader), "0")
	most, err := strconv.Atoi(said)
	if err != nil || most < 0 {
		return refusedf("%s: %q is not a number of tokens", WindowHeader, said)
	}
	if tokens := used(asked, &message{}).Prompt; most > 0 && tokens > most {
		return &refusal{http.StatusBadRequest, "context_length_exceeded", fmt.Sprintf(
			"This model's maximum context length is %d tokens. However, your messages resulted in %d tokens. Please reduce the length of the messages.", most, tokens)}
	}
	return nil
}

func names() []string {
	var names []string
	for _, p := range Profiles() {
		names = append(names, Prefix+p.Name)
	}
	return names
}

func listModels(w http.ResponseWriter, _ *http.Request) {
	var models []map[string]string
	for _, name := range names() {
		models = append(models, map[string]string{"id": name, "object": "model", "owned_by": "agentd"})
	}
	reply(w, http.StatusOK, map[string]any{"object": "list", "data": models})
}

// answer returns the stand-in's answer to a request.
func (s *standIns) answer(r *request) answer {
	m := play(r.profile, s.editor, s.works, r)
	tell(&m, r)
	finish := wire.Stop
	if len(m.ToolCalls) > 0 {
		finish = wire.Calls
	}
	if r.profile.Cut {
		endAfter(&m, cutAfter)
		finish = wire.Length
	}
	if r.Reasons {
		m.Reasoning = thoughts(&m)
	}
	u := used(r, &m)
	if r.caching {
		u.Cached, u.CacheWrite = r.cached/bytesPerToken, r.written/bytesPerToken
	}
	return answer{
		ID: fmt.Sprintf("sim-%016x", stream(r, "id").Uint64()), Model: Prefix + r.profile.Name,
		Message: m, FinishReason: finish, Usage: u,
	}
}

// tell gives unique identifiers to calls that were already made in the conversation.
func tell(m *message, r *request) {
	for i := range m.ToolCalls {
		id, times := m.ToolCalls[i].ID, 0
		for k := range r.Messages {
			for _, earlier := range r.Messages[k].ToolCalls {
				if earlier.ID == id || strings.HasPrefix(earlier.ID, id+"_") {
					times++
				}
			}
		}
		if times > 0 {
			m.ToolCalls[i].ID = fmt.Sprintf("%s_%d", id, times+1)
		}
	}
}

// thoughts returns the visible reasoning of a stand-in.
func thoughts(m *message) string {
	if len(m.ToolCalls) == 0 {
		return "I know what the files must be, and write them down."
	}
	return fmt.Sprintf("Of the tools I take %s next.", m.ToolCalls[0].Name)
}

// bytesPerToken is the usual size of a token of English text and markup; the
// stand-in's token counts are estimates by it.
const bytesPerToken = 4

// used estimates the tokens of a completion. Everything up to the stand-in's last answer was
// sent before and counts as cached.
func used(r *request, m *message) wire.Usage {
	prompt, cached := 0, 0
	for i := range r.Tools {
		f := &r.Tools[i]
		prompt += len(f.Name) + len(f.Description) + len(f.Parameters)
	}
	for i := range r.Messages {
		if r.Messages[i].Role == assistant {
			cached = prompt
		}
		prompt += sizeOf(&r.Messages[i])
	}
	completion := sizeOf(m) + len(m.Reasoning)
	return wire.Usage{
		Prompt: prompt / bytesPerToken, Completion: completion / bytesPerToken,
		Cached: cached / bytesPerToken, Reasoning: len(m.Reasoning) / bytesPerToken,
	}
}

// pictureTokens is the number of tokens of a picture, shown or drawn.
const pictureTokens = 1024

func sizeOf(m *message) int {
	total := len(m.Text(between)) + (len(m.Pictures)+len(m.Shown()))*pictureTokens*bytesPerToken
	for _, call := range m.ToolCalls {
		total += len(call.Name) + len(call.Arguments)
	}
	return total
}

// Server is a running server of stand-ins.
type Server struct {
	http *http.Server
	done chan error
}

// Listen starts a server on an address such as 127.0.0.1:0.
func Listen(address string, editor Editor, options Options) (*Server, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("starting the stand-in server: %w", err)
	}
	s := &Server{
		http: &http.Server{Addr: listener.Addr().String(), Handler: Handler(editor, options), ReadHeaderTimeout: 10 * time.Second},
		done: make(chan error, 1),
	}
	go func() { s.done <- s.http.Serve(listener) }()
	return s, nil
}

// URL returns the base URL for clients.
func (s *Server) URL() string { return "http://" + s.http.Addr + "/v1" }

// Wait returns when the server stops.
func (s *Server) Wait() error {
	if err := <-s.done; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Close waits up to grace for requests in progress and stops the server.
func (s *Server) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if err := s.http.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return s.http.Close() // connections that never carried a request
}

// grace is how long requests in progress may take when the server stops.
const grace = 200 * time.Millisecond
