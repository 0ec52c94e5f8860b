package experiment

import (
	"fmt"
	"io"

	"agentd/internal/printable"
	"agentd/models"
)

// Estimate is what an arm will take, roughly.
type Estimate struct {
	Model        string // empty for a policy without one
	Policy       string
	Interactions int
	Usage        models.Usage
	Cost         *float64 // USD; nil if the price is unknown, or no model is asked
}

// Assumptions of an estimate: a token is four bytes. A prompt holds the documents and,
// in direct editing, all distractors; an answer is as long as the documents. An agentic
// interaction reads the documents and sends them again in the turns after.
const (
	planBytesPerToken = 4
	planPromptTokens  = 600
	planAgenticTurns  = 5
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
		e := Estimate{Model: arm.Model, Policy: arm.Policy.Name(), Interactions: x.Relays() * x.RoundTrips * 2}
		if arm.Model != "" {
			e.Usage = x.usage(e.Policy)
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
// reads the seed, whose judgement is then kept, and what became of it.
func (x *Experiment) JudgeEstimate() *Estimate {
	if x.judge == nil {
		return nil
	}
	e := &Estimate{Model: x.judge.Name}
	for i := range x.Environments {
		env := &x.Environments[i]
		if !isJudged(*env) {
			continue
		}
		documents := env.Seed.Bytes() / planBytesPerToken
		times := 1 + len(x.Arms)*x.RelaysOn(env)*x.RoundTrips
		e.Interactions += times
		e.Usage = e.Usage.Add(models.Usage{Prompt: times * (planPromptTokens + documents), Completion: times * judgementTokens})
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
func (x *Experiment) usage(policy string) models.Usage {
	var total models.Usage
	for i := range x.Environments {
		env := &x.Environments[i]
		documents := env.Seed.Bytes() / planBytesPerToken
		one := models.Usage{Prompt: planPromptTokens + documents, Completion: documents}
		if policy == "direct" {
			if x.Distractors {
				one.Prompt += env.Distractors.Bytes() / planBytesPerToken
			}
		} else {
			one.Prompt = planAgenticTurns*planPromptTokens + (planAgenticTurns-1)*documents
			one.Cached = one.Prompt - planPromptTokens - documents
		}
		for range x.RelaysOn(env) * x.RoundTrips * 2 {
			total = total.Add(one)
		}
	}
	return total
}

// WritePlan prints how many relays there are, and what each arm and the judge will take.
func (x *Experiment) WritePlan(w io.Writer) error {
	_, err := printable.Fprintf(w, "Experiment %s: %d relays of %d interactions on %d environments\n",
		x.Name, len(x.Arms)*x.Relays(), 2*x.RoundTrips, len(x.Environments))
	if err != nil {
		return err
	}
	widest := 0
	for _, arm := range x.Arms {
		widest = max(widest, len(arm.Model))
	}
	for _, e := range x.Estimates() {
		line := fmt.Sprintf("%-*s %-8s %6d interactions", widest, e.Model, e.Policy, e.Interactions)
		if e.Model != "" {
			line += fmt.Sprintf(", about %d tokens in, %d out, %s", e.Usage.Prompt, e.Usage.Completion, writtenCost(e.Cost))
		}
		if _, err := printable.Fprintf(w, "%s\n", line); err != nil {
			return err
		}
	}
	if j := x.JudgeEstimate(); j != nil {
		_, err = printable.Fprintf(w, "judge %s: about %d judgements, about %d tokens in, %d out, %s\n",
			j.Model, j.Interactions, j.Usage.Prompt, j.Usage.Completion, writtenCost(j.Cost))
	}
	return err
}

func writtenCost(cost *float64) string {
	if cost == nil {
		return "unknown price"
	}
	return fmt.Sprintf("about %.2f USD", *cost)
}
