package graphviz

import (
	"cmp"
	"slices"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// splitBySubgraph makes a file of each subgraph at top level that has a name, and one of all
// other statements.
func splitBySubgraph(p struct{ Document, Rest, Table string }) exact.Steps {
	return graphs.Split(p.Document, p.Rest, p.Table, func(part **statement) (string, []string) {
		if s := *part; s.kind == groupStatement && s.group.name.isSet() {
			return fileName(s.group.name.text()), nil
		}
		return p.Rest, nil
	})
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

// attributesAside moves some attributes of nodes to a table.
func attributesAside(p struct {
	Document, To string
	Attributes   []string
	Table        string
}) exact.Steps {
	columns := append([]string{"id"}, p.Attributes...)
	change := func(d *document) (vfs.Files, error) {
		table := [][]string{columns}
		d.first().walk(func(s *statement) {
			id, ok := s.singleNode()
			if !ok {
				return
			}
			row, any := []string{id}, false
			for _, name := range p.Attributes {
				value := s.takeAttribute(name).text()
				row, any = append(row, value), any || value != ""
			}
			if any {
				table = append(table, row)
			}
		})
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	return graphs.Rewrite(p.Document, p.To, change, func(d *document, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, columns...)
		values := map[string][]string{}
		for _, row := range rows {
			values[row[0]] = row[1:]
		}
		for _, bare := range []bool{false, true} { // rather where a node has other attributes
			d.first().walk(func(s *statement) {
				if id, ok := s.singleNode(); ok && (len(s.attributes) == 0) == bare {
					s.giveAttributes(p.Attributes, values[id])
					delete(values, id)
				}
			})
		}
		return err
	})
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

// giveAttributes adds the attributes whose texts are not empty.
func (s *statement) giveAttributes(names, texts []string) {
	for i, text := range texts {
		value := quotedWord(text)
		if strings.HasPrefix(text, "<") && strings.HasSuffix(text, ">") {
			value = word{text}
		}
		if text != "" {
			s.attributes = append(s.attributes, attribute{word{names[i]}, value})
		}
	}
}

// scaffold is a statement that only shapes the drawing.
type scaffold struct {
	In        string   `json:"in"`    // the subgraph, empty at top level
	Place     int      `json:"place"` // among the statements there
	Statement string   `json:"statement"`
	Comments  []string `json:"comments"`
}

// layoutAside moves invisible edges, and groups without a name that set a rank, to a list.
func layoutAside(p struct{ Document, To, List string }) exact.Steps {
	change := func(d *document) (vfs.Files, error) {
		list, err := plain.JSONArray(takeLayout(d))
		return vfs.Files{p.List: list}, err
	}
	return graphs.Rewrite(p.Document, p.To, change, func(d *document, files vfs.Files) error {
		var taken []scaffold
		if err := plain.JSON(files, p.List, &taken); err != nil {
			return err
		}
		giveLayout(d, taken)
		return nil
	})
}

func takeLayout(d *document) (taken []scaffold) {
	invisible := map[*statement]bool{}
	d.first().walkEdges(nil, func(s *statement, inForce settings) {
		invisible[s] = overridden(inForce, normalAttributes(s.attributes))["style"] == "invis"
	})
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
	return taken
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

func giveLayout(d *document, taken []scaffold) {
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
		into := cmp.Or(bodies[t.In], d.first())
		into.statements = slices.Insert(into.statements, min(max(t.Place-1, 0), len(into.statements)), s)
	}
}
