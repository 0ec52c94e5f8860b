package accounting

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/assign"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

// Stats counts the parts of a document.
func Stats(b Book) domains.Stats {
	postings, comments := 0, 0
	accounts := map[string]bool{}
	for _, t := range b.transactions {
		postings += len(t.postings)
		comments += len(t.comments)
		for _, p := range t.postings {
			accounts[p.account] = true
		}
	}
	return domains.Stats{Elements: len(b.transactions), Counts: []domains.Count{
		{Name: "Transactions", Value: strconv.Itoa(len(b.transactions))},
		{Name: "Postings", Value: strconv.Itoa(postings)},
		{Name: "Accounts", Value: strconv.Itoa(len(accounts))},
		{Name: "Comments", Value: strconv.Itoa(comments)},
	}}
}

// Score is coverage² · posting · amount · (½ + ½√comment). Transactions are matched so that their summed similarity is
// largest. Those of different dates have none, so each date is matched on its own.
func Score(reference, candidate Book, noted *notes.Notes) domains.Reading {
	reading := domains.Reading{
		Elements: domains.Elements{Reference: len(reference.transactions), Candidate: len(candidate.transactions)},
	}
	var coverage, posting, amount, comment float64
	if reading.Elements == (domains.Elements{}) {
		coverage, posting, amount, comment = 1, 1, 1, 1
	}
	const similar = 0.5
	covered, pairs := 0.0, 0.0
	for _, p := range matched(reference, candidate, noted) {
		if p.total > similar {
			covered++
		}
		if p.total >= similar {
			pairs++
			posting += p.account
			amount += p.amount
			comment += p.comment
		}
	}
	if pairs > 0 {
		coverage = covered / float64(reading.Elements.Reference)
		posting, amount, comment = posting/pairs, amount/pairs, comment/pairs
	}
	reading.RS = coverage * coverage * posting * amount * (0.5 + float64(0.5*math.Sqrt(comment)))
	reading.Components = map[string]float64{
		"coverage": coverage, "posting": posting, "amount": amount, "comment": comment,
	}
	return reading
}

func matched(reference, candidate Book, noted *notes.Notes) []similarity {
	ratios := ratios{ratio.NewTable(noted)}
	pairs := make([]similarity, 0, min(len(reference.transactions), len(candidate.transactions)))
	for _, date := range candidate.dates {
		ref, got := reference.on[date], candidate.on[date]
		if len(ref) == 0 {
			continue
		}
		for _, p := range assign.MinByLabel(assign.Costs{
			Rows: len(ref), Cols: len(got),
			Cost: func(i, j int) float64 { return 1 - ratios.similarity(&ref[i], &got[j]).total },
		}, func(i int) string { return ref[i].label() }, func(j int) string { return got[j].label() }, noted) {
			pairs = append(pairs, ratios.similarity(&ref[p.Row], &got[p.Col]))
		}
	}
	return pairs
}

// label is equal for equal features.
func (f *features) label() string {
	return fmt.Sprintf("%q %v %q %q", f.payee, f.amount, f.accounts, slices.Sorted(maps.Keys(f.comments)))
}

// similarity is how alike two transactions are, and their parts.
type similarity struct{ total, amount, account, comment float64 }

// ratios are those of texts; account names and payees recur.
type ratios struct{ *ratio.Table }

func (r ratios) similarity(ref, got *features) similarity {
	payee := r.payee(ref.payee, got.payee)
	if payee < leastPayee {
		return similarity{}
	}
	s := similarity{
		amount:  amountSimilarity(ref.amount, got.amount),
		account: r.accounts(ref.accounts, got.accounts),
		comment: commentSimilarity(ref.comments, got.comments),
	}
	// The conversions keep products and sums from being fused on some machines.
	s.total = float64(0.3*s.amount) + float64(0.4*s.account) + float64(0.2*s.comment) + float64(0.1*payee)
	return s
}

// leastPayee is the least ratio of payees of one transaction.
const leastPayee = 0.8

// payee is 0 where the ratio is below the least for certain.
func (r ratios) payee(ref, got string) float64 {
	switch {
	case ref == got, startsWith(ref, got), startsWith(got, ref):
		return 1
	}
	a, b := r.Number(ref), r.Number(got)
	if r.AtMost(a, b) < leastPayee {
		return 0
	}
	return r.Ratio(a, b)
}

// startsWith reports whether a text starts with words, and goes on.
func startsWith(text, words string) bool {
	rest, found := strings.CutPrefix(text, words)
	return found && strings.HasPrefix(rest, " ")
}

// accounts is the mean over the reference's postings of the most similar account on the other side, whichever posting has it.
func (r ratios) accounts(ref, got []string) float64 {
	if s, empty := sets.EitherEmpty(ref, got); empty {
		return s
	}
	has := make(map[string]bool, len(got))
	for _, other := range got {
		has[other] = true
	}
	sum := 0.0
	for _, account := range ref {
		if has[account] {
			sum++
			continue
		}
		best := 0.0
		for _, other := range got {
			if best = max(best, r.Of(account, other)); best == 1 {
				break
			}
		}
		sum += best
	}
	return sum / float64(len(ref))
}

func amountSimilarity(ref, got number) float64 {
	switch {
	case ref.value == got.value:
		return 1
	case ref.sign == 0 || got.sign == 0:
		return 0
	}
	share := min(ref.float, got.float) / max(ref.float, got.float)
	if math.IsNaN(share) { // both beyond the range of floats
		return 0
	}
	return share
}

func commentSimilarity(ref, got map[string]bool) float64 {
	if len(ref) == 0 {
		return 1
	}
	common := 0
	for comment := range ref {
		if got[comment] {
			common++
		}
	}
	return float64(common) / float64(len(ref)+len(got)-common)
}
