package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"agentd/internal/layout"
	"agentd/internal/lazyregexp"
	"agentd/internal/printable"
	"agentd/policies"
	"agentd/results"
)

// Reason is a reason why interactions failed or changed nothing, with their number.
type Reason struct {
	Text  string // a line of plain English
	Count int    // interactions
	// Relay and Number identify the first such interaction.
	Relay  int64
	Number int
	Relays []int64 // IDs of all affected relays, without duplicates
	// Domain is that of all documents that cannot be read for this reason; empty if they are of several, or all
	// documents of the experiment are of one.
	Domain string
}

func (r Reason) String() string { return fmt.Sprintf("%d × %s", r.Count, r.what()) }

func (r Reason) what() string { return strings.TrimLeft(r.Domain+" "+r.Text, " ") }

const unreadable = "document not readable: "

// ReasonOf returns the first reason that applies to an interaction: it failed, the protocol gives it
// no score, its document could not be read, or its files hold nothing new. It returns "" if none
// applies.
func ReasonOf(in *results.Interaction) string {
	switch {
	case in.Failure != "":
		return printable.Line(policies.Why(policies.Reason(in.Failure), in.Detail))
	case in.Unscored != "":
		return printable.Line("no score: " + string(in.Unscored))
	case in.Score != nil && in.Score.Problem != "":
		return printable.Line(unreadable + in.Score.Problem)
	case in.Executed != nil && !*in.Executed:
		return "nothing was changed"
	}
	return ""
}

// Reasons groups the interactions that failed or changed nothing by reason, the most frequent first.
// Reasons that differ only in numbers and quoted texts are one. The interactions of a relay must be adjacent.
func Reasons(all []results.Interaction) []Reason {
	var reasons []Reason
	places, texts := map[string]int{}, []map[string]int{} // of the groups; how often each text came
	for i := range all {
		text := ReasonOf(&all[i])
		if text == "" {
			continue
		}
		at, known := places[alike(text)]
		if !known {
			at = len(reasons)
			places[alike(text)] = at
			reasons = append(reasons, Reason{Relay: all[i].Relay, Number: all[i].Number})
			texts = append(texts, map[string]int{})
		}
		reasons[at].Count++
		if r := &reasons[at]; len(r.Relays) == 0 || r.Relays[len(r.Relays)-1] != all[i].Relay {
			r.Relays = append(r.Relays, all[i].Relay)
		}
		texts[at][text]++
	}
	for i := range reasons {
		reasons[i].Text = oneOf(texts[i])
	}
	slices.SortFunc(reasons, func(a, b Reason) int { return cmp.Or(b.Count-a.Count, cmp.Compare(a.Text, b.Text)) })
	return reasons
}

var (
	tokensOf = lazyregexp.New(`\(([0-9,]+) (of [0-9,]+ tokens\))`)
	varying  = lazyregexp.New(`'[^']*'|"[^"]*"|“[^”]*”|` + "`[^`]*`" + `|[0-9]+`)
)

// alike returns the common form of the texts of one group. It keeps a model's token limit.
func alike(text string) string {
	if tokensOf.MatchString(text) {
		return tokensOf.ReplaceAllString(text, "($2")
	}
	return varying.ReplaceAllString(text, "#")
}

// oneOf returns the text for a group: the range of lengths for requests that are too long,
// otherwise the most frequent text.
func oneOf(texts map[string]int) string {
	all := slices.SortedFunc(maps.Keys(texts), func(a, b string) int { return cmp.Or(texts[b]-texts[a], cmp.Compare(a, b)) })
	least, most := 0, 0
	for _, text := range all {
		if m := tokensOf.FindStringSubmatch(text); m != nil {
			n, _ := strconv.Atoi(strings.ReplaceAll(m[1], ",", "")) // the pattern matches only numbers
			least, most = min(cmp.Or(least, n), n), max(most, n)
		}
	}
	switch {
	case len(all) == 1:
		return all[0]
	case most > least:
		return tokensOf.ReplaceAllString(all[0], fmt.Sprintf("(%s to %s $2", layout.Thousands(least), layout.Thousands(most)))
	}
	return all[0] + " (or similar)"
}

// InOneLine returns a limited number of reasons in one line; "" if there are none.
func InOneLine(reasons []Reason, most int) string {
	var parts []string
	for i, r := range reasons {
		if i == most {
			parts = append(parts, fmt.Sprintf("%d × other reasons", Failed(reasons[i:])))
			break
		}
		parts = append(parts, r.String())
	}
	return strings.Join(parts, "; ")
}

// Failed returns the total number of interactions with one of the reasons.
func Failed(reasons []Reason) int {
	n := 0
	for _, r := range reasons {
		n += r.Count
	}
	return n
}

// armReasons are an arm's.
type armReasons struct {
	armKey
	interactions int
	reasons      []Reason
}

// reasons returns the reasons of all interactions, and of each arm.
func (s recorded) reasons() (whole []Reason, arms []armReasons) {
	keys, domains, several := map[int64]armKey{}, map[int64]string{}, false
	for _, r := range s.relays {
		keys[r.ID], domains[r.ID] = armKey{r.Model, r.Policy}, r.Domain
		several = several || r.Domain != s.relays[0].Domain
	}
	of := map[armKey][]results.Interaction{}
	for i := range s.interactions {
		key := keys[s.interactions[i].Relay]
		of[key] = append(of[key], s.interactions[i])
	}
	for key, all := range of {
		arms = append(arms, armReasons{key, len(all), Reasons(all)})
	}
	whole = Reasons(s.interactions)
	for i := range whole {
		r := &whole[i]
		first := domains[r.Relay]
		if several && strings.HasPrefix(r.Text, unreadable) && !slices.ContainsFunc(r.Relays, func(id int64) bool { return domains[id] != first }) {
			r.Domain = first
		}
	}
	return whole, arms
}

// MostReasons is how many reasons a line of the report shows at most.
const MostReasons = 3

// reasonsTable has the reasons of each arm.
func (r *Report) reasonsTable() Table {
	t := Table{
		Name: "reasons", Title: "Why interactions failed or changed nothing, by arm", Labels: append(slices.Clone(armLabels), "reason"),
		Measures: []Measure{{Name: "times", Head: "interactions"}, {Name: "share", Head: "share %", Unit: Percent}},
	}
	slices.SortFunc(r.reasonsOf, func(a, b armReasons) int { return r.source.compare(a.armKey, b.armKey) })
	for _, arm := range r.reasonsOf {
		for _, reason := range arm.reasons {
			share := float64(reason.Count) / float64(arm.interactions)
			t.Rows = append(t.Rows, Row{
				Labels: []string{arm.model, arm.policy, reason.Text}, StandIn: r.source.standIn[arm.model],
				Cells: []Cell{plainCell(float64(reason.Count)), plainCell(share)},
			})
		}
	}
	return t
}
