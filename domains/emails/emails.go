// Package emails is the domain of e-mail threads: messages of header lines, a blank line and a body, in one file and
// divided by lines of sixty hyphens, or in a file each. The message is what is counted.
//
// The published score looks at the sender, the recipients, the subject, the text of the date, the Message-ID and
// In-Reply-To, roughly at the text of the body, and at the order of the dates. Strict looks at every header, at every
// line of every body with its case and depth of quotation, at the parts of multipart messages, at messages that were
// added, at the order of messages in a file, and at text outside of messages. It reads what a mail reader reads: dates
// are instants, lists of addresses are sets, encoded words and transfer encodings are undone, folding and the spelling
// of header names are free, and so is the length of the dividing lines.
package emails

import (
	"agentd/domains"
	published "agentd/domains/published/emails"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[[]published.Message]{
		Info: domains.Info{
			Name:     "emails",
			Title:    "E-mail thread",
			Category: "Structured Records",
			Patterns: []string{"*.eml", "*.txt"},
			Element:  counted,
			Example: "From: Mara Lind <mara@harbour.example>\n" +
				"To: Ivo Berg <ivo@harbour.example>\n" +
				"Subject: Thursday\n" +
				"\n" +
				"Dinner is at seven.",
			Components: []string{"coverage", "headers", "bodies", "sequence"},
		},
		Parse:      published.Parse,
		Score:      published.Score,
		Stats:      published.Stats,
		Form:       wellFormed,
		Elements:   elements,
		Forgives:   optionalEnvelopes,
		Evidence:   domains.Where(isFromSomebody),
		WithoutIn:  without,
		Vocabulary: vocabulary,
	})
}
