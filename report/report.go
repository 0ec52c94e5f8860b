// Package report turns stored results into tables. It recomputes no scores.
package report

import (
	"cmp"
	"context"
	"maps"
	"math"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"agentd/domains"
	"agentd/internal/usage"
	"agentd/report/statistics"
	"agentd/results"
)

// Report is what tables are made of.
type Report struct {
	Experiment results.Experiment
	Changes    []results.Change
	// Stored and Planned are numbers of interactions.
	Stored, Planned int
	Arms            []Arm
	Tools           []ToolUse // of the arms that have a model, save the direct ones
	Comparisons     []Comparison
	Harnesses       []Harness // of the models that have more than one policy
	Domains         []DomainEnds
	Sizes           []Size // if documents are of more than one size
	Sequences       []Sequence
	// Judges are the models whose opinions RS rests on in JudgedDomains.
	Judges, JudgedDomains []string
	// NotCounted are domains whose documents are not divided into deletion and corruption.
	NotCounted []string
	// NotBuilt are environments without a score, with the number of their
	// interactions, because their domain is not built.
	NotBuilt []NotBuilt
	// UnscoredZero is that of the Options.
	UnscoredZero bool
	// UnknownAttempts are requests that may have been charged for beyond the costs.
	UnknownAttempts int
	// Against compares the arms with the same ones of another experiment.
	Against []Comparison
	// OpinionsOf are the judges that were asked for sections that are made on demand.
	OpinionsOf []string
	Asked      Asked

	analyses map[string][]Table // sections made on demand
	source   *builder

	// pictures is the report of the relays on pictures, nil if there are none. It is the
	// report itself if there are no others.
	pictures *Report
}

// Arm is a model with a policy.
type Arm struct {
	Model   string // empty for policies without one
	Policy  string
	StandIn bool
	Relays  int // that have a score
	// RS and Strict are the mean scores after 2, 4, … interactions, each over the
	// relays that got so far.
	RS, Strict []statistics.Interval
	// Averages are RS by the four ways of taking a mean. Worked are RS and Strict over
	// the relays all of whose forward steps so far were carried out.
	Averages Averages
	Worked   struct{ RS, Strict []statistics.Interval }
	// Done is the share of forward steps that were carried out. NotDone counts relays
	// of which less than 95 % were.
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
	// Unscored are round trips without a score by the protocol: a file is missing, or
	// one too many. Unreadable are documents that only the strict score could read.
	Unscored, Unreadable int
	// Faults are interactions without a score for want of a service; GivenUp those that
	// relays will not have because of one.
	Faults, GivenUp int
	Cost            *float64 // USD in all, nil if a price is unknown
	Cached          *float64 // share of the prompts' tokens that came from a cache, nil if there were none
	Judged          Judged
}

// ToolUse compares an arm with the direct one of the same model.
type ToolUse struct {
	Model   string
	Policy  string
	StandIn bool
	Calls   statistics.Interval // tool calls for each interaction
	// Shares of interactions whose files were changed in one way alone: by scripts, by
	// whole texts, by edits of parts, of which ByPatch by patches alone. BySeveral are those
	// in more than one of the three ways, ByNeither those in none.
	ByScript, ByWriting, ByEditing, ByPatch, BySeveral, ByNeither statistics.Interval
	// Distractors is the share of distractor files that were read, ReadByTools
	// and ReadByScripts the shares read by tools and from inside of scripts; both may have
	// read the same file.
	Distractors, ReadByTools, ReadByScripts statistics.Interval
	// Ratios to the direct arm, over the interactions that both have: Pairs of
	// them. None where the direct arm used nothing; Cost also where a price is
	// unknown.
	Pairs                        int
	Input, Output, Cost, Latency statistics.Interval
}

// NotBuilt is an environment whose domain is not built.
type NotBuilt struct {
	Environment, Domain string
	Interactions        int
}

// Asked is what judges were asked to make a report, beyond what was known.
type Asked struct {
	Times int
	Cost  *float64 // USD, nil if a price is unknown, or nothing was asked
}

// armKey identifies an arm.
type armKey struct{ model, policy string }

// Options say how a report is built.
type Options struct {
	Category func(domain string) string // of a domain
	// UnscoredZero counts a round trip that has no score by the protocol as 0. Without it
	// such a trip is left out, as in the paper.
	UnscoredZero bool
	// Against is another experiment to compare the arms with, environment by environment;
	// nil for none.
	Against *results.Experiment
	// Similarity and Compliance make the sections of these names, which read all documents
	// that are stored. That takes a while.
	Similarity, Compliance bool
	// Failures finds domains by name for the section failures, which reads all documents too; nil leaves it out.
	Failures func(name string) (domains.Domain, bool)
	Judging  *Judging  // asks for opinions in these sections; nil for none
	Embedder *Embedder // makes vectors for Similarity; nil for none
}

