package domaintest

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agentd/domains"
	"agentd/vfs"
)

// Row is a golden row: a pair of documents with the published evaluator's score.
type Row struct {
	Folder     string         `json:"-"` // labelled, more, new, seeds or fuzz; set by Rows
	ID         string         `json:"id"`
	Mutation   string         `json:"mutation"`
	Corrupting *bool          `json:"corrupting"` // nil in rows without a label
	Reference  vfs.Files      `json:"reference"`
	Candidate  vfs.Files      `json:"candidate"`
	Score      *float64       `json:"score"`
	Error      string         `json:"error"` // how the published evaluator crashed; Detail.Exception where this is empty
	Stats      map[string]any `json:"stats"`
	Metadata   map[string]any `json:"metadata"`
	Scaffold   vfs.Files      `json:"scaffold"`
	Detail     struct {
		Exception string `json:"evaluator_exception"`
		// LengthPenalty is the score of documents that only a judge can score, where the
		// judge thinks the same of both.
		LengthPenalty *float64 `json:"length_penalty"`
	} `json:"detail"`
}

// agreement is how far Value may be from the published score.
const agreement = 0.005

// GoldenDir returns the folder of golden rows: AGENTD_GOLDEN, or
// ../shared/golden next to the repository. It skips the test where there is
// none. root is the repository's folder, seen from the test.
func GoldenDir(t *testing.T, root string) string {
	t.Helper()
	dir := os.Getenv("AGENTD_GOLDEN")
	if dir == "" {
		dir = filepath.Join(root, "..", "shared", "golden")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no golden rows at %s: set AGENTD_GOLDEN to their folder to compare with the published scores", dir)
	}
	return dir
}

// Excused are golden rows that docs/domains.md explains.
type Excused struct {
	// Labels are rows whose label is disputed: Strict is expected to be 1
	// exactly if the label says corrupting.
	Labels []string
	// FileOrder are rows whose score rests on the order of the files in an
	// answer. Documents are read in name order, so they are not compared.
	FileOrder []string
	// Strict are rows whose label is right, and that Strict does not follow. They are
	// counted as off, and the test does not fail.
	Strict []string
	// Values are rows whose published score follows no rule that could be stated.
	// Value is counted as off there, and the test does not fail.
	Values []string
}

// Tally counts the rows of one folder.
type Tally struct {
	Rows      int
	ValuesOff int // rows whose Value is further than 0.005 from the published score
	LabelsOff int // rows where Strict and the label disagree
}

func (t Tally) String() string {
	if t.Rows == 0 {
		return fmt.Sprintf("%15s", "-")
	}
	return fmt.Sprintf("%5d %4d %4d", t.Rows, t.ValuesOff, t.LabelsOff)
}

// Add returns the sum of two tallies.
func (t Tally) Add(other Tally) Tally {
	return Tally{t.Rows + other.Rows, t.ValuesOff + other.ValuesOff, t.LabelsOff + other.LabelsOff}
}

// folders hold golden rows: labelled changes to a few documents, rows that earlier versions of the evaluators missed
// (more, new), damaged seeds of built-in environments, and randomly damaged documents. Those of the last two have no labels.
var folders = [...]struct{ name, ending, title string }{
	{"", ".jsonl", "labelled"}, {"more", ".jsonl", "more"}, {"new", ".jsonl", "new"}, {"seeds", ".jsonl.gz", "seeds"}, {"fuzz", ".jsonl.gz", "fuzz"},
}

// Places of folders.
const (
	labelledRows = 0
	seedRows     = 3
	fuzzRows     = 4
)

// Agreement is how far a domain agrees with the golden rows.
type Agreement struct {
	folders     [len(folders)]Tally
	NotCompared int
	Largest     float64 // difference in Value
}

// Seeds counts damaged seeds of built-in environments.
func (a Agreement) Seeds() Tally { return a.folders[seedRows] }

// Fuzz counts randomly damaged documents.
func (a Agreement) Fuzz() Tally { return a.folders[fuzzRows] }

// Compared reports whether there were any rows.
func (a Agreement) Compared() bool { return a.folders[labelledRows].Rows > 0 }

// AgreementHeader heads the lines of String. Each group of three is the number of
// rows, those whose Value is off, and those where Strict and the label disagree.
func AgreementHeader() string {
	var b strings.Builder
	for _, folder := range folders {
		fmt.Fprintf(&b, "%15s ", folder.title)
	}
	return b.String() + " not compared  largest"
}

