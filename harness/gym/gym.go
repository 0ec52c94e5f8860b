// Package gym serves the editing of documents as an environment for reinforcement learning, in the
// protocol of OpenEnv 0.10.
//
// An episode is a relay, or one interaction of it, that the harness works on as it does in an experiment.
// The policy is the client: it is shown what a policy sees, calls the tools or answers with whole files, and
// is paid when an interaction ends. What it is paid is computed from the exact program of the edit
// (package grade), so that tasks need neither a judge nor an answer written by hand.
//
// Each connection has a session, and each session at most one episode. What a client may use is bounded:
// sessions, messages, bytes, steps and time. A client that goes away takes its session with it.
package gym

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"agentd/harness"
	"agentd/policies"
	"agentd/policies/direct"
	"agentd/policies/prompt"
	"agentd/results"
)

// Name is the name of the policy, and of the environment in OpenEnv's task API.
const Name = "gym"

// Options say how a server serves. Zero values of the numbers stand for the defaults.
type Options struct {
	Version    string
	Log        zerolog.Logger
	Hosts      []string       // names that requests may have for this server; nil for any
	Production bool           // no reset, step and state over HTTP, as OPENENV_MODE=production asks for
	Sessions   int            // at the same time; DefaultSessions
	Steps      int            // of an interaction; DefaultSteps
	RoundTrips int            // of an episode for which a reset does not say it; 0 for a single interaction
	Seed       uint64         // of the tasks that are drawn for resets without a seed
	Idle       time.Duration  // after which a session that says nothing ends; DefaultIdle
	Ping       time.Duration  // between two pings of a connection, and how long each may take; DefaultPing
	Store      *results.Store // keeps the episodes that were finished; nil for none
}

// Defaults of Options.
const (
	DefaultSessions = 256
	DefaultSteps    = 50
	DefaultIdle     = 10 * time.Minute
	DefaultPing     = 30 * time.Second
)

// Server serves the tasks of an experiment. Its methods may be called concurrently.
type Server struct {
	options  Options
	log      zerolog.Logger
	worker   *harness.Worker
	tasks    *tasks
	store    *results.Store
	record   results.Experiment
	reader   *direct.Policy // reads direct answers
	sessions sessions
	base     context.Context // ends all sessions
}

// New returns a server of an experiment whose only arm is Policy. With a store, the experiment is recorded in it.
// ctx ends its sessions.
func New(ctx context.Context, x *harness.Experiment, o Options) (*Server, error) {
	if len(x.Arms) != 1 || x.Arms[0].Policy != (Policy{}) {
		return nil, fmt.Errorf("the experiment of a gym has the policy %s alone", Name)
	}
	o.Sessions, o.Steps = cmp.Or(o.Sessions, DefaultSessions), cmp.Or(o.Steps, DefaultSteps)
	o.Idle, o.Ping = cmp.Or(o.Idle, DefaultIdle), cmp.Or(o.Ping, DefaultPing)
	source, err := prompt.NewSource("")
	if err != nil {
		return nil, err
	}
	s := &Server{options: o, log: o.Log, store: o.Store}
	if s.reader, err = direct.New(nil, "", nil, policies.Clean, source); err != nil {
		return nil, err
	}
	if s.tasks, err = tasksOf(x); err != nil {
		return nil, err
	}
	if o.Store != nil {
		x.Manifest.Policies = []string{Name}
		x.Manifest.Traits = map[string]results.Traits{Name: {Use: Name, Tools: true}}
		if s.record, err = x.Record(ctx, o.Store, nil, false); err != nil {
			return nil, err
		}
	}
	s.worker = harness.NewWorker(x)
	s.base = ctx
	s.sessions.all, s.sessions.most = map[string]*session{}, o.Sessions
	return s, nil
}

// Tasks is how many tasks a split has.
func (s *Server) Tasks(split string) int { return len(s.tasks.bySplit[split]) }

// newID returns a random ID for a session or an episode.
func newID() string {
	id, err := uuid.NewV7()
	if err != nil {
		panic(err) // the system provides no random numbers
	}
	return id.String()
}
