// Package checks says whether an environment can be trusted: checks of the kinds that the paper
// makes of each (Appendix K.8, which describes 23 by kind and does not list them), and those
// that only environments with oracles can pass.
//
// A check has a name and a rule, a sentence that is true of a good environment.
// Violations are findings: where, what, and what to do.
package checks

import (
	"fmt"
	"slices"

	"agentd/domains"
	"agentd/environments"
	"agentd/vfs"
)

// Check is one rule.
type Check struct {
	Name string
	Kind Kind
	Rule string
	// Weight is how serious it is to fail the check.
	Weight Weight
	find   func(*subject) []Finding
}

// Weight is how serious it is to fail a check.
type Weight int

const (
	// Broken environments cannot be run, or their scores would mislead.
	Broken Weight = iota
	// Unfinished environments still have placeholders that the author must fill in.
	Unfinished
	// Incomparable environments work. They lack a size, a number or a label that the paper's have.
	Incomparable
)

// heading introduces the failures of a weight.
func (w Weight) heading() string {
	return []string{
		"Broken: cannot be run, or the scores would mislead",
		"Unfinished: places that are left to fill in",
		"Not comparable with the paper, but can be run: sizes, counts and labels",
	}[w]
}

// Kind is the subject of a check, as the paper classifies its own.
type Kind string

const (
	Structure   Kind = "structure"   // the graph of states, and what must be there
	Context     Kind = "context"     // the documents
	Edits       Kind = "edits"       // the instructions
	Metadata    Kind = "metadata"    // what is said of documents and edits
	Distractors Kind = "distractors" // the files next to the documents
	Scoring     Kind = "scoring"     // what the evaluator makes of the seed
	// Ours are rules that the paper does not describe.
	Ours Kind = "ours"
)

// Finding is one violation of a rule in an environment.
type Finding struct {
	Where string // in the environment: an edit, a file; empty for all of it
	What  string // what is wrong
	Do    string // what to do about it
}

func (f Finding) String() string {
	text := f.What
	if f.Where != "" {
		text = f.Where + ": " + text
	}
	return text + "; " + f.Do
}

// Failure is a check that an environment did not pass.
type Failure struct {
	Environment string // its name, or where it stands if it has none
	Check       string
	Weight      Weight
	Findings    []Finding // at least one
}

