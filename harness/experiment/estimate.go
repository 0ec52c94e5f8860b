package experiment

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"agentd/environments"
	"agentd/internal/layout"
	"agentd/internal/printable"
	"agentd/models"
)

// Estimate is what an arm will take, roughly.
type Estimate struct {
	Model        string // empty for a policy without one
	Policy       string
	Tools        bool // whether the policy works with tools
	Interactions int
	Usage        models.Usage
	Cost         *float64 // USD; nil if the price is unknown, or no model is asked
}

// Assumptions of an estimate: tokens are those of environments.Tokens. A prompt holds the documents and,
// without tools, all distractors; an answer is as long as the documents. An interaction
// with tools reads the documents and sends them again in the turns after.
const (
	planRate         = 50 // tokens that a model writes in a second
	planPromptTokens = 600
	planAgenticTurns = 5
)

// Relays is the number of relays of each arm.
func (x *Experiment) Relays() int {
	relays := 0
	for i := range x.Environments {
		relays += x.RelaysOn(&x.Environments[i])
	}
	return relays
}

// Estimates returns an estimate for each arm.
func (x *Experiment) Estimates() []Estimate {
	prices := map[string]*models.Price{}
	for _, spec := range x.models {
		prices[spec.Name] = spec.Price
	}
	var all []Estimate
	for _, arm := range x.Arms {
		name := arm.Policy.Name()
		e := Estimate{Model: arm.Model, Policy: name, Tools: x.Manifest.TraitsOf(name).Tools, Interactions: x.Relays() * x.RoundTrips * 2}
		if arm.Model != "" {
			e.Usage = x.usage(e.Tools)
			if price := prices[arm.Model]; price != nil {
				cost := price.Cost(e.Usage)
				e.Cost = &cost
			}
		}
		all = append(all, e)
	}
	return all
}

// judgementTokens is what a judge is taken to answer with.
const judgementTokens = 60

// JudgeEstimate returns what the judge will take, with its judgements as Interactions;
// nil if there is no judge. After every round trip on an environment that it judges it
// reads the seed, whose judgement is then kept, and what became of it. After a forward step
// of a judged edit it reads the documents before and after it.
func (x *Experiment) JudgeEstimate() *Estimate {
	if x.judge == nil {
		return nil
	}
	e := &Estimate{Model: x.judge.Name}
	for i := range x.Environments {
		env := &x.Environments[i]
		documents, trips := environments.Tokens(env.Seed), len(x.Arms)*x.RelaysOn(env)*x.RoundTrips
		judge := func(times, read int) {
			e.Interactions += times
			e.Usage = e.Usage.Add(models.Usage{Prompt: times * (planPromptTokens + read), Completion: times * judgementTokens})
		}
		if isJudged(*env) {
			judge(1+trips, documents)
		}
		judge(trips*env.Judged()/len(env.Edits), 2*documents)
	}
	if price := x.judge.Price; price != nil {
		e.Cost = new(price.Cost(e.Usage))
	}
	return e
}

// Unpriced returns the names of the models whose price is unknown.
func (x *Experiment) Unpriced() []string {
	var names []string
	for _, spec := range x.models {
		if spec.Price == nil {
			names = append(names, spec.Name)
		}
	}
	return names
}

// usage estimates the tokens of one arm over the whole experiment.
func (x *Experiment) usage(tools bool) models.Usage {
	var total models.Usage
	for i := range x.Environments {
		env := &x.Environments[i]
		documents := environments.Tokens(env.Seed)
		one := models.Usage{Prompt: planPromptTokens + documents, Completion: documents}
		if tools {
			one.Prompt = planAgenticTurns*planPromptTokens + (planAgenticTurns-1)*documents
			one.Cached = one.Prompt - planPromptTokens - documents
		} else if x.Distractors {
			one.Prompt += environments.Tokens(env.Distractors)
		}
		for range x.RelaysOn(env) * x.RoundTrips * 2 {
			total = total.Add(one)
		}
	}
	return total
}

// Spread is how far the real usage of an arm may be from its estimate: the low end is the
// estimate times Low, the high end times High. Documents have from 2.5 to 5 bytes for a token,
// models with tools take from 3 to 12 turns, and some of them think at length.
type Spread struct{ Low, High float64 }

// Spread is that of the estimate.
func (e *Estimate) Spread() Spread {
	if e.Tools {
		return Spread{0.6, 4}
	}
	return Spread{0.7, 2}
}

