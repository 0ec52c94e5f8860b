// Package standin finds the edit that an instruction in a text belongs to, and carries it out: by
// its oracle if there is one, otherwise by copying the documents to the target names. A stand-in
// model uses it in place of understanding language.
package standin

import (
	"maps"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/environments"
	"agentd/models/sim"
	"agentd/vfs"
)

// Index finds the edits of a set of environments by their instructions. It is
// a sim.Editor and a sim.Critic.
type Index struct {
	environments []environments.Environment
	find         func(domain string) (domains.Domain, bool)
	steps        []step // longest instruction first
	// starting has the steps by the first two bytes of their instructions: there are
	// hundreds, too many to go through a text for each.
	starting [1 << 16][]int
}

// step is one direction of an edit.
type step struct {
	instruction string
	domain      domains.Domain // nil if it is not built
	sources     []string       // names or patterns of the documents it works on
	distractors vfs.Files      // files that are no documents, even if they match
	targets     []string       // of the files it produces
	do          func(vfs.Files) (vfs.Files, error)
	exact       bool
	parts       []string // that the instruction consists of, if instruction is its first part
	oracle      string   // name of the exact program, "" if there is none
	// backward steps damage what they made, forward ones what they were given:
	// either way it is the domain's own format that is damaged.
	backward bool
}

// NewIndex returns the index of the environments' edits. domain finds a domain
// by name.
func NewIndex(envs []environments.Environment, domain func(string) (domains.Domain, bool)) *Index {
	index := &Index{environments: envs, find: domain}
	for i := range envs {
		env := &envs[i]
		d, built := domain(env.Domain)
		if built {
			d = env.Apply(d)
		} else {
			d = nil
		}
		for _, edit := range env.Edits {
			forward := step{instruction: strings.TrimSpace(edit.Forward), domain: d, sources: env.Targets, targets: edit.Targets, distractors: env.Distractors}
			backward := step{instruction: strings.TrimSpace(edit.Backward), domain: d, sources: edit.Targets, targets: env.Targets, distractors: env.Distractors, backward: true}
			if oracle, ok := env.OracleFor(edit, d); ok {
				forward.do, forward.exact, forward.oracle = oracle.Forward, true, oracle.Name
				backward.do, backward.exact, backward.oracle = oracle.Backward, true, oracle.Name
			} else {
				forward.do, backward.do = carrier(edit.Targets), carrier(env.Targets)
			}
			index.steps = append(index.steps, forward, backward)
			for _, one := range []struct {
				step
				parts []string
			}{{forward, edit.Parts.Forward}, {backward, edit.Parts.Backward}} {
				if len(one.parts) > 0 {
					one.step.instruction, one.step.parts = strings.TrimSpace(one.parts[0]), one.parts
					index.steps = append(index.steps, one.step)
				}
			}
		}
	}
	slices.SortStableFunc(index.steps, func(a, b step) int { return len(b.instruction) - len(a.instruction) })
	for i, s := range index.steps {
		if len(s.instruction) > 1 {
			start := firstTwo(s.instruction)
			index.starting[start] = append(index.starting[start], i)
		}
	}
	return index
}

func firstTwo(text string) int { return int(text[0])<<8 | int(text[1]) }

// in returns the steps whose instructions stand in a text, in order.
func (x *Index) in(text string) []int {
	standing := map[int]bool{}
	for at := range len(text) - 1 {
		for _, i := range x.starting[firstTwo(text[at:])] {
			if strings.HasPrefix(text[at:], x.steps[i].instruction) {
				standing[i] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(standing))
}

// Find returns the job that the text asks for. Instructions may repeat; of
// those that stand in the text, one whose documents and targets are those at
// hand wins; where no targets are known, the documents decide. An instruction that is
// in no environment is carried over.
func (x *Index) Find(text string, files, targets []string) (sim.Job, bool) {
	var found *step
	begun := false // an instruction that comes in parts
	for _, i := range x.in(text) {
		s := &x.steps[i]
		if !s.complete(text) {
			begun = true
			continue
		}
		if found == nil {
			found = s
		}
		if (len(targets) == 0 || sameNames(s.targets, targets)) && present(s.sources, files) {
			found = s
			break
		}
	}
	if found == nil && begun {
		return sim.Job{Partial: true}, true
	}
	if found == nil {
		if len(targets) == 0 {
			return sim.Job{}, false
		}
		found = &step{sources: files, targets: targets, do: carrier(targets)}
	}
	return sim.Job{Sources: found.sources, Targets: found.targets, Exact: found.exact, IsDocument: found.isDocument, Do: found.run, Renamed: found.renamed, Program: found.program}, true
}

// complete reports whether a text contains all parts of an instruction.
func (s *step) complete(text string) bool {
	return !slices.ContainsFunc(s.parts, func(part string) bool { return !strings.Contains(text, strings.TrimSpace(part)) })
}

// sameNames reports whether two lists have the same names, in any order.
func sameNames(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

func carrier(targets []string) func(vfs.Files) (vfs.Files, error) {
	return func(files vfs.Files) (vfs.Files, error) { return carry(files, targets), nil }
}

// present reports whether each name or pattern matches one of the files.
func present(patterns, files []string) bool {
	for _, p := range patterns {
		if !slices.ContainsFunc(files, func(f string) bool { return vfs.Matches(p, f) }) {
			return false
		}
	}
	return true
}

func (s *step) isDocument(name string) bool {
	return !s.isDistractor(name) && slices.ContainsFunc(s.sources, func(p string) bool { return vfs.Matches(p, name) })
}

func (s *step) isDistractor(name string) bool {
	_, ok := s.distractors[name]
	return ok
}

// documents are those of the files that the step works on.
func (s *step) documents(files vfs.Files) vfs.Files {
	own := files.Clone()
	maps.DeleteFunc(own, func(name, _ string) bool { return s.isDistractor(name) })
	if documents := own.Match(s.sources); len(documents) > 0 {
		return documents
	}
	return own
}

// run does the step on the documents among the files, with damage. Where the
// exact program refuses what it is given, the files are carried over, and what
// was carried there is carried back, regardless of what a program would make of it.
func (s *step) run(files map[string]string, damage sim.Damage) map[string]string {
	documents := s.documents(files)
	if !s.backward {
		documents = spoil(s.domain, documents, damage)
	}
	do := s.do
	if isCarried(documents) {
		do = carrier(s.targets)
	}
	result, err := do(documents)
	if err != nil {
		result = carry(documents, s.targets)
	}
	if s.backward {
		result = spoil(s.domain, result, damage)
	}
	return result
}