// All lists the checks in the order in which they are made.
func All() []Check {
	return []Check{
		{Name: "readable", Kind: Structure, Rule: "It is a line of JSON in the released format, or a folder with environment.yaml, seed/ and distractors/, without unknown keys.", find: readable},
		{Name: "required-keys", Kind: Structure, Rule: "Name, title, domain, states and files are there, and every state and prompt has an ID.", find: requiredKeys},
		{Name: "unique-name", Kind: Structure, Rule: "Its name is that of no other environment and can name a folder.", find: uniqueName},
		{Name: "known-domain", Kind: Structure, Rule: "Its domain is one of those that agentd scores.", find: knownDomain},
		{Name: "start-state", Kind: Structure, Rule: "The start state is among the states.", find: startState},
		{Name: "unique-ids", Kind: Structure, Rule: "No two states and no two prompts have the same ID.", find: uniqueIDs},
		{Name: "prompts-lead-on", Kind: Structure, Rule: "Every prompt leads to another state that is there.", find: promptsLeadOn},
		{Name: "no-orphans", Kind: Structure, Rule: "Every state can be reached from the start state.", find: noOrphans},
		{Name: "way-back", Kind: Structure, Rule: "Every state that the start state leads to has one prompt back to it.", find: wayBack},
		{Name: "seed-files", Kind: Context, Rule: "The files that the start state names are there, and no others next to them.", find: seedFiles},
		{Name: "files-in-place", Kind: Context, Rule: "Every file is a seed document or a distractor, and its path is one that a workspace accepts.", find: filesInPlace},
		{Name: "targets", Kind: Context, Rule: "Every state names its files, by names or well-formed patterns.", find: targets},
		{Name: "seed-tokens", Kind: Context, Rule: "The seed has 2,000 to 5,000 tokens.", Weight: Incomparable, find: seedTokens},
		{Name: "no-backticks", Kind: Context, Rule: "No seed document has three backticks in a row, which would end the fence around it in a prompt.", find: noBackticks},
		{Name: "four-edits", Kind: Edits, Rule: "At least four edits lead away from the start state.", Weight: Incomparable, find: fourEdits},
		{Name: "prompts-not-empty", Kind: Edits, Rule: "No instruction is empty.", find: promptsNotEmpty},
		{Name: "reveals-nothing", Kind: Edits, Rule: "No instruction has a word that tells of a round trip, such as undo, revert or reversible.", find: revealsNothing},
		{Name: "operations", Kind: Metadata, Rule: "Every edit is tagged with operations, all of them among the paper's eleven.", Weight: Incomparable, find: operationTags},
		{Name: "provenance", Kind: Metadata, Rule: "It says where its seed comes from.", Weight: Incomparable, find: provenance},
		{Name: "licence", Kind: Metadata, Rule: "It says under which licence its seed may be used.", Weight: Incomparable, find: licence},
		{Name: "redistribution", Kind: Metadata, Rule: "It says that its seed may be redistributed.", Weight: Incomparable, find: redistribution},
		{Name: "state-summaries", Kind: Metadata, Rule: "A summary of a state has at most 25 words.", Weight: Incomparable, find: stateSummaries},
		{Name: "distractor-summaries", Kind: Distractors, Rule: "Every distractor has a summary of at most 25 words, and every summary a distractor.", Weight: Incomparable, find: distractorSummaries},
		{Name: "distractor-tokens", Kind: Distractors, Rule: "The distractors have 8,000 to 12,000 tokens in all.", Weight: Incomparable, find: distractorTokens},
		{Name: "seed-against-itself", Kind: Scoring, Rule: "The seed against itself scores exactly 1.0, and strict 1.0.", find: seedAgainstItself},

		{Name: "seed-readable", Kind: Ours, Rule: "The domain's two readers find its elements in the seed, so that scores against it mean something.", find: seedReadable},
		{Name: "hints-at-nothing", Kind: Ours, Rule: "No instruction has a word that hints at one, such as original, restore or back.", find: hintsAtNothing},
		{Name: "distractors-apart", Kind: Ours, Rule: "No distractor has the name of a document or of a file that an edit makes.", find: distractorsApart},
		{Name: "instructions-differ", Kind: Ours, Rule: "No two instructions are the same.", find: instructionsDiffer},
		{Name: "filled-in", Kind: Ours, Rule: "No text begins with \"" + environments.Placeholder + "\", as agentd env new writes it.", Weight: Unfinished, find: filledIn},
		{Name: "exact-round-trips", Kind: Ours, Rule: "Every oracle makes the files its edit asks for, and there and back scores exactly 1.0.", find: exactRoundTrips},
	}
}

// subject is the environment that is checked.
type subject struct {
	draft       environments.Draft
	sample      environments.Sample // empty if nothing of it could be read
	start       environments.State
	seed        vfs.Files
	distractors vfs.Files
	loose       []string
	domain      domains.Domain // with the environment's options; nil if it is not known
	taken       bool           // an environment before it has the same name
}

// Run makes all checks of all drafts and returns those that failed, in their
// order. find finds a domain by its name.
func Run(drafts []environments.Draft, find func(name string) (domains.Domain, bool)) []Failure {
	var failures []Failure
	names := map[string]bool{}
	for _, draft := range drafts {
		s := subject{draft: draft}
		if draft.Sample != nil {
			s.sample = *draft.Sample
			s.start, _ = s.sample.State(s.sample.StartID())
			s.seed, s.distractors, s.loose = s.sample.Split()
			s.taken = names[s.sample.ID]
			names[s.sample.ID] = true
			if d, ok := find(s.sample.Type); ok {
				s.domain = draft.Environment.Apply(d)
			}
		}
		failures = append(failures, s.run()...)
	}
	return failures
}

// run makes all checks. If the environment could not be read, that is the only failure.
func (s *subject) run() []Failure {
	name := s.sample.ID
	if name == "" {
		name = s.draft.Where
	}
	all := All()
	if s.draft.Sample == nil {
		all = all[:1]
	}
	var failures []Failure
	for _, check := range all {
		if findings := check.find(s); len(findings) > 0 {
			failures = append(failures, Failure{name, check.Name, check.Weight, findings})
		}
	}
	known := slices.ContainsFunc(failures, func(f Failure) bool { return f.Weight != Incomparable })
	if s.draft.Err != nil && !known { // no check knows it
		failures = append(failures, Failure{name, all[0].Name, all[0].Weight, finding("", "mend it", "no relay can run on it: %v", s.draft.Err)})
	}
	return failures
}

func finding(where, do, what string, args ...any) []Finding {
	return []Finding{{Where: where, What: fmt.Sprintf(what, args...), Do: do}}
}
