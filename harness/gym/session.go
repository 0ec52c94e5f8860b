package gym

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// sessions are those that are open.
type sessions struct {
	mu    sync.Mutex
	all   map[string]*session
	most  int
	drawn atomic.Int64 // episodes that began without a seed
}

// session is one client's use of the server, with one episode at a time.
type session struct {
	id     string
	server *Server
	ctx    context.Context
	end    context.CancelFunc

	attached bool // whether a connection uses it; guarded by sessions.mu
	active   atomic.Int64
	mu       sync.Mutex // one request at a time
	current  atomic.Pointer[episode]
	stop     context.CancelFunc // ends the current episode; guarded by mu
}

// open makes a session. ctx ends it; attached says that a connection holds it.
func (s *Server) open(ctx context.Context, attached bool) (*session, error) {
	all := &s.sessions
	all.mu.Lock()
	defer all.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, &problem{Message: "the server is ending", Code: factoryError}
	}
	if len(all.all) >= all.most {
		s.log.Warn().Int("sessions", all.most).Msg("session refused: all are in use")
		return nil, &problem{Message: "all sessions are in use; try again later", Code: capacityReached, Active: len(all.all), Sessions: all.most}
	}
	x := &session{id: newID(), server: s, attached: attached}
	x.ctx, x.end = context.WithCancel(ctx)
	x.touch()
	all.all[x.id] = x
	return x, nil
}

// attach gives a connection the session of an ID that no other one uses.
func (s *Server) attach(id string) (*session, error) {
	all := &s.sessions
	all.mu.Lock()
	defer all.mu.Unlock()
	x, known := all.all[id]
	switch {
	case !known:
		return nil, &problem{Message: "no session has this session_id", Code: sessionError}
	case x.attached:
		return nil, &problem{Message: "the session has a connection already", Code: sessionError}
	}
	x.attached = true
	x.touch()
	return x, nil
}

// detach releases an attached session, and closes it if it was told to end meanwhile.
func (x *session) detach() {
	if x.ctx.Err() != nil {
		x.close()
		return
	}
	all := &x.server.sessions
	all.mu.Lock()
	defer all.mu.Unlock()
	x.attached = false
	x.touch()
}

// find returns a session by its ID, nil if there is none.
func (s *Server) find(id string) *session {
	s.sessions.mu.Lock()
	defer s.sessions.mu.Unlock()
	return s.sessions.all[id]
}

func (x *session) touch() { x.active.Store(time.Now().UnixNano()) }

// idle returns the time since the last request.
func (x *session) idle() time.Duration { return time.Since(time.Unix(0, x.active.Load())) }

// close ends the session and its episode. It returns once the episode's sandbox is gone.
func (x *session) close() {
	x.end()
	if e := x.current.Load(); e != nil {
		<-e.ended
	}
	x.server.sessions.mu.Lock()
	defer x.server.sessions.mu.Unlock()
	delete(x.server.sessions.all, x.id)
}

// reap ends sessions that have no connection and had no request for too long.
func (s *Server) reap(ctx context.Context) {
	tick := time.NewTicker(max(s.options.Idle/4, time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		for _, x := range s.forgotten() {
			s.log.Info().Str("session", x.id).Msg("session ended: idle for too long")
			x.close()
		}
	}
}

// forgotten are the sessions to end. They are marked as attached, so that no connection gets one.
func (s *Server) forgotten() (idle []*session) {
	s.sessions.mu.Lock()
	defer s.sessions.mu.Unlock()
	for _, x := range s.sessions.all {
		if !x.attached && x.idle() > s.options.Idle {
			x.attached = true
			idle = append(idle, x)
		}
	}
	return idle
}

// reset starts an episode and drops the one before.
func (x *session) reset(asked *resetData) (*reply, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	defer x.touch()
	s := x.server
	seed := int64(s.options.Seed) + s.sessions.drawn.Load()
	if asked.Seed != nil {
		seed = *asked.Seed
	}
	if seed < 0 || len(asked.EpisodeID) > 255 {
		return nil, invalidf("seed is 0 or more, and episode_id has up to 255 bytes")
	}
	c, err := s.tasks.choose(asked, seed, s.options.RoundTrips)
	if err != nil {
		return nil, err
	}
	if asked.Seed == nil {
		s.sessions.drawn.Add(1)
	}
	x.drop()
	id := asked.EpisodeID
	if id == "" {
		id = newID()
	}
	var ctx context.Context
	ctx, x.stop = context.WithCancel(x.ctx)
	e := s.begin(ctx, id, c)
	x.current.Store(e)
	return e.next()
}

// drop ends the current episode, if there is one.
func (x *session) drop() {
	if e := x.current.Load(); e != nil {
		x.stop()
		<-e.ended
	}
}

// step carries out an action in the current episode.
func (x *session) step(a *action) (*reply, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	defer x.touch()
	if err := a.check(); err != nil {
		return nil, err
	}
	e := x.current.Load()
	switch {
	case e != nil:
		return e.step(a)
	case a.Type == listTools: // allowed before a reset
		return &reply{Observation: observation{Tools: allTools()}}, nil
	}
	return nil, failedf("no episode has begun; send a reset")
}

// state says where the current episode is.
func (x *session) state() state {
	x.touch()
	if e := x.current.Load(); e != nil {
		return e.state()
	}
	return state{}
}
