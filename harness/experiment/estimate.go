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

// Estimate is a rough estimate of what an arm will use.
type Estimate struct {
	Model        string // empty for a policy without a model
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
	planRate         = 50 // tokens that a model writes per second
	planPromptTokens = 600
	planAgenticTurns = 5
)

// Relays returns the number of relays of each arm.
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

// judgementTokens is the assumed length of a judge's answer.
const judgementTokens = 60

// JudgeEstimate returns what the judge will use, with the number of judgements as Interactions;
// nil if there is no judge. After every round trip on an environment that it judges, the judge
// reads the seed, whose judgement is then cached, and the final documents. After a forward step of
// a judged edit, it reads the documents before and after the step.
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

// Spread is the range of an arm's actual usage relative to its estimate: the estimate times Low to
// the estimate times High. Documents have 2.5 to 5 bytes per token, models with tools take 3 to 12
// turns, and some of them reason at length.
type Spread struct{ Low, High float64 }

// Spread returns the range of the estimate.
func (e *Estimate) Spread() Spread {
	if e.Tools {
		return Spread{0.6, 4}
	}
	return Spread{0.7, 2}
}

// Duration returns how long the models take to write their answers at 50 tokens a second, with
// this many relays of each model at a time. Models run in parallel.
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

// About returns a duration rounded to at most two digits, such as "about 12 minutes".
func About(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "less than a minute"
	case d < 2*time.Hour:
		return "about " + printable.Count(int(math.Round(d.Minutes())), "minute")
	case d < 48*time.Hour:
		return "about " + printable.Count(int(math.Round(d.Hours())), "hour")
	}
	return "about " + printable.Count(int(math.Round(d.Hours()/24)), "day")
}

// WritePlan prints the number of relays, ranges of what each arm and the judge will use with their
// total, and how long the run takes with this many relays of each model at a time.
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
		row(printable.Line(strings.TrimSpace(e.Model+" "+e.Policy)), &e)
	}
	if j := x.JudgeEstimate(); j != nil {
		row("judge "+printable.Line(j.Model), j)
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

// tokens returns a range of tokens as text. Each end has its own unit.
func (s Spread) tokens(n int) string {
	return short(s.Low*float64(n)) + "–" + short(s.High*float64(n))
}

// short returns a number in at most four digits: 4,380, 438k or 1.3M.
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

// dollars returns a range of costs in USD as text.
func dollars(low, high float64) string {
	if high >= 1000 {
		return rounded(low) + "–" + rounded(high)
	}
	return fmt.Sprintf("%.2f–%.2f", low, high)
}
