package graphviz

import (
	"fmt"

	"agentd/domains"
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
	name := func(id string) string {
		if other, has := to[id]; has {
			return other
		}
		return id
	}
	m := &model{settings: candidate.settings}
	for _, id := range candidate.nodes.keys {
		m.nodes.set(name(id), candidate.nodes.values[id])
	}
	for _, e := range candidate.edges {
		e.from, e.to = name(e.from), name(e.to)
		m.edges = append(m.edges, e)
	}
	for _, key := range candidate.subgraphs.keys {
		var members []string
		for _, id := range candidate.subgraphs.values[key] {
			members = append(members, name(id))
		}
		m.subgraphs.set(key, members)
	}
	return m, nil
}

// candidateNames maps ids of the candidate to ids of the reference, each of
// which is used once.
func candidateNames(reference, candidate *model) map[string]string {
	to, used := map[string]string{}, map[string]bool{}
	name := func(id, other string) {
		if _, done := to[id]; !done && !used[other] {
			to[id], used[other] = other, true
		}
	}
	enough := func() bool { return 2*len(to) >= len(candidate.nodes.keys) }

	byID, byText := map[string]string{}, map[string]string{}
	for _, id := range reference.nodes.keys {
		byID[pytext.Lower(id)] = id
		for _, key := range []string{"label", "tooltip"} {
			if text := normalText(reference.nodes.values[id][key]); text != "" {
				byText[text] = id
			}
		}
	}
	for _, id := range candidate.nodes.keys {
		if other, has := byID[normalText(candidate.nodes.values[id][idKey])]; has {
			name(id, other)
		}
	}
	if enough() {
		return to
	}
	for _, id := range candidate.nodes.keys {
		if other, has := byText[normalText(id)]; has {
			name(id, other)
		}
	}
	if enough() {
		return to
	}
	ofText := map[string]string{}
	for _, id := range candidate.nodes.keys {
		for _, key := range []string{"label", "tooltip"} {
			if text := normalText(candidate.nodes.values[id][key]); text != "" {
				ofText[text] = id
			}
		}
	}
	for _, id := range candidate.nodes.keys {
		for _, key := range []string{"label", "tooltip"} {
			text := normalText(candidate.nodes.values[id][key])
			if other, has := byText[text]; has && ofText[text] == id {
				name(id, other)
			}
		}
	}
	return to
}
