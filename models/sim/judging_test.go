package sim_test

import (
	"encoding/json"
	"strings"
	"testing"

	"agentd/models"
)

func TestAStandInJudges(t *testing.T) {
	t.Parallel()
	server := listen(t)
	model, err := models.Open(models.Spec{
		Name: "sim:weak", BaseURL: server.URL(), Seeded: true, Body: map[string]any{"response_format": map[string]any{"type": "json_object"}},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(prompt string, seed int64) string {
		t.Helper()
		response, err := model.Complete(t.Context(), models.Request{Messages: []models.Message{{Role: models.User, Content: prompt}}, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		return response.Message.Content
	}
	const form = "\n{\"a\": \"0..5\", \"b\": \"1..100\"}\n"
	rate := func(words int) (a, b int) {
		t.Helper()
		var text strings.Builder
		for i := range words {
			text.WriteString(" w" + strings.Repeat("o", i))
		}
		answer := ask(text.String()+form, 1)
		if again := ask(text.String()+form, 2); again != answer {
			t.Errorf("%s, then %s", answer, again)
		}
		var rates map[string]int
		if err := json.Unmarshal([]byte(answer), &rates); err != nil || len(rates) != 2 {
			t.Fatalf("%s: %v", answer, err)
		}
		return rates["a"], rates["b"]
	}
	if a, b := rate(600); a != 5 || b != 100 {
		t.Errorf("a rich text gets %d and %d", a, b)
	}
	if a, b := rate(200); a < 2 || a > 3 || b < 35 || b > 45 {
		t.Errorf("half the words get %d and %d", a, b)
	}
	for _, prompt := range []string{"How is it?", "How is it?\n{\"a\": 5}", "How is it?\n{\"a\": \"good\"}"} {
		if answer := ask(prompt, 1); !strings.Contains(answer, "do not know") {
			t.Errorf("%q is answered with %q", prompt, answer)
		}
	}
}
