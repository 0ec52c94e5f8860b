package runner

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	domaincatalog "agentd/domains/catalog"
	"agentd/environments"
	"agentd/harness/experiment"
	"agentd/internal/usage"
	"agentd/models/embeddings"
	"agentd/report"
	"agentd/results"
)

// Reporting says what a report is made of.
type Reporting struct {
	Names    string   // experiments, with commas between; empty for the newest
	Against  string   // an experiment or an arm to compare with; empty for none
	Sections []string // that are wanted; empty for those that do not read all documents
	Unscored string   // of experiment.UnscoredRules
	Gallery  bool     // with the pictures of a page

	Judge      string // model that is asked for its opinion; empty for none
	JudgeLimit int    // documents, or steps, of a section that it is asked about; 0 for all

	Embeddings    string // model that makes vectors; empty for none
	EmbeddingsURL string // its server
	EmbeddingsKey string // environment variable of that server's key
}

// Demanded lists the sections that read all documents, and are only made if they are named.
func Demanded() []string { return []string{"failures", "similarity", "compliance"} }

// Use opens the database of a report: for work if a judge's answers, or vectors, are kept in it.
func (r *Reporting) Use(db string, do func(*results.Store) error) error {
	open := results.Open
	if r.Judge == "" && r.Embeddings == "" {
		open = OpenReading
	}
	return results.Using(open, db, do)
}

// OpenReading opens a database that others may be working on. If there is none, the error is a usage.Error.
func OpenReading(db string) (*results.Store, error) {
	store, err := results.OpenReading(db)
	return store, usage.Wrap(err)
}

// Build makes the report: one of several experiments has their tables together.
func (r *Reporting) Build(ctx context.Context, store *results.Store) (built *report.Report, err error) {
	options := report.Options{Category: domaincatalog.Category, UnscoredZero: r.Unscored == experiment.ZeroUnscored, Gallery: r.Gallery}
	shown, err := r.experiments(ctx, store)
	if err != nil {
		return nil, err
	}
	if err := r.compareWith(ctx, store, &options); err != nil {
		return nil, err
	}
	done, err := r.demand(ctx, &options, store, shown)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, done()) }()
	var all []*report.Report
	for _, e := range shown {
		one, err := report.Build(ctx, store, e, options)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return report.Together(all)
}

// experiments finds the experiments by their names.
func (r *Reporting) experiments(ctx context.Context, store *results.Store) ([]results.Experiment, error) {
	if whole, err := store.Experiment(ctx, r.Names); !errors.Is(err, results.ErrNotFound) {
		return []results.Experiment{whole}, err // a name may have a comma
	}
	var all []results.Experiment
	for name := range strings.SplitSeq(r.Names, ",") {
		e, err := store.Find(ctx, strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, nil
}

// compareWith sets what the report is compared with: an experiment of the name or, if there is none, an arm.
func (r *Reporting) compareWith(ctx context.Context, store *results.Store, options *report.Options) error {
	if r.Against == "" {
		return nil
	}
	other, err := store.Experiment(ctx, r.Against)
	switch {
	case errors.Is(err, results.ErrNotFound):
		options.AgainstArm = r.Against
	case err != nil:
		return err
	default:
		options.Against = &other
	}
	return nil
}

// demand opens what the sections need that read all documents, and adds it to the options. done closes it.
func (r *Reporting) demand(ctx context.Context, o *report.Options, store *results.Store, of []results.Experiment) (done func() error, err error) {
	o.Similarity, o.Compliance = slices.Contains(r.Sections, "similarity"), slices.Contains(r.Sections, "compliance")
	if slices.Contains(r.Sections, "failures") {
		o.Failures = domaincatalog.Lookup
	}
	if r.Embeddings != "" {
		client := embeddings.New(r.Embeddings, r.EmbeddingsURL, os.Getenv(r.EmbeddingsKey), store)
		o.Embedder = &report.Embedder{Model: client.Model(), Of: client.Of, Cosine: embeddings.Cosine, Refused: embeddings.ErrRefused}
	}
	if r.Judge == "" || !o.Similarity && !o.Compliance && o.Failures == nil {
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
	j, done, err := experiment.OpenJudge(ctx, r.Judge, store, envs)
	if err != nil {
		return nil, err
	}
	session := j.Session(ctx)
	o.Judging = &report.Judging{Judge: j.Name(), StandIn: j.StandIn(), Most: r.JudgeLimit, Ask: session.Ask, Spent: func() report.Asked {
		spent := session.Spent()
		return report.Asked{Times: spent.Asked, Cost: spent.Cost}
	}}
	return done, nil
}
