package gym

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"agentd/environments"
	"agentd/environments/tokens"
	"agentd/harness"
	"agentd/internal/usage"
	"agentd/results"
	"agentd/vfs"
)

// Splits. All tasks of a document are in the same one.
const (
	Train = "train"
	Test  = "test" // held out
)

// Difficulties, by how many lines of what the exact program makes are not in the documents
// that a task begins with.
const (
	Easy   = "easy"   // up to easyLines
	Medium = "medium" // up to mediumLines
	Hard   = "hard"

	easyLines   = 25
	mediumLines = 100
)

// ownProgram is the Verb of edits whose exact program is no verb.
const ownProgram = "own"

// Task is an edit of an environment in one direction that has an exact program.
type Task struct {
	Split       string            `json:"split"`
	Index       int               `json:"index"` // among the tasks of its split, from 0
	Environment string            `json:"env"`
	Edit        string            `json:"edit"`
	Direction   results.Direction `json:"direction"`
	Domain      string            `json:"domain"`
	Verb        string            `json:"verb"` // of the exact program, "own" if it is none of the verbs
	Operations  []string          `json:"operations"`
	Difficulty  string            `json:"difficulty"`
	Tokens      int               `json:"tokens"` // of the seed, by o200k_base
	Instruction string            `json:"instruction"`
	Targets     []string          `json:"targets"`
}

// tasks are all tasks of an experiment, in the order of its environments.
type tasks struct {
	all     []Task
	bySplit map[string][]Task
}

// SplitOf is the split of an environment. It depends on the name alone: about one in five is held out.
func SplitOf(environment string) string {
	if sum := sha256.Sum256([]byte(environment)); sum[0]%5 == 0 {
		return Test
	}
	return Train
}

// tasksOf lists the tasks of an experiment: each edit in each direction whose exact program works.
func tasksOf(x *harness.Experiment) (*tasks, error) {
	of := make([][]Task, len(x.Environments))
	var work errgroup.Group
	work.SetLimit(runtime.NumCPU())
	for i := range x.Environments {
		work.Go(func() (err error) {
			of[i], err = tasksOn(x, &x.Environments[i])
			return err
		})
	}
	if err := work.Wait(); err != nil {
		return nil, err
	}
	t := &tasks{bySplit: map[string][]Task{}}
	for _, task := range slices.Concat(of...) {
		task.Index = len(t.bySplit[task.Split])
		t.bySplit[task.Split] = append(t.bySplit[task.Split], task)
		t.all = append(t.all, task)
	}
	if len(t.all) == 0 {
		return nil, fmt.Errorf("none of the %d environments has an edit with an exact program", len(x.Environments))
	}
	return t, nil
}

func tasksOn(x *harness.Experiment, env *environments.Environment) ([]Task, error) {
	d, ok := env.Scoring(x.Domain)
	if !ok {
		return nil, nil
	}
	size, err := tokens.Count(env.Seed)
	if err != nil {
		return nil, fmt.Errorf("counting the tokens of %s: %w", env.Name, err)
	}
	var found []Task
	for _, edit := range env.Edits {
		oracle, ok := env.OracleFor(edit, d)
		if !ok {
			continue
		}
		there, err := oracle.Forward(env.Seed)
		if err != nil {
			continue // refused: there is nothing to compare with
		}
		task := Task{
			Split: SplitOf(env.Name), Environment: env.Name, Edit: edit.Name, Domain: env.Domain,
			Verb: cmp.Or(edit.Oracle.Verb.Kind(), ownProgram), Operations: edit.Operations, Tokens: size,
			Direction: results.Forward, Difficulty: difficulty(env.Seed, there), Instruction: edit.Forward, Targets: edit.Targets,
		}
		found = append(found, task)
		if _, err := oracle.Backward(there); err == nil {
			task.Direction, task.Difficulty, task.Instruction, task.Targets = results.Backward, difficulty(there, env.Seed), edit.Backward, env.Targets
			found = append(found, task)
		}
	}
	return found, nil
}

// difficulty compares the documents before and after.
func difficulty(before, after vfs.Files) string {
	there := map[string]int{}
	for _, text := range before {
		for line := range strings.Lines(text) {
			there[line]++
		}
	}
	fresh := 0
	for _, text := range after {
		for line := range strings.Lines(text) {
			if there[line]--; there[line] < 0 {
				fresh++
			}
		}
	}
	switch {
	case fresh <= easyLines:
		return Easy
	case fresh <= mediumLines:
		return Medium
	}
	return Hard
}

// mostRoundTrips is the maximum length of a relay, in round trips.
const mostRoundTrips = 100

// chosen is the task or relay of an episode.
type chosen struct {
	Task              // of a relay, the first one
	schedule []string // the edit of each round trip
	first    int      // number of the first interaction in the relay, from 1
	last     int
	seed     int64
	prompt   bool // is shown with the documents
}

