package gym

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"

	"agentd/results"
)

// errOver is the error for a step after the end of an episode.
var errOver = &problem{Message: "the episode is over; send a reset", Code: executionError}

// episode is a relay, or a part of one, that the harness works on while a client says what to do. Only the
// goroutine that the harness works in touches what has no comment that says otherwise.
type episode struct {
	id     string
	server *Server
	chosen *chosen

	actions chan *action // from the session
	answers chan *reply  // to the session, one for the reset and for each action
	ended   chan struct{}
	err     error        // why the episode broke off; to be read once ended is closed
	steps   atomic.Int64 // that were answered
	played  atomic.Int64 // interactions that have ended

	interactions []*results.Interaction
	there        float64 // reward of the last forward step: in a relay the way back earns no more
	ending       *reply  // of the interaction that has ended; what comes next is to be added
}

type episodeKey struct{}

// begin starts an episode. It ends with ctx.
func (s *Server) begin(ctx context.Context, id string, c *chosen) *episode {
	e := &episode{
		id: id, server: s, chosen: c,
		actions: make(chan *action), answers: make(chan *reply, 1), ended: make(chan struct{}),
	}
	go func() {
		defer close(e.ended)
		if e.err = e.play(ctx); e.err != nil && ctx.Err() == nil {
			s.log.Error().Err(e.err).Str("episode", id).Str("environment", c.Environment).Msg("an episode broke off")
		}
	}()
	return e
}

// play has the harness work on the relay, stores it and sends the last answer. A panic ends this episode alone.
func (e *episode) play(ctx context.Context) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
		}
	}()
	c, s := e.chosen, e.server
	relay := results.Relay{
		Experiment: s.record.ID, Policy: Name, Environment: c.Environment, Domain: c.Domain, Repeat: int(c.seed), Schedule: c.schedule,
	}
	err = s.worker.Play(context.WithValue(ctx, episodeKey{}, e), relay, c.first, c.last, func(in *results.Interaction) {
		e.interactions = append(e.interactions, in)
		e.played.Add(1)
		if e.ending != nil {
			e.ending.Metadata.scored(e.interactions)
		}
	})
	if err != nil {
		return err
	}
	if s.store != nil { // what a client has earned is stored even if it leaves now
		if err := s.store.AppendRelay(context.WithoutCancel(ctx), &relay, e.interactions); err != nil {
			return err
		}
	}
	e.ending.Done = true
	e.answer(e.ending)
	return nil
}

// answer sends a reply to the session.
func (e *episode) answer(r *reply) {
	r.Observation.Step = int(e.steps.Load())
	e.answers <- r
}

// next waits for a reply.
func (e *episode) next() (*reply, error) {
	select {
	case r := <-e.answers:
		return r, nil
	case <-e.ended:
	}
	select { // the last one may have come before the end
	case r := <-e.answers:
		return r, nil
	default:
	}
	switch {
	case e.err == nil:
		return nil, errOver
	case errors.Is(e.err, context.Canceled):
		return nil, failedf("the session has ended")
	}
	return nil, failedf("the episode broke off: %v", firstLine(e.err))
}

// step carries out an action and returns the reply.
func (e *episode) step(a *action) (*reply, error) {
	select {
	case e.actions <- a:
		return e.next()
	case <-e.ended:
		return e.next()
	}
}

// metadata says what the interaction is of that is worked on, from 1 in the episode.
func (e *episode) metadata(interaction int) metadata {
	c := e.chosen
	number := c.first + interaction - 1
	direction := results.Forward
	if number%2 == 0 {
		direction = results.Backward
	}
	return metadata{
		Episode: e.id, Environment: c.Environment, Domain: c.Domain, Split: c.Split, Seed: c.seed,
		Edit: c.schedule[(number-1)/2], Direction: string(direction),
		Interaction: interaction, Interactions: e.length(),
	}
}

// length is the number of interactions.
func (e *episode) length() int { return e.chosen.last - e.chosen.first + 1 }

func (e *episode) state() state {
	done := false
	select {
	case <-e.ended:
		done = true
	default:
	}
	now := e.metadata(min(int(e.played.Load())+1, e.length()))
	return state{
		Episode: &e.id, Steps: int(e.steps.Load()), Environment: now.Environment, Edit: now.Edit, Direction: now.Direction,
		Interaction: now.Interaction, Interactions: now.Interactions, Done: done,
	}
}
