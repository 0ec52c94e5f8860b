// Package weather is the published reading and score of the domain weather.
//
// sim(a, b): both empty 1; one empty 0; upper-cased with white space runs to one blank: equal 1, else difflib ratio on
// characters, autojunk on. skySim: lists empty as before; each layer as cover+height+cloud, joined by blanks, sim of
// the texts. Keys: type_station_time for observations, TAF_station_issued for forecasts (upper-cased). In tables the
// last duplicate wins.
//
//   - obsCoverage, tafCoverage: Jaccard of key sets; both lists empty 1, one empty 0.
//   - obsFields: mean over common keys (0 if none) of 0.20 (0.4 windDir + 0.4 windSpeed + 0.2 windGust) + 0.15
//     visibility + 0.15 sky + 0.10 weather (sorted, joined by blanks) + 0.15 (temp + dewpt)/2 + 0.10 altimeter + 0.15
//     remarks, each by sim.
//   - tafFields: mean over common keys (0 if none) of 0.30 (validFrom + validTo)/2 + 0.70 groups; groups: by position,
//     sum of group similarities / max of counts; both empty 1, one empty 0. Group: 0.15 (kind equal) + 0.15 from + 0.25
//     (windDir + windSpeed)/2 + 0.15 visibility + 0.20 sky + 0.10 weather.
//   - sequence: difflib ratio over the lists of observation keys; both empty 1, one empty 0.
//   - header: mean of sim over dtg, region, stations, title; both headers empty 1, one 0.
//   - p = observations / all reports of the reference. coverage = p obsCoverage + (1-p) tafCoverage; fields likewise.
//   - score = coverage^2 * fields * sqrt(0.6 sequence + 0.4 header). Not rounded. Reference or candidate without any
//     report: 0 with an error text.
//
// R, or ratio, is that of package ratio, with the reference first.
package weather

import (
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
	"agentd/vfs"
)

// Document is the two readings of a bulletin, each made when it is first needed. The published
// program repairs the section titles of a candidate, but not those of a reference: which
// reading a document gets is known only when it is compared.
type Document struct{ asWritten, repaired func() bulletin }

// Parse reads a document as the published evaluator does.
func Parse(files vfs.Files) (Document, error) {
	return Document{
		asWritten: sync.OnceValue(func() bulletin { return readBulletin(files, func(lines []string) []string { return lines }) }),
		repaired:  sync.OnceValue(func() bulletin { return readBulletin(files, repairTitles) }),
	}, nil
}

// bulletin is what the published reading makes of a document.
type bulletin struct {
	header       header
	observations []observation
	forecasts    []forecast
}

// header is what a bulletin says behind the labels, and its title.
type header [4]string

// HeaderLabels begin the lines of the header.
var HeaderLabels = [...]string{"DTG:", "REGION:", "STATIONS:", "AVIATION WEATHER BULLETIN"}

// TitleItem is the place of the title among HeaderLabels.
const TitleItem = 3

func readBulletin(files vfs.Files, prepare func([]string) []string) bulletin {
	r := bulletinReader{}
	for _, name := range files.Names() {
		lines := lists.Map(prepare(strings.Split(pytext.Strip(files[name]), "\n")), pytext.Strip)
		before := r.count()
		r.readSections(lines)
		if r.count() == before {
			r.readAnywhere(lines)
		}
	}
	return r.bulletin
}

type section uint8

const (
	noSection section = iota
	observationSection
	forecastSection
)

type bulletinReader struct {
	bulletin
	pending []string // the lines of a forecast that may go on
}

// readSections takes reports only from the section of their kind.
func (r *bulletinReader) readSections(lines []string) {
	in := noSection
	for _, line := range lines {
		if r.headerLine(line) {
			continue
		}
		switch opened := sectionOpenedBy(line); {
		case opened == forecastSection:
			r.endForecast()
			in = opened
		case opened == observationSection:
			in = opened
		case strings.HasPrefix(line, "===") || line == "END OF BULLETIN":
		case in == observationSection:
			r.observationLine(line)
		case in == forecastSection:
			r.forecastLine(line)
		}
	}
	r.endForecast()
}

// readAnywhere takes reports wherever they stand.
func (r *bulletinReader) readAnywhere(lines []string) {
	for _, line := range lines {
		if r.observationLine(line) {
			r.endForecast()
		} else {
			r.forecastLine(line)
		}
	}
	r.endForecast()
}

func (r *bulletinReader) headerLine(line string) bool {
	for item, label := range HeaderLabels {
		value, ok := strings.CutPrefix(line, label)
		if !ok {
			continue
		}
		if item == TitleItem {
			value = line
		}
		r.header[item] = pytext.Strip(value)
		return true
	}
	return false
}

