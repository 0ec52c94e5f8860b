package graphviz

import (
	"maps"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	published "agentd/domains/published/graphviz"
)

const (
	// mostDefaults bounds the defaults that are written out at each node and
	// edge; what a scope sets beyond is left where it is set.
	mostDefaults = 24
	// mostExpanded bounds the edges of a document that groups stand for; beyond, an edge to a group is one.
	mostExpanded = 100_000
	// mostScopes is how many of the scopes of a node are looked through for one that it stands in.
	mostScopes = 64
)

func (f *flattener) body(s *scope, b *body) {
	for _, st := range b.statements {
		switch st.kind {
		case nodeStatement:
			f.nodeStatement(s, st)
		case edgeStatement:
			f.edgeStatement(s, st)
		case defaultStatement:
			f.defaultStatement(s, st)
		case settingStatement:
			if st.value.isSet() {
				s.settings[st.word.text()] = normalValue(st.word.text(), st.value)
			}
		case groupStatement:
			f.group(s, st.group)
		case strayStatement:
			f.line(st.text)
		}
	}
}

func (f *flattener) defaultStatement(s *scope, st *statement) {
	into := s.settings
	if st.word.raw != "graph" {
		into = maps.Clone(s.defaults[st.word.raw]) // what nodes and edges inherited stays
		s.defaults[st.word.raw] = into
	}
	for name, value := range normalAttributes(st.attributes) {
		if _, known := into[name]; !known && st.word.raw != "graph" && len(into) >= mostDefaults {
			f.add(defaultKind, "default of "+st.word.raw+"s", []domains.Field{{Name: name, Value: value}})
			continue
		}
		into[name] = value
	}
}

// inherited are the defaults that hold in a scope.
func (s *scope) inherited(of string) published.Settings {
	if s == nil {
		return nil
	}
	return published.Overridden(s.parent.inherited(of), s.defaults[of])
}

// meet returns the node of an id, which comes into being where it is first met.
func (f *flattener) meet(s *scope, n node) *vertex {
	id := n.id.text()
	v := f.nodes[id]
	if v == nil {
		v = &vertex{id: id, inherited: s.inherited("node")}
		f.nodes[id] = v
		f.inOrder = append(f.inOrder, v)
	}
	return v
}

// join makes a node a member of a scope; false if it is one.
func (v *vertex) join(s *scope) bool {
	if s.parent == nil {
		first := !v.atTop
		v.atTop = true
		return first
	}
	for i := len(v.scopes) - 1; i >= max(0, len(v.scopes)-mostScopes); i-- {
		if v.scopes[i] == s {
			return false
		}
	}
	v.scopes = append(v.scopes, s)
	s.members = append(s.members, v)
	return true
}

// nodeStatement takes in the attributes of nodes. A statement that says nothing
// that was not said before is a node of its own.
func (f *flattener) nodeStatement(s *scope, st *statement) {
	own := normalAttributes(st.attributes)
	for _, n := range st.ends[0].nodes {
		v := f.meet(s, n)
		again := v.stated
		v.stated = true
		if v.join(s) {
			again = false
		}
		for name, value := range withPorts(own, "port", n.ports) {
			if was, known := v.explicit[name]; !known || was != value {
				again = false
			}
			if v.explicit == nil {
				v.explicit = published.Settings{}
			}
			v.explicit[name] = value
		}
		if again {
			v.again++
		}
	}
}

// withPorts adds ports to attributes under a name.
func withPorts(own published.Settings, name string, ports []word) published.Settings {
	if len(ports) == 0 {
		return own
	}
	return published.Overridden(own, published.Settings{name: strings.Join(lists.Map(ports, word.text), ":")})
}

// group takes in a subgraph. One that was met before in the same scope goes on.
func (f *flattener) group(parent *scope, g *group) *scope {
	name := g.name.text()
	s := parent.subgraphs[name]
	if s == nil || name == "" {
		s = newScope(parent, name)
		f.scopes = append(f.scopes, s)
		parent.inner = append(parent.inner, s)
		if name != "" {
			parent.subgraphs[name] = s
		}
	}
	if g.body != nil {
		f.body(s, g.body)
	}
	return s
}

