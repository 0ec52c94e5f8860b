package hamradio

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// logs says how logs are taken apart and put together. Each part has the header.
var logs = exact.Format[adif, record]{
	Patterns: []string{"*.adi", "*.adif"},
	Read:     read,
	Print:    func(log adif) string { return log.print() },
	Parts:    func(log *adif) *[]record { return &log.records },
	Shell:    func(log adif) adif { return adif{header: log.header} },
	Empty:    errors.New("no .adi file with a contact"),
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("split_by_field", splitByField),
		domains.Taking("split_and_sort", splitAndSort),
		domains.Taking("table", inTable),
		domains.Taking("shift_times", shiftTimes),
		domains.Taking("add_confirmations", addConfirmations),
		domains.Taking("add_distance", addDistance),
		domains.Taking("name_setups", nameSetups),
		domains.Taking("split_comments", splitComments),
	}
}

// fileOf names the file for the contacts with a value of a field.
func (r *record) fileOf(begins, field string) string {
	value := strings.ToLower(normalNumber(r.value(field)))
	fits := func(r rune) bool { return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r == '.' }
	if value == "" || strings.HasPrefix(value, ".") || prefixOf(value, fits) < len(value) {
		value = "none"
	}
	return begins + value + ".adi"
}

// splitByField makes a file of the contacts with each value of a field.
func splitByField(p struct{ Document, Field, Begins, Table string }) exact.Steps {
	return logs.Split(p.Document, "", p.Table, func(r *record) (string, []string) { return r.fileOf(p.Begins, p.Field), nil })
}

// splitAndSort does the same, and sorts each file by the numbers of another field.
func splitAndSort(p struct{ Document, Field, Begins, By, Table string }) exact.Steps {
	forward := func(log adif) (vfs.Files, error) {
		files := lists.Each(log.records, func(r *record) string { return r.fileOf(p.Begins, p.Field) })
		numbers := lists.Each(log.records, func(r *record) float64 { return r.number(p.By) })
		compare := func(a, b int) int { return cmp.Compare(numbers[a], numbers[b]) }
		return logs.DivideSorted(log, "", p.Table, files, compare), nil
	}
	return logs.Whole(p.Document, forward, func(files vfs.Files) (adif, error) {
		return logs.MergeSorted(files, "", p.Table)
	})
}

// inTable makes a row of each contact, sorted by call.
func inTable(p struct{ Document, Table, Header string }) exact.Steps {
	forward := func(log adif) (vfs.Files, error) {
		columns, known := []string{"position"}, map[string]bool{}
		for i := range log.records {
			for k := range log.records[i].fields {
				if name := strings.ToUpper(log.records[i].fields[k].name); !known[name] {
					known[name] = true
					columns = append(columns, name)
				}
			}
		}
		rows := [][]string{columns}
		for n, position := range logs.Sort(&log, byCall) {
			row := []string{strconv.Itoa(position)}
			for _, name := range columns[1:] {
				row = append(row, log.records[n].value(name))
			}
			rows = append(rows, row)
		}
		header := strings.TrimRight(log.header.print(), "\n")
		if header != "" {
			header += "\n"
		}
		return vfs.Files{p.Table: plain.WriteCSV(rows), p.Header: header}, nil
	}
	return logs.Whole(p.Document, forward, func(files vfs.Files) (adif, error) {
		text, err := plain.File(files, p.Table)
		if err != nil {
			return adif{}, err
		}
		header, err := plain.File(files, p.Header)
		if err != nil {
			return adif{}, err
		}
		rows, err := plain.ReadCSV(text)
		if err != nil {
			return adif{}, fmt.Errorf("reading %s: %w", p.Table, err)
		}
		if len(rows) < 2 {
			return adif{}, fmt.Errorf("%s has no contact", p.Table)
		}
		columns := rows[0]
		slices.SortStableFunc(rows[1:], plain.ByNumber)
		var b strings.Builder
		b.WriteString(header)
		for _, row := range rows[1:] {
			r := record{end: endOfRecord, after: "\n"}
			for k, value := range row {
				if k > 0 && k < len(columns) && strings.TrimSpace(value) != "" {
					r.fields = append(r.fields, field{name: strings.TrimSpace(columns[k]), value: strings.TrimSpace(value)})
				}
			}
			r.print(&b)
		}
		return read(b.String()), nil
	})
}

func byCall(a, b *record) int { return strings.Compare(a.value("CALL"), b.value("CALL")) }

// shiftTimes writes dates and times in another zone.
func shiftTimes(p struct {
	Document, To string
	Hours        int // that the other one is ahead
}) exact.Steps {
	by := time.Duration(p.Hours) * time.Hour
	return logs.Change(p.Document, p.To, func(log *adif) { log.shift(by) }, func(log *adif) { log.shift(-by) })
}

