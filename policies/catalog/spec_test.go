package catalog

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/internal/yamlsafe"
)

// How a policy is written, what tables call it, and what a manifest says of it.
func TestHowPoliciesAreNamed(t *testing.T) {
	t.Parallel()
	for text, c := range map[string]struct{ title, json string }{
		`agentic`:                                {"agentic", `{"use":"agentic"}`},
		`editor(max_turns=40)`:                   {"editor(max_turns=40)", `{"use":"editor","max_turns":40}`},
		`verify(agentic)`:                        {"verify(agentic)", `{"use":"verify","of":{"use":"agentic"}}`},
		`verify(agentic, max_tokens=9)`:          {"verify(agentic,max_tokens=9)", `{"use":"verify","of":{"use":"agentic"},"max_tokens":9}`},
		`verify(verify(agentic))`:                {"verify(verify(agentic))", `{"use":"verify","of":{"use":"verify","of":{"use":"agentic"}}}`},
		`verify(editor(max_turns=2))`:            {"verify(editor(max_turns=2))", `{"use":"verify","of":{"use":"editor","max_turns":2}}`},
		`editor(name=short,prompts=p/q)`:         {"short", `{"use":"editor","name":"short"}`},
		`editor(prompts=p/q)`:                    {"editor(prompts=p/q)", `{"use":"editor"}`},
		`exec:examples/python`:                   {"exec:python", `{"use":"exec","command":["examples/python"]}`},
		`exec:sh -c (true)`:                      {"exec:sh", `{"use":"exec","command":["sh","-c","(true)"]}`},
		`verify(exec:sh -c true)`:                {"verify(exec:sh)", `{"use":"verify","of":{"use":"exec","command":["sh","-c","true"]}}`},
		`replay:calls/weak.jsonl`:                {"replay:weak", `{"use":"replay","calls":"calls/weak.jsonl"}`},
		`agent:codex`:                            {"agent:codex", `{"use":"agent","agent":"codex"}`},
		`agent:a/b.yaml(version=1.10,tools=mcp)`: {"agent:b(version=1.10,tools=mcp)", `{"use":"agent","agent":"a/b.yaml","version":"1.10","tools":"mcp"}`},
		`agent:acp(command=/agent/opencode acp,files=x)`: {"agent:acp:opencode",
			`{"use":"agent","agent":"acp","command":["/agent/opencode","acp"],"files":"x"}`},
		`agent:codex(wall_time=90s,max_usd=0.5)`:    {"agent:codex(max_usd=0.5,wall_time=1m30s)", `{"use":"agent","max_usd":0.5,"wall_time":90000000000,"agent":"codex"}`},
		`prog*`:                                     {"prog*", `{"use":"prog*"}`},
		`{use: editor, max_turns: 40}`:              {"editor(max_turns=40)", `{"use":"editor","max_turns":40}`},
		`{use: editor(max_turns=2), max_tokens: 3}`: {"editor(max_turns=2,max_tokens=3)", `{"use":"editor","max_turns":2,"max_tokens":3}`},
		`{use: verify(editor), name: v}`:            {"v", `{"use":"verify","name":"v","of":{"use":"editor"}}`},
		`{use: verify, of: {use: agentic}}`:         {"verify(agentic)", `{"use":"verify","of":{"use":"agentic"}}`},
		`{use: verify, of: {<<: {use: editor, max_turns: 7}, max_turns: 8}}`: {"verify(editor(max_turns=8))", `{"use":"verify","of":{"use":"editor","max_turns":8}}`},
		`{use: exec, command: [my-agent, "{{.Instruction}}"], wall_time: 90s, memory_mb: 64}`: {
			"exec:my-agent", `{"use":"exec","wall_time":90000000000,"memory_mb":64,"command":["my-agent","{{.Instruction}}"]}`},
	} {
		var got Spec
		if err := yamlsafe.Unmarshal([]byte(text), &got); err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if raw := string(asJSON(got)); raw != c.json || got.Title() != c.title {
			t.Errorf("%s is called %s, want %s; it is %s, want %s", text, got.Title(), c.title, raw, c.json)
		}
	}
}

