package report

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"testing"

	"agentd/vfs"
)

// What a judge has answered is kept by the prompt, so that a prompt that changes by a
// byte is paid for again.
func TestPromptsOfJudgesStayAsTheyAre(t *testing.T) {
	t.Parallel()
	sums := map[string]string{}
	asking := ""
	judging := &Judging{Ask: func(prompt string, _ func(map[string]any) error) (map[string]any, error) {
		sum := sha256.Sum256([]byte(prompt))
		sums[asking] = hex.EncodeToString(sum[:8])
		return nil, errors.ErrUnsupported
	}}
	before, after := vfs.Files{"a": "x\n", "b": "<&{{"}, vfs.Files{"a": "y"}
	asking = "similarity"
	_, _ = judging.likeness("json", before, after)
	asking = "compliance"
	_, _ = judging.complied("do it", before, after)
	for name, want := range map[string]string{"similarity": "458a969136966131", "compliance": "da436e0ddef1ff5e"} {
		if sums[name] != want {
			t.Errorf("the prompt of %s has the hash %s, want %s", name, sums[name], want)
		}
	}
}
