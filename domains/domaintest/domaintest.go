// Package domaintest has the tests that every domain must pass.
package domaintest

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/edit"
	"agentd/internal/memory"
	"agentd/vfs"
)

// Suite is a domain with documents to try it on.
type Suite struct {
	Domain domains.Domain
	Seed   vfs.Files // the seed of its built-in environment
	// Generate draws well-formed documents on which every edit's oracle works.
	Generate *rapid.Generator[vfs.Files]
	// RSForgives is by how much RS may stay above the share that is left when elements are left out, where the
	// published score forgives some of it, such as a text that occurs twice.
	RSForgives float64
}

// builtin is the folder of the built-in environments, from the folder of a domain.
const builtin = "../../environments/builtin"

// Seed reads a built-in environment's seed, from the folder of a domain.
func Seed(t testing.TB, environment string) vfs.Files {
	t.Helper()
	dir := filepath.Join(builtin, environment, "seed")
	files := vfs.Files{}
	err := filepath.WalkDir(dir, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		raw, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(dir, name)
		files[filepath.ToSlash(relative)] = string(raw)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Run runs all tests as subtests. From then on the heap of the process is collected as seldom as agentd collects its own, which
// saves up to a fifth of the processor time.
func (s Suite) Run(t *testing.T) {
	memory.Collect()
	t.Run("a document is itself", s.identity)
	t.Run("what is left out costs at least its share", s.ablation)
	t.Run("entries can be left out one by one", s.entries)
	t.Run("a reference may be read once for many", s.reference)
	t.Run("oracles lead there and back", s.roundTrips)
	t.Run("doing nothing is no edit", s.noop)
	t.Run("oracles refuse what they cannot work on", s.refusals)
}

func (s Suite) identity(t *testing.T) {
	t.Parallel()
	expectSame(t, s.Domain, s.Seed, s.Seed)
	rapid.Check(t, func(t *rapid.T) {
		doc := s.Generate.Draw(t, "document")
		expectSame(t, s.Domain, doc, doc)
	})
}

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

func expectSame(t fataler, d domains.Domain, reference, candidate vfs.Files) {
	t.Helper()
	score := d.Compare(reference, candidate)
	if score.RS != 1 || score.Strict != 1 || score.Problem != "" {
		t.Fatalf("Value %v, Strict %v, problem %q, want 1, 1 and none; %v",
			score.RS, score.Strict, score.Problem, d.Differences(reference, candidate))
	}
	if score.Elements.Reference != score.Elements.Candidate {
		t.Fatalf("%d elements against %d", score.Elements.Reference, score.Elements.Candidate)
	}
}

// ablation removes every n-th element and expects both scores to fall at least in proportion (paper, Appendix K).
func (s Suite) ablation(t *testing.T) {
	t.Parallel()
	stats, err := s.Domain.Statistics(s.Seed)
	if err != nil {
		t.Fatal(err)
	}
	total := stats.Elements
	for _, every := range []int{2, 3, 10, total} {
		removed := 0
		left := s.Domain.Without(s.Seed, func(n int) bool {
			if n%every == every-1 {
				removed++
				return true
			}
			return false
		})
		if want := total / every; removed != want {
			t.Fatalf("every %d: %d elements offered for removal, want %d", every, removed, want)
		}
		score := s.Domain.Compare(s.Seed, left)
		most := 1 - float64(removed)/float64(total)
		const rounding = 1e-12
		if score.RS > most+s.RSForgives+rounding || score.Strict > most+rounding {
			t.Errorf("%d of %d removed: Value %.4f, Strict %.4f, want at most %.4f",
				removed, total, score.RS, score.Strict, most)
		}
		if score.Elements.Candidate != total-removed {
			t.Errorf("%d of %d removed, but %d are left", removed, total, score.Elements.Candidate)
		}
		for _, d := range s.Domain.Differences(s.Seed, left) {
			if d.Kind != domains.Lost && d.Kind != domains.Moved {
				t.Errorf("%d removed: unexpected difference: %v", removed, d)
				break
			}
		}
	}
	whole := s.Domain.Without(s.Seed, func(int) bool { return false })
	expectSame(t, s.Domain, s.Seed, whole)
}

// entries leaves out the first, the middle and the last entry, each alone.
func (s Suite) entries(t *testing.T) {
	t.Parallel()
	entries, err := s.Domain.Entries(s.Seed)
	if errors.Is(err, domains.ErrNoEntries) {
		return
	}
	if err != nil || len(entries) == 0 {
		t.Fatalf("%d entries, %v", len(entries), err)
	}
	counted := 0
	for _, entry := range entries {
		for _, n := range entry.Elements {
			if n != counted {
				t.Fatalf("element %d stands at place %d", n, counted)
			}
			counted++
		}
	}
	if stats, err := s.Domain.Statistics(s.Seed); err != nil || stats.Elements != counted {
		t.Errorf("%d elements in entries, %d in all, %v", counted, stats.Elements, err)
	}
	for _, at := range []int{0, len(entries) / 2, len(entries) - 1} {
		left := s.Domain.Without(s.Seed, func(n int) bool { return slices.Contains(entries[at].Elements, n) })
		rest, err := s.Domain.Entries(left)
		if err != nil || len(rest) != len(entries)-1 {
			t.Errorf("without entry %d of %d there are %d, %v", at, len(entries), len(rest), err)
			continue
		}
		for _, d := range s.Domain.Differences(s.Seed, left) {
			if d.Kind != domains.Lost && d.Kind != domains.Moved {
				t.Errorf("without entry %d: unexpected difference: %v", at, d)
			}
		}
	}
}

// reference compares many candidates with one reference at once, each twice: no
// comparison may change what it is read into.
func (s Suite) reference(t *testing.T) {
	t.Parallel()
	reference := s.Domain.Against(s.Seed)
	for every := 2; every < 8; every++ {
		candidate := s.Domain.Without(s.Seed, func(n int) bool { return n%every == 1 })
		for range 2 {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				want, got := s.Domain.Compare(s.Seed, candidate), reference.Compare(candidate)
				if diff := cmp.Diff(want, got, cmpopts.EquateNaNs()); diff != "" {
					t.Error(diff)
				}
				if want, got := s.Domain.Differences(s.Seed, candidate), reference.Differences(candidate); !slices.Equal(want, got) {
					t.Errorf("differences %v, want %v", got, want)
				}
			})
		}
	}
}

