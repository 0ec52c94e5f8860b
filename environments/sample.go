package environments

import (
	"fmt"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/internal/jsonsafe"
	"agentd/vfs"
)

// Sample is an environment in the released form: a graph of states, with the
// prompts that lead from one to another.
type Sample struct {
	ID       string            `json:"sample_id"`
	Type     string            `json:"sample_type"` // its domain
	Name     string            `json:"sample_name"`
	States   []State           `json:"states"`
	Metadata map[string]any    `json:"metadata"`
	Files    map[string]string `json:"files"`
}

// State is a node of the graph: a set of files.
type State struct {
	ID             string   `json:"state_id"`
	Context        []string `json:"context"` // names or patterns of its files
	SolutionFolder string   `json:"solution_folder,omitempty"`
	Summary        string   `json:"summary,omitempty"` // of at most a few words, if there is one
	Prompts        []Prompt `json:"prompts"`
}

// Prompt is an edge of the graph: an instruction that leads to another state.
type Prompt struct {
	ID          string   `json:"prompt_id"`
	TargetState string   `json:"target_state"`
	Prompt      string   `json:"prompt"`
	Operations  []string `json:"semantic_operations,omitempty"`
}

// Keys and names that the released form gives a meaning.
const (
	defaultStart     = "basic_state"
	distractorFolder = "distractor_context/"
	startKey         = "start_state"
	originKey        = "context_origin_url"
	licenceKey       = "context_license"
	summaryKey       = "summary"
	redistributeKey  = "ok_to_redistribute"
	distractorsKey   = "distractor_context"
)

func parseSample(line []byte) (*Sample, error) {
	var s Sample
	if err := jsonsafe.Unmarshal(line, &s, jsonsafe.DefaultLimits()); err != nil {
		return nil, fmt.Errorf("not an environment in the released format: %w", err)
	}
	return &s, nil
}

// StartID names the state that the seed documents are.
func (s *Sample) StartID() string {
	if id := s.text(startKey); id != "" {
		return id
	}
	return defaultStart
}

// State returns the state of that ID, the last of several; false if there is none.
func (s *Sample) State(id string) (State, bool) {
	for _, state := range slices.Backward(s.States) {
		if state.ID == id {
			return state, true
		}
	}
	return State{}, false
}

// Split returns the seed documents, the distractors, and the names of files
// that are neither, nor part of the scaffold.
func (s *Sample) Split() (seed, distractors vfs.Files, loose []string) {
	scaffold := s.Scaffold()
	start, _ := s.State(s.StartID())
	folder := start.SolutionFolder
	if folder == "" {
		folder = s.StartID()
	}
	seed, distractors = vfs.Files{}, vfs.Files{}
	for _, name := range vfs.Files(s.Files).Names() {
		if rest, ok := strings.CutPrefix(name, folder+"/"); ok {
			seed[rest] = s.Files[name]
		} else if rest, ok := strings.CutPrefix(name, distractorFolder); ok {
			distractors[rest] = s.Files[name]
		} else if _, ok := scaffold[name]; !ok {
			loose = append(loose, name)
		}
	}
	return seed, distractors, loose
}

// Scaffold returns the files that scoring needs, nil if there are none. A sample
// has them if it has tests: all that is neither a distractor nor of a state.
func (s *Sample) Scaffold() vfs.Files {
	if _, has := s.Files[testsFile]; !has {
		return nil
	}
	folders := []string{s.StartID(), strings.TrimSuffix(distractorFolder, "/")}
	for _, state := range s.States {
		folders = append(folders, state.ID)
		if state.SolutionFolder != "" {
			folders = append(folders, state.SolutionFolder)
		}
	}
	scaffold := vfs.Files{}
	for name, content := range s.Files {
		if folder, _, inside := strings.Cut(name, "/"); !inside || !slices.Contains(folders, folder) {
			scaffold[name] = content
		}
	}
	return scaffold
}

// Licence says who may use the seed.
func (s *Sample) Licence() string { return s.text(licenceKey) }

// Origin says where the seed comes from.
func (s *Sample) Origin() string { return s.text(originKey) }

// Summary sums the seed up; empty if nothing does.
func (s *Sample) Summary() string { return s.text(summaryKey) }

// Redistribute reports whether the metadata say that the seed may be redistributed.
func (s *Sample) Redistribute() bool {
	is, _ := s.Metadata[redistributeKey].(bool)
	return is || strings.EqualFold(s.text(redistributeKey), "yes")
}

