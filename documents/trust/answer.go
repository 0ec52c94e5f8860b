package trust

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"agentd/documents/compare"
	"agentd/domains"
	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/internal/charset"
	"agentd/internal/fidelity"
	"agentd/report/statistics"
	"agentd/results"
	"agentd/vfs"
)

// Answer says how well documents survived delegated editing.
type Answer struct {
	Experiment string `json:"experiment"`
	// FailUnder is the threshold in percent, see Keeps.
	FailUnder float64 `json:"fail_under"`
	Verdict   Verdict `json:"verdict"`
	// Trusted says that the verdict is Yes. NoWorse says that nothing untrusted was shown to be
	// worse than in the rule's baseline, if there is one.
	Trusted   bool       `json:"trusted"`
	NoWorse   bool       `json:"no_worse,omitempty"`
	Arms      []Overall  `json:"arms"`
	Documents []Document `json:"documents"`
	Skipped   []Skipped  `json:"skipped,omitempty"`
	// Needed says how many more edits would turn Unknown into an answer; nil for other verdicts, and
	// if no number of edits would.
	Needed *Needed `json:"more,omitempty"`
}

// Overall is how an arm did on all documents together.
type Overall struct {
	Model   string `json:"model,omitempty"`
	Policy  string `json:"policy"`
	Planned int    `json:"planned"` // relays
	Length  int    `json:"length"`  // edits of a relay
	// Interactions is the number of edits so far, and USD their cost; nil if unknown.
	Interactions int      `json:"interactions"`
	USD          *float64 `json:"usd"`
	NoOps
	Judged
	NoWorse bool `json:"no_worse,omitempty"`
	// repeats is how many relays a document needs for an answer.
	repeats int
}

// Document describes how one document survived.
type Document struct {
	Number   int      `json:"number"` // from 1, by its place in the experiment
	Path     string   `json:"path"`
	Domain   string   `json:"domain"`
	Element  string   `json:"element"` // what is counted, singular
	Elements int      `json:"elements"`
	Files    []string `json:"files"`
	// Encodings are those of the files that are not in UTF-8; models get UTF-8.
	Encodings charset.Encodings `json:"encodings,omitempty"`
	Edits     []string          `json:"edits"`
	Arms      []Arm             `json:"arms"`
}

// Arm describes how a document survived with one model and policy. Shares are in percent.
type Arm struct {
	Model   string `json:"model,omitempty"`
	Policy  string `json:"policy"`
	Planned int    `json:"planned"` // relays
	// Relays counts the relays that have ended and have a strict score.
	Relays []Relay `json:"relays"`
	// Length is how many edits a relay has: two for each round trip.
	Length   int      `json:"length"`
	Survives Survival `json:"survives"`
	// Done counts the forward edits that were carried out at all, of Forward.
	Done    int `json:"done"`
	Forward int `json:"forward"`
	// Right counts the edits, forward and backward, with the same result as the exact program.
	// Checked counts the edits that have such a program.
	Right   int     `json:"right"`
	Checked int     `json:"checked"`
	Edits   []Edit  `json:"edits"`
	Worst   string  `json:"worst,omitempty"` // name of the edit that lost the most, empty if none did
	Changes []Tally `json:"changes,omitempty"`
	// Faults counts the edits without a result because a server or the sandbox failed.
	Faults int `json:"faults,omitempty"`
	NoOps
	Judged
}

// Survival is the mean strict score at the end of the relays, in percent. Mean is nil if no relay
// has a score, or if fewer than half of the forward edits were carried out: a document that was
// not edited survives. Low and High are one-sided 95 % bounds of the mean (statistics.Share). They
// are wide, because the worst case may not have been seen yet.
type Survival struct {
	Mean *float64 `json:"mean"`
	Low  *float64 `json:"low"`
	High *float64 `json:"high"`
}

