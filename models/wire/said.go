package wire

import (
	"strconv"
	"strings"

	"agentd/internal/lazyregexp"
)

// lengths match servers' messages that a request is too long. The groups asked and more add up
// to the request's tokens; most is the model's limit.
var lengths = func() []*lazyregexp.Regexp {
	const n = `(?P<%>[0-9][0-9,]*)`
	named := func(pattern string) *lazyregexp.Regexp {
		for _, group := range []string{"asked", "more", "most"} {
			pattern = strings.ReplaceAll(pattern, "{"+group+"}", strings.ReplaceAll(n, "%", group))
		}
		return lazyregexp.New(`(?is)` + pattern)
	}
	return []*lazyregexp.Regexp{
		// vLLM, if the answer has no room: (16000 > 8192 - 540)
		named(`\({asked} > {most} - {more}\)`),
		// OpenAI, vLLM, DeepSeek, SGLang
		named(`maximum context length (?:is|of) {most} tokens.{1,20}?(?:messages|prompt|input|you|request)[a-z ]* {asked} (?:input )?tokens`),
		named(`passed {asked} input tokens and requested {more} output tokens.*context length is only {most}`),
		named(`prompt \(length {asked}\) is longer than the maximum model length of {most}`),
		named(`input \({asked} tokens\) is longer than the model's context length \({most} tokens\)`),
		// llama.cpp and its kin
		named(`\({asked}(?: tokens)?\) exceeds? (?:the )?(?:available )?context (?:size|window)(?: of)? \(?{most}`),
		// Anthropic
		named(`{asked} tokens > {most} maximum`),
		named(`context limit: {asked} \+ {more} > {most}`),
		// Gemini
		named(`token count \({asked}\) exceeds the maximum number of tokens allowed \({most}\)`),
		named(`token count is {asked} but model only supports up to {most}`),
		// Mistral, xAI, Moonshot
		named(`contains {asked} tokens.*too large for model with {most} maximum context length`),
		named(`maximum prompt length is {most} but the request contains {asked} tokens`),
		named(`model token limit: {most} \(requested: {asked}\)`),
		// the limit of an experiment
		named(`about {asked} tokens, more than the experiment's context_tokens \({most}\)`),
	}
}()

// mostTokens is larger than any request. A larger number counts something else.
const mostTokens = 1_000_000_000

// TokensSaid extracts from a server's message the tokens of the request and the model's limit.
// ok is false unless it finds both.
func TokensSaid(message string) (asked, most int, ok bool) {
	for _, pattern := range lengths {
		m := pattern.FindStringSubmatch(message)
		if m == nil {
			continue
		}
		for i, group := range pattern.SubexpNames() {
			if group == "" {
				continue
			}
			number, err := strconv.Atoi(strings.ReplaceAll(m[i], ",", ""))
			if err != nil || number > mostTokens {
				return 0, 0, false
			}
			if group == "most" {
				most = number
			} else {
				asked += number
			}
		}
		return asked, most, asked > 0 && most > 0
	}
	return 0, 0, false
}
