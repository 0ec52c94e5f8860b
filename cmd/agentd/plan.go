package main

import (
	"fmt"
	"io"

	"agentd/internal/printable"
	"agentd/models"
)

// What an interaction is taken to need when a plan is estimated: a token is
// four bytes; a prompt holds the documents and, in direct editing, all
// distractors; an answer is as long as the documents. An agentic interaction
// reads the documents and sends them along in the turns after.
const (
	planBytesPerToken = 4
	planPromptTokens  = 600
	planAgenticTurns  = 5
)

// printPlan shows what would be run, with estimated tokens and cost.
func (b *builder) printPlan(w io.Writer) error {
	x := b.experiment
	prices := map[string]*models.Price{}
	for _, spec := range b.specs {
		prices[spec.Name] = spec.Price
	}
	relays := 0 // of an arm
	for i := range x.Environments {
		relays += x.RelaysOn(&x.Environments[i])
	}
	interactions := relays * x.RoundTrips * 2
	_, err := printable.Fprintf(w, "Experiment %s: %d relays of %d interactions on %d environments\n",
		x.Name, len(x.Arms)*relays, 2*x.RoundTrips, len(x.Environments))
	if err != nil {
		return err
	}
	widest := 0
	for _, arm := range x.Arms {
		widest = max(widest, len(arm.Model))
	}
	for _, arm := range x.Arms {
		line := fmt.Sprintf("%-*s %-8s %6d interactions", widest, arm.Model, arm.Policy.Name(), interactions)
		if arm.Model != "" {
			usage := b.estimate(arm.Policy.Name())
			cost := "unknown price"
			if price := prices[arm.Model]; price != nil {
				cost = fmt.Sprintf("about %.2f USD", price.Cost(usage))
			}
			line += fmt.Sprintf(", about %d tokens in, %d out, %s", usage.Prompt, usage.Completion, cost)
		}
		if _, err := printable.Fprintf(w, "%s\n", line); err != nil {
			return err
		}
	}
	return b.printJudge(w)
}

// planJudgement is what a judge is taken to answer with, in tokens.
const planJudgement = 60

// printJudge adds the judge to a plan: after every round trip on an environment that it
// judges it reads the seed, whose judgement is then kept, and what became of it.
func (b *builder) printJudge(w io.Writer) error {
	if b.judgeSpec == nil {
		return nil
	}
	x := b.experiment
	var usage models.Usage
	asked := 0
	for i := range x.Environments {
		env := &x.Environments[i]
		if !isJudged(*env) {
			continue
		}
		documents := env.Seed.Bytes() / planBytesPerToken
		times := 1 + len(x.Arms)*x.RelaysOn(env)*x.RoundTrips
		asked += times
		usage = usage.Add(models.Usage{Prompt: times * (planPromptTokens + documents), Completion: times * planJudgement})
	}
	cost := "unknown price"
	if price := b.judgeSpec.Price; price != nil {
		cost = fmt.Sprintf("about %.2f USD", price.Cost(usage))
	}
	_, err := printable.Fprintf(w, "judge %s: about %d judgements, about %d tokens in, %d out, %s\n", b.judgeSpec.Name, asked, usage.Prompt, usage.Completion, cost)
	return err
}

// estimate is the usage of one arm over the whole experiment.
func (b *builder) estimate(policy string) models.Usage {
	x := b.experiment
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
