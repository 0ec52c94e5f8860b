package python

import (
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"agentd/domains"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// What an environment of the published form has in its folder, apart from states.
const (
	testsFile  = "testing.py"
	sampleFile = "sample.json"
	// besideFolder holds the reference while tests run.
	besideFolder = "basic_state"
)

//go:embed judge.py
var judgeScript string

// judge finds RS by running an environment's tests.
type judge struct {
	programs domains.Programs // nil where there is none
	scaffold vfs.Files
	options  domains.Metadata // of the environment
	// references remembers what the tests say of references themselves.
	references *memory
}

// verdict is what the tests say of a program.
type verdict struct {
	Evaluation map[string]any  `json:"evaluation"`
	Raised     string          `json:"raised"` // how the tests ended themselves: an exception, or the end of their process
	Error      string          `json:"error"`  // why there is no evaluation for another reason
	Runs       json.RawMessage `json:"runs"`   // of the reference
}

// memory keeps verdicts on references; each is found once.
type memory struct {
	mu    sync.Mutex
	known map[[sha256.Size]byte]func() (verdict, error)
}

func (m *memory) verdict(key [sha256.Size]byte, find func() (verdict, error)) (verdict, error) {
	m.mu.Lock()
	found, ok := m.known[key]
	if !ok {
		found = sync.OnceValues(find)
		m.known[key] = found
	}
	m.mu.Unlock()
	v, err := found()
	if err != nil { // it may go better the next time
		m.mu.Lock()
		delete(m.known, key)
		m.mu.Unlock()
	}
	return v, err
}

// score is the share of tests that a candidate passes.
func (j *judge) score(reference, candidate vfs.Files) domains.Reading {
	reading := domains.Reading{Elements: domains.Elements{
		Reference: stats(reference).Elements, Candidate: stats(candidate).Elements,
	}}
	if j.programs == nil {
		reading.Fault = domains.ErrNoPrograms
		return reading
	}
	if _, ok := j.scaffold[testsFile]; !ok {
		reading.Fault = fmt.Errorf("the environment has no %s, which says how its programs are scored", testsFile)
		return reading
	}
	if reading.Crash = j.crash(reference, candidate); reading.Crash != nil {
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

// crash says why the published evaluator crashes before it runs a candidate, nil if it does not.
func (j *judge) crash(reference, candidate vfs.Files) error {
	hasText := func(name string) bool { return pytext.Strip(reference[name]) != "" }
	if !slices.ContainsFunc(reference.Names(), hasText) {
		return fmt.Errorf("%w: the reference is empty", domains.ErrCrash)
	}
	for _, name := range candidate.Names() {
		_, taken := j.scaffold[name]
		switch {
		case isTests(name):
		case path.Base(name) != name:
			return fmt.Errorf("%w: %s is in a folder, and programs have none", domains.ErrCrash, name)
		case taken || name == sampleFile || name == besideFolder:
			return fmt.Errorf("%w: %s is there already, next to the program", domains.ErrCrash, name)
		}
	}
	return nil
}

// verdict runs the tests. Those runs that they make of the reference are taken from a sandbox that no candidate was in.
func (j *judge) verdict(reference, candidate vfs.Files) (verdict, error) {
	key := sha256.Sum256(fmt.Appendf(nil, "%q %q", j.scaffold, reference))
	own, err := j.references.verdict(key, func() (verdict, error) { return j.run(reference, reference, nil) })
	if err != nil || candidate.Equal(reference) {
		return own, err
	}
	return j.run(reference, candidate, own.Runs)
}

func (j *judge) run(reference, candidate vfs.Files, runs json.RawMessage) (verdict, error) {
	files := maps.Clone(j.scaffold)
	for name, text := range candidate {
		if !isTests(name) {
			files[name] = text
		}
	}
	for name, text := range reference {
		files[besideFolder+"/"+name] = text
	}
	if len(runs) == 0 {
		runs = json.RawMessage("{}")
	}
	outcome, err := j.programs.RunPython(files, fmt.Sprintf("%s\n\njudge(json.loads(%s))\n", judgeScript, pythonText(string(runs))))
	if err != nil {
		return verdict{}, err
	}
	var v verdict
	if err := json.Unmarshal([]byte(outcome.Stdout), &v); err == nil {
		return v, nil
	}
	if outcome.Ended != "" {
		return verdict{Error: "the tests were stopped by the limit on " + outcome.Ended}, nil
	}
	return verdict{Raised: fmt.Sprintf("the tests gave no result, exit code %d", outcome.ExitCode)}, nil
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
func (v *verdict) score() (value float64, problem string, crash error) {
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
		if score {
			return 1, "", nil
		}
		return 0, "", nil
	}
	return 0, "the tests return no score", nil
}

// countedLine is a line that the published evaluator counts.
var countedLine = pytext.Pattern(`(?m)^(?:\s*(def|class)\s+\w|(?:import|from)\s+\S)`)

// stats counts as the published evaluator does, by how lines begin. Lines are
// what is counted of a script without definitions.
func stats(files vfs.Files) domains.Stats {
	functions, classes, imports, lines := 0, 0, 0, 0
	for _, text := range files {
		for _, found := range countedLine.FindAllStringSubmatch(text, -1) {
			switch found[1] {
			case "def":
				functions++
			case "class":
				classes++
			default:
				imports++
			}
		}
		for line := range strings.Lines(text) {
			if pytext.Strip(line) != "" {
				lines++
			}
		}
	}
	counted := functions + classes
	if counted == 0 {
		counted = lines
	}
	return domains.Stats{Elements: counted, Counts: []domains.Count{
		{Name: "Functions", Value: strconv.Itoa(functions)},
		{Name: "Classes", Value: strconv.Itoa(classes)},
		{Name: "Imports", Value: strconv.Itoa(imports)},
	}}
}
