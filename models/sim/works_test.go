package sim

import (
	"fmt"
	"hash/maphash"
	"strings"
	"testing"

	"agentd/models/wire"
)

// What a job came to is remembered for the conversation and the documents, and
// forgotten when there is too much of it.
func TestWorksAreRemembered(t *testing.T) {
	t.Parallel()
	done := 0
	of := func(seed int, asked, document string) *scene {
		return &scene{
			request: &request{Request: wire.Request{Settings: wire.Settings{Seed: new(int64(seed))}, Messages: []message{{Role: user, Content: asked}}}},
			job: Job{Do: func(files map[string]string, _ Damage) map[string]string {
				done++
				return map[string]string{"result": fmt.Sprint(asked, seed, files["doc"])}
			}},
			read: map[string]string{"doc": document},
		}
	}
	w := &works{seed: maphash.MakeSeed()}
	for i, s := range []*scene{
		of(1, "a", "x"), of(1, "a", "x"), // 1
		of(2, "a", "x"), of(1, "b", "x"), of(1, "a", "y"), // 4
		of(1, "a", "x"), // still
	} {
		want := fmt.Sprint(s.request.Messages[0].Text(between), s.request.seed(), s.read["doc"])
		if got := w.of(s, s.read)["result"]; got != want {
			t.Errorf("%d: %q, want %q", i, got, want)
		}
	}
	if done != 4 {
		t.Errorf("the work was done %d times, want 4", done)
	}
	long := strings.Repeat("z", mostWorks/2)
	for seed := range 6 {
		w.of(of(seed, "long", long), map[string]string{"doc": long})
	}
	if w.size > 2*mostWorks || len(w.fresh)+len(w.former) > 6 {
		t.Errorf("%d bytes, %d fresh and %d former are kept", w.size, len(w.fresh), len(w.former))
	}
}
