package gym

import (
	"context"
	_ "embed"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/net/netutil"

	"agentd/internal/sameorigin"
)

// schema has the JSON schemas of what clients send and are shown.
//
//go:embed schema.json
var schema []byte

// Serve serves on a listener until ctx ends.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	web := &http.Server{
		Handler: s.Handler(), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, WriteTimeout: 5 * time.Minute,
		IdleTimeout: time.Minute, MaxHeaderBytes: 64 << 10,
	}
	var serving sync.WaitGroup
	serving.Go(func() { s.reap(ctx) })
	ended := make(chan error, 1)
	// Connections that have no session wait, or are refused; these are enough for both.
	serving.Go(func() { ended <- web.Serve(netutil.LimitListener(listener, 2*s.options.Sessions+64)) })
	var err error
	select {
	case err = <-ended:
	case <-ctx.Done():
		const answering = 2 * time.Second
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), answering)
		defer cancel()
		if web.Shutdown(ending) != nil {
			_ = web.Close() // a client that does not take its answer
		}
	}
	s.closeAll()
	serving.Wait()
	return err
}

// closeAll ends all sessions.
func (s *Server) closeAll() {
	s.sessions.mu.Lock()
	var open []*session
	for _, x := range s.sessions.all {
		open = append(open, x)
	}
	s.sessions.mu.Unlock()
	for _, x := range open {
		x.close()
	}
}

// Handler answers all requests. Requests for other hosts, and of pages of other origins, are refused.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /ws", func(w http.ResponseWriter, r *http.Request) {
		s.connect(w, r, func(x *session) handle { return x.environment }, refusal)
	})
	mux.HandleFunc("GET /mcp", func(w http.ResponseWriter, r *http.Request) {
		s.connect(w, r, func(x *session) handle {
			return func(raw []byte) ([]byte, bool) { return s.rpc(x.ctx, raw, x), false }
		}, refusedRPC)
	})
	mux.HandleFunc("POST /mcp", s.post(func(raw []byte) (any, error) { return jsontext.Value(s.rpc(s.base, raw, nil)), nil }))
	mux.HandleFunc("GET /health", s.get(map[string]string{"status": "healthy"}))
	mux.HandleFunc("GET /metadata", s.get(map[string]string{
		"name": Name, "version": s.options.Version, "description": "Reversible edits of documents, with tools or in one answer; the reward is computed from an exact program.",
	}))
	mux.HandleFunc("GET /schema", s.get(jsontext.Value(schema)))
	if !s.options.Production {
		mux.HandleFunc("GET /state", s.get(state{}))
		mux.HandleFunc("POST /reset", s.post(s.resetOnce))
		mux.HandleFunc("POST /step", s.post(s.stepOnce))
	}
	s.taskRoutes(mux)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := sameorigin.Check(r, s.options.Hosts); err != nil {
			s.log.Warn().Str("from", r.RemoteAddr).Str("host", r.Host).Str("origin", r.Header.Get("Origin")).Msg("a request is refused: " + err.Reason)
			http.Error(w, err.Reason, err.Status)
			return
		}
		http.MaxBytesHandler(mux, mostMessage).ServeHTTP(w, r)
	})
}

// get returns a handler for a constant value.
func (s *Server) get(value any) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { write(w, http.StatusOK, value) }
}

// post returns a handler that answers a request body with the result of do.
func (s *Server) post(do func(body []byte) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var answer any
		if err == nil {
			answer, err = do(body)
		} else if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
			s.log.Warn().Str("from", r.RemoteAddr).Str("path", r.URL.Path).Msg("a request is refused: its body is too large")
			write(w, http.StatusRequestEntityTooLarge, map[string]string{"detail": err.Error()})
			return
		}
		if err != nil {
			write(w, statusOf(err), map[string]string{"detail": err.Error()})
			return
		}
		write(w, http.StatusOK, answer)
	}
}

func write(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(encode(value)) // ignore a client that has disconnected
}

