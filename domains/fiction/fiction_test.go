package fiction

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
	published "agentd/domains/published/fiction"
	"agentd/vfs"
)

// scored is the domain with a judge and the length of the seed.
func scored(length string) domains.Domain {
	return New().With(domains.Metadata{"target_length": length}).(domains.Judged).WithJudge(domaintest.Unmoved{})
}

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain: demonstration(t), Seed: domaintest.Seed(t, "fiction1"), Generate: drawn(),
		RSForgives: 1, // any text of the length has the same opinion; see TestLengthCosts
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, demonstration(f), domaintest.Seed(f, "fiction1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "fiction1"))
}

// reader answers by what stands in the prompt.
type reader struct {
	answers map[string]map[string]any // by a part of the story
	err     error
}

func (r reader) Ask(prompt string, accept func(map[string]any) error) (map[string]any, error) {
	if r.err != nil {
		return nil, r.err
	}
	for part, answer := range r.answers {
		if strings.Contains(prompt, part) {
			return answer, accept(answer)
		}
	}
	return nil, errors.New("asked about an unknown story")
}

func all(n float64) map[string]any {
	answer := map[string]any{}
	for i := range published.Aspects {
		answer[published.TestName(i)] = n
	}
	return answer
}

func storyFiles(text string) vfs.Files { return vfs.Files{"a.txt": text} }

func TestValueIsTheOpinionInRelationToTheSeeds(t *testing.T) {
	t.Parallel()
	judge := reader{answers: map[string]map[string]any{
		"good": all(4), "poor": all(1), "better": all(5), "bad": all(0),
		"odd": { // 3+2+5+0+0+1+0 of 70
			"test1": "3", "test2": 2.9, "test3": 9.0, "test4": -1.0, "test5": "none", "test6": true, "test7": nil, "extra": 5.0,
		},
	}}
	d := New().(domains.Judged).WithJudge(judge)
	for name, c := range map[string]struct {
		reference, candidate string
		value                float64
	}{
		"the same":         {"a good story", "a good story", 1},
		"a poorer one":     {"a good story", "a poor story", 0.25},
		"a better one":     {"a good story", "a better story", 1},
		"a bad one":        {"a good story", "a bad story", 0},
		"beside a bad one": {"a bad story", "a good story", 0},
		"an odd answer":    {"a better story", "an odd story", 11.0 / 70},
		"nothing":          {"a good story", " \n", 0},
		"no file":          {"a good story", "", 0},
	} {
		score := d.Compare(storyFiles(c.reference), storyFiles(c.candidate))
		if math.Abs(score.RS-c.value) > 1e-12 || score.Basis != domains.Opinion || score.Fault != nil {
			t.Errorf("%s: %+v, want %v", name, score, c.value)
		}
	}
}

func TestOnlyTheFirstFileIsJudged(t *testing.T) {
	t.Parallel()
	d := New().(domains.Judged).WithJudge(reader{answers: map[string]map[string]any{"good": all(4), "poor": all(1)}})
	score := d.Compare(storyFiles("good"), vfs.Files{"a.md": "poor", "b.txt": "good"})
	if score.RS != 0.25 || score.Elements.Candidate != 1 {
		t.Errorf("%+v", score)
	}
}

func TestLengthCosts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		words int
		want  float64
	}{
		{100, 1}, {90, 1}, {110, 1}, {200, 0.75}, {300, 0.5625}, {50, 0.75}, {0, 0},
		{111, math.Pow(0.75, 0.11)}, {89, math.Pow(0.75, 1/0.89-1)},
	} {
		score := scored("100").Compare(storyFiles(strings.Repeat("word ", 100)), storyFiles(strings.Repeat("word ", c.words)))
		if math.Abs(score.RS-c.want) > 1e-12 || c.words > 0 && score.Components["length"] != score.RS {
			t.Errorf("%d of 100 words: %v, want %v", c.words, score.RS, c.want)
		}
	}
	for _, length := range []string{"", "0", "-3", "many"} {
		if score := scored(length).Compare(storyFiles("a b c"), storyFiles("a")); score.RS != 1 {
			t.Errorf("target_length %q: %v", length, score.RS)
		}
	}
}

func TestWithoutAnOpinionThereIsAFallback(t *testing.T) {
	t.Parallel()
	none := fmt.Errorf("critic: %w", domains.ErrNoAnswer)
	for name, c := range map[string]struct {
		d       domains.Domain
		problem string
	}{
		"no judge":  {New(), domains.ErrNoJudge.Error()},
		"no answer": {New().(domains.Judged).WithJudge(reader{err: none}), none.Error()},
	} {
		score := c.d.Compare(storyFiles("the cat sat on the mat"), storyFiles("the cat on a mat"))
		if score.Basis != domains.Fallback || math.Abs(score.RS-4.0/6) > 1e-12 || score.Problem != c.problem || score.Fault != nil {
			t.Errorf("%s: %+v", name, score)
		}
	}
	gone := errors.New("the server is gone")
	if score := New().(domains.Judged).WithJudge(reader{err: gone}).Compare(storyFiles("a"), storyFiles("b")); !errors.Is(score.Fault, gone) {
		t.Errorf("%+v", score)
	}
}

// The published words are asked as they are, with the story where its mark stands.
func TestAJudgeCanBeAskedInOtherWords(t *testing.T) {
	t.Parallel()
	var asked []string
	worded, err := New().(domains.Worded).WithQuestions("Mind {this}. [[STORY]] How is it?")
	if err != nil {
		t.Fatal(err)
	}
	d := worded.With(domains.Metadata{"target_length": "2"}).(domains.Judged).WithJudge(recorder{&asked})
	if score := d.Compare(storyFiles("a story"), storyFiles("an ending")); score.RS != 1 || score.Basis != domains.Opinion {
		t.Errorf("%+v", score)
	}
	if want := []string{"Mind {this}. a story How is it?", "Mind {this}. an ending How is it?"}; !slices.Equal(asked, want) {
		t.Errorf("%q, want %q", asked, want)
	}
	if _, err := New().(domains.Worded).WithQuestions("How is it?"); err == nil {
		t.Error("a text without a place for the story is taken")
	}
}

// recorder answers all alike and keeps what it was asked.
type recorder struct{ asked *[]string }

func (r recorder) Ask(prompt string, accept func(map[string]any) error) (map[string]any, error) {
	*r.asked = append(*r.asked, prompt)
	return all(3), accept(all(3))
}
