// Package weaving is the domain of weaving drafts in the Weaving Information File format (WIF 1.1): an INI text that
// says on which shaft each warp thread is threaded, which treadles are pressed for each pick (or, in a liftplan, which
// shafts rise), how shafts are tied to treadles, and the colours and yarn of the cloth. What is counted is the assigned
// thread, an entry of THREADING or of TREADLING.
//
// The published score compares threading, treadling, tie-up, colour table and a few settings, and nothing else: not the
// liftplan, the colours of threads, nor any text. It reads as Python's configparser does, which gives up on a file for
// one line that is no entry. Strict reads files of any name line by line, without regard to the case of section names
// and keys, and looks at every entry, comment and foreign line.
package weaving

import (
	"agentd/domains"
	published "agentd/domains/published/weaving"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[published.Draft]{
		Info: domains.Info{
			Name:       "weaving",
			Title:      "Weaving draft",
			Category:   "Creative & Media",
			Patterns:   []string{"*.wif"},
			Element:    counted,
			Example:    "[THREADING]\n1=1\n2=2",
			Components: []string{"threading", "treadling", "tieup", "colors", "parameters"},
		},
		Parse:      published.Parse,
		Score:      domains.Noting(published.Score),
		Stats:      published.Stats,
		Form:       wellFormed,
		Elements:   format.Elements,
		Comments:   []string{";"},
		Forgives:   comments.Forgive,
		Without:    without,
		Sampling:   domains.Sampling{Not: "a draft is one cloth: what is left of its threads is another pattern"},
		Vocabulary: vocabulary,
	})
}
