package catalog

import (
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"agentd/internal/yamlsafe"
)

// Spec says which policy is meant, with which options. Equal specs, with equal
// prompts, are the same policy. Options that are left out (zero) have the
// experiment's value, or the policy's own.
type Spec struct {
	Use  string `yaml:"use" json:"use"`             // the policy's name in this catalog
	Name string `yaml:"name" json:"name,omitempty"` // in tables; made of the rest if empty
	Of   *Spec  `yaml:"of" json:"of,omitempty"`     // of verify: the policy that works first

	MaxTurns  int           `yaml:"max_turns" json:"max_turns,omitempty"`   // completions
	MaxTokens int           `yaml:"max_tokens" json:"max_tokens,omitempty"` // prompt and completion tokens of an interaction
	MaxUSD    float64       `yaml:"max_usd" json:"max_usd,omitempty"`       // cost of an interaction
	WallTime  time.Duration `yaml:"wall_time" json:"wall_time,omitempty"`   // of a command
	MemoryMB  int64         `yaml:"memory_mb" json:"memory_mb,omitempty"`   // of a command, in MiB

	// Prompts is a folder of prompts, as FILE, or published for those of the paper's
	// program (published.Named). A manifest has their texts.
	Prompts string `yaml:"prompts" json:"-"`
	// Command is a program with its arguments, which may be templates.
	Command []string `yaml:"command" json:"command,omitempty"`
	// Files are what the command needs: a folder or a file of this machine.
	Files string `yaml:"files" json:"files,omitempty"`
	// Agent is the name of an agent's preset, or the file of one.
	Agent string `yaml:"agent" json:"agent,omitempty"`
	// Version is of the agent; the preset's own if it is left out. The manifest has it
	// in any case.
	Version string `yaml:"version" json:"version,omitempty"`
	// Tools is the tool set of an agent: one of agents.ToolSets.
	Tools string `yaml:"tools" json:"tools,omitempty"`
	// Settings says whose temperature, effort and output limit hold for a command's
	// questions to the model: experiment, or agent.
	Settings string `yaml:"settings" json:"settings,omitempty"`
	// Calls is a file of recorded tool calls.
	Calls string `yaml:"calls" json:"calls,omitempty"`
	// Arm is whose calls they are, as "MODEL POLICY", where the file has several.
	Arm string `yaml:"arm" json:"arm,omitempty"`
	// Hash is the SHA-256 of what Files or Calls name. It is found out, not given.
	Hash string `yaml:"-" json:"hash,omitempty"`
}

// Whose settings hold for a command's questions to the model.
const (
	SettingsOfExperiment = "experiment"
	SettingsOfAgent      = "agent"
)

// mostNested is how many policies may look over each other.
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
func Parse(text string) (Spec, error) {
	text = strings.TrimSpace(text)
	if command, ok := strings.CutPrefix(text, "exec:"); ok {
		return Spec{Use: "exec", Command: strings.Fields(command)}, nil
	}
	if agent, ok := strings.CutPrefix(text, "agent:"); ok {
		return parseAgent(agent)
	}
	if file, ok := strings.CutPrefix(text, "replay:"); ok {
		return Spec{Use: "replay", Calls: file}, nil
	}
	if n := strings.Count(text, "("); n > mostNested {
		return Spec{}, fmt.Errorf("policy %.40q…: %d opening parentheses, more than %d", text, n, mostNested)
	}
	name, rest, ok := strings.Cut(text, "(")
	s := Spec{Use: strings.TrimSpace(name)}
	if !ok {
		return s, nil
	}
	inside, ok := strings.CutSuffix(rest, ")")
	if !ok {
		return s, fmt.Errorf("policy %q: a closing parenthesis is missing", text)
	}
	for _, part := range Split(inside) {
		if err := s.argument(part); err != nil {
			return s, fmt.Errorf("policy %q: %w", text, err)
		}
	}
	return s, nil
}

// ParseLists reads lists of policies, each separated by commas.
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

// parseAgent reads what follows "agent:".
func parseAgent(text string) (Spec, error) {
	name, _, _ := strings.Cut(text, "(")
	s, err := Parse("agent" + text[len(name):])
	s.Agent = strings.TrimSpace(name)
	return s, err
}

// argument takes an option, or the policy that is to be looked over.
func (s *Spec) argument(text string) error {
	key, value, ok := strings.Cut(text, "=")
	if !ok || strings.ContainsAny(key, "(:") {
		of, err := Parse(text)
		if err == nil && s.Of != nil {
			err = fmt.Errorf("%s and %s: only one policy can be looked over", s.Of.Use, of.Use)
		}
		s.Of = &of
		return err
	}
	var err error
	switch key, value = strings.TrimSpace(key), strings.TrimSpace(value); key {
	case "name":
		s.Name = value
	case "max_turns":
		s.MaxTurns, err = strconv.Atoi(value)
	case "max_tokens":
		s.MaxTokens, err = strconv.Atoi(value)
	case "max_usd":
		s.MaxUSD, err = strconv.ParseFloat(value, 64)
	case "wall_time":
		s.WallTime, err = time.ParseDuration(value)
	case "memory_mb":
		s.MemoryMB, err = strconv.ParseInt(value, 10, 64)
	case "prompts":
		s.Prompts = value
	case "version":
		s.Version = value
	case "tools":
		s.Tools = value
	case "settings":
		s.Settings = value
	default:
		return fmt.Errorf("there is no option %q", key)
	}
	if err != nil {
		return fmt.Errorf("option %s: %w", key, err)
	}
	return nil
}

