package environments

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/internal/yamlsafe"
	"agentd/vfs"
)

func TestAnInstructionMayBeAList(t *testing.T) {
	t.Parallel()
	const edit = "name: e\noperations: []\ntargets: [b]\n"
	for name, c := range map[string]struct {
		text  string
		want  Edit
		wrong string // part of the error
	}{
		"a text":             {edit + "forward: Go.\nbackward: Back.\n", Edit{Forward: "Go.", Backward: "Back."}, ""},
		"a list":             {edit + "forward: [Go., Now.]\nbackward: Back.\n", Edit{Forward: "Go.\n\nNow.", Backward: "Back.", Parts: Parts{Forward: []string{"Go.", "Now."}}}, ""},
		"a text and parts":   {edit + "forward: Go now.\nbackward: Back.\nparts: {backward: [B, A]}\n", Edit{Forward: "Go now.", Backward: "Back.", Parts: Parts{Backward: []string{"B", "A"}}}, ""},
		"a list and parts":   {edit + "forward: [Go., Now.]\nbackward: Back.\nparts: {forward: [A, B]}\n", Edit{}, "one of them is enough"},
		"an unknown key":     {edit + "forward: Go.\nbackward: Back.\nside: A\n", Edit{}, "side"},
		"a list of mappings": {edit + "forward: [{a: b}]\nbackward: Back.\n", Edit{}, "line"},
	} {
		var got Edit
		err := yamlsafe.Unmarshal([]byte(c.text), &got)
		if c.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%s: %v, want %q", name, err, c.wrong)
			}
			continue
		}
		c.want.Name, c.want.Targets, c.want.Operations = "e", []string{"b"}, []string{}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		again, err := yamlsafe.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		var back Edit
		if err := yamlsafe.Unmarshal(again, &back); err != nil {
			t.Fatalf("%s: %v in %s", name, err, again)
		}
		if diff := cmp.Diff(got, back); diff != "" {
			t.Errorf("%s, written and read again: %s", name, diff)
		}
	}
}

func TestPartsAreSavedAndLeaveNoTraceWhenTheyAreNotUsed(t *testing.T) {
	t.Parallel()
	env := Environment{
		Name: "e1", Title: "E", Domain: "text", Targets: []string{"a.txt"}, Seed: vfs.Files{"a.txt": "a\n"}, Distractors: vfs.Files{},
		Edits: []Edit{{Name: "e", Operations: []string{"sorting"}, Forward: "Go now.", Backward: "Back.", Targets: []string{"b.txt"}}},
	}
	whole := env.Hash()
	env.Edits[0].Parts = Parts{Forward: []string{"Go.", "Now."}}
	if env.Hash() == whole {
		t.Error("parts are no part of the hash")
	}
	if stripped := WithoutParts([]Environment{env}); stripped[0].Hash() != whole || !env.HasParts() || stripped[0].HasParts() {
		t.Error("an environment without its parts is not what it was")
	}
	dir := t.TempDir()
	if err := env.Save(dir); err != nil {
		t.Fatal(err)
	}
	saved, err := Load(filepath.Join(dir, "e1"))
	if err != nil {
		t.Fatal(err)
	}
	if saved[0].Hash() != env.Hash() {
		t.Errorf("saved and read again: %s", cmp.Diff(env.Edits, saved[0].Edits))
	}
	stored, err := Decode(env.Encode())
	if err != nil || cmp.Diff(env.Edits, stored.Edits) != "" {
		t.Errorf("stored: %v %s", err, cmp.Diff(env.Edits, stored.Edits))
	}
	for wrong, parts := range map[string]Parts{
		"one part only": {Forward: []string{"Go."}},
		"is empty":      {Backward: []string{"Back.", " "}},
	} {
		env.Edits[0].Parts = parts
		if err := env.check(); err == nil || !strings.Contains(err.Error(), wrong) {
			t.Errorf("%v: %v, want %q", parts, err, wrong)
		}
	}
}

func TestBuiltInInstructionsInParts(t *testing.T) {
	t.Parallel()
	envs, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	var with []string
	for i := range envs {
		if envs[i].HasParts() {
			with = append(with, envs[i].Name)
		}
	}
	if diff := cmp.Diff([]string{"accounting1", "calendar1", "recipe1", "subtitles1"}, with); diff != "" {
		t.Error(diff)
	}
}
