package catalog

import (
	"slices"
	"strings"
	"testing"

	"agentd/models"
	"agentd/policies"
	"agentd/policies/entry"
	"agentd/policies/prompt"
	"agentd/policies/prompt/published/publishedtest"
)

// What a policy loads, under either protocol, is what a folder of prompts may hold.
func TestTheKnownPromptsAreThoseThatPoliciesLoad(t *testing.T) {
	t.Parallel()
	var loaded []string
	dialogue := policies.Dialogue{Continues: true, Compact: policies.Summary}
	for _, protocol := range policies.Protocols() {
		for _, e := range All() {
			if len(e.Prompts) == 0 {
				continue
			}
			spec := Spec{Use: e.Name, Name: e.Name}
			if e.Over {
				spec.Of = &Spec{Use: "noop"}
			}
			for name := range makeWith(t, spec, entry.Ingredients{Protocol: protocol, Model: silent{}, Limits: policies.DefaultLimits(), Prompts: prompt.NewReplaced(nil), Dialogue: dialogue}) {
				loaded = append(loaded, name)
			}
		}
	}
	for _, name := range loaded {
		if !slices.Contains(PromptFiles(), name) {
			t.Errorf("%s is loaded, and unknown", name)
		}
	}
	for _, name := range PromptFiles() {
		if name == "direct/image.md" {
			continue // it is loaded for pictures, and is in a manifest only where it was replaced
		}
		if described := strings.HasSuffix(name, "/tools.json"); !described && !slices.Contains(loaded, name) {
			t.Errorf("%s is known, and no policy loads it", name)
		}
	}
	if !slices.Contains(PromptFiles(), "agentic/tools.json") {
		t.Error("no tools can be described")
	}
}

// makeWith makes the policy and returns the texts that it loaded.
func makeWith(t *testing.T, spec Spec, in entry.Ingredients) map[string]string {
	t.Helper()
	chosen, err := Choose(spec)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := chosen.New(in); err != nil {
		t.Fatalf("%s: %v", spec.Title(), err)
	}
	return in.Prompts.Texts()
}

// One policy may have the published prompts next to another that has ours.
func TestAPolicyOfItsOwnWithThePublishedPrompts(t *testing.T) {
	t.Parallel()
	release, files := publishedtest.Release()
	dir := publishedtest.Folder(t, files)
	in := entry.Ingredients{Protocol: policies.Published, Model: silent{}, Limits: policies.DefaultLimits(), Prompts: prompt.NewReplaced(nil), Release: release}
	texts, err := release.Texts(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, use := range []string{"agentic", "direct"} {
		ours := makeWith(t, Spec{Use: use}, in)
		both := makeWith(t, Spec{Use: use, Name: "theirs", Prompts: "published:" + dir}, in)
		for name, text := range texts {
			policy, file, _ := strings.Cut(name, "/")
			if policy == use && (both["theirs/"+file] != text || ours[name] == text) {
				t.Errorf("%s: %q next to %q", name, both["theirs/"+file], ours[name])
			}
		}
	}
	in.Protocol = policies.Clean
	chosen, err := Choose(Spec{Use: "direct", Prompts: "published:" + dir})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := chosen.New(in); err == nil || !strings.Contains(err.Error(), "with the protocol published alone") {
		t.Errorf("with the protocol clean: %v", err)
	}
}

// silent is a model that is never asked.
type silent struct{ models.Model }

func (silent) Name() string { return "silent" }
