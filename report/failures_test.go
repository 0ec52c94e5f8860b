package report

import (
	"errors"
	"strings"
	"testing"

	"agentd/domains"
	"agentd/results"
	"agentd/vfs"
)

// inLines is a domain whose elements are lines: headings, which begin with #, and others. A
// line with !! cannot be read.
func inLines() domains.Domain {
	all := func(files vfs.Files) (lines []string) {
		for _, name := range files.Names() {
			lines = append(lines, strings.Fields(files[name])...)
		}
		return lines
	}
	return domains.New(domains.Spec[[]string]{
		Info: domains.Info{Name: "lines", Element: "line", Patterns: []string{"*.txt"}},
		Parse: func(files vfs.Files) ([]string, error) {
			if strings.Contains(strings.Join(all(files), " "), "!!") {
				return nil, errors.New("there is a !!")
			}
			return all(files), nil
		},
		Score: domains.Noting(func(ref, got []string) domains.Reading { return domains.Reading{} }),
		Stats: func(lines []string) domains.Stats { return domains.Stats{Elements: len(lines)} },
		Elements: func(files vfs.Files) []domains.Element {
			var elements []domains.Element
			for i, line := range all(files) {
				kind, key, _ := strings.Cut(line, "=")
				if !strings.HasPrefix(line, "#") {
					kind = "line"
				}
				if key == "" {
					key = line
				}
				elements = append(elements, domains.Element{Kind: kind, Key: key[:1], Fields: []domains.Field{{Name: "text", Value: line}}, Position: i})
			}
			return elements
		},
	})
}

// Each is a failure of a document of ten lines, a to j, with what the forward edit left.
func TestKindsOfFailures(t *testing.T) {
	t.Parallel()
	const before = "a b c d e f g h i j"
	for name, c := range map[string]struct {
		between, after string
		score          results.Score
		names          string // of the file after, seed.txt if empty
		want           int
	}{
		"the last lines are gone":          {after: "a b c d e f", want: truncation},
		"one line is gone in the middle":   {after: "a b c d e g", want: contentLoss},
		"all is gone":                      {after: "", want: contentLoss},
		"lines of other kinds came in":     {after: before + " x y z", want: hallucination},
		"lines are there twice":            {after: before + " a b c", want: duplicated},
		"more copies than others":          {after: before + " a b z", want: duplicated},
		"two lines changed places":         {after: "b a c d e f g h j i", want: reordering},
		"lines became headings":            {after: "#1=a #2=b", want: structureChange},
		"a file has another name":          {after: before, names: "other.txt", want: structureChange},
		"it is as the forward edit left":   {between: "z y x", after: "z y x", want: skippedBackward},
		"it cannot be read":                {after: before + " !!", score: results.Score{Problem: "there is a !!"}, want: syntaxError},
		"the reader finds nothing":         {after: "z", score: results.Score{Problem: domains.ErrNothingFound.Error() + " line"}, want: contentLoss},
		"its own reader finds nothing":     {after: "z", score: results.Score{Problem: domains.ErrNoneRead.Error() + " line"}, want: contentLoss},
		"only the published one is stuck":  {after: before, score: results.Score{Problem: domains.ErrNothingFound.Error() + " line", Unreadable: true}, want: syntaxError},
		"lines were altered, nothing else": {after: "a1 b1 c1 d1 e1 f1 g1 h1 i1 j1", want: undecidedFailure},
	} {
		file := "seed.txt"
		if c.names != "" {
			file = c.names
		}
		trip := roundTrip{inLines(), vfs.Files{"seed.txt": before}, vfs.Files{"x": c.between}, vfs.Files{file: c.after}, &c.score}
		if got := trip.kind(); got != c.want {
			t.Errorf("%s: %d, want %d: %v", name, got, c.want, trip.domain.Differences(trip.before, trip.after))
		}
	}
}

// A relay of books1 falls by 0.3 (the end is gone), 0.05 (not critical) and 0.3 (lines were
// altered); maps1 falls by 0.1 as a line is gone in the middle. By the files 1 of 3 is
// truncated, 1 lost content, 1 is open. The judge calls it a mathematical error. An arm without a
// model lost content once.
func TestCriticalFailuresByKind(t *testing.T) {
	t.Parallel()
	s := newStoredWith(t, map[string]string{"books1": "a b c d", "maps1": "a b c d"})
	s.chained("books1", []float64{0.7, 0.65, 0.35}, "x", "a b", "x", "a b", "x", "a1 b1")
	s.chained("maps1", []float64{0.9}, "x", "a b d")
	s.chainedBy(results.Relay{Policy: "exec:cp", Environment: "maps1"}, []float64{0.9}, "x", "a b d")
	r := s.build()
	find := func(string) (domains.Domain, bool) { return inLines(), true }
	want := func(open string) map[string][]float64 {
		third := []float64{1, 0.333333}
		return map[string][]float64{"m|direct|content loss": third, "m|direct|truncation": third, "m|direct|" + open: third, "|exec:cp|content loss": {1, 1}}
	}
	if err := r.nameFailures(t.Context(), s.Store, find, nil); err != nil {
		t.Fatal(err)
	}
	r.wantCells(t, "failures", "failures", want("other"))
	r.wantCells(t, "failures", "failure_shares", map[string][]float64{"m|direct": {3, 0.666667, 0.333333}, "|exec:cp": {1, 1, 0}})
	judging := asked(t, map[string]map[string]any{"\na1 b1\n----- end of the document after": {"category": 7.0, "justification": "sums"}})
	if err := r.nameFailures(t.Context(), s.Store, find, judging); err != nil {
		t.Fatal(err)
	}
	r.wantCells(t, "failures", "failures", want("mathematical error"))
	chosen, err := r.Sections("failures")
	if err != nil || chosen[0].Tables[0].Plot == nil || !strings.Contains(chosen[0].Tables[0].Notes[0], "1 failure, is the opinion of a model, critic") {
		t.Error(chosen, err)
	}
	judging.Ask = func(string, func(map[string]any) error) (map[string]any, error) { return nil, errGone }
	if err := r.nameFailures(t.Context(), s.Store, find, judging); !errors.Is(err, errGone) {
		t.Errorf("the error is %v", err)
	}
}
