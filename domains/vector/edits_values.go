package vector

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// bubble is a group with a circle and a label.
type bubble struct {
	circle *xml.Node
	label  string
}

// bubbles are the groups of a class.
func (d *drawing) bubbles(class string) []bubble {
	var all []bubble
	for _, g := range visible(d.Root(), func(n *xml.Node) bool { return n.Is("g") && hasClass(n, class) }) {
		b := bubble{circle: g.Child("circle")}
		if label := g.Child("text"); label != nil {
			b.label = pytext.Collapse(contentOf(label))
		}
		all = append(all, b)
	}
	return all
}

// contentOf is all text in an element, with a blank between the pieces.
func contentOf(n *xml.Node) string {
	var b strings.Builder
	for _, c := range n.Children {
		if c.Kind == xml.Text {
			b.WriteString(c.Text + " ")
		} else if c.Kind == xml.Element {
			b.WriteString(contentOf(c))
		}
	}
	return b.String()
}

// fillByLabel fills the circles in groups of a class with the colour for the first letter of
// their label.
func fillByLabel(p struct {
	Document, To string
	Class        string            // also the column of the groups' numbers
	Label        string            // column
	Colours      map[string]string // by letter
	Table        string
}) exact.Steps {
	change := func(d *drawing) (vfs.Files, error) {
		rows := [][]string{{p.Class, p.Label, "fill"}}
		for n, b := range d.bubbles(p.Class) {
			if b.circle == nil || b.label == "" || p.Colours[b.label[:1]] == "" {
				continue
			}
			fill, _ := b.circle.Attribute("fill")
			rows = append(rows, []string{strconv.Itoa(n + 1), b.label, fill})
			b.circle.SetAttribute("fill", p.Colours[b.label[:1]])
		}
		return vfs.Files{p.Table: plain.WriteCSV(rows)}, nil
	}
	return rewrite(p.Document, p.To, change, func(d *drawing, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, p.Class, "fill")
		bubbles := d.bubbles(p.Class)
		for _, row := range rows {
			n := plain.LineNumber(row[0])
			if n == 0 || n > len(bubbles) || bubbles[n-1].circle == nil {
				return fmt.Errorf("%s: no %s %s with a circle", p.Table, p.Class, row[0])
			}
			if bubbles[n-1].circle.SetAttribute("fill", row[1]); row[1] == "" {
				bubbles[n-1].circle.RemoveAttribute("fill")
			}
		}
		return err
	})
}

// labelRuns are the pieces of text in labels that are not blank.
func labelRuns(n *xml.Node, inText bool) []*xml.Node {
	var all []*xml.Node
	for _, c := range n.Children {
		switch {
		case c.Kind == xml.Text && inText && pytext.Strip(c.Text) != "":
			all = append(all, c)
		case c.Kind == xml.Element && !c.Is("title") && !c.Is("desc"):
			all = append(all, labelRuns(c, inText || c.Is("text"))...)
		}
	}
	return all
}

// codeLabels puts the words of a drawing in a table and codes in their place.
func codeLabels(p struct {
	Document, To string
	First        string // code
	Table        string
}) exact.Steps {
	change := func(d *drawing) (vfs.Files, error) {
		rows := [][]string{{"key", "text"}}
		next := exact.Counting(p.First)
		for n, run := range labelRuns(d.Root(), false) {
			key := next("", n)
			rows = append(rows, []string{key, run.Text})
			run.Text = key
		}
		return vfs.Files{p.Table: plain.WriteCSV(rows)}, nil
	}
	return rewrite(p.Document, p.To, change, func(d *drawing, files vfs.Files) error {
		texts, err := exact.ReadRegister(files, p.Table, "key", "text")
		for _, run := range labelRuns(d.Root(), false) {
			if text, ok := texts[pytext.Strip(run.Text)]; ok {
				run.Text = text
			}
		}
		return err
	})
}

// What scaleDimensions moves to its table.
var (
	dimensioned = regexp.MustCompile(`^(?:rect|circle|ellipse|line|text|tspan|use|image)$`)
	dimensions  = []string{"x", "y", "width", "height", "cx", "cy", "r", "rx", "ry", "x1", "y1", "x2", "y2"}
	plainNumber = regexp.MustCompile(`^-?[0-9]{1,12}(?:\.[0-9]{1,12})?$`)
)

// dimensionedShapes are the shapes outside of definitions, with their number
// among those of one kind.
func (d *drawing) dimensionedShapes() (shapes []*xml.Node, numbers []int) {
	met := map[string]int{}
	shapes = visible(d.Root(), func(n *xml.Node) bool { return dimensioned.MatchString(xml.Local(n.Name)) })
	for _, n := range shapes {
		kind := xml.Local(n.Name)
		met[kind]++
		numbers = append(numbers, met[kind])
	}
	return shapes, numbers
}

// scaleDimensions moves positions and sizes to a table, in another unit. Each has as many
// decimals more there as the unit has, so that it is exact.
func scaleDimensions(p struct {
	Document, To string
	Unit         decimal.Decimal // that of the drawing in the other
	Table        string
}) exact.Steps {
	if !p.Unit.IsPositive() || p.Unit.Exponent() > 0 || p.Unit.Exponent() < -6 {
		return exact.Refuse("unit must be above zero, with at most six decimals")
	}
	columns := append([]string{"shape", "number"}, dimensions...)
	change := func(d *drawing) (vfs.Files, error) {
		rows := [][]string{columns}
		shapes, numbers := d.dimensionedShapes()
		for k, n := range shapes {
			row, found := []string{xml.Local(n.Name), strconv.Itoa(numbers[k])}, false
			for _, name := range dimensions {
				text, _ := n.Attribute(name)
				if !plainNumber.MatchString(text) {
					row = append(row, "")
					continue
				}
				found = true
				n.RemoveAttribute(name)
				value := decimal.RequireFromString(text).Mul(p.Unit)
				row = append(row, value.StringFixed(-value.Exponent()))
			}
			if found {
				rows = append(rows, row)
			}
		}
		return vfs.Files{p.Table: plain.WriteCSV(rows)}, nil
	}
	return rewrite(p.Document, p.To, change, func(d *drawing, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, columns...)
		byName := map[string]*xml.Node{}
		shapes, numbers := d.dimensionedShapes()
		for k, n := range shapes {
			byName[xml.Local(n.Name)+" "+strconv.Itoa(numbers[k])] = n
		}
		for _, row := range rows {
			name := strings.TrimSpace(row[0]) + " " + strconv.Itoa(plain.LineNumber(row[1]))
			n := byName[name]
			if n == nil {
				return fmt.Errorf("%s: there is no %s", p.Table, name)
			}
			for k, text := range row[2:] {
				if text = strings.TrimSpace(text); plainNumber.MatchString(text) {
					value := decimal.RequireFromString(text)
					n.SetAttribute(dimensions[k], value.Div(p.Unit).StringFixed(max(p.Unit.Exponent()-value.Exponent(), 0)))
				}
			}
		}
		return err
	})
}
