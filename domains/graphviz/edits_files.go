package graphviz

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	restFile   = "rest.dot"
	orderTable = "order.csv"
)

// splitClusters gives each subgraph at top level that has a name a file, and
// all other statements one.
func splitClusters(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	whole := d.graphs[0]
	rest := *whole
	rest.body = &body{closing: whole.body.closing}
	parts := map[string]*graph{restFile: &rest}
	order := [][]string{{"position", "file"}}
	for n, s := range whole.body.statements {
		file := restFile
		if s.kind == groupStatement && s.group.name.isSet() {
			file = fileName(s.group.name.text())
		}
		order = append(order, []string{strconv.Itoa(n + 1), file})
		if parts[file] == nil {
			parts[file] = &graph{strict: whole.strict, directed: whole.directed, name: whole.name, body: &body{}}
		}
		parts[file].body.statements = append(parts[file].body.statements, s)
	}
	out := vfs.Files{orderTable: plain.WriteCSV(order)}
	for file, part := range parts {
		out[file] = (&document{graphs: []*graph{part}}).print()
	}
	return out, nil
}

// fileName is the file of a subgraph: its name, with underscores for what does
// not belong into names of files.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r < 0x80 && isIdentifier(byte(r)) && r != '.' {
			return r
		}
		return '_'
	}, name) + ".dot"
}

// mergeClusters puts the statements of the files in the order of the table.
// Those that it does not place come last.
func mergeClusters(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, orderTable, "position", "file")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	parts := map[string]*body{}
	var names []string
	whole := &graph{directed: true}
	for _, name := range files.Match([]string{"*.dot"}).Names() {
		d := read(files[name])
		if len(d.graphs) == 0 {
			continue
		}
		if name == restFile || len(names) == 0 && files[restFile] == "" {
			whole = d.graphs[0]
		}
		names = append(names, name)
		parts[name] = d.first()
	}
	if len(names) == 0 {
		return nil, errNoGraph
	}
	merged := &body{}
	for _, row := range rows {
		if part := parts[row[1]]; part != nil && len(part.statements) > 0 {
			merged.statements = append(merged.statements, part.statements[0])
			part.statements = part.statements[1:]
		}
	}
	for _, name := range names {
		merged.statements = append(merged.statements, parts[name].statements...)
		merged.closing = append(merged.closing, parts[name].closing...)
	}
	whole.body = merged
	return (&document{graphs: []*graph{whole}}).asDocument(), nil
}

const (
	linksTable   = "links.csv"
	unlinkedFile = "unlinked.dot"
)

var linkNames = []string{"URL", "tooltip"}

// takeLinks moves addresses and tooltips of nodes to a table.
func takeLinks(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	table := [][]string{append([]string{"id"}, linkNames...)}
	d.first().walk(func(s *statement) {
		id, ok := s.singleNode()
		if !ok {
			return
		}
		row := []string{id}
		for _, name := range linkNames {
			row = append(row, s.takeAttribute(name).text())
		}
		if row[1]+row[2] != "" {
			table = append(table, row)
		}
	})
	return vfs.Files{unlinkedFile: d.print(), linksTable: plain.WriteCSV(table)}, nil
}

// singleNode is the id of the node that a node statement is about; false if it
// is another statement, or about several.
func (s *statement) singleNode() (id string, ok bool) {
	if s.kind != nodeStatement || len(s.ends[0].nodes) != 1 {
		return "", false
	}
	return s.ends[0].nodes[0].id.text(), true
}

// takeAttribute takes out an attribute that is not empty.
func (s *statement) takeAttribute(name string) word {
	value := s.attribute(name)
	if value.text() == "" {
		return word{}
	}
	s.attributes = slices.DeleteFunc(s.attributes, func(a attribute) bool { return a.name.text() == name })
	return value
}

