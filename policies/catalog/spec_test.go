package catalog

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentd/internal/yamlsafe"
	"github.com/google/go-cmp/cmp"
)

func TestHowPoliciesAreNamed(t *testing.T) {
	t.Parallel()
	agentic := &Spec{Use: "agentic"}
	for text, c := range map[string]struct {
		want  Spec
		title string
	}{
		`agentic`:                           {Spec{Use: "agentic"}, "agentic"},
		`editor(max_turns=40)`:              {Spec{Use: "editor", MaxTurns: 40}, "editor(max_turns=40)"},
		`verify(agentic)`:                   {Spec{Use: "verify", Of: agentic}, "verify(agentic)"},
		`verify(agentic, max_tokens=9)`:     {Spec{Use: "verify", Of: agentic, MaxTokens: 9}, "verify(agentic,max_tokens=9)"},
		`verify(verify(agentic))`:           {Spec{Use: "verify", Of: &Spec{Use: "verify", Of: agentic}}, "verify(verify(agentic))"},
		`verify(editor(max_turns=2))`:       {Spec{Use: "verify", Of: &Spec{Use: "editor", MaxTurns: 2}}, "verify(editor(max_turns=2))"},
		`editor(name=short,prompts=p/q)`:    {Spec{Use: "editor", Name: "short", Prompts: "p/q"}, "short"},
		`exec:examples/python`:              {Spec{Use: "exec", Command: []string{"examples/python"}}, "exec:python"},
		`exec:sh -c true`:                   {Spec{Use: "exec", Command: []string{"sh", "-c", "true"}}, "exec:sh"},
		`replay:calls/weak.jsonl`:           {Spec{Use: "replay", Calls: "calls/weak.jsonl"}, "replay:weak"},
		`{use: editor, max_turns: 40}`:      {Spec{Use: "editor", MaxTurns: 40}, "editor(max_turns=40)"},
		`{use: verify(editor), name: v}`:    {Spec{Use: "verify", Name: "v", Of: &Spec{Use: "editor"}}, "v"},
		`{use: verify, of: {use: agentic}}`: {Spec{Use: "verify", Of: agentic}, "verify(agentic)"},
		`{use: exec, command: [my-agent, "{{.Instruction}}"], wall_time: 90s, memory_mb: 64}`: {
			Spec{Use: "exec", Command: []string{"my-agent", "{{.Instruction}}"}, WallTime: 90 * time.Second, MemoryMB: 64}, "exec:my-agent"},
	} {
		var got Spec
		if err := yamlsafe.Unmarshal([]byte(text), &got); err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if diff := cmp.Diff(c.want, got); diff != "" || got.Title() != c.title {
			t.Errorf("%s is called %s, want %s; %s", text, got.Title(), c.title, diff)
		}
	}
}

func TestWhatIsNoPolicy(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`editor(max_turns=40`:               "a closing parenthesis is missing",
		`editor(max_turns=x)`:               "option max_turns",
		`editor(colour=red)`:                `no option "colour"`,
		`editor(max_turns=-1)`:              "must be above 0",
		`noop(max_turns=4)`:                 "noop has no option max_turns; it has none",
		`direct(max_turns=4)`:               "direct has no option max_turns; it has prompts",
		`agentic(editor)`:                   "looks over no other; that is verify(editor)",
		`verify`:                            "such as verify(agentic)",
		`verify(agentic,editor)`:            "only one policy",
		`verify(agentik)`:                   `unknown policy "agentik"`,
		`{use: editor, max_turnz: 4}`:       "max_turnz",
		`{max_turns: 4}`:                    "needs a name",
		`{use: editor, command: [true]}`:    "editor has no option command",
		`{use: verify, of: {use: verify}}`:  "such as verify(agentic)",
		`{use: editor, prompts: no/folder}`: "no/folder",
		`{use: editor, prompts: ` + promptFolder(t, "usr.md") + `}`: "usr.md is no prompt; there are nudge.md, system.md, user.md, tools.json",
		`{use: editor, prompts: ` + promptFolder(t) + `}`:           "holds none; there are nudge.md",
		`editor(prompts=published)`:                                 "editor has no published prompts; only agentic and direct have some",
		`verify(agentic,prompts=published)`:                         "verify has no published prompts",
	} {
		var spec Spec
		err := yamlsafe.Unmarshal([]byte(text), &spec)
		if err == nil {
			_, err = Choose(spec)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// A short text must not take time or memory that doubles with every policy in it.
func TestPoliciesInEachOther(t *testing.T) { // not in parallel: it counts allocations
	const levels = 15 // each is two of YAML's
	text := strings.Repeat("{use: verify, of: ", levels) + "agentic" + strings.Repeat("}", levels)
	var spec Spec
	decoded := int(testing.AllocsPerRun(1, func() {
		if err := yamlsafe.Unmarshal([]byte(text), &spec); err != nil {
			t.Error(err)
		}
	}))
	if decoded > 100_000 {
		t.Errorf("%d allocations for %d bytes", decoded, len(text))
	}
	if _, err := Parse(strings.Repeat("verify(", 100_000)); err == nil || len(err.Error()) > 200 {
		t.Errorf("a hundred thousand policies in each other: %v", err)
	}
}

func TestListsAreTakenApart(t *testing.T) {
	t.Parallel()
	for list, want := range map[string][]string{
		"":                                   nil,
		"agentic":                            {"agentic"},
		"agentic, editor(a=1,b=2) ,exec:a b": {"agentic", "editor(a=1,b=2)", "exec:a b"},
		"verify(editor(a=1,b=2)),noop":       {"verify(editor(a=1,b=2))", "noop"},
		"a,,b":                               {"a", "", "b"},
	} {
		if diff := cmp.Diff(want, Split(list)); diff != "" {
			t.Errorf("%q: %s", list, diff)
		}
	}
}

// What the manifest says of a policy is enough to make the same one again.
func TestAPolicyComesBackFromTheManifest(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"agentic", "editor(max_turns=40)", "verify(editor(max_tokens=9),max_turns=3)", "editor(name=mine)", "editor(prompts=" + promptFolder(t, "system.md") + ")", "direct(prompts=published)"} {
		spec, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		chosen, err := Choose(spec)
		if err != nil {
			t.Fatal(err)
		}
		name, raw := chosen.Manifest()
		again, err := FromManifest(name, raw)
		if err != nil {
			t.Fatal(err)
		}
		rebuilt, err := Choose(again)
		if err != nil {
			t.Fatal(err)
		}
		if name2, raw2 := rebuilt.Manifest(); name2 != name || string(raw2) != string(raw) {
			t.Errorf("%s is %s %s, and comes back as %s %s", text, name, raw, name2, raw2)
		}
	}
}

// promptFolder makes a folder with prompts of the given names.
func promptFolder(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("Work."), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
