package translation

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

const counted = "entry"

// sourceFile is the first of the files that an entry is from.
func sourceFile(e domains.Element) string { return fileOf(e.Value("reference")) }

// fileOf is a reference without its line.
func fileOf(reference string) string {
	if colon := strings.LastIndexByte(reference, ':'); colon >= 0 && plain.IsDigits(reference[colon+1:]) {
		return reference[:colon]
	}
	return reference
}

func stats(d document) domains.Stats {
	p := d.asReference()
	language, known := p.metadata["Language"]
	if !known {
		language = "unknown"
	}
	fuzzy, plurals, comments := 0, 0, 0
	for i := range p.entries {
		e := &p.entries[i]
		if slices.Contains(e.flags, "fuzzy") {
			fuzzy++
		}
		if e.text(pluralField) != "" {
			plurals++
		}
		if comment(e.extracted) != "" || comment(e.notes) != "" {
			comments++
		}
	}
	return domains.Stats{Elements: len(p.entries), Counts: []domains.Count{
		{Name: "Entries", Value: strconv.Itoa(len(p.entries))},
		{Name: "Language", Value: language},
		{Name: "Fuzzy", Value: strconv.Itoa(fuzzy)},
		{Name: "Plurals", Value: strconv.Itoa(plurals)},
		{Name: "Comments", Value: strconv.Itoa(comments)},
	}}
}

// score is coverage² times a weighted mean: translation 0.40, flags 0.10,
// metadata 0.10, comments 0.15, sequence 0.10 and coverage 0.15.
func score(reference, candidate document) domains.Reading {
	ref, got := reference.asReference(), candidate.asCandidate()
	common := sets.PairByName(ref.entries, got.entries, (*message).publishedKey)
	coverage := common.Jaccard()
	var translation, flags, comments sets.Mean
	for _, both := range common.Both {
		r, g := both[0], both[1]
		translation.Add(translationSimilarity(r, g))
		flags.Add(sets.Jaccard(r.flags, g.flags))
		comments.Add(commentSimilarity(r, g))
	}
	c := map[string]float64{
		"coverage":    coverage,
		"translation": translation.Or(0),
		"flags":       flags.Or(1),
		"metadata":    metadataSimilarity(ref.metadata, got.metadata),
		"comments":    comments.Or(1),
		"sequence":    ratio.Tokens(publishedKeys(ref.entries), publishedKeys(got.entries), true),
	}
	quality := float64(0.40*c["translation"]) + float64(0.10*c["flags"]) + float64(0.10*c["metadata"]) +
		float64(0.15*c["comments"]) + float64(0.10*c["sequence"]) + float64(0.15*coverage)
	return domains.Reading{
		Value:      coverage * coverage * quality,
		Components: c,
		Elements:   domains.Elements{Reference: len(ref.entries), Candidate: len(got.entries)},
		Problem:    got.problem,
	}
}

// publishedKey is what tells the messages of a catalogue apart.
func (m *message) publishedKey() string {
	return pytext.Strip(m.text(contextField)) + "\x04" + pytext.Strip(m.text(sourceField)) // as gettext writes it
}

func publishedKeys(messages []message) []string {
	return lists.Each(messages, (*message).publishedKey)
}

func translationSimilarity(ref, got *message) float64 {
	plural := pytext.Strip(ref.text(pluralField))
	if plural == "" {
		return textRatio(ref.text(translationField), got.text(translationField))
	}
	var forms sets.Mean
	for i := range ref.forms {
		f := &ref.forms[i]
		forms.Add(textRatio(f.text(), got.form(f.index).text()))
	}
	for i := range got.forms {
		if f := &got.forms[i]; ref.form(f.index) == nil {
			forms.Add(textRatio("", f.text()))
		}
	}
	return float64(0.7*forms.Or(1)) + float64(0.3*textRatio(plural, got.text(pluralField)))
}

func commentSimilarity(ref, got *message) float64 {
	var parts sets.Mean
	if len(ref.references) > 0 || len(got.references) > 0 {
		parts.Add(sets.Jaccard(ref.references, got.references))
	}
	addText := func(was, is string) {
		switch {
		case was != "" && is != "":
			parts.Add(textRatio(was, is))
		case was != is:
			parts.Add(0)
		}
	}
	addText(comment(ref.extracted), comment(got.extracted))
	addText(comment(ref.notes), comment(got.notes))
	return parts.Or(1)
}

// comment is the text of comment lines.
func comment(lines []string) string { return pytext.Strip(strings.Join(lines, "\n")) }

// The header fields that are compared.
var (
	importantFields = []string{
		"Project-Id-Version", "Language", "Language-Team", "Content-Type", "Plural-Forms", "Last-Translator",
	}
	secondaryFields = []string{"MIME-Version", "Content-Transfer-Encoding", "Report-Msgid-Bugs-To", "X-Generator"}
)

func metadataSimilarity(ref, got map[string]string) float64 {
	if len(ref) == 0 || len(got) == 0 {
		return sets.OneIf(len(ref) == len(got))
	}
	of := func(names []string) float64 {
		var fields sets.Mean
		for _, name := range names {
			was, inRef := ref[name]
			is, inGot := got[name]
			switch {
			case inRef && inGot:
				fields.Add(popularRatio(lowered(was), lowered(is)))
			case inRef || inGot:
				fields.Add(0)
			}
		}
		return fields.Or(1)
	}
	return float64(0.7*of(importantFields)) + float64(0.3*of(secondaryFields))
}

func lowered(text string) string { return pytext.Strip(pytext.Lower(text)) }

// textRatio compares texts without regard to letter case and white space.
func textRatio(ref, got string) float64 { return popularRatio(normal(ref), normal(got)) }

func normal(text string) string { return pytext.Collapse(pytext.Lower(text)) }

// popularRatio is the ratio of two texts. Equal ones need no matching: theirs is
// 1, however popular their characters.
func popularRatio(ref, got string) float64 {
	if ref == got {
		return 1
	}
	return ratio.Tokens([]rune(ref), []rune(got), true)
}
