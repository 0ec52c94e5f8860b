package transit

import (
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	published "agentd/domains/published/transit"
	"agentd/vfs"
)

// table is a file by the format's own rules, its cells as they are written.
// Rows may be shorter or longer than the header.
type table struct {
	file   string
	above  []string // lines above the header, all lines of what is no table
	top    string   // the line of the header
	header []string // nil if the file is no table
	rows   []row
}

// row is a record, or a line of foreign text among them.
type row struct {
	cells   []string
	lines   []string // as they are written
	foreign bool
}

// read is the tolerant reading: of any files, with any line ends, without byte
// order marks, code fences and blank lines.
func read(files vfs.Files) []table {
	return lists.Map(files.Names(), func(name string) table { return readTable(name, files[name]) })
}

func readTable(name, content string) table {
	t := table{file: name}
	lines := plain.Lines(content)
	top := headerPlace(lines)
	for n, line := range lines {
		if pytext.Strip(line) != "" && (top < 0 || n < top) {
			t.above = append(t.above, line)
		}
	}
	if top < 0 {
		return t
	}
	t.top = lines[top]
	t.header, _ = split(t.top)
	t.rows = make([]row, 0, len(lines)-top-1)
	for rest := lines[top+1:]; len(rest) > 0; {
		if pytext.Strip(rest[0]) == "" {
			rest = rest[1:]
			continue
		}
		cells, n := t.record(rest)
		t.rows = append(t.rows, row{cells: cells, lines: rest[:n], foreign: t.isForeign(cells)})
		rest = rest[n:]
	}
	return t
}

// headerPlace returns which line is the header: the first with the name of a key among its cells, otherwise the first
// if it has nothing but names. It is -1 if the lines are no table.
func headerPlace(lines []string) int {
	const most = 20 // lines of an introduction
	first, named := -1, false
	for n, line := range lines[:min(most, len(lines))] {
		if pytext.Strip(line) == "" {
			continue
		}
		cells, _ := split(line)
		if slices.ContainsFunc(cells, func(name string) bool { return slices.Contains(keyNames, pytext.Strip(name)) }) {
			return n
		}
		if first < 0 {
			first, named = n, areNames(cells)
		}
	}
	if !named {
		return -1
	}
	return first
}

// keyNames are columns that tell a table of the format.
var keyNames = []string{
	"agency_id", "agency_name", "stop_id", "route_id", "trip_id", "service_id", "fare_id", "shape_id",
	"from_stop_id", "pathway_id", "level_id", "feed_publisher_name", "zone_id", "network_id", "area_id",
}

// areNames reports whether all cells could be names of columns, and one is.
func areNames(cells []string) bool {
	named := strings.Join(cells, "")
	return pytext.Strip(named) != "" && !slices.ContainsFunc(cells, func(name string) bool {
		return !isName(strings.ReplaceAll(pytext.Strip(name), ".", ""))
	})
}

// isName reports whether a text has nothing but what may stand in an identifier.
func isName(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}

// isForeign reports whether a record is a sentence rather than a row.
func (t *table) isForeign(cells []string) bool {
	return len(cells) == 1 && len(t.header) > 1 && strings.Contains(pytext.Strip(cells[0]), " ")
}

// record reads the record with which lines begin, and says how many it takes. The format has no line breaks in values;
// one in quotes is taken if the record then fits the table, so that a lost quote costs one row.
func (t *table) record(lines []string) (cells []string, n int) {
	const most = 8 // lines of a record
	cells, form := split(lines[0])
	if form != open {
		return cells, 1
	}
	text := lines[0]
	for n, line := range lines[1:min(most, len(lines))] {
		text += "\n" + line
		if !strings.Contains(line, `"`) {
			continue
		}
		switch whole, form := split(text); {
		case form == loose:
			return cells, 1
		case form == clean && len(whole) <= len(t.header):
			return whole, n + 2
		}
	}
	return cells, 1
}

// form is how well a record is written.
type form uint8

const (
	clean form = iota
	loose      // there is text after a closing quote
	open       // a quote is never closed
)

// split divides a record into its cells. A quote that is never closed belongs
// to the text, and so does what stands after a closing one.
func split(text string) (cells []string, is form) {
	cells = make([]string, 0, 1+strings.Count(text, ","))
	for {
		cell, rest, cellIs := nextCell(text)
		cells = append(cells, cell)
		is = max(is, cellIs)
		if rest == "" {
			return cells, is
		}
		text = rest[1:]
	}
}

// nextCell returns the first cell and the rest from the comma after it.
func nextCell(text string) (cell, rest string, is form) {
	if strings.HasPrefix(text, `"`) {
		if end := closingQuote(text); end > 0 {
			inside := strings.ReplaceAll(text[1:end], `""`, `"`)
			after, rest := untilComma(text[end+1:])
			if after != "" {
				is = loose
			}
			return inside + after, rest, is
		}
		is = open
	}
	cell, rest = untilComma(text)
	return cell, rest, is
}

// closingQuote returns the place of the quote that closes the one with which the text begins, -1 if there is none.
func closingQuote(text string) int {
	for at := 1; at < len(text); at++ {
		switch {
		case text[at] != '"':
		case strings.HasPrefix(text[at+1:], `"`):
			at++
		default:
			return at
		}
	}
	return -1
}

func untilComma(text string) (cell, rest string) {
	if at := strings.IndexByte(text, ','); at >= 0 {
		return text[:at], text[at:]
	}
	return text, ""
}

// without leaves out the rows that leave accepts.
func without(name, text string, leave func() bool) string {
	t := readTable(name, text)
	lines := t.above
	if t.header != nil {
		lines = append(lines, t.top)
	}
	for _, r := range t.rows {
		if r.foreign || !leave() {
			lines = append(lines, r.lines...)
		}
	}
	return plain.Text(lines)
}

// isOfGTFS reports whether an element is a row of a GTFS table that has what the reference of GTFS requires of every
// row. Any table of comma-separated values can be read as one.
func isOfGTFS(e *domains.Element) bool {
	required := published.KnownTables[e.Value(tableField)].Required
	return required != "" && slices.ContainsFunc(e.Fields, func(f domains.Field) bool { return f.Name == required })
}
