package harness

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/environments"
	"agentd/harness/judge"
	"agentd/models"
	"agentd/policies"
	"agentd/policies/noop"
	"agentd/policies/oracle"
	"agentd/results"
	"agentd/vfs"
)

// letters is a domain that a judge scores: by the share of its letter among the
// text's.
type letters struct {
	domains.Domain
	judge domains.Judge
}

func newLetters(j domains.Judge) letters {
	score := func(ref, got string) domains.Reading {
		reading := domains.Reading{Elements: domains.Elements{Reference: len(ref), Candidate: len(got)}}
		if j == nil {
			reading.RS, reading.Basis, reading.Problem = 0.5, domains.Fallback, domains.ErrNoJudge.Error()
			return reading
		}
		answer, err := j.Ask(got, func(map[string]any) error { return nil })
		switch {
		case errors.Is(err, domains.ErrNoAnswer):
			reading.RS, reading.Basis, reading.Problem = 0.25, domains.Fallback, err.Error()
		case err != nil:
			reading.Fault = err
		default:
			letter := fmt.Sprint(answer["letter"])
			reading.RS, reading.Basis = float64(strings.Count(got, letter))/float64(len(got)), domains.Opinion
		}
		return reading
	}
	return letters{judge: j, Domain: domains.New(domains.Spec[string]{
		Info:  domains.Info{Name: "letters", Element: "letter", Patterns: []string{"*.txt"}},
		Parse: func(files vfs.Files) (string, error) { return files["a.txt"], nil },
		Score: domains.Noting(score),
		Stats: func(s string) domains.Stats { return domains.Stats{Elements: len(s)} },
		Elements: func(files vfs.Files) []domains.Element {
			var all []domains.Element
			for _, name := range files.Names() {
				all = append(all, domains.Element{Kind: "letter", Fields: []domains.Field{{Value: files[name]}}})
			}
			return all
		},
		Edits: []domains.Edit{{Name: "rename",
			Forward:  func(files vfs.Files) (vfs.Files, error) { return vfs.Files{"b.txt": files["a.txt"]}, nil },
			Backward: func(files vfs.Files) (vfs.Files, error) { return vfs.Files{"a.txt": files["b.txt"]}, nil },
		}},
	})}
}

func (letters) With(domains.Metadata) domains.Domain     { return newLetters(nil) }
func (letters) WithJudge(j domains.Judge) domains.Domain { return newLetters(j) }
func lettersOnly(name string) (domains.Domain, bool)     { return newLetters(nil), name == "letters" }

// taste answers with a letter, or an error.
type taste struct {
	letter string
	err    error
	asked  int
}

func (*taste) Name() string { return "taste" }

func (m *taste) Complete(context.Context, models.Request) (models.Response, error) {
	m.asked++
	if m.err != nil {
		return models.Response{}, m.err
	}
	return models.Response{Message: models.Message{Content: fmt.Sprintf(`{"letter": %q}`, m.letter)}, Usage: models.Usage{Prompt: 10, Completion: 1}}, nil
}

func judgedExperiment(t *testing.T, model *taste) *Experiment {
	t.Helper()
	env := tiny()
	env.Domain, env.Edits[0].Oracle, env.Seed = "letters", environments.Oracle{Name: "rename"}, vfs.Files{"a.txt": "aaab"}
	x := experiment([]environments.Environment{env}, oracle.Policy{}, noop.Policy{})
	x.Domain = lettersOnly
	if model != nil {
		var err error
		x.Judge, err = judge.New(model, models.Spec{Name: "taste", Price: &models.Price{Input: 1e6}}, &judge.Memory{})
		if err != nil {
			t.Fatal(err)
		}
	}
	return x
}

func TestAJudgeScoresAndIsPaidOnce(t *testing.T) {
	t.Parallel()
	store, model := open(t), &taste{letter: "a"}
	record, err := run(t, judgedExperiment(t, model), store, Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	scored, asked := 0, 0
	for _, all := range interactions(t, store, record.ID) {
		for _, in := range all {
			asked += in.Judging.Asked
			if in.Judging.Asked > 0 && (in.Judging.Prompt != 10 || in.Judging.Cost == nil || *in.Judging.Cost != 10) {
				t.Errorf("judging cost %+v", in.Judging)
			}
			if in.Direction == results.Forward {
				continue
			}
			want := &results.Score{RS: 0.75, Strict: 1, Reference: 4, Candidate: 4, Judge: "taste", Components: map[string]float64{}}
			if in.Score != nil && in.Score.Components == nil {
				in.Score.Components = map[string]float64{}
			}
			if diff := cmp.Diff(want, in.Score); diff != "" || in.Fallback != nil {
				t.Errorf("interaction %d of %d: %s", in.Number, in.Relay, diff)
			}
			scored++
		}
	}
	if scored != 6 || asked != 1 || model.asked != 1 {
		t.Errorf("%d scored; asked %d times, paid for %d", scored, model.asked, asked)
	}
}

func TestWithoutAJudgeThereIsAFallback(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		model *taste
		want  results.Fallback
	}{
		"no judge": {nil, results.Fallback{Similarity: 0.5, Problem: domains.ErrNoJudge.Error()}},
		"no answer": {
			&taste{err: &models.Error{Kind: models.Filtered, Model: "taste", Err: errors.New("no")}},
			results.Fallback{Similarity: 0.25, Problem: "judge taste: " + domains.ErrNoAnswer.Error() + ": model taste: content filtered: no"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store := open(t)
			record, err := run(t, judgedExperiment(t, c.model), store, Hooks{})
			if err != nil {
				t.Fatal(err)
			}
			c.want.Strict, c.want.Reference, c.want.Candidate = 1, 4, 4
			for _, in := range interactions(t, store, record.ID)["oracle"] {
				if in.Score != nil {
					t.Errorf("interaction %d has the score %+v", in.Number, in.Score)
				}
				if in.Direction == results.Forward {
					continue
				}
				if diff := cmp.Diff(&c.want, in.Fallback); diff != "" {
					t.Errorf("interaction %d: %s", in.Number, diff)
				}
			}
		})
	}
}

