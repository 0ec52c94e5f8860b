package main

import (
	"context"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	domaincatalog "agentd/domains/catalog"
	"agentd/environments"
	"agentd/harness/experiment"
	"agentd/internal/usage"
	"agentd/models/embeddings"
	"agentd/report"
	"agentd/results"
)

// demanded are the sections that read all documents, and so are made only where they are named.
var demanded = []string{"failures", "similarity", "compliance"}

// judgeFlags say who judges what is stored, and who makes vectors of it.
type judgeFlags struct {
	model string // empty for none
	most  int

	embeddings, embeddingsURL, embeddingsKey string // model, empty for none; server; variable of its key
}

func (f *judgeFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.model, "judge", "", "model that is asked for its opinion in the sections "+strings.Join(demanded, ", "))
	flags.IntVar(&f.most, "judge-limit", 200, "documents, or steps, of a section that the judge is asked about, drawn by the seed; 0 for all")
	flags.StringVar(&f.embeddings, "embeddings", "", "model that makes vectors of documents in the section similarity")
	flags.StringVar(&f.embeddingsURL, "embeddings-url", embeddings.DefaultURL, "its server, which has /embeddings below this address")
	flags.StringVar(&f.embeddingsKey, "embeddings-key-env", "OPENAI_API_KEY", "environment variable that holds that server's key; it may be unset")
}

func (f *judgeFlags) check(sections []string) error {
	if f.embeddings != "" && !slices.Contains(sections, "similarity") {
		return usage.Errorf("--embeddings is for the section similarity: --section similarity")
	}
	return nil
}

// open opens the database: for work if answers are to be kept in it.
func (f *judgeFlags) open(db string) (*results.Store, error) {
	if f.model == "" && f.embeddings == "" {
		return reading(db)
	}
	return results.Open(db)
}

// demand opens what the sections of an experiment need that read all documents, of those that are
// wanted, and adds it to the options. done closes it.
func (f *judgeFlags) demand(ctx context.Context, o *report.Options, store *results.Store, of []results.Experiment, sections []string) (done func() error, err error) {
	o.Similarity, o.Compliance = slices.Contains(sections, "similarity"), slices.Contains(sections, "compliance")
	if slices.Contains(sections, "failures") {
		o.Failures = domaincatalog.Lookup
	}
	o.Embedder = f.embedder(store)
	if f.model == "" || !o.Similarity && !o.Compliance && o.Failures == nil {
		return func() error { return nil }, nil
	}
	var envs []environments.Environment
	for _, e := range of {
		stored, err := experiment.StoredEnvironments(ctx, store, e.Manifest)
		if err != nil {
			return nil, err
		}
		envs = append(envs, stored...)
	}
	j, done, err := experiment.OpenJudge(ctx, f.model, store, envs)
	if err != nil {
		return nil, err
	}
	session := j.Session(ctx)
	o.Judging = &report.Judging{Judge: j.Name(), StandIn: j.StandIn(), Most: f.most, Ask: session.Ask, Spent: func() report.Asked {
		spent := session.Spent()
		return report.Asked{Times: spent.Asked, Cost: spent.Cost}
	}}
	return done, nil
}

// embedder makes vectors; nil if no model is named.
func (f *judgeFlags) embedder(store *results.Store) *report.Embedder {
	if f.embeddings == "" {
		return nil
	}
	client := embeddings.New(f.embeddings, f.embeddingsURL, os.Getenv(f.embeddingsKey), store)
	return &report.Embedder{Model: client.Model(), Of: client.Of, Cosine: embeddings.Cosine, Refused: embeddings.ErrRefused}
}
