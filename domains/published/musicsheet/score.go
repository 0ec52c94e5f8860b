package musicsheet

import (
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

// Stats counts the parts of a document.
func Stats(s *Sheet) domains.Stats {
	return domains.StatsOf(len(s.pitches), "Notes", len(s.pitches), "Voices", len(s.voices),
		"Dynamics", len(s.dynamics), "Lyric Words", len(s.words), "Title", s.header["title"])
}

// Score is the published formula.
func Score(ref, got *Sheet, noted *notes.Notes) domains.Reading {
	c := map[string]float64{
		"note_sequence_score": similar(ref.pitches, got.pitches, noted),
		"rhythm_score":        similar(ref.lengths, got.lengths, noted),
		"dynamics_score":      similar(ref.dynamics, got.dynamics, noted),
		"lyrics_score":        similar(ref.words, got.words, noted),
		"structural_score":    structure(ref, got),
	}
	if len(ref.voices) > 0 && len(got.voices) > 0 {
		notes, rhythm := byVoice(ref.voices, got.voices, noted)
		c["note_sequence_score"] = max(c["note_sequence_score"], notes)
		c["rhythm_score"] = max(c["rhythm_score"], rhythm)
	}
	return domains.Reading{
		RS: 0.35*c["note_sequence_score"] + 0.25*c["rhythm_score"] + 0.15*c["dynamics_score"] +
			0.15*c["lyrics_score"] + 0.10*c["structural_score"],
		Components: c,
	}
}

// similar is the ratio of two sequences, 0 if only one is empty.
func similar[T comparable](ref, got []T, noted *notes.Notes) float64 {
	if len(ref) == 0 || len(got) == 0 {
		return sets.OneIf(len(ref) == len(got))
	}
	return sequenceRatio(ref, got, noted)
}

const (
	// indexedFrom is the length of a second sequence from which the ratio looks only for rare values.
	indexedFrom = 200
	// mostWork is the product of two lengths up to which order is compared; less
	// where common values are looked for, too.
	mostWork, mostCommonWork = 1 << 30, 1 << 24
	// mostInOrder is the length up to which order is compared.
	mostInOrder = 1 << 18
)

// sequenceRatio is the published ratio. Of very long sequences it is the most
// that it could be, by the values that both have.
func sequenceRatio[T comparable](ref, got []T, noted *notes.Notes) float64 {
	most := mostWork
	if len(got) < indexedFrom {
		most = mostCommonWork
	}
	return ratio.Bounded(ref, got, ratio.Limits{Length: mostInOrder, Work: most}, noted)
}

// byVoice is the mean of the ratios of the voices, by the longer of each two. Voices
// whose names do not agree go to the one whose pitches they are most like.
func byVoice(ref, got []voice, noted *notes.Notes) (notes, rhythm float64) {
	named := sets.PairByName(ref, got, (*voice).named)
	partners := lists.Map(named.Both, func(pair [2]*voice) voice { return *pair[1] })
	if len(partners) != len(ref) || len(partners) != len(got) {
		partners = mostAlike(ref, got, noted)
	}
	total := 0
	for i, v := range ref {
		weight := max(len(v.pitches), len(partners[i].pitches))
		total += weight
		notes += float64(weight) * similar(v.pitches, partners[i].pitches, noted)
		rhythm += float64(weight) * similar(v.lengths, partners[i].lengths, noted)
	}
	return notes / float64(total), rhythm / float64(total)
}

// mostVoicePairs is the number of pairs of different voices up to which all are compared, and mostInOrder that of their
// notes; beyond, a voice goes to the first of the reference.
const mostVoicePairs = 1 << 16

// mostAlike joins for each voice of the reference those that are most like it.
func mostAlike(ref, got []voice, noted *notes.Notes) []voice {
	partners := make([]voice, len(ref))
	chosen := map[string]int{} // by pitches
	compared, length := 0, 0
	for _, v := range ref {
		length += len(v.pitches)
	}
	for _, v := range got {
		content := string(v.pitches)
		best, known := chosen[content]
		if !known {
			best = 0
			if compared += len(ref); compared <= mostVoicePairs && length+len(v.pitches) <= mostInOrder {
				best = mostLike(ref, v.pitches, noted)
			} else {
				noted.Add(notes.Paired)
			}
			chosen[content] = best
		}
		p := &partners[best]
		p.pitches = append(p.pitches, v.pitches...)
		p.lengths = append(p.lengths, v.lengths...)
	}
	return partners
}

func mostLike(ref []voice, pitches []uint8, noted *notes.Notes) int {
	best, most := 0, -1.0
	for i := range ref {
		if r := sequenceRatio(ref[i].pitches, pitches, noted); r > most {
			best, most = i, r
		}
	}
	return best
}

// structure is the share of key, time, titles and number of voices that agree, of those that either side has.
func structure(ref, got *Sheet) float64 {
	var agreed sets.Mean
	add := func(has bool, agrees float64) {
		if has {
			agreed.Add(agrees)
		}
	}
	add(ref.key != "" || got.key != "", sets.OneIf(ref.key == got.key))
	add(ref.time != "" || got.time != "", sets.OneIf(ref.time == got.time))
	for _, name := range []string{"title", "composer", "arranger"} {
		a, b := ref.header[name], got.header[name]
		add(a != "" || b != "", sets.OneIf(folded(a) == folded(b)))
	}
	n, m := len(ref.voices), len(got.voices)
	add(n > 0 || m > 0, float64(min(n, m))/float64(max(n, m, 1)))
	return agreed.Or(1)
}

func folded(text string) string { return strings.ToLower(pytext.Strip(text)) }
