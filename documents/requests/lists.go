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

// domain is what an answer says of a domain.
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

// summary is what a list says of an environment.
type summary struct {
	Name    string          `json:"name"`
	Title   string          `json:"title"`
	Domain  string          `json:"domain"`
	Licence string          `json:"licence"`
	Origin  string          `json:"origin"`
	Targets []string        `json:"targets"`
	Edits   []editOfSummary `json:"edits"`
	// Unscored says why nothing can be scored in it; empty if it can.
	Unscored string `json:"unscored"`
}

type editOfSummary struct {
	Name       string   `json:"name"`
	Operations []string `json:"operations"`
	Forward    string   `json:"forward"`
	Backward   string   `json:"backward"`
	Targets    []string `json:"targets"`
	Exact      bool     `json:"exact"` // there is an exact program
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

// exact is what the exact program of an edit makes.
type exact struct {
	Instruction string    `json:"instruction"`
	Targets     []string  `json:"targets"`   // of the files after the step
	Documents   vfs.Files `json:"documents"` // what the step begins with
	Expected    vfs.Files `json:"expected"`  // what it should leave
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
		d, _ := env.Scoring(s.Scorer.Find) // it has a score, or there were no step
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

// knownSteps are the steps of a source that has not changed since.
type knownSteps struct {
	state string
	steps *experiment.Steps
}

// steps are those of a source, which is read again when it has changed.
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

// stateOf tells one state of files and of those in folders from another one, by their names, sizes and times.
func stateOf(paths []string) string {
	var state strings.Builder
	for _, name := range paths {
		_ = filepath.WalkDir(name, func(name string, entry fs.DirEntry, err error) error { // reading it says what is wrong
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
