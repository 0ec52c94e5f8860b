package transit

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	published "agentd/domains/published/transit"
	"agentd/vfs"
)

// The kinds of elements other than the row.
const (
	tableKind = "table" // a file, with its name and folder
	lineKind  = "line"  // foreign text
)

// tableField is the field of a row that names its table.
const tableField = "table"

// elements flattens a document.
func elements(files vfs.Files) []domains.Element {
	var f flattener
	for _, t := range read(files) {
		f.addTable(t)
	}
	return f.elements
}

type flattener struct {
	elements []domains.Element
	lines    int
	room     []domains.Field // for the fields of rows to come
}

func (f *flattener) addTable(t table) {
	for _, line := range t.above {
		f.addLine(t.file, line)
	}
	if t.header == nil {
		return
	}
	folder, name := path.Split(t.file)
	file := domains.Element{Kind: tableKind, Key: "table " + t.file, Fields: []domains.Field{{Name: "name", Value: name}}}
	if folder != "" {
		file.Fields = append(file.Fields, domains.Field{Name: "folder", Value: folder})
	}
	columns := t.columns()
	for k := range columns {
		if !slices.ContainsFunc(t.rows, func(r row) bool { return !r.foreign && k < len(r.cells) && r.cells[k] != "" }) {
			file.Fields = append(file.Fields, domains.Field{Name: unusedColumn, Value: columns[k].name})
		}
	}
	f.elements = append(f.elements, file)
	called := caller(name, columns)
	rows := 0
	f.elements = slices.Grow(f.elements, len(t.rows))
	for _, r := range t.rows {
		if r.foreign {
			f.addLine(t.file, r.lines[0])
			continue
		}
		rows++
		f.elements = append(f.elements, domains.Element{
			Kind: "row", Key: called(r.cells, rows), Fields: f.rowFields(name, columns, r.cells),
		})
	}
}

func (f *flattener) addLine(file, line string) {
	f.lines++
	f.elements = append(f.elements, domains.Element{
		Kind: lineKind, Key: fmt.Sprintf("%s, line %d of text", file, f.lines), Position: f.lines,
		Fields: []domains.Field{{Value: pytext.Strip(line)}},
	})
}

// column is how the values below a name are read.
type column struct {
	name    string
	meaning meaning
	empty   string // what an empty value stands for
}

// columns returns the columns of the header: without a name by their place, and
// counted where there are several of one name.
func (t *table) columns() []column {
	columns := make([]column, len(t.header))
	times := make(map[string]int, len(t.header))
	for k, name := range t.header {
		name = pytext.Strip(name)
		columns[k] = column{name, meaningOf(name), defaultOf(name)}
		if name == "" {
			columns[k].name = nameByPlace(k)
			continue
		}
		if times[name]++; times[name] > 1 {
			columns[k].name += fmt.Sprintf(" (%d)", times[name])
		}
	}
	return columns
}

func nameByPlace(k int) string { return "column " + strconv.Itoa(k+1) }

// rowFields are the values of a row. Empty ones are none, so a short row is the
// same as one that was filled up, and an unused column means nothing.
func (f *flattener) rowFields(table string, columns []column, cells []string) []domains.Field {
	const many = 1024 // fields for which room is made at once
	if most := 1 + len(cells); cap(f.room)-len(f.room) < most {
		f.room = make([]domains.Field, 0, max(many, most))
	}
	start := len(f.room)
	f.room = append(f.room, domains.Field{Name: tableField, Value: table})
	for k, value := range cells {
		if value == "" {
			continue
		}
		var c column
		if k < len(columns) {
			c = columns[k]
		} else {
			c.name = nameByPlace(k)
		}
		if value = plainValue(value, c.meaning, c.empty); value != "" {
			f.room = append(f.room, domains.Field{Name: c.name, Value: value})
		}
	}
	return f.room[start:len(f.room):len(f.room)]
}