// choose returns the task that is asked for. Where several fit, the index or else the seed says
// which one.
func (t *tasks) choose(asked *resetData, seed int64, roundTrips int) (*chosen, error) {
	if asked.RoundTrips != nil {
		roundTrips = *asked.RoundTrips
	}
	if roundTrips < 0 || roundTrips > mostRoundTrips {
		return nil, invalidf("round_trips %d: use 0 for a single interaction, or up to %d", roundTrips, mostRoundTrips)
	}
	if roundTrips > 0 && asked.Direction != "" {
		return nil, invalidf("direction %s: a relay has both; leave it out, or round_trips", asked.Direction)
	}
	matching, err := t.matching(asked, roundTrips > 0)
	if err != nil {
		return nil, err
	}
	candidates := matching
	if roundTrips > 0 { // one relay for each environment
		candidates = slices.CompactFunc(slices.Clone(matching), func(a, b Task) bool { return a.Environment == b.Environment })
	}
	random := rand.New(rand.NewPCG(uint64(seed), 1))
	at := random.IntN(len(candidates))
	if asked.Index != nil {
		at = *asked.Index
	}
	if at < 0 || at >= len(candidates) {
		return nil, invalidf("index %d: the tasks that fit are numbered 0 to %d", at, len(candidates)-1)
	}
	c := &chosen{Task: candidates[at], seed: seed, first: 1, last: 2 * roundTrips, prompt: asked.Prompt}
	if roundTrips == 0 {
		c.schedule = []string{c.Edit}
		if c.Direction == results.Backward {
			c.first = 2
		}
		c.last = c.first
		return c, nil
	}
	var edits []string
	for _, task := range matching {
		if task.Environment == c.Environment {
			edits = append(edits, task.Edit)
		}
	}
	for len(c.schedule) < roundTrips { // all of them before one comes again
		for _, k := range random.Perm(len(edits)) {
			c.schedule = append(c.schedule, edits[k])
		}
	}
	c.schedule = c.schedule[:roundTrips]
	return c, nil
}

// choice is a member of a reset that tasks have to fit.
type choice struct {
	name, asked string // asked is empty if the reset leaves it out
	fits        func(Task) bool
	have        func(of []Task) string // what tasks have of it
}

// pattern is the choice of the tasks whose value fits a name or pattern.
func pattern(name, asked string, value func(Task) string) choice {
	fits := func(t Task) bool { return asked == value(t) || vfs.Matches(asked, value(t)) }
	return choice{name, asked, fits, func(of []Task) string {
		var there []string
		for _, task := range of {
			if has := value(task); !slices.Contains(there, has) {
				there = append(there, has)
			}
		}
		const most = 5
		nearest := strings.Join(usage.Nearest(asked, there, most), ", ")
		if more := len(there) - most; more > 0 {
			nearest += fmt.Sprintf(" and %d others", more)
		}
		return nearest
	}}
}

// upTo is the choice of the tasks whose documents have at most this many tokens.
func upTo(tokens int) choice {
	c := choice{name: "max_tokens", fits: func(t Task) bool { return t.Tokens <= tokens }, have: func(of []Task) string {
		least := slices.MinFunc(of, func(a, b Task) int { return a.Tokens - b.Tokens })
		return fmt.Sprintf("%d or more", least.Tokens)
	}}
	if tokens != 0 {
		c.asked = strconv.Itoa(tokens)
	}
	return c
}

// matching are the tasks that are asked for; relays says that they begin relays. Without a split and an environment they
// are those of Train, so that what is held out is never drawn by mistake. An error names the choice that leaves none.
func (t *tasks) matching(asked *resetData, relays bool) ([]Task, error) {
	split := pattern("split", asked.Split, func(t Task) string { return t.Split })
	if asked.Split != "" {
		if _, err := t.split(asked.Split); err != nil {
			return nil, err
		}
	} else if asked.Env == "" && len(t.bySplit[Train]) > 0 {
		split = pattern("split", Train, func(t Task) string { return t.Split })
		split.name = "without split and env a task is drawn from split"
	}
	found := t.all
	for _, c := range []choice{
		pattern("env", asked.Env, func(t Task) string { return t.Environment }),
		pattern("domain", asked.Domain, func(t Task) string { return t.Domain }),
		pattern("edit", asked.Edit, func(t Task) string { return t.Edit }),
		pattern("direction", asked.Direction, func(t Task) string { return string(t.Direction) }),
		pattern("verb", asked.Verb, func(t Task) string { return t.Verb }),
		pattern("difficulty", asked.Difficulty, func(t Task) string { return t.Difficulty }),
		upTo(asked.MaxTokens),
		split,
	} {
		if c.asked == "" {
			continue
		}
		left := slices.DeleteFunc(slices.Clone(found), func(t Task) bool { return !c.fits(t) })
		if len(left) == 0 {
			return nil, invalidf("no task fits: %s %s, which leaves none of %d tasks; they have %s", c.name, c.asked, len(found), c.have(found))
		}
		found = left
	}
	if relays {
		found = slices.DeleteFunc(slices.Clone(found), func(t Task) bool { return t.Direction == results.Backward })
	}
	return found, nil
}

// split are the tasks of a split.
func (t *tasks) split(name string) ([]Task, error) {
	if name != Train && name != Test {
		return nil, invalidf("there is no split %q; there are %s and %s", name, Train, Test)
	}
	return t.bySplit[name], nil
}
