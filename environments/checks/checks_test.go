package checks_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/environments/checks"
	"agentd/harness/programs/programstest"
)

func TestEveryKindHasChecks(t *testing.T) {
	t.Parallel()
	kinds := []checks.Kind{checks.Structure, checks.Context, checks.Edits, checks.Metadata, checks.Distractors, checks.Scoring, checks.Ours}
	met, names := map[checks.Kind]bool{}, map[string]bool{}
	for _, c := range checks.All() {
		if names[c.Name] || c.Rule == "" || !slices.Contains(kinds, c.Kind) {
			t.Errorf("%s: twice, or without a rule or a kind", c.Name)
		}
		names[c.Name], met[c.Kind] = true, true
	}
	for _, kind := range kinds {
		if !met[kind] {
			t.Errorf("there is no check of %s", kind)
		}
	}
}

// An environment that lacks what the paper's have can be run all the same.
func TestWhatAFailureMeans(t *testing.T) {
	t.Parallel()
	small, unfinished, broken := draft(t), draft(t), draft(t)
	small.Sample.ID, unfinished.Sample.ID, broken.Sample.ID = "small", "unfinished", "broken"
	small.Sample.States[0].Prompts = small.Sample.States[0].Prompts[:1]
	small.Sample.States = small.Sample.States[:2]
	unfinished.Environment.Title = environments.Placeholder + " the title"
	broken.Sample.Type = "none"
	for name, c := range map[string]struct {
		drafts []environments.Draft
		strict bool
		err    string
		want   []string
	}{
		"a good one":           {[]environments.Draft{draft(t)}, true, "", []string{"1 environment passes all"}},
		"one with few edits":   {[]environments.Draft{small}, false, "", []string{"Not comparable with the paper", "small          four-edits", "0 environments pass", "1 can be run, and are not"}},
		"and with strict":      {[]environments.Draft{small}, true, "1 of 1 environment fail checks: 0 broken, 0 unfinished, 1 not comparable", []string{"Not comparable"}},
		"one with placeholder": {[]environments.Draft{unfinished}, false, "0 broken, 1 unfinished, 0 not", []string{"Unfinished: ", `filled-in            title: it begins with "FILL IN:"`}},
		"all together":         {[]environments.Draft{draft(t), small, unfinished, broken}, false, "2 of 4 environments fail checks: 1 broken, 1 unfinished, 1 not", []string{"Broken: ", "Unfinished: ", "Not comparable"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			err := checks.Write(&out, c.drafts, checks.Options{Strict: c.strict}, catalog.Lookup)
			if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("%v, want %q", err, c.err)
			}
			at := 0
			for _, want := range c.want {
				next := strings.Index(out.String()[at:], want)
				if next < 0 {
					t.Fatalf("no %q after byte %d of:\n%s", want, at, &out)
				}
				at += next
			}
		})
	}
}

func TestBuiltInEnvironmentsPass(t *testing.T) {
	t.Parallel()
	drafts, err := environments.BuiltinDrafts()
	if err != nil {
		t.Fatal(err)
	}
	for _, failure := range checks.Run(drafts, programstest.Lookup(t)) {
		t.Errorf("%s, %s: %v", failure.Environment, failure.Check, failure.Findings)
	}
}

// draft is a built-in environment to be spoilt.
func draft(t *testing.T) environments.Draft {
	t.Helper()
	all, err := environments.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	env := all[slices.IndexFunc(all, func(e environments.Environment) bool { return e.Name == "accounting1" })]
	env.Edits = slices.Clone(env.Edits)
	return environments.Draft{Where: "here", Sample: env.Sample(), Environment: env}
}

