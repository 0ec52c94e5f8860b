package report

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/results"
	"agentd/vfs"
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
// c" and "A c, d" they share 2 of 3 each, 4/6.
func TestGenericMeasures(t *testing.T) {
	t.Parallel()
	var chars, words scoredText
	chars.compare("abcd", "abed")
	words.compare("a b c", "A c, d")
	if chars.levenshtein != 0.75 || math.Abs(words.rougeL-2.0/3) > 1e-12 {
		t.Error(chars, words)
	}
	if !chars.lengthMatched || words.lengthMatched {
		t.Error("lengths of 4 and 4, of 5 and 6")
	}
	if diff := cmp.Diff([]float64{-0.5 + 2.5/4, -0.5, -0.5 + 2.5/4, -0.5 + 1.0/4}, ranks([]float64{7, 1, 7, 3})); diff != "" {
		t.Error(diff)
	}
}

// Of three documents the scores 1, 0.5 and 0.2 go with the Levenshtein ratios 1,
// 4/6 and 6/8, whose ranks are 3, 1 and 2 against 3, 2 and 1: rho = 1 − 6·2/(3·8) =
// 0.5. Of the length of the seed are the first and the last, whose ranks agree.
func TestGenericSimilarityAgainstScores(t *testing.T) {
	t.Parallel()
	s := newStoredWith(t, map[string]string{"books1": "abcd"})
	var steps []results.Interaction
	for text, score := range map[string]float64{"abcd": 1, "ab": 0.5, "abed": 0.2} {
		back := backward(used(1, 1, 1, 0), score, score)
		back.Output = vfs.Files{"seed.txt": text}
		steps = append(steps, used(1, 1, 1, 0), back)
	}
	s.relay(results.Relay{Model: "m", Policy: "direct", Environment: "books1", Schedule: make([]string, 3)}, steps...)
	r := s.build()
	if err := r.CompareSimilarity(t.Context(), s.Store, nil); err != nil {
		t.Fatal(err)
	}
	want := Similarity{"Levenshtein ratio", of(0.5, 3), of(1, 2)}
	if diff := cmp.Diff(want, r.Similarities[0], estimates...); diff != "" {
		t.Error(diff)
	}
	chosen, err := r.Sections("similarity")
	if err != nil || len(chosen) != 1 || len(chosen[0].Tables[0].Rows) != 2 {
		t.Error(chosen, err)
	}
}
