package vector

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

const (
	variableFile  = "by_variable.svg"
	fillsFile     = "fills.csv"
	codedFile     = "coded.svg"
	labelsFile    = "labels.csv"
	skeletonFile  = "skeleton.svg"
	dimensionFile = "dimensions.csv"
)

// variables are the colours of the measured variable that the first letter of an
// instrument's tag stands for (ISA-5.1).
var variables = map[byte]string{'A': "#bcbddc", 'F': "#9ecae1", 'L': "#a1d99b", 'P': "#fdae6b", 'T': "#fc9272"}

// bubble is an instrument: a group with a circle and a tag.
type bubble struct {
	circle *xml.Node
	tag    string
}

func (d *drawing) bubbles() []bubble {
	var all []bubble
	for _, g := range visible(d.Root(), func(n *xml.Node) bool { return n.Is("g") && hasClass(n, "instrument") }) {
		b := bubble{circle: g.Child("circle")}
		if label := g.Child("text"); label != nil {
			b.tag = strings.Join(pytext.Fields(contentOf(label)), " ")
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

// colourByVariable fills the circles of instruments by what they measure.
func colourByVariable(files vfs.Files) (vfs.Files, error) {
	doc, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	rows := [][]string{{"instrument", "tag", "fill"}}
	for n, b := range doc.bubbles() {
		if b.circle == nil || b.tag == "" || variables[b.tag[0]] == "" {
			continue
		}
		fill, _ := b.circle.Attribute("fill")
		rows = append(rows, []string{strconv.Itoa(n + 1), b.tag, fill})
		setAttribute(b.circle, "fill", variables[b.tag[0]])
	}
	return vfs.Files{variableFile: doc.print(), fillsFile: plain.WriteCSV(rows)}, nil
}

func restoreFills(files vfs.Files) (vfs.Files, error) {
	doc, err := readNamed(files, variableFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, fillsFile, "instrument", "fill")
	if err != nil {
		return nil, err
	}
	bubbles := doc.bubbles()
	for _, row := range rows {
		n := plain.LineNumber(row[0])
		if n == 0 || n > len(bubbles) || bubbles[n-1].circle == nil {
			return nil, fmt.Errorf("%s: no instrument %s with a circle", fillsFile, row[0])
		}
		if row[1] == "" {
			removeAttribute(bubbles[n-1].circle, "fill")
		} else {
			setAttribute(bubbles[n-1].circle, "fill", row[1])
		}
	}
	return asDocument(doc), nil
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

// toLabelTable puts the words of a drawing in a table and keys in their place.
func toLabelTable(files vfs.Files) (vfs.Files, error) {
	doc, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	rows := [][]string{{"key", "text"}}
	for n, run := range labelRuns(doc.Root(), false) {
		key := fmt.Sprintf("T%03d", n+1)
		rows = append(rows, []string{key, run.Text})
		run.Text = key
	}
	return vfs.Files{codedFile: doc.print(), labelsFile: plain.WriteCSV(rows)}, nil
}

func fromLabelTable(files vfs.Files) (vfs.Files, error) {
	doc, err := readNamed(files, codedFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, labelsFile, "key", "text")
	if err != nil {
		return nil, err
	}
	texts := map[string]string{}
	for _, row := range rows {
		texts[strings.TrimSpace(row[0])] = row[1]
	}
	for _, run := range labelRuns(doc.Root(), false) {
		if text, ok := texts[pytext.Strip(run.Text)]; ok {
			run.Text = text
		}
	}
	return asDocument(doc), nil
}

// What toDimensions moves to its table.
var (
	dimensioned = regexp.MustCompile(`^(?:rect|circle|ellipse|line|text|tspan|use|image)$`)
	dimensions  = []string{"x", "y", "width", "height", "cx", "cy", "r", "rx", "ry", "x1", "y1", "x2", "y2"}
	plainNumber = regexp.MustCompile(`^-?[0-9]{1,12}(?:\.[0-9]{1,12})?$`)
	millimetres = decimal.RequireFromString("0.25") // in a unit of the drawing
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

// toDimensions moves positions and sizes to a table in millimetres. Each has two
// decimals more there, so that it is exact.
func toDimensions(files vfs.Files) (vfs.Files, error) {
	doc, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	rows := [][]string{append([]string{"shape", "number"}, dimensions...)}
	shapes, numbers := doc.dimensionedShapes()
	for k, n := range shapes {
		row, found := []string{xml.Local(n.Name), strconv.Itoa(numbers[k])}, false
		for _, name := range dimensions {
			text, _ := n.Attribute(name)
			if !plainNumber.MatchString(text) {
				row = append(row, "")
				continue
			}
			found = true
			removeAttribute(n, name)
			value := decimal.RequireFromString(text)
			row = append(row, value.Mul(millimetres).StringFixed(-value.Exponent()+2))
		}
		if found {
			rows = append(rows, row)
		}
	}
	return vfs.Files{skeletonFile: doc.print(), dimensionFile: plain.WriteCSV(rows)}, nil
}

func fromDimensions(files vfs.Files) (vfs.Files, error) {
	doc, err := readNamed(files, skeletonFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, dimensionFile, append([]string{"shape", "number"}, dimensions...)...)
	if err != nil {
		return nil, err
	}
	byName := map[string]*xml.Node{}
	shapes, numbers := doc.dimensionedShapes()
	for k, n := range shapes {
		byName[xml.Local(n.Name)+" "+strconv.Itoa(numbers[k])] = n
	}
	for _, row := range rows {
		name := strings.TrimSpace(row[0]) + " " + strconv.Itoa(plain.LineNumber(row[1]))
		n := byName[name]
		if n == nil {
			return nil, fmt.Errorf("%s: there is no %s", dimensionFile, name)
		}
		for k, text := range row[2:] {
			if text = strings.TrimSpace(text); !plainNumber.MatchString(text) {
				continue
			}
			value := decimal.RequireFromString(text)
			setAttribute(n, dimensions[k], value.Div(millimetres).StringFixed(max(-value.Exponent()-2, 0)))
		}
	}
	return asDocument(doc), nil
}