func TestEachCheckFindsWhatItIsFor(t *testing.T) {
	t.Parallel()
	const seed = "basic_state/makerspace.ledger"
	for name, c := range map[string]struct {
		spoil func(*environments.Draft)
		want  string // checks that fail
		says  string // part of the first finding of the first of them
	}{
		"unreadable":       {func(d *environments.Draft) { d.Sample, d.Err = nil, errors.New("unexpected comma") }, "readable", "unexpected comma"},
		"no title":         {func(d *environments.Draft) { d.Sample.Name = "" }, "required-keys", "title (sample_name) is missing"},
		"no prompt ID":     {func(d *environments.Draft) { d.Sample.States[1].Prompts[0].ID = "" }, "required-keys", "prompt 1 has no prompt_id"},
		"name with slash":  {func(d *environments.Draft) { d.Sample.ID = "a/b" }, "unique-name", "cannot name a folder"},
		"domain misspelt":  {func(d *environments.Draft) { d.Sample.Type = "acounting" }, "known-domain", `no domain "acounting"`},
		"no start state":   {func(d *environments.Draft) { d.Sample.States = d.Sample.States[1:] }, "start-state prompts-lead-on no-orphans seed-files four-edits", `"basic_state" is not among`},
		"state twice":      {func(d *environments.Draft) { d.Sample.States = append(d.Sample.States, d.Sample.States[1]) }, "unique-ids", "another state has the same ID"},
		"prompt nowhere":   {func(d *environments.Draft) { d.Sample.States[1].Prompts[0].TargetState = "nowhere" }, "prompts-lead-on way-back", `"nowhere" is not among`},
		"prompt to itself": {func(d *environments.Draft) { d.Sample.States[1].Prompts[0].TargetState = d.Sample.States[1].ID }, "prompts-lead-on way-back", "the state it comes from"},
		"orphan": {func(d *environments.Draft) {
			d.Sample.States = append(d.Sample.States, environments.State{ID: "alone", Context: []string{"x.csv"}})
		}, "no-orphans", "state alone"},
		"no way back":      {func(d *environments.Draft) { d.Sample.States[2].Prompts = nil }, "way-back", "0 prompts back"},
		"two ways back":    {func(d *environments.Draft) { twoWaysBack(d) }, "way-back", "2 prompts back"},
		"seed file gone":   {func(d *environments.Draft) { d.Sample.States[0].Context = []string{"makerspace.ledger", "b.ledger"} }, "seed-files", "b.ledger: no seed document"},
		"seed file extra":  {func(d *environments.Draft) { d.Sample.Files["basic_state/notes.md"] = "hm" }, "seed-files", "notes.md: the start state does not name it"},
		"loose file":       {func(d *environments.Draft) { d.Sample.Files["elsewhere/x"] = "x" }, "files-in-place", "elsewhere/x: it is neither"},
		"path out":         {func(d *environments.Draft) { d.Sample.Files["distractor_context/../x"] = "x" }, "files-in-place distractor-summaries", `".." is not allowed`},
		"file and folder":  {func(d *environments.Draft) { d.Sample.Files["distractor_context/tool_inventory.csv/x"] = "x" }, "files-in-place distractor-summaries", "no workspace takes the files"},
		"bad pattern":      {func(d *environments.Draft) { d.Sample.States[3].Context = []string{"[a"} }, "targets", `"[a" is not a pattern`},
		"class alone":      {func(d *environments.Draft) { d.Sample.States[3].Context = []string{"a[0-9].txt"} }, "targets", `neither * nor ?`},
		"no targets":       {func(d *environments.Draft) { d.Sample.States[3].Context = nil }, "targets", "it names no files"},
		"long seed":        {func(d *environments.Draft) { d.Sample.Files[seed] += strings.Repeat("; one more remark\n", 400) }, "seed-tokens", "cut it to at most 5000"},
		"backticks":        {func(d *environments.Draft) { d.Sample.Files[seed] = "; a\n; ```\n" + d.Sample.Files[seed] }, "no-backticks", "makerspace.ledger line 2"},
		"three edits":      {func(d *environments.Draft) { threeEdits(d) }, "four-edits", "3 edits"},
		"empty prompt":     {func(d *environments.Draft) { d.Sample.States[0].Prompts[0].Prompt = " \n" }, "prompts-not-empty", "edit split_by_claimant, forward"},
		"revealing":        {func(d *environments.Draft) { d.Sample.States[1].Prompts[0].Prompt = "Undo the split." }, "reveals-nothing", `edit split_by_claimant, backward: "Undo"`},
		"hinting":          {func(d *environments.Draft) { d.Sample.States[1].Prompts[0].Prompt = "Restore the ledger." }, "hints-at-nothing", `edit split_by_claimant, backward: "Restore"`},
		"no operations":    {func(d *environments.Draft) { d.Sample.States[0].Prompts[1].Operations = nil }, "operations", "edit csv_journal: it has no operations"},
		"odd operation":    {func(d *environments.Draft) { d.Sample.States[0].Prompts[1].Operations = []string{"magic"} }, "operations", `"magic" is no operation`},
		"no origin":        {func(d *environments.Draft) { delete(d.Sample.Metadata, "context_origin_url") }, "provenance", "where the seed comes from"},
		"no licence":       {func(d *environments.Draft) { d.Sample.Metadata["context_license"] = " " }, "licence", "under which licence"},
		"not to be shared": {func(d *environments.Draft) { d.Sample.Metadata["ok_to_redistribute"] = "no" }, "redistribution", "may be redistributed"},
		"wordy state":      {func(d *environments.Draft) { d.Sample.States[1].Summary = strings.Repeat("word ", 30) }, "state-summaries", "30 words"},
		"no summaries":     {func(d *environments.Draft) { delete(d.Sample.Metadata, "distractor_context") }, "distractor-summaries", "it has no summary"},
		"long summary":     {func(d *environments.Draft) { summary(d, strings.Repeat("word ", 26)) }, "distractor-summaries", "26 words"},
		"small distractor": {func(d *environments.Draft) { d.Sample.Files["distractor_context/tool_inventory.csv"] = "tag\n" }, "distractor-tokens", "add to it, up to at least 8000"},
		"strange seed":     {func(d *environments.Draft) { d.Sample.Type = "treebank" }, "seed-readable exact-round-trips", "no token found in makerspace.ledger; use a document of the domain; expected are *.conllu with lines such as"},
		"distractor named as target": {func(d *environments.Draft) {
			d.Sample.Files["distractor_context/journal.csv"] = "x"
		}, "distractor-summaries distractors-apart", "distractor journal.csv"},
		"instruction twice": {func(d *environments.Draft) {
			d.Sample.States[1].Prompts[0].Prompt = d.Sample.States[2].Prompts[0].Prompt
		}, "instructions-differ", "that of edit split_by_claimant, backward"},
		"wrong oracle": {func(d *environments.Draft) {
			d.Environment.Edits[0].Oracle = d.Environment.Edits[3].Oracle
		}, "exact-round-trips", "edit split_by_claimant: forward makes"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := draft(t)
			c.spoil(&d)
			var failed []string
			failures := checks.Run([]environments.Draft{d}, catalog.Lookup)
			for _, f := range failures {
				failed = append(failed, f.Check)
			}
			if strings.Join(failed, " ") != c.want {
				t.Fatalf("failed: %v, want %s", failures, c.want)
			}
			if says := failures[0].Findings[0].String(); !strings.Contains(says, c.says) {
				t.Errorf("says %q, want %q in it", says, c.says)
			}
		})
	}
}

