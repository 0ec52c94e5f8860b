package experiment

import (
	"fmt"
	"slices"
	"strings"

	"agentd/environments"
	"agentd/harness"
	"agentd/internal/usage"
	"agentd/internal/yamlsafe"
)

// Schedule says which edit each round trip has: a kind of schedule, or a list of
// edits. It is read from an experiment file and, as a pflag.Value, from a flag.
type Schedule struct {
	Kind  harness.ScheduleKind
	Edits []string // for the kind harness.Listed
}

// Set takes the name of a schedule, or the names of edits separated by commas.
func (s *Schedule) Set(text string) error {
	for _, kind := range harness.Kinds() {
		if text == string(kind) {
			*s = Schedule{Kind: kind}
			return nil
		}
	}
	return s.list(strings.Split(text, ","))
}

func (s *Schedule) list(edits []string) error {
	*s = Schedule{Kind: harness.Listed}
	for _, edit := range edits {
		edit = strings.TrimSpace(edit)
		if edit == "" {
			return fmt.Errorf("the schedule has an edit without a name; give %s, or the names of edits", strings.Join(scheduleNames(), ", "))
		}
		s.Edits = append(s.Edits, edit)
	}
	if len(s.Edits) == 0 {
		return fmt.Errorf("the schedule lists no edits; give %s, or the names of edits", strings.Join(scheduleNames(), ", "))
	}
	return nil
}

// UnmarshalYAML takes a list of edits, or what Set takes.
func (s *Schedule) UnmarshalYAML(n *yamlsafe.Node) error {
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

func (s *Schedule) String() string {
	if s.Kind == harness.Listed {
		return strings.Join(s.Edits, ",")
	}
	return string(s.Kind)
}

// Type is how --help names the value.
func (*Schedule) Type() string { return "schedule" }

func scheduleNames() []string {
	var names []string
	for _, kind := range harness.Kinds() {
		names = append(names, string(kind))
	}
	return names
}

// check returns an error if an environment lacks an edit of the list.
func (s *Schedule) check(envs []environments.Environment) error {
	for i := range envs {
		var names []string
		for _, edit := range envs[i].Edits {
			names = append(names, edit.Name)
		}
		for _, edit := range s.Edits {
			if slices.Contains(names, edit) {
				continue
			}
			kind := "edit"
			if len(s.Edits) == 1 && !slices.Contains(scheduleNames(), edit) { // possibly a misspelt schedule
				kind, names = "schedule or edit", slices.Concat(scheduleNames(), names)
			}
			return fmt.Errorf("environment %s: %w", envs[i].Name, usage.Unknown(kind, edit, names))
		}
	}
	return nil
}
