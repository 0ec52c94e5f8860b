package checks

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/environments"
	"agentd/environments/tokens"
	"agentd/vfs"
)

// Bounds of the paper's environments.
const (
	seedLeast, seedMost             = 2_000, 5_000  // tokens
	distractorLeast, distractorMost = 8_000, 12_000 // tokens, all together
	leastEdits                      = 4
	summaryWords                    = 25
)

// Operations are the names that the paper tags edits with.
func Operations() []string {
	return []string{
		"numerical reasoning", "constraint satisfaction", "split and merge", "topic modeling", "classification",
		"domain knowledge", "format knowledge", "string manipulation", "sorting", "context expansion", "referencing",
	}
}

func seedTokens(s *subject) []Finding {
	return s.withinTokens(s.seed, "the seed", seedLeast, seedMost)
}

func distractorTokens(s *subject) []Finding {
	return s.withinTokens(s.distractors, "the distractors", distractorLeast, distractorMost)
}

// withinTokens passes environments of pictures, which have no tokens and no distractors
// (paper, Appendix J).
func (s *subject) withinTokens(files vfs.Files, what string, least, most int) []Finding {
	if s.seed.HasBinary() {
		return nil
	}
	n, err := tokens.Count(files)
	switch {
	case err != nil:
		return finding("", "mend the file", "%v", err)
	case n < least:
		return finding("", fmt.Sprintf("add to it, up to at least %d", least), "%s: %d tokens", what, n)
	case n > most:
		return finding("", fmt.Sprintf("cut it to at most %d; agentd env resize does so with a seed", most), "%s: %d tokens", what, n)
	}
	return nil
}

func noBackticks(s *subject) []Finding {
	var found []Finding
	for _, name := range s.seed.Names() {
		if before, _, ok := strings.Cut(s.seed[name], "```"); ok {
			where := fmt.Sprintf("%s line %d", name, strings.Count(before, "\n")+1)
			found = append(found, finding(where, "take them out", "three backticks in a row")...)
		}
	}
	return found
}

func fourEdits(s *subject) []Finding {
	if n := len(s.start.Prompts); n < leastEdits {
		return finding("", fmt.Sprintf("write at least %d", leastEdits), "%d edits lead away from the start state", n)
	}
	return nil
}

// eachInstruction goes through all instructions, forward ones and backward.
func (s *subject) eachInstruction(do func(where, text string)) {
	s.eachEdit(func(name string, forward environments.Prompt, backward []environments.Prompt) {
		do("edit "+name+", forward", forward.Prompt)
		for _, prompt := range backward {
			do("edit "+name+", backward", prompt.Prompt)
		}
	})
}

func promptsNotEmpty(s *subject) []Finding {
	var found []Finding
	s.eachInstruction(func(where, text string) {
		if strings.TrimSpace(text) == "" {
			found = append(found, finding(where, "write what is to be done", "the instruction is empty")...)
		}
	})
	return found
}

func revealsNothing(s *subject) []Finding {
	return s.withoutWords(environments.Reveals, "tells of a round trip")
}
func hintsAtNothing(s *subject) []Finding {
	return s.withoutWords(environments.Hints, "hints at a round trip")
}

func (s *subject) withoutWords(wordIn func(instruction string) string, why string) []Finding {
	var found []Finding
	s.eachInstruction(func(where, text string) {
		if word := wordIn(text); word != "" {
			found = append(found, finding(where, "say what is to be done without it", "%q %s", word, why)...)
		}
	})
	return found
}

func instructionsDiffer(s *subject) []Finding {
	var found []Finding
	first := map[string]string{}
	s.eachInstruction(func(where, text string) {
		if text = strings.TrimSpace(text); text == "" {
			return // prompts-not-empty says so
		}
		if other, ok := first[text]; ok {
			found = append(found, finding(where, "write what is particular to each", "the instruction is that of %s", other)...)
			return
		}
		first[text] = where
	})
	return found
}

func operationTags(s *subject) []Finding {
	var found []Finding
	s.eachEdit(func(name string, forward environments.Prompt, _ []environments.Prompt) {
		if len(forward.Operations) == 0 {
			found = append(found, finding("edit "+name, "name those it thoroughly needs", "it has no operations")...)
		}
		for _, operation := range forward.Operations {
			if !slices.Contains(Operations(), strings.ReplaceAll(operation, "&", "and")) {
				found = append(found, finding("edit "+name, "use "+strings.Join(Operations(), ", "), "%q is no operation", operation)...)
			}
		}
	})
	return found
}