// caller returns what a practitioner calls the n-th row of a table.
func caller(table string, columns []column) func(cells []string, n int) string {
	const longest = 60
	label := published.KnownTables[table].Label
	places := make([]int, len(label))
	for p, part := range label {
		places[p] = -1
		for k := range columns {
			if columns[k].name == part.Column {
				places[p] = k
			}
		}
	}
	return func(cells []string, n int) string {
		var b strings.Builder
		for p, part := range label {
			if value := pytext.Strip(published.Cell(cells, places[p])); value != "" && len(value) <= longest {
				b.WriteString(part.Words)
				b.WriteString(value)
			}
		}
		return cmp.Or(b.String(), table+" row "+strconv.Itoa(n))
	}
}

// meaning is how the format reads the values of a column.
type meaning uint8

const (
	wording meaning = iota // identifiers, names and all else
	number
	clock
	colour
)

func meaningOf(column string) meaning {
	switch column {
	case "stop_lat", "stop_lon", "location_type", "wheelchair_boarding",
		"route_type", "route_sort_order", "continuous_pickup", "continuous_drop_off",
		"direction_id", "wheelchair_accessible", "bikes_allowed", "cars_allowed",
		"stop_sequence", "pickup_type", "drop_off_type", "shape_dist_traveled", "timepoint",
		"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "exception_type",
		"price", "payment_method", "transfers", "transfer_duration", "amount",
		"shape_pt_lat", "shape_pt_lon", "shape_pt_sequence",
		"headway_secs", "exact_times", "transfer_type", "min_transfer_time",
		"pathway_mode", "is_bidirectional", "length", "traversal_time", "stair_count", "max_slope", "min_width",
		"level_index":
		return number
	case "start_pickup_drop_off_window", "end_pickup_drop_off_window":
		return clock
	case "route_color", "route_text_color":
		return colour
	}
	if strings.HasSuffix(column, "_time") {
		return clock
	}
	return wording
}

// defaultOf is what the format takes an empty value of a column for, empty if for nothing.
func defaultOf(column string) string {
	switch column {
	case "location_type", "wheelchair_boarding", "wheelchair_accessible", "bikes_allowed", "cars_allowed",
		"pickup_type", "drop_off_type", "transfer_type", "exact_times":
		return "0"
	case "timepoint":
		return "1"
	case "route_color":
		return "FFFFFF"
	case "route_text_color":
		return "000000"
	}
	return ""
}

// plainValue writes a value in the one way that is equal for equal values. It
// is empty for what an empty value stands for.
func plainValue(value string, m meaning, empty string) string {
	value = pytext.Strip(value)
	switch m {
	case number:
		value = plain.Number(value)
	case clock:
		value = plainClock(value)
	case colour:
		value = strings.ToUpper(value)
	}
	if value == empty {
		return ""
	}
	return value
}

// plainClock writes a time with two digits of hours or more; what is no time of the format stays.
func plainClock(value string) string {
	hours, rest, ok := cutClock(value)
	if !ok {
		return value
	}
	hours = strings.TrimLeft(hours, "0")
	return strings.Repeat("0", max(0, 2-len(hours))) + hours + ":" + rest
}

// cutClock divides a time H:MM:SS of the format into its hours and the rest.
func cutClock(value string) (hours, rest string, ok bool) {
	hours, rest, _ = strings.Cut(value, ":")
	ok = plain.IsDigits(hours) && len(rest) == len("00:00") && rest[2] == ':' &&
		rest[0] <= '5' && rest[3] <= '5' && plain.IsDigits(rest[:2]+rest[3:])
	return hours, rest, ok
}

// unusedColumn is the field of a table that names a column without a value in any row.
const unusedColumn = "column without values"

// forgiven is what Strict compares: numbers by the order that they give, and no columns without values, unless one has another name.
func forgiven(reference, candidate []domains.Element) (ref, got []domains.Element) {
	ref, got = forgiveNumbers(reference, candidate)
	ofRef, ofGot := tables(ref), tables(got)
	ref, got = slices.Clone(ref), slices.Clone(got)
	for key, i := range ofRef {
		j, both := ofGot[key]
		if both && otherNames(ref[i].Fields, got[j].Fields) && otherNames(got[j].Fields, ref[i].Fields) {
			continue
		}
		ref[i].Fields = withoutUnused(ref[i].Fields)
		if both {
			got[j].Fields = withoutUnused(got[j].Fields)
		}
	}
	for key, j := range ofGot {
		if _, both := ofRef[key]; !both {
			got[j].Fields = withoutUnused(got[j].Fields)
		}
	}
	return ref, got
}

