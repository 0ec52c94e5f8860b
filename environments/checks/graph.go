package checks

import (
	"path"
	"slices"
	"strings"

	"agentd/environments"
	"agentd/vfs"
)

func readable(s *subject) []Finding {
	if s.draft.Sample != nil {
		return nil // what else is wrong with it, other checks say
	}
	return finding("", "mend it by what docs/environments.md says of the format", "%v", s.draft.Err)
}

func requiredKeys(s *subject) []Finding {
	var found []Finding
	for key, missing := range map[string]bool{
		"name (sample_id)":     s.sample.ID == "",
		"title (sample_name)":  s.sample.Name == "",
		"domain (sample_type)": s.sample.Type == "",
		"states":               len(s.sample.States) == 0,
		"files":                len(s.sample.Files) == 0,
	} {
		if missing {
			found = append(found, finding("", "add it", "%s is missing", key)...)
		}
	}
	slices.SortFunc(found, func(a, b Finding) int { return strings.Compare(a.What, b.What) })
	for i, state := range s.sample.States {
		if state.ID == "" {
			found = append(found, finding("", "name the state", "state %d has no state_id", i+1)...)
		}
		for k, prompt := range state.Prompts {
			if prompt.ID == "" || prompt.TargetState == "" {
				found = append(found, finding("state "+state.ID, "add them", "prompt %d has no prompt_id or no target_state", k+1)...)
			}
		}
	}
	return found
}

func uniqueName(s *subject) []Finding {
	switch {
	case s.taken:
		return finding("", "give it another name", "an environment before it has the same name")
	case s.sample.ID == "":
		return nil // required-keys says so
	}
	if err := vfs.CleanName(s.sample.ID); err != nil {
		return finding("", "use letters, digits, - and _", "%q cannot name a folder", s.sample.ID)
	}
	return nil
}

func knownDomain(s *subject) []Finding {
	if s.domain != nil || s.sample.Type == "" {
		return nil
	}
	return finding("", "use one that agentd domains lists, or add it (CONTRIBUTING.md)", "there is no domain %q", s.sample.Type)
}

func startState(s *subject) []Finding {
	if _, ok := s.sample.State(s.sample.StartID()); ok {
		return nil
	}
	return finding("", "name one in metadata.start_state", "start state %q is not among the states", s.sample.StartID())
}

func uniqueIDs(s *subject) []Finding {
	var found []Finding
	states, prompts := map[string]bool{}, map[string]bool{}
	for _, state := range s.sample.States {
		if states[state.ID] {
			found = append(found, finding("state "+state.ID, "name one of them differently", "another state has the same ID")...)
		}
		states[state.ID] = true
		for _, prompt := range state.Prompts {
			if prompts[prompt.ID] {
				found = append(found, finding("prompt "+prompt.ID, "name one of them differently", "another prompt has the same ID")...)
			}
			prompts[prompt.ID] = true
		}
	}
	return found
}

func promptsLeadOn(s *subject) []Finding {
	var found []Finding
	for _, state := range s.sample.States {
		for _, prompt := range state.Prompts {
			if _, ok := s.sample.State(prompt.TargetState); !ok {
				found = append(found, finding("prompt "+prompt.ID, "name a state that is there", "its target state %q is not among the states", prompt.TargetState)...)
			} else if prompt.TargetState == state.ID {
				found = append(found, finding("prompt "+prompt.ID, "name another state", "it leads to the state it comes from")...)
			}
		}
	}
	return found
}

func noOrphans(s *subject) []Finding {
	reached := map[string]bool{}
	next := []string{s.sample.StartID()}
	for len(next) > 0 {
		id := next[0]
		next = next[1:]
		if reached[id] {
			continue
		}
		reached[id] = true
		state, _ := s.sample.State(id)
		for _, prompt := range state.Prompts {
			next = append(next, prompt.TargetState)
		}
	}
	var found []Finding
	for _, state := range s.sample.States {
		if !reached[state.ID] {
			found = append(found, finding("state "+state.ID, "add a prompt that leads to it, or take it out", "nothing leads to it from %s", s.sample.StartID())...)
		}
	}
	return found
}

func wayBack(s *subject) []Finding {
	var found []Finding
	for _, prompt := range s.start.Prompts {
		target, ok := s.sample.State(prompt.TargetState)
		if !ok {
			continue // prompts-lead-on says so
		}
		back := 0
		for _, p := range target.Prompts {
			if p.TargetState == s.start.ID {
				back++
			}
		}
		if back != 1 {
			found = append(found, finding("state "+target.ID, "give it exactly one", "it has %d prompts back to %s", back, s.start.ID)...)
		}
	}
	return found
}

func seedFiles(s *subject) []Finding {
	if len(s.seed) == 0 {
		return finding("", "add the documents that work begins with", "it has no seed document")
	}
	var found []Finding
	for _, target := range s.start.Context {
		if len(s.seed.Match([]string{target})) == 0 {
			found = append(found, finding(target, "add it, or take it out of the start state", "no seed document has this name")...)
		}
	}
	for _, name := range s.seed.Names() {
		if len((vfs.Files{name: ""}).Match(s.start.Context)) == 0 {
			found = append(found, finding(name, "add it there, or take the file out", "the start state does not name it")...)
		}
	}
	return found
}

func filesInPlace(s *subject) []Finding {
	var found []Finding
	for _, name := range s.loose {
		found = append(found, finding(name, "move it to one of them, or take it out", "it is neither in the seed's folder nor in distractor_context/")...)
	}
	for _, files := range []vfs.Files{s.seed, s.distractors} {
		for _, name := range files.Names() {
			if _, err := vfs.Clean(name); err != nil {
				found = append(found, finding(name, "rename it", "%v", err)...)
			}
		}
	}
	if len(found) == 0 {
		if _, err := vfs.New(s.seed, s.distractors); err != nil {
			return finding("", "rename or shorten it", "no workspace takes the files: %v", err)
		}
	}
	return found
}

func targets(s *subject) []Finding {
	var found []Finding
	for _, state := range s.sample.States {
		if len(state.Context) == 0 {
			found = append(found, finding("state "+state.ID, "list their names or patterns", "it names no files")...)
		}
		for _, target := range state.Context {
			switch _, err := path.Match(target, ""); {
			case err != nil || target == "":
				found = append(found, finding("state "+state.ID, "mend it", "%q is not a pattern", target)...)
			case strings.Contains(target, "[") && !strings.ContainsAny(target, "*?"):
				found = append(found, finding("state "+state.ID, "use * or ?, or a name without brackets",
					"%q has a class but neither * nor ?, so to the published harness it is a plain name", target)...)
			}
		}
	}
	return found
}

// eachEdit goes through the pairs of instructions that lead away from the start
// state and back.
func (s *subject) eachEdit(do func(name string, forward environments.Prompt, backward []environments.Prompt)) {
	for _, forward := range s.start.Prompts {
		target, _ := s.sample.State(forward.TargetState)
		var backward []environments.Prompt
		for _, prompt := range target.Prompts {
			if prompt.TargetState == s.start.ID {
				backward = append(backward, prompt)
			}
		}
		do(forward.TargetState, forward, backward)
	}
}
