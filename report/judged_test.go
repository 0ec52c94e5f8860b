package report

import (
	"encoding/csv"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/report/statistics"
	"agentd/results"
)

// newJudged stores three relays of two round trips each of direct:
//
//	books1:  RS 0.8, 0.6, computed
//	tale1:   RS 0.9 and 0.4 by the judge "critic", asked 2 and 1 times for 0.25 and 0.125 USD
//	tale2:   a judge's RS 0.6 after 2 interactions; after 4 it gave no answer to 3 completions
//	         of 0.5 USD: texts alike by 0.3
//	verse1:  no score but the texts', alike by 0.7 and 0.5
func newJudged(t *testing.T) *stored {
	t.Helper()
	s := newStored(t, results.Manifest{Models: []results.Model{{Name: "m"}}})
	relay := func(environment string, ends ...results.Interaction) {
		var steps []results.Interaction
		for _, end := range ends {
			steps = append(steps, forward(used(1, 1, 1, 0), 1), end)
		}
		s.relay(results.Relay{Model: "m", Policy: "direct", Environment: environment, Schedule: make([]string, len(ends))}, steps...)
	}
	score := func(value float64, judge string, asked int, cost float64) results.Interaction {
		in := backward(used(1, 1, 1, 0), value, value)
		in.Score.Judge = judge
		if asked > 0 {
			in.Judging = results.Judging{Asked: asked, Cost: &cost}
		}
		return in
	}
	fallback := func(similarity float64, asked int, cost float64) results.Interaction {
		in := score(0, "", asked, cost)
		in.Score, in.Fallback = nil, &results.Fallback{Similarity: similarity, Strict: 0.1, Problem: "none"}
		return in
	}
	relay("books1", score(0.8, "", 0, 0), score(0.6, "", 0, 0))
	relay("tale1", score(0.9, "critic", 2, 0.25), score(0.4, "critic", 1, 0.125))
	relay("tale2", score(0.6, "critic", 0, 0), fallback(0.3, 3, 0.5))
	relay("verse1", fallback(0.7, 0, 0), fallback(0.5, 0, 0))
	return s
}

// RS after 2 interactions: (0.8 + 0.9 + 0.6)/3; after 4, over the two relays that
// have it, (0.6 + 0.4)/2. Texts: 0.7 after 2; (0.3 + 0.5)/2 after 4.
func TestOpinionsAreMarkedAndFallbacksKeptApart(t *testing.T) {
	t.Parallel()
	r := newJudged(t).build()
	arm := r.Arms[0]
	cost := 0.875
	want := Judged{
		Scores: 3, Fallbacks: 3, Asked: 6, Cost: &cost, Relays: 2, Forward: statistics.None(),
		Similarity: []statistics.Interval{of(0.7, 1), of(0.4, 2)},
	}
	if diff := cmp.Diff(want, arm.Judged, estimates...); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]statistics.Interval{of(2.3/3, 3), of(0.5, 2)}, arm.RS, estimates...); diff != "" {
		t.Error(diff)
	}
	if *arm.Cost != 0 || len(r.NotBuilt) != 0 {
		t.Errorf("the arm cost %v without its judge; %v is not scored", *arm.Cost, r.NotBuilt)
	}
	sections, err := r.Sections()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sections {
		for _, table := range s.Tables {
			for _, row := range table.Rows {
				opinion := !slices.Contains(withoutOpinions, table.Name) && row.Labels[0] != "books"
				if row.Judged != opinion || opinion != (len(table.Notes) > 0) && row.Labels[0] != "books" {
					t.Errorf("table %s, %q: judged is %v, notes %q", table.Name, row.Labels, row.Judged, table.Notes)
				}
			}
		}
	}
}

// Forward steps that a judge scored stand in a table of their own, and in no mean of those that
// programs score: (0.25 + 0.75)/2.
func TestForwardStepsThatAJudgeScored(t *testing.T) {
	t.Parallel()
	s := newStored(t, results.Manifest{Models: []results.Model{{Name: "m"}}})
	judged := func(ratings ...int) results.Interaction {
		in := used(1, 1, 1, 0)
		in.ForwardOpinion = &results.Opinion{Judge: "critic", Ratings: ratings}
		return in
	}
	s.relay(results.Relay{Model: "m", Policy: "direct", Environment: "books1", Schedule: []string{"tone", "sums", "topic"}},
		judged(0, 2), backward(used(1, 1, 1, 0), 0.8, 0.8), forward(used(1, 1, 1, 0), 1), backward(used(1, 1, 1, 0), 0.8, 0.8),
		judged(3, 3), backward(used(1, 1, 1, 0), 0.8, 0.8))
	r := s.build()
	if diff := cmp.Diff(of(0.5, 2), r.Arms[0].Judged.Forward, estimates...); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(of(1, 1), r.Arms[0].Forward, estimates...); diff != "" {
		t.Errorf("the mean over programs: %s", diff)
	}
	sections, err := r.Sections("outcomes")
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(sections[0].Tables, func(t Table) bool { return t.Name == "judged_edits" })
	if at < 0 {
		t.Fatal("there is no table of judged edits")
	}
	if table := sections[0].Tables[at]; !strings.HasSuffix(table.Title, " critic") || len(table.Rows) != 1 || *table.Rows[0].Cells[0].Value != 0.5 {
		t.Errorf("%+v", table)
	}
}

func TestEveryFormatMarksOpinions(t *testing.T) {
	t.Parallel()
	r := newJudged(t).build()
	sections, err := r.Sections("survival", "domains", "outcomes")
	if err != nil {
		t.Fatal(err)
	}
	const note = "judged: of tale RS is the opinion of a model, critic, and not computed."
	for _, format := range Formats {
		var b strings.Builder
		if err := r.Write(&b, format, sections, wideText); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		if format != "csv" && !strings.Contains(text, note) {
			t.Errorf("%s does not say whose opinion it is:\n%s", format, text)
		}
		switch format {
		case "html":
			if !strings.Contains(text, "· judged</small>") {
				t.Error("the head of the page does not say that a score is an opinion")
			}
		case "csv":
			rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			marks := map[string]string{}
			judged := slices.Index(rows[0], "judged")
			for _, row := range rows[1:] {
				marks[row[1]+" "+row[5]] = row[judged]
			}
			want := map[string]string{"rs ": "true", "rs_noops_zero ": "true", "strict_noops_zero ": "false", "rs_relays ": "true", "rs_relays_zero ": "true", "rs_domains ": "true", "rs_domains_zero ": "true", "work ": "false", "strict ": "false", "fallback ": "false", "readiness ": "true",
				"domains books": "false", "domains tale": "true", "readiness_domains books / BOOKS": "false", "readiness_domains tale / TALE": "true", "outcomes ": "false", "judges ": "false"}
			if diff := cmp.Diff(want, marks); diff != "" {
				t.Error(diff)
			}
		case "json":
			var written struct {
				Sections map[string][]struct {
					Name string
					Rows []struct{ Judged bool }
				}
			}
			if err := json.Unmarshal([]byte(text), &written); err != nil {
				t.Fatal(err)
			}
			for _, table := range written.Sections["survival"] {
				if table.Rows[0].Judged != strings.HasPrefix(table.Name, "rs") {
					t.Errorf("table %s: judged is %v", table.Name, table.Rows[0].Judged)
				}
			}
		default:
			if !strings.Contains(text, "tale (judged)") || strings.Contains(text, "books (judged)") {
				t.Errorf("%s does not mark what is judged:\n%s", format, text)
			}
		}
	}
}
