package experiment

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/models"
)

// paperModel is what a model of the paper is asked as, and what a million tokens of it cost in USD.
type paperModel struct {
	asked         string
	input, output float64 // 0 where there is no list price
}

// paperModels are the models of the paper's runs (Appendix L). Its grok-4_1 is version 1 of grok-4 on
// Azure, as its gpt-oss-120b_1 and Mistral-Large-3_1 are versions.
func paperModels() map[string]paperModel {
	return map[string]paperModel{
		"gpt-4o-2024-11-20": {"gpt-4o-2024-11-20", 2.50, 10}, "gpt-4.1-2025-04-14": {"gpt-4.1-2025-04-14", 2, 8},
		"gpt-5-nano-2025-08-07": {"gpt-5-nano-2025-08-07", 0.05, 0.40}, "gpt-5-mini-2025-08-07": {"gpt-5-mini-2025-08-07", 0.25, 2},
		"gpt-5-chat-2025-10-03": {"gpt-5-chat-2025-10-03", 0, 0}, "gpt-5-2025-08-07": {"gpt-5-2025-08-07", 1.25, 10},
		"gpt-5.1-2025-11-13": {"gpt-5.1-2025-11-13", 1.25, 10}, "gpt-5.2-2025-12-11": {"gpt-5.2-2025-12-11", 1.75, 14},
		"gpt-5.4-2026-03-05": {"gpt-5.4-2026-03-05", 2.50, 15}, "o1-2024-12-17": {"o1-2024-12-17", 15, 60}, "o3-2025-04-16": {"o3-2025-04-16", 2, 8},
		"gpt-oss-120b": {"gpt-oss-120b", 0, 0}, "Mistral-Large-3": {"mistral-large-2512", 0.50, 1.50}, "grok-4": {"grok-4", 3, 15},
		"claude-sonnet-4-6": {"claude-sonnet-4-6", 3, 15}, "claude-opus-4-6": {"claude-opus-4-6", 5, 25},
		"gemini-3-flash-preview": {"gemini-3-flash-preview", 0.50, 3}, "gemini-3.1-pro-preview": {"gemini-3.1-pro-preview", 2, 12},
		"moonshotai/Kimi-K2.5": {"kimi-k2.5", 0.60, 3},
	}
}

// asPaperModel is a spec as the table has it.
func asPaperModel(spec models.Spec) paperModel {
	m := paperModel{asked: spec.Name}
	if spec.Model != "" {
		m.asked = spec.Model
	}
	if spec.Price != nil {
		m.input, m.output = spec.Price.Input, spec.Price.Output
	}
	return m
}

// The paper's names of models are asked at their makers by the makers' names, at the makers' prices. A
// server of one's own is asked by the name that it was given.
func TestThePapersNamesOfModels(t *testing.T) {
	t.Parallel()
	prices, err := models.ListPrices()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range paperModels() {
		spec, err := (&opener{}).completed(Named(name).Spec, prices)
		if got := asPaperModel(spec); err != nil || spec.Name != name || got != want {
			t.Errorf("%s: %+v, want %+v, %v", name, got, want, err)
		}
		own := Named(name).Spec
		own.BaseURL = "http://127.0.0.1:1/v1"
		if spec, err = (&opener{}).completed(own, prices); err != nil || spec.Model != "" {
			t.Errorf("%s on a server of one's own: model %q, %v", name, spec.Model, err)
		}
	}
}

// The main relay asks for the paper's models, each at its own price.
func TestTheMainRelayAsksThePapersModels(t *testing.T) {
	t.Parallel()
	prices, err := models.ListPrices()
	if err != nil {
		t.Fatal(err)
	}
	want := paperModels()
	for name, deployment := range map[string]string{"gpt-oss-120b": "openai/gpt-oss-120b", "o1-2024-12-17": "o1", "gpt-5-chat-2025-10-03": "gpt-5-chat"} {
		model := want[name]
		model.asked = deployment
		want[name] = model
	}
	for _, file := range []string{"main-relay", "main-relay-forward"} {
		s := Default()
		if err := s.Read("../../environments/experiments/" + file + ".yaml"); err != nil {
			t.Fatal(err)
		}
		got := map[string]paperModel{}
		for _, model := range s.Models {
			spec, err := (&opener{}).completed(model.Spec, prices)
			if err != nil {
				t.Fatal(err)
			}
			got[spec.Name] = asPaperModel(spec)
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(paperModel{})); diff != "" {
			t.Errorf("%s: %s", file, diff)
		}
	}
}

// The paper's models that reason can be given an effort; Grok 4 reasons without a choice, and GPT 5
// Chat does not reason.
func TestWhichOfThePapersModelsTakeAnEffort(t *testing.T) {
	t.Parallel()
	known, err := models.KnownProfiles()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for name, model := range paperModels() {
		if profile, _ := known.Find(model.asked); len(profile.Efforts) > 0 {
			got = append(got, name)
		}
	}
	slices.Sort(got)
	want := []string{
		"claude-opus-4-6", "claude-sonnet-4-6", "gemini-3-flash-preview", "gemini-3.1-pro-preview", "gpt-5-2025-08-07", "gpt-5-mini-2025-08-07",
		"gpt-5-nano-2025-08-07", "gpt-5.1-2025-11-13", "gpt-5.2-2025-12-11", "gpt-5.4-2026-03-05", "o1-2024-12-17", "o3-2025-04-16",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
