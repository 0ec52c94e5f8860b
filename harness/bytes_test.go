package harness

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agentd/environments"
	"agentd/policies"
	"agentd/policies/oracle"
)

// A policy that does its work and ends every line in another way keeps the meaning, and not the bytes.
func TestARelayStoresWhatBecameOfTheBytes(t *testing.T) {
	t.Parallel()
	envs := slices.DeleteFunc(builtin(t), func(e environments.Environment) bool { return e.Name != "accounting1" })
	other := policy{"other line ends", func(ctx context.Context, task *policies.Task) error {
		if err := (oracle.Policy{}).Edit(ctx, task); err != nil {
			return err
		}
		output, err := task.Workspace.Output()
		if err != nil {
			return err
		}
		for name, text := range output {
			if filepath.Ext(name) == ".ledger" {
				if err := task.Workspace.Write(name, strings.ReplaceAll(strings.ReplaceAll(text, "\r", ""), "\n", "\r\n")); err != nil {
					return err
				}
			}
		}
		return nil
	}}
	store := open(t)
	x := experiment(envs, other)
	record, err := run(t, x, store, Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	scored := 0
	for _, in := range interactions(t, store, record.ID)["other line ends"] {
		if in.Score == nil {
			continue
		}
		scored++
		if in.Score.Strict != 1 || in.Bytes.Words() != "LF -> CRLF" || in.Bytes.Rest != 1 {
			t.Errorf("Strict %v, bytes %q, rest %v", in.Score.Strict, in.Bytes.Words(), in.Bytes.Rest)
		}
	}
	if scored != x.RoundTrips {
		t.Errorf("%d round trips have a score, want %d", scored, x.RoundTrips)
	}
}
