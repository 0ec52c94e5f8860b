package graphviz

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

// Stats counts the parts of a document.
func Stats(m *Model) domains.Stats {
	return domains.Stats{Elements: m.size(), Counts: []domains.Count{
		{Name: "Nodes", Value: strconv.Itoa(len(m.nodes.keys))},
		{Name: "Edges", Value: strconv.Itoa(len(m.edges))},
		{Name: "Subgraphs", Value: strconv.Itoa(len(m.subgraphs.keys))},
	}}
}

func (m *Model) size() int { return len(m.nodes.keys) + len(m.edges) }

// Score is node_coverage² · node_accuracy · edge_coverage · √((edge_accuracy + subgraph) / 2), and up to a fifth less
// where the settings of the graph are not half the same.
func Score(reference, candidate *Model) domains.Reading {
	elements := domains.Elements{Reference: reference.size(), Candidate: candidate.size()}
	candidate, err := renamed(reference, candidate)
	if err != nil {
		return domains.Reading{Elements: elements, Crash: err}
	}
	ratios := ratios{ratio.NewTable(nil)}
	refNodes, gotNodes := nodesByKey(reference), nodesByKey(candidate)
	refEdges, gotEdges := edgesByKey(reference, "reference"), edgesByKey(candidate, "candidate")

	nodeCoverage, edgeCoverage := sets.Jaccard(refNodes.keys, gotNodes.keys), sets.Jaccard(refEdges.keys, gotEdges.keys)
	nodeAccuracy := ratios.accuracy(refNodes, gotNodes, nodeWeights)
	edgeAccuracy := ratios.accuracy(refEdges, gotEdges, edgeWeights)
	subgraph := subgraphScore(reference, candidate)
	global := ratios.settings(reference.settings, candidate.settings)

	value := nodeCoverage * nodeCoverage * nodeAccuracy * edgeCoverage * math.Sqrt((edgeAccuracy+subgraph)/2)
	if global < 0.5 {
		value *= 0.8 + float64(0.2*global)
	}
	return domains.Reading{
		RS: value,
		Components: map[string]float64{
			"node_coverage": nodeCoverage, "node_accuracy": nodeAccuracy,
			"edge_coverage": edgeCoverage, "edge_accuracy": edgeAccuracy,
			"subgraph": subgraph, "global": global,
		},
		Elements: domains.Elements{Reference: reference.size(), Candidate: candidate.size()},
	}
}

// weight is what an attribute counts for.
type weight struct {
	key    string
	value  float64
	colour bool // which is right or wrong
}

var nodeWeights = []weight{
	{"label", 2, false}, {"shape", 1.5, false}, {"fillcolor", 1, true}, {"color", 1, true}, {"url", 1, false},
	{"fontcolor", 0.5, true}, {"fontsize", 0.5, false}, {"style", 0.5, false}, {"tooltip", 0.5, false}, {"row", 0.5, false},
	{"width", 0.3, false}, {"height", 0.3, false}, {"fixedsize", 0.3, false},
}

var edgeWeights = []weight{
	{directedKey, 1.5, false}, {"arrowhead", 1, false}, {"color", 1, true}, {"label", 1, false},
	{"arrowsize", 0.5, false}, {"style", 0.5, false}, {"weight", 0.5, false},
}

// nodesByKey returns nodes by their folded ids, and these in order. Of nodes
// with equal keys the last one stands for all.
func nodesByKey(m *Model) ordered[attributes] {
	var byKey ordered[attributes]
	for _, id := range m.nodes.keys {
		byKey.set(pytext.Strip(pytext.Lower(id)), m.nodes.values[id])
	}
	return byKey
}

// folded lowers the name of a member or end. An end that is a group is unlike
// any of the other side too: pydot names it by its place in memory.
func folded(id, side string) string {
	if strings.HasPrefix(id, groupEnd) {
		return id + side
	}
	return pytext.Lower(id)
}

func edgesByKey(m *Model, side string) ordered[attributes] {
	var byKey ordered[attributes]
	for i := range m.edges {
		e := &m.edges[i]
		from, to := pytext.Strip(folded(e.from, side)), pytext.Strip(folded(e.to, side))
		if e.attributes[directedKey] == "false" && from > to {
			from, to = to, from
		}
		byKey.set(from+"|"+to, e.attributes)
	}
	return byKey
}

// ratios are those of texts, which recur.
type ratios struct{ *ratio.Table }

const partly = 0.7 // of its weight is what a text that differs can earn

// accuracy is the mean over what both sides have of the share of the weights of its attributes that is earned.
func (r ratios) accuracy(ref, got ordered[attributes], weights []weight) float64 {
	if len(ref.keys) == 0 && len(got.keys) == 0 {
		return 1
	}
	var mean sets.Mean
	for _, key := range ref.keys {
		if other, has := got.values[key]; has {
			mean.Add(r.earned(ref.values[key], other, weights))
		}
	}
	return mean.Or(0)
}

func (r ratios) earned(ref, got attributes, weights []weight) float64 {
	earned, total := 0.0, 0.0
	for _, w := range weights {
		was, is := ref[w.key], got[w.key]
		if was != is {
			was, is = normalText(was), normalText(is)
		}
		if was == is && normalText(was) == "" {
			continue
		}
		total += w.value
		switch {
		case was == is:
			earned += w.value
		case was != "" && is != "" && !w.colour:
			earned += float64(w.value * partly * r.Of(was, is))
		}
	}
	if total == 0 {
		return 1
	}
	return earned / total
}

