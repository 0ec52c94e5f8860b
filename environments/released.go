package environments

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/vfs"
)

// released is one line of the released data set.
type released struct {
	SampleID   string            `json:"sample_id"`
	SampleType string            `json:"sample_type"`
	SampleName string            `json:"sample_name"`
	States     []state           `json:"states"`
	Metadata   map[string]any    `json:"metadata"`
	Files      map[string]string `json:"files"`
}

// state is a node of the released state graph: a set of files, with the
// prompts that lead from it to other states.
type state struct {
	ID             string   `json:"state_id"`
	Context        []string `json:"context"`
	SolutionFolder string   `json:"solution_folder"`
	Prompts        []struct {
		ID          string   `json:"prompt_id"`
		TargetState string   `json:"target_state"`
		Prompt      string   `json:"prompt"`
		Operations  []string `json:"semantic_operations"`
	} `json:"prompts"`
}

const (
	defaultStart     = "basic_state"
	distractorFolder = "distractor_context/"
)

// loadReleased reads a file of the released format. A line that cannot be read
// is an error that names it.
func loadReleased(file string) ([]Environment, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("reading environments: %w", err)
	}
	defer f.Close()
	var environments []Environment
	lines := bufio.NewReaderSize(f, 1<<20)
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		if len(strings.TrimSpace(string(line))) > 0 {
			env, err := parseReleased(line)
			if err != nil {
				return nil, fmt.Errorf("%s line %d: %w", file, number, err)
			}
			environments = append(environments, env)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s line %d: %w", file, number, err)
		}
	}
	if len(environments) == 0 {
		return nil, fmt.Errorf("%s: it holds no environment", file)
	}
	return environments, nil
}

func parseReleased(line []byte) (Environment, error) {
	var r released
	if err := json.Unmarshal(line, &r); err != nil {
		return Environment{}, fmt.Errorf("not an environment in the released format: %w", err)
	}
	env := Environment{
		Name: r.SampleID, Title: r.SampleName, Domain: r.SampleType,
		Licence: r.text("context_license"), Origin: r.text("context_origin_url"),
		Seed: vfs.Files{}, Distractors: vfs.Files{},
	}
	states := map[string]state{}
	for _, s := range r.States {
		states[s.ID] = s
	}
	startID := r.text("start_state")
	if startID == "" {
		startID = defaultStart
	}
	start, ok := states[startID]
	if !ok {
		return Environment{}, fmt.Errorf("%s: start state %q is not among its states", r.SampleID, startID)
	}
	folder := start.SolutionFolder
	if folder == "" {
		folder = start.ID
	}
	env.Targets = start.Context
	for name, content := range r.Files {
		if rest, ok := strings.CutPrefix(name, folder+"/"); ok {
			env.Seed[rest] = content
		} else if rest, ok := strings.CutPrefix(name, distractorFolder); ok {
			env.Distractors[rest] = content
		}
	}
	for _, forward := range start.Prompts {
		edit, err := pairPrompts(states, start.ID, forward.TargetState)
		if err != nil {
			return Environment{}, fmt.Errorf("%s, prompt %s: %w", r.SampleID, forward.ID, err)
		}
		edit.Name = forward.TargetState
		edit.Forward = forward.Prompt
		for _, op := range forward.Operations {
			edit.Operations = append(edit.Operations, strings.ReplaceAll(op, "&", "and"))
		}
		env.Edits = append(env.Edits, edit)
	}
	env.Metadata = r.options()
	return env, env.check()
}

// pairPrompts finds the backward edit: the target state's prompt back to the
// start state.
func pairPrompts(states map[string]state, start, target string) (Edit, error) {
	s, ok := states[target]
	if !ok {
		return Edit{}, fmt.Errorf("its target state %q is not among the states", target)
	}
	for _, p := range s.Prompts {
		if p.TargetState == start {
			return Edit{Backward: p.Prompt, Targets: s.Context}, nil
		}
	}
	return Edit{}, fmt.Errorf("state %q has no prompt that leads to %q", target, start)
}

func (r *released) text(key string) string {
	value, _ := r.Metadata[key].(string)
	return value
}

// options are the metadata that a domain may need: every scalar that is not
// about the sample itself.
func (r *released) options() domains.Metadata {
	about := []string{"start_state", "context_origin_url", "context_license", "ok_to_redistribute"}
	options := domains.Metadata{}
	for key, value := range r.Metadata {
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
