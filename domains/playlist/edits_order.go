package playlist

import (
	"cmp"
	"slices"
	"strconv"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// reorder saves the tracks in another order, each with its present number in a meta element.
func reorder(document, to, position string, order func([]item) []item) exact.Steps {
	change := func(p *playlist) (vfs.Files, error) {
		if err := refuseMeta(p.items, position); err != nil {
			return nil, err
		}
		playlists.Number(p, func(i *item, n int) { addSimple(i.Node, "meta "+position, strconv.Itoa(n)) })
		p.items = order(p.items)
		return nil, nil
	}
	return playlists.Rewrite(document, to, change, func(p *playlist, _ vfs.Files) error {
		playlists.SortByNumber(p, func(i *item) (int, bool) {
			number, err := strconv.Atoi(metaOf(i.Node, position))
			removeMetas(i.Node, position)
			return number, err == nil
		})
		return nil
	})
}

// flagFirst puts the tracks with a flag first, and sorts both groups by creator.
func flagFirst(p struct{ Document, To, Flag, Position string }) exact.Steps {
	rank := func(i item) int {
		if pytext.Lower(metaOf(i.Node, p.Flag)) == "true" {
			return 0
		}
		return 1
	}
	return reorder(p.Document, p.To, p.Position, func(items []item) []item {
		slices.SortStableFunc(items, func(a, b item) int {
			return cmp.Or(rank(a)-rank(b), cmp.Compare(creator(a), creator(b)))
		})
		return items
	})
}

// creator is a track's, in lower case.
func creator(i item) string { return pytext.Lower(content(i.Child("creator"))) }

// separate takes, time and again, the first track that is left of another
// creator and another decade than the one before; if there is none, the first of
// another creator; if there is none of these, the first.
func separate(p struct{ Document, To, Year, Position string }) exact.Steps {
	return reorder(p.Document, p.To, p.Position, func(left []item) []item {
		var order []item
		for len(left) > 0 {
			next := 0
			if len(order) > 0 {
				next = firstApart(left, order[len(order)-1], p.Year)
			}
			order = append(order, left[next])
			left = slices.Delete(left, next, next+1)
		}
		return order
	})
}

// firstApart returns the place of the track to follow another.
func firstApart(left []item, before item, year string) int {
	another := func(i item) bool { return creator(i) != creator(before) }
	at := slices.IndexFunc(left, func(i item) bool { return another(i) && decade(i, year) != decade(before, year) })
	if at < 0 {
		at = slices.IndexFunc(left, another)
	}
	return max(at, 0)
}
