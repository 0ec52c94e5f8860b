package satellite

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

const noName = "(no name)"

// decadePage makes a page with a chapter for each decade of launches, in which the objects are
// sorted by name.
func decadePage(p struct{ Document, To, Title string }) exact.Steps {
	return steps(p.Document, func(records []record) vfs.Files {
		launches := lists.Each(records, (*record).launch)
		order := lists.Order(len(records), func(a, b int) int {
			return cmp.Or(
				cmp.Compare(launches[a].decade, launches[b].decade),
				strings.Compare(records[a].heading(), records[b].heading()))
		})
		lines := []string{"# " + p.Title}
		decade := -1
		for _, n := range order {
			if launches[n].decade != decade {
				decade = launches[n].decade
				lines = append(lines, "", "## "+launches[n].chapter())
			}
			lines = append(lines, records[n].section(n+1, launches[n].designator)...)
		}
		return vfs.Files{p.To: plain.Text(lines)}
	}, func(files vfs.Files) (catalogue, error) {
		text, err := plain.File(files, p.To)
		c := readPage(text)
		if err == nil && len(c.entries) == 0 {
			err = fmt.Errorf("%s has no section of an object", p.To)
		}
		return c, err
	})
}

// launch is when and as what an object was launched.
type launch struct {
	decade     int    // 1950 and so on, math.MaxInt if it is not known
	designator string // written out, as "1990-037B", where it is known
}

var shortDesignator = regexp.MustCompile(`^(\d\d)(\d{3}[A-Z]{1,3})$`)

func (f *fields) launch() launch {
	parts := shortDesignator.FindStringSubmatch(f[designator])
	if parts == nil {
		return launch{math.MaxInt, f[designator]}
	}
	y, _ := fullYear(parts[1])
	return launch{y / 10 * 10, fmt.Sprintf("%d-%s", y, parts[2])}
}

func (l launch) chapter() string {
	if l.decade == math.MaxInt {
		return "Unknown"
	}
	return strconv.Itoa(l.decade) + "s"
}

func (r *record) heading() string {
	return cmp.Or(pytext.Strip(r.name), noName)
}

// section is what the page has of an object. The lines are indented, as code.
func (r *record) section(position int, designator string) []string {
	const code = "    "
	lines := []string{"", "### " + r.heading(), ""}
	for _, c := range r.comments() {
		lines = append(lines, "> "+c)
	}
	if len(r.comments()) > 0 {
		lines = append(lines, "")
	}
	return append(lines, fmt.Sprintf("No. %d, %s", position, cmp.Or(designator, "no designator")), "",
		code+pytext.Strip(r.one), code+pytext.Strip(r.two))
}

var positionLine = regexp.MustCompile(`^No\. (\d+)\b`)

// readPage reads the sections of the page. One without a number comes last.
func readPage(text string) (c catalogue) {
	var positions []int
	for _, line := range plain.Lines(text) {
		if title, ok := strings.CutPrefix(line, "### "); ok {
			if title = pytext.Strip(title); title == noName {
				title = ""
			}
			c.entries, positions = append(c.entries, entry{name: title}), append(positions, math.MaxInt)
		} else if last := len(c.entries) - 1; last >= 0 {
			positions[last] = min(positions[last], positionOf(line))
			c.entries[last].take(line)
		}
	}
	catalogues.SortByNumber(&c, func(*entry) (int, bool) {
		position := positions[0]
		positions = positions[1:]
		return position, true
	})
	return c
}

func positionOf(line string) int {
	if parts := positionLine.FindStringSubmatch(line); parts != nil {
		if n, err := strconv.Atoi(parts[1]); err == nil {
			return n
		}
	}
	return math.MaxInt
}

// take adds a line of its section to an entry.
func (e *entry) take(line string) {
	if c, ok := strings.CutPrefix(line, "> "); ok {
		e.above = append(e.above, c)
		return
	}
	switch kindOf(line) {
	case firstLine:
		e.one = pytext.Strip(line)
	case secondLine:
		e.two = pytext.Strip(line)
	}
}