func (s Suite) roundTrips(t *testing.T) {
	t.Parallel()
	edits := s.edits(t)
	if len(edits) < 6 {
		t.Errorf("%d edits, want at least 6", len(edits))
	}
	for _, edit := range edits {
		t.Run(edit.Name, func(t *testing.T) {
			t.Parallel()
			s.roundTrip(t, edit, s.Seed, false)
			if len(s.Domain.Edits()) == 0 {
				return // it is of this document alone
			}
			taken := 0
			rapid.Check(t, func(t *rapid.T) {
				if s.roundTrip(t, edit, s.Generate.Draw(t, "document"), true) {
					taken++
				}
			})
			if taken == 0 {
				t.Error("it takes none of the drawn documents")
			}
		})
	}
}

// edits are those of the domain, or, of one without any, those that its vocabulary proposes for the
// seed, as far as they lead back.
func (s Suite) edits(t *testing.T) []domains.Edit {
	t.Helper()
	if own := s.Domain.Edits(); len(own) > 0 {
		return own
	}
	format := s.Domain.Vocabulary()
	proposals, err := format.Propose(s.Seed, 1)
	if err != nil {
		t.Fatal(err)
	}
	var edits []domains.Edit
	for _, p := range proposals {
		program, err := format.Program(p.Verb)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := program.Forward(s.Seed); errors.Is(err, edit.ErrInexact) {
			continue
		}
		edits = append(edits, domains.Edit{Name: p.Verb.Name(), Forward: program.Forward, Backward: program.Backward})
	}
	return edits
}

// roundTrip leads a document there and back. One that was drawn may be refused: then it returns false.
func (s Suite) roundTrip(t fataler, oracle domains.Edit, doc vfs.Files, drawn bool) bool {
	t.Helper()
	there, err := oracle.Forward(doc)
	if drawn && (errors.Is(err, edit.ErrInexact) || errors.Is(err, edit.ErrNoParts) || errors.Is(err, edit.ErrNoAttribute)) {
		return false // it says that it cannot take this document
	}
	if err != nil {
		t.Fatalf("forward: %v", err)
	}
	again, err := oracle.Backward(there)
	if err != nil {
		t.Fatalf("backward: %v", err)
	}
	expectSame(t, s.Domain, doc, again)
	return true
}

