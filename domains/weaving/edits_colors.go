package weaving

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const narrowRange = "0,255"

var paletteColumns = []string{"color", "red", "green", "blue"}

// widenPalette writes colours from 0 to another number than 255.
func widenPalette(p struct {
	Document, To string
	Most         int // of a colour
	Table        string
}) exact.Steps {
	change := func(f *file) (vfs.Files, error) {
		span := f.setting("COLOR PALETTE", "Range")
		if span == nil || strings.ReplaceAll(span.value, " ", "") != narrowRange {
			return nil, errors.New("the palette does not range from 0 to 255")
		}
		span.value = "0," + strconv.Itoa(p.Most)
		rows := [][]string{paletteColumns}
		colors := f.section("COLOR TABLE")
		if _, err := colors.pairs(); err != nil {
			return nil, err
		}
		for _, l := range colors.entries() {
			parts, err := wholes(l.value)
			if err != nil || len(parts) != 3 {
				return nil, fmt.Errorf("color %s cannot be %q", l.key, l.value)
			}
			row := []string{l.key}
			for i, part := range parts {
				row = append(row, strconv.Itoa(part))
				parts[i] = (2*p.Most*part + 255) / (2 * 255)
			}
			rows = append(rows, row)
			l.value = joined(parts)
		}
		return vfs.Files{p.Table: plain.WriteCSV(rows)}, nil
	}
	return drafts.Rewrite(p.Document, p.To, change, func(f *file, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, paletteColumns...)
		if err != nil {
			return err
		}
		if span := f.setting("COLOR PALETTE", "Range"); span != nil {
			span.value = narrowRange
		}
		was := map[string]string{}
		for _, row := range rows {
			was[plain.Number(row[0])] = strings.Join(row[1:], ",")
		}
		for _, l := range f.section("COLOR TABLE").entries() {
			if old, known := was[plain.Number(l.key)]; known {
				l.value = old
			}
		}
		return nil
	})
}

// yarn is the warp yarn of one colour.
type yarn struct {
	Color   int     `json:"color"`
	Ends    int     `json:"ends"`
	Metres  float64 `json:"metres"`
	Threads []int   `json:"threads"` // those with an entry in WARP COLORS
}

// listYarn moves the colours of single warp threads to a list of the yarn they need.
func listYarn(p struct {
	Document, To string
	Metres       float64 // of a warp thread, loom waste included
	List         string
}) exact.Steps {
	change := func(f *file) (plain.Array[yarn], error) {
		threads, _, err := f.lists("THREADING")
		if err != nil {
			return nil, err
		}
		yarns, err := f.yarns(threads, p.Metres)
		if err != nil {
			return nil, err
		}
		if len(yarns) == 0 {
			return nil, errors.New("no warp thread has a color")
		}
		_, err = f.section("WARP COLORS").take()
		return yarns, err
	}
	return exact.Keeping(&drafts, p.Document, p.To, p.List, change, func(f *file, yarns plain.Array[yarn]) error {
		var entries []pair
		for _, y := range yarns {
			for _, thread := range y.Threads {
				entries = append(entries, pair{strconv.Itoa(thread), strconv.Itoa(y.Color)})
			}
		}
		slices.SortStableFunc(entries, func(a, b pair) int { return compareNumbers(a.key, b.key) })
		f.put("WARP COLORS", entries)
		return nil
	})
}

// yarns are the colours of the warp, that of the most ends first.
func (f *file) yarns(threads map[int][]int, metres float64) ([]yarn, error) {
	of := map[int]*yarn{}
	named := func(color int) *yarn {
		if of[color] == nil {
			of[color] = &yarn{Color: color, Threads: []int{}}
		}
		return of[color]
	}
	lists, order, err := f.lists("WARP COLORS")
	if err != nil {
		return nil, err
	}
	slices.Sort(order)
	rest := len(threads)
	for _, thread := range order {
		if len(lists[thread]) != 1 {
			return nil, fmt.Errorf("warp thread %d has not one color", thread)
		}
		y := named(lists[thread][0])
		y.Threads = append(y.Threads, thread)
		if _, threaded := threads[thread]; threaded {
			y.Ends++
			rest--
		}
	}
	if usual := f.setting("WARP", "Color"); usual != nil && rest > 0 {
		color, err := whole(usual.value)
		if err != nil {
			return nil, fmt.Errorf("reading the color of the warp: %w", err)
		}
		named(color).Ends += rest
	}
	var all []yarn
	for _, y := range of {
		y.Metres = float64(y.Ends) * metres
		all = append(all, *y)
	}
	slices.SortFunc(all, func(a, b yarn) int {
		return cmp.Or(cmp.Compare(b.Ends, a.Ends), cmp.Compare(a.Color, b.Color))
	})
	return all, nil
}
