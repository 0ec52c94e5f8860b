package requests

import (
	"cmp"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"agentd/domains/catalog"
	"agentd/harness/experiment"
	"agentd/harness/grade"
	"agentd/internal/usage"
	"agentd/results"
	"agentd/vfs"
)

// domain describes a domain in an answer.
type domain struct {
	Name       string   `json:"name"`
	Title      string   `json:"title"`
	Category   string   `json:"category"`
	Patterns   []string `json:"patterns"`
	Element    string   `json:"element"`    // what is counted, singular
	Components []string `json:"components"` // of the published score
	Example    string   `json:"example"`
}

func listDomains(files vfs.Files) (any, error) {
	found := catalog.All()
	if files != nil {
		if found = nil; len(catalog.Recognise(files)) == 0 {
			return nil, usage.Errorf("no domain reads %s", strings.Join(files.Names(), ", "))
		}
		for _, f := range catalog.Recognise(files) {
			found = append(found, f.Domain)
		}
	}
	list := make([]domain, len(found))
	for i, d := range found {
		info := d.Info()
		list[i] = domain{info.Name, info.Title, info.Category, info.Patterns, info.Element, append([]string{}, info.Components...), info.Example}
	}
	return list, nil
}

// summary describes an environment in a list.
type summary struct {
	Name    string          `json:"name"`
	Title   string          `json:"title"`
	Domain  string          `json:"domain"`
	Licence string          `json:"licence"`
	Origin  string          `json:"origin"`
	Targets []string        `json:"targets"`
	Edits   []editOfSummary `json:"edits"`
	// Unscored says why the environment cannot be scored; empty if it can.
	Unscored string `json:"unscored"`
}

type editOfSummary struct {
	Name       string   `json:"name"`
	Operations []string `json:"operations"`
	Forward    string   `json:"forward"`
	Backward   string   `json:"backward"`
	Targets    []string `json:"targets"`
	Exact      bool     `json:"exact"` // has an exact program
}

func (s *Server) list(steps *experiment.Steps) (any, error) {
	all, err := steps.Environments()
	if err != nil {
		return nil, err
	}
	list := make([]summary, len(all))
	for i := range all {
		e := &all[i]
		d, built := s.Scorer.Find(e.Domain)
		list[i] = summary{e.Name, e.Title, e.Domain, e.Licence, e.Origin, e.Targets, []editOfSummary{}, e.Unscorable()}
		if !built {
			list[i].Unscored = "the domain is not built yet"
		}
		for _, edit := range e.Edits {
			_, exact := e.OracleFor(edit, d)
			list[i].Edits = append(list[i].Edits, editOfSummary{edit.Name, append([]string{}, edit.Operations...), edit.Forward, edit.Backward, edit.Targets, exact})
		}
	}
	return list, nil
}

// exact is the result of an edit's exact program.
type exact struct {
	Instruction string    `json:"instruction"`
	Targets     []string  `json:"targets"`   // of the files after the step
	Documents   vfs.Files `json:"documents"` // before the step
	Expected    vfs.Files `json:"expected"`  // after a correct step
}

func (s *Server) oracle(r *request) (any, error) {
	steps := s.steps(r.Source)
	asked, err := steps.Asked(r.Env, r.Edit, r.Direction)
	if err != nil {
		return nil, err
	}
	env, err := steps.Environment(r.Env)
	if err != nil {
		return nil, err
	}
	edit, err := env.EditNamed(r.Edit)
	if err != nil {
		return nil, err
	}
	if r.Documents != nil {
		d, _ := env.Scoring(s.Scorer.Find) // cannot fail: only environments with a score have steps
		if asked, err = grade.AskOf(env, d, edit, cmp.Or(r.Direction, results.Forward), r.Documents); err != nil {
			return nil, err
		}
	}
	instruction := edit.Forward
	if r.Direction == results.Backward {
		instruction = edit.Backward
	}
	return exact{instruction, asked.Targets, asked.Documents.Texts(), asked.Expected.Texts()}, nil
}

// knownSteps caches the steps of a source until it changes.
type knownSteps struct {
	state string
	steps *experiment.Steps
}

// steps returns the steps of a source. It reads the source again if it has changed.
func (s *Server) steps(from Source) *experiment.Steps {
	state := stateOf(append([]string{from.Data}, from.Paths...))
	name := fmt.Sprintf("%q %d %q", from.Data, from.Derived, from.Paths)
	s.mu.Lock()
	defer s.mu.Unlock()
	known, ok := s.known[name]
	if !ok || known.state != state {
		known = knownSteps{state, s.Steps(from)}
		if s.known == nil {
			s.known = map[string]knownSteps{}
		}
		s.known[name] = known
	}
	return known.steps
}

// stateOf returns a string that changes with the names, sizes or times of files, also of those in folders.
func stateOf(paths []string) string {
	var state strings.Builder
	for _, name := range paths {
		_ = filepath.WalkDir(name, func(name string, entry fs.DirEntry, err error) error { // reading the source reports the error
			if err == nil {
				if info, err := entry.Info(); err == nil {
					fmt.Fprintln(&state, name, info.Size(), info.ModTime().UnixNano())
				}
			}
			return nil
		})
	}
	return state.String()
}
