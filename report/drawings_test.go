package report

import (
	"encoding/base64"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"strings"
	"testing"

	"agentd/environments"
	"agentd/internal/look"
	"agentd/internal/picture"
	"agentd/results"
	"agentd/vfs"
)

// A forest has a row for each name, in it a point with its interval for each arm that has a
// number; arms beyond the colours are counted.
func TestAForestShowsEstimatesWithTheirIntervals(t *testing.T) {
	t.Parallel()
	at := func(v float64) Cell { low, high := v-0.2, v+0.2; return Cell{Value: &v, Low: &low, High: &high} }
	table := Table{
		Title: "effects", Labels: []string{"model", "policy", "property"}, Forest: &Forest{Measure: "d", Axis: "d"},
		Measures: []Measure{{Name: "round_trips"}, {Name: "d", Unit: Coefficient}},
	}
	for model := range look.SeriesColours + 2 {
		for i, property := range []string{"naturalness", "numerical"} {
			table.Rows = append(table.Rows, Row{Labels: []string{string(rune('a' + model)), "direct", property}, Cells: []Cell{plainCell(3), at(float64(i) - 0.5)}})
		}
	}
	odd := math.NaN()
	table.Rows = append(table.Rows, Row{Labels: []string{"z", "direct", "numerical"}, Cells: []Cell{{}, {Value: &odd}}}, Row{Labels: []string{"y", "direct", "other"}, Cells: []Cell{{}, {}}})
	p := forest(table)
	for _, p := range []*Plot{p, p.Small} {
		bounds := 0
		for _, line := range p.Lines {
			if line.Thin {
				bounds++
			}
		}
		if len(p.Marks) != 2*look.SeriesColours || bounds != len(p.Marks) {
			t.Errorf("%s: %d points and %d intervals", p.Class, len(p.Marks), bounds)
		}
		first, second := p.Marks[0], p.Marks[1]
		if first.At.X >= second.At.X || first.At.Y >= second.At.Y || first.Class != look.Series(0) || !strings.Contains(first.Label, "naturalness, a: -0.50 [-0.70, -0.30]") {
			t.Errorf("%s: %+v, %+v", p.Class, first, second)
		}
		for _, text := range p.Texts {
			if text.At.Y > p.Height || text.At.X > p.Width {
				t.Errorf("%s: %q is outside", p.Class, text.Text)
			}
		}
	}
	if p.Caption != "The table has 2 more." {
		t.Errorf("the caption is %q", p.Caption)
	}
	table.Rows = table.Rows[len(table.Rows)-2:]
	if forest(table) != nil {
		t.Error("a forest without a number is drawn")
	}
}

// The matrix has the domains under their categories, and colours what is graded. A domain of
// which no relay did its work has no number.
func TestTheMatrixOfDomainsStandsByCategory(t *testing.T) {
	t.Parallel()
	s := newStored(t, results.Manifest{Models: []results.Model{{Name: "m"}}})
	s.curve("direct", "books1", 1, point{value: 0.99})
	s.curve("direct", "alps1", 1, point{value: 0.5})
	s.curve("direct", "maps1", 1, point{value: 0.9})
	idle := false
	there := used(1, 1, 1, 0)
	there.Executed = &idle
	s.relay(results.Relay{Model: "m", Policy: "direct", Environment: "songs1", Schedule: make([]string, 1)}, there, backward(used(1, 1, 1, 0), 1, 1))
	done := true
	there.Executed = &done
	s.relay(results.Relay{Model: "m", Policy: "direct", Environment: "maps2", Schedule: make([]string, 1)}, there, backward(used(1, 1, 1, 0), 0.7, 1))
	categories := map[string]string{"books": "Records", "alps": "Everyday", "maps": "Records", "songs": "Creative"}
	r, err := Build(t.Context(), s.Store, s.experiment, Options{Category: func(domain string) string { return categories[domain] }})
	if err != nil {
		t.Fatal(err)
	}
	table := r.domainMatrix()
	var rows []string
	for _, row := range table.Rows {
		rows = append(rows, strings.Join(row.Labels, "/")+" "+row.Cells[1].text(Percent))
	}
	if got := strings.Join(rows, ", "); got != "alps/Everyday 50.0, books/Records 99.0, maps/Records 80.0" {
		t.Error(got)
	}
	p := matrix(table)
	for _, p := range []*Plot{p, p.Small} {
		classes := map[string]int{}
		for _, bar := range p.Bars[len(gradeNames):] {
			classes[bar.Class]++
			if bar.X+bar.Width > p.Width || bar.Y > p.Height {
				t.Errorf("%s: %q is outside", p.Class, bar.Label)
			}
		}
		heads := 0
		for _, text := range p.Texts {
			if text.Class == "name" {
				heads++
			}
		}
		if heads != 2 || classes["g0"] != 1 || classes["g3"] != 1 || classes["g6"] != 1 {
			t.Errorf("%s: %d categories, cells %v", p.Class, heads, classes)
		}
	}
}

