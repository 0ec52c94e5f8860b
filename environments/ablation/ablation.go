// Package ablation checks that a domain's scores fall at least in proportion to
// what a document loses: of N counted elements K left out leave at most
// 1 - K/N (paper, Appendix K).
package ablation

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/environments"
	"agentd/internal/layout"
	"agentd/internal/printable"
	"agentd/vfs"
)

// Fractions of the elements that are left out; a single element is as well.
var fractions = [...]float64{0.1, 0.25, 0.5, 0.75, 0.9}

// rounding is how far a score may be above its bound because floats round.
const rounding = 1e-9

// Result is what is left of both scores when elements are left out.
type Result struct {
	Left, Of      int // elements left out
	Value, Strict float64
	Most          float64 // 1 - Left/Of
	// Miscounted says that the published reading counts another number of
	// elements than are left.
	Miscounted bool
}

// ValueAbove reports whether the published score forgives some of the loss.
func (r Result) ValueAbove() bool { return r.Value > r.Most+rounding }

// StrictAbove reports whether the strict score does, which it never may.
func (r Result) StrictAbove() bool { return r.Strict > r.Most+rounding }

// Check leaves out one element and several fractions of all, chosen by chance
// from the seed. d has the environment's options.
func Check(d domains.Domain, document vfs.Files, seed uint64) ([]Result, error) {
	stats, err := d.Statistics(document)
	if err != nil {
		return nil, fmt.Errorf("counting what could be left out: %w", err)
	}
	total := stats.Elements
	if total == 0 {
		return nil, fmt.Errorf("there is no %s to leave out", d.Info().Element)
	}
	numbers := []int{1}
	for _, f := range fractions {
		if k := int(f * float64(total)); k > numbers[len(numbers)-1] {
			numbers = append(numbers, k)
		}
	}
	random := rand.New(rand.NewPCG(seed, uint64(total)))
	var results []Result
	for _, k := range numbers {
		gone := make([]bool, total)
		for _, n := range random.Perm(total)[:k] {
			gone[n] = true
		}
		left := d.Without(document, func(n int) bool { return n < total && gone[n] })
		score := d.Compare(document, left)
		results = append(results, Result{
			Left: k, Of: total, Value: score.RS, Strict: score.Strict,
			Most: 1 - float64(k)/float64(total), Miscounted: score.Elements.Candidate != total-k,
		})
	}
	return results, nil
}

// Finding is a Result with the environment it is of, and the domain's word for an element.
type Finding struct {
	Result
	Environment, Element string
}

// note says in a few words what is wrong with a result; empty if nothing is.
func (r Result) note() string {
	switch {
	case r.StrictAbove():
		return "strict score above"
	case r.Miscounted:
		return "counted differently"
	case r.ValueAbove():
		return "published score above"
	}
	return ""
}

// Write prints a heading and a row for each result. A published score above its bound is a trait of its
// formula. A strict score above it is an error, which Write returns after all rows.
func (f Findings) Write(w io.Writer) error {
	if _, err := printable.Fprintf(w, "\nElements left out of the seeds, and what is left of both scores, in %%\n\n"); err != nil {
		return err
	}
	percent := func(share float64) string { return fmt.Sprintf("%.1f", 100*share) }
	t := layout.NewTable(3, "environment", "element", "left out", "of", "score", "strict", "at most", "")
	for _, r := range f.Results {
		t.Row(r.Environment, r.Element, r.Left, r.Of, percent(r.Value), percent(r.Strict), percent(r.Most), r.note())
	}
	if err := t.Write(w); err != nil {
		return err
	}
	for _, err := range f.Unread {
		if _, err := printable.Fprintf(w, "%v\n", err); err != nil {
			return err
		}
	}
	if len(f.Forgiving) > 0 {
		return fmt.Errorf("the strict score forgives losses in %s", strings.Join(f.Forgiving, ", "))
	}
	return nil
}

// Findings are the results of several environments.
type Findings struct {
	Results   []Finding
	Forgiving []string // names of environments whose strict score is above a bound
	Unread    []error  // on environments from which nothing could be left out
}

// CheckAll checks every environment that a domain can score. find finds a domain by name.
func CheckAll(envs []environments.Environment, seed uint64, find func(name string) (domains.Domain, bool)) Findings {
	var all Findings
	for i := range envs {
		name := envs[i].Name
		d, ok := envs[i].Scoring(find)
		if !ok {
			continue
		}
		results, err := Check(d, envs[i].Seed, seed)
		if err != nil {
			all.Unread = append(all.Unread, fmt.Errorf("%s: %w", name, err))
			continue
		}
		for _, r := range results {
			all.Results = append(all.Results, Finding{r, name, d.Info().Element})
		}
		if slices.ContainsFunc(results, Result.StrictAbove) {
			all.Forgiving = append(all.Forgiving, name)
		}
	}
	return all
}
