package slides

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

const document = "aeration_review.md"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "slides1") }

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   demonstration(t),
		Seed:     domaintest.Seed(t, "slides1"),
		Generate: rapid.Custom(drawDeck),
		// Titles and images, 0.45 of RS, do not fall with texts; both orders are ratios.
		RSForgives: 0.02,
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, demonstration(f), domaintest.Seed(f, "slides1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "slides1"))
}

// TestPublishedScore has cases worked out by hand from the formula.
func TestPublishedScore(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		reference, candidate string
		component            string
		want                 float64
	}{
		"placeholders are no titles":          {"## Slide 1\n## A", "## Slide 2\n## A", "titles", 1},
		"save where there is nothing else":    {"## Slide 1\n## Slide 2", "## Slide 1", "titles", 1},
		"then slides are counted":             {"## Slide 1\n## Slide 2", "## A", "titles", 0.5},
		"a reference without slides":          {"", "## A", "titles", 0},
		"titles have no case":                 {"## A\n## B", "## a\n## c", "titles", 1. / 3},
		"placeholders have an order":          {"## Slide 1\n## A", "## Slide 2\n## A", "order", 0.5},
		"no slides against some":              {"", "## A", "order", 0},
		"a lost text of two":                  {"## A\n- b", "## A", "content", 0.5 * 0.75},
		"another kind":                        {"## A\n- b", "## A\n*b*", "content", 0.95},
		"another level":                       {"## A\n- b", "## A\n  - b", "content", 0.985},
		"a position that is five away":        {"## A\n- b [@(1,1)]", "## A\n- b [@(4,3)]", "content", (1 + 0.85 + 0.15*0.75) / 2},
		"a position that is gone":             {"## A\n- b [@(1,1)]", "## A\n- b", "content", 1},
		"an empty title is like no other":     {"## ", "## A", "content", 0.45},
		"images of a set":                     {"## A\n[IMAGE: a]\n[IMAGE: b]", "## A\n[IMAGE: b]\n[IMAGE: b]", "images", 0.5},
		"and of a list":                       {"## A\n[IMAGE: a]\n[IMAGE: b]", "## A\n[IMAGE: b]\n[IMAGE: a]", "image order", 0.5},
		"images have a case":                  {"## A\n[IMAGE: a]", "## A\n[IMAGE: A]", "images", 0},
		"no image against one":                {"## A", "## A\n[IMAGE: a]", "image order", 0},
		"positions by kind and text":          {"## A [@(1,1)]\n- b [@(1,1)]", "## A [@(1,6)]\n* b *b* [@(1,1)]", "positions", 0.25},
		"the last of a repeated text counts":  {"## A\n- b [@(9,9)]\n- b [@(1,1)]", "## A\n- b [@(1,1)]\n- b [@(1,2)]", "positions", 0.9},
		"fifty characters tell":               {"## A\n- " + strings.Repeat("b", 50) + "c [@(1,1)]", "## A\n- " + strings.Repeat("b", 50) + "d [@(1,1)]", "positions", 1},
		"a long text without rare characters": {"## A\n::: {.notes}\n" + strings.Repeat("ab", 150) + "\n:::", "## A\n::: {.notes}\n" + strings.Repeat("ab", 150) + "\n:::", "content", 1},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			got := New().Compare(vfs.Files{"a.md": c.reference}, vfs.Files{"a.md": c.candidate}).Components[c.component]
			if diff := got - c.want; diff > 1e-9 || diff < -1e-9 {
				t.Errorf("%s is %v, want %v", c.component, got, c.want)
			}
		})
	}
}

func TestStatistics(t *testing.T) {
	t.Parallel()
	got, err := New().Statistics(vfs.Files{
		"a.md":  "## T\n- a\n- b\n[IMAGE: c]\n::: {.notes}\nd\n:::\n",
		"b.md":  "## U\n|e|\n[CHART: f]\n",
		"c.txt": "## V",
	})
	if err != nil {
		t.Fatal(err)
	}
	want := domains.Stats{Elements: 8, Counts: []domains.Count{
		{Name: "Slides", Value: "2"}, {Name: "Elements", Value: "8"}, {Name: "Bullets", Value: "2"},
		{Name: "Images", Value: "1"}, {Name: "Notes", Value: "1"},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
