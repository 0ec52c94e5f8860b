package weather

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// gather puts the observations, in their new order, in the place of the first one,
// with an empty line after them; the empty lines between them go. The table
// says in the new order where each observation stood, then the empty lines.
func gather(all []entry, arrange func([]placed) []placed) (gathered []entry, table string) {
	first, last := len(all), -1
	for n := range all {
		if all[n].kind == observationEntry {
			first, last = min(first, n), n
		}
	}
	taken, rest := takeOut(all, func(n int, e *entry) bool {
		return e.kind == observationEntry || e.kind == blankEntry && first < n && n < last
	})
	slices.SortStableFunc(taken, func(a, b placed) int { return cmp.Compare(b.kind, a.kind) }) // blanks last
	blanks := len(taken)
	for blanks > 0 && taken[blanks-1].kind == blankEntry {
		blanks--
	}
	if blanks == 0 {
		return rest, placesTable(nil)
	}
	observations := arrange(taken[:blanks])
	gathered = slices.Clone(rest[:first])
	for _, p := range observations {
		gathered = append(gathered, p.entry)
	}
	gathered = append(gathered, blankLine())
	return append(gathered, rest[first:]...), placesTable(slices.Concat(observations, taken[blanks:]))
}

// scatter is the reverse of gather.
func scatter(all []entry, files vfs.Files, table string, heading func(entry) bool) ([]entry, error) {
	var observations, rest []entry
	last := -1 // where in rest the observations ended
	for _, e := range all {
		switch {
		case e.kind == observationEntry:
			observations = append(observations, e)
			last = len(rest)
		case !heading(e):
			rest = append(rest, e)
		}
	}
	if last >= 0 && last < len(rest) && rest[last].kind == blankEntry {
		rest = slices.Delete(rest, last, last+1)
	}
	taken, err := readPlaces(files, table, observations)
	return putIn(taken, rest), err
}

// inOrder are the parameters of an edit that brings the observations into another order.
type inOrder struct{ Document, To, Table string }

// steps brings the observations into the order that arrange gives them, with headings.
func (p inOrder) steps(arrange func(all []entry, taken []placed) ([]placed, error), heading func(entry) bool) exact.Steps {
	change := func(all *[]entry) (made vfs.Files, err error) {
		gathered, table := gather(*all, func(taken []placed) (arranged []placed) {
			arranged, err = arrange(*all, taken)
			return arranged
		})
		*all = gathered
		return vfs.Files{p.Table: table}, err
	}
	restore := func(all *[]entry, files vfs.Files) (err error) {
		*all, err = scatter(*all, files, p.Table, heading)
		return err
	}
	return bulletins.Rewrite(p.Document, p.To, change, restore)
}

// sortByTime puts the newest observation first.
func sortByTime(p inOrder) exact.Steps {
	return p.steps(func(all []entry, taken []placed) ([]placed, error) {
		issued, err := issueDate(all)
		observed := func(e *entry) time.Time {
			at, _ := groupTime(issued, e.identity()[2], "Z")
			return at
		}
		slices.SortStableFunc(taken, func(a, b placed) int {
			return cmp.Or(observed(&b.entry).Compare(observed(&a.entry)), cmp.Compare(a.identity()[1], b.identity()[1]))
		})
		return taken, err
	}, func(entry) bool { return false })
}

// categories are the flight categories from the worst, and that of a report
// that gives neither ceiling nor visibility.
var categories = []string{"LIFR", "IFR", "MVFR", "VFR", "UNKNOWN"}

var categoryHeading = regexp.MustCompile(`^## (?:` + strings.Join(categories, "|") + `) \([0-9]+\)\s*$`)

// groupByCategory groups the observations by flight category, below headings.
func groupByCategory(p inOrder) exact.Steps {
	return p.steps(func(_ []entry, taken []placed) (grouped []placed, err error) {
		groups := map[string][]placed{}
		for _, report := range taken {
			category := report.flightCategory()
			groups[category] = append(groups[category], report)
		}
		for _, category := range categories {
			if group := groups[category]; len(group) > 0 {
				grouped = append(grouped, placed{entry: textLine(fmt.Sprintf("## %s (%d)", category, len(group)))})
				grouped = append(grouped, group...)
			}
		}
		return grouped, nil
	}, func(e entry) bool { return e.kind == textEntry && categoryHeading.MatchString(e.lines[0]) })
}

// flightCategory is that of the ceiling and visibility of an observation.
func (e *entry) flightCategory() string {
	ceiling, miles := math.Inf(1), math.Inf(1)
	given, seen := false, false
	body := e.body()
	for i, word := range body {
		switch groups.name(word) {
		case "sky":
			given = true
			if height, ok := ceilingOf(word); ok {
				ceiling = min(ceiling, height)
			}
		case "visibility":
			given = true
			if distance, ok := milesOf(body[:i], word); ok && !seen {
				miles, seen = distance, true
			}
		}
	}
	switch {
	case !given:
		return "UNKNOWN"
	case ceiling < 500 || miles < 1:
		return "LIFR"
	case ceiling < 1000 || miles < 3:
		return "IFR"
	case ceiling <= 3000 || miles <= 5:
		return "MVFR"
	}
	return "VFR"
}

// body are an observation's words up to a trend or the remarks.
func (e *entry) body() []string {
	for i, word := range e.words {
		switch word {
		case "RMK", "TEMPO", "BECMG", "NOSIG":
			return e.words[:i]
		}
	}
	return e.words
}

// ceilingOf is the height in feet of a layer that is a ceiling.
func ceilingOf(word string) (feet float64, ok bool) {
	for _, cover := range []string{"BKN", "OVC", "VV"} {
		if height, is := strings.CutPrefix(word, cover); is && len(height) >= 3 && plain.IsDigits(height[:3]) {
			return float64(100 * number(height[:3])), true
		}
	}
	return 0, false
}

const metresInMile = 1609.344

// milesOf is a visibility in statute miles; a whole number may stand before.
func milesOf(before []string, word string) (miles float64, ok bool) {
	if word == "CAVOK" {
		return math.Inf(1), true
	}
	text, statute := strings.CutSuffix(word, "SM")
	if !statute {
		if !plain.IsDigits(word[:4]) {
			return 0, false
		}
		return float64(number(word[:4])) / metresInMile, true
	}
	text = strings.TrimLeft(text, "MP")
	above, below, fraction := strings.Cut(text, "/")
	miles = float64(number(above))
	if fraction {
		if number(below) == 0 {
			return 0, false
		}
		miles /= float64(number(below))
		if n := len(before) - 1; n > 0 && isMixed(before[n], word) {
			miles += float64(number(before[n]))
		}
	}
	return miles, true
}
