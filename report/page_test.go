package report

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"agentd/results"
)

// A page groups every section there is, and each once.
func TestEverySectionHasAGroup(t *testing.T) {
	t.Parallel()
	var all []Section
	for _, name := range SectionNames {
		all = append(all, Section{name, []Table{{Name: name}}})
	}
	var got []string
	for _, g := range grouped(all) {
		for _, s := range g.Sections {
			got = append(got, s.Name)
		}
	}
	want := slices.Clone(SectionNames)
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Of a long series a page shows as many moments as fit, with the first and the last, and folds
// the whole table away; of a short one it shows all.
func TestMomentsThatFit(t *testing.T) {
	t.Parallel()
	series := func(moments int) Table {
		table := Table{Name: "rs", Series: true, Measures: []Measure{{Name: "relays"}, {Name: "done", Aside: true}}}
		for range moments {
			table.Measures = append(table.Measures, Measure{Name: "rs"})
		}
		return table
	}
	for moments, want := range map[int]struct{ wide, narrow, first int }{
		1: {1, 1, 2}, 4: {4, 4, 2}, 5: {5, 4, 2}, 10: {10, 4, 2}, 11: {10, 4, 2}, 50: {10, 4, 6},
	} {
		got := laidOut(series(moments))
		wide, narrow := 0, 0
		for _, c := range got.Shown.Columns[2:] {
			wide++
			if c.Class != "more" {
				narrow++
			}
		}
		first, last := got.Shown.Columns[2], got.Shown.Columns[len(got.Shown.Columns)-1]
		if wide != want.wide || narrow != want.narrow || first.At != want.first || last.At != moments+1 || last.Class != "last" {
			t.Errorf("of %d moments %d are shown, %d where it is narrow, from %d to %d", moments, wide, narrow, first.At, last.At)
		}
		if folded := got.All != nil; folded != (moments > fewMoments) || folded && len(got.All.Columns) != moments+2 || folded && got.Fits != (moments <= mostMoments) {
			t.Errorf("of %d moments: folded %v, fits %v", moments, folded, got.Fits)
		}
	}
}

// The page begins with the last score of each arm, and says who was asked where, without what
// could be a secret.
func TestTheHeadOfThePage(t *testing.T) {
	t.Parallel()
	r := wide(t)
	h := r.headline()
	if h.Interactions != 20 || len(h.Arms) != 4 || h.Arms[1].RSText() != "90.0" || h.Arms[1].Model != "gpt-5.4" || !h.Arms[3].StandIn || h.Arms[2].Cost != "unknown" {
		t.Errorf("%+v", h)
	}
	many := *r
	many.Arms = slices.Repeat(r.Arms, 5)
	if h := many.headline(); len(h.Arms) != mostHeadlineArms || h.More != 20-mostHeadlineArms {
		t.Errorf("%d arms, %d more", len(h.Arms), h.More)
	}
	r.Experiment.Manifest.Version = "1.2.3"
	r.Experiment.Manifest.Policies = []string{"agentic", "direct"}
	r.Experiment.Manifest.Models = []results.Model{{Name: "own", Spec: json.RawMessage(`{"base_url": "https://user:secret@models.example/v1?key=secret", "api": "chat"}`)}}
	facts := map[string]string{}
	for _, f := range r.facts() {
		facts[f.Name] = f.Text
	}
	if facts["Made by"] != "agentd 1.2.3" || facts["Models and servers"] != "own, https://models.example/v1, API chat" || facts["Policies"] != "agentic, direct" || facts["Protocol"] == "" {
		t.Errorf("%q", facts)
	}
	if page := written(t, r, "html"); strings.Contains(page, "secret") || !strings.Contains(page, "RS@20") {
		t.Error("the page has a secret, or no headline")
	}
}

// Six lines have colours and labels that do not lie on each other; the rest are grey.
func TestAFigureHasSixColours(t *testing.T) {
	t.Parallel()
	var lines []Line
	for i := range 9 {
		v := 0.5 + float64(i)/1000
		lines = append(lines, Line{Label: strings.Repeat("a long name ", 5), Values: []*float64{&v, &v, nil}, Low: []*float64{&v, &v, nil}, High: []*float64{&v, &v, nil}, Drops: []int{2}})
	}
	lines = append(lines, Line{Label: "empty", Values: []*float64{nil}})
	for _, f := range drawLines("title", "RS, %", lines) {
		labelled := map[float64]bool{}
		for _, c := range f.Curves {
			if len(c.Drops) != 1 {
				t.Errorf("%s: %d drops", f.Class, len(c.Drops))
			}
			if !c.Labelled() {
				continue
			}
			for y := range labelled {
				if d := y - c.LabelY; d < labelHeight-0.01 && d > 0.01-labelHeight {
					t.Errorf("%s: labels at %v and %v lie on each other", f.Class, y, c.LabelY)
				}
			}
			labelled[c.LabelY] = true
			if end := c.LabelX + 60 + letterWidth*float64(len([]rune(c.Label))); end > f.Width+1 || c.LabelY > f.Height {
				t.Errorf("%s: a label ends at %.0f of %.0f, %.0f of %.0f", f.Class, end, f.Width, c.LabelY, f.Height)
			}
		}
		if len(labelled) != 6 || f.Grey != 3 || len(f.Curves) != 9 {
			t.Errorf("%s: %d lines have labels, %d are grey of %d", f.Class, len(labelled), f.Grey, len(f.Curves))
		}
	}
	for _, odd := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -3, 1e300} { // of a damaged database
		if f := drawLines("title", "%", []Line{{Label: "odd", Values: []*float64{&odd}, Low: []*float64{&odd}, High: []*float64{&odd}}}); len(f) != 2 {
			t.Errorf("%v: %d figures", odd, len(f))
		}
	}
	if drawLines("title", "%", lines[9:]) != nil {
		t.Error("a line without a number is drawn")
	}
}
