package catalog

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"agentd/internal/yamlsafe"
	"agentd/policies/entry"
)

// Spec selects a policy and its options. Equal specs with equal prompts are the same policy.
// Options that are zero take the experiment's value, or the policy's default.
type Spec struct {
	Use  string `yaml:"use" json:"use"`             // the policy's name in this catalog
	Name string `yaml:"name" json:"name,omitempty"` // in tables; derived from the other fields if empty
	Of   *Spec  `yaml:"of" json:"of,omitempty"`     // the inner policy of a policy such as verify
	// Prompts is a folder of prompts, named FILE, or "published" for those of the paper's
	// program (published.Named). A manifest contains their texts.
	Prompts string `yaml:"prompts" json:"-"`
	// Options are the policy's own options, nil for none. In a file they are keys of the same
	// object; a manifest has them last.
	Options entry.Options `yaml:"-" json:"-"`
}

// common is the part of a Spec that every policy has.
type common Spec

// mostNested is the largest depth of nested policies.
const mostNested = 8

// Parse reads a policy as a command line names it:
//
//	editor                    a policy
//	editor(max_turns=40)      with options
//	verify(agentic)           looking over another
//	exec:DIR                  the program named run in a folder
//	exec:COMMAND ARGUMENT…    a command
//	agent:NAME                an agent with a preset, or agent:FILE.yaml; options may follow
//	replay:FILE               a file of recorded calls
//
// A name without options may be any, such as a pattern.
func Parse(text string) (Spec, error) {
	text = strings.TrimSpace(text)
	end := strings.IndexAny(text, ":(")
	if end < 0 {
		return Spec{Use: text}, nil
	}
	e, err := Lookup(strings.TrimSpace(text[:end]))
	if err != nil {
		return Spec{}, err
	}
	s, rest := Spec{Use: e.Name, Options: e.Options}, text[end:]
	if argument, ok := strings.CutPrefix(rest, ":"); ok {
		argued, ok := s.Options.(entry.Argued)
		if !ok {
			return s, fmt.Errorf("policy %.40q: %s takes nothing after a colon", text, e.Name)
		}
		if rest = argued.Argue(argument); rest == "" {
			return s, nil
		}
	}
	if n := strings.Count(rest, "("); n > mostNested {
		return s, fmt.Errorf("policy %.40q…: %d opening parentheses, more than %d", text, n, mostNested)
	}
	inside, ok := strings.CutSuffix(rest[1:], ")")
	if !ok {
		return s, fmt.Errorf("policy %q: a closing parenthesis is missing", text)
	}
	for _, part := range Split(inside) {
		if err := s.argument(e, part); err != nil {
			return s, fmt.Errorf("policy %q: %w", text, err)
		}
	}
	return s, nil
}

// ParseLists parses comma-separated lists of policies.
func ParseLists(lists []string) ([]Spec, error) {
	var specs []Spec
	for _, list := range lists {
		for _, text := range Split(list) {
			spec, err := Parse(text)
			if err != nil {
				return nil, err
			}
			specs = append(specs, spec)
		}
	}
	return specs, nil
}

// argument sets an option, or the inner policy.
func (s *Spec) argument(e entry.Entry, text string) error {
	key, value, ok := strings.Cut(text, "=")
	if !ok || strings.ContainsAny(key, "(:") {
		of, err := Parse(text)
		if err == nil && s.Of != nil {
			err = fmt.Errorf("%s and %s: only one policy can be looked over", s.Of.Use, of.Use)
		}
		s.Of = &of
		return err
	}
	switch key, value = strings.TrimSpace(key), strings.TrimSpace(value); key {
	case "name":
		s.Name = value
	case entry.PromptsOption:
		s.Prompts = value
	default:
		return e.Set(s.Options, key, value)
	}
	return nil
}

// Split splits a list at its commas, except those in parentheses.
func Split(list string) []string {
	var parts []string
	depth, from := 0, 0
	for i, c := range list {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			parts = append(parts, strings.TrimSpace(list[from:i]))
			from = i + 1
		}
	}
	if rest := strings.TrimSpace(list[from:]); rest != "" || len(parts) > 0 {
		parts = append(parts, rest)
	}
	return parts
}

// UnmarshalYAML accepts the text that Parse does, or an object with use and options.
func (s *Spec) UnmarshalYAML(n *yamlsafe.Node) (err error) {
	var text string
	if yamlsafe.Decode(n, &text) == nil {
		*s, err = parseAt(n, text)
		return err
	}
	type policy struct {
		common `yaml:",inline"`
		Own    map[string]yamlsafe.Node `yaml:",inline"`
	}
	var given policy
	if err := yamlsafe.Decode(n, &given); err != nil {
		return err
	}
	if given.Use == "" {
		return fmt.Errorf("line %d: a policy needs a name: use", n.Line)
	}
	base, err := parseAt(n, given.Use)
	if err != nil {
		return err
	}
	given.Use, given.Options = base.Use, base.Options
	given.Name, given.Prompts = cmp.Or(given.Name, base.Name), cmp.Or(given.Prompts, base.Prompts)
	given.Of = cmp.Or(given.Of, base.Of)
	*s = Spec(given.common)
	return s.own(n, given.Own)
}

// own decodes the policy's own options from the object n.
func (s *Spec) own(n *yamlsafe.Node, values map[string]yamlsafe.Node) error {
	if len(values) == 0 {
		return nil
	}
	names := slices.Sorted(maps.Keys(values))
	e, err := Lookup(s.Use)
	if err != nil {
		return fmt.Errorf("line %d: %w", n.Line, err)
	}
	if s.Options == nil {
		s.Options = e.Options
	}
	for _, name := range names {
		value, line := values[name], n.Line
		for i := 0; i < len(n.Content); i += 2 {
			if n.Content[i].Value == name {
				line = n.Content[i].Line
			}
		}
		if err := e.Decode(s.Options, name, line, &value); err != nil {
			return err
		}
	}
	return nil
}

// parseAt is Parse with the position in a file for errors.
func parseAt(n *yamlsafe.Node, text string) (Spec, error) {
	spec, err := Parse(text)
	if err != nil {
		err = fmt.Errorf("line %d: %w", n.Line, err)
	}
	return spec, err
}

// MarshalJSON returns an object with the given fields.
func (s Spec) MarshalJSON() ([]byte, error) {
	all, err := json.Marshal(common(s))
	if err != nil || s.Options == nil {
		return all, err
	}
	own, err := json.Marshal(s.Options)
	if err != nil || string(own) == "{}" {
		return all, err
	}
	return append(append(all[:len(all)-1], ','), own[1:]...), nil
}

// UnmarshalJSON decodes the output of MarshalJSON.
func (s *Spec) UnmarshalJSON(text []byte) error {
	if err := json.Unmarshal(text, (*common)(s)); err != nil {
		return err
	}
	e, err := Lookup(s.Use)
	if err != nil {
		return err
	}
	s.Options = e.Options
	return json.Unmarshal(text, s.Options)
}

// Title returns the policy's name in tables.
func (s Spec) Title() string {
	if s.Name != "" {
		return s.Name
	}
	if argued, ok := s.Options.(entry.Argued); ok {
		return argued.Title()
	}
	var parts []string
	if s.Of != nil {
		parts = append(parts, s.Of.Title())
	}
	if s.Options != nil {
		parts = append(parts, entry.Given(s.Options)...)
	}
	if s.Prompts != "" {
		parts = append(parts, entry.PromptsOption+"="+s.Prompts)
	}
	return s.Use + entry.InParentheses(parts)
}
