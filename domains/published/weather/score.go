package weather

import (
	"errors"
	"math"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

// Stats counts the parts of a document.
func Stats(d Document) domains.Stats {
	b := d.asWritten()
	stations, forecastStations, types := map[string]bool{}, map[string]bool{}, map[string]int{}
	withWeather, withRemarks, periods := 0, 0, 0
	for i := range b.observations {
		o := &b.observations[i]
		stations[o.station] = true
		types[o.kind]++
		read := o.read()
		if len(read.weather) > 0 {
			withWeather++
		}
		if read.remarks != "" {
			withRemarks++
		}
	}
	for i := range b.forecasts {
		forecastStations[b.forecasts[i].station] = true
		periods += len(b.forecasts[i].periods())
	}
	return domains.StatsOf(b.count(), "METAR/SPECI Count", len(b.observations), "TAF Count", len(b.forecasts),
		"Stations (METAR)", len(stations), "Stations (TAF)", len(forecastStations), "Report Types", types,
		"With Weather", withWeather, "With Remarks", withRemarks, "TAF Groups Total", periods)
}

var errNoReport = errors.New("the bulletin has no report")

// Score is coverage² · fields · √(0.6 sequence + 0.4 header); coverage and fields
// are those of observations and forecasts, by their share of the reference.
func Score(reference, candidate Document) domains.Reading {
	ref, got := reference.asWritten(), candidate.repaired()
	reading := domains.Reading{Elements: domains.Elements{Reference: ref.count(), Candidate: got.count()}}
	if ref.count() == 0 || got.count() == 0 {
		reading.Problem = errNoReport.Error()
		return reading
	}
	refKeys, gotKeys := lists.Each(ref.observations, (*observation).key), lists.Each(got.observations, (*observation).key)
	metarFields := meanOf(ref.observations, got.observations, refKeys, gotKeys, (*observation).similarity)
	refTAFs, gotTAFs := lists.Each(ref.forecasts, (*forecast).key), lists.Each(got.forecasts, (*forecast).key)
	tafFields := meanOf(ref.forecasts, got.forecasts, refTAFs, gotTAFs, (*forecast).similarity)
	c := map[string]float64{
		"metar_coverage":       sets.Jaccard(refKeys, gotKeys),
		"metar_field_accuracy": metarFields,
		"taf_coverage":         sets.Jaccard(refTAFs, gotTAFs),
		"taf_field_accuracy":   tafFields,
		"sequence_score":       sequence(refKeys, gotKeys),
		"header_similarity":    ref.header.similarity(got.header),
	}
	p := float64(len(ref.observations)) / float64(ref.count())
	coverage := p*c["metar_coverage"] + (1-p)*c["taf_coverage"]
	fields := p*c["metar_field_accuracy"] + (1-p)*c["taf_field_accuracy"]
	reading.RS = coverage * coverage * fields * math.Sqrt(0.6*c["sequence_score"]+0.4*c["header_similarity"])
	reading.Components = c
	return reading
}

// meanOf is the mean similarity of the last reports of each key that both sides have, 0 if there is none.
func meanOf[T any](ref, got []T, refKeys, gotKeys []string, similarity func(a, b *T) float64) float64 {
	var mean sets.Mean
	for _, pair := range sets.LastPairs(refKeys, gotKeys) {
		mean.Add(similarity(&ref[pair[0]], &got[pair[1]]))
	}
	return mean.Or(0)
}

func sequence(ref, got []string) float64 {
	if s, empty := sets.EitherEmpty(ref, got); empty {
		return s
	}
	return ratio.Tokens(ref, got, true)
}

func (h header) similarity(got header) float64 {
	if h == (header{}) || got == (header{}) {
		return sets.OneIf(h == got)
	}
	sum := 0.0
	for item := range h {
		sum += similar(h[item], got[item])
	}
	return sum / 4
}

func (o *observation) similarity(other *observation) float64 {
	if o.line == other.line {
		return 1
	}
	a, b := o.read(), other.read()
	wind := 0.4*similar(a.windDir, b.windDir) + 0.4*similar(a.windSpeed, b.windSpeed) + 0.2*similar(a.windGust, b.windGust)
	temperature := (similar(a.temperature, b.temperature) + similar(a.dewPoint, b.dewPoint)) / 2
	return 0.20*wind + 0.15*similar(a.visibility, b.visibility) + 0.15*similar(Joined(a.sky), Joined(b.sky)) +
		0.10*similar(sorted(a.weather), sorted(b.weather)) + 0.15*temperature +
		0.10*similar(a.altimeter, b.altimeter) + 0.15*similar(a.remarks, b.remarks)
}

func (f *forecast) similarity(other *forecast) float64 {
	if f.from == other.from && f.to == other.to && slices.Equal(f.body, other.body) {
		return 1
	}
	valid := (similar(f.from, other.from) + similar(f.to, other.to)) / 2
	return 0.30*valid + 0.70*sets.InPlace(f.periods(), other.periods(), (*period).similarity)
}

func (p *period) similarity(other *period) float64 {
	wind := (similar(p.windDir, other.windDir) + similar(p.windSpeed, other.windSpeed)) / 2
	return 0.15*sets.OneIf(p.kind == other.kind) + 0.15*similar(p.from, other.from) + 0.25*wind +
		0.15*similar(p.visibility, other.visibility) + 0.20*similar(Joined(p.sky), Joined(other.sky)) +
		0.10*similar(sorted(p.weather), sorted(other.weather))
}

func sorted(words []string) string { return Joined(slices.Sorted(slices.Values(words))) }

// similar is the ratio of two texts in capitals, blanks folded; of long ones the beginnings are compared.
func similar(a, b string) float64 {
	if a == b {
		return 1
	}
	a, b = capitals(a), capitals(b)
	switch {
	case a == b:
		return 1
	case a == "" || b == "":
		return 0
	}
	return ratio.Of(a[:min(len(a), longestReport)], b[:min(len(b), longestReport)])
}

func capitals(text string) string { return strings.ToUpper(Joined(pytext.Fields(text))) }

func (o *observation) key() string { return strings.ToUpper(o.kind + "_" + o.station + "_" + o.time) }

func (f *forecast) key() string { return strings.ToUpper("TAF_" + f.station + "_" + f.issued) }
