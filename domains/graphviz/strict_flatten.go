package graphviz

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// The kinds of elements other than the counted one.
const (
	graphKind   = "graph"
	groupKind   = "subgraph"
	memberKind  = "member"
	pairKind    = "pair in a group"
	defaultKind = "default"
	lineKind    = "line"
)

// elements flattens files of any name into what Graphviz makes of them. Several files are one graph as long as they are
// of one type; its name is the first one's.
func elements(files vfs.Files) []domains.Element {
	var f flattener
	for _, name := range files.Names() {
		d := read(files[name])
		for n, g := range d.graphs {
			if n > 0 || f.scope == nil || f.directed != g.directed {
				f.open(g)
			}
			f.body(f.scope, g.body)
			if g.unclosed {
				f.line("closing brace missing")
			}
		}
		for _, line := range d.outside {
			f.line(line)
		}
	}
	f.close()
	return f.all
}

type flattener struct {
	all      []domains.Element
	graph    *graph // the first of those that are one
	directed bool
	scope    *scope // of the graph
	scopes   []*scope
	nodes    map[string]*vertex
	inOrder  []*vertex
	expanded int // edges that groups at their ends stand for
}

// scope is a graph or subgraph with what holds in it.
type scope struct {
	parent    *scope
	name      string // empty without
	settings  settings
	defaults  map[string]settings // of nodes and edges
	subgraphs map[string]*scope   // by name
	inner     []*scope
	members   []*vertex
}

// settings are values by name.
type settings map[string]string

// vertex is a node of the graph, whether it has a statement or not.
type vertex struct {
	id        string
	stated    bool
	atTop     bool // it stands in no subgraph, at least once
	again     int  // statements that say nothing new
	explicit  settings
	inherited settings // the defaults where it was first met
	scopes    []*scope // that it stands in directly
}

func (f *flattener) add(kind, key string, fields []domains.Field) {
	f.all = plain.Append(f.all, domains.Element{Kind: kind, Key: key, Fields: fields})
}

func (f *flattener) line(text string) {
	f.add(lineKind, "line outside statements", []domains.Field{{Value: strings.Join(strings.Fields(text), " ")}})
}

func (f *flattener) open(g *graph) {
	f.close()
	f.graph, f.directed = g, g.directed
	f.scope = newScope(nil, "")
	f.scopes, f.inOrder, f.nodes = nil, nil, map[string]*vertex{}
}

func newScope(parent *scope, name string) *scope {
	return &scope{
		parent: parent, name: name, settings: settings{},
		defaults:  map[string]settings{"node": {}, "edge": {}},
		subgraphs: map[string]*scope{},
	}
}

// close adds the elements that are known only at the end of a graph.
func (f *flattener) close() {
	if f.scope == nil {
		return
	}
	fields := []domains.Field{{Name: "type", Value: f.graph.kind()}, {Name: "name", Value: f.graph.name.text()}}
	f.add(graphKind, "graph", f.scope.settings.fields(fields))
	f.subgraphs()
	seen := map[domains.Field]bool{}
	f.all = slices.Grow(f.all, len(f.inOrder))
	for _, v := range f.inOrder {
		f.memberships(v)
		if v.stated {
			key, fields := "node "+v.id, v.fields()
			for range 1 + v.again {
				f.add(counted, key, fields)
			}
			for name, value := range v.inherited {
				if _, own := v.explicit[name]; !own {
					seen[domains.Field{Name: name, Value: value}] = true
				}
			}
		}
	}
	f.unseenDefaults(seen)
}

// subgraphs adds the subgraphs of the graph, and who is with whom in those without a name.
func (f *flattener) subgraphs() {
	together := map[*scope][]string{} // the members of subgraphs without a name
	for _, s := range f.scopes {
		if c := s.counting(); c.parent != nil && c.name == "" {
			for _, v := range s.members {
				together[c] = append(together[c], v.id)
			}
		}
	}
	for _, s := range f.scopes {
		if s.counts() {
			f.add(groupKind, s.title(), s.settings.fields([]domains.Field{
				{Name: "name", Value: s.name}, {Name: "within", Value: s.parent.counting().name},
			}))
			f.pairs(s.title(), together[s])
		}
	}
}

// unseenDefaults adds the defaults that only nodes without a statement show.
func (f *flattener) unseenDefaults(seen map[domains.Field]bool) {
	for _, v := range f.inOrder {
		if v.stated {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(v.inherited)) {
			field := domains.Field{Name: name, Value: v.inherited[name]}
			if !seen[field] {
				seen[field] = true
				f.add(defaultKind, "default of nodes", []domains.Field{field})
			}
		}
	}
}

// counts reports whether a subgraph is more than braces: it has a name, or an attribute of its own such as rank=same.
func (s *scope) counts() bool { return s.parent == nil || s.name != "" || len(s.settings) > 0 }

// counting is the nearest scope that counts.
func (s *scope) counting() *scope {
	for !s.counts() {
		s = s.parent
	}
	return s
}

// title tells a subgraph from others. Those without a name are told by what is set in them.
func (s *scope) title() string {
	if s.name != "" {
		return s.name
	}
	names := slices.Sorted(maps.Keys(s.settings))
	parts := lists.Map(names, func(name string) string { return name + "=" + s.settings[name] })
	return "{" + strings.Join(parts, " ") + "}"
}

// fields appends the settings, in name order.
func (s settings) fields(fields []domains.Field) []domains.Field {
	if len(s) == 0 {
		return fields
	}
	first := len(fields)
	fields = slices.Grow(fields, len(s))
	for name, value := range s {
		fields = append(fields, domains.Field{Name: name, Value: value})
	}
	slices.SortFunc(fields[first:], func(a, b domains.Field) int { return cmp.Compare(a.Name, b.Name) })
	return fields
}

func (v *vertex) fields() []domains.Field {
	return overridden(v.inherited, v.explicit).fields([]domains.Field{{Name: "id", Value: v.id}})
}

func overridden(defaults, own settings) settings {
	if len(defaults) == 0 {
		return own
	}
	if len(own) == 0 {
		return defaults
	}
	all := make(settings, len(defaults)+len(own))
	maps.Copy(all, defaults)
	maps.Copy(all, own)
	return all
}

// memberships adds an element for each subgraph that a node stands in, those around others included.
func (f *flattener) memberships(v *vertex) {
	const most = 16 // subgraphs around one another
	if len(v.scopes) == 0 {
		return
	}
	has := map[*scope]bool{}
	for _, s := range v.scopes {
		s = s.counting()
		for level := 0; level < most && s.parent != nil && !has[s]; level++ {
			has[s] = true
			title := s.title()
			f.add(memberKind, v.id+" in "+title, []domains.Field{{Name: "node", Value: v.id}, {Name: "subgraph", Value: title}})
			s = s.parent.counting()
		}
	}
}

// pairs adds an element for each two members of a subgraph without a name, since nothing else tells who is with whom.
// In a large one each member is paired with the next.
func (f *flattener) pairs(title string, members []string) {
	const large = 12
	slices.Sort(members)
	members = slices.Compact(members)
	for i, id := range members {
		others := members[i+1:]
		if len(members) > large {
			others = others[:min(1, len(others))]
		}
		for _, other := range others {
			f.add(pairKind, id+" and "+other+" in "+title, []domains.Field{
				{Name: "node", Value: id}, {Name: "node", Value: other}, {Name: "subgraph", Value: title},
			})
		}
	}
}