func (log *adif) shift(by time.Duration) {
	for i := range log.records {
		log.records[i].shift("QSO_DATE", "TIME_ON", by)
		log.records[i].shift("QSO_DATE_OFF", "TIME_OFF", by)
	}
}

// sorted is an edit that adds a field, sorts the log, and keeps in a table which contact of the
// document each one was. On the way back contacts are known by their calls, those of one call
// by their order.
func sorted(document, to, field, table string, value func(*record) string, compare func(a, b *record) int) exact.Steps {
	change := func(log *adif) (vfs.Files, error) {
		for i := range log.records {
			if added := value(&log.records[i]); added != "" {
				log.records[i].add(field, added)
			}
		}
		rows := [][]string{{"position", "call"}}
		for n, position := range logs.Sort(log, compare) {
			rows = append(rows, []string{strconv.Itoa(position), log.records[n].value("CALL")})
		}
		return vfs.Files{table: plain.WriteCSV(rows)}, nil
	}
	return logs.Rewrite(document, to, change, func(log *adif, files vfs.Files) error {
		log.removeAll(field)
		rows, err := plain.Table(files, table, "position", "call")
		places := plain.NotesBy(rows, func(row []string) string { return strings.ToUpper(strings.TrimSpace(row[1])) })
		logs.SortByNumber(log, func(r *record) (int, bool) { return places.TakeNumber(strings.ToUpper(r.value("CALL"))) })
		return err
	})
}

// addConfirmations sums up each contact's confirmations and sorts the log by call.
func addConfirmations(p struct{ Document, To, Field, Table string }) exact.Steps {
	return sorted(p.Document, p.To, p.Field, p.Table, func(r *record) string {
		return "sent: " + r.confirmations("SENT") + "; rcvd: " + r.confirmations("RCVD")
	}, byCall)
}

// addDistance adds the distance between the stations' grid squares and sorts
// the log by it, farthest first.
func addDistance(p struct{ Document, To, Field, Table string }) exact.Steps {
	kilometres := func(r *record) int {
		if km, err := strconv.Atoi(r.value(p.Field)); err == nil {
			return km
		}
		return -1
	}
	return sorted(p.Document, p.To, p.Field, p.Table, func(r *record) string {
		if km, ok := r.distance(); ok {
			return strconv.Itoa(km)
		}
		return ""
	}, func(a, b *record) int { return -cmp.Compare(kilometres(a), kilometres(b)) })
}

// nameSetups replaces the fields of the own station by the name of their
// combination.
func nameSetups(p struct {
	Document, To string
	Field        string // of the name
	First        string // name
	List         string
}) exact.Steps {
	change := func(log *adif) (map[string]map[string]string, error) {
		setups := map[string]map[string]string{}
		names := exact.Codes{New: exact.Counting(p.First)}
		for i := range log.records {
			setup, at := log.records[i].takeSetup()
			if at < 0 {
				continue
			}
			name := names.Of(fmt.Sprintf("%q", setup))
			setups[name] = setup
			f := &log.records[i].fields[at]
			f.name, f.kind, f.value = p.Field, "", name
		}
		return setups, nil
	}
	restore := func(log *adif, setups map[string]map[string]string) error {
		for i := range log.records {
			r := &log.records[i]
			at, setup := r.find(p.Field), setups[r.value(p.Field)]
			if at < 0 || len(setup) == 0 {
				continue
			}
			names := slices.Sorted(maps.Keys(setup))
			fields := lists.Map(names, func(name string) field { return field{name: name, value: setup[name]} })
			fields[len(fields)-1].after = r.fields[at].after
			r.fields = slices.Replace(r.fields, at, at+1, fields...)
		}
		return nil
	}
	return exact.Keeping(&logs, p.Document, p.To, p.List, change, restore)
}

// splitComments makes two fields of comments such as "iota,118,EU-005": a word, a number and a
// reference.
func splitComments(p struct{ Document, To, Word, Number, Reference string }) exact.Steps {
	form := regexp.MustCompile(`^` + regexp.QuoteMeta(p.Word) + `,([0-9]+),([^,\s]+)$`)
	change := func(log *adif) {
		for i := range log.records {
			r := &log.records[i]
			if parts := form.FindStringSubmatch(r.value("COMMENT")); parts != nil {
				at := r.find("COMMENT")
				r.fields = slices.Replace(r.fields, at, at+1,
					field{name: p.Number, value: parts[1]},
					field{name: p.Reference, value: parts[2], after: r.fields[at].after})
			}
		}
	}
	return logs.Change(p.Document, p.To, change, func(log *adif) {
		for i := range log.records {
			r := &log.records[i]
			number, reference := r.find(p.Number), r.find(p.Reference)
			if number < 0 || reference < 0 {
				continue
			}
			f := &r.fields[number]
			f.name, f.kind, f.value = "COMMENT", "", p.Word+","+r.value(p.Number)+","+r.value(p.Reference)
			r.remove(reference)
		}
	})
}
