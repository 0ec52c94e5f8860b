package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"agentd/domains"
	"agentd/environments"
	"agentd/results"
)

func category(domain string) string {
	if domain == "markdown" {
		return domains.General
	}
	return strings.ToUpper(domain)
}

// firstTable is the name of the first table of a section, empty if there is none.
func firstTable(t *testing.T, r *Report, section string) string {
	t.Helper()
	sections, err := r.Sections(section)
	if err != nil {
		t.Fatal(err)
	}
	if len(sections) == 0 {
		return ""
	}
	return sections[0].Tables[0].Name
}

func TestPicturesAndGeneralTextAreInNoMean(t *testing.T) {
	t.Parallel()
	s := newStored(t, results.Manifest{Models: []results.Model{{Name: "m"}}})
	relay := func(env string, value, strict float64) {
		s.relay(results.Relay{Model: "m", Policy: "direct", Environment: env, Schedule: []string{"split"}},
			used(1, 1, 1), backward(used(1, 1, 1), value, strict))
	}
	relay("books1", 0.9, 0.8)
	relay("image1", 0.5, 0.1)
	relay("markdown1", 0.3, 0.3)
	r, err := Build(t.Context(), s.Store, s.experiment, Options{Category: category})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Arms) != 1 || r.Arms[0].Relays != 1 || r.Arms[0].RS[0].Estimate != 0.9 {
		t.Errorf("the means are not of books1 alone: %+v", r.Arms)
	}
	if got := r.pictures.Arms[0].RS[0].Estimate; got != 0.5 {
		t.Errorf("pictures: %v", got)
	}
	if got := r.general.Arms[0].Strict[0].Estimate; got != 0.3 {
		t.Errorf("general text: %v", got)
	}
	for section, table := range map[string]string{"survival": "rs", "images": "images", "general": "general"} {
		if got := firstTable(t, r, section); got != table {
			t.Errorf("section %s begins with %q", section, got)
		}
	}
}

// An environment may say that its RS is Strict; its domain does not matter then.
func TestEnvironmentsWhoseRSIsStrictAreInNoMean(t *testing.T) {
	t.Parallel()
	env := environments.Environment{Name: "torn1", Domain: "books", Metadata: domains.Metadata{domains.RSOption: domains.RSStrict}}
	s := newStored(t, results.Manifest{Models: []results.Model{{Name: "m"}}, Environments: map[string]string{env.Name: env.Hash()}})
	if err := s.PutContents(t.Context(), []string{env.Encode()}); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]float64{"books1": 0.9, env.Name: 0.3} {
		s.relay(results.Relay{Model: "m", Policy: "direct", Environment: name, Schedule: []string{"split"}},
			used(1, 1, 1), backward(used(1, 1, 1), value, value))
	}
	r, err := Build(t.Context(), s.Store, s.experiment, Options{Category: category})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Arms[0].RS[0].Estimate; got != 0.9 {
		t.Errorf("the mean RS is %v", got)
	}
	if r.general == nil || r.general.Arms[0].Strict[0].Estimate != 0.3 {
		t.Errorf("the documents without a published score: %+v", r.general)
	}
}

// Of two environments with pictures: RS after 2 interactions (0.9 + 0.7)/2, after 4 (0.6 + 0.2)/2;
// Strict (0.5 + 0.3)/2 and (0.1 + 0)/2. All four forward steps were carried out; their oracles give
// them (1 + 0.8 + 0.4 + 0.2)/4. books1 is of no table of pictures.
func TestTheTablesOfPictures(t *testing.T) {
	t.Parallel()
	s := newStored(t, results.Manifest{})
	s.curve("direct", "image1", 1, point{value: 0.9, strict: 0.5, forward: 1}, point{value: 0.6, strict: 0.1, forward: 0.8})
	s.curve("direct", "image2", 1, point{value: 0.7, strict: 0.3, forward: 0.4}, point{value: 0.2, strict: 0, forward: 0.2})
	s.curve("direct", "books1", 1, point{value: 0, strict: 0, forward: 0}, point{value: 0, strict: 0, forward: 0})
	s.curve("agentic", "image1", 1, point{value: 0.8, strict: 0.4, forward: 1}, point{value: 0.7, strict: 0.2, forward: 1})
	r, err := Build(t.Context(), s.Store, s.experiment, Options{Category: category})
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := r.Sections("images")
	if err != nil || len(chosen) != 1 || len(chosen[0].Tables) != 2 {
		t.Fatalf("%+v, %v", chosen, err)
	}
	for name, want := range map[string]map[string][]float64{
		"images":        {"m direct": {2, 0.6, 0.8, 0.4}, "m agentic": {1, 1, 0.8, 0.7}},
		"images_strict": {"m direct": {2, 0.6, 0.4, 0.05}, "m agentic": {1, 1, 0.4, 0.2}},
	} {
		at := slices.IndexFunc(chosen[0].Tables, func(table Table) bool { return table.Name == name })
		if at < 0 {
			t.Fatalf("there is no table %s", name)
		}
		table := chosen[0].Tables[at]
		if !table.Series || len(table.Rows) != 2 {
			t.Errorf("%s: series %v, %d rows", name, table.Series, len(table.Rows))
		}
		for _, row := range table.Rows {
			// relays, done, forward, @2, @4
			var got []float64
			for _, at := range []int{0, 2, 3, 4} {
				if row.Cells[at].Value != nil {
					got = append(got, *row.Cells[at].Value)
				}
			}
			if diff := cmp.Diff(want[strings.Join(row.Labels, " ")], got, cmpopts.EquateApprox(0, 1e-9)); diff != "" || len(row.Cells) != 5 {
				t.Errorf("%s of %v: %s", name, row.Labels, diff)
			}
		}
	}
}

func TestAReportOfDocumentsWithoutAPublishedScoreSaysSo(t *testing.T) {
	t.Parallel()
	s := newStored(t, results.Manifest{Models: []results.Model{{Name: "m"}}})
	s.relay(results.Relay{Model: "m", Policy: "direct", Environment: "markdown1", Schedule: []string{"split"}},
		used(1, 1, 1), backward(used(1, 1, 1), 0.3, 0.3))
	r, err := Build(t.Context(), s.Store, s.experiment, Options{Category: category})
	if err != nil {
		t.Fatal(err)
	}
	if notes := strings.Join(r.Notes(), "\n"); !strings.Contains(notes, "no published score") {
		t.Error(notes)
	}
	s.relay(results.Relay{Model: "m", Policy: "direct", Environment: "books1", Schedule: []string{"split"}},
		used(1, 1, 1), backward(used(1, 1, 1), 0.9, 0.9))
	if r, err = Build(t.Context(), s.Store, s.experiment, Options{Category: category}); err != nil {
		t.Fatal(err)
	}
	if notes := strings.Join(r.Notes(), "\n"); strings.Contains(notes, "no published score") {
		t.Error("said of a report whose RS is of another domain: " + notes)
	}
}
