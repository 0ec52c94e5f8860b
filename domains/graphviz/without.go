package graphviz

import (
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// without leaves out nodes, with every statement of theirs, and edges; a chain falls into the parts that are left of
// it. Edges to a node that is left out stay, and so does a subgraph with nothing in it.
func without(files vfs.Files, leave func() bool) vfs.Files {
	left := vfs.Files{}
	t := thinner{leave: leave, gone: map[string]bool{}}
	for _, name := range files.Names() {
		t.text, t.changes = whole(files[name]), nil
		for _, g := range read(files[name]).graphs {
			t.body(g.body)
		}
		left[name] = plain.Splice(t.text, t.changes, func(c replacement) (int, int, string) { return c.from, c.to, c.with })
	}
	return left
}

type thinner struct {
	leave   func() bool
	gone    map[string]bool // by the ids of the nodes so far
	text    string
	changes []replacement
}

// replacement puts a text in the place of another.
type replacement struct {
	span
	with string
}

func (t *thinner) put(from, to int, with string) {
	t.changes = append(t.changes, replacement{span{from, to}, with})
}

func (t *thinner) body(b *body) {
	for _, s := range b.statements {
		switch s.kind {
		case nodeStatement:
			t.nodes(s)
		case edgeStatement:
			t.chain(s)
		case groupStatement:
			t.group(s.group)
		}
	}
}

func (t *thinner) group(g *group) {
	if g != nil && g.body != nil {
		t.body(g.body)
	}
}

func (t *thinner) nodes(s *statement) {
	e := &s.ends[0]
	var kept []string
	for _, n := range e.nodes {
		id := n.id.text()
		gone, met := t.gone[id]
		if !met {
			gone = t.leave()
			t.gone[id] = gone
		}
		if !gone {
			kept = append(kept, t.text[n.from:n.to])
		}
	}
	switch len(kept) {
	case 0:
		t.remove(s)
	case len(e.nodes):
	default:
		t.put(e.from, e.to, strings.Join(kept, ", "))
	}
}

// remove leaves out a statement with the mark after it, and its line if nothing else stands there.
func (t *thinner) remove(s *statement) {
	to := s.to
	if after := strings.TrimLeft(t.text[to:], " \t"); strings.HasPrefix(after, ";") || strings.HasPrefix(after, ",") {
		to = len(t.text) - len(strings.TrimLeft(after[1:], " \t"))
	}
	from, to := plain.WholeLines(t.text, s.from, to)
	t.put(from, to, "")
}

// chain leaves out edges of a statement, and each node that then has none in it. A group without edges stands on its own.
func (t *thinner) chain(s *statement) {
	for i := range s.ends {
		t.group(s.ends[i].group)
	}
	var kept [][]end
	start := 0
	keep := func(to int) {
		if part := s.ends[start:to]; len(part) > 1 || part[0].group != nil {
			kept = append(kept, part)
		}
		start = to
	}
	for i := 1; i < len(s.ends); i++ {
		if t.leave() {
			keep(i)
		}
	}
	keep(len(s.ends))
	if len(kept) == 0 {
		t.remove(s)
		return
	}
	attributes := t.text[s.ends[len(s.ends)-1].to:s.to]
	t.put(s.from, kept[0][0].from, "")
	for n, part := range kept {
		with, to := "", s.to
		if len(part) > 1 {
			with = attributes
		}
		if n < len(kept)-1 {
			with, to = with+"; ", kept[n+1][0].from
		}
		t.put(part[len(part)-1].to, to, with)
	}
}
