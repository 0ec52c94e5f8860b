package audiosyn

import (
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"agentd/domains/domaintest"
	"agentd/vfs"
)

// document is the file of the built-in environment.
const document = "nebelhorn.csd"

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   New(),
		Seed:     domaintest.Seed(t, "audiosyn1"),
		Generate: rapid.Custom(drawPiece),
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, New(), domaintest.Seed(f, "audiosyn1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "audiosyn1"))
}

// csd is a CSD file with this orchestra and score.
func csd(orchestra, score string) string {
	return "<CsoundSynthesizer>\n<CsInstruments>\n" + orchestra + "\n</CsInstruments>\n<CsScore>\n" + score + "\n</CsScore>\n</CsoundSynthesizer>\n"
}

// Of more events than are compared each with each, those about the same place are.
func TestValueOfManyEvents(t *testing.T) {
	t.Parallel()
	piece := func(lines string) vfs.Files { return vfs.Files{"a.csd": csd("", lines)} }
	long, other := "", ""
	for n := range 900 {
		long += "i1 " + strconv.Itoa(n) + " 1\n"
		other += "i1 " + strconv.Itoa(n) + " 2\n"
	}
	score := New().Compare(piece(long), piece(other))
	if got := score.Components["event_accuracy"]; got < 0.5 || got >= 1 {
		t.Errorf("900 events with another duration are %v alike", got)
	}
}