// Build reads an experiment and makes the whole report of it. Experiments that cannot be
// compared are a usage.Error.
func Build(ctx context.Context, store *results.Store, experiment results.Experiment, options Options) (*Report, error) {
	r, err := build(ctx, store, experiment, options)
	if err != nil {
		return nil, err
	}
	if options.Against != nil {
		other, err := build(ctx, store, *options.Against, options)
		if err != nil {
			return nil, err
		}
		if err := r.compareWith(other); err != nil {
			return nil, usage.Wrap(err)
		}
	}
	if options.Similarity {
		if err := r.compareSimilarity(ctx, store, options.Judging, options.Embedder); err != nil {
			return nil, err
		}
	}
	if options.Failures != nil {
		if err := r.nameFailures(ctx, store, options.Failures, options.Judging); err != nil {
			return nil, err
		}
	}
	if options.Compliance {
		if err := r.judgeCompliance(ctx, store, options.Judging); err != nil {
			return nil, err
		}
	}
	if options.Judging != nil {
		r.Asked = options.Judging.Spent()
	}
	return r, nil
}

// build sums an experiment up, without the sections that read documents. Pictures have a
// table of their own (paper, Appendix J): next to other domains they are in no other one.
func build(ctx context.Context, store *results.Store, experiment results.Experiment, options Options) (*Report, error) {
	all, err := readRecorded(ctx, store, experiment)
	if err != nil {
		return nil, err
	}
	isPicture := func(r results.Relay) bool { return r.Domain == pictureDomain }
	if !slices.ContainsFunc(all.relays, isPicture) {
		return all.build(experiment, options), nil
	}
	pictures := all.of(isPicture).build(experiment, options)
	r := pictures
	if texts := all.of(func(r results.Relay) bool { return !isPicture(r) }); len(texts.relays) > 0 {
		r = texts.build(experiment, options)
	}
	r.pictures = pictures
	return r, nil
}

// pictureDomain is the domain whose documents are pictures.
const pictureDomain = "image"

// recorded is what the store has of an experiment.
type recorded struct {
	known        map[string]*facts
	interactions []results.Interaction
	relays       []results.Relay
	changes      []results.Change
}

func readRecorded(ctx context.Context, store *results.Store, experiment results.Experiment) (s recorded, err error) {
	group, reading := errgroup.WithContext(ctx)
	group.Go(func() (err error) {
		s.known, err = readFacts(reading, store, experiment.Manifest.Environments)
		return err
	})
	// A run may be storing at the same time. What an interaction belongs to is stored
	// before it, and its trace with it, so both are there if read after it.
	group.Go(func() (err error) {
		s.interactions, err = store.Summaries(reading, experiment.ID)
		return err
	})
	if err := group.Wait(); err != nil {
		return s, err
	}
	if s.relays, err = store.Relays(ctx, experiment.ID); err != nil {
		return s, err
	}
	s.changes, err = store.Changes(ctx, experiment.ID)
	return s, err
}

// of keeps some relays with their interactions.
func (s recorded) of(take func(results.Relay) bool) recorded {
	taken := map[int64]bool{}
	relays, interactions := s.relays, s.interactions
	s.relays, s.interactions = nil, nil
	for _, r := range relays {
		if take(r) {
			taken[r.ID] = true
			s.relays = append(s.relays, r)
		}
	}
	for i := range interactions {
		if taken[interactions[i].Relay] {
			s.interactions = append(s.interactions, interactions[i])
		}
	}
	return s
}

