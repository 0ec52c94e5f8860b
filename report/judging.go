package report

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"text/template"

	"golang.org/x/sync/errgroup"

	"agentd/environments"
	"agentd/report/statistics"
	"agentd/results"
	"agentd/vfs"
)

// Judging says who judges stored documents, and how many.
type Judging struct {
	Judge string // the model's name
	// Ask returns the judge's answer to a prompt, a JSON object; accept says whether
	// it can be read. An error that wraps ErrNoAnswer leaves the document out, any
	// other ends the work.
	Ask func(prompt string, accept func(answer map[string]any) error) (map[string]any, error)
	// Most is how many documents are judged, drawn by the experiment's seed; 0 for all.
	Most int
}

// ErrNoAnswer says that a judge's answer could not be read, or that it gave none.
var ErrNoAnswer = errors.New("the judge gave no answer that can be read")

// judgedAtATime is how many answers are waited for.
const judgedAtATime = 8

// drawn reports for each of n things whether it is among those to be judged.
func (j *Judging) drawn(n int, seed uint64) []bool {
	chosen := slices.Repeat([]bool{j.Most == 0 || n <= j.Most}, n)
	if n > j.Most && j.Most > 0 {
		for _, i := range rand.New(rand.NewPCG(seed, uint64(n))).Perm(n)[:j.Most] {
			chosen[i] = true
		}
	}
	return chosen
}

// ask puts a question whose answer is a number under a name, from least to most.
func (j *Judging) ask(prompt, name string, least, most int) (int, error) {
	read := func(answer map[string]any) (int, error) {
		n, ok := answer[name].(float64)
		if !ok || n < float64(least) || n > float64(most) {
			return 0, fmt.Errorf("its %s is no number from %d to %d", name, least, most)
		}
		return int(n), nil
	}
	form, err := filled("answer.md", map[string]any{"Name": name, "Least": least, "Most": most})
	if err != nil {
		return 0, err
	}
	answer, err := j.Ask(prompt+form, func(answer map[string]any) error {
		_, err := read(answer)
		return err
	})
	if err != nil {
		return 0, err
	}
	return read(answer)
}

// framed puts files between lines that nothing in them can know.
func framed(title string, files vfs.Files) string {
	hash := fnv.New64a()
	for _, name := range files.Names() {
		hash.Write([]byte(name + "\x00" + files[name] + "\x00"))
	}
	var b strings.Builder
	for _, name := range files.Names() {
		fmt.Fprintf(&b, "----- %s, %s %016x -----\n%s\n", title, name, hash.Sum64(), files[name])
	}
	fmt.Fprintf(&b, "----- end of %s %016x -----\n", title, hash.Sum64())
	return b.String()
}

//go:embed prompts
var prompts embed.FS

// filled returns a prompt of this package with its values filled in.
func filled(name string, values any) (string, error) {
	t, err := template.New(name).Funcs(template.FuncMap{"add": func(a, b int) int { return a + b }}).ParseFS(prompts, "prompts/"+name)
	if err != nil {
		return "", fmt.Errorf("reading prompt: %w", err)
	}
	var b strings.Builder
	err = t.Execute(&b, values)
	return b.String(), err
}

// likeness is the judge's opinion of how much of a document is left, from 0 to 1.
func (j *Judging) likeness(seed, left vfs.Files) (float64, error) {
	prompt, err := filled("similarity.md", map[string]any{"Original": framed("the original", seed), "Copy": framed("the copy", left)})
	if err != nil {
		return 0, err
	}
	n, err := j.ask(prompt, "similarity", 0, 100)
	return float64(n) / 100, err
}

// Compliances are what a step may have done with its instruction, in the order of
// Compliance.Shares.
var Compliances = []struct{ Name, Head, Meaning string }{
	{"done", "done", "everything that was asked was done, and nothing else"},
	{"and_more", "and more", "everything that was asked was done, but something was changed as well that nobody asked for"},
	{"slips", "with slips", "it was done, with a few small errors or omissions"},
	{"partly", "partly", "a substantial part of what was asked was not done"},
	{"otherwise", "otherwise", "something else was done than what was asked"},
	{"undone", "not done", "the documents are as they were, or only renamed"},
	{"broken", "broken", "the result cannot be used: it is cut off, empty, or not in the format that was asked for"},
	{"talk", "talk", "in place of the work there is a refusal, a question, a placeholder or a description of it"},
}

// Compliance is what an arm's steps did with their instructions, as a judge sees
// it.
type Compliance struct {
	Arm    int // place in Arms
	Steps  int // that were judged
	Shares []statistics.Interval
}

// complied is the judge's opinion of a step, a place in Compliances.
func (j *Judging) complied(instruction string, before, after vfs.Files) (int, error) {
	prompt, err := filled("compliance.md", map[string]any{
		"Instruction": framed("the instruction", vfs.Files{"instruction": instruction}),
		"Before":      framed("the documents before", before), "After": framed("the documents after", after),
		"Categories": Compliances,
	})
	if err != nil {
		return 0, err
	}
	n, err := j.ask(prompt, "category", 1, len(Compliances))
	return n - 1, err
}

