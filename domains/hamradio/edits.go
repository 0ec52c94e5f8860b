package hamradio

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// document is the file that every backward step leaves.
const document = "na038_2023.adi"

func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "band_split", Forward: splitByBand, Backward: mergeBands},
		{Name: "zone_files", Forward: splitByZone, Backward: mergeZones},
		{Name: "contact_table", Forward: toTable, Backward: fromTable},
		{Name: "local_time", Forward: toLocalTime, Backward: toUTC},
		{Name: "qsl_status", Forward: addStatus, Backward: removeStatus},
		{Name: "grid_distance", Forward: addDistance, Backward: removeDistance},
		{Name: "station_setups", Forward: nameSetups, Backward: writeSetups},
		{Name: "comment_codes", Forward: splitComments, Backward: joinComments},
	}
}

var errNoContact = errors.New("no .adi file with a contact")

// readDocument reads the logs that a forward step is given, as one.
func readDocument(files vfs.Files) (adif, error) {
	var log adif
	for n, p := range readParts(files) {
		if n == 0 {
			log.header = p.header
		}
		log.records = append(log.records, p.records...)
	}
	if len(log.records) == 0 {
		return adif{}, errNoContact
	}
	return log, nil
}

// readNamed reads the log that a backward step needs.
func readNamed(files vfs.Files, name string) (adif, error) {
	text, err := plain.File(files, name)
	if err != nil {
		return adif{}, err
	}
	log := read(text)
	if len(log.records) == 0 {
		return adif{}, fmt.Errorf("%s has no contact", name)
	}
	return log, nil
}

func asDocument(log adif) vfs.Files { return vfs.Files{document: log.print()} }

// part is one of several files that make up a log.
type part struct {
	name string
	adif
}

// readParts reads the log files in name order.
func readParts(files vfs.Files) []part {
	files = files.Match([]string{"*.adi", "*.adif"})
	var parts []part
	for _, name := range files.Names() {
		parts = append(parts, part{name, read(files[name])})
	}
	return parts
}

// split hands the contacts out, in order, to the files that fileOf names; each
// gets the header.
func split(log adif, fileOf func(*record) string) map[string]*adif {
	parts := map[string]*adif{}
	for i := range log.records {
		name := fileOf(&log.records[i])
		if parts[name] == nil {
			parts[name] = &adif{header: log.header}
		}
		parts[name].records = append(parts[name].records, log.records[i])
	}
	return parts
}

// place says where a contact is: in which file, and the how many-th there.
type place struct {
	file   string
	number int
}

// mergeInOrder puts the contacts in the order of their places. Those that have
// none come last.
func mergeInOrder(files vfs.Files, order []place) (vfs.Files, error) {
	at := make(map[place]int, len(order))
	for n, p := range order {
		at[p] = n
	}
	parts := readParts(files)
	places := map[*record]int{}
	var records []*record
	for i := range parts {
		for k := range parts[i].records {
			r := &parts[i].records[k]
			n, ok := at[place{parts[i].name, k + 1}]
			if !ok {
				n = len(order)
			}
			places[r] = n
			records = append(records, r)
		}
	}
	if len(records) == 0 {
		return nil, errNoContact
	}
	slices.SortStableFunc(records, func(a, b *record) int { return cmp.Compare(places[a], places[b]) })
	log := adif{header: parts[0].header}
	for _, r := range records {
		log.records = append(log.records, *r)
	}
	return asDocument(log), nil
}

// sorted returns a log in another order, with a table that says of each contact
// in the new order which one it was.
func sorted(log adif, compare func(a, b *record) int) (adif, string) {
	order := make([]int, len(log.records))
	for n := range order {
		order[n] = n
	}
	slices.SortStableFunc(order, func(a, b int) int { return compare(&log.records[a], &log.records[b]) })
	table := [][]string{{"position", "call"}}
	another := adif{header: log.header}
	for _, n := range order {
		r := log.records[n]
		another.records = append(another.records, r)
		table = append(table, []string{strconv.Itoa(n + 1), r.value("CALL")})
	}
	return another, plain.WriteCSV(table)
}

// inLogOrder undoes sorted. Contacts are known by their calls, those of one call
// by their order; one that the table does not have comes last.
func inLogOrder(log adif, files vfs.Files, table string) (adif, error) {
	rows, err := plain.Table(files, table, "position", "call")
	if err != nil {
		return adif{}, err
	}
	positions := map[string][]int{}
	for _, row := range rows {
		call := strings.ToUpper(strings.TrimSpace(row[1]))
		positions[call] = append(positions[call], count(row[0]))
	}
	type placed struct {
		position int
		record   record
	}
	all := make([]placed, len(log.records))
	for i := range log.records {
		all[i] = placed{math.MaxInt, log.records[i]}
		call := strings.ToUpper(log.records[i].value("CALL"))
		if left := positions[call]; len(left) > 0 {
			all[i].position, positions[call] = left[0], left[1:]
		}
	}
	slices.SortStableFunc(all, func(a, b placed) int { return cmp.Compare(a.position, b.position) })
	for i := range all {
		log.records[i] = all[i].record
	}
	return log, nil
}

// count reads a number from a cell, 0 if it is none.
func count(cell string) int {
	n, _ := strconv.Atoi(strings.TrimSpace(cell))
	return n
}

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
