package standin

import (
	"slices"
	"strings"
	"testing"

	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/models/sim"
	"agentd/vfs"
)

// accounting returns the environment accounting1 with its first edit, and what its exact program
// makes of the seed.
func accounting(t *testing.T) (env *environments.Environment, edit environments.Edit, made vfs.Files) {
	t.Helper()
	envs, err := environments.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for i := range envs {
		if env = &envs[i]; env.Name == "accounting1" {
			break
		}
	}
	d, _ := catalog.Lookup(env.Domain)
	edit = env.Edits[0]
	oracle, ok := env.OracleFor(edit, d)
	if !ok {
		t.Fatal("no oracle")
	}
	if made, err = oracle.Forward(env.Seed); err != nil {
		t.Fatal(err)
	}
	return env, edit, made
}

// changed is a copy of files of which every text was changed.
func changed(files vfs.Files, change func(string) string) vfs.Files {
	all := vfs.Files{}
	for name, text := range files {
		all[name] = change(text)
	}
	return all
}

// firstLines keeps a share of the lines of a text.
func firstLines(text string, share float64) string {
	lines := strings.SplitAfter(text, "\n")
	return strings.Join(lines[:int(share*float64(len(lines)))], "")
}

func TestACriticSaysWhatAStepDidWithItsInstruction(t *testing.T) {
	t.Parallel()
	env, edit, made := accounting(t)
	index := NewIndex([]environments.Environment{*env}, catalog.Lookup)
	other := vfs.Files{"x.txt": strings.Repeat("Lorem ipsum dolor sit amet.\nConsectetur adipiscing elit.\n", 40)}
	touched := changed(env.Seed, func(text string) string { return strings.Replace(text, "Expenses", "Costs", 1) })
	for name, c := range map[string]struct {
		instruction   string
		before, after vfs.Files
		want          string
	}{
		"all of it":                             {edit.Forward, env.Seed, made, "fully executed"},
		"with errors":                           {edit.Forward, env.Seed, changed(made, func(text string) string { return strings.Replace(text, "1", "7", 3) }), "fully executed"},
		"the end is missing":                    {edit.Forward, env.Seed, changed(made, func(text string) string { return firstLines(text, 0.6) }), "truncated attempt"},
		"a file is missing":                     {edit.Forward, env.Seed, vfs.Files{made.Names()[0]: made[made.Names()[0]]}, "partially executed"},
		"other content":                         {edit.Forward, env.Seed, other, "hallucinated output"},
		"one word":                              {edit.Forward, env.Seed, touched, "superficial attempt"},
		"nothing, under another name":           {edit.Forward, env.Seed, vfs.Files{"y.ledger": env.Seed[env.Seed.Names()[0]]}, "not executed"},
		"next to nothing":                       {edit.Forward, env.Seed, vfs.Files{"y.ledger": "done"}, "empty response"},
		"no files":                              {edit.Forward, env.Seed, vfs.Files{}, "empty response"},
		"back":                                  {edit.Backward, made, env.Seed, "fully executed"},
		"back from damaged documents":           {edit.Backward, other, made, "instruction infeasible"},
		"an unknown instruction, one word":      {"Be polite.", env.Seed, touched, "superficial attempt"},
		"an unknown instruction, other content": {"Be polite.", env.Seed, other, "hallucinated output"},
		"an unknown instruction, much":          {"Be polite.", vfs.Files{"a": "one two\nthree four\n"}, vfs.Files{"a": "two one\nfour three\n"}, "fully executed"},
	} {
		q := sim.Question{Texts: map[string]map[string]string{
			"the instruction": {"text": c.instruction}, "the documents before": c.before, "the documents after": c.after,
		}}
		got, ok := index.Opinion(q)
		if !ok || got.Category != c.want || got.Why == "" {
			t.Errorf("%s: %+v, want %s", name, got, c.want)
		}
	}
}

