package catalog_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
)

// nearEnough is how far RS may be from the published score.
const nearEnough = 0.005

// excuses are golden rows that docs/domains.md explains.
type excuses struct {
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
	// RS is counted as off there, and the test does not fail.
	Values []string
}

// tally counts the rows of one folder.
type tally struct {
	rows      int
	valuesOff int // rows whose RS is further than 0.005 from the published score
	labelsOff int // rows where Strict and the label disagree
}

func (t tally) String() string {
	if t.rows == 0 {
		return fmt.Sprintf("%15s", "-")
	}
	return fmt.Sprintf("%5d %4d %4d", t.rows, t.valuesOff, t.labelsOff)
}

// add returns the sum of two tallies.
func (t tally) add(other tally) tally {
	return tally{t.rows + other.rows, t.valuesOff + other.valuesOff, t.labelsOff + other.labelsOff}
}

// titles of the folders of golden rows, in the order of the columns.
var titles = [...]string{labelled, "more", "new", damagedSeeds, fuzzed}

const (
	labelled     = "labelled"
	damagedSeeds = "seeds"
	fuzzed       = "fuzz"
)

// agreement is how far a domain agrees with the golden rows.
type agreement struct {
	folders     map[string]tally // by their titles
	notCompared int
	largest     float64 // difference in RS
}

// header heads the lines of String. Each group of three is the number of
// rows, those whose RS is off, and those where Strict and the label disagree.
func header() string {
	var b strings.Builder
	for _, title := range titles {
		fmt.Fprintf(&b, "%15s ", title)
	}
	return b.String() + " not compared  largest"
}

func (a agreement) String() string {
	var b strings.Builder
	for _, title := range titles {
		fmt.Fprintf(&b, "%s ", a.folders[title])
	}
	return b.String() + fmt.Sprintf(" %12d  %7.0e", a.notCompared, a.largest)
}

// add adds the rows of another domain.
func (a *agreement) add(b agreement) {
	a.notCompared += b.notCompared
	a.largest = max(a.largest, b.largest)
	if a.folders == nil {
		a.folders = map[string]tally{}
	}
	for title, counted := range b.folders {
		a.folders[title] = a.folders[title].add(counted)
	}
}

// golden compares a domain with its golden rows. It fails where a labelled row is
// off that is not excused, and where more than one in a hundred of the randomly
// damaged documents are. Of damaged seeds it only reports the rows, since the bound
// is on those of all domains together. A domain that runs documents must have been
// given what runs them.
func golden(t *testing.T, dir string, d domains.Domain, excused excuses) agreement {
	t.Helper()
	rows, err := domaintest.Rows(dir, d.Info().Name)
	if err != nil {
		t.Fatal(err)
	}
	found := agreement{notCompared: len(excused.FileOrder), folders: map[string]tally{}}
	for i := range rows {
		row := &rows[i]
		if slices.Contains(excused.FileOrder, row.ID) {
			continue
		}
		counted := found.folders[row.Folder]
		counted.rows++
		found.largest = max(found.largest, compare(t, d, row, excused, &counted))
		found.folders[row.Folder] = counted
		if row.Folder == labelled && row.Corrupting != nil {
			compareStats(t, d, row)
		}
	}
	if fuzz := found.folders[fuzzed]; fuzz.valuesOff*100 > fuzz.rows {
		t.Errorf("%d of %d damaged documents are off, more than one in a hundred", fuzz.valuesOff, fuzz.rows)
	}
	return found
}

// compare scores a row, counts where it is off, and returns how far.
func compare(t *testing.T, d domains.Domain, r *domaintest.Row, excused excuses, counted *tally) float64 {
	t.Helper()
	against := r.Domain(d).Against(r.Reference)
	score := against.Compare(r.Candidate)
	compareCrash(t, r, score)
	off := offBy(r, score)
	if off > nearEnough {
		counted.valuesOff++
		report := t.Errorf
		if r.Corrupting == nil || slices.Contains(excused.Values, r.ID) {
			report = t.Logf
		}
		report("%s: Value %.6f, published %v (%s)", r.ID, score.RS, publishedText(r), score.Problem)
	}
	if r.Corrupting == nil {
		return off
	}
	if wantDamage := *r.Corrupting != slices.Contains(excused.Labels, r.ID); wantDamage != (score.Strict < 1) {
		counted.labelsOff++
		report := t.Errorf
		if slices.Contains(excused.Strict, r.ID) {
			report = t.Logf
		}
		report("%s: Strict %.4f, but corrupting is %v: %v", r.ID, score.Strict, *r.Corrupting,
			against.Differences(r.Candidate))
	}
	return off
}

// refusedReference is a golden row whose reference no score can be certified against.
type refusedReference struct {
	id     string
	reason error
	// damaged says that the row is a randomly damaged one, of which the published
	// reader reads no counted element.
	damaged bool
}

// goldenReferences checks the reference of each labelled or randomly damaged golden row of a
// domain and returns those that are refused, and the number of rows.
func goldenReferences(t *testing.T, dir string, d domains.Domain) (refused []refusedReference, n int) {
	t.Helper()
	rows, err := domaintest.Rows(dir, d.Info().Name)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		row := &rows[i]
		if row.Folder != labelled && row.Folder != fuzzed {
			continue
		}
		n++
		of := row.Domain(d)
		if err := of.CheckReference(row.Reference); err != nil {
			stats, unread := of.Statistics(row.Reference)
			refused = append(refused, refusedReference{
				id: row.ID, reason: err, damaged: row.Corrupting == nil && (unread != nil || stats.Elements == 0),
			})
		}
	}
	return refused, n
}

// offBy is how far a score is from the published one.
func offBy(r *domaintest.Row, score domains.Score) float64 {
	switch {
	case crash(r) != "":
		return score.RS
	case published(r) == nil:
		return 0
	}
	return math.Abs(score.RS - min(*published(r), 1))
}

// compareCrash checks that a score says of exactly those rows that the published
// evaluator crashes on which it did.
func compareCrash(t *testing.T, r *domaintest.Row, score domains.Score) {
	t.Helper()
	switch crash := crash(r); {
	case score.Crash != (crash != ""):
		t.Errorf("%s: crash %v (%s), published %v (%s)", r.ID, score.Crash, score.Problem, publishedText(r), crash)
	case score.Crash && score.Problem == "":
		t.Errorf("%s: a crash without a reason, published %s", r.ID, crash)
	}
}

// crash is the exception with which the published evaluator ended, empty if it did not.
func crash(r *domaintest.Row) string { return cmp.Or(r.Error, r.Detail.Exception) }

// published is the score of the published evaluator, nil if there is none.
func published(r *domaintest.Row) *float64 {
	if r.Score == nil {
		return r.Detail.LengthPenalty
	}
	return r.Score
}

func publishedText(r *domaintest.Row) string {
	if published(r) == nil {
		return "none: " + crash(r)
	}
	return fmt.Sprintf("%.6f", *published(r))
}

func compareStats(t *testing.T, d domains.Domain, r *domaintest.Row) {
	t.Helper()
	stats, err := r.Domain(d).Statistics(r.Reference)
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
