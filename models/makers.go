package models

import (
	"cmp"
	"fmt"
	"os"
	"strings"

	wirechat "agentd/models/wire/chat"
)

// maker is a company whose models are found by their names alone.
type maker struct {
	prefix string // of its models' names
	keyEnv string
	// bases are the addresses of its server, by dialect.
	bases map[API]string
	// outputField is the name of the output limit in chat completions; "" for OpenAI's newer
	// name.
	outputField string
}

// makers lists the makers, other than OpenAI, whose models are found by their names.
func makers() []maker {
	chat := func(address string) map[API]string { return map[API]string{Chat: address} }
	return []maker{
		{claude, "ANTHROPIC_API_KEY", map[API]string{Messages: "https://api.anthropic.com/v1", Chat: "https://api.anthropic.com/v1"}, ""},
		{google, "GEMINI_API_KEY", map[API]string{
			Gemini: "https://generativelanguage.googleapis.com/v1beta", Chat: "https://generativelanguage.googleapis.com/v1beta/openai",
		}, ""},
		{"mistral-", "MISTRAL_API_KEY", chat("https://api.mistral.ai/v1"), wirechat.OldLimit},
		{"grok-", "XAI_API_KEY", map[API]string{Chat: "https://api.x.ai/v1", Responses: "https://api.x.ai/v1"}, ""},
		{"kimi-", "MOONSHOT_API_KEY", chat("https://api.moonshot.ai/v1"), wirechat.OldLimit},
	}
}

// Prefixes of the models of the makers whose dialects are their own.
const claude, google = "claude-", "gemini-"

// KeyVariables are the environment variables that hold the keys of OpenAI and of
// the other makers.
func KeyVariables() []string {
	all := []string{defaultKeyEnv}
	for _, m := range makers() {
		all = append(all, m.keyEnv)
	}
	return all
}

// HasMaker reports whether a model of a maker other than OpenAI is found by its name alone.
func HasMaker(model string) bool {
	_, ok := makerOf(model)
	return ok
}

// ServedAs returns the maker's name of a model that the paper calls by another name (Appendix
// L); "" for any other model.
func ServedAs(name string) string {
	return map[string]string{"Mistral-Large-3": "mistral-large-2512", "moonshotai/Kimi-K2.5": "kimi-k2.5"}[name]
}

func makerOf(model string) (maker, bool) {
	for _, m := range makers() {
		if strings.HasPrefix(model, m.prefix) {
			return m, true
		}
	}
	return maker{}, false
}

// atMaker fills in the server of the model's maker, or of the dialect's maker. A spec that
// names a server is returned unchanged.
func (s Spec) atMaker() Spec {
	if s.BaseURL != "" || s.APIVersion != "" {
		return s
	}
	m, ok := makerOf(s.Model)
	switch {
	case ok && m.bases[s.API] != "":
	case s.API == Messages:
		m, _ = makerOf(claude)
	case s.API == Gemini:
		m, _ = makerOf(google)
	default:
		return s // OpenAI's
	}
	s.BaseURL = m.bases[s.API]
	s.KeyEnv, s.MaxOutputField = cmp.Or(s.KeyEnv, m.keyEnv), cmp.Or(s.MaxOutputField, m.outputField)
	return s
}

// DescribeKeys lists, for people, the key variables that are set in this process's environment. It
// shows no key. It is an error if none is set.
func DescribeKeys() ([]string, error) {
	var set []string
	for _, variable := range KeyVariables() {
		if os.Getenv(variable) != "" {
			set = append(set, variable)
		}
	}
	if len(set) == 0 {
		return nil, fmt.Errorf("none of %s is set: only stand-ins, recordings and models with a base_url can be used",
			strings.Join(KeyVariables(), ", "))
	}
	return []string{strings.Join(set, ", ") + " set"}, nil
}