// photo is a picture of one colour.
func photo(t *testing.T, shade uint8) string {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, 400, 200))
	for i := range m.Pix {
		m.Pix[i] = 255
		if i%4 != 3 {
			m.Pix[i] = shade
		}
	}
	content, err := picture.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// The page shows the seed and what is left of it, small; of an arm that did nothing it shows
// nothing, and of a file that is no picture it says so.
func TestTheGalleryOfPictures(t *testing.T) {
	t.Parallel()
	env := environments.Environment{Name: "image1", Domain: "image", Seed: vfs.Files{"scene.png": photo(t, 10)}, Edits: []environments.Edit{{Name: "a"}}}
	s := newStored(t, results.Manifest{Models: []results.Model{{Name: "m"}}, Environments: map[string]string{"image1": env.Hash()}})
	if err := s.PutContents(t.Context(), []string{env.Encode()}); err != nil {
		t.Fatal(err)
	}
	relay := func(policy string, executed bool, left ...string) {
		var steps []results.Interaction
		for k, content := range left {
			there, back := used(1, 1, 1, 0), backward(used(1, 1, 1, 0), 1-float64(k)/10, 1)
			there.Executed, back.Output = &executed, vfs.Files{"scene.png": content}
			steps = append(steps, there, back)
		}
		s.relay(results.Relay{Model: "m", Policy: policy, Environment: "image1", Schedule: make([]string, len(left))}, steps...)
	}
	relay("direct", true, photo(t, 60), photo(t, 90), photo(t, 120), "no picture", photo(t, 200))
	relay("agentic", false, photo(t, 10))
	r := s.buildWith(Options{Gallery: true})
	if len(r.gallery) != 1 || len(r.gallery[0].Arms) != 1 || len(r.gallery[0].Arms[0].Pictures) != mostGalleryMoments {
		t.Fatalf("%d documents: %+v", len(r.gallery), r.gallery)
	}
	shades := []struct {
		at    int
		shade uint8
		rs    string
	}{{2, 60, "100.0"}, {6, 120, "80.0"}, {10, 200, "60.0"}}
	for i, p := range r.gallery[0].Arms[0].Pictures {
		_, content, _ := strings.Cut(string(p.Source), "base64,")
		raw, err := base64.StdEncoding.DecodeString(content)
		if err != nil {
			t.Fatal(err)
		}
		shown, err := jpeg.Decode(strings.NewReader(string(raw)))
		if err != nil {
			t.Fatal(err)
		}
		grey := color.GrayModel.Convert(shown.At(50, 40)).(color.Gray).Y
		if want := shades[i]; p.At != want.at || p.RS != want.rs || shown.Bounds().Dx() != gallerySide || shown.Bounds().Dy() != gallerySide/2 || max(grey, want.shade)-min(grey, want.shade) > 2 {
			t.Errorf("@%d: RS %s, shade %d, %v; want %+v", p.At, p.RS, grey, shown.Bounds(), want)
		}
	}
	if page := written(t, r, "html"); strings.Count(page, "data:image/jpeg;base64,") != 4 || !strings.Contains(page, "after 10 interactions") {
		t.Error("the page has not the seed and three pictures")
	}
	if page := written(t, s.build(), "html"); strings.Contains(page, "data:image") {
		t.Error("pictures are shown unasked")
	}
}

// Lines below 0 have an axis that goes below 0.
func TestAFigureOfDifferencesGoesBelowZero(t *testing.T) {
	t.Parallel()
	low, high := -0.07, 0.02
	for _, f := range drawLines("title", "points", []Line{{Label: "a", Values: []*float64{&low, &high}, Unit: Points}}) {
		first, last := f.Up[0], f.Up[len(f.Up)-1]
		if first.Label != "-8" || first.At != f.Bottom || last.Label != "2" || math.Abs(last.At-f.Top) > 1e-9 || f.Curves[0].Value != "+2.0" {
			t.Errorf("%s: %+v to %+v, %s", f.Class, first, last, f.Curves[0].Value)
		}
		for _, p := range f.Curves[0].Points {
			if p.Y > f.Bottom || p.Y < f.Top {
				t.Errorf("%s: %v is outside", f.Class, p)
			}
		}
	}
}