// tables are the places of the tables among elements.
func tables(elements []domains.Element) map[string]int {
	places := map[string]int{}
	for i := range elements {
		if elements[i].Kind == tableKind {
			places[elements[i].Key] = i
		}
	}
	return places
}

// otherNames reports whether a table has a column without values that another one has not.
func otherNames(fields, others []domains.Field) bool {
	return slices.ContainsFunc(fields, func(f domains.Field) bool { return f.Name == unusedColumn && !slices.Contains(others, f) })
}

func withoutUnused(fields []domains.Field) []domains.Field {
	return slices.DeleteFunc(slices.Clone(fields), func(f domains.Field) bool { return f.Name == unusedColumn })
}

// numbering is a column that only says the order of rows: the numbers must rise, and which they are means nothing.
type numbering struct {
	table, of, number string
	what              []string // the fields by which a numbered row is found again
}

var numberings = [...]numbering{
	{published.StopTimesFile, "trip_id", "stop_sequence", []string{"stop_id"}},
	{published.ShapesFile, "shape_id", "shape_pt_sequence", []string{"shape_pt_lat", "shape_pt_lon"}},
}

// forgiveNumbers gives the rows of the candidate's trips and shapes the numbers
// of the reference where their order is the same.
func forgiveNumbers(reference, candidate []domains.Element) (ref, got []domains.Element) {
	changed := false
	for _, n := range numberings {
		order, refRows := n.rows(reference)
		_, gotRows := n.rows(candidate)
		for _, name := range order {
			for at, number := range renumbered(refRows[name], gotRows[name]) {
				if !changed {
					candidate, changed = slices.Clone(candidate), true
				}
				fields := slices.Clone(candidate[at].Fields)
				k := slices.IndexFunc(fields, func(f domains.Field) bool { return f.Name == n.number })
				fields[k].Value = number
				candidate[at].Fields = fields
			}
		}
	}
	return reference, candidate
}

// numbered is a row with its number.
type numbered struct {
	at     int // among the elements
	number int
	digits string
	what   string
}

// rows returns the rows of each trip or shape in the order of their numbers. One
// with a number twice or without a number has no rows here.
func (n numbering) rows(elements []domains.Element) (names []string, rows map[string][]numbered) {
	rows = map[string][]numbered{}
	unordered := map[string]bool{}
	for at := range elements {
		e := &elements[at]
		if e.Kind != "row" || e.Value(tableField) != n.table {
			continue
		}
		name := e.Value(n.of)
		digits := e.Value(n.number)
		number, err := strconv.Atoi(digits)
		if err != nil {
			unordered[name] = true
		}
		if _, known := rows[name]; !known {
			names = append(names, name)
		}
		what := ""
		for _, field := range n.what {
			what += e.Value(field) + " "
		}
		rows[name] = append(rows[name], numbered{at, number, digits, what})
	}
	for _, name := range names {
		of := rows[name]
		slices.SortStableFunc(of, func(a, b numbered) int { return cmp.Compare(a.number, b.number) })
		for k := range of[1:] {
			unordered[name] = unordered[name] || of[k].number == of[k+1].number
		}
		if unordered[name] {
			rows[name] = nil
		}
	}
	return names, rows
}

// renumbered returns which rows of the candidate get which number of the
// reference: none if the numbers are the same or the order is not.
func renumbered(ref, got []numbered) map[int]string {
	places := make(map[string][]int, len(ref)) // in ref, of each content
	for k := range ref {
		places[ref[k].what] = append(places[ref[k].what], k)
	}
	numbers := map[int]string{}
	last := -1
	for _, g := range got {
		of := places[g.what]
		if len(of) == 0 {
			continue
		}
		if of[0] < last {
			return nil
		}
		last, places[g.what] = of[0], of[1:]
		if r := ref[of[0]]; r.number != g.number {
			numbers[g.at] = r.digits
		}
	}
	return numbers
}