// rewriter makes the edit of tiny, and the way back.
type rewriter struct{}

func (rewriter) Name() string { return "rewriter" }

func (rewriter) Edit(_ context.Context, task *policies.Task) error {
	task.Trace.Ending = policies.Finished
	from, to, text := "a.txt", "b.txt", "kind\n"
	if task.Step.Number%2 == 0 {
		from, to, text = to, from, "seed\n"
	}
	return errors.Join(task.Workspace.Delete(from), task.Workspace.Write(to, text))
}

// ratings answers with its text, or an error.
type ratings struct {
	text  string
	err   error
	asked int
}

func (*ratings) Name() string { return "taste" }

func (m *ratings) Complete(context.Context, models.Request) (models.Response, error) {
	m.asked++
	return models.Response{Message: models.Message{Content: m.text}, Usage: models.Usage{Prompt: 10, Completion: 1}}, m.err
}

// rate runs rewriter and noop on an edit that a judge scores by two statements.
func rate(t *testing.T, model *ratings) (map[string][]results.Interaction, error) {
	t.Helper()
	env := tiny()
	env.Edits[0].Judged = []string{"It is kind.", "It is short."}
	x := experiment([]environments.Environment{env}, rewriter{}, noop.Policy{})
	if model != nil {
		var err error
		if x.Judge, err = judge.New(model, models.Spec{Name: "taste"}, &judge.Memory{}); err != nil {
			t.Fatal(err)
		}
	}
	store := open(t)
	record, err := run(t, x, store, Hooks{})
	return interactions(t, store, record.ID), err
}

func TestAJudgeScoresForwardStepsOfJudgedEdits(t *testing.T) {
	t.Parallel()
	model := &ratings{text: `{"s1": 4, "s2": 1}`}
	all, err := rate(t, model)
	if err != nil {
		t.Fatal(err)
	}
	if model.asked != 1 {
		t.Errorf("asked %d times about the same step", model.asked)
	}
	for policy, want := range map[string]*results.Opinion{
		"rewriter": {Judge: "taste", Ratings: []int{4, 1}}, // 5 of 8
		"noop":     {Judge: "taste", Ratings: []int{0, 0}}, // it was not carried out, and nobody was asked
	} {
		asked := 0
		for _, in := range all[policy] {
			asked += in.Judging.Asked
			expected := want
			if in.Direction == results.Backward {
				expected = nil
			}
			if diff := cmp.Diff(expected, in.ForwardOpinion); diff != "" || in.Forward != nil {
				t.Errorf("%s, interaction %d: forward %v, %s", policy, in.Number, in.Forward, diff)
			}
		}
		if policy == "noop" && asked != 0 {
			t.Errorf("%s: asked %d times", policy, asked)
		}
	}
	if score := all["rewriter"][0].ForwardOpinion.Score(); score != 0.625 {
		t.Errorf("the score is %v", score)
	}
}

func TestJudgedEditsWithoutAnOpinion(t *testing.T) {
	t.Parallel()
	filtered := &models.Error{Kind: models.Filtered, Model: "taste", Err: errors.New("no")}
	for name, model := range map[string]*ratings{"no judge": nil, "no answer": {err: filtered}, "an answer to one statement": {text: `{"s1": 4}`}} {
		all, err := rate(t, model)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, in := range all["rewriter"] {
			if in.ForwardOpinion != nil {
				t.Errorf("%s: %+v", name, in.ForwardOpinion)
			}
		}
	}
	away := &models.Error{Kind: models.Down, Model: "taste", Err: errors.New("gone")}
	if _, err := rate(t, &ratings{err: away}); !errors.Is(err, away) {
		t.Errorf("a judge that is away: the run ended with %v", err)
	}
}

func TestAJudgeThatIsAwayEndsTheRun(t *testing.T) {
	t.Parallel()
	away := &models.Error{Kind: models.Down, Model: "taste", Err: fmt.Errorf("gone")}
	_, err := run(t, judgedExperiment(t, &taste{err: away}), open(t), Hooks{})
	if !errors.Is(err, away) {
		t.Errorf("the run ended with %v", err)
	}
}
