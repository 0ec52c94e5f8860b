package json

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/vfs"
)

const (
	baseFile    = "base.json"
	untypedFile = "untyped"
)

var typeName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*$`)

// typeOf is the type of a panel, by which its file is named.
func (n *node) typeOf() string {
	if name := n.textOf("type"); typeName.MatchString(name) && name+".json" != baseFile {
		return name
	}
	return untypedFile
}

// splitByType gives the panels of each type a file of their own.
func splitByType(files vfs.Files) (vfs.Files, error) {
	root, err := readDashboard(files)
	if err != nil {
		return nil, err
	}
	byType, index := map[string]*node{}, listOf()
	for _, panel := range root.panels() {
		name := panel.typeOf()
		if byType[name] == nil {
			byType[name] = listOf()
		}
		list := byType[name]
		index.items = append(index.items, objectOf(
			member{name: "type", value: textNode(name)}, member{name: "index", value: intNode(len(list.items))}))
		list.items = append(list.items, panel)
	}
	root.set(panelsKey, index)
	split := vfs.Files{baseFile: root.printJSON()}
	for name, list := range byType {
		split[name+".json"] = list.printJSON()
	}
	return split, nil
}

// mergeTypes puts the panels in the places that the base lists. Panels that it
// does not list follow at the end.
func mergeTypes(files vfs.Files) (vfs.Files, error) {
	root, err := readNamed(files, baseFile)
	if err != nil {
		return nil, err
	}
	byType := map[string][]*node{}
	for name, text := range files {
		if list := readRoot(name, text); list.is(listKind) {
			byType[strings.TrimSuffix(name, ".json")] = list.items
		}
	}
	panels, placed := listOf(), map[*node]bool{}
	for _, entry := range root.panels() {
		list, at := byType[entry.textOf("type")], entry.get("index").number()
		if at >= 0 && at < len(list) && !placed[list[at]] {
			placed[list[at]] = true
			panels.items = append(panels.items, list[at])
		}
	}
	for _, name := range files.Names() {
		for _, panel := range byType[strings.TrimSuffix(name, ".json")] {
			if !placed[panel] {
				panels.items = append(panels.items, panel)
			}
		}
	}
	root.set(panelsKey, panels)
	return asDocument(root), nil
}

const (
	rowsFile     = "rows.json"
	listIndexKey = "listIndex"
	rowType      = "row"
)

// areas are the rows in order, with the units of the panels in them.
var areas = []struct {
	title string
	units []string
}{
	{"River", []string{"lengthm", "lengthmm", "flowcms"}},
	{"Machine", []string{"celsius", "rotrpm", "percent"}},
	{"Electrical", []string{"kwatt", "kwatth", "volt", "hertz"}},
	{"Other", nil},
}

// areaOf is the place of the area to which the unit of a panel belongs.
func (n *node) areaOf() int {
	unit := n.get("fieldConfig").get("defaults").textOf("unit")
	for i := range areas {
		if slices.Contains(areas[i].units, unit) {
			return i
		}
	}
	return len(areas) - 1
}

// addRows sorts the panels by area, each area below a row.
func addRows(files vfs.Files) (vfs.Files, error) {
	root, err := readDashboard(files)
	if err != nil {
		return nil, err
	}
	grouped := make([][]*node, len(areas))
	for i, panel := range root.panels() {
		if panel.kind == objectKind {
			panel.set(listIndexKey, intNode(i))
		}
		area := panel.areaOf()
		grouped[area] = append(grouped[area], panel)
	}
	panels := listOf()
	for i, group := range grouped {
		if len(group) == 0 {
			continue
		}
		panels.items = append(panels.items, objectOf(
			member{name: "type", value: textNode(rowType)},
			member{name: "title", value: textNode(areas[i].title)},
			member{name: "collapsed", value: &node{kind: boolKind, text: "false"}},
			member{name: panelsKey, value: listOf()},
		))
		panels.items = append(panels.items, group...)
	}
	root.set(panelsKey, panels)
	return vfs.Files{rowsFile: root.printJSON()}, nil
}

// dropRows removes the rows that have no index, and puts the panels in the order
// of theirs. Panels that have lost it come last.
func dropRows(files vfs.Files) (vfs.Files, error) {
	root, err := readNamed(files, rowsFile)
	if err != nil {
		return nil, err
	}
	panels := slices.DeleteFunc(slices.Clone(root.panels()), func(panel *node) bool {
		return panel.get(listIndexKey) == nil && panel.textOf("type") == rowType
	})
	place := func(panel *node) uint { return uint(panel.get(listIndexKey).number()) }
	slices.SortStableFunc(panels, func(a, b *node) int { return cmp.Compare(place(a), place(b)) })
	for _, panel := range panels {
		panel.remove(listIndexKey)
	}
	root.set(panelsKey, listOf(panels...))
	return asDocument(root), nil
}

const (
	keyedFile     = "keyed.json"
	panelOrderKey = "panelOrder"
	idKey         = "id"
)

// keyPanels makes the list of panels an object by their ids.
func keyPanels(files vfs.Files) (vfs.Files, error) {
	root, err := readDashboard(files)
	if err != nil {
		return nil, err
	}
	type keyed struct {
		id    int
		key   string
		panel *node
	}
	var all []keyed
	order, taken := listOf(), map[int]bool{}
	for i, panel := range root.panels() {
		k := keyed{id: -1, key: "#" + strconv.Itoa(i+1), panel: panel}
		if id := panel.get(idKey).number(); id >= 0 && !taken[id] {
			taken[id] = true
			k.id, k.key = id, strconv.Itoa(id)
			panel.remove(idKey)
		}
		all = append(all, k)
		order.items = append(order.items, textNode(k.key))
	}
	slices.SortStableFunc(all, func(a, b keyed) int { return cmp.Compare(uint(a.id), uint(b.id)) })
	panels := objectOf()
	for _, k := range all {
		panels.members = append(panels.members, member{name: k.key, value: k.panel})
	}
	root.set(panelsKey, panels)
	root.set(panelOrderKey, order)
	return vfs.Files{keyedFile: root.printJSON()}, nil
}

// listPanels makes the object of panels a list again. Panels that the order does
// not name come last.
func listPanels(files vfs.Files) (vfs.Files, error) {
	root, err := readNamed(files, keyedFile)
	if err != nil {
		return nil, err
	}
	places := map[string]int{}
	if order := root.remove(panelOrderKey); order != nil {
		for i, key := range order.items {
			places[key.text] = i
		}
	}
	var members []member
	if panels := root.get(panelsKey); panels != nil {
		members = slices.Clone(panels.members)
	}
	place := func(m member) int {
		if i, ok := places[m.name]; ok {
			return i
		}
		return len(places)
	}
	slices.SortStableFunc(members, func(a, b member) int { return cmp.Compare(place(a), place(b)) })
	list := listOf()
	for _, m := range members {
		if id := atoi(m.name); id >= 0 && m.value.kind == objectKind {
			m.value.remove(idKey)
			m.value.members = slices.Insert(m.value.members, 0, member{name: idKey, value: intNode(id)})
		}
		list.items = append(list.items, m.value)
	}
	root.set(panelsKey, list)
	return asDocument(root), nil
}

// atoi reads a number of digits alone, -1 for any other text.
func atoi(digits string) int {
	n, err := strconv.ParseUint(digits, 10, 31)
	if err != nil || strconv.FormatUint(n, 10) != digits {
		return -1
	}
	return int(n)
}