// Relay is one relay at its end.
type Relay struct {
	ID      int64   `json:"relay"`
	Strict  float64 `json:"survives"` // strict score in percent
	Done    int     `json:"done"`     // forward edits that were carried out, of Forward
	Forward int     `json:"forward"`
	NoOps
	// Broken lists the syntax errors at the end of the relay that the seed did not have, see domains.Domain.Slips. A relay
	// with any does not keep the document.
	Broken []string `json:"broken,omitempty"`
	// Bytes describes changes of the bytes in parts whose meaning did not change; nil if there are none or it was not measured.
	Bytes *fidelity.Kept `json:"bytes,omitempty"`
	// Warnings are the warnings at the end of the relay, see domains.Warnings.
	Warnings    []string             `json:"warnings,omitempty"`
	differences []compare.Difference // between the seed and the end
}

// Edit is how one edit went, over all relays of an arm.
type Edit struct {
	Name  string `json:"edit"`
	Times int    `json:"times"`
	Done  int    `json:"done"`  // forward steps that were carried out
	Right int    `json:"right"` // forward steps that were done right
	Back  int    `json:"back"`  // backward steps that were done right
	// Checked counts the steps, forward and backward, that an exact program checked.
	Checked int `json:"checked"`
	// Loses is the mean loss of the strict score in a round trip, in percentage points.
	Loses float64 `json:"loses"`
}

// Tally counts differences of one kind between the seed and the ends of the relays.
type Tally struct {
	Kind  string `json:"change"` // lost, added, changed or moved
	What  string `json:"what"`   // an element or, where one of its fields changed, the field
	Count int    `json:"count"`
}

// Build reads an experiment from a store.
func Build(ctx context.Context, store *results.Store, experiment results.Experiment) (*Answer, error) {
	relays, err := store.Relays(ctx, experiment.ID)
	if err != nil {
		return nil, err
	}
	arms, err := store.Arms(ctx, experiment.ID)
	if err != nil {
		return nil, err
	}
	a := &Answer{Experiment: experiment.Name}
	free := map[string]bool{"": true} // a policy without a model
	for _, m := range experiment.Manifest.Models {
		free[m.Name] = m.StandIn
	}
	for _, arm := range arms {
		o := Overall{Model: arm.Model, Policy: arm.Policy, Planned: arm.Relays, Length: arm.Planned / max(arm.Relays, 1), Interactions: arm.Done}
		switch {
		case free[arm.Model]:
			o.USD = new(0.0)
		case arm.InteractionsOfNoPrice == 0:
			o.USD = &arm.Cost
		}
		a.Arms = append(a.Arms, o)
	}
	slices.SortFunc(relays, func(x, y results.Relay) int { return int(x.ID - y.ID) })
	byEnvironment := map[string][]results.Relay{}
	var order []string
	for _, r := range relays {
		if byEnvironment[r.Environment] == nil {
			order = append(order, r.Environment)
		}
		byEnvironment[r.Environment] = append(byEnvironment[r.Environment], r)
	}
	for i, name := range order {
		d, err := buildDocument(ctx, store, experiment.Manifest.Environments[name], byEnvironment[name])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		d.Number = i + 1
		a.Documents = append(a.Documents, d)
	}
	for i := range a.Arms {
		var all []Relay
		for _, d := range a.Documents {
			if arm := d.arm(a.Arms[i].Model, a.Arms[i].Policy); arm != nil {
				all = append(all, arm.Relays...)
			}
		}
		a.Arms[i].NoOps = noOpsMean(all)
	}
	return a, nil
}

