// Package aviation is the domain of bulletins of ICAO NOTAMs, as crews and dispatchers get them before a flight:
// notices of an identifier line, a coded Q line, the lettered items A to G, and the lines CREATED and SOURCE. The
// notice is what is counted; it goes by the name of NOTAM.
//
// The published score pairs notices by identifier and compares their fields as texts, so one wrong digit costs next to
// nothing. It searches each item anywhere in a notice, takes foreign text into the item before it, does not see an end
// that is only estimated, and asks for the order of the notices, which means nothing. Strict compares every item of
// every notice, the Q line part by part and texts sentence by sentence, and each line that is no part of a notice.
// Letter case, the wrapping of lines and the order of the notices mean nothing to it.
package aviation

import (
	"agentd/domains"
	published "agentd/domains/published/aviation"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[published.Bulletin]{
		Info: domains.Info{
			Name:     "aviation",
			Title:    "bulletin of NOTAMs",
			Category: "Science & Engineering",
			Patterns: []string{"*.txt"},
			Element:  counted,
			Example: "A0412/25 NOTAMN\n" +
				"Q) ENOR/QMRLC/IV/NBO/A/000/999/6012N01105E005\n" +
				"A) ENGM B) 2506140600 C) 2506141400\n" +
				"E) RWY 01L/19R CLSD.",
			Components: []string{
				"notam_coverage", "header_accuracy", "text_accuracy", "q_line_accuracy", "metadata_accuracy", "sequence_score",
			},
		},
		Parse:      published.Parse,
		Score:      published.Score,
		Stats:      published.Stats,
		Elements:   elements,
		Without:    without,
		Sampling:   domains.Sampling{Category: domains.ByField("location")},
		Vocabulary: vocabulary,
	})
}
