package main

import (
	"fmt"
	"slices"
	"strings"

	"agentd/environments"
	"agentd/harness"
	"agentd/internal/yamlsafe"
)

// schedule is which edit stands in which round trip: a kind, or edits in order.
// It is read from an experiment file and, as a pflag.Value, from a flag.
type schedule struct {
	kind  harness.ScheduleKind
	edits []string // of harness.Listed
}

// Set reads the name of a schedule, or the names of edits with commas between.
func (s *schedule) Set(text string) error {
	for _, kind := range harness.Kinds() {
		if text == string(kind) {
			*s = schedule{kind: kind}
			return nil
		}
	}
	return s.list(strings.Split(text, ","))
}

func (s *schedule) list(edits []string) error {
	*s = schedule{kind: harness.Listed}
	for _, edit := range edits {
		edit = strings.TrimSpace(edit)
		if edit == "" {
			return fmt.Errorf("the schedule has an edit without a name; give %s, or the names of edits", strings.Join(scheduleNames(), ", "))
		}
		s.edits = append(s.edits, edit)
	}
	if len(s.edits) == 0 {
		return fmt.Errorf("the schedule lists no edits; give %s, or the names of edits", strings.Join(scheduleNames(), ", "))
	}
	return nil
}

// UnmarshalYAML takes a list of edits, or what Set takes.
func (s *schedule) UnmarshalYAML(n *yamlsafe.Node) error {
	var edits []string
	if yamlsafe.Decode(n, &edits) == nil {
		return s.list(edits)
	}
	var text string
	if err := yamlsafe.Decode(n, &text); err != nil {
		return err
	}
	return s.Set(text)
}

func (s *schedule) String() string {
	if s.kind == harness.Listed {
		return strings.Join(s.edits, ",")
	}
	return string(s.kind)
}

// Type is how --help names the value.
func (*schedule) Type() string { return "schedule" }

func scheduleNames() []string {
	var names []string
	for _, kind := range harness.Kinds() {
		names = append(names, string(kind))
	}
	return names
}

// check refuses a list that names an edit which one of the environments does not
// have.
func (s *schedule) check(envs []environments.Environment) error {
	for i := range envs {
		var names []string
		for _, edit := range envs[i].Edits {
			names = append(names, edit.Name)
		}
		for _, edit := range s.edits {
			if slices.Contains(names, edit) {
				continue
			}
			kind := "edit"
			if len(s.edits) == 1 && !slices.Contains(scheduleNames(), edit) { // it may be a misspelt schedule
				kind, names = "schedule or edit", slices.Concat(scheduleNames(), names)
			}
			return fmt.Errorf("environment %s: %w", envs[i].Name, unknown(kind, edit, names))
		}
	}
	return nil
}
