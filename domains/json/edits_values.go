package json

import (
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	linkedFile  = "linked.json"
	queriesFile = "queries.json"
	queryMark   = "@"
)

// queries returns the texts of the queries of a panel: what is asked of
// Prometheus as expr, of other sources as query.
func (n *node) queries() []*node {
	var texts []*node
	for _, target := range n.targets() {
		for _, m := range target.members {
			if (m.name == "expr" || m.name == "query") && m.value.kind == textKind {
				texts = append(texts, m.value)
			}
		}
	}
	return texts
}

// moveQueries moves the texts of all queries to a file.
func moveQueries(files vfs.Files) (vfs.Files, error) {
	root, err := readDashboard(files)
	if err != nil {
		return nil, err
	}
	list := listOf()
	for _, panel := range root.panels() {
		for _, query := range panel.queries() {
			id := "Q" + strconv.Itoa(len(list.items)+1)
			list.items = append(list.items, objectOf(
				member{name: "id", value: textNode(id)},
				member{name: "panel", value: textNode(panel.textOf("title"))},
				member{name: "text", value: textNode(query.text)},
			))
			query.text = queryMark + id
		}
	}
	return vfs.Files{linkedFile: root.printJSON(), queriesFile: list.printJSON()}, nil
}

// fillQueries puts the texts in place of the marks that they are listed under.
func fillQueries(files vfs.Files) (vfs.Files, error) {
	root, err := readNamed(files, linkedFile)
	if err != nil {
		return nil, err
	}
	list, err := readNamed(files, queriesFile)
	if err != nil {
		return nil, err
	}
	texts := map[string]string{}
	for _, entry := range list.items {
		if text := entry.get("text"); text.is(textKind) {
			texts[queryMark+entry.textOf("id")] = text.text
		}
	}
	for _, panel := range root.panels() {
		for _, query := range panel.queries() {
			if text, ok := texts[query.text]; ok {
				query.text = text
			}
		}
	}
	return asDocument(root), nil
}

const (
	pixelsFile   = "pixels.json"
	gridKey      = "gridPos"
	rectangleKey = "rect"
	columnPixels = 80
	rowPixels    = 38
)

var sides = []struct {
	grid, pixels string
	size         int64
}{
	{"h", "height", rowPixels}, {"w", "width", columnPixels}, {"x", "left", columnPixels}, {"y", "top", rowPixels},
}

// toPixels gives the places of panels in pixels.
func toPixels(files vfs.Files) (vfs.Files, error) {
	root, err := readDashboard(files)
	if err != nil {
		return nil, err
	}
	for _, panel := range root.panels() {
		panel.rename(gridKey, rectangleKey)
		for _, side := range sides {
			place := panel.get(rectangleKey)
			place.rename(side.grid, side.pixels)
			place.get(side.pixels).change(func(d decimal.Decimal) decimal.Decimal { return d.Mul(decimal.NewFromInt(side.size)) })
		}
	}
	return vfs.Files{pixelsFile: root.printJSON()}, nil
}

// fromPixels gives them in columns and rows of the grid.
func fromPixels(files vfs.Files) (vfs.Files, error) {
	root, err := readNamed(files, pixelsFile)
	if err != nil {
		return nil, err
	}
	const places = 20 // a product is divided exactly
	for _, panel := range root.panels() {
		panel.rename(rectangleKey, gridKey)
		for _, side := range sides {
			place := panel.get(gridKey)
			place.rename(side.pixels, side.grid)
			place.get(side.grid).change(func(d decimal.Decimal) decimal.Decimal { return d.DivRound(decimal.NewFromInt(side.size), places) })
		}
	}
	return asDocument(root), nil
}

// rename gives the members of a name another.
func (n *node) rename(from, to string) {
	if n == nil {
		return
	}
	for i := range n.members {
		if n.members[i].name == from {
			n.members[i].name = to
		}
	}
}

// change recomputes a number, unless it is none or too long to be a place.
func (n *node) change(compute func(decimal.Decimal) decimal.Decimal) {
	const longest = 15
	if !n.is(numberKind) || len(n.text) > longest || strings.ContainsAny(n.text, "eE") {
		return
	}
	if d, err := decimal.NewFromString(n.text); err == nil {
		n.text = exact(compute(d).String())
	}
}

const (
	namedSourcesFile = "named_sources.json"
	datasourcesFile  = "datasources.json"
	datasourceKey    = "datasource"
)