// build makes the report.
func (s recorded) build(experiment results.Experiment, options Options) *Report {
	known, interactions, relays, changes := s.known, s.interactions, s.relays, s.changes
	b := builder{
		report:  &Report{Experiment: experiment, Changes: changes, Stored: len(interactions), UnscoredZero: options.UnscoredZero},
		relays:  make(map[int64]results.Relay, len(relays)),
		planned: map[armKey]int{},
		places:  map[string]int{},
		sampler: statistics.NewSampler(experiment.Manifest.Seed),
		standIn: map[string]bool{},
		tools:   newToolNumbers(),
		arms:    map[armKey]*armSums{},
		tasks:   map[taskKey]map[armKey]*results.Interaction{},
		judges:  map[string]bool{}, judgedDomains: map[string]bool{},
	}
	for _, r := range relays {
		b.relays[r.ID] = r
		b.report.Planned += 2 * len(r.Schedule)
		b.planned[armKey{r.Model, r.Policy}] += 2 * len(r.Schedule)
		if _, known := b.places[r.Environment]; !known {
			b.places[r.Environment] = len(b.environments)
			b.environments = append(b.environments, environment{r.Environment, r.Domain})
		}
	}
	for _, m := range experiment.Manifest.Models {
		b.standIn[m.Name] = m.StandIn
	}
	for i := range interactions {
		b.add(&interactions[i])
		b.report.UnknownAttempts += interactions[i].UnknownAttempts
	}
	for _, e := range b.environments {
		b.facts = append(b.facts, known[e.name])
	}
	b.report.source = &b
	b.finish()
	b.report.add("tools", b.presence())
	b.report.add("properties", b.propertyTables(options.Category)...)
	b.report.add("operations", b.operationTables()...)
	b.report.Sequences = b.sequences(b.changes())
	return b.report
}

// taskKey identifies what all arms are asked alike.
type taskKey struct {
	environment    string
	repeat, number int
}

type environment struct{ name, domain string }

type builder struct {
	report  *Report
	relays  map[int64]results.Relay
	planned map[armKey]int // interactions
	// environments are in the order of the plan, places their numbers.
	environments []environment
	places       map[string]int
	sampler      *statistics.Sampler
	standIn      map[string]bool
	tools        *toolNumbers
	facts        []*facts // nil of environments that are not kept
	arms         map[armKey]*armSums
	order        []armKey
	tasks        map[taskKey]map[armKey]*results.Interaction

	judges, judgedDomains map[string]bool
}

// tally has a sum for each environment.
type tally []statistics.Sum

func (t tally) add(place int, total, over float64) {
	t[place].Total += total
	t[place].Over += over
}

func (b *builder) tally() tally { return make(tally, len(b.environments)) }

// armSums are the sums of one arm.
type armSums struct {
	curves                                            []*curve
	values, stricts                                   []tally // by round trip
	worked, workedStricts                             []tally // likewise, of relays whose forward steps were all carried out
	done, forward, calls                              tally
	script, writing, editing, patch, several, neither tally
	distractors, byTools, byScripts                   tally
	failures, total, forwardSteps                     int
	unscored, unreadable, faults, givenUp             int
	cost                                              float64
	prompt, cached                                    int // tokens
	unknownCost                                       bool
	judged                                            judgedSums
}

func (b *builder) newArm() *armSums {
	return &armSums{
		done: b.tally(), forward: b.tally(), calls: b.tally(), distractors: b.tally(), byTools: b.tally(), byScripts: b.tally(),
		script: b.tally(), writing: b.tally(), editing: b.tally(), patch: b.tally(), several: b.tally(), neither: b.tally(),
	}
}

// curve is how one relay went.
type curve struct {
	relay  int64
	place  int // of its environment
	repeat int
	trips  []trip
	// forwards are the forward steps of which is known whether they were carried out,
	// executed those that were.
	forwards, executed int
}

// enoughDone is the share of forward steps that a relay must have carried out to count
// as work that can be certified.
const enoughDone = 0.95

// worked reports whether the relay's work was done. Nothing is held against a relay of
// which that was not recorded.
func (c *curve) worked() bool {
	return c.forwards == 0 || float64(c.executed) >= enoughDone*float64(c.forwards)
}

// trip is a round trip; its numbers are NaN where there is no score.
type trip struct {
	value, strict, forward, deletion float64
	unscored                         bool // by the protocol; value and strict are 0 then, if that is how it counts
	problem                          bool // the document could not be read
	edit                             string
	pairs                            pairs
}

func (b *builder) add(in *results.Interaction) {
	relay := b.relays[in.Relay]
	key := armKey{relay.Model, relay.Policy}
	sums, ok := b.arms[key]
	if !ok {
		sums = b.newArm()
		b.arms[key] = sums
		b.order = append(b.order, key)
	}
	// Interactions come relay by relay.
	if n := len(sums.curves); n == 0 || sums.curves[n-1].relay != in.Relay {
		sums.curves = append(sums.curves, &curve{relay: in.Relay, place: b.places[relay.Environment], repeat: relay.Repeat})
	}
	sums.add(in, sums.curves[len(sums.curves)-1], b.tools, b.report.UnscoredZero)
	sums.judged.add(in, b.places[relay.Environment], len(b.environments))
	switch {
	case in.Score != nil && in.Score.Judge != "":
		b.judges[in.Score.Judge], b.judgedDomains[relay.Domain] = true, true
	case in.Direction == results.Backward && in.Score == nil && in.Fallback == nil && in.Unscored == "":
		b.notBuilt(relay)
	}
	task := taskKey{relay.Environment, relay.Repeat, in.Number}
	if b.tasks[task] == nil {
		b.tasks[task] = map[armKey]*results.Interaction{}
	}
	b.tasks[task][key] = in
}

