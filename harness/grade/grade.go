// Package grade scores one step: an edit in one direction, carried out by anything that leaves
// files. It scores forward steps outside of a run, and computes the rewards of a gym.
package grade

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/environments"
	"agentd/results"
	"agentd/vfs"
)

// ErrNoProgram is the error for an edit without an exact program, whose expected result is
// unknown.
var ErrNoProgram = errors.New("the edit has no exact program")

// Asked is an edit in one direction, with the documents that it begins with and those that it
// should make. It may be used concurrently; its files must not be changed.
type Asked struct {
	Documents vfs.Files // that the step begins with
	Expected  vfs.Files // what the exact program makes of them
	// Targets are the names or patterns of all files after the step.
	Targets []string

	domain      domains.Domain
	distractors vfs.Files
	expectation *domains.Expectation
	idle        float64
	lines       *domains.Expectation // where elements tell too little; nil elsewhere
	idleLines   float64
	kept        tally // elements that the exact program leaves as they are
}

// Ask asks for an edit of the seed, or, backward, of what the exact program makes of the seed. d is
// the environment's domain with its options (environments.Environment.Apply). The error wraps
// ErrNoProgram, or says why the exact program refuses the documents.
func Ask(env *environments.Environment, d domains.Domain, edit environments.Edit, direction results.Direction) (*Asked, error) {
	documents := env.Seed
	if direction == results.Backward {
		there, err := AskOf(env, d, edit, results.Forward, documents)
		if err != nil {
			return nil, err
		}
		documents = there.Expected
	}
	return AskOf(env, d, edit, direction, documents)
}

// AskOf asks for an edit of any documents, as in the middle of a relay. See Ask.
func AskOf(env *environments.Environment, d domains.Domain, edit environments.Edit, direction results.Direction, documents vfs.Files) (*Asked, error) {
	oracle, ok := env.OracleFor(edit, d)
	if !ok {
		return nil, fmt.Errorf("%s of %s: %w", edit.Name, env.Name, ErrNoProgram)
	}
	exact, targets := oracle.Forward, edit.Targets
	if direction == results.Backward {
		exact, targets = oracle.Backward, env.Targets
	}
	expected, err := exact(documents)
	if err != nil {
		return nil, fmt.Errorf("%s of %s, %s: %w", edit.Name, env.Name, direction, err)
	}
	a := &Asked{
		Documents: documents, Expected: expected, Targets: targets, domain: d, distractors: env.Distractors,
		expectation: domains.Expect(d, documents, expected),
	}
	before := tallied(d, documents)
	for key, n := range tallied(d, expected) {
		if same := min(n, before[key]); same > 0 {
			if a.kept == nil {
				a.kept = tally{}
			}
			a.kept[key] = same
		}
	}
	if a.idle = a.doNothing(a.expectation); a.idle > mostIdle {
		a.lines = domains.ExpectLines(documents, expected)
		a.idleLines = a.doNothing(a.lines)
	}
	return a, nil
}

// mostIdle is the highest share of the expected elements that doing nothing may score, for
// elements to measure progress. Above it, lines are compared, because an edit of the layout
// changes no elements.
const mostIdle = 0.75

// doNothing returns the highest score without an edit: of the documents as they are, copied to the
// requested names, or joined. Adding a space at the end of a copy counts as doing nothing.
func (a *Asked) doNothing(expectation *domains.Expectation) float64 {
	var whole strings.Builder
	longest := ""
	for _, name := range a.Documents.Names() {
		text := a.Documents[name]
		whole.WriteString(text)
		if len(text) > len(longest) {
			longest = text
		}
	}
	alike, some, long, joined := vfs.Files{}, vfs.Files{}, vfs.Files{}, vfs.Files{}
	for _, name := range a.Expected.Names() {
		nearest, share := a.nearest(a.Expected[name])
		if alike[name], long[name], joined[name] = nearest, longest, whole.String(); share > 0.5 {
			some[name] = nearest
		}
	}
	most := 0.0
	for _, copied := range []vfs.Files{a.Documents.Match(a.Targets), alike, some, long, joined} {
		score, _ := expectation.Score(copied)
		most = max(most, score)
	}
	return most
}

