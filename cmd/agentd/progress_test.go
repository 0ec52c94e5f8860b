package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The progress of a run ends with the numbers of its table, also next to pictures, and where round
// trips without a score count as 0.
func TestTheProgressSaysTheNumberOfTheTable(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"texts":      {"--model", "sim:weak", "--policy", "direct", "--env", "accounting1,subtitles1"},
		"a picture":  {"--model", "sim:weak", "--policy", "direct", "--env", "accounting1,image1"},
		"unscored 0": {"--model", "sim:weak", "--policy", "direct", "--env", "accounting1,subtitles1", "--unscored", "zero"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stdout, stderr := program(t, 0, append([]string{"run", "--db", filepath.Join(t.TempDir(), "x.db"), "--round-trips", "2"}, args...)...)
			progress := regexp.MustCompile(`direct +\d+ of \d+ relays, .*RS@4 ([0-9.]+)`).FindStringSubmatch(stderr)
			table := regexp.MustCompile(`(?m)^ +sim:weak \(stand-in\) direct +([0-9.]+) `).FindStringSubmatch(stdout)
			if progress == nil || table == nil || progress[1] != table[1] {
				t.Errorf("the progress has %q, the table %q:\n%s%s", progress, table, stderr, stdout)
			}
			if lines := strings.Split(strings.TrimSpace(stderr), "\n"); strings.Contains(lines[len(lines)-1], " left") {
				t.Errorf("at the end there is time left: %s", lines[len(lines)-1])
			}
		})
	}
}

// The progress of a measurement of trust ends with the score that its answer gives.
func TestTheProgressOfTrustSaysTheNumberOfItsAnswer(t *testing.T) {
	t.Parallel()
	file := written(t, "a.ledger", "2024-03-02 Harbour Cafe\n    Expenses:Food  12 EUR\n    Assets:Cash\n\n2024-03-09 Rent\n    Expenses:Rent  900 EUR\n    Assets:Bank\n")
	stdout, stderr := program(t, 5, "trust", file, "--model", "sim:weak", "--policy", "direct", "--db", filepath.Join(t.TempDir(), "x.db"))
	progress := regexp.MustCompile(`direct +\d+ of \d+ relays, .*Strict@10 ([0-9.]+)`).FindStringSubmatch(stderr)
	answer := regexp.MustCompile(`(?m)^ +direct +after 10 edits ([0-9.]+) % survive`).FindStringSubmatch(stdout)
	if progress == nil || answer == nil || strings.TrimSuffix(progress[1], ".0") != answer[1] {
		t.Errorf("the progress has %q, the answer %q:\n%s%s", progress, answer, stderr, stdout)
	}
}