func (s *armSums) add(in *results.Interaction, c *curve, tools *toolNumbers, unscoredZero bool) {
	s.total++
	s.givenUp += in.GivenUp
	s.prompt, s.cached = s.prompt+in.Prompt, s.cached+in.Cached
	s.addTools(in, c.place)
	if in.Failure != "" {
		s.failures++
	}
	if in.Cost != nil {
		s.cost += *in.Cost
	} else {
		s.unknownCost = true
	}
	k := (in.Number+1)/2 - 1
	for len(c.trips) <= k {
		c.trips = append(c.trips, trip{value: math.NaN(), strict: math.NaN(), forward: math.NaN(), deletion: math.NaN()})
	}
	t := &c.trips[k]
	t.edit = in.Edit
	t.pairs.addCalls(in.Use.Tools, tools)
	if in.Direction == results.Forward {
		s.addForward(in, c, t)
		return
	}
	switch {
	case in.Unscored == results.ServiceFault:
		s.faults++
	case in.Unscored != "":
		s.unscored++
		t.unscored = true
		if unscoredZero {
			t.value, t.strict, t.deletion = 0, 0, 0
			s.addScore(k, c, t)
		}
	case in.Score != nil:
		t.value, t.strict, t.deletion = in.Score.Value, in.Score.Strict, deletion(in.Score)
		t.problem = in.Score.Problem != ""
		if in.Score.Unreadable {
			s.unreadable++
		}
		s.addScore(k, c, t)
	}
}