// Duration is how long the models take to write their answers, of which each works on a number of
// relays at a time, at 50 tokens a second. Models work side by side.
func (x *Experiment) Duration(concurrency int) time.Duration {
	tokens := map[string]int{}
	for _, e := range x.Estimates() {
		tokens[e.Model] += e.Usage.Completion
	}
	longest := 0.0
	for model, n := range tokens {
		at := min(concurrency, x.Relays())
		if seats := x.Seats[model]; seats > 0 {
			at = min(at, seats)
		}
		longest = max(longest, float64(n)/float64(planRate*max(at, 1)))
	}
	return time.Duration(longest * float64(time.Second))
}

// About is a duration in two digits at most, such as "about 12 minutes".
func About(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "less than a minute"
	case d < 2*time.Hour:
		return fmt.Sprintf("about %.0f minutes", d.Minutes())
	case d < 48*time.Hour:
		return fmt.Sprintf("about %.0f hours", d.Hours())
	}
	return fmt.Sprintf("about %.0f days", d.Hours()/24)
}

// WritePlan prints how many relays there are, what each arm and the judge will take, as ranges
// with their total, and how long that is with a number of relays of each model at a time.
func (x *Experiment) WritePlan(w io.Writer, concurrency int) error {
	t := layout.Table{Columns: []layout.Column{
		{Head: "arm", Label: true}, {Head: "interactions", Number: true}, {Head: "tokens in", Number: true},
		{Head: "tokens out", Number: true}, {Head: "USD", Number: true},
	}}
	var total [2]float64
	unknown := false
	row := func(arm string, e *Estimate) {
		s := e.Spread()
		cells := []any{arm, layout.Thousands(e.Interactions), "–", "–", "–"}
		if e.Model != "" {
			cells[2], cells[3], cells[4] = s.tokens(e.Usage.Prompt), s.tokens(e.Usage.Completion), "unknown price"
			if e.Cost == nil {
				unknown = true
			} else {
				cells[4] = dollars(s.Low**e.Cost, s.High**e.Cost)
				total[0], total[1] = total[0]+s.Low**e.Cost, total[1]+s.High**e.Cost
			}
		}
		t.Row(cells...)
	}
	interactions := 0
	for _, e := range x.Estimates() {
		interactions += e.Interactions
		row(strings.TrimSpace(e.Model+" "+e.Policy), &e)
	}
	if j := x.JudgeEstimate(); j != nil {
		row("judge "+j.Model, j)
	}
	sum := dollars(total[0], total[1])
	switch {
	case unknown && total[1] == 0:
		sum = "unknown"
	case unknown:
		sum = "more than " + sum
	}
	t.Row("total", layout.Thousands(interactions), "", "", layout.Together(sum))
	screen, relays := layout.ScreenOf(w), layout.Thousands(len(x.Arms)*x.Relays())+" relays"
	if relays == "1 relays" {
		relays = "1 relay"
	}
	_, err := io.WriteString(printable.Exact(w), screen.Paragraph(fmt.Sprintf("Experiment %s: %s of %d interactions on %s",
		x.Name, relays, 2*x.RoundTrips, printable.Count(len(x.Environments), "environment")), 0)+t.String(screen)+
		screen.Paragraph(fmt.Sprintf("Ranges are rough: --max-usd ends a run that costs more than you want. At %d tokens a second and %d relays of each model at a time, the answers take %s; agentd check says how fast a model is.",
			planRate, concurrency, About(x.Duration(concurrency))), 0))
	return err
}

// tokens is a range of tokens. Each end has its own unit.
func (s Spread) tokens(n int) string {
	return short(s.Low*float64(n)) + "–" + short(s.High*float64(n))
}

// short is a number in four digits at most: 4,380, 438k or 1.3M.
func short(v float64) string {
	switch {
	case v < 9_999.5:
		return rounded(v)
	case v < 999_500:
		return rounded(v/1e3) + "k"
	case v < 99.95e6:
		return fmt.Sprintf("%.1fM", v/1e6)
	}
	return rounded(v/1e6) + "M"
}

func rounded(v float64) string { return layout.Thousands(int(math.Round(v))) }

// dollars is a range of costs in USD.
func dollars(low, high float64) string {
	if high >= 1000 {
		return rounded(low) + "–" + rounded(high)
	}
	return fmt.Sprintf("%.2f–%.2f", low, high)
}
