// Package python is the published reading and score of the domain python.
//
//   - score = passed / cases as returned by the scaffold. No gate, no weights, no partial credit inside a case, no text
//     comparison.
package python

import (
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"agentd/domains"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/sets"
	"agentd/vfs"
)

// IsTests reports whether a file has a name under which the published
// evaluator drops it, so that a candidate cannot bring tests along.
func IsTests(name string) bool { return name == "testing.py" || name == "__init__.py" }

// What an environment of the published form has in its folder, apart from states.
const (
	TestsFile  = "testing.py"
	sampleFile = "sample.json"
	// BesideFolder holds the reference while tests run.
	BesideFolder = "basic_state"
)

//go:embed judge.py
var judgeScript string

// Judge finds RS by running an environment's tests.
type Judge struct {
	Programs domains.Programs // nil where there is none
	Scaffold vfs.Files
	Options  domains.Metadata // of the environment
	// references remembers what the tests say of references themselves.
	References *Memory
}

// Verdict is what the tests say of a program.
type Verdict struct {
	Evaluation map[string]any  `json:"evaluation"`
	Raised     string          `json:"raised"` // how the tests ended themselves: an exception, or the end of their process
	Error      string          `json:"error"`  // why there is no evaluation for another reason
	Runs       json.RawMessage `json:"runs"`   // of the reference
}

// Memory keeps verdicts on references; each is found once.
type Memory struct {
	mu    sync.Mutex
	Known map[[sha256.Size]byte]func() (Verdict, error)
}

func (m *Memory) verdict(key [sha256.Size]byte, find func() (Verdict, error)) (Verdict, error) {
	m.mu.Lock()
	found, ok := m.Known[key]
	if !ok {
		found = sync.OnceValues(find)
		m.Known[key] = found
	}
	m.mu.Unlock()
	v, err := found()
	if err != nil { // it may go better the next time
		m.mu.Lock()
		delete(m.Known, key)
		m.mu.Unlock()
	}
	return v, err
}

// Score is the share of tests that a candidate passes.
func (j *Judge) Score(reference, candidate vfs.Files) domains.Reading {
	reading := domains.Reading{Elements: domains.Elements{
		Reference: Stats(reference).Elements, Candidate: Stats(candidate).Elements,
	}}
	if j.Programs == nil {
		reading.Fault = domains.ErrNoPrograms
		return reading
	}
	if _, ok := j.Scaffold[TestsFile]; !ok {
		reading.Fault = fmt.Errorf("the environment has no %s, which says how its programs are scored", TestsFile)
		return reading
	}
	if reading.Crash = j.Crash(reference, candidate); reading.Crash != nil {
		return reading
	}
	v, err := j.verdict(reference, candidate)
	if err != nil {
		reading.Fault = fmt.Errorf("running the program: %w", err)
		return reading
	}
	reading.RS, reading.Problem, reading.Crash = v.score()
	return reading
}

// Crash says why the published evaluator crashes before it runs a candidate, nil if it does not.
func (j *Judge) Crash(reference, candidate vfs.Files) error {
	hasText := func(name string) bool { return pytext.Strip(reference[name]) != "" }
	if !slices.ContainsFunc(reference.Names(), hasText) {
		return fmt.Errorf("%w: the reference is empty", domains.ErrCrash)
	}
	for _, name := range candidate.Names() {
		_, taken := j.Scaffold[name]
		switch {
		case IsTests(name):
		case path.Base(name) != name:
			return fmt.Errorf("%w: %s is in a folder, and programs have none", domains.ErrCrash, name)
		case taken || name == sampleFile || name == BesideFolder:
			return fmt.Errorf("%w: %s is there already, next to the program", domains.ErrCrash, name)
		}
	}
	return nil
}

// verdict runs the tests. Those runs that they make of the reference are taken from a sandbox that no candidate was in.
func (j *Judge) verdict(reference, candidate vfs.Files) (Verdict, error) {
	key := sha256.Sum256(fmt.Appendf(nil, "%q %q", j.Scaffold, reference))
	own, err := j.References.verdict(key, func() (Verdict, error) { return j.run(reference, reference, nil) })
	if err != nil || candidate.Equal(reference) {
		return own, err
	}
	return j.run(reference, candidate, own.Runs)
}

func (j *Judge) run(reference, candidate vfs.Files, runs json.RawMessage) (Verdict, error) {
	files := maps.Clone(j.Scaffold)
	for name, text := range candidate {
		if !IsTests(name) {
			files[name] = text
		}
	}
	for name, text := range reference {
		files[BesideFolder+"/"+name] = text
	}
	if len(runs) == 0 {
		runs = json.RawMessage("{}")
	}
	outcome, err := j.Programs.RunPython(files, fmt.Sprintf("%s\n\njudge(json.loads(%s))\n", judgeScript, pythonText(string(runs))))
	if err != nil {
		return Verdict{}, err
	}
	var v Verdict
	if err := json.Unmarshal([]byte(outcome.Stdout), &v); err == nil {
		return v, nil
	}
	if outcome.Ended != "" {
		return Verdict{Error: "the tests were stopped by the limit on " + outcome.Ended}, nil
	}
	return Verdict{Raised: fmt.Sprintf("the tests gave no result, exit code %d", outcome.ExitCode)}, nil
}

// pythonText is a literal of a text.
func pythonText(text string) string {
	raw, err := json.Marshal(text)
	if err != nil {
		panic(err) // strings always marshal
	}
	return string(raw)
}

// score is the number that the tests return, or the reason why there is none.
func (v *Verdict) score() (value float64, problem string, crash error) {
	switch {
	case v.Raised != "":
		return 0, "", fmt.Errorf("%w: %s", domains.ErrCrash, v.Raised)
	case v.Error != "":
		return 0, v.Error, nil
	}
	switch score := v.Evaluation["score"].(type) {
	case float64:
		return score, "", nil
	case bool:
		return sets.OneIf(score), "", nil
	}
	return 0, "the tests return no score", nil
}

// countedLine is what the published evaluator counts: a word that begins a line, and the white space and character after it.
var countedLine = pytext.Pattern(`^(?:\s*(?:def|class)\s+\w|(?:import|from)\s+\S)`)

// Stats counts as the published evaluator does, by how lines begin. Lines are
// what is counted of a script without definitions.
func Stats(files vfs.Files) domains.Stats {
	functions, classes, imports, lines := 0, 0, 0, 0
	for _, text := range files {
		at, done := 0, 0 // where the line begins, and what is counted ends
		for line := range strings.Lines(text) {
			start := pytext.StripLeft(line)
			begins := func(word string) bool { return strings.HasPrefix(start, word) }
			if start != "" {
				lines++
			}
			if at >= done && slices.ContainsFunc([]string{"def", "class", "import", "from"}, begins) {
				if found := countedLine.FindStringIndex(text[at:]); found != nil {
					done = at + found[1]
					switch {
					case begins("def"):
						functions++
					case begins("class"):
						classes++
					default:
						imports++
					}
				}
			}
			at += len(line)
		}
	}
	counted := functions + classes
	if counted == 0 {
		counted = lines
	}
	return domains.StatsOf(counted, "Functions", functions, "Classes", classes, "Imports", imports)
}