func (a Agreement) String() string {
	var b strings.Builder
	for _, tally := range a.folders {
		fmt.Fprintf(&b, "%s ", tally)
	}
	return b.String() + fmt.Sprintf(" %12d  %7.0e", a.NotCompared, a.Largest)
}

// Add returns the agreement over the rows of both.
func (a Agreement) Add(b Agreement) Agreement {
	sum := Agreement{NotCompared: a.NotCompared + b.NotCompared, Largest: max(a.Largest, b.Largest)}
	for i := range sum.folders {
		sum.folders[i] = a.folders[i].Add(b.folders[i])
	}
	return sum
}

// Domain is the one that a row is compared by, from the row's domain.
func (r *Row) Domain(d domains.Domain) domains.Domain {
	d = d.With(r.options())
	switch needy := d.(type) {
	case domains.Executing:
		return needy.WithScaffold(r.Scaffold)
	case domains.Judged:
		return needy.WithJudge(Unmoved{})
	}
	return d
}

func (r *Row) options() domains.Metadata {
	options := domains.Metadata{}
	for name, value := range r.Metadata {
		options[name] = fmt.Sprint(value)
	}
	return options
}

// Unmoved is a judge that thinks the same of every document: the answer to each
// question is the number of its place.
type Unmoved struct{}

// Ask implements domains.Judge. The prompt's last line is the form of the answer.
func (Unmoved) Ask(prompt string, accept func(map[string]any) error) (map[string]any, error) {
	lines := strings.Split(strings.TrimSpace(prompt), "\n")
	var form map[string]string
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &form); err != nil {
		return nil, fmt.Errorf("the form of the answer: %w", err)
	}
	answer := map[string]any{}
	for i, question := range slices.Sorted(maps.Keys(form)) {
		answer[question] = float64(i)
	}
	return answer, accept(answer)
}

// Golden compares a domain with its golden rows. It fails where a labelled row is
// off that is not excused, and where more than one in a hundred of the randomly
// damaged documents are. Of damaged seeds it only reports the rows, since the bound
// is on those of all domains together. A domain that runs documents must have been
// given what runs them.
func Golden(t *testing.T, dir string, d domains.Domain, excused Excused) Agreement {
	t.Helper()
	name := d.Info().Name
	found := Agreement{NotCompared: len(excused.FileOrder)}
	for i := range folders {
		for _, row := range rows(t, dir, i, name) {
			if slices.Contains(excused.FileOrder, row.ID) {
				continue
			}
			found.folders[i].Rows++
			found.Largest = max(found.Largest, row.compare(t, d, excused, &found.folders[i]))
			if i == labelledRows && row.Corrupting != nil {
				row.compareStats(t, d)
			}
		}
	}
	if fuzz := found.Fuzz(); fuzz.ValuesOff*100 > fuzz.Rows {
		t.Errorf("%d of %d damaged documents are off, more than one in a hundred", fuzz.ValuesOff, fuzz.Rows)
	}
	return found
}

// compare scores a row, counts where it is off, and returns how far.
func (r *Row) compare(t *testing.T, d domains.Domain, excused Excused, counted *Tally) float64 {
	t.Helper()
	against := r.Domain(d).Against(r.Reference)
	score := against.Compare(r.Candidate)
	r.compareCrash(t, score)
	off := r.off(score)
	if off > agreement {
		counted.ValuesOff++
		report := t.Errorf
		if r.Corrupting == nil || slices.Contains(excused.Values, r.ID) {
			report = t.Logf
		}
		report("%s: Value %.6f, published %v (%s)", r.ID, score.Value, r.publishedText(), score.Problem)
	}
	if r.Corrupting == nil {
		return off
	}
	if wantDamage := *r.Corrupting != slices.Contains(excused.Labels, r.ID); wantDamage != (score.Strict < 1) {
		counted.LabelsOff++
		report := t.Errorf
		if slices.Contains(excused.Strict, r.ID) {
			report = t.Logf
		}
		report("%s: Strict %.4f, but corrupting is %v: %v", r.ID, score.Strict, *r.Corrupting,
			against.Differences(r.Candidate))
	}
	return off
}