// terminal is a node at the end of an edge, with its port, or a group that is not written out.
type terminal struct{ name, port string }

// edgeStatement adds an edge for each pair of neighbours in a chain; a group stands for all of its nodes.
func (f *flattener) edgeStatement(s *scope, st *statement) {
	var before []terminal
	own := published.Overridden(s.inherited("edge"), normalAttributes(st.attributes))
	for i := range st.ends {
		ends := f.terminals(s, &st.ends[i])
		if i > 0 {
			f.edges(before, ends, own, st.operator)
		}
		before = ends
	}
}

func (f *flattener) terminals(s *scope, e *end) []terminal {
	if e.group != nil {
		inner := f.group(s, e.group)
		all := inner.terminals(map[string]bool{})
		if f.expanded += len(all); f.expanded > mostExpanded {
			return []terminal{{name: "subgraph " + inner.name}}
		}
		return all
	}
	all := make([]terminal, len(e.nodes))
	for i, n := range e.nodes {
		v := f.meet(s, n)
		v.join(s)
		all[i] = terminal{v.id, withPorts(nil, "port", n.ports)["port"]}
	}
	return all
}

// terminals are the nodes of a scope and those within it, each once.
func (s *scope) terminals(seen map[string]bool) []terminal {
	var all []terminal
	for _, v := range s.members {
		if !seen[v.id] {
			seen[v.id] = true
			all = append(all, terminal{name: v.id})
		}
	}
	for _, inner := range s.inner {
		all = append(all, inner.terminals(seen)...)
	}
	return all
}

func (f *flattener) edges(from, to []terminal, own published.Settings, operator string) {
	if pairs := len(from) * len(to); pairs > 1 {
		if f.expanded += pairs; f.expanded > mostExpanded {
			from, to = from[:1], to[:1]
		}
	}
	for _, a := range from {
		for _, b := range to {
			f.edge(a, b, own, operator)
		}
	}
}

func (f *flattener) edge(from, to terminal, own published.Settings, operator string) {
	arrow, names := "->", [2]string{"tail", "head"}
	if !f.directed {
		arrow, names = "--", [2]string{"end", "end"}
		if from.name > to.name {
			from, to = to, from
			own = turned(own)
		}
		own = withIdleArrows(own)
	}
	fields := make([]domains.Field, 0, 2+len(own))
	fields = append(fields, domains.Field{Name: names[0], Value: from.name}, domains.Field{Name: names[1], Value: to.name})
	if operator != arrow {
		fields = append(fields, domains.Field{Name: "operator", Value: operator})
	}
	if from.port != "" {
		own = published.Overridden(own, published.Settings{"tailport": from.port})
	}
	if to.port != "" {
		own = published.Overridden(own, published.Settings{"headport": to.port})
	}
	f.add(counted, "edge "+from.name+" "+arrow+" "+to.name, set(own, "").Fields(fields))
}

// withIdleArrows are the attributes of an undirected edge, with the arrows that are not drawn at either end in one
// field. Which of the ends an arrow was written for then means nothing.
func withIdleArrows(own published.Settings) published.Settings {
	head, atHead := own["arrowhead"]
	tail, atTail := own["arrowtail"]
	if dir := own["dir"]; !atHead && !atTail || dir != "" && dir != "none" {
		return own
	}
	all := maps.Clone(own)
	delete(all, "arrowhead")
	delete(all, "arrowtail")
	all["arrows not drawn"] = strings.TrimSpace(min(head, tail) + " " + max(head, tail))
	return all
}

var otherEnds = strings.NewReplacer("head", "tail", "tail", "head")

// turned are the attributes of an undirected edge that is written from the other end.
func turned(own published.Settings) published.Settings {
	all := make(published.Settings, len(own))
	for name, value := range own {
		switch {
		case strings.HasPrefix(name, "tail"), strings.HasPrefix(name, "head"),
			name == "arrowhead", name == "arrowtail", name == "lhead", name == "ltail":
			name = otherEnds.Replace(name)
		case name == "dir" && value == "forward":
			value = "back"
		case name == "dir" && value == "back":
			value = "forward"
		}
		all[name] = value
	}
	return all
}