// buildDocument reads the relays of one environment.
func buildDocument(ctx context.Context, store *results.Store, hash string, relays []results.Relay) (Document, error) {
	text, err := store.Content(ctx, hash)
	if err != nil {
		return Document{}, err
	}
	env, err := environments.Decode(text)
	if err != nil {
		return Document{}, err
	}
	d, built := catalog.Lookup(env.Domain)
	if !built {
		return Document{}, fmt.Errorf("the domain %s is not built", env.Domain)
	}
	d = env.Apply(d)
	doc := Document{Path: env.Title, Domain: env.Domain, Element: d.Info().Element, Files: env.Seed.Names(), Encodings: env.Encodings}
	if stats, err := d.Statistics(env.Seed); err == nil {
		doc.Elements = stats.Elements
	}
	for _, edit := range env.Edits {
		doc.Edits = append(doc.Edits, edit.Name)
	}
	known := map[string]bool{} // names of the seed's fields
	for _, e := range d.Elements(env.Seed) {
		for _, f := range e.Fields {
			known[f.Name] = true
		}
	}
	courses := make([]course, len(relays))
	work, reading := errgroup.WithContext(ctx)
	work.SetLimit(runtime.NumCPU())
	for i, relay := range relays {
		work.Go(func() error {
			interactions, err := store.Interactions(reading, relay.ID)
			if err == nil {
				courses[i] = follow(&env, d, relay, interactions)
			}
			return err
		})
	}
	if err := work.Wait(); err != nil {
		return Document{}, err
	}
	for i, relay := range relays {
		at := slices.IndexFunc(doc.Arms, func(a Arm) bool { return a.Model == relay.Model && a.Policy == relay.Policy })
		if at < 0 {
			at = len(doc.Arms)
			doc.Arms = append(doc.Arms, Arm{Model: relay.Model, Policy: relay.Policy})
		}
		doc.Arms[at].add(relay, &courses[i], known)
	}
	for i := range doc.Arms {
		doc.Arms[i].sum()
	}
	return doc, nil
}

// course is the record of one relay.
type course struct {
	end    *Relay // nil without a score at the planned end
	trips  []trip
	faults int
}

// trip is one round trip of a relay.
type trip struct {
	edit                  string
	back                  bool // the backward step is stored
	done                  bool // the forward step was carried out
	rightThere, rightBack bool
	checked               bool
	lost                  float64 // of the strict score, 0 to 1
}

// follow evaluates a relay, round trip by round trip.
func follow(env *environments.Environment, d domains.Domain, relay results.Relay, interactions []results.Interaction) course {
	var c course
	seed := d.Against(env.Seed)
	survives := 1.0
	for _, stored := range results.Trips(interactions) {
		for _, in := range stored.Steps() {
			c.faults += one(in.Unscored == results.ServiceFault)
		}
		if stored.Forward == nil {
			continue
		}
		t := there(env, d, stored.Forward)
		if in := stored.Backward; in != nil {
			strict, scored := strictOf(in)
			t.back = true
			t.lost = survives - strict
			t.rightBack = t.done && scored && isRight(env, d, in, stored.Forward.Output)
			survives = strict
			if scored && stored.Number == len(relay.Schedule) {
				c.end = &Relay{
					ID: relay.ID, Strict: 100 * strict, NoOps: noOpsOf(stored), Warnings: domains.Warnings(d, env.Seed, in.Output), differences: compare.DifferencesOf(seed.Review(in.Output)),
				}
				c.end.noteForm(env, seed.Broken(in.Output), in.Bytes)
			}
		}
		c.trips = append(c.trips, t)
	}
	return c
}

// noteForm records syntax errors and changes of the bytes.
func (r *Relay) noteForm(env *environments.Environment, broken []domains.Slip, kept *fidelity.Kept) {
	document := ""
	if len(env.Seed) == 1 {
		document = env.Seed.Names()[0]
	}
	for _, slip := range broken {
		r.Broken = append(r.Broken, slip.In(document))
	}
	if kept != nil && len(kept.Changes) > 0 {
		r.Bytes = kept
	}
}

// there evaluates the forward step of a round trip.
func there(env *environments.Environment, d domains.Domain, in *results.Interaction) trip {
	t := trip{edit: in.Edit, done: in.Executed != nil && *in.Executed}
	if edit, err := env.EditNamed(in.Edit); err == nil {
		_, t.checked = env.OracleFor(edit, d)
	}
	t.rightThere = t.done && in.Forward != nil && *in.Forward == 1
	return t
}