// datasources returns the values of all members that name a data source.
func (n *node) datasources() []*node {
	var found []*node
	visit := func(object *node) {
		for _, m := range object.members {
			if m.name == datasourceKey {
				found = append(found, m.value)
			}
		}
	}
	visit(n)
	n.each(visit)
	return found
}

// nameDatasources replaces data sources that are objects by names for them.
func nameDatasources(files vfs.Files) (vfs.Files, error) {
	root, err := readDashboard(files)
	if err != nil {
		return nil, err
	}
	sources, names := objectOf(), map[string]string{}
	for _, source := range root.datasources() {
		if source.kind != objectKind {
			continue
		}
		sorted := source.clone()
		slices.SortStableFunc(sorted.members, func(a, b member) int { return strings.Compare(a.name, b.name) })
		name, known := names[sorted.compact()]
		if !known {
			name = "ds" + strconv.Itoa(len(names)+1)
			names[sorted.compact()] = name
			sources.members = append(sources.members, member{name: name, value: source.clone()})
		}
		*source = *textNode(name)
	}
	return vfs.Files{namedSourcesFile: root.printJSON(), datasourcesFile: sources.printJSON()}, nil
}

// writeDatasources puts the objects in place of their names.
func writeDatasources(files vfs.Files) (vfs.Files, error) {
	root, err := readNamed(files, namedSourcesFile)
	if err != nil {
		return nil, err
	}
	sources, err := readNamed(files, datasourcesFile)
	if err != nil {
		return nil, err
	}
	for _, source := range root.datasources() {
		if object := sources.get(source.text); source.kind == textKind && object != nil {
			*source = *object.clone()
		}
	}
	return asDocument(root), nil
}

const (
	noThresholdsFile = "no_thresholds.json"
	thresholdsFile   = "thresholds.csv"
)

var thresholdColumns = []string{"panel", "step", "color", "value"}

// thresholdSteps returns the list of a panel's thresholds, nil if there is none.
func (n *node) thresholdSteps() *node {
	if steps := n.get("fieldConfig").get("defaults").get("thresholds").get("steps"); steps.is(listKind) {
		return steps
	}
	return nil
}

// tabulateThresholds moves the thresholds to a table.
func tabulateThresholds(files vfs.Files) (vfs.Files, error) {
	root, err := readDashboard(files)
	if err != nil {
		return nil, err
	}
	rows := [][]string{thresholdColumns}
	for i, panel := range root.panels() {
		steps := panel.thresholdSteps()
		if steps == nil || slices.ContainsFunc(steps.items, func(step *node) bool { return !step.isThreshold() }) {
			continue
		}
		for k, step := range steps.items {
			value := ""
			if at := step.get("value"); at.kind == numberKind {
				value = at.text
			}
			rows = append(rows, []string{strconv.Itoa(i + 1), strconv.Itoa(k + 1), step.textOf("color"), value})
		}
		steps.items = nil
	}
	return vfs.Files{noThresholdsFile: root.printJSON(), thresholdsFile: plain.WriteCSV(rows)}, nil
}

// isThreshold reports whether a step is a color and a value, which a table can
// hold.
func (n *node) isThreshold() bool {
	color, value := n.get("color"), n.get("value")
	return len(n.members) == 2 && color.is(textKind) && !strings.Contains(color.text, "\r") && (value.is(nullKind) || value.is(numberKind))
}

// fillThresholds puts the thresholds of the table in place.
func fillThresholds(files vfs.Files) (vfs.Files, error) {
	root, err := readNamed(files, noThresholdsFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, thresholdsFile, thresholdColumns...)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, func(a, b []string) int { return plain.ByNumber(a[1:], b[1:]) })
	panels := root.panels()
	for _, row := range rows {
		at := atoi(strings.TrimSpace(row[0])) - 1
		if at < 0 || at >= len(panels) {
			continue
		}
		if steps := panels[at].thresholdSteps(); steps != nil {
			value := &node{}
			if _, ok := readNumber(strings.TrimSpace(row[3])); ok {
				value = &node{kind: numberKind, text: strings.TrimSpace(row[3])}
			}
			steps.items = append(steps.items, objectOf(
				member{name: "color", value: textNode(row[2])}, member{name: "value", value: value}))
		}
	}
	return asDocument(root), nil
}
