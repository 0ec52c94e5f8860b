package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"agentd/internal/jsonsafe"
)

// description is what a model is told about a tool.
type description struct {
	Description *string        `json:"description"`
	Parameters  jsontext.Value `json:"parameters"`
}

// Describe returns the tools with other descriptions. text is a JSON object that maps each tool's
// name to its description and its parameters, a JSON schema. A tool of the set that is missing in
// text is an error, and so is a tool that is not in the set. What the tools do, and how they read
// arguments, stays the same.
func Describe(set []Tool, text string) ([]Tool, error) {
	if err := jsonsafe.DefaultLimits().Check([]byte(text)); err != nil {
		return nil, err
	}
	var described map[string]description
	if err := jsonv2.Unmarshal([]byte(text), &described, jsonv2.RejectUnknownMembers(true)); err != nil {
		return nil, fmt.Errorf("it is not a JSON object of tools, each with description and parameters: %w", err)
	}
	var names []string
	all := slices.Clone(set)
	for i := range all {
		t := &all[i]
		names = append(names, t.Name)
		d, ok := described[t.Name]
		if !ok || d.Description == nil || d.Parameters.Kind() != '{' {
			return nil, fmt.Errorf("it lacks the description and parameters of the tool %s", t.Name)
		}
		delete(described, t.Name)
		var schema bytes.Buffer
		if err := json.Compact(&schema, d.Parameters); err != nil {
			return nil, fmt.Errorf("the parameters of the tool %s: %w", t.Name, err)
		}
		t.Description, t.Parameters = *d.Description, schema.Bytes()
	}
	if len(described) > 0 {
		return nil, fmt.Errorf("there is no tool %s; the tools are %s",
			strings.Join(slices.Sorted(maps.Keys(described)), ", "), strings.Join(names, ", "))
	}
	return all, nil
}
