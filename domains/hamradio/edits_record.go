package hamradio

import (
	"math"
	"slices"
	"strings"
	"time"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
)

// find returns the record's first field of a name, -1 if it has none.
func (r *record) find(name string) int {
	return slices.IndexFunc(r.fields, func(f field) bool { return f.is(name) })
}

// set gives the record's first field of a name another value, if it has one.
func (r *record) set(name, value string) {
	if at := r.find(name); at >= 0 {
		r.fields[at].value = value
	}
}

// add puts a field after the last one, on its line.
func (r *record) add(name, value string) {
	f := field{name: name, value: value}
	if len(r.fields) > 0 {
		if last := &r.fields[len(r.fields)-1]; strings.TrimSpace(last.after) == "" {
			f.after = last.after
			last.after = strings.Trim(last.after, "\n")
		}
	}
	r.fields = append(r.fields, f)
}

// remove drops a field; what follows it stays.
func (r *record) remove(at int) {
	after := r.fields[at].after
	r.fields = slices.Delete(r.fields, at, at+1)
	if at == 0 {
		return
	}
	if before := &r.fields[at-1]; strings.TrimSpace(before.after) == "" {
		before.after = after
	} else {
		before.after += after
	}
}

// removeAll drops the fields of a name.
func (log *adif) removeAll(name string) {
	for i := range log.records {
		for r := &log.records[i]; ; {
			at := r.find(name)
			if at < 0 {
				break
			}
			r.remove(at)
		}
	}
}

// number is the value of a field as a number; records without one come last.
func (r *record) number(field string) float64 {
	number, ok := pytext.Float(normalNumber(r.value(field)))
	if !ok || math.IsNaN(number) {
		return math.Inf(1)
	}
	return number
}

// shift moves a date and time; a time without a date stays within its day, and
// what cannot be read stays as it is.
func (r *record) shift(dateField, timeField string, by time.Duration) {
	const dateLayout = "20060102"
	layout := "1504"
	clock, date := r.value(timeField), r.value(dateField)
	if len(clock) == len("150405") {
		layout = "150405"
	}
	if at, err := time.Parse(dateLayout+layout, date+clock); err == nil {
		r.set(dateField, at.Add(by).Format(dateLayout))
		r.set(timeField, at.Add(by).Format(layout))
	} else if at, err := time.Parse(layout, clock); err == nil {
		r.set(timeField, at.Add(by).Format(layout))
	}
}

// confirmations lists the ways by which a confirmation was sent or received.
func (r *record) confirmations(direction string) string {
	var ways []string
	for _, way := range []struct{ field, name string }{
		{"QSL_", "card"}, {"LOTW_QSL_", "LoTW"}, {"EQSL_QSL_", "eQSL"},
	} {
		if strings.EqualFold(r.value(way.field+direction), "Y") {
			ways = append(ways, way.name)
		}
	}
	if len(ways) == 0 {
		return "none"
	}
	return strings.Join(ways, ", ")
}

// distance is that of the centres of MY_GRIDSQUARE and GRIDSQUARE, in whole
// kilometres.
func (r *record) distance() (km int, ok bool) {
	lat1, lon1, ok1 := gridCentre(r.value("MY_GRIDSQUARE"))
	lat2, lon2, ok2 := gridCentre(r.value("GRIDSQUARE"))
	if !ok1 || !ok2 {
		return 0, false
	}
	return int(math.Round(plain.Metres(lat1, lon1, lat2, lon2) / 1000)), true
}

// gridCentre is the centre, in degrees, of a Maidenhead locator of four or six
// characters: fields of 20° × 10°, squares of 2° × 1°, subsquares of 5' × 2.5'.
func gridCentre(locator string) (lat, lon float64, ok bool) {
	locator = strings.ToUpper(locator)
	if len(locator) != 4 && len(locator) != 6 {
		return 0, 0, false
	}
	width, height := 20.0, 10.0
	lat, lon = -90, -180
	for at, steps := range []struct {
		first, last byte
		divide      float64
	}{{'A', 'R', 10}, {'0', '9', 24}, {'A', 'X', 1}} {
		if 2*at == len(locator) {
			break
		}
		x, y := locator[2*at], locator[2*at+1]
		if min(x, y) < steps.first || max(x, y) > steps.last {
			return 0, 0, false
		}
		lon += float64(float64(x-steps.first) * width)
		lat += float64(float64(y-steps.first) * height)
		if 2*at+2 < len(locator) {
			width, height = width/steps.divide, height/steps.divide
		}
	}
	return lat + height/2, lon + width/2, true
}

// isSetup reports whether a field describes the own station.
func isSetup(f *field) bool {
	name := strings.ToUpper(f.name)
	return strings.HasPrefix(name, "MY_") || name == "STATION_CALLSIGN" || name == "OPERATOR"
}

// takeSetup removes the fields of the own station but the first, the place of
// which it returns; -1 if there is none.
func (r *record) takeSetup() (setup map[string]string, first int) {
	setup, first = map[string]string{}, -1
	for at := 0; at < len(r.fields); at++ {
		f := &r.fields[at]
		if !isSetup(f) {
			continue
		}
		setup[strings.ToUpper(f.name)] = strings.TrimSpace(f.value)
		if first < 0 {
			first = at
			continue
		}
		r.remove(at)
		at--
	}
	return setup, first
}
