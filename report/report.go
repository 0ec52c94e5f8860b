// Package report turns stored results into tables. It uses the stored scores.
package report

import (
	"context"

	"agentd/domains"
	"agentd/internal/usage"
	"agentd/results"
)

// Report holds the figures of which tables are made.
type Report struct {
	Experiment results.Experiment
	Changes    []results.Change
	// Stored and Planned are numbers of interactions.
	Stored, Planned int
	Arms            []Arm
	Tools           []ToolUse // of the arms that have a model and tools
	Comparisons     []Comparison
	Harnesses       []Harness // of the models that have more than one policy
	Domains         []DomainEnds
	Sizes           []Size // if documents are of more than one size
	Sequences       []Sequence
	// Judges are the models whose opinions are the RS of JudgedDomains.
	Judges, JudgedDomains []string
	// EditJudges are the models that scored forward steps of judged edits.
	EditJudges []string
	// NotCounted are domains whose documents are not divided into deletion and corruption.
	NotCounted []string
	// NotBuilt are environments without a score, with the number of their
	// interactions, because their domain is not built.
	NotBuilt []NotBuilt
	// UnscoredZero is that of the Options.
	UnscoredZero bool
	// UnknownAttempts counts requests that may have been charged in addition to the costs.
	UnknownAttempts int
	// Reasons say why interactions failed or changed nothing, the most frequent first.
	Reasons []Reason
	// Against compares the arms with the same ones of another experiment.
	Against []Comparison
	// Conversations compares the arms with the same ones of experiments with other conversation styles.
	Conversations []ConversationComparison
	// OpinionsOf names the judges that were asked for sections made on demand.
	OpinionsOf []string
	Asked      Asked

	analyses map[string][]Table // sections made on demand
	source   *builder
	other    *Report   // of the experiment that Options.Against names; nil for none
	together []*Report // of several experiments; empty for one
	chosen   *armKey   // of Options.AgainstArm; nil for none

	reasonsOf []armReasons

	// pictures and general are the reports of the relays on pictures and on documents without a
	// published score, nil if there are none. One is the report itself if there are no other relays.
	pictures, general *Report
	gallery           []galleryDocument
}

// NotBuilt is an environment whose domain is not built.
type NotBuilt struct {
	Environment, Domain string
	Interactions        int
}

// Asked counts the requests to judges for a report, not counting stored answers.
type Asked struct {
	Times int
	Cost  *float64 // USD, nil if a price is unknown, or nothing was asked
}

// Options controls how a report is built.
type Options struct {
	Category func(domain string) string // of a domain
	// UnscoredZero counts a round trip that the protocol does not score as 0. By default it
	// is omitted, as in the paper.
	UnscoredZero bool
	// ByStrict makes Strict the score of Ends that is shown, not RS.
	ByStrict bool
	// Against is another experiment to compare the arms with, environment by environment;
	// nil for none.
	Against *results.Experiment
	// AgainstArm is an arm of the experiment to compare the others with after every round trip,
	// by its model and policy with a blank between ("gpt-5.4 direct"); "" for none.
	AgainstArm string
	// Similarity and Compliance make the sections of these names. They read all stored
	// documents, which takes a while.
	Similarity, Compliance bool
	// Failures finds domains by name for the section failures, which also reads all documents; nil omits the section.
	Failures func(name string) (domains.Domain, bool)
	// Gallery adds some of the relays' pictures to the HTML page.
	Gallery  bool
	Judging  *Judging  // asks for opinions in these sections; nil for none
	Embedder *Embedder // makes vectors for Similarity; nil for none
}

// Build reads an experiment and builds its report. If Options name an experiment that cannot
// be compared, the error is a usage.Error.
func Build(ctx context.Context, store *results.Store, experiment results.Experiment, options Options) (*Report, error) {
	r, err := build(ctx, store, experiment, options)
	if err != nil {
		return nil, err
	}
	if options.Against != nil {
		other, err := build(ctx, store, *options.Against, options)
		if err != nil {
			return nil, err
		}
		if err := r.compareWith(other); err != nil {
			return nil, usage.Wrap(err)
		}
	}
	if err := r.chooseArm(options.AgainstArm); err != nil {
		return nil, err
	}
	if err := r.compareConversations(ctx, store, options); err != nil {
		return nil, err
	}
	if options.Gallery {
		if err := r.showPictures(ctx, store); err != nil {
			return nil, err
		}
	}
	if options.Similarity {
		if err := r.compareSimilarity(ctx, store, options.Judging, options.Embedder); err != nil {
			return nil, err
		}
	}
	if options.Failures != nil {
		if err := r.nameFailures(ctx, store, options.Failures, options.Judging); err != nil {
			return nil, err
		}
	}
	if options.Compliance {
		if err := r.judgeCompliance(ctx, store, options.Judging); err != nil {
			return nil, err
		}
	}
	if options.Judging != nil {
		r.Asked = options.Judging.Spent()
	}
	return r, nil
}