// strictOf returns the strict score of a backward step; false if it has none. If its files are
// missing, the score is 0.
func strictOf(in *results.Interaction) (strict float64, scored bool) {
	switch {
	case in.Unscored == results.ServiceFault:
		return 0, false
	case in.Score != nil:
		return in.Score.Strict, true
	}
	return 0, in.Unscored != ""
}

// isRight reports whether a backward step has the same result as its exact program on the same
// files (domains.Review.Same). If the program fails, the files were no longer a valid result of the edit.
func isRight(env *environments.Environment, d domains.Domain, in *results.Interaction, before vfs.Files) bool {
	edit, err := env.EditNamed(in.Edit)
	if err != nil {
		return false
	}
	oracle, ok := env.OracleFor(edit, d)
	if !ok {
		return false
	}
	exact, err := oracle.Backward(before)
	return err == nil && (exact.Equal(in.Output) || d.Against(exact).Review(in.Output).Same())
}

// add adds a relay to the arm's figures. known holds the names of the seed's fields.
func (a *Arm) add(relay results.Relay, c *course, known map[string]bool) {
	a.Planned++
	a.Length = 2 * len(relay.Schedule)
	a.Faults += c.faults
	if c.end != nil {
		for _, t := range c.trips {
			c.end.Done, c.end.Forward = c.end.Done+one(t.done), c.end.Forward+1
		}
		a.Relays = append(a.Relays, *c.end)
		for _, difference := range c.end.differences {
			if !known[difference.Field] { // a name that only the candidate has
				difference.Field = ""
			}
			a.count(difference)
		}
	}
	for _, t := range c.trips {
		at := slices.IndexFunc(a.Edits, func(e Edit) bool { return e.Name == t.edit })
		if at < 0 {
			at = len(a.Edits)
			a.Edits = append(a.Edits, Edit{Name: t.edit})
		}
		e := &a.Edits[at]
		e.Times++
		e.Done += one(t.done)
		e.Right += one(t.rightThere)
		e.Back += one(t.rightBack)
		e.Loses += 100 * t.lost // a total until sum divides it
		if t.checked {
			e.Checked += 1 + one(t.back)
			a.Checked += 1 + one(t.back)
		}
	}
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// count counts a difference by the domain's word for the part that changed.
func (a *Arm) count(d compare.Difference) {
	a.Changes = addTally(a.Changes, Tally{Kind: d.Kind, What: strings.ToLower(cmp.Or(d.Field, d.Element)), Count: 1})
}

// addTally adds differences to the tally of their kind.
func addTally(all []Tally, c Tally) []Tally {
	for i := range all {
		if all[i].Kind == c.Kind && all[i].What == c.What {
			all[i].Count += c.Count
			return all
		}
	}
	return append(all, c)
}

// sortTallies puts the most frequent differences first.
func sortTallies(all []Tally) {
	slices.SortStableFunc(all, func(x, y Tally) int { return y.Count - x.Count })
}

// sum computes the figures of an arm after all relays were added.
func (a *Arm) sum() {
	most := 0.0
	for i := range a.Edits {
		e := &a.Edits[i]
		e.Loses = rounded(e.Loses / float64(e.Times))
		a.Forward += e.Times
		a.Done += e.Done
		a.Right += e.Right + e.Back
		if e.Loses > most {
			most, a.Worst = e.Loses, e.Name
		}
	}
	sortTallies(a.Changes)
	a.Survives, a.NoOps = a.survival(), noOpsMean(a.Relays)
}

// survival returns the mean survival of the relays with its bounds.
func (a *Arm) survival() Survival {
	var s statistics.Share
	for _, r := range a.Relays {
		s.Succeeded, s.Failed = s.Succeeded+r.Strict/100, s.Failed+1-r.Strict/100
	}
	if len(a.Relays) == 0 || a.idle() {
		return Survival{}
	}
	mean := rounded(100 * s.Succeeded / float64(len(a.Relays)))
	return Survival{Mean: &mean, Low: new(100 * s.Least(evidence)), High: new(100 * s.Most(evidence))}
}

// rounded removes rounding errors.
func rounded(v float64) float64 { return math.Round(v*1e9) / 1e9 }
