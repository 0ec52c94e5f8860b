package results

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Manifest says what an experiment measures, and with what. Two runs belong to the same
// experiment only if their manifests are equal. The manifest, and the texts whose hashes it
// has, are all that another machine needs to work on the experiment.
type Manifest struct {
	Version  string   `json:"version"` // of agentd
	Models   []Model  `json:"models"`
	Judge    *Model   `json:"judge,omitempty"` // of the documents that need one, nil for none
	Policies []string `json:"policies"`
	// PolicySpecs have the options of the policies whose names alone do not say them.
	PolicySpecs map[string]json.RawMessage `json:"policy_specs,omitempty"`
	// Traits are those of the policies, by name. Manifests of early versions have none (TraitsOf).
	Traits       map[string]Traits `json:"traits,omitempty"`
	Environments map[string]string `json:"environments"` // name -> hash of its content
	// WithoutOracle counts the edits that have no exact program.
	WithoutOracle int `json:"without_oracle,omitempty"`

	// Protocol and OnFault apply to all relays. They are empty in manifests of early versions,
	// which only had the protocol clean and go-on.
	Protocol   string `json:"protocol,omitempty"`
	OnFault    string `json:"on_fault,omitempty"`
	RoundTrips int    `json:"round_trips"`
	// Repeats is the number of relays of each arm on an environment; under the
	// schedule every-edit, on each of its edits.
	Repeats  int    `json:"repeats"`
	Schedule string `json:"schedule"`
	// ScheduleEdits are the edits of the schedule list, in their order.
	ScheduleEdits []string `json:"schedule_edits,omitempty"`

	// Conversation, Turns, Revisions and Compact define the user's conversation style
	// (experiment.Relay). They are empty where it follows the published protocol.
	Conversation string `json:"conversation,omitempty"`
	Turns        string `json:"turns,omitempty"`
	Revisions    int    `json:"revisions,omitempty"`
	Compact      string `json:"compact,omitempty"`

	Distractors bool              `json:"distractors"`
	Seed        uint64            `json:"seed"`
	Prompts     map[string]string `json:"prompts"` // policy/file -> hash
	Limits      json.RawMessage   `json:"limits"`
}

// Model holds what tables need to know about a model of an experiment.
type Model struct {
	Name    string          `json:"name"`
	StandIn bool            `json:"stand_in,omitempty"`
	Spec    json.RawMessage `json:"spec,omitempty"`
}

// Traits are the properties of a policy. They do not depend on its name in the experiment.
type Traits struct {
	Use           string `json:"use"`                      // the policy's name in the catalog
	Tools         bool   `json:"tools,omitempty"`          // it works with tools
	Baseline      bool   `json:"baseline,omitempty"`       // other policies of the same model are compared with it
	PublishedLoop bool   `json:"published_loop,omitempty"` // it is the published loop, with which other harnesses are compared
}

// TraitsOf returns the traits of a policy. If the manifest has none, it returns those of the early
// policies, found by the stored spec or, without one, by the name.
func (m *Manifest) TraitsOf(policy string) Traits {
	if traits, known := m.Traits[policy]; known {
		return traits
	}
	t := Traits{Use: m.use(policy)}
	t.Tools = !slices.Contains([]string{"direct", "noop", "oracle"}, t.Use)
	t.Baseline, t.PublishedLoop = t.Use == "direct", t.Use == "agentic"
	return t
}

// use returns the policy's name in the catalog according to its spec, or else its own name.
func (m *Manifest) use(policy string) string {
	spec := struct{ Use string }{policy}
	_ = json.Unmarshal(m.PolicySpecs[policy], &spec) // one that cannot be read says nothing
	return spec.Use
}

// Baseline returns the first policy with which others are compared; "" if there is none.
func (m *Manifest) Baseline() string {
	for _, policy := range m.Policies {
		if m.TraitsOf(policy).Baseline {
			return policy
		}
	}
	return ""
}

// Options returns the spec of a policy without its names, as JSON. Policies with equal options
// differ only in their names and prompts.
func (m *Manifest) Options(policy string) string {
	spec := map[string]any{"use": policy}
	_ = json.Unmarshal(m.PolicySpecs[policy], &spec) // one that cannot be read says nothing
	for inner := spec; inner != nil; inner, _ = inner["of"].(map[string]any) {
		delete(inner, "name")
	}
	raw, _ := json.Marshal(spec) // cannot fail for decoded JSON
	return string(raw)
}

// maxNamed is how many parts of a field a difference names at most.
const maxNamed = 5

// Differences lists the fields in which another manifest differs from this one. If the parts of a
// field have names, it lists those, as in "environments (accounting1)".
func (m Manifest) Differences(other Manifest) []string {
	if m.Traits == nil || other.Traits == nil {
		m.Traits, other.Traits = nil, nil // they follow from the specs
	}
	mine, theirs := m.fields(), other.fields()
	var differences []string
	for _, field := range slices.Sorted(maps.Keys(merged(mine, theirs))) {
		a, b := mine[field], theirs[field]
		if a == b {
			continue
		}
		parts := changedParts(a, b)
		if len(parts) == 0 {
			differences = append(differences, field)
			continue
		}
		if more := len(parts) - maxNamed; more > 0 {
			parts = append(parts[:maxNamed], fmt.Sprintf("%d more", more))
		}
		differences = append(differences, fmt.Sprintf("%s (%s)", field, strings.Join(parts, ", ")))
	}
	return differences
}

// fields returns the manifest's members as JSON.
func (m Manifest) fields() map[string]string {
	raw, err := json.Marshal(m)
	if err != nil {
		return map[string]string{"manifest": err.Error()}
	}
	return members(string(raw))
}

// members returns the members of a JSON object, or the elements of an array of
// objects with names; nil for anything else.
func members(raw string) map[string]string {
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(raw), &object) == nil && object != nil {
		all := make(map[string]string, len(object))
		for name, value := range object {
			all[name] = string(value)
		}
		return all
	}
	var list []json.RawMessage
	if json.Unmarshal([]byte(raw), &list) != nil {
		return nil
	}
	all := map[string]string{}
	for _, element := range list {
		var name string
		var named struct{ Name string }
		if json.Unmarshal(element, &name) != nil && json.Unmarshal(element, &named) == nil {
			name = named.Name
		}
		if name == "" {
			return nil
		}
		all[name] = string(element)
	}
	return all
}

// changedParts names the members in which two JSON values differ.
func changedParts(a, b string) []string {
	mine, theirs := members(a), members(b)
	var changed []string
	for _, name := range slices.Sorted(maps.Keys(merged(mine, theirs))) {
		if mine[name] != theirs[name] {
			changed = append(changed, name)
		}
	}
	return changed
}

func merged(a, b map[string]string) map[string]string {
	all := maps.Clone(a)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, b)
	return all
}

// OfGym reports whether the experiment holds the finished episodes of agentd gym, which nothing planned.
func (m Manifest) OfGym() bool { return m.Traits["gym"].Use == "gym" }
