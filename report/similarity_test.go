package report

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/report/statistics"
	"agentd/results"
)

// By definition: the longest common subsequence by the table that textbooks have.
func TestTheLongestCommonSubsequence(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOfN(rapid.ByteRange('a', 'd'), 0, 200)
		a, b := text.Draw(t, "a"), text.Draw(t, "b")
		row := make([]int, len(b)+1)
		for _, x := range a {
			corner := 0
			for j, y := range b {
				above := row[j+1]
				if x == y {
					row[j+1] = corner + 1
				} else {
					row[j+1] = max(row[j+1], row[j])
				}
				corner = above
			}
		}
		if got := lcs(a, b); got != row[len(b)] {
			t.Fatalf("%s and %s: %d, want %d", a, b, got, row[len(b)])
		}
	})
}

// By hand: "abcd" and "abed" share 3 of 4 characters each, 6/8; of the words "a b
// c" and "A c, d" they share 2 of 3 each, 4/6. Hard are documents of 0.8 to 1.2 lengths.
func TestGenericMeasures(t *testing.T) {
	t.Parallel()
	var chars, words, longer, shorter scoredText
	chars.compare("abcd", "abed")
	words.compare("a b c", "A c, d")
	if chars.measures[0] != 0.75 || math.Abs(words.measures[1]-2.0/3) > 1e-12 {
		t.Error(chars, words)
	}
	longer.compare("abcdefghij", "abcdefghijklm")
	shorter.compare("abcdefghij", "äbcdefgh")
	if !chars.hard || !words.hard || longer.hard || !shorter.hard {
		t.Error("lengths of 4 and 4, 5 and 6, 10 and 13, 10 and 8")
	}
	if diff := cmp.Diff([]float64{-0.5 + 2.5/4, -0.5, -0.5 + 2.5/4, -0.5 + 1.0/4}, ranks([]float64{7, 1, 7, 3})); diff != "" {
		t.Error(diff)
	}
}

// letters are a vector of a text: how often it has a and d.
func letters(_ context.Context, text string) ([]float32, error) {
	if text == "ab" {
		return nil, fmt.Errorf("too short: %w", errors.ErrUnsupported)
	}
	return []float32{float32(strings.Count(text, "a")), float32(strings.Count(text, "d"))}, nil
}

// Of four documents the scores 1, 0.5, 0.2 and 0.1 go with the ratios 1 (abcd), 4/6 (ab), 6/8
// (abed) and 2/8 (wxyd): ranks 4 2 3 1 against 4 3 2 1, rho = 1 − 6·2/(4·15) = 0.8. Of the
// seed's length are all but the second: ranks 3 2 1 against 3 2 1. ROUGE-L is 1 and 0 three times: ranks
// 4 2 2 2, of which rho is 3/√(5·3) = 0.774597; of the hard ones 3 1.5 1.5, 1.5/√(2·1.5) = 0.866025. The judge's 90, 40 and 60
// and none have ranks 3 1 2 against 3 2 1: 0.5, of the hard ones 1. The cosines are 1, none, 1 and
// 1/√2: ranks 2.5 2.5 1 against 3 2 1, 1.5/√(1.5·2) = 0.866025.
func TestGenericSimilarityAgainstScores(t *testing.T) {
	t.Parallel()
	s := newStoredWith(t, map[string]string{"books1": "abcd"})
	scores := []float64{1, 0.5, 0.2, 0.1}
	s.chained("books1", scores, "x", "abcd", "x", "ab", "x", "abed", "x", "wxyd")
	r := s.build()
	judging := asked(t, map[string]map[string]any{
		"\nabcd\n----- end of the copy": {"number": 90.0}, "\nab\n----- end of the copy": {"number": 40.0},
		"\nabed\n----- end of the copy": {"number": 60.0}, "\nwxyd\n----- end of the copy": {"number": 101.0},
	})
	embedder := &Embedder{Model: "vectors", Of: letters, Refused: errors.ErrUnsupported, Cosine: func(a, b []float32) float64 {
		return float64(a[0]*b[0]+a[1]*b[1]) / math.Sqrt(float64((a[0]*a[0]+a[1]*a[1])*(b[0]*b[0]+b[1]*b[1])))
	}}
	if err := r.compareSimilarity(t.Context(), s.Store, judging, embedder); err != nil {
		t.Fatal(err)
	}
	r.wantCells(t, "similarity", "similarity", map[string][]float64{
		"SequenceMatcher ratio": {4, 0.8, 3, 1}, "ROUGE-L F": {4, 0.774597, 3, 0.866025},
		"cosine, vectors": {3, 0.866025, 3, 0.866025}, "opinion of critic": {3, 0.5, 2, 1},
	})
	r.wantCells(t, "similarity", "similarity_sequence_matcher", map[string][]float64{
		"95–100": {1, 1, 1, 1}, "50–55": {1, 0.666667, 0.666667, 0.666667}, "20–25": {1, 0.75, 0.75, 0.75}, "10–15": {1, 0.25, 0.25, 0.25},
	})
	r.wantCells(t, "similarity", "similarity_points", map[string][]float64{
		"m|direct|books1|1|2": {1, 1, 1, 1, 1, 0.9}, "m|direct|books1|1|4": {0.5, 0, 0.666667, 0, math.NaN(), 0.4},
		"m|direct|books1|1|6": {0.2, 1, 0.75, 0, 1, 0.6}, "m|direct|books1|1|8": {0.1, 1, 0.25, 0, 0.707107, math.NaN()},
	})
	judging.Most = 2
	if err := r.compareSimilarity(t.Context(), s.Store, judging, nil); err != nil {
		t.Fatal(err)
	}
	if n := r.cells(t, "similarity", "similarity")["opinion of critic"][0]; n > 2 {
		t.Errorf("%v documents were judged, at most 2 should be", n)
	}
	judging.Ask = func(string, func(map[string]any) error) (map[string]any, error) { return nil, errGone }
	if err := r.compareSimilarity(t.Context(), s.Store, judging, nil); !errors.Is(err, errGone) {
		t.Errorf("the error is %v", err)
	}
}

// Of 12 documents in a bucket 10 are taken, and none of those that could not be read. Quartiles
// of five values are the second, third and fourth.
func TestDocumentsAreDrawnByDomainAndBucket(t *testing.T) {
	t.Parallel()
	s := newStoredWith(t, map[string]string{"books1": "abcd", "maps1": "abcd"})
	var scores []float64
	var outputs []string
	for range 12 {
		scores, outputs = append(scores, 0.31), append(outputs, "x", "abcd")
	}
	s.chained("books1", scores, outputs...)
	broken := backward(used(1, 1, 1, 0), 0, 0)
	broken.Score.Problem = "unreadable"
	s.relay(results.Relay{Model: "m", Policy: "direct", Environment: "maps1", Schedule: make([]string, 1)}, used(1, 1, 1, 0), broken)
	r := s.build()
	if err := r.compareSimilarity(t.Context(), s.Store, nil, nil); err != nil {
		t.Fatal(err)
	}
	r.wantCells(t, "similarity", "similarity_rouge_l", map[string][]float64{"30–35": {10, 1, 1, 1}})
	for p, want := range map[float64]float64{0.25: 2, 0.5: 3, 0.75: 4, 1: 5, 0.1: 1.4} {
		if got := statistics.Quantile([]float64{1, 2, 3, 4, 5}, p); math.Abs(got-want) > 1e-12 {
			t.Errorf("%v: %v, want %v", p, got, want)
		}
	}
}
