package report

import (
	"cmp"
	"slices"

	"agentd/results"
)

// armKey identifies an arm in an experiment. Names only distinguish arms: the manifest says what
// an arm is, and defines the order.
type armKey struct{ model, policy string }

func (b *builder) manifest() *results.Manifest { return &b.report.Experiment.Manifest }

func (b *builder) traits(key armKey) results.Traits { return b.manifest().TraitsOf(key.policy) }

// compare orders arms as the manifest does: by models, then by policies. Arms without a model
// come last; two that the manifest does not name are equal.
func (b *builder) compare(x, y armKey) int {
	m := b.manifest()
	model := func(key armKey) int {
		switch at := slices.IndexFunc(m.Models, func(m results.Model) bool { return m.Name == key.model }); {
		case key.model == "":
			return len(m.Models) + 1
		case at < 0:
			return len(m.Models)
		default:
			return at
		}
	}
	policy := func(key armKey) int {
		if at := slices.Index(m.Policies, key.policy); at >= 0 {
			return at
		}
		return len(m.Policies)
	}
	return cmp.Or(model(x)-model(y), cmp.Compare(x.model, y.model), policy(x)-policy(y))
}

// rank sorts the arms as tables list them: by RS at the last round trip with no-ops as 0, the best
// first. Arms that have not got that far, or did too little, come last and have no rank. Equal arms
// stay in the order of the manifest.
func (b *builder) rank() {
	trips := b.report.trips()
	rank := func(a *Arm) float64 {
		if scores := a.NoOpsZero.RS; len(scores) == trips && trips > 0 && !a.Work.TooLittle() && scores[trips-1].Exists() {
			return scores[trips-1].Estimate
		}
		return -1
	}
	places := make([]int, len(b.arranged))
	for i := range places {
		places[i] = i
	}
	arms := b.report.Arms
	slices.SortStableFunc(places, func(x, y int) int { return cmp.Compare(rank(&arms[y]), rank(&arms[x])) })
	b.report.Arms = nil
	for _, at := range places {
		b.order, b.report.Arms = append(b.order, b.arranged[at]), append(b.report.Arms, arms[at])
	}
}

func isBaseline(t results.Traits) bool      { return t.Baseline }
func isPublishedLoop(t results.Traits) bool { return t.PublishedLoop }
func anyPolicy(results.Traits) bool         { return true }

// first returns the first arm of a model that satisfies the first condition, or else the next
// condition, and so on; no arm if none satisfies any.
func (b *builder) first(model string, questions ...func(results.Traits) bool) armKey {
	for _, holds := range questions {
		for _, key := range b.arranged {
			if key.model == model && holds(b.traits(key)) {
				return key
			}
		}
	}
	return armKey{}
}

// sameArms pairs the arms with the same ones of another experiment, in the order of this one. Arms
// of a model are the same if their policies have the same options; if there are several, the names
// decide. Of the remaining arms, those with the same use and name are the same, such as another
// version of an agent.
func (b *builder) sameArms(other *builder) [][2]armKey {
	mine, theirs := b.manifest(), other.manifest()
	sameOptions := func(x, y armKey) bool { return mine.Options(x.policy) == theirs.Options(y.policy) }
	pairs, taken := map[armKey]armKey{}, map[armKey]bool{}
	for _, same := range []func(x, y armKey) bool{
		func(x, y armKey) bool { return x == y && sameOptions(x, y) },
		sameOptions,
		func(x, y armKey) bool { return x == y && b.traits(x).Use == other.traits(y).Use },
	} {
		for _, x := range b.arranged {
			at := slices.IndexFunc(other.arranged, func(y armKey) bool { return x.model == y.model && !taken[y] && same(x, y) })
			if _, paired := pairs[x]; !paired && at >= 0 {
				pairs[x], taken[other.arranged[at]] = other.arranged[at], true
			}
		}
	}
	var all [][2]armKey
	for _, x := range b.order {
		if y, paired := pairs[x]; paired {
			all = append(all, [2]armKey{x, y})
		}
	}
	return all
}