// Split takes a list apart at its commas, but for those in parentheses.
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

// UnmarshalYAML takes what Parse does, or an object with use and options.
func (s *Spec) UnmarshalYAML(n *yamlsafe.Node) (err error) {
	var text string
	if yamlsafe.Decode(n, &text) == nil {
		*s, err = parseAt(n, text)
		return err
	}
	// Only the name is looked at first: a policy may hold another, that one more, and
	// each would be decoded twice as often as the one around it.
	var given struct{ Use string }
	if err := n.Decode(&given); err != nil {
		return fmt.Errorf("line %d: %w", n.Line, err)
	}
	if given.Use == "" {
		return fmt.Errorf("line %d: a policy needs a name: use", n.Line)
	}
	base, err := parseAt(n, given.Use)
	if err != nil {
		return err
	}
	type plain Spec // without this method
	merged := plain(base)
	if err := yamlsafe.Decode(n, &merged); err != nil {
		return err
	}
	merged.Use = base.Use
	*s = Spec(merged)
	return nil
}

// parseAt is Parse of what stands at a place in a file.
func parseAt(n *yamlsafe.Node, text string) (Spec, error) {
	spec, err := Parse(text)
	if err != nil {
		err = fmt.Errorf("line %d: %w", n.Line, err)
	}
	return spec, err
}

// Title is what tables call the policy.
func (s Spec) Title() string {
	if s.Name != "" {
		return s.Name
	}
	switch s.Use {
	case "exec":
		if len(s.Command) > 0 {
			return "exec:" + path.Base(s.Command[0])
		}
	case "replay":
		return "replay:" + strings.TrimSuffix(path.Base(s.Calls), path.Ext(s.Calls))
	}
	title := s.Use
	if s.Agent != "" {
		title += ":" + strings.TrimSuffix(path.Base(s.Agent), ".yaml")
	}
	var parts []string
	if s.Of != nil {
		parts = append(parts, s.Of.Title())
	}
	for _, option := range s.options() {
		if option.value != "" && option.name != "command" && option.name != "files" && option.name != "agent" {
			parts = append(parts, option.name+"="+option.value)
		}
	}
	if len(parts) == 0 {
		return title
	}
	return title + "(" + strings.Join(parts, ",") + ")"
}

// option is an option as text, empty if it was not given.
type option struct{ name, value string }

func (s Spec) options() []option {
	shown := func(value any, given bool) string {
		if !given {
			return ""
		}
		return fmt.Sprint(value)
	}
	return []option{
		{"max_turns", shown(s.MaxTurns, s.MaxTurns != 0)},
		{"max_tokens", shown(s.MaxTokens, s.MaxTokens != 0)},
		{"max_usd", shown(s.MaxUSD, s.MaxUSD != 0)},
		{"wall_time", shown(s.WallTime, s.WallTime != 0)},
		{"memory_mb", shown(s.MemoryMB, s.MemoryMB != 0)},
		{"prompts", s.Prompts},
		{"command", strings.Join(s.Command, " ")},
		{"files", s.Files},
		{"agent", s.Agent},
		{"version", s.Version},
		{"tools", s.Tools},
		{"settings", s.Settings},
		{"calls", s.Calls},
		{"arm", s.Arm},
	}
}

// check refuses options that mean nothing to the policy, or nothing at all.
func (s Spec) check(e Entry) error {
	for _, o := range s.options() {
		if o.value == "" {
			continue
		}
		if !e.takes(o.name) {
			return fmt.Errorf("policy %s has no option %s; it has %s", s.Use, o.name, e.listed())
		}
		if strings.HasPrefix(o.value, "-") && o.name != "command" {
			return fmt.Errorf("policy %s: %s must be above 0, not %s", s.Use, o.name, o.value)
		}
	}
	if s.Settings != "" && s.Settings != SettingsOfExperiment && s.Settings != SettingsOfAgent {
		return fmt.Errorf("policy %s: settings: %q is neither %s nor %s", s.Use, s.Settings, SettingsOfExperiment, SettingsOfAgent)
	}
	switch {
	case s.Of != nil && e.Name != "verify":
		return fmt.Errorf("policy %s looks over no other; that is verify(%s)", s.Use, s.Of.Use)
	case s.Of == nil && e.Name == "verify":
		return fmt.Errorf("policy verify needs one to look over, such as verify(agentic)")
	}
	return nil
}
