package graphviz

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// model is a document as the published evaluator reads it.
type model struct {
	nodes     ordered[attributes] // by id; only those with a statement
	edges     []edge
	subgraphs ordered[[]string] // the ids that stand directly in each, by name
	settings  attributes        // key=value statements at top level
}

type edge struct {
	from, to   string // with ports
	attributes attributes
}

// attributes are values by keys.
type attributes = settings

const (
	directedKey = "directed" // says whether an edge is directed
	idKey       = "id"       // may say which node of the reference a node is
)

// ordered is a map that knows the order in which its keys came first.
type ordered[V any] struct {
	keys   []string
	values map[string]V
}

func (o *ordered[V]) set(key string, value V) {
	if o.values == nil {
		o.values = map[string]V{}
	}
	if _, known := o.values[key]; !known {
		o.keys = append(o.keys, key)
	}
	o.values[key] = value
}

// take sets what others has, which is not used any more.
func (o *ordered[V]) take(others ordered[V]) {
	if len(o.keys) == 0 {
		*o = others
		return
	}
	for _, key := range others.keys {
		o.set(key, others.values[key])
	}
}

// parse reads a document as the published evaluator does. It has no errors: a
// file that pydot does not read counts for nothing. Of several files the later
// one decides, only edges add up.
func parse(files vfs.Files) (*model, error) {
	whole := &model{settings: attributes{}}
	var g grammar
	for _, name := range files.Names() {
		if ext := path.Ext(name); ext != ".dot" && ext != ".gv" {
			continue
		}
		if graph, directed := g.parse(repair(files[name])); graph != nil {
			whole.take(modelOf(graph, directed))
		}
	}
	return whole, nil
}

func (m *model) take(part *model) {
	m.nodes.take(part.nodes)
	m.subgraphs.take(part.subgraphs)
	maps.Copy(m.settings, part.settings)
	m.edges = append(m.edges, part.edges...)
}

// modelOf takes first what stands at top level, where the last statement of a
// node decides, then what stands in subgraphs, where statements add up.
func modelOf(graph *parsedBody, directed bool) *model {
	m := &model{settings: normalKeys(graph.settings)}
	for _, n := range inGroups(graph.nodes, func(n *parsedNode) string { return n.name }) {
		if id, ok := nodeID(n.name); ok {
			m.nodes.set(id, normalKeys(n.attributes))
		}
	}
	m.takeEdges(graph, directed)
	m.takeSubgraphs(graph, directed)
	return m
}

func (m *model) takeEdges(body *parsedBody, directed bool) (ends []string) {
	for _, e := range inGroups(body.edges, func(e *parsedEdge) string { return e.from + "\xff" + e.to }) {
		from, to := strings.Trim(e.from, `"`), strings.Trim(e.to, `"`)
		list := normalKeys(e.attributes)
		if list == nil {
			list = attributes{}
		}
		list[directedKey] = strconv.FormatBool(directed)
		m.edges = append(m.edges, edge{from, to, list})
		ends = append(ends, from, to)
	}
	return ends
}

func (m *model) takeSubgraphs(body *parsedBody, directed bool) {
	for _, sub := range inGroups(body.subgraphs, func(b **parsedBody) string { return (*b).name }) {
		var members []string
		for _, n := range inGroups(sub.nodes, func(n *parsedNode) string { return n.name }) {
			id, ok := nodeID(n.name)
			if !ok {
				continue
			}
			m.nodes.set(id, overridden(m.nodes.values[id], normalKeys(n.attributes)))
			members = append(members, id)
		}
		members = append(members, m.takeEdges(sub, directed)...)
		m.subgraphs.set(strings.Trim(sub.name, `"`), members)
		m.takeSubgraphs(sub, directed)
	}
}

// inGroups brings together what has the same label, as pydot keeps it.
func inGroups[T any](list []T, label func(*T) string) []T {
	groups := make(map[string][]T, len(list))
	var labels []string
	for i := range list {
		key := label(&list[i])
		if groups[key] == nil {
			labels = append(labels, key)
		}
		groups[key] = append(groups[key], list[i])
	}
	if len(labels) == len(list) {
		return list
	}
	grouped := make([]T, 0, len(list))
	for _, key := range labels {
		grouped = append(grouped, groups[key]...)
	}
	return grouped
}

// nodeID is the id of a node; false if the published evaluator leaves it out.
func nodeID(name string) (string, bool) {
	id := strings.Trim(name, `"`)
	return id, !slices.Contains([]string{"", "node", "edge", "graph", `\n`}, id)
}

// normalKeys lowers keys and takes the quotes off values. A missing value is like an
// empty one, but for idKey. Of keys that differ only in
// letter case, the one that first stood last wins.
func normalKeys(raw rawAttributes) attributes {
	if len(raw.keys) == 0 {
		return nil
	}
	normal := make(attributes, len(raw.keys))
	for _, written := range raw.keys {
		key, value := pytext.Lower(written), raw.values[written]
		if key != idKey || value != noValue {
			value = strings.Trim(value, `"`)
		}
		normal[key] = value
	}
	return normal
}
