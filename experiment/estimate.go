package experiment

import "agentd/models"

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

// planJudgement is what a judge is taken to answer with, in tokens.
const planJudgement = 60

// JudgeEstimate returns an estimate for the judge; Interactions are its judgements. It is
// nil without a judge. After every round trip on an environment that it judges, the judge
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
		e.Usage = e.Usage.Add(models.Usage{Prompt: times * (planPromptTokens + documents), Completion: times * planJudgement})
	}
	if x.judge.Price != nil {
		cost := x.judge.Price.Cost(e.Usage)
		e.Cost = &cost
	}
	return e
}