// statusOf returns the HTTP status for an error.
func statusOf(err error) int {
	var p *problem
	if !errors.As(err, &p) {
		return http.StatusBadRequest
	}
	switch p.Code {
	case validationError:
		return http.StatusUnprocessableEntity
	case capacityReached, factoryError:
		return http.StatusServiceUnavailable
	case notFound:
		return http.StatusNotFound
	}
	return http.StatusInternalServerError
}

// resetOnce begins an episode, shows it, and drops it.
func (s *Server) resetOnce(body []byte) (any, error) {
	var asked resetData
	if err := decode(body, &asked); err != nil {
		return nil, err
	}
	x, err := s.open(s.base, true)
	if err != nil {
		return nil, err
	}
	defer x.close()
	return x.reset(&asked)
}

// stepOnce carries out one action in an episode of its own, which it begins as "reset" says.
func (s *Server) stepOnce(body []byte) (any, error) {
	var asked struct {
		Action    jsontext.Value `json:"action"`
		Reset     resetData      `json:"reset"`
		TimeoutS  *float64       `json:"timeout_s"` // scripts have the sandbox's limit
		RequestID string         `json:"request_id"`
	}
	if err := decode(body, &asked); err != nil {
		return nil, err
	}
	var a action
	if err := decode(asked.Action, &a); err != nil {
		return nil, err
	}
	if err := a.check(); err != nil {
		return nil, err
	}
	x, err := s.open(s.base, true)
	if err != nil {
		return nil, err
	}
	defer x.close()
	if _, err := x.reset(&asked.Reset); err != nil {
		return nil, err
	}
	return x.step(&a)
}

// notFound is the error code for something that does not exist; over HTTP it is a status.
const notFound = "NOT_FOUND"

// taskRoutes adds OpenEnv's task API.
func (s *Server) taskRoutes(mux *http.ServeMux) {
	mux.HandleFunc("GET /list_environments", s.get([]string{Name}))
	mux.HandleFunc("GET /{env}/splits", func(w http.ResponseWriter, r *http.Request) {
		if !strings.EqualFold(r.PathValue("env"), Name) {
			write(w, http.StatusNotFound, map[string]string{"detail": "unknown environment"})
			return
		}
		write(w, http.StatusOK, []map[string]string{{"name": Train, "type": Train}, {"name": Test, "type": Test}})
	})
	type query struct {
		Split string `json:"split"`
		Index *int   `json:"index"`
		Start *int   `json:"start"`
		Stop  *int   `json:"stop"`
	}
	answer := func(path string, do func(q query, of []Task) (any, error)) {
		mux.HandleFunc("POST /{env}/"+path, func(w http.ResponseWriter, r *http.Request) {
			s.post(func(body []byte) (any, error) {
				if !strings.EqualFold(r.PathValue("env"), Name) {
					return nil, &problem{Message: "unknown environment", Code: notFound}
				}
				var q query
				if err := decode(body, &q); err != nil {
					return nil, err
				}
				of, err := s.tasks.split(q.Split)
				if err != nil {
					return nil, err
				}
				return do(q, of)
			})(w, r)
		})
	}
	answer("tasks", func(_ query, of []Task) (any, error) { return map[string]any{"tasks": of, "env_name": Name}, nil })
	answer("num_tasks", func(_ query, of []Task) (any, error) { return map[string]int{"num_tasks": len(of)}, nil })
	answer("task", func(q query, of []Task) (any, error) {
		if q.Index == nil || *q.Index < 0 || *q.Index >= len(of) {
			return nil, errors.New("invalid task index")
		}
		return map[string]Task{"task": of[*q.Index]}, nil
	})
	answer("task_range", func(q query, of []Task) (any, error) {
		start, stop := 0, len(of)
		if q.Start != nil {
			start = min(max(*q.Start, 0), len(of))
		}
		if q.Stop != nil {
			stop = min(max(*q.Stop, start), len(of))
		}
		return map[string][]Task{"tasks": of[start:max(start, stop)]}, nil
	})
}
