package models

import (
	"errors"
	"testing"

	"agentd/models/wire"
)

func TestTokensAreFoundInWhatServersSay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		message     string
		asked, most int
	}{
		"OpenAI":                   {"This model's maximum context length is 8192 tokens. However, your messages resulted in 12540 tokens. Please reduce the length of the messages.", 12540, 8192},
		"OpenAI, with functions":   {"This model's maximum context length is 128000 tokens. However, your messages resulted in 150000 tokens (149000 in the messages, 1000 in the functions).", 150000, 128000},
		"vLLM, DeepSeek":           {"This model's maximum context length is 16384 tokens. However, you requested 122946 tokens (112946 in the messages, 10000 in the completion). Please reduce", 122946, 16384},
		"vLLM, input alone":        {"This model's maximum context length is 8192 tokens. However, your request has 12540 input tokens. Please reduce the length of the input messages.", 12540, 8192},
		"vLLM, no room to answer":  {"'max_tokens' or 'max_completion_tokens' is too large: 16000. This model's maximum context length is 8192 tokens and your request has 540 input tokens (16000 > 8192 - 540).", 16540, 8192},
		"vLLM, with both":          {"You passed 8000 input tokens and requested 1000 output tokens. However, the model's context length is only 8192 tokens, resulting in a maximum input length of 7192 tokens.", 9000, 8192},
		"vLLM's engine":            {"The decoder prompt (length 21535) is longer than the maximum model length of 16384. Make sure that", 21535, 16384},
		"SGLang":                   {"The input (12540 tokens) is longer than the model's context length (8192 tokens).", 12540, 8192},
		"SGLang, in all":           {"Requested token count exceeds the model's maximum context length of 8192 tokens. You requested a total of 12540 tokens: 4348 tokens from the input messages and 8192", 12540, 8192},
		"llama.cpp":                {"request (8708 tokens) exceeds the available context size (8192 tokens), try increasing it", 8708, 8192},
		"llama-cpp-python":         {"Requested tokens (590) exceed context window of 512", 590, 512},
		"Anthropic":                {"prompt is too long: 205000 tokens > 200000 maximum", 205000, 200000},
		"Anthropic, with output":   {"input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length", 209573, 200000},
		"Gemini":                   {"The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).", 1200293, 1048576},
		"Gemini on Vertex":         {"Unable to submit request because the input token count is 136410 but model only supports up to 131072.", 136410, 131072},
		"Mistral":                  {"Prompt contains 40960 tokens and 0 draft tokens, too large for model with 32768 maximum context length", 40960, 32768},
		"xAI":                      {"This model's maximum prompt length is 131072 but the request contains 537812 tokens.", 537812, 131072},
		"Moonshot":                 {"Invalid request: Your request exceeded model token limit: 262144 (requested: 300000)", 300000, 262144},
		"an experiment's limit":    {"the conversation has about 9000 tokens, more than the experiment's context_tokens (8000)", 9000, 8000},
		"commas in the numbers":    {"prompt is too long: 205,000 tokens > 200,000 maximum", 205000, 200000},
		"no numbers":               {"Your input exceeds the context window of this model. Please adjust your input and try again.", 0, 0},
		"one number":               {"This model's maximum context length is 8192 tokens", 0, 0},
		"numbers that are too big": {"prompt is too long: 99999999999999999999 tokens > 200000 maximum", 0, 0},
		"numbers of other things":  {"status 400 Bad Request: 3 messages of 5", 0, 0},
	} {
		asked, most, ok := wire.TokensSaid(c.message)
		if asked != c.asked || most != c.most || ok != (c.most > 0) {
			t.Errorf("%s: %d of %d, %v; want %d of %d", name, asked, most, ok, c.asked, c.most)
		}
		said := &wire.Error{Status: 400, Message: c.message}
		if kind := classify(400, said); c.most > 0 && name != "an experiment's limit" && kind != ContextLength {
			t.Errorf("%s is %q", name, kind)
		}
	}
}

// What an Error writes is read again, also where it stands after something else.
func TestErrorsAreReadAgain(t *testing.T) {
	t.Parallel()
	for _, kind := range Kinds() {
		text := (&Error{Kind: kind, Model: "my: model", Err: errors.New("status 400: no\nmore: x")}).Error()
		for _, before := range []string{"", "summing up: "} {
			if got, says, ok := ReadError(before + text); !ok || got != kind || says != "status 400: no\nmore: x" {
				t.Errorf("%s%s: %q, %q, %v", before, text, got, says, ok)
			}
		}
	}
	for _, text := range []string{"", "a model of something: not found: x", "model m: something else: x"} {
		if kind, _, ok := ReadError(text); ok {
			t.Errorf("%q is read as %q", text, kind)
		}
	}
}
