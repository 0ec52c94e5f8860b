package models

import (
	"fmt"
)

// Limits on the token counts that a server may report. Without them a wrong count would be
// stored, and a negative or huge count would disable cost limits or end a run.
const (
	// maxHiddenPrompt is how many tokens a prompt may have beyond one for each byte of the
	// request. A server may add its own prompts, pictures and search results.
	maxHiddenPrompt = 1_000_000
	// maxCompletion is the largest number of tokens of a completion, reasoning included.
	maxCompletion = 1_000_000
)

// plausible returns an error if a usage cannot be that of a request with the given number of
// bytes. A token has at least one byte.
func plausible(u Usage, request int) error {
	switch {
	case u.Prompt < 0 || u.Prompt > request+maxHiddenPrompt:
		return fmt.Errorf("the server's usage is not believed: %d prompt tokens for a request of %d bytes", u.Prompt, request)
	case u.Cached < 0 || u.Cached > u.Prompt:
		return fmt.Errorf("the server's usage is not believed: %d cached of %d prompt tokens", u.Cached, u.Prompt)
	case u.CacheWrite < 0 || u.CacheWrite > u.Prompt-u.Cached:
		return fmt.Errorf("the server's usage is not believed: %d tokens written to the cache, of %d that were not read from it", u.CacheWrite, u.Prompt-u.Cached)
	case u.Completion < 0 || u.Completion > maxCompletion:
		return fmt.Errorf("the server's usage is not believed: %d completion tokens, more than %d", u.Completion, maxCompletion)
	case u.Reasoning < 0 || u.Reasoning > u.Completion:
		return fmt.Errorf("the server's usage is not believed: %d of %d completion tokens are reasoning", u.Reasoning, u.Completion)
	}
	return nil
}
