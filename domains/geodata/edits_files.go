package geodata

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	unsortedFile = "unsorted.geojson"
	orderFile    = "order.csv"
)

// splitByKind makes a collection of the features of each kind.
func splitByKind(files vfs.Files) (vfs.Files, error) {
	c, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	parts := map[string][]*node{}
	order := [][]string{{"position", "file"}}
	for i, f := range c.features {
		name := kindFile(f)
		parts[name] = append(parts[name], f)
		order = append(order, []string{strconv.Itoa(i + 1), name})
	}
	out := vfs.Files{orderFile: plain.WriteCSV(order)}
	for name, features := range parts {
		out[name] = c.part(features).print()
	}
	return out, nil
}

// kindFile names the file after the kind: "leaky_dam.geojson".
func kindFile(f *node) string {
	words := strings.FieldsFunc(strings.ToLower(f.property("kind").plainText()), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	if len(words) == 0 {
		return unsortedFile
	}
	return strings.Join(words, "_") + ".geojson"
}

// mergeKinds takes features as the table of positions has them; those that it
// does not place come last.
func mergeKinds(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, orderFile, "position", "file")
	if err != nil {
		return nil, err
	}
	files = files.Match([]string{"*.geojson"})
	if len(files) == 0 {
		return nil, errNoFeature
	}
	inOrderOf(rows, func(row []string) string { return row[0] })
	whole := &collection{}
	waiting := map[string][]*node{}
	for _, name := range files.Names() {
		c := readCollection(files[name])
		whole.takeMembers(&c)
		waiting[name] = c.features
	}
	for _, row := range rows {
		if features := waiting[row[1]]; len(features) > 0 {
			whole.features = append(whole.features, features[0])
			waiting[row[1]] = features[1:]
		}
	}
	for _, name := range files.Names() {
		whole.features = append(whole.features, waiting[name]...)
	}
	return asDocument(whole), nil
}

const (
	numberedFile  = "numbered.geojson"
	gazetteerFile = "gazetteer.md"
	numberKey     = "gazetteer_no"
)

const gazetteerHead = `# Gazetteer

| No. | Name | Kind | Note |
| --- | --- | --- | --- |
`

// toGazetteer moves the notes into a table in order of names, and numbers them.
func toGazetteer(files vfs.Files) (vfs.Files, error) {
	c, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	var noted []*node
	for _, f := range c.features {
		if f.property("note").is(textKind) {
			noted = append(noted, f)
		}
	}
	slices.SortStableFunc(noted, func(a, b *node) int {
		return strings.Compare(a.property("name").plainText(), b.property("name").plainText())
	})
	table := gazetteerHead
	for i, f := range noted {
		cells := []string{
			strconv.Itoa(i + 1), f.property("name").plainText(), f.property("kind").plainText(), f.property("note").text,
		}
		for k := range cells {
			cells[k] = toCell.Replace(cells[k])
		}
		table += "| " + strings.Join(cells, " | ") + " |\n"
		f.properties().rename("note", numberKey, numberNode(i+1))
	}
	return vfs.Files{numberedFile: c.print(), gazetteerFile: table}, nil
}

var (
	toCell   = strings.NewReplacer("|", `\|`, "\n", "<br>")
	fromCell = strings.NewReplacer(`\|`, "|", "<br>", "\n")
)

// rename puts another member in a member's place.
func (n *node) rename(name, newName string, value *node) {
	for i := range n.members {
		if n.members[i].name == name {
			n.members[i] = member{newName, value}
		}
	}
}

func fromGazetteer(files vfs.Files) (vfs.Files, error) {
	c, err := readNamed(files, numberedFile)
	if err != nil {
		return nil, err
	}
	table, err := plain.File(files, gazetteerFile)
	if err != nil {
		return nil, err
	}
	notes := map[string]string{}
	for _, line := range plain.Lines(table) {
		if cells := tableCells(line); len(cells) >= 4 {
			notes[cells[0]] = cells[3]
		}
	}
	for _, f := range c.features {
		if note, ok := notes[f.property(numberKey).plainText()]; ok {
			f.properties().rename(numberKey, "note", textNode(note))
		}
	}
	return asDocument(c), nil
}

// tableCells splits a row of a Markdown table.
func tableCells(line string) []string {
	line = strings.TrimPrefix(strings.TrimSpace(line), "|")
	var cells []string
	start := 0
	for at := range len(line) {
		if line[at] == '|' && (at == 0 || line[at-1] != '\\') {
			cells = append(cells, fromCell.Replace(strings.TrimSpace(line[start:at])))
			start = at + 1
		}
	}
	return cells
}

const (
	nodesFile  = "nodes.csv"
	byNodeFile = "by_node.geojson"
)

var nodeColumns = []string{"node", "lon", "lat", "alt"}

// toNodes numbers the positions, equal ones alike, and puts the numbers in
// their places.
func toNodes(files vfs.Files) (vfs.Files, error) {
	c, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	table := [][]string{nodeColumns}
	numberOf := map[string]int{}
	for _, f := range c.features {
		f.get(geometryKey).eachPosition(func(position *node) {
			row := make([]string, len(nodeColumns))
			if len(position.items) < 2 || len(position.items) >= len(row) {
				return
			}
			for i, ordinate := range position.items {
				row[i+1] = ordinate.plainText()
			}
			key := strings.Join(row, " ")
			if numberOf[key] == 0 {
				numberOf[key] = len(table)
				row[0] = strconv.Itoa(len(table))
				table = append(table, row)
			}
			*position = *numberNode(numberOf[key])
		})
	}
	return vfs.Files{byNodeFile: c.print(), nodesFile: plain.WriteCSV(table)}, nil
}

func fromNodes(files vfs.Files) (vfs.Files, error) {
	c, err := readNamed(files, byNodeFile)
	if err != nil {
		return nil, err
	}
	table, err := plain.Table(files, nodesFile, nodeColumns...)
	if err != nil {
		return nil, err
	}
	positions := map[string]*node{}
	for _, row := range table {
		position := &node{kind: arrayKind}
		for _, ordinate := range row[1:] {
			if ordinate != "" {
				position.items = append(position.items, bareNode(ordinate))
			}
		}
		positions[row[0]] = position
	}
	for _, f := range c.features {
		f.get(geometryKey).placeNodes(positions)
	}
	return asDocument(c), nil
}

// placeNodes puts positions in the places of their numbers.
func (n *node) placeNodes(positions map[string]*node) {
	if n == nil {
		return
	}
	if position, ok := positions[n.plainText()]; ok {
		*n = *position
		return
	}
	for _, item := range n.items {
		item.placeNodes(positions)
	}
	n.get("coordinates").placeNodes(positions)
	n.get("geometries").placeNodes(positions)
}
