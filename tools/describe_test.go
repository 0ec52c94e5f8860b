package tools

import (
	"strings"
	"testing"
)

func TestToolsAreDescribedInOtherWords(t *testing.T) {
	t.Parallel()
	set := Published()[:2]
	got, err := Describe(set, `{
		"write_file": {"description": "Puts a <file>.", "parameters": {"type": "object", "properties": {"z": {}, "a": {}}, "required": ["z"]}},
		"read_file": {"parameters": {}, "description": ""}
	}`)
	if err != nil {
		t.Fatal(err)
	}
	if got[0].Name != ReadFile || got[0].Description != "" || string(got[0].Parameters) != "{}" {
		t.Errorf("the first: %+v", got[0])
	}
	if want := `{"type":"object","properties":{"z":{},"a":{}},"required":["z"]}`; got[1].Name != WriteFile || got[1].Description != "Puts a <file>." || string(got[1].Parameters) != want {
		t.Errorf("the second: %s %s %s", got[1].Name, got[1].Description, got[1].Parameters)
	}
	if got[0].run == nil || set[1].Description == got[1].Description {
		t.Error("the tools that were given are changed, or do nothing any more")
	}
}

func TestWhatDescribesNoTools(t *testing.T) {
	t.Parallel()
	const read, write = `"read_file": {"description": "a", "parameters": {}}`, `"write_file": {"description": "a", "parameters": {}}`
	for name, c := range map[string]struct{ text, want string }{
		"no JSON":           {"read_file: a", "not a JSON object of tools"},
		"a list":            {"[]", "not a JSON object of tools"},
		"null":              {"null", "lacks the description and parameters of the tool read_file"},
		"one missing":       {"{" + read + "}", "lacks the description and parameters of the tool write_file"},
		"unknown ones":      {"{" + read + "," + write + `, "sing": {}, "dance": {}}`, "there is no tool dance, sing; the tools are read_file, write_file"},
		"one twice":         {"{" + read + "," + write + "," + read + "}", "duplicate"},
		"no description":    {"{" + write + `, "read_file": {"parameters": {}}}`, "of the tool read_file"},
		"no parameters":     {"{" + write + `, "read_file": {"description": "a"}}`, "of the tool read_file"},
		"a list of them":    {"{" + write + `, "read_file": {"description": "a", "parameters": []}}`, "of the tool read_file"},
		"another member":    {"{" + write + `, "read_file": {"description": "a", "parameters": {}, "strict": true}}`, "strict"},
		"a number of words": {"{" + write + `, "read_file": {"description": 1, "parameters": {}}}`, "not a JSON object of tools"},
		"deep":              {strings.Repeat(`{"a":`, 1000), "too much JSON"},
	} {
		if _, err := Describe(Published()[:2], c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}
