package vfs

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkInteraction uses a workspace as an interaction does: it makes one of the files of
// a typical environment, reads all of them, writes one, and takes the output twice.
func BenchmarkInteraction(b *testing.B) {
	documents, distractors := Files{"ledger.dat": strings.Repeat("2024-03-07 * Bakery\n", 800)}, Files{}
	for i := range 4 {
		distractors[fmt.Sprintf("notes-%d.md", i)] = strings.Repeat("a line of notes\n", 700)
	}
	b.ReportAllocs()
	for b.Loop() {
		w, err := New(documents, distractors)
		if err != nil {
			b.Fatal(err)
		}
		for _, name := range w.Names() {
			if _, err := w.Read("read_file", name); err != nil {
				b.Fatal(err)
			}
		}
		if err := w.Write("ledger.csv", documents["ledger.dat"]); err != nil {
			b.Fatal(err)
		}
		for range 2 {
			if _, err := w.Output(); err != nil {
				b.Fatal(err)
			}
		}
	}
}