// leading is the path of a file of rows: that in the folder now, whose scores are by
// the versions of libraries that count, if there is one.
func leading(dir, file string) string {
	now := filepath.Join(dir, "now", file)
	if _, err := os.Stat(now); err == nil {
		return now
	}
	return filepath.Join(dir, file)
}

// RefusedReference is a golden row whose reference no score can be certified against.
type RefusedReference struct {
	ID     string
	Reason error
	// Damaged says that the row is a randomly damaged one, of which the published
	// reader reads no counted element.
	Damaged bool
}

// GoldenReferences checks the reference of each golden row of a domain and returns
// those that are refused, and the number of rows.
func GoldenReferences(t *testing.T, dir string, d domains.Domain) (refused []RefusedReference, n int) {
	t.Helper()
	name := d.Info().Name
	for _, folder := range []int{labelledRows, fuzzRows} {
		for _, row := range rows(t, dir, folder, name) {
			n++
			of := d.With(row.options())
			err := of.CheckReference(row.Reference)
			if err == nil {
				continue
			}
			stats, unread := of.Statistics(row.Reference)
			refused = append(refused, RefusedReference{
				ID: row.ID, Reason: err, Damaged: row.Corrupting == nil && (unread != nil || stats.Elements == 0),
			})
		}
	}
	return refused, n
}

// off is how far a score is from the published one.
func (r *Row) off(score domains.Score) float64 {
	switch {
	case r.crash() != "":
		return score.Value
	case r.published() == nil:
		return 0
	}
	return math.Abs(score.Value - min(*r.published(), 1))
}

// compareCrash checks that a score says of exactly those rows that the published
// evaluator crashes on which it did.
func (r *Row) compareCrash(t *testing.T, score domains.Score) {
	t.Helper()
	switch crash := r.crash(); {
	case score.Crash != (crash != ""):
		t.Errorf("%s: crash %v (%s), published %v (%s)", r.ID, score.Crash, score.Problem, r.publishedText(), crash)
	case score.Crash && score.Problem == "":
		t.Errorf("%s: a crash without a reason, published %s", r.ID, crash)
	}
}

// crash is the exception with which the published evaluator ended, empty if it did not.
func (r *Row) crash() string { return cmp.Or(r.Error, r.Detail.Exception) }

// published is the score of the published evaluator, nil if there is none.
func (r *Row) published() *float64 {
	if r.Score == nil {
		return r.Detail.LengthPenalty
	}
	return r.Score
}

func (r *Row) publishedText() string {
	if r.published() == nil {
		return "none: " + r.crash()
	}
	return fmt.Sprintf("%.6f", *r.published())
}

func (r *Row) compareStats(t *testing.T, d domains.Domain) {
	t.Helper()
	stats, err := d.With(r.options()).Statistics(r.Reference)
	if err != nil {
		return
	}
	for _, count := range stats.Counts {
		want, ok := r.Stats[count.Name]
		if !ok || count.Name == "Comments" && d.Info().Name == "accounting" {
			continue // the published count of comments is always 0
		}
		if got := fmt.Sprint(want); got != count.Value {
			t.Errorf("%s: %s is %s, published %s", r.ID, count.Name, count.Value, got)
		}
	}
}

// Rows reads all golden rows of a domain.
func Rows(dir, domain string) ([]Row, error) {
	var all []Row
	for _, folder := range folders {
		rows, err := readRows(leading(dir, filepath.Join(folder.name, domain+folder.ending)))
		if err != nil {
			return nil, fmt.Errorf("reading golden rows: %w", err)
		}
		for i := range rows {
			rows[i].Folder = folder.title
		}
		all = append(all, rows...)
	}
	return all, nil
}

func rows(t *testing.T, dir string, folder int, domain string) []Row {
	t.Helper()
	rows, err := readRows(leading(dir, filepath.Join(folders[folder].name, domain+folders[folder].ending)))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func readRows(file string) ([]Row, error) {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // not every domain has rows of every kind
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var source io.Reader = f
	if filepath.Ext(file) == ".gz" {
		if source, err = gzip.NewReader(f); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	var rows []Row
	decoder := json.NewDecoder(bufio.NewReader(source))
	for decoder.More() {
		var row Row
		if err := decoder.Decode(&row); err != nil {
			return nil, fmt.Errorf("%s, row %d: %w", file, len(rows)+1, err)
		}
		rows = append(rows, row)
	}
	return rows, nil
}