func provenance(s *subject) []Finding {
	if strings.TrimSpace(s.sample.Origin()) == "" {
		return finding("", "say so in origin (context_origin_url)", "nothing says where the seed comes from")
	}
	return nil
}

func licence(s *subject) []Finding {
	if strings.TrimSpace(s.sample.Licence()) == "" {
		return finding("", "say so in licence (context_license)", "nothing says under which licence the seed may be used")
	}
	return nil
}

func redistribution(s *subject) []Finding {
	if s.sample.Redistribute() {
		return nil
	}
	return finding("", "find out, and say so in redistribute (ok_to_redistribute: yes)", "nothing says that the seed may be redistributed")
}

func stateSummaries(s *subject) []Finding {
	var found []Finding
	for _, state := range s.sample.States {
		if words := len(strings.Fields(state.Summary)); words > summaryWords {
			found = append(found, finding("state "+state.ID, fmt.Sprintf("cut it to %d", summaryWords), "its summary has %d words", words)...)
		}
	}
	return found
}

func distractorSummaries(s *subject) []Finding {
	var found []Finding
	about := map[string]bool{}
	for _, d := range s.sample.Summaries() {
		about[d.File] = true
		where := "distractor " + d.File
		words := len(strings.Fields(d.Summary))
		_, there := s.distractors[d.File]
		switch {
		case !there:
			found = append(found, finding(where, "add the file, or take the summary out", "there is no such file")...)
		case words == 0:
			found = append(found, finding(where, "write one", "its summary is empty")...)
		case words > summaryWords:
			found = append(found, finding(where, fmt.Sprintf("cut it to %d", summaryWords), "its summary has %d words", words)...)
		}
	}
	for _, name := range s.distractors.Names() {
		if !about[name] {
			found = append(found, finding("distractor "+name, "write one", "it has no summary")...)
		}
	}
	return found
}

func distractorsApart(s *subject) []Finding {
	var found []Finding
	for _, name := range s.distractors.Names() {
		for _, state := range s.sample.States {
			if len((vfs.Files{name: ""}).Match(state.Context)) > 0 {
				found = append(found, finding("distractor "+name, "rename it", "it matches the files of state %s", state.ID)...)
				break
			}
		}
	}
	return found
}

func seedAgainstItself(s *subject) []Finding {
	if s.domain == nil || len(s.seed) == 0 {
		return nil // known-domain or seed-files says so
	}
	if why := s.draft.Environment.Unscorable(); why != "" {
		return finding("", "supply it, or leave the environment out", "%s", why)
	}
	if s.domain.CheckReference(s.seed) != nil {
		return nil // seed-readable says so
	}
	score := s.domain.Compare(s.seed, s.seed)
	if score.RS == 1 && score.Strict == 1 {
		return nil
	}
	return finding("", "mend the seed so that the domain reads all of it", "the seed against itself scores %s",
		environments.Shortfall(score, s.domain.Differences(s.seed, s.seed)))
}

func seedReadable(s *subject) []Finding {
	if s.domain == nil || len(s.seed) == 0 || s.draft.Environment.Unscorable() != "" {
		return nil // another check says so
	}
	var refused *domains.ReferenceError
	if errors.As(s.domain.CheckReference(s.seed), &refused) {
		return finding("", "use a document of the domain; expected are "+refused.Expected, "%s", refused.Problem)
	}
	return nil
}

func filledIn(s *subject) []Finding {
	var found []Finding
	for _, place := range s.draft.Environment.Unfinished() {
		found = append(found, finding(place, "replace the text", "it begins with %q", environments.Placeholder)...)
	}
	return found
}

func exactRoundTrips(s *subject) []Finding {
	if s.domain == nil || s.draft.Err != nil {
		return nil
	}
	var found []Finding
	env := s.draft.Environment
	for _, edit := range env.Edits {
		if err := env.Exact(edit, s.domain); err != nil {
			found = append(found, finding("edit "+edit.Name, "mend the seed, the targets or the oracle", "%v", err)...)
		}
	}
	return found
}