// Summaries returns what the metadata says of the distractors, in name order.
func (s *Sample) Summaries() []Distractor {
	context, _ := s.Metadata[distractorsKey].(map[string]any)
	files, _ := context["files"].(map[string]any)
	var all []Distractor
	for name, entry := range files {
		about, _ := entry.(map[string]any)
		summary, _ := about[summaryKey].(string)
		all = append(all, Distractor{File: name, Summary: summary})
	}
	slices.SortFunc(all, func(a, b Distractor) int { return strings.Compare(a.File, b.File) })
	return all
}

func (s *Sample) text(key string) string {
	value, _ := s.Metadata[key].(string)
	return value
}

// environment reads the graph as seed and edits; an error says what of it
// leads nowhere.
func (s *Sample) environment() (Environment, error) {
	env := Environment{
		Name: s.ID, Title: s.Name, Domain: s.Type,
		Licence: s.Licence(), Origin: s.Origin(), Summary: s.Summary(), Redistribute: s.Redistribute(),
		Summaries: s.Summaries(), Metadata: s.options(),
	}
	start, ok := s.State(s.StartID())
	if !ok {
		return env, fmt.Errorf("%s: start state %q is not among its states", s.ID, s.StartID())
	}
	env.Targets = start.Context
	env.Seed, env.Distractors, _ = s.Split()
	env.Scaffold = s.Scaffold()
	for _, forward := range start.Prompts {
		edit, err := s.edit(forward)
		if err != nil {
			return env, fmt.Errorf("%s, prompt %s: %w", s.ID, forward.ID, err)
		}
		env.Edits = append(env.Edits, edit)
	}
	return env, env.check()
}

// edit pairs a prompt of the start state with its target state's prompt back.
func (s *Sample) edit(forward Prompt) (Edit, error) {
	target, ok := s.State(forward.TargetState)
	if !ok {
		return Edit{}, fmt.Errorf("its target state %q is not among the states", forward.TargetState)
	}
	for _, back := range target.Prompts {
		if back.TargetState == s.StartID() {
			edit := Edit{Name: forward.TargetState, Forward: forward.Prompt, Backward: back.Prompt, Targets: target.Context, Summary: target.Summary}
			for _, operation := range forward.Operations {
				edit.Operations = append(edit.Operations, strings.ReplaceAll(operation, "&", "and"))
			}
			return edit, nil
		}
	}
	return Edit{}, fmt.Errorf("state %q has no prompt that leads to %q", forward.TargetState, s.StartID())
}

// options are the metadata that a domain may need: every scalar that is not
// about the sample itself.
func (s *Sample) options() domains.Metadata {
	about := []string{startKey, originKey, licenceKey, summaryKey, redistributeKey}
	options := domains.Metadata{}
	for key, value := range s.Metadata {
		switch value.(type) {
		case string, float64, bool:
			if !slices.Contains(about, key) {
				options[key] = fmt.Sprint(value)
			}
		}
	}
	if len(options) == 0 {
		return nil
	}
	return options
}

// Sample returns the environment in the released form. Oracles have no place
// in it.
func (e *Environment) Sample() *Sample {
	s := &Sample{
		ID: e.Name, Type: e.Domain, Name: e.Title, Files: map[string]string{},
		Metadata: map[string]any{startKey: defaultStart, originKey: e.Origin, licenceKey: e.Licence},
	}
	if e.Summary != "" {
		s.Metadata[summaryKey] = e.Summary
	}
	if e.Redistribute {
		s.Metadata[redistributeKey] = "yes"
	}
	for key, value := range e.Metadata {
		s.Metadata[key] = value
	}
	about := map[string]any{}
	for _, d := range e.Summaries {
		about[d.File] = map[string]any{summaryKey: d.Summary}
	}
	s.Metadata[distractorsKey] = map[string]any{"files": about}
	start := State{ID: defaultStart, Context: e.Targets, SolutionFolder: defaultStart}
	others := make([]State, 0, len(e.Edits))
	for _, edit := range e.Edits {
		start.Prompts = append(start.Prompts, Prompt{
			ID: "to_" + edit.Name, TargetState: edit.Name, Prompt: edit.Forward, Operations: edit.Operations,
		})
		others = append(others, State{ID: edit.Name, Context: edit.Targets, Summary: edit.Summary, Prompts: []Prompt{
			{ID: "from_" + edit.Name, TargetState: defaultStart, Prompt: edit.Backward},
		}})
	}
	s.States = append([]State{start}, others...)
	for name, content := range e.Seed {
		s.Files[defaultStart+"/"+name] = content
	}
	for name, content := range e.Distractors {
		s.Files[distractorFolder+name] = content
	}
	for name, content := range e.Scaffold {
		s.Files[name] = content
	}
	return s
}
