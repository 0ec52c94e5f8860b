package weather

import (
	"strings"
	"sync"

	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// document is the two readings of a bulletin, each made when it is first needed. The published
// program repairs the section titles of a candidate, but not those of a reference: which
// reading a document gets is known only when it is compared.
type document struct{ asWritten, repaired func() bulletin }

func parse(files vfs.Files) (document, error) {
	return document{
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

var headerLabels = [...]string{"DTG:", "REGION:", "STATIONS:", "AVIATION WEATHER BULLETIN"}

const titleItem = 3

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
	for item, label := range headerLabels {
		value, ok := strings.CutPrefix(line, label)
		if !ok {
			continue
		}
		if item == titleItem {
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
