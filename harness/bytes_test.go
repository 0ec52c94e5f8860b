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

// leaving is a policy that does the edits of accounting1 and leaves its ledger as become makes it.
func leaving(name string, become func(text string) string) policy {
	return policy{name, func(ctx context.Context, task *policies.Task) error {
		if err := (oracle.Policy{}).Edit(ctx, task); err != nil {
			return err
		}
		output, err := task.Workspace.Output()
		if err != nil {
			return err
		}
		for name, text := range output {
			if filepath.Ext(name) == ".ledger" {
				if err := task.Workspace.Write(name, become(text)); err != nil {
					return err
				}
			}
		}
		return nil
	}}
}

// A policy that does its work and ends every line in another way keeps the meaning, and not the bytes; one that says something above the
// ledger keeps both where nothing changed, and not the form.
func TestARelayStoresWhatBecameOfFormAndBytes(t *testing.T) {
	t.Parallel()
	envs := slices.DeleteFunc(builtin(t), func(e environments.Environment) bool { return e.Name != "accounting1" })
	ends := leaving("ends", func(text string) string {
		return strings.ReplaceAll(strings.ReplaceAll(text, "\r", ""), "\n", "\r\n")
	})
	talks := leaving("talks", func(text string) string { return "Here is the updated file:\n\n" + text })
	store := open(t)
	x := experiment(envs, ends, talks)
	record, err := run(t, x, store, Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	stored := interactions(t, store, record.ID)
	scored := 0
	for _, in := range stored["ends"] {
		if in.Score == nil {
			continue
		}
		scored++
		if in.Score.Strict != 1 || in.Bytes.Words() != "LF -> CRLF" || in.Bytes.Rest != 1 || in.Broken == nil || len(in.Broken) > 0 {
			t.Errorf("Strict %v, bytes %q, rest %v, broken %q", in.Score.Strict, in.Bytes.Words(), in.Bytes.Rest, in.Broken)
		}
	}
	if scored != x.RoundTrips {
		t.Errorf("%d round trips have a score, want %d", scored, x.RoundTrips)
	}
	const remark = "line 1: a remark about the file stands in it"
	if in := stored["talks"][1]; !slices.Contains(in.Broken, remark) {
		t.Errorf("broken %q, want %q", in.Broken, remark)
	}
	if in := stored["talks"][0]; in.Broken != nil {
		t.Errorf("a forward step, which makes another document, is broken: %q", in.Broken)
	}
}