func sectionOpenedBy(line string) section {
	if len(line) < len("TAF")+len("FORECAST") {
		return noSection
	}
	upper := strings.ToUpper(line)
	switch {
	case strings.Contains(line, "METAR") && strings.Contains(upper, "OBSERVATION"):
		return observationSection
	case strings.Contains(upper, "TERMINAL AERODROME FORECAST"),
		strings.Contains(line, "TAF") && strings.Contains(upper, "FORECAST"):
		return forecastSection
	}
	return noSection
}

func (r *bulletinReader) observationLine(line string) bool {
	if !strings.HasPrefix(line, "METAR ") && !strings.HasPrefix(line, "SPECI ") {
		return false
	}
	if n := len(r.observations); n > 0 && r.observations[n-1].line == line {
		r.observations = plain.Append(r.observations, r.observations[n-1])
	} else {
		r.observations = plain.Append(r.observations, readObservation(line))
	}
	return true
}

func (r *bulletinReader) forecastLine(line string) {
	switch {
	case strings.HasPrefix(line, "TAF "):
		r.endForecast()
		r.pending = []string{line}
	case line == "":
		r.endForecast()
	case r.pending != nil:
		r.pending = append(r.pending, line)
	}
}

func (r *bulletinReader) endForecast() {
	if r.pending != nil {
		r.forecasts = plain.Append(r.forecasts, readForecast(strings.Join(r.pending, " ")))
		r.pending = nil
	}
}

// The lines that the published program puts in the place of a section title.
var (
	ruler            = strings.Repeat("=", 60)
	observationTitle = []string{ruler, "METAR / SPECI OBSERVATIONS", ruler}
	forecastTitle    = []string{ruler, "TERMINAL AERODROME FORECASTS (TAF)", ruler}
)

// repairTitles spells out what looks like a section title, which can be a report: "METAR COR KPHL ...", if it is short.
func repairTitles(lines []string) []string {
	repaired := make([]string, 0, len(lines))
	for i := 0; i < len(lines); i++ {
		title := titleFor(lines[i])
		if title == nil {
			repaired = plain.Append(repaired, lines[i])
			continue
		}
		if n := len(repaired); n > 0 && isRuler(repaired[n-1]) {
			repaired = repaired[:n-1]
		}
		for _, line := range title {
			repaired = plain.Append(repaired, line)
		}
		if i+1 < len(lines) && isRuler(lines[i+1]) {
			i++
		}
	}
	return repaired
}

// rulers are the characters that underline and frame titles.
const rulers = "=-*~"

func isRuler(line string) bool {
	line = pytext.Strip(line)
	return line != "" && strings.Trim(line, rulers) == ""
}

// titleFor is the section title that a line stands for, nil if for none.
func titleFor(line string) []string {
	written := pytext.Strip(strings.Trim(pytext.Strip(line), rulers))
	const short = 60
	if !strings.Contains(line, "====") && !strings.Contains(line, "----") && utf8.RuneCountInString(written) >= short {
		return nil
	}
	label := strings.ToUpper(written)
	observes := containsAny(label, "METAR", "SPECI", "OBSERVATION")
	switch {
	case observes && !strings.Contains(label, "TAF") && !isObservationLabel(label):
		return observationTitle
	case !observes && containsAny(label, "TAF", "FORECAST") && !isForecastLabel(label):
		return forecastTitle
	}
	return nil
}

func containsAny(text string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}

func isObservationLabel(label string) bool {
	words := pytext.Fields(label)
	return len(words) > 1 && (words[0] == "METAR" || words[0] == "SPECI") && isStation(words[1])
}

func isForecastLabel(label string) bool {
	words := pytext.Fields(label)
	if len(words) > 2 && words[1] == "AMD" {
		words = words[1:]
	} else if len(words) > 1 && words[0] != "TAF" {
		return false
	}
	return len(words) > 1 && isStation(words[1])
}

// isStation reports whether a word is four letters.
func isStation(word string) bool {
	return len(word) == 4 && strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

func (b *bulletin) count() int { return len(b.observations) + len(b.forecasts) }

// Joined joins words by blanks.
func Joined(words []string) string { return strings.Join(words, " ") }

// IsPlace reports whether a word has the form of a station's code.
func IsPlace(word string) bool {
	if len(word) != len("KSEA") || word[0] < 'A' || word[0] > 'Z' {
		return false
	}
	for i := range len(word) {
		if c := word[i]; (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

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
