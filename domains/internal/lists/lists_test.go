package lists_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"agentd/domains/internal/lists"
)

func TestMap(t *testing.T) {
	t.Parallel()
	if got := lists.Map([]string{"oak", "Elm"}, strings.ToUpper); !slices.Equal(got, []string{"OAK", "ELM"}) {
		t.Error(got)
	}
	if got := lists.Map(nil, strings.ToUpper); len(got) != 0 {
		t.Error(got)
	}
}

func TestEachMayChangeItems(t *testing.T) {
	t.Parallel()
	heights := []int{3, 7}
	grown := func(height *int) bool {
		*height++
		return *height > 5
	}
	if got := lists.Each(heights, grown); !slices.Equal(got, []bool{false, true}) || !slices.Equal(heights, []int{4, 8}) {
		t.Error(got, heights)
	}
}

func TestOrderKeepsEqualThings(t *testing.T) {
	t.Parallel()
	heights := []int{7, 3, 7, 5}
	got := lists.Order(len(heights), func(a, b int) int { return cmp.Compare(heights[a], heights[b]) })
	if !slices.Equal(got, []int{1, 3, 0, 2}) {
		t.Error(got)
	}
}

func TestLeastRotation(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		ring []int
		want int
	}{{nil, 0}, {[]int{5}, 0}, {[]int{3, 1, 2}, 1}, {[]int{2, 1, 2, 1, 1}, 3}, {[]int{1, 2, 1, 2}, 0}} {
		if got := lists.LeastRotation(c.ring); got != c.want {
			t.Errorf("%v: %d, want %d", c.ring, got, c.want)
		}
	}
}

func TestSomeOfTheItems(t *testing.T) {
	t.Parallel()
	heights := []int{3, 8, 4, 9}
	even := func(height *int) bool { return *height%2 == 0 }
	halved := func(height *int) (int, bool) { return *height / 2, even(height) }
	if got := lists.Found(heights, halved); !slices.Equal(got, []int{4, 2}) {
		t.Error(got)
	}
	if got := lists.Count(heights, even); got != 2 {
		t.Error(got)
	}
	if got := lists.First(heights, even); got != &heights[1] {
		t.Error(got)
	}
	if got := lists.First(heights[:1], even); got != nil {
		t.Error(*got)
	}
}

func TestTrimLeavesWhatIsInside(t *testing.T) {
	t.Parallel()
	unwanted := func(n int) bool { return n == 0 }
	for _, c := range [][2][]int{
		{nil, nil}, {{0, 0}, nil}, {{0, 1, 0, 2, 0, 0}, {1, 0, 2}}, {{3}, {3}},
	} {
		if got := lists.Trim(c[0], unwanted); !slices.Equal(got, c[1]) || len(got) != cap(got) {
			t.Errorf("%v of %v, want %v", got, c[0], c[1])
		}
	}
}
