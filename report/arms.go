package report

import (
	"math"
	"slices"

	"agentd/policies"
	"agentd/report/statistics"
	"agentd/results"
)

// Arm is a model with a policy.
type Arm struct {
	Model   string // empty for policies without one
	Policy  string
	StandIn bool
	Relays  int // that have a score
	// RS and Strict are the mean scores after 2, 4, … interactions, from 0 to 1, each over
	// the relays that reached that point.
	RS, Strict []statistics.Interval
	// Averages are RS by the four ways of taking a mean. Worked is over the relays whose forward
	// steps so far were all carried out.
	Averages Averages
	Worked   struct{ RS, Strict []statistics.Interval }
	// NoOpsZero are RS and Strict with no-ops as 0 (results.Trip.NoOpsZero).
	NoOpsZero struct{ RS, Strict []statistics.Interval }
	// Work counts the edits that were carried out. If it is too little, no table has a score of the arm
	// but those with no-ops as 0.
	Work results.Work
	// Done is the share of forward steps that were carried out. NotDone counts the relays
	// below 95 %.
	Done    statistics.Interval
	NotDone int
	Damage  Damage
	// Critical is over all relays, CriticalDone over those that did their work.
	Critical, CriticalDone Critical
	Hidden                 Hidden
	// Forward is the mean score of the forward steps that have an oracle, of
	// ForwardSteps in all.
	Forward      statistics.Interval
	ForwardSteps int
	Failures     int // interactions that failed
	Total        int // interactions
	Missing      int // interactions that are planned, not stored, and not given up
	// Unscored counts round trips that the protocol does not score: a file is missing or
	// extra. Unreadable counts documents that only the strict score could read.
	Unscored, Unreadable int
	// Broken is the share of scored round trips after which the document has syntax errors that the seed did not have.
	Broken statistics.Interval
	// Approximate counts interactions whose scores reached a limit on work.
	Approximate int
	// Faults counts interactions without a score because a service was unavailable. GivenUp counts
	// interactions that will never run because of such a failure.
	Faults, GivenUp int
	// TooLong counts those of Faults whose documents are longer than the model takes, so that they would fail again.
	TooLong int
	Cost    *float64 // USD in all, nil if a price is unknown
	Cached  *float64 // share of the prompts' tokens that came from a cache, nil if there were none
	Judged  Judged
}

// tally holds a sum for each environment.
type tally []statistics.Sum

func (t tally) add(place int, total, over float64) {
	t[place].Total += total
	t[place].Over += over
}

func (b *builder) tally() tally { return make(tally, len(b.environments)) }

// armSums holds the sums of one arm.
type armSums struct {
	curves                                            []*curve
	rs, stricts                                       []tally // by round trip
	worked, workedStricts                             []tally // likewise, of relays whose forward steps were all carried out
	earned, earnedStricts                             []tally // likewise, of all, with no-ops as 0
	work                                              results.Work
	done, forward, calls, broken                      tally
	script, writing, editing, patch, several, neither tally
	distractors, byTools, byScripts                   tally
	failures, total, forwardSteps                     int
	unscored, unreadable, faults, tooLong, givenUp    int
	approximate                                       int
	cost                                              float64
	prompt, cached                                    int // tokens
	unknownCost                                       bool
	judged                                            judgedSums
}

func (b *builder) newArm() *armSums {
	return &armSums{
		done: b.tally(), broken: b.tally(), forward: b.tally(), calls: b.tally(), distractors: b.tally(), byTools: b.tally(), byScripts: b.tally(),
		script: b.tally(), writing: b.tally(), editing: b.tally(), patch: b.tally(), several: b.tally(), neither: b.tally(),
	}
}

// curve is the course of one relay.
type curve struct {
	relay  int64
	place  int // of its environment
	repeat int
	trips  []trip
	// forwards counts the forward steps with a record of whether they were carried out,
	// executed those that were.
	forwards, executed int
}

// enoughDone is the share of forward steps that a relay must have carried out to count
// as work that can be certified.
const enoughDone = 0.95

// worked reports whether the relay's work was done. It is true for a relay without such a
// record.
func (c *curve) worked() bool {
	return c.forwards == 0 || float64(c.executed) >= enoughDone*float64(c.forwards)
}

// trip is a round trip; its numbers are NaN where there is no score.
type trip struct {
	rs, strict, forward, deletion float64
	unscored                      bool // by the protocol; value and strict are then 0 if such trips count as 0
	problem                       bool // the document could not be read
	edit                          string
	pairs                         pairs
}

// add adds what is counted for every interaction, forward or backward.
func (s *armSums) add(in *results.Interaction, place int) {
	s.total++
	s.givenUp += in.GivenUp
	s.prompt, s.cached = s.prompt+in.Prompt, s.cached+in.Cached
	s.addTools(in, place)
	if in.Failure != "" {
		s.failures++
	}
	if in.Cost != nil {
		s.cost += *in.Cost
	} else {
		s.unknownCost = true
	}
	if in.Approximate != "" {
		s.approximate++
	}
	if in.Unscored == results.ServiceFault {
		s.faults++
		if in.Failure == string(policies.TooLong) {
			s.tooLong++
		}
	}
}

