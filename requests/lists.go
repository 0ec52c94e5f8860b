package requests

import (
	"fmt"
	"strings"

	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/internal/usage"
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
		if found = catalog.Recognise(files); len(found) == 0 {
			return nil, usage.Errorf("no domain reads %s", strings.Join(files.Names(), ", "))
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

func (s *Server) list(data string) (any, error) {
	all, err := s.Environments(data)
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

func (s *Server) environment(r *request) (*environments.Environment, error) {
	all, err := s.Environments(r.Data)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(all))
	for i := range all {
		if names[i] = all[i].Name; names[i] == r.Env {
			return &all[i], nil
		}
	}
	return nil, usage.Unknown("environment", r.Env, names)
}

// exact is what the exact program of an edit makes.
type exact struct {
	Instruction string    `json:"instruction"`
	Targets     []string  `json:"targets"`   // of the files after the step
	Documents   vfs.Files `json:"documents"` // what the step begins with
	Expected    vfs.Files `json:"expected"`  // what it should leave
}

func (s *Server) oracle(r *request) (any, error) {
	e, err := s.environment(r)
	if err != nil {
		return nil, err
	}
	edit, err := e.EditNamed(r.Edit)
	if err != nil {
		return nil, err
	}
	d, built := s.Scorer.Find(e.Domain)
	if !built {
		return nil, fmt.Errorf("%s: the domain %s is not built yet", e.Name, e.Domain)
	}
	oracle, ok := e.OracleFor(edit, e.Apply(d))
	if !ok {
		return nil, usage.Errorf("%s: the edit %s has no exact program", e.Name, edit.Name)
	}
	step, answer := oracle.Forward, exact{edit.Forward, edit.Targets, r.Documents, nil}
	if answer.Documents == nil {
		answer.Documents = e.Seed
	}
	switch r.Direction {
	case "", "forward":
	case backwardRequest:
		step, answer.Instruction, answer.Targets = oracle.Backward, edit.Backward, e.Targets
		if r.Documents == nil {
			if answer.Documents, err = oracle.Forward(e.Seed); err != nil {
				return nil, fmt.Errorf("%s %s forward: %w", e.Name, edit.Name, err)
			}
		}
	default:
		return nil, usage.Unknown("direction", r.Direction, []string{"forward", backwardRequest})
	}
	if answer.Expected, err = step(answer.Documents); err != nil {
		return nil, fmt.Errorf("%s %s: %w", e.Name, edit.Name, err)
	}
	answer.Documents, answer.Expected = answer.Documents.Texts(), answer.Expected.Texts()
	return answer, nil
}