func twoWaysBack(d *environments.Draft) {
	state := &d.Sample.States[1]
	second := state.Prompts[0]
	second.ID, second.Prompt = "another", "Do it another way."
	state.Prompts = append(state.Prompts, second)
}

func threeEdits(d *environments.Draft) {
	d.Sample.States = d.Sample.States[:4]
	d.Sample.States[0].Prompts = d.Sample.States[0].Prompts[:3]
}

func summary(d *environments.Draft, text string) {
	context := d.Sample.Metadata["distractor_context"].(map[string]any)
	context["files"].(map[string]any)["tool_inventory.csv"] = map[string]any{"summary": text}
}

func TestNamesAreUnique(t *testing.T) {
	t.Parallel()
	failures := checks.Run([]environments.Draft{draft(t), draft(t)}, catalog.Lookup)
	if len(failures) != 1 || failures[0].Check != "unique-name" {
		t.Errorf("two of a name: %v", failures)
	}
}

// The released excerpts have every key; what else is amiss with them lies in
// their being excerpts, with distractors of other domains.
func TestReleasedExcerpts(t *testing.T) {
	t.Parallel()
	file := filepath.Join("..", "..", "..", "shared", "released", "excerpts.jsonl")
	if dir := os.Getenv("AGENTD_RELEASED"); dir != "" {
		file = filepath.Join(dir, "excerpts.jsonl")
	}
	drafts, err := environments.Drafts(file)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no released excerpts at %s: set AGENTD_RELEASED to their folder to check them", file)
	}
	if err != nil {
		t.Fatal(err)
	}
	sound := []string{"readable", "required-keys", "unique-name", "start-state", "unique-ids", "prompts-lead-on", "no-orphans",
		"way-back", "seed-files", "files-in-place", "targets", "four-edits", "prompts-not-empty", "licence", "distractor-summaries"}
	for _, failure := range checks.Run(drafts, catalog.Lookup) {
		if slices.Contains(sound, failure.Check) {
			t.Errorf("%s, %s: %v", failure.Environment, failure.Check, failure.Findings)
		}
	}
}