func TestWhatIsNoPolicy(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`editor(max_turns=40`:                 "a closing parenthesis is missing",
		`editor(max_turns=x)`:                 `option max_turns: "x" is no int`,
		`editor(colour=red)`:                  `policy editor has no option "colour"; it has max_turns, max_tokens, prompts`,
		`editor(max_turns=-1)`:                "max_turns must be above 0, not -1",
		`noop(max_turns=4)`:                   `noop has no option "max_turns"; it has none`,
		`direct(max_turns=4)`:                 `direct has no option "max_turns"; it has prompts`,
		`agentic(editor)`:                     "looks over no other; that is verify(editor)",
		`verify`:                              "such as verify(agentic)",
		`verify(agentic,editor)`:              "only one policy",
		`verify(agentik)`:                     `unknown policy "agentik"`,
		"\n\n{use: editor,\nmax_turnz:\n  4}": `line 4: policy editor has no option "max_turnz"; it has max_turns, max_tokens, prompts`,
		`{max_turns: 4}`:                      "needs a name",
		`{use: editor, max_turns: x}`:         "line 1: cannot unmarshal",
		`{use: edtor, max_turns: 4}`:          `line 1: unknown policy "edtor"; the nearest are editor`,
		`{use: edit*, max_turns: 4}`:          `line 1: policy "edit*" is a pattern`,
		`editor:x`:                            "editor takes nothing after a colon",
		`editor(max_turns=4.5)`:               `option max_turns: "4.5" is no int`,
		`{use: editor, max_turns: 4.5}`:       "line 1: 4.5 is no whole number",
		`exec(prompts=p)`:                     `exec has no option "prompts"; it has max_turns, max_tokens, max_usd, wall_time, memory_mb, command, files, settings`,
		`{use: exec}`:                         "policy exec: it needs a command",
		`{use: exec:sh, settings: mine}`:      `"mine" is neither experiment nor agent`,
		`{use: exec:sh, max_usd: -0.5}`:       "max_usd must be above 0, not -0.5",
		`replay:no/file`:                      "policy replay:file: ",
		`{use: editor, command: [true]}`:      `editor has no option "command"`,
		`{use: verify, of: {use: verify}}`:    "such as verify(agentic)",
		`{use: editor, prompts: no/folder}`:   "no/folder",
		`{use: editor, prompts: ` + promptFolder(t, "usr.md") + `}`: "usr.md is no prompt; there are next.md, nudge.md, summary.md, system.md, tools.json, user.md",
		`{use: editor, prompts: ` + promptFolder(t) + `}`:           "holds none; there are next.md",
		`editor(prompts=published)`:                                 "policy editor(prompts=published): it has no published prompts; only agentic and direct have some",
		`verify(agentic,prompts=published)`:                         "verify(agentic,prompts=published): it has no published prompts",
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

// What is under a policy's second look has its own prompts again, which the manifest
// names but does not hold, and a policy called by its own name keeps its options.
func TestWhatAManifestMustNotLose(t *testing.T) {
	t.Parallel()
	folder := promptFolder(t, "system.md")
	for text, want := range map[string]string{
		"verify(editor(prompts=" + folder + "))": `{"use":"verify","name":"verify(editor(prompts=` + folder + `))","of":{"use":"editor","name":"editor(prompts=` + folder + `)"}}`,
		"editor(name=editor,max_turns=3)":        `{"use":"editor","name":"editor","max_turns":3}`,
		"editor(name=editor)":                    "",
	} {
		spec, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		chosen, err := Choose(spec)
		if err != nil {
			t.Fatal(err)
		}
		if _, raw := chosen.Manifest(); string(raw) != want {
			t.Errorf("%s is %s, want %s", text, raw, want)
		}
	}
}

// An entry is what Parse, an experiment file and a manifest can take.
func TestEntriesAreWhole(t *testing.T) {
	t.Parallel()
	var last string
	for _, e := range All() {
		if e.Name <= last || e.Summary == "" {
			t.Errorf("%s after %s, summary %q", e.Name, last, e.Summary)
		}
		last = e.Name
		kind := reflect.TypeOf(e.Options).Elem()
		for _, f := range reflect.VisibleFields(kind) {
			name, inline, _ := strings.Cut(f.Tag.Get("yaml"), ",")
			if want := name + ",omitempty"; name != "" && name != "-" && f.Tag.Get("json") != want {
				t.Errorf("%s: %v.%s is %q in a manifest, want %q", e.Name, kind, f.Name, f.Tag.Get("json"), want)
			}
			if slices.Contains([]string{"use", "name", "of", "prompts"}, name) {
				t.Errorf("%s: %v.%s is called %s, which a Spec has of every policy", e.Name, kind, f.Name, name)
			}
			if inline == "inline" && f.Tag.Get("json") != "" {
				t.Errorf("%s: %v.%s is not inline in a manifest", e.Name, kind, f.Name)
			}
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
