package graphviz

import (
	"errors"

	"agentd/domains/internal/pytext"
)

// errNoID is how the published program fails when it looks for renamed nodes.
var errNoID = errors.New("a node has an id attribute without a value")

// renamed gives the nodes of a candidate the ids of the reference where most
// ids have changed and an id attribute, a label or a tooltip tells which is
// which.
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
	to, err := candidateNames(reference, candidate)
	if len(to) == 0 || err != nil {
		return candidate, err
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
func candidateNames(reference, candidate *model) (map[string]string, error) {
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
		of := candidate.nodes.values[id]["id"]
		if of == noValue {
			return nil, errNoID
		}
		if other, has := byID[normalText(of)]; has {
			name(id, other)
		}
	}
	if enough() {
		return to, nil
	}
	for _, id := range candidate.nodes.keys {
		if other, has := byText[normalText(id)]; has {
			name(id, other)
		}
	}
	if enough() {
		return to, nil
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
	return to, nil
}