// nearest returns the document that shares most lines with a text, and the shared lines as a share
// of the longer one's.
func (a *Asked) nearest(text string) (document string, share float64) {
	lines := map[string]int{}
	for line := range strings.Lines(text) {
		lines[strings.TrimSpace(line)]++
	}
	for _, name := range a.Documents.Names() {
		left, same, all := maps.Clone(lines), 0, 0
		for line := range strings.Lines(a.Documents[name]) {
			all++
			if line = strings.TrimSpace(line); left[line] > 0 {
				left[line]--
				same++
			}
		}
		if is := float64(same) / float64(max(all, strings.Count(text, "\n"), 1)); is > share || document == "" {
			document, share = a.Documents[name], is
		}
	}
	return document, share
}

// Grade is the score of a step.
type Grade struct {
	// Done says that the step was carried out: all files asked for are there, and at least one
	// holds something that no document held before.
	Done bool `json:"done"`
	// Forward is how much of what the exact program makes is there, from 0 to 1
	// (domains.Expectation.Score).
	Forward float64 `json:"forward"`
	// Idle is the most that Forward is of doing nothing, of copies under the names asked for, and of all
	// documents one after the other.
	Idle float64 `json:"idle"`
	// Progress is how far the step has come from doing nothing to what the exact program makes, from 0 to 1:
	// max(0, (Forward−Idle)/(1−Idle)). Where Idle is more than 0.75, as of an edit of the layout, lines count
	// in place of elements.
	Progress float64 `json:"progress"`
	// Kept is the share, from 0 to 1, of what the edit must not touch that is there unchanged: the
	// elements which the exact program leaves as they are, in whatever file, times the share of the distractors.
	Kept float64 `json:"kept"`
	// Format says that the files asked for are there and can be read as what they are.
	Format bool `json:"format"`
	// Files say what is wrong with the files, in words; empty if nothing is.
	Files []string `json:"files"`
	// Reward is 0 unless Done, and else Progress × Kept: 1 for what the exact program makes, 0 for doing nothing.
	Reward float64 `json:"reward"`
}

// WithDistractors adds the distractors to the result of a step where none of them is there, as in
// a folder that holds the result alone.
func (a *Asked) WithDistractors(result vfs.Files) vfs.Files {
	all := a.distractors.Clone()
	for name := range result {
		if _, there := a.distractors[name]; there {
			return result
		}
	}
	if all == nil {
		return result
	}
	maps.Copy(all, result)
	return all
}

// Grade grades all the files that a step has left, distractors included.
func (a *Asked) Grade(left vfs.Files) Grade {
	made := left.Match(a.Targets)
	for name := range a.distractors {
		if _, document := a.Expected[name]; !document {
			delete(made, name) // a distractor that fits a pattern
		}
	}
	g := Grade{Idle: a.idle, Files: []string{}}
	missing := slices.DeleteFunc(slices.Clone(a.Targets), func(target string) bool { return len(made.Match([]string{target})) > 0 })
	for _, name := range missing {
		g.Files = append(g.Files, "missing: "+name)
	}
	g.Forward, _ = a.expectation.Score(made)
	g.Done = len(missing) == 0 && MadeSomething(a.Documents, made)
	g.Kept = a.keptOf(made, g.Forward) * a.distractorsKept(left, &g)
	unread := a.unreadable(made)
	g.Format = len(missing) == 0 && len(unread) == 0
	g.Files = append(g.Files, unread...)
	for _, name := range left.Names() {
		if _, asked := made[name]; asked {
			continue
		}
		if _, distractor := a.distractors[name]; !distractor {
			g.Files = append(g.Files, "not asked for: "+name)
		}
	}
	if g.Progress = a.progress(made, g.Forward); g.Done {
		g.Reward = g.Progress * g.Kept
	}
	return g
}

