package json

import (
	"errors"
	"fmt"
	"slices"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// documentFile is the document of the built-in environment: every backward step
// makes it, and nothing else.
const documentFile = "bongate_plant.json"

// The edits work on dashboards: objects with a list of panels.
func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "split_by_type", Forward: splitByType, Backward: mergeTypes},
		{Name: "area_rows", Forward: addRows, Backward: dropRows},
		{Name: "query_file", Forward: moveQueries, Backward: fillQueries},
		{Name: "yaml_form", Forward: toYAML, Backward: fromYAML},
		{Name: "pixel_layout", Forward: toPixels, Backward: fromPixels},
		{Name: "keyed_panels", Forward: keyPanels, Backward: listPanels},
		{Name: "datasource_names", Forward: nameDatasources, Backward: writeDatasources},
		{Name: "sorted_lists", Forward: sortLists, Backward: unsortLists},
		{Name: "threshold_table", Forward: tabulateThresholds, Backward: fillThresholds},
	}
}

const panelsKey = "panels"

var errNoDashboard = errors.New("no JSON file with a list of panels")

// readDashboard returns the dashboard among the files, the one of the usual name
// if there are several.
func readDashboard(files vfs.Files) (*node, error) {
	names := files.Names()
	if _, ok := files[documentFile]; ok {
		names = []string{documentFile}
	}
	for _, name := range names {
		if root := readRoot(name, files[name]); root.get(panelsKey).is(listKind) {
			return root, nil
		}
	}
	return nil, errNoDashboard
}

// readNamed returns the outermost value of a file.
func readNamed(files vfs.Files, name string) (*node, error) {
	text, err := plain.File(files, name)
	if err != nil {
		return nil, err
	}
	root := readRoot(name, text)
	if root == nil {
		return nil, fmt.Errorf("%s has no JSON value", name)
	}
	return root, nil
}

// readRoot returns the outermost list or object in a text, nil if there is none.
func readRoot(name, text string) *node {
	for _, root := range read(name, text).roots {
		if root.isContainer() {
			return root
		}
	}
	return nil
}

// asDocument is the result of a backward step.
func asDocument(root *node) vfs.Files { return vfs.Files{documentFile: root.printJSON()} }

// panels returns the panels of a dashboard, which may be damaged.
func (n *node) panels() []*node {
	if list := n.get(panelsKey); list.is(listKind) {
		return list.items
	}
	return nil
}

// targets returns the queries of a panel that are objects.
func (n *node) targets() []*node {
	list := n.get("targets")
	if !list.is(listKind) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(list.items), func(t *node) bool { return t.kind != objectKind })
}

// number returns a value that is a whole number, -1 for any other.
func (n *node) number() int {
	if !n.is(numberKind) {
		return -1
	}
	return atoi(n.text)
}