// addForward takes in a forward step.
func (s *armSums) addForward(in *results.Interaction, c *curve, t *trip) {
	s.forwardSteps++
	if in.Unscored == results.ServiceFault {
		s.faults++
	}
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

// addScore takes in the score of a round trip, by its number from 0.
func (s *armSums) addScore(k int, c *curve, t *trip) {
	grow := func(tallies []tally) []tally {
		for len(tallies) <= k {
			tallies = append(tallies, make(tally, len(s.forward)))
		}
		return tallies
	}
	s.values, s.stricts = grow(s.values), grow(s.stricts)
	s.worked, s.workedStricts = grow(s.worked), grow(s.workedStricts)
	s.values[k].add(c.place, t.value, 1)
	s.stricts[k].add(c.place, t.strict, 1)
	if c.forwards == k+1 && c.executed == c.forwards {
		s.worked[k].add(c.place, t.value, 1)
		s.workedStricts[k].add(c.place, t.strict, 1)
	}
}

func (s *armSums) addTools(in *results.Interaction, place int) {
	use := in.Use
	s.calls.add(place, float64(use.Calls), 1)
	s.distractors.add(place, float64(use.DistractorsRead), float64(in.Distractors))
	s.byTools.add(place, float64(use.ReadByTools), float64(in.Distractors))
	s.byScripts.add(place, float64(use.ReadByScripts), float64(in.Distractors))
	ways := when(use.Scripts > 0) + when(use.Writes > 0) + when(use.Edits > 0)
	s.script.add(place, when(ways == 1 && use.Scripts > 0), 1)
	s.writing.add(place, when(ways == 1 && use.Writes > 0), 1)
	s.editing.add(place, when(ways == 1 && use.Edits > 0), 1)
	s.patch.add(place, when(ways == 1 && use.Edits > 0 && use.Patches == use.Edits), 1)
	s.several.add(place, when(ways > 1), 1)
	s.neither.add(place, when(ways == 0), 1)
}

func (b *builder) notBuilt(relay results.Relay) {
	at := slices.IndexFunc(b.report.NotBuilt, func(u NotBuilt) bool { return u.Environment == relay.Environment })
	if at < 0 {
		b.report.NotBuilt = append(b.report.NotBuilt, NotBuilt{Environment: relay.Environment, Domain: relay.Domain})
		at = len(b.report.NotBuilt) - 1
	}
	b.report.NotBuilt[at].Interactions += 2
}

func (b *builder) finish() {
	slices.SortFunc(b.order, func(x, y armKey) int {
		return cmp.Or(b.place(x.model)-b.place(y.model), cmp.Compare(x.model, y.model), cmp.Compare(x.policy, y.policy))
	})
	arms, tools := make([]Arm, len(b.order)), make([]*ToolUse, len(b.order))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, key := range b.order {
		group.Go(func() error {
			arms[i] = b.arm(key)
			if key.policy != directPolicy && key.model != "" {
				use := b.toolUse(key)
				tools[i] = &use
			}
			return nil
		})
	}
	_ = group.Wait() // none fails
	b.report.Arms = arms
	for _, use := range tools {
		if use != nil {
			b.report.Tools = append(b.report.Tools, *use)
		}
	}
	b.report.Judges = slices.Sorted(maps.Keys(b.judges))
	b.report.JudgedDomains = slices.Sorted(maps.Keys(b.judgedDomains))
	b.report.NotCounted = b.notCounted()
	b.report.Comparisons = b.comparisons()
	b.report.Harnesses = b.harnesses()
	b.report.Domains = b.domains()
	b.report.Sizes = b.sizes()
}

// place is a model's place in the manifest; policies without a model come last.
func (b *builder) place(model string) int {
	at := slices.IndexFunc(b.report.Experiment.Manifest.Models, func(m results.Model) bool { return m.Name == model })
	if at < 0 {
		return len(b.report.Experiment.Manifest.Models)
	}
	return at
}

// directPolicy is the baseline that others are compared with.
const directPolicy = "direct"

func (b *builder) arm(key armKey) Arm {
	s := b.arms[key]
	arm := Arm{
		Model: key.model, Policy: key.policy, StandIn: b.standIn[key.model],
		Failures: s.failures, Total: s.total, Missing: b.planned[key] - s.total - s.givenUp,
		Unscored: s.unscored, Unreadable: s.unreadable, Faults: s.faults, GivenUp: s.givenUp,
		Done:    b.sampler.Mean(s.done),
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
	arm.RS, arm.Strict = b.means(s.values), b.means(s.stricts)
	arm.Worked.RS, arm.Worked.Strict = b.means(s.worked), b.means(s.workedStricts)
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

// everyEdit is the schedule that gives every edit relays of its own.
const everyEdit = "every-edit"

// mean is the mean over relays. Where every edit has relays of its own, an
// environment's mean is taken first: it has as many relays as edits, and would
// count the more the more it has (paper, Appendix D).
func (b *builder) mean(t tally) statistics.Interval {
	if b.report.Experiment.Manifest.Schedule == everyEdit {
		return b.sampler.MeanOfMeans(t)
	}
	return b.sampler.Mean(t)
}

func (t trip) scored() bool { return !math.IsNaN(t.value) }

func (b *builder) toolUse(key armKey) ToolUse {
	s := b.arms[key]
	u := ToolUse{
		Model: key.model, Policy: key.policy, StandIn: b.standIn[key.model],
		Calls: b.sampler.Mean(s.calls), Distractors: b.sampler.Ratio(s.distractors, s.total),
		ReadByTools: b.sampler.Ratio(s.byTools, s.total), ReadByScripts: b.sampler.Ratio(s.byScripts, s.total),
		ByScript: b.sampler.Mean(s.script), ByWriting: b.sampler.Mean(s.writing), ByEditing: b.sampler.Mean(s.editing),
		ByPatch: b.sampler.Mean(s.patch), BySeveral: b.sampler.Mean(s.several), ByNeither: b.sampler.Mean(s.neither),
	}
	input, output, cost, latency := b.tally(), b.tally(), b.tally(), b.tally()
	unknownCost := false
	for task, arms := range b.tasks {
		mine, direct := arms[key], arms[armKey{key.model, directPolicy}]
		if mine == nil || direct == nil {
			continue
		}
		u.Pairs++
		at := b.places[task.environment]
		input.add(at, float64(mine.Prompt), float64(direct.Prompt))
		output.add(at, float64(mine.Completion), float64(direct.Completion))
		latency.add(at, mine.Duration.Seconds(), direct.Duration.Seconds())
		if mine.Cost == nil || direct.Cost == nil {
			unknownCost = true
			continue
		}
		cost.add(at, *mine.Cost, *direct.Cost)
	}
	u.Input, u.Output = b.sampler.Ratio(input, u.Pairs), b.sampler.Ratio(output, u.Pairs)
	u.Cost, u.Latency = statistics.None(), b.sampler.Ratio(latency, u.Pairs)
	if !unknownCost {
		u.Cost = b.sampler.Ratio(cost, u.Pairs)
	}
	return u
}
