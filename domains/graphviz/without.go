package graphviz

import "agentd/vfs"

// without leaves out nodes, with every statement of theirs, and edges; a chain
// falls into the parts that are left of it. Edges to a node that is left out
// stay, and so does a subgraph with nothing in it.
func without(files vfs.Files, leave func() bool) vfs.Files {
	left := vfs.Files{}
	t := thinner{leave: leave, gone: map[string]bool{}}
	for _, name := range files.Names() {
		d := read(files[name])
		if len(d.graphs) == 0 {
			left[name] = files[name]
			continue
		}
		for _, g := range d.graphs {
			t.body(g.body)
		}
		left[name] = d.print()
	}
	return left
}

type thinner struct {
	leave func() bool
	gone  map[string]bool // by the ids of the nodes so far
}

func (t *thinner) body(b *body) {
	var kept []*statement
	for _, s := range b.statements {
		switch s.kind {
		case nodeStatement:
			if s.ends[0].nodes = t.nodes(s.ends[0].nodes); len(s.ends[0].nodes) > 0 {
				kept = append(kept, s)
			}
		case edgeStatement:
			kept = append(kept, t.chain(s)...)
		case groupStatement:
			t.group(s.group)
			kept = append(kept, s)
		default:
			kept = append(kept, s)
		}
	}
	b.statements = kept
}

func (t *thinner) group(g *group) {
	if g != nil && g.body != nil {
		t.body(g.body)
	}
}

func (t *thinner) nodes(nodes []node) []node {
	var kept []node
	for _, n := range nodes {
		id := n.id.text()
		gone, met := t.gone[id]
		if !met {
			gone = t.leave()
			t.gone[id] = gone
		}
		if !gone {
			kept = append(kept, n)
		}
	}
	return kept
}

// chain returns the statements that are left of an edge statement. A group
// without edges stands on its own.
func (t *thinner) chain(s *statement) []*statement {
	for i := range s.ends {
		t.group(s.ends[i].group)
	}
	var kept []*statement
	keep := func(ends []end) {
		part := *s
		part.ends = ends
		switch {
		case len(ends) > 1:
		case ends[0].group != nil:
			part = statement{kind: groupStatement, group: ends[0].group}
		default:
			return
		}
		if len(kept) > 0 {
			part.above, part.gap = nil, false
		}
		kept = append(kept, &part)
	}
	start := 0
	for i := 1; i < len(s.ends); i++ {
		if t.leave() {
			keep(s.ends[start:i])
			start = i
		}
	}
	keep(s.ends[start:])
	return kept
}
