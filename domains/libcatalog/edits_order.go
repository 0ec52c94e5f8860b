package libcatalog

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// The file of the catalogue by year, and the local field that says why a
// record stands where it does.
const (
	erasFile      = "by_year.xml"
	shelfTag      = "991"
	referenceYear = 2025
)

// sortByYear adds the decade, the age and its class, and the position to each
// record and puts the oldest first. A record without a year has the position
// only and comes before.
func sortByYear(files vfs.Files) (vfs.Files, error) {
	records, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	years := make(map[string]int, len(records))
	for i := range records {
		r := &records[i]
		position := strconv.Itoa(i + 1)
		year, ok := r.year()
		shelf := field{tag: shelfTag, indicator: [2]string{" ", " "}}
		if ok {
			age := referenceYear - year
			shelf.subfields = []subfield{
				{"a", strconv.Itoa(year/10*10) + "s"}, {"b", strconv.Itoa(age)}, {"c", ageClass(age)},
			}
		}
		shelf.subfields = append(shelf.subfields, subfield{"d", position})
		r.fields = append(r.fields, shelf)
		years[position] = year
	}
	slices.SortStableFunc(records, func(a, b record) int {
		return cmp.Compare(years[a.shelfPosition()], years[b.shelfPosition()])
	})
	return vfs.Files{erasFile: printed(records)}, nil
}

// year is that of the first date in the 008, with u for a digit that is not
// known read as 0.
func (r *record) year() (int, bool) {
	const from, to = 7, 11
	for i := range r.fields {
		if data := r.fields[i].data; r.fields[i].tag == "008" && len(data) >= to {
			year, err := strconv.Atoi(strings.ReplaceAll(data[from:to], "u", "0"))
			return max(year, 0), err == nil
		}
	}
	return 0, false
}

func ageClass(age int) string {
	switch {
	case age >= 100:
		return "antiquarian"
	case age >= 50:
		return "older"
	}
	return "recent"
}

// shelfPosition is the position that the last local field notes.
func (r *record) shelfPosition() string {
	for i := len(r.fields) - 1; i >= 0; i-- {
		if f := &r.fields[i]; f.tag == shelfTag {
			if position := f.first("d"); position != nil {
				return strings.TrimSpace(*position)
			}
		}
	}
	return ""
}

func sortByPosition(files vfs.Files) (vfs.Files, error) {
	records, err := readNamed(files, erasFile)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(records, func(a, b record) int {
		return plain.ByNumber([]string{a.shelfPosition()}, []string{b.shelfPosition()})
	})
	for i := range records {
		records[i].fields = slices.DeleteFunc(records[i].fields, func(f field) bool { return f.tag == shelfTag })
	}
	return asDocument(records), nil
}

// Files of the catalogue with fields sorted by tag.
const (
	sortedFile = "sorted_fields.xml"
	orderFile  = "field_order.json"
)

// fieldOrder says where the fields of a record stood.
type fieldOrder struct {
	ControlNumber string `json:"control_number"`
	Places        []int  `json:"places"` // from 1, in the order they are in now
}

// sortFields sorts the data fields of each record by tag, then by the value of
// the first subfield.
func sortFields(files vfs.Files) (vfs.Files, error) {
	records, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	orders := make([]fieldOrder, len(records))
	for i := range records {
		data := records[i].dataFields()
		places := make([]int, len(data))
		for n := range places {
			places[n] = n + 1
		}
		slices.SortStableFunc(places, func(a, b int) int { return byTagAndText(data[a-1], data[b-1]) })
		records[i].putDataFields(permuted(data, places))
		orders[i] = fieldOrder{records[i].id(), places}
	}
	return vfs.Files{sortedFile: printed(records), orderFile: jsonArray(orders)}, nil
}

func byTagAndText(a, b field) int {
	return cmp.Or(cmp.Compare(a.tag, b.tag), cmp.Compare(a.firstText(), b.firstText()))
}

func (f *field) firstText() string {
	if len(f.subfields) == 0 {
		return ""
	}
	return f.subfields[0].value
}

// dataFields are the fields of a record that are no control fields.
func (r *record) dataFields() []field {
	var data []field
	for _, f := range r.fields {
		if !f.control {
			data = append(data, f)
		}
	}
	return data
}

// putDataFields puts data fields in the given order where there are data
// fields now.
func (r *record) putDataFields(data []field) {
	next := 0
	for i := range r.fields {
		if !r.fields[i].control {
			r.fields[i] = data[next]
			next++
		}
	}
}

// permuted are the fields from the given places.
func permuted(data []field, places []int) []field {
	moved := make([]field, len(places))
	for n, place := range places {
		moved[n] = data[place-1]
	}
	return moved
}

// unsortFields puts each data field at the place that the list gives for it.
// Those without a place come last.
func unsortFields(files vfs.Files) (vfs.Files, error) {
	records, err := readNamed(files, sortedFile)
	if err != nil {
		return nil, err
	}
	var orders []fieldOrder
	if err := plain.JSON(files, orderFile, &orders); err != nil {
		return nil, err
	}
	byID := map[string][]int{}
	for _, o := range orders {
		byID[o.ControlNumber] = o.Places
	}
	for i := range records {
		data := records[i].dataFields()
		places := byID[records[i].id()]
		now := make([]int, len(data)) // from 1, in the order they get
		for n := range now {
			now[n] = n + 1
		}
		placeOf := func(n int) int {
			if n > len(places) {
				return math.MaxInt
			}
			return places[n-1]
		}
		slices.SortStableFunc(now, func(a, b int) int { return cmp.Compare(placeOf(a), placeOf(b)) })
		records[i].putDataFields(permuted(data, now))
	}
	return asDocument(records), nil
}
