package weaving

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// liftplan computes which shafts are tied to the treadles of each pick.
func liftplan(p struct{ Document, To, Pedals string }) exact.Steps {
	change := func(f *file) (vfs.Files, error) {
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
		return vfs.Files{p.Pedals: pedals.print()}, nil
	}
	return drafts.Rewrite(p.Document, p.To, change, func(f *file, files vfs.Files) error {
		pedals, err := drafts.Named(files, p.Pedals)
		if err != nil {
			return err
		}
		f.remove("LIFTPLAN")
		f.merge(pedals)
		return nil
	})
}

// reverseShafts numbers the shafts from the back of the loom, and counts the
// ends on each.
func reverseShafts(p struct{ Document, To, Table string }) exact.Steps {
	change := func(f *file) (vfs.Files, error) {
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
		return vfs.Files{p.Table: plain.WriteCSV(rows)}, nil
	}
	return drafts.Rewrite(p.Document, p.To, change, func(f *file, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "shaft", "was")
		if err != nil {
			return err
		}
		news := map[int]int{}
		for _, row := range rows {
			shaft, err := whole(row[0])
			if err != nil {
				return err
			}
			if news[shaft], err = whole(row[1]); err != nil {
				return err
			}
		}
		return f.renumberShafts(news)
	})
}

// mostShafts is more than any loom has.
const mostShafts = 1000

// renumberShafts gives each shaft its new number wherever it is named. Shaft 0
// is none.
func (f *file) renumberShafts(news map[int]int) error {
	for _, name := range []string{"THREADING", "TIEUP", "LIFTPLAN"} {
		for _, l := range f.section(name).entries() {
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
