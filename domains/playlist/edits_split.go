package playlist

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

const (
	orderFile   = "order.csv"
	undatedFile = "undated.xspf"
	setTable    = "sets.csv"
)

// decade names the decade of a track's year, such as "1970s"; it is empty if
// the year is not a number of four digits.
func decade(track *xml.Node) string {
	year := metaOf(track, "year")
	if len(year) != len("1970") || strings.Trim(year, "0123456789") != "" {
		return ""
	}
	return year[:3] + "0s"
}

// splitByDecade makes a file of each decade, sorted by year.
func splitByDecade(files vfs.Files) (vfs.Files, error) {
	p, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	items := p.takeItems()
	position := map[*xml.Node]int{}
	parts := map[string][]item{}
	for n, i := range items {
		position[i.Node] = n + 1
		name := undatedFile
		if d := decade(i.Node); d != "" {
			name = d + extension
		}
		parts[name] = append(parts[name], i)
	}
	out := vfs.Files{frameFile: p.print()}
	rows := make([][]string, len(items))
	for name, part := range parts {
		if name != undatedFile {
			slices.SortStableFunc(part, func(a, b item) int {
				return strings.Compare(metaOf(a.Node, "year"), metaOf(b.Node, "year"))
			})
		}
		for n, i := range part {
			at := position[i.Node]
			rows[at-1] = []string{strconv.Itoa(at), name, strconv.Itoa(n + 1)}
		}
		out[name] = p.part(part)
	}
	out[orderFile] = plain.WriteCSV(append([][]string{{"position", "file", "place"}}, rows...))
	return out, nil
}

func mergeDecades(files vfs.Files) (vfs.Files, error) {
	p, err := readNamed(files, frameFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, orderFile, "position", "file", "place")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	parts := map[string][]item{}
	names := append(files.Match([]string{"*0s" + extension}).Names(), undatedFile)
	for _, name := range names {
		if _, there := files[name]; !there {
			continue
		}
		part, err := readNamed(files, name)
		if err != nil {
			return nil, err
		}
		parts[name] = part.takeItems()
	}
	var items []item
	for _, row := range rows {
		part := parts[strings.TrimSpace(row[1])]
		place, err := strconv.Atoi(strings.TrimSpace(row[2]))
		if err != nil || place < 1 || place > len(part) || part[place-1].Node == nil {
			continue
		}
		items = append(items, part[place-1])
		part[place-1] = item{}
	}
	for _, name := range names { // what no row names
		items = append(items, slices.DeleteFunc(parts[name], func(i item) bool { return i.Node == nil })...)
	}
	p.putItems(items)
	return asDocument(p), nil
}

func setFile(n int) string { return fmt.Sprintf("set_%d%s", n, extension) }

// longestSet is the most that tracks of a set may last together, in
// milliseconds.
const longestSet = 20 * 60 * 1000

// toSets cuts the playlist into sets, each as long as it may be.
func toSets(files vfs.Files) (vfs.Files, error) {
	p, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	type set struct {
		items  []item
		length int
	}
	var sets []set
	for _, i := range p.takeItems() {
		ms, _ := duration(i.Node)
		if len(sets) == 0 || sets[len(sets)-1].length+ms > longestSet {
			sets = append(sets, set{})
		}
		last := &sets[len(sets)-1]
		last.items = append(last.items, i)
		last.length += ms
	}
	out := vfs.Files{frameFile: p.print()}
	rows := [][]string{{"set", "first", "last", "length"}}
	first := 1
	for n, s := range sets {
		last := first + len(s.items) - 1
		out[setFile(n+1)] = p.part(s.items)
		rows = append(rows, []string{strconv.Itoa(n + 1), strconv.Itoa(first), strconv.Itoa(last), clock(s.length)})
		first = last + 1
	}
	out[setTable] = plain.WriteCSV(rows)
	return out, nil
}

func fromSets(files vfs.Files) (vfs.Files, error) {
	p, err := readNamed(files, frameFile)
	if err != nil {
		return nil, err
	}
	names := files.Match([]string{"set_*" + extension}).Names()
	number := func(name string) string {
		return strings.TrimSuffix(strings.TrimPrefix(name, "set_"), extension)
	}
	slices.SortStableFunc(names, func(a, b string) int {
		return plain.ByNumber([]string{number(a)}, []string{number(b)})
	})
	var items []item
	for _, name := range names {
		set, err := readNamed(files, name)
		if err != nil {
			return nil, err
		}
		items = append(items, set.takeItems()...)
	}
	p.putItems(items)
	return asDocument(p), nil
}
