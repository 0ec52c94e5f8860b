package report

import (
	"strings"
	"testing"

	"agentd/domains"
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

func TestAReportOfGeneralTextSaysThatNoEvaluatorIsPublished(t *testing.T) {
	t.Parallel()
	s := newStored(t, results.Manifest{Models: []results.Model{{Name: "m"}}})
	s.relay(results.Relay{Model: "m", Policy: "direct", Environment: "markdown1", Schedule: []string{"split"}},
		used(1, 1, 1), backward(used(1, 1, 1), 0.3, 0.3))
	r, err := Build(t.Context(), s.Store, s.experiment, Options{Category: category})
	if err != nil {
		t.Fatal(err)
	}
	if notes := strings.Join(r.Notes(), "\n"); !strings.Contains(notes, "general text has no published evaluator") {
		t.Error(notes)
	}
	s.relay(results.Relay{Model: "m", Policy: "direct", Environment: "books1", Schedule: []string{"split"}},
		used(1, 1, 1), backward(used(1, 1, 1), 0.9, 0.9))
	if r, err = Build(t.Context(), s.Store, s.experiment, Options{Category: category}); err != nil {
		t.Fatal(err)
	}
	if notes := strings.Join(r.Notes(), "\n"); strings.Contains(notes, "general text") {
		t.Error("said of a report whose RS is of another domain: " + notes)
	}
}
