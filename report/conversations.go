package report

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"agentd/report/statistics"
	"agentd/results"
)

// ConversationComparison compares an arm with the same arm of an experiment that differs only in its user's
// conversation style. Relays of the same environment and repeat are paired.
type ConversationComparison struct {
	Model    string
	StandIn  bool
	Policy   string
	Baseline string // how the user of the other experiment speaks
	At       int    // interactions after which the scores are taken
	Pairs    int    // of relays
	// RS is the mean of the paired relays, BaselineRS that of the other experiment's. Differences
	// are mean differences: this experiment minus the other.
	RS, BaselineRS, RSDifference statistics.Interval
	StrictDifference             statistics.Interval
	RSP, StrictP                 float64
	// Tokens and Cost (USD) are means per interaction; Cost is none if a price is unknown.
	Tokens, BaselineTokens, Cost, BaselineCost statistics.Interval
	TokensP                                    float64
	Work, BaselineWork                         results.Work // scores are none where one of them is too little
}

// Speaking describes the conversation style of an experiment's user in a few words.
func Speaking(m results.Manifest) string {
	said := []string{"fresh"}
	if m.Conversation != "" {
		said[0] = m.Conversation
	}
	if m.Turns != "" {
		said = append(said, "in "+m.Turns)
	}
	if m.Revisions > 0 {
		said = append(said, count(m.Revisions, "revision"))
	}
	if m.Compact != "" {
		said = append(said, m.Compact)
	}
	return strings.Join(said, ", ")
}

// plain reports whether an experiment's user speaks as in the published protocol.
func plain(m results.Manifest) bool {
	return m.Conversation == "" && m.Turns == "" && m.Revisions == 0 && m.Compact == ""
}

// compareConversations compares an experiment whose user does not speak as the published
// protocol's with those of the store that differ from it in nothing else.
func (r *Report) compareConversations(ctx context.Context, store *results.Store, options Options) error {
	if plain(r.Experiment.Manifest) {
		return nil
	}
	all, err := store.Experiments(ctx)
	if err != nil {
		return err
	}
	for i := range all {
		other := all[i]
		if other.ID == r.Experiment.ID || !spokenTo(r.Experiment.Manifest, other.Manifest) {
			continue
		}
		read, err := build(ctx, store, other, options)
		if err != nil {
			return err
		}
		r.Conversations = append(r.Conversations, r.source.conversations(read)...)
	}
	slices.SortStableFunc(r.Conversations, func(a, b ConversationComparison) int {
		return r.source.position(a) - r.source.position(b)
	})
	return nil
}

func (b *builder) position(t ConversationComparison) int {
	return slices.Index(b.order, armKey{t.Model, t.Policy})
}

// spokenTo reports whether two experiments differ only in their users' conversation style and
// its consequences.
func spokenTo(a, b results.Manifest) bool {
	if Speaking(a) == Speaking(b) {
		return false
	}
	for _, m := range []*results.Manifest{&a, &b} {
		m.Conversation, m.Turns, m.Revisions, m.Compact = "", "", 0, ""
		m.Prompts = nil      // later requests have prompts of their own
		m.Environments = nil // parts are part of an environment's hash
		m.Policies, m.PolicySpecs, m.Traits, m.Models = nil, nil, nil, nil
		m.Limits = withoutWindow(m.Limits)
	}
	return len(a.Differences(b)) == 0
}

// withoutWindow returns limits without the one that applies only to continued conversations.
func withoutWindow(limits json.RawMessage) json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(limits, &members) != nil {
		return limits
	}
	delete(members, "context_tokens")
	raw, err := json.Marshal(members)
	if err != nil {
		return limits
	}
	return raw
}

// conversations compares the arms that two experiments have in common.
func (b *builder) conversations(other *Report) (all []ConversationComparison) {
	for _, same := range b.sameArms(other.source) {
		if t, ok := b.conversationsOfArm(same[0], same[1], other); ok {
			all = append(all, t)
		}
	}
	return all
}

// pair is two relays of the same environment and repeat.
type pair struct{ mine, theirs *curve }