func giveLinks(files vfs.Files) (vfs.Files, error) {
	d, err := readNamed(files, unlinkedFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, linksTable, append([]string{"id"}, linkNames...)...)
	if err != nil {
		return nil, err
	}
	links := map[string][]string{}
	for _, row := range rows {
		links[row[0]] = row[1:]
	}
	for _, bare := range []bool{false, true} { // rather where a node has other attributes
		d.first().walk(func(s *statement) {
			if id, ok := s.singleNode(); ok && (len(s.attributes) == 0) == bare {
				s.giveLinks(links[id])
				delete(links, id)
			}
		})
	}
	return d.asDocument(), nil
}

func (s *statement) giveLinks(texts []string) {
	for i, text := range texts {
		switch {
		case text == "":
		case strings.HasPrefix(text, "<") && strings.HasSuffix(text, ">"):
			s.attributes = append(s.attributes, attribute{word{linkNames[i]}, word{text}})
		default:
			s.attributes = append(s.attributes, attribute{word{linkNames[i]}, quotedWord(text)})
		}
	}
}

const (
	layoutFile = "layout.json"
	meantFile  = "meant.dot"
)

// scaffold is a statement that only shapes the drawing.
type scaffold struct {
	In        string   `json:"in"`    // the subgraph, empty at top level
	Place     int      `json:"place"` // among the statements there
	Statement string   `json:"statement"`
	Comments  []string `json:"comments"`
}

// takeLayout moves invisible edges, and groups without a name that set a rank,
// to a list.
func takeLayout(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	invisible := map[*statement]bool{}
	d.first().walkEdges(nil, func(s *statement, inForce settings) {
		invisible[s] = overridden(inForce, normalAttributes(s.attributes))["style"] == "invis"
	})
	taken := []scaffold{}
	d.first().eachNamed("", func(in string, b *body) {
		var kept []*statement
		for n, s := range b.statements {
			if !invisible[s] && !s.setsRank() {
				kept = append(kept, s)
				continue
			}
			taken = append(taken, scaffold{in, n + 1, s.print(), append([]string{}, s.above...)})
		}
		b.statements = kept
	})
	list, err := plain.JSONArray(taken)
	return vfs.Files{meantFile: d.print(), layoutFile: list}, err
}

// setsRank holds for a group without a name in which a rank is set and nodes are
// named, and nothing else.
func (s *statement) setsRank() bool {
	if s.kind != groupStatement || s.group.name.isSet() || s.group.body == nil || !s.group.isShort() {
		return false
	}
	ranked := false
	for _, inner := range s.group.body.statements {
		if inner.kind == settingStatement {
			ranked = ranked || inner.word.text() == "rank"
		} else if inner.kind != nodeStatement {
			return false
		}
	}
	return ranked
}

// eachNamed calls do with a body and those of the subgraphs with a name in it.
func (b *body) eachNamed(in string, do func(in string, b *body)) {
	do(in, b)
	for _, s := range b.statements {
		if s.kind == groupStatement && s.group.name.isSet() && s.group.body != nil {
			s.group.body.eachNamed(s.group.name.text(), do)
		}
	}
}

func giveLayout(files vfs.Files) (vfs.Files, error) {
	d, err := readNamed(files, meantFile)
	if err != nil {
		return nil, err
	}
	var taken []scaffold
	if err := plain.JSON(files, layoutFile, &taken); err != nil {
		return nil, err
	}
	slices.SortStableFunc(taken, func(a, b scaffold) int { return a.Place - b.Place })
	bodies := map[string]*body{}
	d.first().eachNamed("", func(in string, b *body) {
		if bodies[in] == nil {
			bodies[in] = b
		}
	})
	for _, t := range taken {
		s, ok := statementOf(t.Statement)
		if !ok {
			continue
		}
		s.above = t.Comments
		into := bodies[t.In]
		if into == nil {
			into = d.first()
		}
		into.statements = slices.Insert(into.statements, min(max(t.Place-1, 0), len(into.statements)), s)
	}
	return d.asDocument(), nil
}
