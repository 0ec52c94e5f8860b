// Package fiction is the published reading and score of the domain fiction.
//
// Every state can be judged, not only the seed: there is no check of the state id. The candidate is never compared with
// the seed for the score; it is judged alone and divided by the judged quality of the seed.
//
// # Judge
//
// One request to a language model with the story inserted in a fixed prompt (the published code asks GPT-5.2 in JSON
// mode for at most 16,000 tokens). The prompt presents the story, then fourteen tests from the
// Torrance Test of Creative Writing (TTCW), each with its dimension, a paragraph of background and one yes-or-no
// question, and asks for a JSON object with the keys test1 to test14, each an integer from 0 to 5:
// 5 strong yes, 4 moderate yes, 3 slight yes, 2 slight no, 1 moderate no, 0 strong no.
//
// # Formula
//
//   - Each of the fourteen answers: missing counts 0; converted to an integer (a decimal number is cut, a text with an
//     integer is read, anything else is 0), then limited to 0..5.
//   - q(story) = sum / 14 / 5, from 0 to 1.
//   - baseline = q(seed), judged once and stored with the sample (baseline_ttcw); later evaluations use the stored
//     number.
//   - relative = q(candidate) / baseline, limited to 0..1; 0 if the baseline is 0.
//   - length: w = words of the candidate, L = target_length. Without L (or L = 0) the penalty is 1. r = w / L: r <= 0:
//     0; 0.9 <= r <= 1.1: 1; r > 1.1: 0.75^(r - 1); r < 0.9: 0.75^(1/r - 1)
//   - score = relative * penalty, limited to 0..1. Not rounded.
//
// The penalty jumps at the borders: 1 at r = 1.1, 0.9716 just above; 1 at r = 0.9, 0.9685 just below. r = 2: 0.75; r =
// 3: 0.5625; r = 1/2: 0.75; r = 1/3: 0.5625.
package fiction

import (
	"slices"
	"strings"

	"agentd/vfs"
)

// FirstFile is what the published evaluator reads, under any name.
func FirstFile(files vfs.Files) (string, error) {
	for _, name := range InOrder(files) {
		return files[name], nil
	}
	return "", nil
}

// InOrder are the names of files as a reader would take them up: one without a number comes before part 2.
func InOrder(files vfs.Files) []string {
	names := files.Names()
	slices.SortStableFunc(names, func(a, b string) int {
		return hasNumber(a) - hasNumber(b)
	})
	return names
}

func hasNumber(name string) int { return min(1, 1+strings.IndexAny(name, "0123456789")) }