// normalText lowers a text, takes quotes off its ends and makes one blank of white space.
func normalText(s string) string {
	if s == "" {
		return ""
	}
	s = strings.Trim(pytext.Strip(pytext.Lower(s)), `"'`)
	return pytext.Collapse(s)
}

// subgraphScore is the share of common members that are in the subgraph of the same name, clusters or not.
func subgraphScore(reference, candidate *Model) float64 {
	if len(reference.subgraphs.keys) == 0 && len(candidate.subgraphs.keys) == 0 {
		return 1
	}
	ref, got := memberships(reference, "reference"), memberships(candidate, "candidate")
	if len(ref) == 0 && len(got) == 0 {
		return 1
	}
	var same sets.Mean
	for id, name := range ref {
		switch other, has := got[id]; {
		case has && name == other:
			same.Add(1)
		case has:
			same.Add(0)
		}
	}
	return same.Or(0)
}

func memberships(m *Model, side string) map[string]string {
	of := map[string]string{}
	for _, name := range m.subgraphs.keys {
		plain := strings.ReplaceAll(pytext.Lower(name), "cluster_", "")
		for _, id := range m.subgraphs.values[name] {
			of[folded(id, side)] = plain
		}
	}
	return of
}

// settings compares the settings of the graph, each with the same weight.
func (r ratios) settings(ref, got attributes) float64 {
	if len(ref) == 0 && len(got) == 0 {
		return 1
	}
	keys := slices.Sorted(maps.Keys(Overridden(ref, got))) // so that sums are the same in every run
	sum := 0.0
	for _, key := range keys {
		switch was, is := normalText(ref[key]), normalText(got[key]); {
		case was == is:
			sum++
		case was != "" && is != "":
			sum += float64(0.5 * r.Of(was, is))
		}
	}
	return sum / float64(len(keys))
}

// renamed gives the nodes of a candidate the ids of the reference where most ids have changed and an id attribute, a
// label or a tooltip tells which is which. The error is a crash: the published evaluator then looks at every id
// attribute, and one without value it cannot read.
func renamed(reference, candidate *Model) (*Model, error) {
	found := 0
	for _, id := range reference.nodes.keys {
		if _, has := candidate.nodes.values[id]; has {
			found++
		}
	}
	if 2*found >= len(reference.nodes.keys) {
		return candidate, nil
	}
	for _, node := range candidate.nodes.keys {
		if candidate.nodes.values[node][idKey] == noValue {
			return nil, fmt.Errorf("%w: the attribute id of node %.40q has no value", domains.ErrCrash, node)
		}
	}
	to := candidateNames(reference, candidate)
	if len(to) == 0 {
		return candidate, nil
	}
	name := func(id string) string { return cmp.Or(to[id], id) }
	m := &Model{settings: candidate.settings}
	for _, id := range candidate.nodes.keys {
		m.nodes.set(name(id), candidate.nodes.values[id])
	}
	for _, e := range candidate.edges {
		e.from, e.to = name(e.from), name(e.to)
		m.edges = append(m.edges, e)
	}
	for _, key := range candidate.subgraphs.keys {
		m.subgraphs.set(key, lists.Map(candidate.subgraphs.values[key], name))
	}
	return m, nil
}

// candidateNames maps ids of the candidate to ids of the reference, each of which is used once.
func candidateNames(reference, candidate *Model) map[string]string {
	to, used := map[string]string{}, map[string]bool{}
	// name looks texts of a candidate's node up; it reports whether enough ids are known then.
	name := func(among map[string]string, texts func(id string) []string) bool {
		for _, id := range candidate.nodes.keys {
			for _, text := range texts(id) {
				other, has := among[text]
				if _, done := to[id]; has && !done && !used[other] {
					to[id], used[other] = other, true
				}
			}
		}
		return 2*len(to) >= len(candidate.nodes.keys)
	}
	byID := map[string]string{}
	for _, id := range reference.nodes.keys {
		byID[pytext.Lower(id)] = id
	}
	byText, ofText := reference.byText(), candidate.byText()
	_ = name(byID, func(id string) []string { return []string{normalText(candidate.nodes.values[id][idKey])} }) ||
		name(byText, func(id string) []string { return []string{normalText(id)} }) ||
		name(byText, func(id string) []string {
			return slices.DeleteFunc(candidate.texts(id), func(text string) bool { return ofText[text] != id })
		})
	return to
}

// texts are the label and tooltip of a node.
func (m *Model) texts(id string) []string {
	of := m.nodes.values[id]
	return []string{normalText(of["label"]), normalText(of["tooltip"])}
}

// byText has the last node of each label or tooltip.
func (m *Model) byText() map[string]string {
	ids := map[string]string{}
	for _, id := range m.nodes.keys {
		for _, text := range m.texts(id) {
			if text != "" {
				ids[text] = id
			}
		}
	}
	return ids
}

// Fields appends the settings, in name order.
func (s Settings) Fields(fields []domains.Field) []domains.Field {
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
