package starcatalog

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

const (
	sheetFile = "stars.md"
	frameFile = "frame.vot"
	noClass   = "unclassified"
	rowColumn = "row"
)

// classes are the spectral classes from hot to cool.
const classes = "OBAFGKM"

// spectralClass is the first capital letter of a spectral type.
func spectralClass(kind string) string {
	if at := strings.IndexFunc(kind, func(c rune) bool { return c >= 'A' && c <= 'Z' }); at >= 0 {
		return kind[at : at+1]
	}
	return noClass
}

// compareClasses orders the classes from hot to cool, then others by letter,
// then what has none.
func compareClasses(a, b string) int {
	rank := func(class string) int {
		switch at := strings.Index(classes, class); {
		case class == noClass:
			return len(classes) + 1
		case at < 0:
			return len(classes)
		default:
			return at
		}
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
}

// toSheet writes the rows of the first table as Markdown tables, one for each
// spectral class, the brightest star first.
func toSheet(files vfs.Files) (vfs.Files, error) {
	doc, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	g := doc.grids()[0]
	kind := g.field(spectralType)
	if kind < 0 {
		return nil, errors.New("the first table has no " + spectralType)
	}
	header := []string{rowColumn}
	for _, f := range g.fields() {
		header = append(header, attribute(f, "name"))
	}
	rows := placed(g.takeRows())
	for _, r := range rows {
		if err := isPlainRow(r); err != nil {
			return nil, err
		}
	}
	sortBy(rows, g.field(magnitude))
	slices.SortStableFunc(rows, func(a, b placedRow) int {
		return compareClasses(spectralClass(cell(a.Node, kind)), spectralClass(cell(b.Node, kind)))
	})
	lines := []string{"# Stars by spectral class"}
	class := ""
	for _, r := range rows {
		if c := spectralClass(cell(r.Node, kind)); c != class {
			class = c
			lines = append(lines, "", "## "+class, "", sheetLine(header), "|"+strings.Repeat(" --- |", len(header)))
		}
		lines = append(lines, sheetLine(append([]string{strconv.Itoa(r.place)}, texts(r.Node)...)))
	}
	return vfs.Files{sheetFile: plain.Text(lines), frameFile: doc.print()}, nil
}

// isPlainRow reports why a row cannot be written as texts.
func isPlainRow(r placedRow) error {
	plainCell := func(n *xml.Node) bool { return n.Is("TD") && len(n.Attrs) == 0 && !hasMarkup(n) }
	if len(r.Attrs) > 0 || slices.ContainsFunc(r.Children, func(n *xml.Node) bool { return !plainCell(n) }) {
		return fmt.Errorf("row %d has more than texts in its cells", r.place)
	}
	return nil
}

func hasMarkup(n *xml.Node) bool {
	return slices.ContainsFunc(n.Children, func(c *xml.Node) bool { return c.Kind != xml.Text })
}

// texts are the cells of a row.
func texts(row *xml.Node) []string {
	var all []string
	for _, c := range row.All("TD") {
		all = append(all, squash(c.Content()))
	}
	return all
}

var escapePipes = strings.NewReplacer(`\`, `\\`, "|", `\|`)

func sheetLine(cells []string) string {
	var b strings.Builder
	b.WriteByte('|')
	for _, c := range cells {
		b.WriteByte(' ')
		if c != "" {
			b.WriteString(escapePipes.Replace(c) + " ")
		}
		b.WriteByte('|')
	}
	return b.String()
}

// sheetCells reads what sheetLine writes.
func sheetCells(line string) []string {
	line = strings.TrimPrefix(strings.TrimSpace(line), "|")
	var cells []string
	var b strings.Builder
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\' && i+1 < len(line) && (line[i+1] == '|' || line[i+1] == '\\'):
			i++
			b.WriteByte(line[i])
		case c == '|':
			cells = append(cells, strings.TrimSpace(b.String()))
			b.Reset()
		default:
			b.WriteByte(c)
		}
	}
	return cells
}

func fromSheet(files vfs.Files) (vfs.Files, error) {
	doc, err := readNamed(files, frameFile)
	if err != nil {
		return nil, err
	}
	text, err := plain.File(files, sheetFile)
	if err != nil {
		return nil, err
	}
	g := doc.grids()[0]
	var rows []placedRow
	for _, line := range plain.Lines(text) {
		cells := sheetCells(line)
		if len(cells) < 2 || cells[0] == rowColumn || strings.Trim(cells[0], "-:") == "" {
			continue
		}
		rows = append(rows, placedRow{g.newRow(cells[1:]), whole(cells[0])})
	}
	g.putRows(inOrder(rows))
	return asDocument(doc), nil
}

// newRow makes a row of the texts in its cells.
func (g grid) newRow(cells []string) *xml.Node {
	row := g.NewChild("TR")
	for _, text := range cells {
		td := g.NewChild("TD")
		if text != "" {
			td.SetContent(text)
		}
		row.Children = append(row.Children, td)
	}
	return row
}
