package graphviz

import (
	"cmp"
	"fmt"
	"slices"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/pytext"
)

// renamed gives the nodes of a candidate the ids of the reference where most
// ids have changed and an id attribute, a label or a tooltip tells which is
// which. The error is a crash: the published evaluator then looks at every id
// attribute, and one without value it cannot read.
func renamed(reference, candidate *model) (*model, error) {
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
	m := &model{settings: candidate.settings}
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

// candidateNames maps ids of the candidate to ids of the reference, each of
// which is used once.
func candidateNames(reference, candidate *model) map[string]string {
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
func (m *model) texts(id string) []string {
	of := m.nodes.values[id]
	return []string{normalText(of["label"]), normalText(of["tooltip"])}
}

// byText has the last node of each label or tooltip.
func (m *model) byText() map[string]string {
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
