package experiment

import (
	"errors"
	"testing"

	"agentd/internal/usage"
	"agentd/models"
)

func TestWhoConsentsToAKey(t *testing.T) { // not in parallel: it sets variables
	t.Setenv("A_KEY", "x")
	t.Setenv(KeysVariable, "")
	spec := models.Spec{Name: "m", BaseURL: "https://evil.example/v1", KeyEnv: "A_KEY"}
	var question models.Secret
	asks := func(yes bool) func(models.Secret) bool {
		return func(s models.Secret) bool { question = s; return yes }
	}
	named, err := ParseKeys([]string{"evil.example=A_KEY"})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		keys Keys
		sent bool
	}{
		"no one":                   {Keys{}, false},
		"the command line":         {named, true},
		"a person":                 {Keys{Ask: asks(true)}, true},
		"a person who does not":    {Keys{Ask: asks(false)}, false},
		"a flag for another one":   {Keys{Named: []models.Secret{{Server: "https://other.example", Variable: "A_KEY"}}}, false},
		"a flag without the proto": {Keys{Named: []models.Secret{{Server: "http://evil.example", Variable: "A_KEY"}}}, false},
	} {
		err := c.keys.consent(spec)
		var wrong usage.Error
		if (err == nil) != c.sent || err != nil && !errors.As(err, &wrong) {
			t.Errorf("%s: %v, want it to be sent: %v", name, err, c.sent)
		}
	}
	if question != (models.Secret{Server: "https://evil.example", Variable: "A_KEY"}) {
		t.Errorf("the person sees %v", question)
	}
	t.Setenv(KeysVariable, "other.example=B, evil.example=A_KEY")
	if keys, err := ParseKeys(nil); err != nil || keys.consent(spec) != nil {
		t.Errorf("by the environment: %v, %v", keys, err)
	}
	if _, err := ParseKeys([]string{"A_KEY"}); err == nil {
		t.Error("a variable without a server was taken")
	}
}
