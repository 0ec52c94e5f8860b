package json

import (
	"slices"
	"strconv"
	"strings"

	"agentd/vfs"
)

const yamlFile = "bongate_plant.yaml"

// toYAML writes the dashboard as YAML.
func toYAML(files vfs.Files) (vfs.Files, error) {
	root, err := readDashboard(files)
	if err != nil {
		return nil, err
	}
	return vfs.Files{yamlFile: root.printYAML()}, nil
}

// fromYAML writes it as JSON.
func fromYAML(files vfs.Files) (vfs.Files, error) {
	root, err := readNamed(files, yamlFile)
	if err != nil {
		return nil, err
	}
	return asDocument(root), nil
}

const (
	sortedFile = "sorted.json"
	movesFile  = "moves.json"
)

// pointed visits all lists in a value with their JSON pointers.
func (n *node) pointed(at string, visit func(at string, list *node)) {
	if n.kind == listKind {
		visit(at, n)
	}
	for i, item := range n.items {
		item.pointed(at+"/"+strconv.Itoa(i), visit)
	}
	for _, m := range n.members {
		m.value.pointed(at+"/"+pointerName(m.name), visit)
	}
}

func pointerName(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}

// sortLists sorts the lists of texts and notes where each text stood.
func sortLists(files vfs.Files) (vfs.Files, error) {
	root, err := readDashboard(files)
	if err != nil {
		return nil, err
	}
	moves := objectOf()
	root.pointed("", func(at string, list *node) {
		if len(list.items) < 2 || slices.ContainsFunc(list.items, func(item *node) bool { return item.kind != textKind }) {
			return
		}
		places := make([]int, len(list.items))
		for i := range places {
			places[i] = i
		}
		slices.SortStableFunc(places, func(a, b int) int { return strings.Compare(list.items[a].text, list.items[b].text) })
		sorted, moved := make([]*node, len(places)), listOf()
		for i, place := range places {
			sorted[i] = list.items[place]
			moved.items = append(moved.items, intNode(place))
		}
		list.items = sorted
		moves.members = append(moves.members, member{name: at, value: moved})
	})
	return vfs.Files{sortedFile: root.printJSON(), movesFile: moves.printJSON()}, nil
}

// unsortLists puts each text where it stood. A list of another length than is
// noted stays as it is.
func unsortLists(files vfs.Files) (vfs.Files, error) {
	root, err := readNamed(files, sortedFile)
	if err != nil {
		return nil, err
	}
	moves, err := readNamed(files, movesFile)
	if err != nil {
		return nil, err
	}
	root.pointed("", func(at string, list *node) {
		places := moves.get(at)
		if places == nil || len(places.items) != len(list.items) {
			return
		}
		placed := make([]*node, len(list.items))
		for i, item := range list.items {
			place := places.items[i].number()
			if place < 0 || place >= len(placed) || placed[place] != nil {
				return
			}
			placed[place] = item
		}
		list.items = placed
	})
	return asDocument(root), nil
}
