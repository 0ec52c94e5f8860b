package hamradio

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/assign"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
)

// Stats counts the parts of a document.
func Stats(contacts []Contact) domains.Stats {
	distinct := func(field string) string {
		values := map[string]bool{}
		for _, c := range contacts {
			if c[field] != "" {
				values[Upper(c[field])] = true
			}
		}
		return strconv.Itoa(len(values))
	}
	return domains.Stats{Elements: len(contacts), Counts: []domains.Count{
		{Name: "QSOs", Value: strconv.Itoa(len(contacts))},
		{Name: "Bands", Value: distinct("BAND")},
		{Name: "Modes", Value: distinct("MODE")},
		{Name: "Unique Callsigns", Value: distinct("CALL")},
		{Name: "States", Value: distinct("STATE")},
	}}
}

// Score is coverage² · (0.50 + 0.35 accuracy + 0.15 ordering). Contacts are
// matched so that the summed similarity is largest.
func Score(reference, candidate []Contact, noted *notes.Notes) domains.Reading {
	reading := domains.Reading{
		Elements: domains.Elements{Reference: len(reference), Candidate: len(candidate)},
	}
	var coverage, accuracy, ordering float64
	switch {
	case len(reference) == 0 && len(candidate) == 0:
		coverage, accuracy, ordering = 1, 1, 1
	case len(reference) > 0 && len(candidate) > 0:
		ref := logOf(reference)
		good := goodPairs(ref, logOf(candidate), noted)
		for _, p := range good {
			accuracy += p.similarity
		}
		if len(good) > 0 {
			accuracy /= float64(len(good))
		}
		coverage = float64(len(good)) / float64(len(reference))
		ordering = orderKept(good)
	}
	// The conversions keep products and sums from being fused on some machines.
	reading.RS = coverage * coverage * (0.50 + float64(0.35*accuracy) + float64(0.15*ordering))
	reading.Components = map[string]float64{"coverage": coverage, "accuracy": accuracy, "ordering": ordering}
	return reading
}

// pair is a matched pair of contacts, as indexes into both logs.
type pair struct {
	ref, got   int
	similarity float64
}

// label is equal for contacts that compare as equal.
func (e *entry) label() string {
	field := func(f *comparedField) string { return f.name + "\x00" + f.capitals }
	return strings.Join(lists.Each(e.fields, field), "\x00")
}

// goodPairs are the matched pairs above a similarity of 0.3, in the order of the candidate.
func goodPairs(reference, candidate []entry, noted *notes.Notes) []pair {
	ratios := ratios{ratio.NewTable(noted)}
	similarity := func(i, j int) float64 {
		weight := weightOf(&reference[i], &candidate[j])
		if weight == 0 {
			return 0
		}
		return weight * ratios.similarity(&reference[i], &candidate[j])
	}
	assigned := assign.MinByLabel(assign.Costs{
		Rows: len(reference), Cols: len(candidate),
		Cost:  func(i, j int) float64 { return 1 - similarity(i, j) },
		Bound: func(i, j int) float64 { return 1 - weightOf(&reference[i], &candidate[j]) },
	}, func(i int) string { return reference[i].label() }, func(j int) string { return candidate[j].label() }, noted)
	const least = 0.3
	var good []pair
	for _, p := range assigned {
		if s := similarity(p.Row, p.Col); s > least {
			good = append(good, pair{p.Row, p.Col, s})
		}
	}
	slices.SortFunc(good, func(a, b pair) int { return cmp.Compare(a.got, b.got) })
	return good
}

// orderKept compares the reference's order with that of the candidate.
func orderKept(good []pair) float64 {
	if len(good) < 2 {
		return 1
	}
	places := lists.Map(good, func(p pair) int { return p.ref })
	if slices.IsSorted(places) {
		return 1
	}
	return ratio.Tokens(places, slices.Sorted(slices.Values(places)), true)
}

// entry is a contact with what the comparison asks for often.
type entry struct {
	fingerprint [4]string
	fields      []comparedField // in name order
}

// comparedField is a field that counts in the published score.
type comparedField struct {
	name, value string
	capitals    string // the value in capitals
	weight      float64
}

