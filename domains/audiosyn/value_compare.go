package audiosyn

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

const counted = "score event"

// Kinds of elements that a piece without score events is known by.
const (
	instrumentKind = "instrument"
	tableKind      = "function table"
)

func stats(p piece) domains.Stats {
	if len(p.instruments) == 0 && len(p.events) == 0 {
		return domains.Stats{}
	}
	return domains.Stats{Elements: len(p.events), Counts: []domains.Count{
		{Name: "Instruments", Value: strconv.Itoa(len(p.instruments))},
		{Name: "UDOs", Value: strconv.Itoa(p.opcodes)},
		{Name: "Function Tables", Value: strconv.Itoa(len(p.tables))},
		{Name: "Score Events", Value: strconv.Itoa(len(p.events))},
		{Name: "Macros", Value: strconv.Itoa(p.macros)},
		{Name: "Settings", Value: fmt.Sprint(p.settings)},
	}}
}

// score is the geometric mean of what is kept of the instruments and of the
// events, times the root of what is kept of the rest.
func score(ref, got piece, noted *notes.Notes) domains.Reading {
	instruments, bodies := instrumentShares(ref.instruments, got.instruments, noted)
	events, fields, sequence := eventShares(ref.events, got.events, noted)
	tables, contents := tableShares(ref.tables, got.tables, noted)
	settings := settingsShare(ref.settings, got.settings)
	comments := commentShare(ref.comments, got.comments, noted)
	text := wholeRatio(folded(ref.text), folded(got.text), noted)

	instrumentGate := float64(math.Pow(instruments, 2.5) * bodies)
	eventGate := float64(math.Pow(events, 2.5) * fields)
	core := float64(math.Sqrt(max(instrumentGate, 1e-4)) * math.Sqrt(max(eventGate, 1e-4)))
	rest := float64(0.25*float64(tables*contents)) + float64(0.15*settings) + float64(0.25*comments) +
		float64(0.25*sequence) + float64(0.10*text)
	return domains.Reading{
		Value: pytext.Round(core*math.Sqrt(max(rest, 0.001)), 6),
		Components: map[string]float64{
			"instrument_coverage": instruments, "instrument_accuracy": bodies, "instrument_gate": instrumentGate,
			"event_coverage": events, "event_accuracy": fields, "event_sequence": sequence, "event_gate": eventGate,
			"core": core, "aux_mean": rest, "ftable_coverage": tables, "ftable_accuracy": contents,
			"settings_score": settings, "comment_score": comments, "raw_text_score": text,
		},
		Elements: domains.Elements{Reference: len(ref.events), Candidate: len(got.events)},
	}
}

// folded is the beginning of a text with its white space collapsed, as far as it
// is compared.
func folded(text string) string {
	const most = 1 << 19 // bytes, enough for the code points that ratio.Long reads
	var b strings.Builder
	space := true
	for _, r := range text {
		if pytext.IsSpace(r) {
			space = true
			continue
		}
		if space && b.Len() > 0 {
			b.WriteByte(' ')
		}
		space = false
		if b.WriteRune(r); b.Len() > most {
			break
		}
	}
	return b.String()
}

// instrumentShares are the share of the names that both sides have, and the mean
// similarity of their bodies.
func instrumentShares(ref, got []instrument, noted *notes.Notes) (names, bodies float64) {
	if both, empty := sets.EitherEmpty(ref, got); empty {
		return both, both
	}
	p := sets.PairByName(ref, got, func(i *instrument) string { return i.id })
	return p.Jaccard(), p.Mean(0, func(ref, got *instrument) float64 {
		return ratio.Long(folded(ref.body), folded(got.body), noted)
	})
}

func tableShares(ref, got []table, noted *notes.Notes) (numbers, contents float64) {
	if both, empty := sets.EitherEmpty(ref, got); empty {
		return both, both
	}
	p := sets.PairByName(ref, got, func(t *table) string { return t.number })
	return p.Jaccard(), p.Mean(0, func(ref, got *table) float64 {
		return float64(0.3*sets.OneIf(sameNumber(ref.generator, got.generator))) +
			float64(0.2*sizeShare(ref.size, got.size)) + float64(0.5*ratio.Long(ref.arguments, got.arguments, noted))
	})
}

func sameNumber(a, b string) bool {
	x, _ := strconv.ParseFloat(a, 64)
	y, _ := strconv.ParseFloat(b, 64)
	return x == y
}

func sizeShare(a, b string) float64 {
	x, _ := strconv.ParseFloat(a, 64)
	y, _ := strconv.ParseFloat(b, 64)
	if x == y {
		return 1
	}
	return min(x, y) / max(x, y)
}

func settingsShare(ref, got map[string]string) float64 {
	if len(ref) == 0 || len(got) == 0 {
		return sets.OneIf(len(ref) == len(got))
	}
	union, equal := len(ref), 0
	for name, value := range got {
		was, known := ref[name]
		switch {
		case !known:
			union++
		case was == value:
			equal++
		}
	}
	return float64(equal) / float64(union)
}

func commentShare(ref, got []string, noted *notes.Notes) float64 {
	if both, empty := sets.EitherEmpty(ref, got); empty {
		return both
	}
	ref, got = foldedComments(ref), foldedComments(got)
	if both, empty := sets.EitherEmpty(ref, got); empty {
		return both
	}
	return listRatio(ref, got, noted)
}

// foldedComments are comments in lower case without their marks, as far as they
// say something.
func foldedComments(lines []string) []string {
	said := make([]string, 0, len(lines))
	for _, line := range lines {
		line = strings.TrimLeftFunc(line, func(r rune) bool { return r == ';' || pytext.IsSpace(r) })
		if line != "" {
			said = append(said, pytext.Collapse(pytext.Lower(line)))
		}
	}
	return said
}
