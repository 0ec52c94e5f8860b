package hamradio

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const localFile = "na038_2023_adt.adi"

// atlanticDaylight is the islands' time in summer, three hours after UTC.
const atlanticDaylight = -3 * time.Hour

// toLocalTime writes dates and times in Atlantic Daylight Time.
func toLocalTime(files vfs.Files) (vfs.Files, error) {
	log, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	log.shift(atlanticDaylight)
	return vfs.Files{localFile: log.print()}, nil
}

func toUTC(files vfs.Files) (vfs.Files, error) {
	log, err := readNamed(files, localFile)
	if err != nil {
		return nil, err
	}
	log.shift(-atlanticDaylight)
	return asDocument(log), nil
}

func (log *adif) shift(by time.Duration) {
	for i := range log.records {
		log.records[i].shift("QSO_DATE", "TIME_ON", by)
		log.records[i].shift("QSO_DATE_OFF", "TIME_OFF", by)
	}
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

const (
	statusFile      = "na038_2023_qsl.adi"
	statusOrderFile = "qsl_order.csv"
	statusField     = "APP_QSL_STATUS"
)

// addStatus sums up each contact's confirmations and sorts the log by call.
func addStatus(files vfs.Files) (vfs.Files, error) {
	log, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	log, order := sorted(log, func(a, b *record) int { return strings.Compare(a.value("CALL"), b.value("CALL")) })
	for i := range log.records {
		r := &log.records[i]
		r.add(statusField, "sent: "+r.confirmations("SENT")+"; rcvd: "+r.confirmations("RCVD"))
	}
	return vfs.Files{statusFile: log.print(), statusOrderFile: order}, nil
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

func removeStatus(files vfs.Files) (vfs.Files, error) {
	return withoutField(files, statusFile, statusField, statusOrderFile)
}

// withoutField takes a field that was added out of a log that was sorted.
func withoutField(files vfs.Files, name, field, order string) (vfs.Files, error) {
	log, err := readNamed(files, name)
	if err != nil {
		return nil, err
	}
	log.removeAll(field)
	log, err = inLogOrder(log, files, order)
	if err != nil {
		return nil, err
	}
	return asDocument(log), nil
}

const (
	distanceFile      = "na038_2023_km.adi"
	distanceOrderFile = "km_order.csv"
	distanceField     = "APP_DIST_KM"
)

// addDistance adds the distance between the stations' grid squares and sorts
// the log by it, farthest first.
func addDistance(files vfs.Files) (vfs.Files, error) {
	log, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	for i := range log.records {
		if km, ok := log.records[i].distance(); ok {
			log.records[i].add(distanceField, strconv.Itoa(km))
		}
	}
	log, order := sorted(log, func(a, b *record) int {
		return -cmp.Compare(kilometres(a), kilometres(b))
	})
	return vfs.Files{distanceFile: log.print(), distanceOrderFile: order}, nil
}

// kilometres is the distance that was added, -1 if there is none.
func kilometres(r *record) int {
	km, err := strconv.Atoi(r.value(distanceField))
	if err != nil {
		return -1
	}
	return km
}

func removeDistance(files vfs.Files) (vfs.Files, error) {
	return withoutField(files, distanceFile, distanceField, distanceOrderFile)
}

// distance is that of the centres of MY_GRIDSQUARE and GRIDSQUARE, in whole
// kilometres.
func (r *record) distance() (km int, ok bool) {
	lat1, lon1, ok1 := gridCentre(r.value("MY_GRIDSQUARE"))
	lat2, lon2, ok2 := gridCentre(r.value("GRIDSQUARE"))
	if !ok1 || !ok2 {
		return 0, false
	}
	const radius, degree = 6371.0, math.Pi / 180
	square := func(x float64) float64 { return float64(x * x) }
	h := square(math.Sin((lat2-lat1)*degree/2)) +
		float64(math.Cos(lat1*degree)*math.Cos(lat2*degree)*square(math.Sin((lon2-lon1)*degree/2)))
	return int(math.Round(2 * radius * math.Asin(math.Sqrt(min(h, 1))))), true
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

const (
	setupFile  = "na038_2023_short.adi"
	setupsFile = "setups.json"
	setupField = "APP_SETUP"
)

// isSetup reports whether a field describes the own station.
func isSetup(f *field) bool {
	name := strings.ToUpper(f.name)
	return strings.HasPrefix(name, "MY_") || name == "STATION_CALLSIGN" || name == "OPERATOR"
}

// nameSetups replaces the fields of the own station by the name of their
// combination.
func nameSetups(files vfs.Files) (vfs.Files, error) {
	log, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	setups := map[string]map[string]string{}
	names := map[string]string{} // by combination
	for i := range log.records {
		setup, at := log.records[i].takeSetup()
		if at < 0 {
			continue
		}
		combination := fmt.Sprintf("%q", setup)
		if names[combination] == "" {
			names[combination] = "S" + strconv.Itoa(len(names)+1)
			setups[names[combination]] = setup
		}
		f := &log.records[i].fields[at]
		f.name, f.kind, f.value = setupField, "", names[combination]
	}
	var legend bytes.Buffer
	encoder := json.NewEncoder(&legend)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(setups) // maps of strings cannot fail
	return vfs.Files{setupFile: log.print(), setupsFile: legend.String()}, nil
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

// writeSetups writes the fields out, in the order of their names.
func writeSetups(files vfs.Files) (vfs.Files, error) {
	log, err := readNamed(files, setupFile)
	if err != nil {
		return nil, err
	}
	var setups map[string]map[string]string
	if err := plain.JSON(files, setupsFile, &setups); err != nil {
		return nil, err
	}
	for i := range log.records {
		r := &log.records[i]
		at := r.find(setupField)
		setup := setups[r.value(setupField)]
		if at < 0 || len(setup) == 0 {
			continue
		}
		var fields []field
		for _, name := range slices.Sorted(maps.Keys(setup)) {
			fields = append(fields, field{name: name, value: setup[name]})
		}
		fields[len(fields)-1].after = r.fields[at].after
		r.fields = slices.Replace(r.fields, at, at+1, fields...)
	}
	return asDocument(log), nil
}

const (
	codedFile   = "na038_2023_iota.adi"
	serialField = "APP_IOTA_SERIAL"
	refField    = "APP_IOTA_REF"
)

// contestComment is the form of comments such as "iota,118,EU-005".
var contestComment = regexp.MustCompile(`^iota,([0-9]+),([^,\s]+)$`)

// splitComments makes two fields of comments that hold a contest exchange.
func splitComments(files vfs.Files) (vfs.Files, error) {
	log, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	for i := range log.records {
		r := &log.records[i]
		if parts := contestComment.FindStringSubmatch(r.value("COMMENT")); parts != nil {
			at := r.find("COMMENT")
			r.fields = slices.Replace(r.fields, at, at+1,
				field{name: serialField, value: parts[1]},
				field{name: refField, value: parts[2], after: r.fields[at].after})
		}
	}
	return vfs.Files{codedFile: log.print()}, nil
}

func joinComments(files vfs.Files) (vfs.Files, error) {
	log, err := readNamed(files, codedFile)
	if err != nil {
		return nil, err
	}
	for i := range log.records {
		r := &log.records[i]
		serial, ref := r.find(serialField), r.find(refField)
		if serial < 0 || ref < 0 {
			continue
		}
		f := &r.fields[serial]
		f.name, f.kind, f.value = "COMMENT", "", "iota,"+r.value(serialField)+","+r.value(refField)
		r.remove(ref)
	}
	return asDocument(log), nil
}
