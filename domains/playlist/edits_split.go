package playlist

import (
	"fmt"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// year is a track's, which is in a meta element; empty if that is not a number of four digits.
func year(i item, meta string) string {
	text := metaOf(i.Node, meta)
	if len(text) != len("1970") || !plain.IsDigits(text) {
		return ""
	}
	return text
}

// decade names the decade of a track's year, such as "1970s"; it is empty without a year.
func decade(i item, meta string) string {
	if year := year(i, meta); year != "" {
		return year[:3] + "0s"
	}
	return ""
}

// splitByDecade makes a file of each decade, sorted by year. All else stays in the frame.
func splitByDecade(p struct {
	Document, Frame string
	Year            string // the meta element that has it
	Undated, Table  string
}) exact.Steps {
	forward := func(d playlist) (vfs.Files, error) {
		years := lists.Map(d.items, func(i item) string { return year(i, p.Year) })
		files := lists.Map(d.items, func(i item) string {
			if of := decade(i, p.Year); of != "" {
				return of + extension
			}
			return p.Undated
		})
		byYear := func(a, b int) int { return strings.Compare(years[a], years[b]) }
		return playlists.DivideSorted(d, p.Frame, p.Table, files, byYear), nil
	}
	return playlists.Whole(p.Document, forward, func(files vfs.Files) (none playlist, err error) {
		if _, err := plain.File(files, p.Frame); err != nil {
			return none, err
		}
		return playlists.MergeSorted(files, p.Frame, p.Table)
	})
}

// cutSets cuts the playlist into numbered sets, each as long as it may be. All else stays in the
// frame.
func cutSets(p struct {
	Document, Frame, Begins string
	Minutes                 int
	Table                   string
}) exact.Steps {
	forward := func(d playlist) (vfs.Files, error) {
		type set struct{ first, last, length int }
		var sets []set
		position := 0
		made := playlists.Divide(d, p.Frame, func(i *item) string {
			position++
			ms, _ := duration(i.Node)
			if len(sets) == 0 || sets[len(sets)-1].length+ms > p.Minutes*60_000 {
				sets = append(sets, set{first: position})
			}
			in := &sets[len(sets)-1]
			in.last, in.length = position, in.length+ms
			return fmt.Sprintf("%s%d%s", p.Begins, len(sets), extension)
		})
		rows := [][]string{{"set", "first", "last", "length"}}
		for n, s := range sets {
			rows = append(rows, []string{strconv.Itoa(n + 1), strconv.Itoa(s.first), strconv.Itoa(s.last), clock(s.length)})
		}
		made[p.Table] = plain.WriteCSV(rows)
		return made, nil
	}
	return playlists.Whole(p.Document, forward, func(files vfs.Files) (playlist, error) {
		d, err := playlists.Named(files, p.Frame)
		if err != nil {
			return d, err
		}
		for _, name := range exact.Numbered(files, p.Begins, extension) {
			set, err := playlists.Named(files, name)
			if err != nil {
				return d, err
			}
			d.items = append(d.items, set.items...)
		}
		return d, nil
	})
}
