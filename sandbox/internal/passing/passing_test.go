//go:build linux

package passing

import (
	"os"
	"testing"
	"time"
)

// A message that is not the expected one is an error.
func TestExpect(t *testing.T) {
	t.Parallel()
	ours, theirs, err := Pair()
	if err != nil {
		t.Fatal(err)
	}
	other, err := Conn(theirs)
	if err != nil {
		t.Fatal(err)
	}
	defer ours.Close()
	defer other.Close()
	deadline := time.Now().Add(time.Minute)
	for _, said := range []string{"fits", "OSError(28)", "fits"} {
		if err := Send(other, said); err != nil {
			t.Fatal(err)
		}
		if _, err := Expect(ours, "fits", 0, deadline); (err == nil) != (said == "fits") {
			t.Errorf("to %q it says %v", said, err)
		}
	}
	for _, want := range []int{0, 1, 2} {
		if err := Send(other, "fits", os.Stdin); err != nil {
			t.Fatal(err)
		}
		files, err := Expect(ours, "fits", want, deadline)
		if CloseAll(files...); (err == nil) != (want == 1) {
			t.Errorf("one file for %d: %v", want, err)
		}
	}
	if _, err := Expect(ours, "fits", 0, time.Now().Add(time.Millisecond)); err == nil {
		t.Error("a message that does not come is no error")
	}
	other.Close()
	if _, err := Expect(ours, "fits", 0, deadline); err == nil {
		t.Error("the end of the connection is no error")
	}
}
