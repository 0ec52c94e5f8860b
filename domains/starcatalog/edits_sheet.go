package starcatalog

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

const rowColumn = "row"

// firstCapital is the first capital letter of a text, empty if there is none.
func firstCapital(text string) string {
	if at := strings.IndexFunc(text, func(c rune) bool { return c >= 'A' && c <= 'Z' }); at >= 0 {
		return text[at : at+1]
	}
	return ""
}

// rank is the place of a letter among some; others come after them, and no letter last.
func rank(letter, among string) int {
	if letter == "" {
		return len(among) + 1
	}
	return strings.Index(among+letter, letter)
}

// sheetByLetter writes the rows of the first table as Markdown tables, one for each first capital
// letter in a column, sorted by another column, smallest first.
func sheetByLetter(p struct {
	Document, To, Title string
	Column              string
	Letters             string // in order; others follow by the alphabet
	Others              string // the heading of what has no letter
	By, Rest            string
}) exact.Steps {
	return catalogs.Rewrite(p.Document, p.Rest, func(doc *catalog) (vfs.Files, error) {
		g := doc.grids()[0]
		column := g.field(p.Column)
		if column < 0 {
			return nil, errors.New("the first table has no " + p.Column)
		}
		header := []string{rowColumn}
		for _, f := range g.fields() {
			header = append(header, f.Value("name"))
		}
		rows := placed(g.takeRows())
		for _, r := range rows {
			if err := isPlainRow(r); err != nil {
				return nil, err
			}
		}
		letter := func(r placedRow) string { return firstCapital(cell(r.Node, column)) }
		sortBy(rows, g.field(p.By))
		slices.SortStableFunc(rows, func(a, b placedRow) int {
			return cmp.Or(cmp.Compare(rank(letter(a), p.Letters), rank(letter(b), p.Letters)), cmp.Compare(letter(a), letter(b)))
		})
		lines := []string{"# " + p.Title}
		heading := ""
		for _, r := range rows {
			if h := cmp.Or(letter(r), p.Others); h != heading {
				heading = h
				lines = append(lines, "", "## "+heading, "", sheetLine(header), "|"+strings.Repeat(" --- |", len(header)))
			}
			lines = append(lines, sheetLine(append([]string{strconv.Itoa(r.place)}, texts(r.Node)...)))
		}
		return vfs.Files{p.To: plain.Text(lines)}, nil
	}, func(doc *catalog, files vfs.Files) error {
		text, err := plain.File(files, p.To)
		g := doc.grids()[0]
		var rows []placedRow
		for _, line := range plain.Lines(text) {
			cells := sheetCells(line)
			if len(cells) < 2 || cells[0] == rowColumn || strings.Trim(cells[0], "-:") == "" {
				continue
			}
			rows = append(rows, placedRow{g.newRow(cells[1:]), plain.LineNumber(cells[0])})
		}
		g.putRows(inOrder(rows))
		return err
	})
}

// isPlainRow reports why a row cannot be written as texts.
func isPlainRow(r placedRow) error {
	plainCell := func(n *xml.Node) bool { return n.Is("TD") && len(n.Attrs) == 0 && !n.HasMarkup() }
	if len(r.Attrs) > 0 || slices.ContainsFunc(r.Children, func(n *xml.Node) bool { return !plainCell(n) }) {
		return fmt.Errorf("row %d has more than texts in its cells", r.place)
	}
	return nil
}

// texts are the cells of a row.
func texts(row *xml.Node) []string {
	return lists.Map(row.All("TD"), func(c *xml.Node) string { return pytext.Collapse(c.Content()) })
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

var (
	sheetCell     = regexp.MustCompile(`((?:\\[\\|]|[^|])*)\|`)
	unescapePipes = strings.NewReplacer(`\\`, `\`, `\|`, "|")
)

// sheetCells reads what sheetLine writes.
func sheetCells(line string) []string {
	line = strings.TrimPrefix(strings.TrimSpace(line), "|")
	return lists.Map(sheetCell.FindAllStringSubmatch(line, -1), func(found []string) string {
		return strings.TrimSpace(unescapePipes.Replace(found[1]))
	})
}

// newRow makes a row of the texts in its cells.
func (g grid) newRow(cells []string) *xml.Node {
	row := g.NewChild("TR")
	for _, text := range cells {
		row.Append(g.NewChild("TD").With(text))
	}
	return row
}
