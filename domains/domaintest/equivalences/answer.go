package equivalences

import (
	"strings"

	"pgregory.net/rapid"

	"agentd/domains/catalog"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// fencesMean are the domains in which a code fence changes what a document says, or stops what reads it.
var fencesMean = map[string]bool{"infra": true, "latex": true, "markdown": true, "python": true, "text": true}

// answerEquivalences are those of the way in which an answer gives a document, in every domain.
func answerEquivalences() map[string][]domaintest.Equivalence {
	all := map[string][]domaintest.Equivalence{}
	for _, d := range catalog.All() {
		if name := d.Info().Name; !d.Info().Binary && !fencesMean[name] {
			all[name] = []domaintest.Equivalence{answered}
		}
	}
	return all
}

// answered is the equivalence of files in code fences, with sentences around them.
var answered = domaintest.Equivalence{Name: "a sentence and a code fence", Same: true, Apply: func(t *rapid.T, files vfs.Files) vfs.Files {
	above := rapid.SampledFrom([]string{"Here is the file:\n\n", "The restored document follows.\n", ""}).Draw(t, "above")
	below := rapid.SampledFrom([]string{"\nTell me if anything else is needed.\n", ""}).Draw(t, "below")
	changed := vfs.Files{}
	for name, text := range files {
		changed[name] = above + "```\n" + strings.TrimSuffix(text, "\n") + "\n```\n" + below
	}
	return changed
}}
