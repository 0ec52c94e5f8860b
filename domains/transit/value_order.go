package transit

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

// stopOrder is the mean similarity of the stops of each of the reference's
// trips, in their order.
func stopOrder(ref, got feed, noted *notes.Notes) (float64, error) {
	switch {
	case !got.has(stopTimesFile):
		return sets.OneIf(len(ref.table(stopTimesFile).rows) == 0), nil
	case !ref.has(stopTimesFile):
		return 1, nil
	}
	names, refStops, err := ref.table(stopTimesFile).trips()
	if err != nil {
		return 0, err
	}
	others, gotStops, err := got.table(stopTimesFile).trips()
	if err != nil {
		return 0, err
	}
	if similarity, empty := sets.EitherEmpty(names, others); empty {
		return similarity, nil
	}
	kept := 0.0
	for _, name := range names {
		if stops, ok := gotStops[name]; ok {
			kept += ratio.Bounded(refStops[name], stops, ratio.Limits{Work: mostPairs}, noted)
		}
	}
	return kept / float64(len(names)), nil
}

// mostPairs is the product of the lengths of two trips up to which their stops
// are compared in order; none that runs has so many.
const mostPairs = 1 << 24

// trips returns the names of the trips in order of first appearance, and the
// stops of each in the order of their numbers.
func (t *published) trips() (names []string, stops map[string][]string, err error) {
	type call struct{ number, stop string }
	trip, number, stop := t.column("trip_id"), t.column("stop_sequence"), t.column("stop_id")
	calls := map[string][]call{}
	for _, row := range t.rows {
		name := cell(row, trip)
		if name == "" {
			continue
		}
		n, err := readNumber(cell(row, number))
		if err != nil {
			return nil, nil, err
		}
		of, known := calls[name]
		if !known {
			names = append(names, name)
		}
		calls[name] = append(of, call{n, cell(row, stop)})
	}
	stops = make(map[string][]string, len(calls))
	for _, name := range names {
		of := calls[name]
		slices.SortStableFunc(of, func(a, b call) int {
			return cmp.Or(cmp.Compare(len(a.number), len(b.number)), strings.Compare(a.number, b.number))
		})
		stops[name] = lists.Map(of, func(c call) string { return c.stop })
	}
	return names, stops, nil
}

var errTooManyDigits = errors.New("the published program fails on a stop_sequence of more than 4300 digits")

// readNumber is a number's decimal digits, without zeros in front; nothing for
// a text that is no number, which counts as zero.
func readNumber(text string) (string, error) {
	odd := false
	for _, r := range text {
		switch {
		case unicode.IsDigit(r):
		case unicode.Is(digitsWithoutValue, r):
			odd = true
		default:
			return "", nil
		}
	}
	if odd {
		return "", fmt.Errorf("the published program fails on the stop_sequence %q", text)
	}
	if len(text) > pytext.MostDigits && len([]rune(text)) > pytext.MostDigits {
		return "", errTooManyDigits
	}
	digits := strings.Map(func(r rune) rune { return rune('0' + pytext.DigitValue(r)) }, text)
	return strings.TrimLeft(digits, "0"), nil
}

// digitsWithoutValue are the characters that Python's str.isdigit() takes and
// its int() does not, such as a superscript two.
var digitsWithoutValue = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0xb2, 0xb3, 1}, {0xb9, 0xb9, 1}, {0x1369, 0x1371, 1}, {0x19da, 0x19da, 1}, {0x2070, 0x2070, 1},
		{0x2074, 0x2079, 1}, {0x2080, 0x2089, 1}, {0x2460, 0x2468, 1}, {0x2474, 0x247c, 1}, {0x2488, 0x2490, 1},
		{0x24ea, 0x24ea, 1}, {0x24f5, 0x24fd, 1}, {0x24ff, 0x24ff, 1}, {0x2776, 0x277e, 1}, {0x2780, 0x2788, 1},
		{0x278a, 0x2792, 1},
	},
	R32: []unicode.Range32{
		{0x10a40, 0x10a43, 1}, {0x10e60, 0x10e68, 1}, {0x11052, 0x1105a, 1}, {0x1f100, 0x1f10a, 1},
	},
	LatinOffset: 2,
}
