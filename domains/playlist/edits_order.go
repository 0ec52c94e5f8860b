package playlist

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

const (
	localFirstFile = "local_first.xspf"
	separatedFile  = "separated.xspf"
	seqRel         = "seq"
)

// reorder saves the tracks in another order, each with its present number.
func reorder(files vfs.Files, name string, order func([]item) []item) (vfs.Files, error) {
	p, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	if err := refuseMeta(p.tracks(), seqRel); err != nil {
		return nil, err
	}
	items := p.takeItems()
	for n, i := range items {
		addMeta(i.Node, seqRel, strconv.Itoa(n+1))
	}
	p.putItems(order(items))
	return vfs.Files{name: p.print()}, nil
}

// backInOrder is the backward step of reorder.
func backInOrder(name string) func(vfs.Files) (vfs.Files, error) {
	return func(files vfs.Files) (vfs.Files, error) {
		p, err := readNamed(files, name)
		if err != nil {
			return nil, err
		}
		items := p.takeItems()
		numbers := make(map[*xml.Node]int, len(items))
		for _, i := range items {
			number, err := strconv.Atoi(metaOf(i.Node, seqRel))
			if err != nil {
				number = math.MaxInt
			}
			numbers[i.Node] = number
			removeMetas(i.Node, seqRel)
		}
		slices.SortStableFunc(items, func(a, b item) int { return cmp.Compare(numbers[a.Node], numbers[b.Node]) })
		p.putItems(items)
		return asDocument(p), nil
	}
}

// localFirst puts the tracks with the local flag first, and sorts both groups
// by creator.
func localFirst(files vfs.Files) (vfs.Files, error) {
	return reorder(files, localFirstFile, func(items []item) []item {
		slices.SortStableFunc(items, func(a, b item) int {
			if isLocal(a) != isLocal(b) {
				if isLocal(a) {
					return -1
				}
				return 1
			}
			return cmp.Compare(creator(a), creator(b))
		})
		return items
	})
}

func isLocal(i item) bool { return pytext.Lower(metaOf(i.Node, "local")) == "true" }

// creator is a track's, in lower case.
func creator(i item) string { return pytext.Lower(content(i.Child("creator"))) }

// separate takes, time and again, the first track that is left of another
// creator and another decade than the one before; if there is none, the first of
// another creator; if there is none of these, the first.
func separate(files vfs.Files) (vfs.Files, error) {
	return reorder(files, separatedFile, func(left []item) []item {
		var order []item
		for len(left) > 0 {
			next := 0
			if len(order) > 0 {
				next = firstApart(left, order[len(order)-1])
			}
			order = append(order, left[next])
			left = slices.Delete(left, next, next+1)
		}
		return order
	})
}

// firstApart returns the place of the track to follow another.
func firstApart(left []item, before item) int {
	another := func(i item) bool { return creator(i) != creator(before) }
	at := slices.IndexFunc(left, func(i item) bool { return another(i) && decade(i.Node) != decade(before.Node) })
	if at < 0 {
		at = slices.IndexFunc(left, another)
	}
	return max(at, 0)
}