func (a *Asked) progress(made vfs.Files, forward float64) float64 {
	idle := a.idle
	if a.lines != nil {
		idle = a.idleLines
		forward, _ = a.lines.Score(made)
	}
	if idle == 1 { // not even a line differs: what does may be line ends
		if made.Equal(a.Expected) && !made.Equal(a.Documents) {
			return 1
		}
		return 0
	}
	return max(0, (forward-idle)/(1-idle))
}

// keptOf is the share of the elements to be kept that are there. Where everything is as it should
// be they are all there, whatever the form in which they stand.
func (a *Asked) keptOf(made vfs.Files, forward float64) float64 {
	all, there := 0, 0
	left := made.Clone()
	maps.DeleteFunc(left, func(name, content string) bool { // a document that was only left where it was
		_, expected := a.Expected[name]
		return !expected && a.Documents[name] == content
	})
	got := tallied(a.domain, left)
	for key, n := range a.kept {
		all, there = all+n, there+min(n, got[key])
	}
	untouched := func(name string) bool { return a.Documents[name] == a.Expected[name] && made[name] != a.Expected[name] }
	if all == 0 || forward == 1 && !slices.ContainsFunc(a.Expected.Names(), untouched) {
		return 1
	}
	return float64(there) / float64(all)
}

// distractorsKept returns the share of the distractors that are unchanged.
func (a *Asked) distractorsKept(left vfs.Files, g *Grade) float64 {
	all, same := 0, 0
	var changed []string
	for _, name := range a.distractors.Names() {
		if _, document := a.Documents[name]; document {
			continue // the document has taken its name
		}
		if _, document := a.Expected[name]; document {
			continue
		}
		all++
		content, there := left[name]
		switch {
		case there && content == a.distractors[name]:
			same++
		case there:
			changed = append(changed, "distractor changed: "+name)
		default:
			changed = append(changed, "distractor deleted: "+name)
		}
	}
	if all == 0 {
		return 1
	}
	g.Files = append(g.Files, changed...)
	return float64(same) / float64(all)
}

// unreadable returns messages about the files that their domain cannot read.
func (a *Asked) unreadable(made vfs.Files) []string {
	var unread []string
	for _, name := range made.Names() {
		if err := domains.Readable(a.domain, name, made[name]); err != nil {
			// Of several files that are one document, one may say nothing without the others.
			if was, expected := a.Expected[name]; !expected || domains.Readable(a.domain, name, was) == nil {
				unread = append(unread, fmt.Sprintf("cannot be read: %s: %v", name, err))
			}
		}
	}
	return unread
}

// MadeSomething reports whether a file holds something that no document held before, under any
// name. Other line ends, and more or fewer of them at the end, are nothing new.
func MadeSomething(documents, made vfs.Files) bool {
	before := make(map[string]bool, len(documents))
	for _, content := range documents {
		before[unified(content)] = true
	}
	for _, content := range made {
		if !before[unified(content)] {
			return true
		}
	}
	return false
}

// unified is a text without what changes when it is only repeated: the form of its line
// ends, and how many there are at its end.
func unified(text string) string {
	return strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
}

// tally counts elements with the same meaning.
type tally map[string]int

// tallied counts the elements of files, whatever the file they stand in.
func tallied(d domains.Domain, files vfs.Files) tally {
	t := tally{}
	for name, content := range files {
		for _, e := range domains.FileElements(d, name, content) {
			var b strings.Builder
			b.WriteString(e.Kind)
			for _, f := range e.Fields {
				b.WriteString("\x00" + f.Name + "\x01" + f.Value)
			}
			t[b.String()]++
		}
	}
	return t
}