// environment reads an environment of the experiment.
func (r *Report) environment(ctx context.Context, store *results.Store, name string) (environments.Environment, error) {
	text, err := store.Content(ctx, r.Experiment.Manifest.Environments[name])
	if err != nil {
		return environments.Environment{}, fmt.Errorf("reading environment %s: %w", name, err)
	}
	return environments.Decode(text)
}

// JudgeCompliance has a judge say what steps did with their instructions (paper,
// Appendix A). It reads all documents that are stored.
func (r *Report) JudgeCompliance(ctx context.Context, store *results.Store, judging Judging) error {
	b := r.source
	type step struct {
		arm, relay int // places in b.order, and of the relay in its arm
		number     int
	}
	var steps []step
	for a, key := range b.order {
		for k, c := range b.arms[key].curves {
			for number := 1; key.model != "" && number <= 2*len(c.trips); number++ {
				steps = append(steps, step{a, k, number})
			}
		}
	}
	chosen := judging.drawn(len(steps), r.Experiment.Manifest.Seed)
	envs := make(map[string]environments.Environment, len(b.environments))
	for _, e := range b.environments {
		env, err := r.environment(ctx, store, e.name)
		if err != nil {
			return err
		}
		envs[e.name] = env
	}
	opinions := slices.Repeat([]int{-1}, len(steps))
	group, working := errgroup.WithContext(ctx)
	group.SetLimit(judgedAtATime)
	for i, s := range steps {
		if !chosen[i] {
			continue
		}
		group.Go(func() error {
			c := b.arms[b.order[s.arm]].curves[s.relay]
			env := envs[b.relays[c.relay].Environment]
			opinion, err := r.stepOpinion(working, store, &env, c.relay, s.number, judging)
			opinions[i] = opinion
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	shares := make([][]tally, len(b.order))
	judged := make([]int, len(b.order))
	for i, s := range steps {
		if opinions[i] < 0 {
			continue
		}
		if shares[s.arm] == nil {
			for range Compliances {
				shares[s.arm] = append(shares[s.arm], b.tally())
			}
		}
		judged[s.arm]++
		for n := range Compliances {
			shares[s.arm][n].add(b.arms[b.order[s.arm]].curves[s.relay].place, when(n == opinions[i]), 1)
		}
	}
	r.Compliance = nil
	for a := range b.order {
		if judged[a] > 0 {
			r.Compliance = append(r.Compliance, Compliance{Arm: a, Steps: judged[a], Shares: b.means(shares[a])})
		}
	}
	r.judgedBy(judging)
	return nil
}

// stepOpinion is the judge's of a stored step, -1 if there is none.
func (r *Report) stepOpinion(ctx context.Context, store *results.Store, env *environments.Environment, relay int64, number int, judging Judging) (int, error) {
	in, err := store.Interaction(ctx, relay, number)
	if errors.Is(err, results.ErrNotFound) {
		return -1, nil // it is not stored yet
	}
	if err != nil {
		return -1, err
	}
	before := env.Seed
	if number > 1 {
		if before, err = store.Documents(ctx, relay, number-1); err != nil {
			return -1, err
		}
	}
	at := slices.IndexFunc(env.Edits, func(e environments.Edit) bool { return e.Name == in.Edit })
	if at < 0 {
		return -1, nil
	}
	instruction := env.Edits[at].Forward
	if in.Direction == results.Backward {
		instruction = env.Edits[at].Backward
	}
	opinion, err := judging.complied(instruction, before, in.Output)
	if errors.Is(err, ErrNoAnswer) {
		return -1, nil
	}
	return opinion, err
}

func (r *Report) judgedBy(judging Judging) {
	if !slices.Contains(r.OpinionsOf, judging.Judge) {
		r.OpinionsOf = append(r.OpinionsOf, judging.Judge)
	}
}

// compliance shows what a judge says of steps.
func (r *Report) compliance() Table {
	t := Table{
		Name: "compliance", Title: "What steps did with their instructions, in a judge's opinion, in %", Labels: armLabels,
		Measures: []Measure{{Name: "steps", Head: "steps"}},
	}
	for _, c := range Compliances {
		t.Measures = append(t.Measures, Measure{Name: c.Name, Head: c.Head, Unit: Percent})
	}
	for _, c := range r.Compliance {
		row := r.Arms[c.Arm].row(plainCell(float64(c.Steps)))
		row.Judged = true
		for _, share := range c.Shares {
			row.Cells = append(row.Cells, interval(share))
		}
		t.Rows = append(t.Rows, row)
	}
	if len(t.Rows) > 0 {
		t.Notes = []string{"judged: the opinions are those of a model, " + strings.Join(r.OpinionsOf, ", ") + "."}
	}
	return t
}