func logOf(contacts []Contact) []entry {
	log := make([]entry, len(contacts))
	for n, c := range contacts {
		log[n].fingerprint = [4]string{Upper(c["CALL"]), c["QSO_DATE"], c["TIME_ON"], Upper(c["BAND"])}
		for name, value := range c {
			if weight := fieldWeight(name); weight > 0 {
				log[n].fields = append(log[n].fields, comparedField{name, value, Upper(value), weight})
			}
		}
		slices.SortFunc(log[n].fields, func(a, b comparedField) int { return strings.Compare(a.name, b.name) })
	}
	return log
}

// weightOf is what the similarity of two contacts is multiplied by, according
// to how many parts of their fingerprints are equal.
func weightOf(ref, got *entry) float64 {
	equal := 0
	for part := range ref.fingerprint {
		if ref.fingerprint[part] == got.fingerprint[part] {
			equal++
		}
	}
	return [...]float64{0, 0, 0.3, 0.8, 1}[equal]
}

// fieldWeight is a field's weight in the published score, 0 if it has none.
func fieldWeight(name string) float64 {
	switch name {
	case "CALL", "QSO_DATE", "TIME_ON", "BAND", "MODE", "FREQ":
		return 3
	case "RST_SENT", "RST_RCVD":
		return 2
	case "GRIDSQUARE", "MY_GRIDSQUARE", "STATE", "CNTY", "CQZ", "ITUZ", "DXCC", "CONT", "NAME", "QTH":
		return 1.5
	case "QSL_SENT", "QSL_RCVD", "LOTW_QSL_SENT", "EQSL_QSL_SENT", "TX_PWR", "COMMENT", "NOTES", "AWARD",
		"TIME_OFF", "QSO_DATE_OFF", "LOTW_QSLSDATE", "EQSL_QSLSDATE":
		return 1
	}
	if strings.HasPrefix(name, "APP_") {
		return 1
	}
	return 0
}

// ratios are those of pairs of texts, which recur in a log.
type ratios struct{ *ratio.Table }

// similarity is the weighted mean over the fields that either contact has.
func (r ratios) similarity(ref, got *entry) float64 {
	var sum, weights float64
	i, j := 0, 0
	for i < len(ref.fields) || j < len(got.fields) {
		switch {
		case j == len(got.fields) || i < len(ref.fields) && ref.fields[i].name < got.fields[j].name:
			sum += ref.fields[i].alone()
			weights += ref.fields[i].weight
			i++
		case i == len(ref.fields) || got.fields[j].name < ref.fields[i].name:
			sum += got.fields[j].alone()
			weights += got.fields[j].weight
			j++
		default:
			weight := ref.fields[i].weight
			sum += float64(weight * r.value(&ref.fields[i], &got.fields[j]))
			weights += weight
			i++
			j++
		}
	}
	if weights == 0 {
		return 1
	}
	return sum / weights
}

// alone is what a field that only one side has is worth: a blank one is as good as none.
func (f *comparedField) alone() float64 {
	if f.value == "" {
		return f.weight
	}
	return 0
}

func (r ratios) value(ref, got *comparedField) float64 {
	switch {
	case ref.capitals == got.capitals:
		return 1
	case ref.value == "" || got.value == "":
		return 0
	}
	switch ref.name {
	case "FREQ":
		return frequencySimilarity(ref.capitals, got.capitals)
	case "RST_SENT", "RST_RCVD", "GRIDSQUARE", "MY_GRIDSQUARE", "BAND":
		return 0
	}
	return r.Of(pytext.Lower(ref.value), pytext.Lower(got.value))
}

// frequencySimilarity compares frequencies in MHz: below 1 kHz apart they are equal, below 10 kHz close.
func frequencySimilarity(ref, got string) float64 {
	a, okA := megahertz(ref)
	b, okB := megahertz(got)
	apart := math.Abs(a - b)
	switch {
	case !okA || !okB:
		return 0
	case apart < 0.001:
		return 1
	case apart < 0.01:
		return 0.8
	}
	return 0
}

func megahertz(text string) (float64, bool) {
	f, ok := pytext.Float(strings.ReplaceAll(text, "MHZ", ""))
	if !ok || math.IsInf(f, 0) || math.IsNaN(f) {
		return f, ok
	}
	return pytext.Round(f, 6), true
}
