package models

import (
	"strings"
	"testing"
)

// What a server says that it charged for is refused before anything counts it, where
// it cannot be. Otherwise it could lift a limit on cost, or reach one at once.
func TestUsageThatCannotBeIsRefused(t *testing.T) {
	t.Parallel()
	for name, usage := range map[string]string{
		"negative prompt":                    `"prompt_tokens": -24000000000000, "completion_tokens": 5`,
		"negative completion":                `"prompt_tokens": 5, "completion_tokens": -1`,
		"negative total":                     `"prompt_tokens": 5, "total_tokens": -1`,
		"a total that makes up for it":       `"prompt_tokens": 5, "completion_tokens": -100, "total_tokens": 1000`,
		"negative cached":                    `"prompt_tokens": 5, "prompt_tokens_details": {"cached_tokens": -1000000}`,
		"negative reasoning":                 `"completion_tokens": 5, "completion_tokens_details": {"reasoning_tokens": -5}`,
		"more cached than there are":         `"prompt_tokens": 5, "prompt_tokens_details": {"cached_tokens": 6}`,
		"a prompt longer than the request":   `"prompt_tokens": 2000000`,
		"a completion that nothing has":      `"completion_tokens": 1000001`,
		"a completion by its total":          `"prompt_tokens": 5, "total_tokens": 5000000`,
		"reasoning that nothing has":         `"completion_tokens": 5, "completion_tokens_details": {"reasoning_tokens": 2000000}`,
		"a sum that overflows":               `"prompt_tokens": 9223372036854775807, "completion_tokens": 9223372036854775807`,
		"a total that overflows":             `"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 9223372036854775807`,
		"a number that is too large to read": `"prompt_tokens": 9223372036854775808`,
		"a number beyond all":                `"prompt_tokens": 1e400`,
		"a fraction":                         `"prompt_tokens": 12.5`,
		"an exponent":                        `"prompt_tokens": 1e3`,
		"a text":                             `"prompt_tokens": "12"`,
		"a list":                             `"prompt_tokens": [12]`,
		"not a number":                       `"prompt_tokens": NaN`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body := `{"choices": [{"message": {"content": "Hi"}}], "usage": {` + usage + `}}`
			got, _, err := ask(t, Spec{Name: "m", BaseURL: serve(t, status(200, body), answered).URL, Attempts: 2}, hello)
			if want := (Waste{Unknown: 1}); err != nil || got.Usage != (Usage{}) || got.Waste != want || got.Message.Content != "Done." {
				t.Errorf("error %v, %q, usage %+v, waste %+v", err, got.Message.Content, got.Usage, got.Waste)
			}
			_, _, err = ask(t, Spec{Name: "m", BaseURL: serve(t, status(200, body)).URL, Attempts: 2}, hello)
			if failure := expectError(t, err, BadAnswer, 1); failure.Waste != (Waste{Unknown: 2}) {
				t.Errorf("%v: waste %+v", err, failure.Waste)
			}
			// An answer without choices, which counts as waste, is no way around it.
			_, _, err = ask(t, Spec{Name: "m", BaseURL: serve(t, status(200, `{"usage": {`+usage+`}}`)).URL, Attempts: 2}, hello)
			if failure := expectError(t, err, BadAnswer, 1); failure.Waste != (Waste{Unknown: 2}) {
				t.Errorf("without choices: waste %+v", failure.Waste)
			}
		})
	}
}

func TestUsageThatMayBeIsTaken(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		usage string
		want  Usage
	}{
		"none":                           {`null`, Usage{}},
		"empty":                          {`{}`, Usage{}},
		"null everywhere":                {`{"prompt_tokens": 5, "completion_tokens": null, "prompt_tokens_details": null, "completion_tokens_details": {"reasoning_tokens": null}}`, Usage{Prompt: 5}},
		"pictures and prompts of its":    {`{"prompt_tokens": 900000, "completion_tokens": 1}`, Usage{Prompt: 900000, Completion: 1}},
		"all cached":                     {`{"prompt_tokens": 5, "prompt_tokens_details": {"cached_tokens": 5}}`, Usage{Prompt: 5, Cached: 5}},
		"the longest completion":         {`{"completion_tokens": 1000000}`, Usage{Completion: 1000000}},
		"reasoning beside, and no total": {`{"completion_tokens": 5, "completion_tokens_details": {"reasoning_tokens": 20}}`, Usage{Completion: 25, Reasoning: 20}},
	} {
		body := `{"choices": [{"message": {"content": "Hi"}}], "usage": ` + c.usage + `}`
		got, _, err := ask(t, Spec{Name: "m", BaseURL: serve(t, status(200, body)).URL}, hello)
		if err != nil || got.Usage != c.want {
			t.Errorf("%s: %+v, error %v", name, got.Usage, err)
		}
	}
}

// A long request may have as long a prompt.
func TestAPromptMayBeAsLongAsItsRequest(t *testing.T) {
	t.Parallel()
	long := Request{Messages: []Message{{Role: User, Content: strings.Repeat("x", 3_000_000)}}}
	body := `{"choices": [{"message": {"content": "Hi"}}], "usage": {"prompt_tokens": 3900000}}`
	got, _, err := ask(t, Spec{Name: "m", BaseURL: serve(t, status(200, body)).URL}, long)
	if err != nil || got.Usage.Prompt != 3_900_000 {
		t.Errorf("%+v, error %v", got.Usage, err)
	}
}