// addTrip adds a round trip.
func (s *armSums) addTrip(stored results.Trip, c *curve, tools *toolNumbers, unscoredZero bool) {
	for len(c.trips) < stored.Number {
		c.trips = append(c.trips, trip{rs: math.NaN(), strict: math.NaN(), forward: math.NaN(), deletion: math.NaN()})
	}
	t := &c.trips[stored.Number-1]
	for _, in := range stored.Steps() {
		t.edit = in.Edit
		t.pairs.addCalls(in.Use.Tools, tools)
	}
	if stored.Forward != nil {
		s.addForward(stored.Forward, c, t)
	}
	in := stored.Backward
	if in == nil {
		return
	}
	if in.Unscored != "" && in.Unscored != results.ServiceFault {
		s.unscored++
		t.unscored = true
	}
	if in.Broken != nil {
		s.broken.add(c.place, when(len(in.Broken) > 0), 1)
	}
	if rs, strict := stored.Scores(unscoredZero); rs != nil {
		t.rs, t.strict = *rs, *strict
		if t.deletion = 0; in.Score != nil {
			t.deletion, t.problem = deletion(in.Score), in.Score.Problem != ""
			s.unreadable += int(when(in.Score.Unreadable))
		}
		s.addScore(stored.Number-1, c, t)
	}
	if rs, strict := stored.NoOpsZero(unscoredZero); rs != nil {
		s.addEarned(stored.Number-1, c, *rs, *strict)
	}
}

// addForward adds a forward step.
func (s *armSums) addForward(in *results.Interaction, c *curve, t *trip) {
	s.forwardSteps++
	s.work.Add(in.Executed)
	if in.Executed != nil {
		c.forwards++
		if *in.Executed {
			c.executed++
		}
		s.done.add(c.place, when(*in.Executed), 1)
	}
	if in.Forward != nil {
		t.forward = *in.Forward
		s.forward.add(c.place, *in.Forward, 1)
	}
}

// addScore adds the score of a round trip, numbered from 0.
func (s *armSums) addScore(k int, c *curve, t *trip) {
	s.rs, s.stricts = s.grown(s.rs, k), s.grown(s.stricts, k)
	s.worked, s.workedStricts = s.grown(s.worked, k), s.grown(s.workedStricts, k)
	s.rs[k].add(c.place, t.rs, 1)
	s.stricts[k].add(c.place, t.strict, 1)
	if c.forwards == k+1 && c.executed == c.forwards {
		s.worked[k].add(c.place, t.rs, 1)
		s.workedStricts[k].add(c.place, t.strict, 1)
	}
}

// addEarned adds the scores of a round trip with no-ops as 0.
func (s *armSums) addEarned(k int, c *curve, rs, strict float64) {
	s.earned, s.earnedStricts = s.grown(s.earned, k), s.grown(s.earnedStricts, k)
	s.earned[k].add(c.place, rs, 1)
	s.earnedStricts[k].add(c.place, strict, 1)
}

// grown extends the tallies to the round trip k, numbered from 0.
func (s *armSums) grown(tallies []tally, k int) []tally {
	for len(tallies) <= k {
		tallies = append(tallies, make(tally, len(s.forward)))
	}
	return tallies
}

func (b *builder) arm(key armKey) Arm {
	s := b.arms[key]
	arm := Arm{
		Model: key.model, Policy: key.policy, StandIn: b.standIn[key.model],
		Failures: s.failures, Total: s.total, Missing: b.planned[key] - s.total - s.givenUp,
		Unscored: s.unscored, Unreadable: s.unreadable, Approximate: s.approximate, Faults: s.faults, TooLong: s.tooLong, GivenUp: s.givenUp,
		Work: s.work, Done: b.sampler.Mean(s.done), Broken: b.sampler.Mean(s.broken),
		Forward: b.sampler.Mean(s.forward), ForwardSteps: s.forwardSteps,
		Damage: b.damage(s), Critical: b.critical(s, nil), CriticalDone: b.critical(s, (*curve).worked), Hidden: b.hidden(s), Judged: b.judged(s),
	}
	for _, c := range s.curves {
		if slices.ContainsFunc(c.trips, trip.scored) {
			arm.Relays++
		}
		if !c.worked() {
			arm.NotDone++
		}
	}
	arm.RS, arm.Strict = b.means(s.rs), b.means(s.stricts)
	arm.Worked.RS, arm.Worked.Strict = b.means(s.worked), b.means(s.workedStricts)
	arm.NoOpsZero.RS, arm.NoOpsZero.Strict = b.means(s.earned), b.means(s.earnedStricts)
	arm.Averages = b.averages(s)
	if !s.unknownCost {
		arm.Cost = &s.cost
	}
	if s.prompt > 0 {
		share := float64(s.cached) / float64(s.prompt)
		arm.Cached = &share
	}
	return arm
}

func (b *builder) means(tallies []tally) []statistics.Interval {
	means := make([]statistics.Interval, len(tallies))
	for i, t := range tallies {
		means[i] = b.mean(t)
	}
	return means
}

// everyEdit is the schedule in which each relay has a single edit.
const everyEdit = "every-edit"

// mean is the mean over relays. Under the schedule every-edit it is the mean over
// environments, so that those with more edits, and so more relays, do not weigh more
// (paper, Appendix D).
func (b *builder) mean(t tally) statistics.Interval {
	if b.report.Experiment.Manifest.Schedule == everyEdit {
		return b.sampler.MeanOfMeans(t)
	}
	return b.sampler.Mean(t)
}

func (t trip) scored() bool { return !math.IsNaN(t.rs) }
