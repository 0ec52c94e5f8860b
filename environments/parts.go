package environments

import (
	"fmt"
	"slices"
	"strings"

	"agentd/internal/yamlsafe"
)

// Parts are an edit's instructions as several messages from the user. Each is sent after the
// previous one was answered. They are empty for an instruction that is not divided.
type Parts struct {
	Forward  []string `json:"forward,omitempty" yaml:"forward,omitempty"`
	Backward []string `json:"backward,omitempty" yaml:"backward,omitempty"`
}

// IsZero reports whether neither instruction has parts.
func (p Parts) IsZero() bool { return len(p.Forward)+len(p.Backward) == 0 }

// JoinParts joins parts to the whole instruction, if no other wording is given.
func JoinParts(parts []string) string { return strings.Join(parts, "\n\n") }

// WithoutParts returns the environments with whole instructions only. Their hashes are the
// same as if they never had parts.
func WithoutParts(envs []Environment) []Environment {
	whole := slices.Clone(envs)
	for i := range whole {
		whole[i].Edits = slices.Clone(whole[i].Edits)
		for k := range whole[i].Edits {
			whole[i].Edits[k].Parts = Parts{}
		}
	}
	return whole
}

// HasParts reports whether any instruction of the environment has parts.
func (e *Environment) HasParts() bool {
	return slices.ContainsFunc(e.Edits, func(edit Edit) bool { return !edit.Parts.IsZero() })
}

// instruction is an instruction in a file: a text, or the list of its parts.
type instruction struct {
	text  string
	parts []string
}

// UnmarshalYAML reads a text or a list of texts.
func (i *instruction) UnmarshalYAML(n *yamlsafe.Node) error {
	*i = instruction{}
	if yamlsafe.Decode(n, &i.parts) == nil {
		i.text = JoinParts(i.parts)
		return nil
	}
	return yamlsafe.Decode(n, &i.text)
}

// MarshalYAML returns what UnmarshalYAML reads.
func (i instruction) MarshalYAML() (any, error) {
	if len(i.parts) > 0 {
		return i.parts, nil
	}
	return i.text, nil
}

// writtenEdit is an edit in a file. Parts is set for instructions whose whole text is not simply
// the joined parts.
type writtenEdit struct {
	Name       string      `yaml:"name"`
	Operations []string    `yaml:"operations"`
	Forward    instruction `yaml:"forward"`
	Backward   instruction `yaml:"backward"`
	Targets    []string    `yaml:"targets"`
	Summary    string      `yaml:"summary,omitempty"`
	Oracle     Oracle      `yaml:"oracle,omitempty"`
	Judged     []string    `yaml:"judged,omitempty"`
	Parts      Parts       `yaml:"parts,omitempty"`
}

// UnmarshalYAML reads an edit. An instruction given as a list is joined from its parts.
func (e *Edit) UnmarshalYAML(n *yamlsafe.Node) error {
	var w writtenEdit
	if err := yamlsafe.Decode(n, &w); err != nil {
		return err
	}
	*e = Edit{
		Name: w.Name, Operations: w.Operations, Forward: w.Forward.text, Backward: w.Backward.text,
		Targets: w.Targets, Summary: w.Summary, Oracle: w.Oracle, Judged: w.Judged, Parts: w.Parts,
	}
	for _, one := range []struct {
		key        string
		given, own []string
		into       *[]string
	}{{"forward", w.Forward.parts, w.Parts.Forward, &e.Parts.Forward}, {"backward", w.Backward.parts, w.Parts.Backward, &e.Parts.Backward}} {
		if len(one.given) == 0 {
			continue
		}
		if len(one.own) > 0 {
			return fmt.Errorf("line %d: edit %s has its %s instruction as a list and under parts; one of them is enough", n.Line, w.Name, one.key)
		}
		*one.into = one.given
	}
	return nil
}

// MarshalYAML returns the edit as UnmarshalYAML reads it.
func (e Edit) MarshalYAML() (any, error) {
	w := writtenEdit{
		Name: e.Name, Operations: e.Operations, Targets: e.Targets, Summary: e.Summary, Oracle: e.Oracle, Judged: e.Judged,
		Forward: instruction{text: e.Forward}, Backward: instruction{text: e.Backward}, Parts: e.Parts,
	}
	if len(e.Parts.Forward) > 0 && JoinParts(e.Parts.Forward) == e.Forward {
		w.Forward.parts, w.Parts.Forward = e.Parts.Forward, nil
	}
	if len(e.Parts.Backward) > 0 && JoinParts(e.Parts.Backward) == e.Backward {
		w.Backward.parts, w.Parts.Backward = e.Parts.Backward, nil
	}
	return w, nil
}

// check refuses parts that say nothing.
func (p Parts) check() error {
	for _, part := range slices.Concat(p.Forward, p.Backward) {
		if strings.TrimSpace(part) == "" {
			return fmt.Errorf("a part of an instruction is empty")
		}
	}
	if len(p.Forward) == 1 || len(p.Backward) == 1 {
		return fmt.Errorf("an instruction has one part only; give it as a text, or two parts at least")
	}
	return nil
}
