package experiment

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"agentd/domains"
	"agentd/environments"
	"agentd/internal/usage"
	"agentd/policies/catalog"
	"agentd/policies/prompt/published"
	"agentd/results"
	"agentd/vfs"
)

// critic keeps what it was asked and is pleased with all.
type critic struct{ asked []string }

func (c *critic) Ask(prompt string, accept func(map[string]any) error) (map[string]any, error) {
	c.asked = append(c.asked, prompt)
	answer := map[string]any{"test1": 5.0}
	return answer, accept(answer)
}

// A judge is needed, and its cost estimated, for environments with judged edits too: a share of
// the forward steps.
func TestJudgedEditsNeedAJudge(t *testing.T) {
	t.Parallel()
	open := func(judged bool) *Experiment {
		spec := Default()
		judge := Named("sim:perfect")
		spec.Name, spec.Judge.Model, spec.Policies = "judged", &judge, []catalog.Spec{{Use: "noop"}}
		spec.Environments.Names, spec.Environments.Judged, spec.Relay.RoundTrips = []string{"recipe1", "dns1"}, judged, 11
		x, err := Open(t.Context(), spec, Options{PlanOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { x.Close() })
		return x
	}
	if x := open(false); x.Judge != nil || x.JudgeEstimate() != nil {
		t.Errorf("without judged edits there is the judge %v", x.Judge)
	}
	x := open(true)
	env := x.Environments[1]
	if want := 11 * env.Judged() / len(env.Edits); env.Name != "recipe1" || want == 0 || x.JudgeEstimate().Interactions != want {
		t.Errorf("%s has %d judged edits of %d; the judge is estimated to be asked %d times", env.Name, env.Judged(), len(env.Edits), x.JudgeEstimate().Interactions)
	}
	for name, change := range map[string]func(*Spec){
		"no judge":         func(s *Spec) { s.Judge.Model = nil },
		"none of them has": func(s *Spec) { s.Environments.Names = []string{"dns1"} },
		"not built in": func(s *Spec) {
			s.Environments.Given = []environments.Environment{env}
			s.Environments.Given[0].Edits = env.Edits[:1]
		},
	} {
		spec := Default()
		judge := Named("sim:perfect")
		spec.Name, spec.Judge.Model, spec.Policies = "judged", &judge, []catalog.Spec{{Use: "noop"}}
		spec.Environments.Names, spec.Environments.Judged = []string{"recipe1"}, true
		change(&spec)
		err := spec.Check()
		if err == nil {
			_, err = Open(t.Context(), spec, Options{PlanOnly: true})
		}
		if !errors.As(err, new(usage.Error)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The words that a judge is asked are prompts like others: they can be replaced, and the
// manifest has them, so that another machine asks the same.
func TestAJudgeIsAskedInTheWordsOfThePrompts(t *testing.T) {
	t.Parallel()
	store, err := results.Open(filepath.Join(t.TempDir(), "x.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	spec := Default()
	spec.Name, spec.Prompts = "worded", folderWith(t, "How good is [[STORY]]?")
	judge := Named("sim:perfect")
	spec.Judge.Model, spec.Policies, spec.Environments.Names = &judge, []catalog.Spec{{Use: "noop"}}, []string{"fiction1"}
	begun, err := Open(t.Context(), spec, Options{PlanOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer begun.Close()
	record, _, err := begun.Begin(t.Context(), store, nil, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Stored(t.Context(), store, record)
	if err != nil {
		t.Fatal(err)
	}
	elsewhere, err := Open(t.Context(), again, Options{PlanOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer elsewhere.Close()
	for _, x := range []*Experiment{begun, elsewhere} {
		if x.Manifest.Prompts[published.JudgeOfFiction] == "" {
			t.Errorf("the manifest has the prompts %v", x.Manifest.Prompts)
		}
		d, _ := x.Domain("fiction")
		c := &critic{}
		d.(domains.Judged).WithJudge(c).Compare(vfs.Files{"a.txt": "the seed"}, vfs.Files{"a.txt": "the copy"})
		if len(c.asked) != 2 || c.asked[0] != "How good is the seed?" || c.asked[1] != "How good is the copy?" {
			t.Errorf("the judge is asked %q", c.asked)
		}
	}
	spec.Prompts = folderWith(t, "How good is it?")
	if x, err := Open(t.Context(), spec, Options{PlanOnly: true}); err == nil {
		_ = x.Close()
		t.Error("a prompt without a place for the story is taken")
	}
}

func folderWith(t *testing.T, question string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "judge"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "judge", "fiction.md"), []byte(question), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}
