package report

import (
	"cmp"
	"context"
	"maps"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"agentd/report/statistics"
	"agentd/results"
)

// build summarises an experiment, without the sections that read documents. Pictures (paper,
// Appendix J) and documents without a published score, such as general text, have separate tables.
// If the experiment has other documents too, no other table counts these.
func build(ctx context.Context, store *results.Store, experiment results.Experiment, options Options) (*Report, error) {
	all, err := readRecorded(ctx, store, experiment)
	if err != nil {
		return nil, err
	}
	a := apart{options.Category, map[string]bool{}}
	for name, known := range all.known {
		a.rsIsStrict[name] = known.rsIsStrict
	}
	rest, pictures, general := a.divide(all.relays)
	if len(pictures) == 0 && len(general) == 0 {
		return all.build(experiment, options), nil
	}
	part := func(relays []results.Relay) *Report {
		if len(relays) == 0 {
			return nil
		}
		return all.of(relays).build(experiment, options)
	}
	ofPictures, ofGeneral := part(pictures), part(general)
	r := cmp.Or(part(rest), ofPictures, ofGeneral)
	r.pictures, r.general = ofPictures, ofGeneral
	r.Reasons, r.reasonsOf = all.reasons()
	return r, nil
}

// pictureDomain is the domain whose documents are pictures.
const pictureDomain = "image"

// recorded is an experiment as stored.
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
	// A run may be storing at the same time. A relay is stored before its interactions, so reading the
	// interactions first guarantees that their relays are found.
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

// of selects some relays with their interactions.
func (s recorded) of(relays []results.Relay) recorded {
	taken := map[int64]bool{}
	for _, r := range relays {
		taken[r.ID] = true
	}
	interactions := s.interactions
	s.relays, s.interactions = relays, nil
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
		report:   &Report{Experiment: experiment, Changes: changes, Stored: len(interactions), UnscoredZero: options.UnscoredZero},
		relays:   make(map[int64]results.Relay, len(relays)),
		planned:  map[armKey]int{},
		places:   map[string]int{},
		sampler:  statistics.NewSampler(experiment.Manifest.Seed),
		standIn:  map[string]bool{},
		tools:    newToolNumbers(),
		arms:     map[armKey]*armSums{},
		tasks:    map[taskKey]map[armKey]*results.Interaction{},
		category: options.Category,
		judges:   map[string]bool{}, editJudges: map[string]bool{}, judgedDomains: map[string]bool{},
	}
	stored := map[int64]int{}
	for i := range interactions {
		stored[interactions[i].Relay]++
	}
	for _, r := range relays {
		b.relays[r.ID] = r
		planned := 2 * len(r.Schedule)
		if experiment.Manifest.OfGym() {
			planned = stored[r.ID] // only finished episodes are stored, and one may be a single edit
		}
		b.report.Planned += planned
		b.planned[armKey{r.Model, r.Policy}] += planned
	}
	b.place(relays)
	for _, m := range experiment.Manifest.Models {
		b.standIn[m.Name] = m.StandIn
	}
	for _, trip := range results.Trips(interactions) {
		b.addTrip(trip)
	}
	for _, e := range b.environments {
		b.facts = append(b.facts, known[e.name])
	}
	b.report.source = &b
	b.report.Reasons, b.report.reasonsOf = s.reasons()
	b.finish()
	b.report.add("tools", b.presence(), b.finishes())
	b.report.add("bytes", b.bytes())
	b.report.add("properties", b.propertyTables(options.Category)...)
	b.report.add("operations", b.operationTables()...)
	b.report.Sequences = b.sequences(b.changes())
	return b.report
}

// place numbers the environments. Intervals are drawn by these numbers, so they must not depend on the order in which
// relays ended: that of a plan is fixed, and episodes of a gym are taken by name.
func (b *builder) place(relays []results.Relay) {
	if b.report.Experiment.Manifest.OfGym() {
		relays = slices.SortedStableFunc(slices.Values(relays), func(x, y results.Relay) int {
			return strings.Compare(x.Environment, y.Environment)
		})
	}
	for _, r := range relays {
		if _, known := b.places[r.Environment]; !known {
			b.places[r.Environment] = len(b.environments)
			b.environments = append(b.environments, environment{r.Environment, r.Domain})
		}
	}
}

// taskKey identifies a task that all arms have in common.
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
	// arranged are the arms in the order of the manifest, order likewise, the best first.
	arranged, order []armKey
	tasks           map[taskKey]map[armKey]*results.Interaction

	category func(domain string) string // nil if it is not known

	judges, editJudges, judgedDomains map[string]bool
}

// addTrip adds a round trip. All trips of a relay must be added in sequence.
func (b *builder) addTrip(trip results.Trip) {
	relay := b.relays[trip.Relay]
	key := armKey{relay.Model, relay.Policy}
	sums, ok := b.arms[key]
	if !ok {
		sums = b.newArm()
		b.arms[key] = sums
		b.arranged = append(b.arranged, key)
	}
	place := b.places[relay.Environment]
	if n := len(sums.curves); n == 0 || sums.curves[n-1].relay != trip.Relay {
		sums.curves = append(sums.curves, &curve{relay: trip.Relay, place: place, repeat: relay.Repeat})
	}
	sums.addTrip(trip, sums.curves[len(sums.curves)-1], b.tools, b.report.UnscoredZero)
	for _, in := range trip.Steps() {
		sums.add(in, place)
		sums.judged.add(in, place, len(b.environments))
		b.add(in, relay, key)
	}
}

// add adds what is counted for each interaction.
func (b *builder) add(in *results.Interaction, relay results.Relay, key armKey) {
	b.report.UnknownAttempts += in.UnknownAttempts
	if o := in.ForwardOpinion; o != nil {
		b.editJudges[o.Judge] = true
	}
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

func (b *builder) notBuilt(relay results.Relay) {
	at := slices.IndexFunc(b.report.NotBuilt, func(u NotBuilt) bool { return u.Environment == relay.Environment })
	if at < 0 {
		b.report.NotBuilt = append(b.report.NotBuilt, NotBuilt{Environment: relay.Environment, Domain: relay.Domain})
		at = len(b.report.NotBuilt) - 1
	}
	b.report.NotBuilt[at].Interactions += 2
}

func (b *builder) finish() {
	slices.SortStableFunc(b.arranged, b.compare)
	arms, tools := make([]Arm, len(b.arranged)), map[armKey]*ToolUse{}
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, key := range b.arranged {
		use := &ToolUse{}
		if key.model != "" && b.traits(key).Tools {
			tools[key] = use
		}
		group.Go(func() error {
			arms[i] = b.arm(key)
			if key.model != "" && b.traits(key).Tools {
				*use = b.toolUse(key)
			}
			return nil
		})
	}
	_ = group.Wait() // none fails
	b.report.Arms = arms
	b.rank()
	for _, key := range b.order {
		if use := tools[key]; use != nil {
			b.report.Tools = append(b.report.Tools, *use)
		}
	}
	b.report.Judges = slices.Sorted(maps.Keys(b.judges))
	b.report.EditJudges = slices.Sorted(maps.Keys(b.editJudges))
	b.report.JudgedDomains = slices.Sorted(maps.Keys(b.judgedDomains))
	b.report.NotCounted = b.notCounted()
	b.report.Comparisons = b.comparisons()
	b.report.Harnesses = b.harnesses()
	b.report.Domains = b.domainEnds()
	b.report.Sizes = b.sizes()
}
