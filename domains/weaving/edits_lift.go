package weaving

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// Files of the draft as a liftplan, and of its tie-up and treadling.
const (
	liftplanFile = "liftplan.wif"
	pedalsFile   = "pedals.wif"
)

// toLiftplan computes which shafts are tied to the treadles of each pick.
func toLiftplan(files vfs.Files) (vfs.Files, error) {
	f, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	if f.section("LIFTPLAN") != nil {
		return nil, errors.New("the draft has a liftplan already")
	}
	ties, _, err := f.lists("TIEUP")
	if err != nil {
		return nil, err
	}
	treadles, picks, err := f.lists("TREADLING")
	if err != nil {
		return nil, err
	}
	if len(picks) == 0 || len(ties) == 0 {
		return nil, errors.New("no treadling or no tie-up")
	}
	var lifts []pair
	for _, pick := range picks {
		var shafts []int
		for _, treadle := range treadles[pick] {
			shafts = append(shafts, ties[treadle]...)
		}
		slices.Sort(shafts)
		lifts = append(lifts, pair{strconv.Itoa(pick), joined(slices.Compact(shafts))})
	}
	pedals := file{sections: f.remove("TIEUP", "TREADLING")}
	f.put("LIFTPLAN", lifts)
	return vfs.Files{liftplanFile: f.print(), pedalsFile: pedals.print()}, nil
}

func toPedals(files vfs.Files) (vfs.Files, error) {
	f, err := readNamed(files, liftplanFile)
	if err != nil {
		return nil, err
	}
	pedals, err := readNamed(files, pedalsFile)
	if err != nil {
		return nil, err
	}
	f.remove("LIFTPLAN")
	f.merge(pedals)
	return asDocument(f), nil
}

// The file of the draft with its shafts counted from the other side, and the
// list of the shafts.
const (
	reversedFile = "rear_count.wif"
	shaftsFile   = "shafts.csv"
)

// reverseShafts numbers the shafts from the back of the loom, and counts the
// ends on each.
func reverseShafts(files vfs.Files) (vfs.Files, error) {
	f, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	declared := f.setting("WEAVING", "Shafts")
	if declared == nil {
		return nil, errors.New("WEAVING does not say how many shafts there are")
	}
	shafts, err := whole(declared.value)
	if err != nil {
		return nil, err
	}
	ends, _, err := f.lists("THREADING")
	if err != nil {
		return nil, err
	}
	onShaft := map[int]int{}
	for _, list := range ends {
		for _, shaft := range list {
			onShaft[shaft]++
		}
	}
	rows := [][]string{{"shaft", "was", "ends"}}
	news := map[int]int{}
	for shaft := 1; shaft <= min(shafts, mostShafts); shaft++ {
		was := shafts + 1 - shaft
		news[was] = shaft
		rows = append(rows, []string{strconv.Itoa(shaft), strconv.Itoa(was), strconv.Itoa(onShaft[was])})
	}
	if err := f.renumberShafts(news); err != nil {
		return nil, err
	}
	return vfs.Files{reversedFile: f.print(), shaftsFile: plain.WriteCSV(rows)}, nil
}

// mostShafts is more than any loom has.
const mostShafts = 1000

func restoreShafts(files vfs.Files) (vfs.Files, error) {
	f, err := readNamed(files, reversedFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, shaftsFile, "shaft", "was")
	if err != nil {
		return nil, err
	}
	news := map[int]int{}
	for _, row := range rows {
		shaft, err := whole(row[0])
		if err != nil {
			return nil, err
		}
		if news[shaft], err = whole(row[1]); err != nil {
			return nil, err
		}
	}
	if err := f.renumberShafts(news); err != nil {
		return nil, err
	}
	return asDocument(f), nil
}

// renumberShafts gives each shaft its new number wherever it is named. Shaft 0
// is none.
func (f *file) renumberShafts(news map[int]int) error {
	for _, name := range []string{"THREADING", "TIEUP", "LIFTPLAN"} {
		s := f.section(name)
		if s == nil {
			continue
		}
		for i := range s.lines {
			l := &s.lines[i]
			if l.kind != entry {
				continue
			}
			shafts, err := wholes(l.value)
			if err != nil {
				return fmt.Errorf("reading %s, %s: %w", name, l.key, err)
			}
			for k, shaft := range shafts {
				renumbered, known := news[shaft]
				if !known && shaft != 0 {
					return fmt.Errorf("%s, %s names the shaft %d, which does not exist", name, l.key, shaft)
				}
				shafts[k] = renumbered
			}
			slices.Sort(shafts)
			l.value = joined(shafts)
		}
	}
	return nil
}
