package experiment

import (
	"testing"

	"agentd/models"
)

// The paper's names of models (Appendix L) are asked at their makers by the makers' names. A
// server of one's own is asked by the name that it was given.
func TestThePapersNamesOfModels(t *testing.T) {
	t.Parallel()
	prices, err := models.ListPrices()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"Mistral-Large-3": "mistral-large-2512", "moonshotai/Kimi-K2.5": "kimi-k2.5", "grok-4.1": "grok-4-1-fast-reasoning",
		"gpt-4o-2024-11-20": "", "gpt-4.1-2025-04-14": "", "gpt-5-nano-2025-08-07": "", "gpt-5-mini-2025-08-07": "", "gpt-5-chat-2025-10-03": "",
		"gpt-5-2025-08-07": "", "gpt-5.1-2025-11-13": "", "gpt-5.2-2025-12-11": "", "gpt-5.4-2026-03-05": "", "o1-2024-12-17": "", "o3-2025-04-16": "",
		"gpt-oss-120b": "", "claude-sonnet-4-6": "", "claude-opus-4-6": "", "gemini-3-flash-preview": "", "gemini-3.1-pro-preview": "",
	} {
		spec, err := (&opener{}).completed(Named(name).Spec, prices)
		if err != nil || spec.Name != name || spec.Model != want {
			t.Errorf("%s: model %q, want %q, %v", name, spec.Model, want, err)
		}
		own := Named(name).Spec
		own.BaseURL = "http://127.0.0.1:1/v1"
		if spec, err = (&opener{}).completed(own, prices); err != nil || spec.Model != "" {
			t.Errorf("%s on a server of one's own: model %q, %v", name, spec.Model, err)
		}
	}
}