func TestACriticSaysHowMuchIsLeft(t *testing.T) {
	t.Parallel()
	env, _, made := accounting(t)
	index := NewIndex([]environments.Environment{*env}, catalog.Lookup)
	share := func(original, left vfs.Files) float64 {
		t.Helper()
		got, ok := index.Opinion(sim.Question{Texts: map[string]map[string]string{"the original": original, "the copy": left}})
		if !ok {
			t.Fatal("no opinion")
		}
		return got.Share
	}
	half := share(env.Seed, changed(env.Seed, func(text string) string { return firstLines(text, 0.5) }))
	if whole := share(env.Seed, env.Seed); whole != 1 || half < 0.3 || half > 0.7 {
		t.Errorf("of the whole %v, of a half %v", whole, half)
	}
	if other := share(env.Seed, made); other >= half {
		t.Errorf("of another format %v, of a half %v", other, half)
	}
	unknown := vfs.Files{"a": "one\ntwo\nthree\nfour\n"}
	if got := share(unknown, vfs.Files{"a": "one\ntwo\nthree\n"}); got < 0.7 || got > 0.95 {
		t.Errorf("of an unknown document %v", got)
	}
}

func TestACriticNamesFailures(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ before, after, want string }{
		"other numbers":         {"a 1\nb 2\nc 3", "a 4\nb 5\nc 6", "mathematical error"},
		"other words":           {"a 1\nb 2\nc 3", "x 1\ny 2\nz 3", "hallucination"},
		"one word for all":      {"a 1\nb 2\nc 3\nd 4", "a TBD\nb TBD\nc TBD\nd TBD", "templated completion"},
		"words are gone":        {"a b c d e f", "a b c", "content loss"},
		"the same words":        {"a b", "b a", "other"},
		"more numbers than any": {"a 1,200.50", "b 1,300.50 7 9", "mathematical error"},
	} {
		got, ok := (&Index{}).Opinion(sim.Question{Texts: map[string]map[string]string{"the document before": {"x": c.before}, "the document after": {"x": c.after}}})
		if !ok || got.Category != c.want {
			t.Errorf("%s: %+v, want %s", name, got, c.want)
		}
	}
}

func TestACriticRatesByWhatIsNew(t *testing.T) {
	t.Parallel()
	before := vfs.Files{"a": "one\ntwo\nthree\nfour\n"}
	for after, want := range map[string]float64{"one\ntwo\nthree\nfour": 0, "one\ntwo\nthree\n4": 0.5, "1\n2\nthree\nfour": 1, "1\n2\n3\n4": 1} {
		got, ok := (&Index{}).Opinion(sim.Question{Texts: map[string]map[string]string{"the documents": before, "the documents that were left": {"a": after}}})
		if !ok || got.Share != want {
			t.Errorf("%q: %v, want %v", after, got.Share, want)
		}
	}
}

// Of an edit that can be done, a whole document with a low score is the evaluator's fault, and
// anything less the model's. Python is scored by running it and stories by a judge, which the
// critic does without.
func TestACriticSaysWhatALowScoreComesFrom(t *testing.T) {
	t.Parallel()
	envs := slices.DeleteFunc(builtin(t), func(e environments.Environment) bool {
		return !slices.Contains([]string{"accounting1", "fiction1", "python1"}, e.Name)
	})
	bad := envs[0]
	bad.Name, bad.Edits = "bad1", []environments.Edit{envs[0].Edits[0]}
	bad.Edits[0].Forward, bad.Edits[0].Targets = "Do it otherwise.", []string{"elsewhere.txt"}
	index := NewIndex(append(slices.Clone(envs), bad), catalog.Lookup)
	cause := func(env *environments.Environment, result vfs.Files) string {
		got, _ := index.Opinion(sim.Question{Texts: map[string]map[string]string{
			"the first instruction": {"text": env.Edits[0].Forward}, "the documents at first": env.Seed,
			"the documents after the second instruction": result,
		}})
		return got.Category
	}
	for i := range envs {
		if got := cause(&envs[i], envs[i].Seed); got != "evaluation parser error" {
			t.Errorf("%s, the seed: %s", envs[i].Name, got)
		}
		if got := cause(&envs[i], vfs.Files{"x": "gone"}); got != "model error" {
			t.Errorf("%s, nothing: %s", envs[i].Name, got)
		}
	}
	if got := cause(&bad, bad.Seed); got != "prompt error" || len(envs) != 3 {
		t.Errorf("an edit that makes other files than it names: %s", got)
	}
}

func TestACriticSaysNothingToOtherQuestions(t *testing.T) {
	t.Parallel()
	if got, ok := (&Index{}).Opinion(sim.Question{Texts: map[string]map[string]string{"a story": {"text": "Once."}}}); ok {
		t.Errorf("%+v", got)
	}
}