func (s Suite) noop(t *testing.T) {
	t.Parallel()
	for _, edit := range s.Domain.Edits() {
		expected, err := edit.Forward(s.Seed)
		if err != nil {
			t.Fatal(err)
		}
		expectation := domains.Expect(s.Domain, s.Seed, expected)
		if score, _ := expectation.Score(s.Seed); score > 0.5 {
			t.Errorf("%s: the untouched seed scores %.3f against the forward state, want at most 0.5", edit.Name, score)
		}
		if score, differences := expectation.Compare(expected); score != 1 {
			t.Errorf("%s: the expected state scores %.3f against itself: %v", edit.Name, score, differences)
		}
	}
}

func (s Suite) refusals(t *testing.T) {
	t.Parallel()
	for _, edit := range s.Domain.Edits() {
		for _, files := range []vfs.Files{nil, {"unrelated.md": "Nothing of the kind.\n"}} {
			if got, err := edit.Forward(files); err == nil {
				t.Errorf("%s forward of %v gave %v, want an error", edit.Name, files, got)
			}
			if got, err := edit.Backward(files); err == nil {
				t.Errorf("%s backward of %v gave %v, want an error", edit.Name, files, got)
			}
		}
	}
}

// Hostile are inputs that every reader must survive.
func Hostile() map[string]string {
	return map[string]string{
		"empty":           "",
		"blank":           " \n\t\n\r\n",
		"prose":           "I have merged the files as you asked. Let me know if anything is missing!\n",
		"binary":          "\x00\x01\xff\xfe\x80PNG\r\n\x1a\n",
		"nested brackets": strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000),
		"one long line":   strings.Repeat("word 12 ", 50_000),
		"many blanks":     strings.Repeat("\n", 100_000),
		"many quotes":     strings.Repeat("\"", 99_999),
	}
}

// Survives checks that Compare takes any candidate: both scores lie within 0 and 1, and a document that can be a
// reference is itself. name is that of the document's file.
func Survives(t *testing.T, d domains.Domain, reference vfs.Files, name, content string) {
	t.Helper()
	score := d.Compare(reference, vfs.Files{name: content})
	for label, v := range map[string]float64{"Value": score.RS, "Strict": score.Strict} {
		if math.IsNaN(v) || v < 0 || v > 1 {
			t.Errorf("%s is %v", label, v)
		}
	}
	files := vfs.Files{name: content}
	readable := d.CheckReference(files) == nil
	if self := d.Compare(files, files); readable && self.Strict != 1 && !strings.Contains(content, "\r") {
		t.Errorf("Strict of a document against itself is %v: %v", self.Strict, d.Differences(files, files))
	}
	if _, err := d.Statistics(files); err == nil {
		d.Without(files, func(n int) bool { return n%2 == 0 })
	}
	for _, edit := range d.Edits() {
		_, _ = edit.Forward(files)
		_, _ = edit.Backward(files)
	}
}

// Fuzz is the fuzz target of a domain; seeds are added to the hostile inputs.
func Fuzz(f *testing.F, d domains.Domain, reference vfs.Files) {
	for _, content := range Hostile() {
		f.Add(content)
	}
	name := reference.Names()[0]
	for _, content := range reference {
		f.Add(content)
		f.Add(content[:len(content)*2/3])
	}
	f.Fuzz(func(t *testing.T, content string) { Survives(t, d, reference, name, content) })
}

// BenchmarkCompare measures the comparison of a document with a damaged copy of itself: every twentieth element left
// out, one digit in fifty changed. It reports the median next to the mean, which others on the machine raise.
func BenchmarkCompare(b *testing.B, d domains.Domain, seed vfs.Files) {
	damaged := d.Without(seed, func(n int) bool { return n%20 == 7 })
	candidate := vfs.Files{}
	digits := 0
	for name, content := range damaged {
		raw := []byte(content)
		for i, c := range raw {
			if c >= '0' && c <= '8' {
				if digits++; digits%50 == 0 {
					raw[i]++
				}
			}
		}
		candidate[name] = string(raw)
	}
	b.ReportAllocs()
	var times []time.Duration
	for b.Loop() {
		start := time.Now()
		d.Compare(seed, candidate)
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Nanoseconds()), "median-ns/op")
}