func (b *builder) conversationsOfArm(key, theirKey armKey, other *Report) (ConversationComparison, bool) {
	byTask := map[taskKey]*curve{}
	for _, c := range other.source.arms[theirKey].curves {
		byTask[taskKey{environment: other.source.environments[c.place].name, repeat: c.repeat}] = c
	}
	var pairs []pair
	last := 0
	for _, c := range b.arms[key].curves {
		theirs := byTask[taskKey{environment: b.environments[c.place].name, repeat: c.repeat}]
		if theirs == nil {
			continue
		}
		pairs = append(pairs, pair{c, theirs})
		for k := range min(len(c.trips), len(theirs.trips)) {
			if c.trips[k].scored() && theirs.trips[k].scored() {
				last = max(last, k+1)
			}
		}
	}
	if last == 0 {
		return ConversationComparison{}, false
	}
	t := ConversationComparison{Model: key.model, StandIn: b.standIn[key.model], Policy: key.policy, Baseline: Speaking(other.Experiment.Manifest), At: 2 * last}
	var rs, tokens, cost [2]tally
	for _, sums := range []*[2]tally{&rs, &tokens, &cost} {
		sums[0], sums[1] = b.tally(), b.tally()
	}
	rsBy, strictBy, tokensBy, priced := b.tally(), b.tally(), b.tally(), true
	for _, p := range pairs {
		if len(p.mine.trips) < last || len(p.theirs.trips) < last || !p.mine.trips[last-1].scored() || !p.theirs.trips[last-1].scored() {
			continue
		}
		t.Pairs++
		mine, theirs := p.mine.trips[last-1], p.theirs.trips[last-1]
		place := p.mine.place
		rs[0].add(place, mine.rs, 1)
		rs[1].add(place, theirs.rs, 1)
		rsBy.add(place, mine.rs-theirs.rs, 1)
		strictBy.add(place, mine.strict-theirs.strict, 1)
		name := b.environments[place].name
		for number := 1; number <= 2*last; number++ {
			task := taskKey{name, p.mine.repeat, number}
			here, there := b.tasks[task][key], other.source.tasks[task][theirKey]
			if here == nil || there == nil {
				continue
			}
			for side, in := range []*results.Interaction{here, there} {
				tokens[side].add(place, float64(in.Prompt+in.Completion), 1)
				if priced = priced && in.Cost != nil; priced {
					cost[side].add(place, *in.Cost, 1)
				}
			}
			tokensBy.add(place, float64(here.Prompt+here.Completion-there.Prompt-there.Completion), 1)
		}
	}
	t.RS, t.BaselineRS = b.sampler.Mean(rs[0]), b.sampler.Mean(rs[1])
	t.RSDifference, t.RSP = b.sampler.Difference(rsBy)
	t.StrictDifference, t.StrictP = b.sampler.Difference(strictBy)
	t.Tokens, t.BaselineTokens = b.sampler.Mean(tokens[0]), b.sampler.Mean(tokens[1])
	_, t.TokensP = b.sampler.Difference(tokensBy)
	t.Work, t.BaselineWork = b.arms[key].work, other.source.arms[theirKey].work
	t.leaveOut()
	t.Cost, t.BaselineCost = statistics.None(), statistics.None()
	if priced {
		t.Cost, t.BaselineCost = b.sampler.Mean(cost[0]), b.sampler.Mean(cost[1])
	}
	return t, true
}

// leaveOut leaves out the scores of an arm that did too little, and the differences to it.
func (t *ConversationComparison) leaveOut() {
	mine, theirs := t.Work.TooLittle(), t.BaselineWork.TooLittle()
	if mine {
		t.RS = statistics.None()
	}
	if theirs {
		t.BaselineRS = statistics.None()
	}
	if mine || theirs {
		t.RSDifference, t.StrictDifference, t.RSP, t.StrictP = statistics.None(), statistics.None(), math.NaN(), math.NaN()
	}
}

// conversations are two tables: what is left of the documents, and what it took.
func (r *Report) conversations() []Table {
	how := Speaking(r.Experiment.Manifest)
	labels := []string{"model", "policy", "against"}
	scores := Table{
		Name: "conversations", Title: fmt.Sprintf("Conversations (%s) against those of other experiments, relay by relay: what survives, in %%, and the difference in points", how), Labels: labels,
		Measures: []Measure{
			{Name: "at", Head: "@"}, {Name: "rs", Head: "RS", Unit: Percent, Graded: true, Score: true}, {Name: "rs_against", Head: "against", Unit: Percent},
			{Name: "rs_difference", Head: "RS ±", Unit: Points, Score: true}, {Name: "rs_p", Head: "p", Unit: Probability},
			{Name: "strict_difference", Head: "Strict ±", Unit: Points}, {Name: "strict_p", Head: "p", Unit: Probability},
		},
		Notes: []string{"±: these conversations' less those of the other experiment, over the relays of the same environment, repeat, model and policy that both have."},
	}
	costs := Table{
		Name: "conversation_costs", Title: fmt.Sprintf("Conversations (%s) against those of other experiments: what an interaction takes", how), Labels: labels,
		Measures: []Measure{
			{Name: "pairs", Head: "pairs"}, {Name: "tokens", Head: "tokens"}, {Name: "tokens_against", Head: "against"},
			{Name: "tokens_ratio", Head: "times", Unit: Ratio}, {Name: "tokens_p", Head: "p", Unit: Probability},
			{Name: "cost", Head: "USD", Unit: USD}, {Name: "cost_against", Head: "against", Unit: USD},
		},
	}
	for _, t := range r.Conversations {
		row := Row{Labels: []string{t.Model, t.Policy, t.Baseline}, StandIn: t.StandIn}
		row.Cells = []Cell{
			plainCell(float64(t.At)), withoutBounds(t.RS), withoutBounds(t.BaselineRS),
			withoutBounds(t.RSDifference), probability(t.RSP), withoutBounds(t.StrictDifference), probability(t.StrictP),
		}
		row.of(t.Work)
		scores.against(t.Baseline, t.BaselineWork)
		scores.Rows = append(scores.Rows, row)
		ratio := math.NaN()
		if t.BaselineTokens.Estimate > 0 {
			ratio = t.Tokens.Estimate / t.BaselineTokens.Estimate
		}
		row.Cells = []Cell{
			plainCell(float64(t.Pairs)), withoutBounds(t.Tokens), withoutBounds(t.BaselineTokens), probability(ratio), probability(t.TokensP),
			withoutBounds(t.Cost), withoutBounds(t.BaselineCost),
		}
		costs.Rows = append(costs.Rows, row)
	}
	return []Table{scores, costs}
}
