package fleet

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"
)

// What River logs keeps its level and its attributes; what is below a warning is left out.
func TestTheQueuesLogKeepsLevelsAndAttributes(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	log := riverLog(zerolog.New(&out)).With("queue", "q")
	log.Info("a job ended", "id", 1)
	log.Warn("a job is late", "id", 2)
	log.Error("a job failed", "id", 3)
	want := `{"level":"warn","queue":"q","id":2,"message":"a job is late"}
{"level":"error","queue":"q","id":3,"message":"a job failed"}
`
	times := regexp.MustCompile(`"time":"[^"]*",`)
	if diff := cmp.Diff(want, times.ReplaceAllString(out.String(), "")); diff != "" {
		t.Error(diff)
	}
}
