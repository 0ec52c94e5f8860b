// Package eventually waits, in tests, for what another goroutine or process brings about.
package eventually

import (
	"testing"
	"time"
)

// patience is how long a test waits. It only matters to a test that fails, so that it fails before the
// deadline of all tests.
const patience = 2 * time.Minute

// Holds waits until a condition holds, and ends the test if it does not in time. what completes the sentence
// "it does not come about that …".
func Holds(t testing.TB, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !condition(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it does not come about that %s", what)
		}
	}
}
