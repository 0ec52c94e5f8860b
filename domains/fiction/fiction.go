package fiction

import (
	"fmt"
	"strconv"
	"strings"

	"agentd/domains"
	published "agentd/domains/published/fiction"
)

// counted is the kind of element that is counted.
const counted = "word"

// New returns the domain. It needs a judge before it can find RS.
func New() domains.Domain { return judged(published.Scorer{}) }

// domain carries what scores it.
type domain struct {
	domains.Domain
	scorer published.Scorer
}

var _ domains.Worded = domain{}

func judged(s published.Scorer) domain {
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
		Parse:      published.FirstFile,
		Score:      domains.Noting(s.Score),
		Stats:      published.Stats,
		Prose:      true,
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
	d.scorer.Target = length
	return judged(d.scorer)
}

// WithJudge implements domains.Judged.
func (d domain) WithJudge(j domains.Judge) domains.Domain {
	d.scorer.Judge = j
	return judged(d.scorer)
}

// WithQuestions implements domains.Worded.
func (d domain) WithQuestions(text string) (domains.Domain, error) {
	if !strings.Contains(text, domains.StoryMark) {
		return nil, fmt.Errorf("the judge's prompt of fiction has no %s, where the story is to stand", domains.StoryMark)
	}
	d.scorer.Questions = text
	return judged(d.scorer), nil
}
