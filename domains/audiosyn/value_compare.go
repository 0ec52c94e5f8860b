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
	if len(ref) == 0 || len(got) == 0 {
		both := truth(len(ref) == len(got))
		return both, both
	}
	id := func(i *instrument) string { return i.id }
	ref, got = sets.LastByName(ref, id), sets.LastByName(got, id)
	of := make(map[string]string, len(got))
	for i := range got {
		of[got[i].id] = got[i].body
	}
	sum, shared := 0.0, 0
	for i := range ref {
		if body, ok := of[ref[i].id]; ok {
			shared++
			sum += ratio.Long(folded(ref[i].body), folded(body), noted)
		}
	}
	names = float64(shared) / float64(len(ref)+len(got)-shared)
	if shared == 0 {
		return names, 0
	}
	return names, sum / float64(shared)
}

func tableShares(ref, got []table, noted *notes.Notes) (numbers, contents float64) {
	if len(ref) == 0 || len(got) == 0 {
		both := truth(len(ref) == len(got))
		return both, both
	}
	number := func(t *table) string { return t.number }
	ref, got = sets.LastByName(ref, number), sets.LastByName(got, number)
	of := make(map[string]*table, len(got))
	for i := range got {
		of[got[i].number] = &got[i]
	}
	sum, shared := 0.0, 0
	for i := range ref {
		other := of[ref[i].number]
		if other == nil {
			continue
		}
		shared++
		sum += float64(0.3*truth(sameNumber(ref[i].generator, other.generator))) +
			float64(0.2*sizeShare(ref[i].size, other.size)) +
			float64(0.5*ratio.Long(ref[i].arguments, other.arguments, noted))
	}
	numbers = float64(shared) / float64(len(ref)+len(got)-shared)
	if shared == 0 {
		return numbers, 0
	}
	return numbers, sum / float64(shared)
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
		return truth(len(ref) == len(got))
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
	if len(ref) == 0 || len(got) == 0 {
		return truth(len(ref) == len(got))
	}
	ref, got = foldedComments(ref), foldedComments(got)
	if len(ref) == 0 || len(got) == 0 {
		return truth(len(ref) == len(got))
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

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
