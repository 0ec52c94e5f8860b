package report

import (
	"errors"
	"strings"
	"testing"

	"agentd/internal/usage"
)

// A report is made in one go: what it was asked for is there when it is built.
func TestAReportIsBuiltWithAllThatItWasAskedFor(t *testing.T) {
	t.Parallel()
	s := newStoredWith(t, map[string]string{"books1": "one"})
	s.chained("books1", []float64{1}, "one", "two")
	plain := s.build()
	for _, section := range []string{"similarity", "compliance"} {
		if chosen, err := plain.Sections(section); err == nil && len(chosen) > 0 && len(chosen[0].Tables) > 0 {
			t.Errorf("%s is there unasked: %+v", section, chosen)
		}
	}
	cost := 0.5
	judging := &Judging{
		Judge: "j", Ask: func(string, func(map[string]any) error) (map[string]any, error) { return nil, errGone },
		Spent: func() Asked { return Asked{Times: 3, Cost: &cost} },
	}
	if _, err := Build(t.Context(), s.Store, s.experiment, Options{Category: strings.ToUpper, Compliance: true, Judging: judging}); !errors.Is(err, errGone) {
		t.Errorf("a judge that is gone: %v", err)
	}
	whole := s.buildWith(Options{Similarity: true, Compliance: true, Against: &s.experiment})
	for _, section := range []string{"similarity", "compliance"} {
		if chosen, err := whole.Sections(section); err != nil || len(chosen) == 0 || len(chosen[0].Tables) == 0 {
			t.Errorf("%s is not there: %+v, %v", section, chosen, err)
		}
	}
	if len(whole.Against) == 0 || whole.Asked.Times != 0 {
		t.Errorf("against %+v, asked %+v", whole.Against, whole.Asked)
	}
	if asked := s.buildWith(Options{Judging: judging}).Asked; asked.Times != 3 || *asked.Cost != cost {
		t.Errorf("asked %+v", asked)
	}
	other := s.experiment
	other.Manifest.Protocol = "published"
	if plain.Protocol() == other.Manifest.Protocol {
		t.Fatal("the protocols are the same")
	}
	var wrong usage.Error
	if _, err := Build(t.Context(), s.Store, s.experiment, Options{Category: strings.ToUpper, Against: &other}); !errors.As(err, &wrong) {
		t.Errorf("experiments of two protocols are compared: %v", err)
	}
}
