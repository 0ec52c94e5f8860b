package models

import "strings"

// maker is a company that serves its models with OpenAI's protocol.
type maker struct {
	prefix  string // of its models' names
	baseURL string
	keyEnv  string
	// outputField is the member of the output limit; "" for OpenAI's newer name.
	outputField string
}

// makers lists the makers, other than OpenAI, whose models are found by their names.
func makers() []maker {
	return []maker{
		{"claude-", "https://api.anthropic.com/v1", "ANTHROPIC_API_KEY", ""},
		{"gemini-", "https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY", ""},
		{"mistral-", "https://api.mistral.ai/v1", "MISTRAL_API_KEY", "max_tokens"},
		{"grok-", "https://api.x.ai/v1", "XAI_API_KEY", ""},
		{"kimi-", "https://api.moonshot.ai/v1", "MOONSHOT_API_KEY", "max_tokens"},
	}
}

// KeyVariables are the environment variables that hold the keys of OpenAI and of
// the other makers.
func KeyVariables() []string {
	all := []string{defaultKeyEnv}
	for _, m := range makers() {
		all = append(all, m.keyEnv)
	}
	return all
}

// HasMaker reports whether a model is reached by its name alone though it is not
// OpenAI's.
func HasMaker(model string) bool {
	_, ok := makerOf(model)
	return ok
}

func makerOf(model string) (maker, bool) {
	for _, m := range makers() {
		if strings.HasPrefix(model, m.prefix) {
			return m, true
		}
	}
	return maker{}, false
}

// atMaker returns the spec with the server of the model's maker, unless it names
// a server itself.
func (s Spec) atMaker() Spec {
	m, ok := makerOf(s.Model)
	if !ok || s.BaseURL != "" || s.APIVersion != "" {
		return s
	}
	s.BaseURL = m.baseURL
	if s.KeyEnv == "" {
		s.KeyEnv = m.keyEnv
	}
	if s.MaxOutputField == "" {
		s.MaxOutputField = m.outputField
	}
	return s
}
