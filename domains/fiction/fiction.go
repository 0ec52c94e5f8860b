package fiction

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// counted is the kind of element that is counted.
const counted = "word"

// New returns the domain. It needs a judge before it can find RS.
func New() domains.Domain { return judged(scorer{}) }

// domain carries what scores it.
type domain struct {
	domains.Domain
	scorer scorer
}

var _ domains.Worded = domain{}

func judged(s scorer) domain {
	return domain{scorer: s, Domain: domains.New(domains.Spec[string]{
		Info: domains.Info{
			Name:       "fiction",
			Title:      "Short story",
			Category:   "Creative & Media",
			Patterns:   []string{"*.txt"},
			Element:    counted,
			Example:    "The lamp had been out for an hour when she heard the boat.",
			Components: []string{"relative", "length", "ttcw"},
		},
		Parse:      firstFile,
		Score:      domains.Noting(s.score),
		Stats:      stats,
		Elements:   elements,
		Evidence:   evidence,
		Forgives:   aligned,
		WithoutIn:  without,
		Sampling:   domains.Sampling{Not: "a story is one text: what is left of its paragraphs is another story"},
		Vocabulary: vocabulary,
	})}
}

// With takes the target_length of an environment, in words, and domains.RSOption, which needs no judge.
func (d domain) With(options domains.Metadata) domains.Domain {
	if options.RSIsStrict() {
		return d.Domain.With(options)
	}
	length, err := strconv.Atoi(strings.TrimSpace(options["target_length"]))
	if err != nil || length <= 0 {
		return d
	}
	d.scorer.target = length
	return judged(d.scorer)
}

// WithJudge implements domains.Judged.
func (d domain) WithJudge(j domains.Judge) domains.Domain {
	d.scorer.judge = j
	return judged(d.scorer)
}

// WithQuestions implements domains.Worded.
func (d domain) WithQuestions(text string) (domains.Domain, error) {
	if !strings.Contains(text, domains.StoryMark) {
		return nil, fmt.Errorf("the judge's prompt of fiction has no %s, where the story is to stand", domains.StoryMark)
	}
	d.scorer.questions = text
	return judged(d.scorer), nil
}

// firstFile is what the published evaluator reads, under any name.
func firstFile(files vfs.Files) (string, error) {
	for _, name := range inOrder(files) {
		return files[name], nil
	}
	return "", nil
}

// inOrder are the names of files as a reader would take them up: one without a number comes before part 2.
func inOrder(files vfs.Files) []string {
	names := files.Names()
	slices.SortStableFunc(names, func(a, b string) int {
		return hasNumber(a) - hasNumber(b)
	})
	return names
}

func hasNumber(name string) int { return min(1, 1+strings.IndexAny(name, "0123456789")) }

func stats(text string) domains.Stats {
	words, paragraphs := len(pytext.Fields(text)), len(pytext.Parts(text, "\n\n"))
	return domains.Stats{Elements: words, Counts: []domains.Count{
		{Name: "Words", Value: strconv.Itoa(words)},
		{Name: "Paragraphs", Value: strconv.Itoa(paragraphs)},
	}}
}
