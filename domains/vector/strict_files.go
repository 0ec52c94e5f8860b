package vector

import (
	"cmp"
	"slices"

	"agentd/domains"
	"agentd/domains/internal/lists"
)

// fileShift is by how many bits the number of a file is above the place in it.
const fileShift = 32

// joined puts the elements of several files together. What one repeats of another,
// or of which it has less, so that the part can be drawn on its own, counts once:
// the drawing's size, groups that go on, definitions, style sheets, comments.
func joined(parts [][]domains.Element) []domains.Element {
	if len(parts) == 1 {
		return parts[0]
	}
	type source struct{ kind, key string }
	found := map[source][]*domains.Element{}
	files := map[*domains.Element]int{}
	for file := range parts {
		for i := range parts[file] {
			if e := &parts[file][i]; isRepeatable(e) {
				files[e] = file
				found[source{e.Kind, e.Key}] = append(found[source{e.Kind, e.Key}], e)
			}
		}
	}
	repeated := map[*domains.Element]bool{}
	for _, same := range found {
		const most = 64 // that are compared with each other
		same = same[:min(len(same), most)]
		for i, e := range same {
			for k, other := range same {
				if files[e] != files[other] && !repeated[other] && isPartOf(e, other) && (k < i || !isPartOf(other, e)) {
					repeated[e] = true
				}
			}
		}
	}
	var all []domains.Element
	for file := range parts {
		for i := range parts[file] {
			if e := &parts[file][i]; !repeated[e] {
				all = append(all, *e)
			}
		}
	}
	return all
}

// isRepeatable reports whether an element may stand in several files of a drawing,
// as a shape may not.
func isRepeatable(e *domains.Element) bool {
	switch e.Kind {
	case "line":
		return false
	case counted:
		name := e.Value("element")
		return name == "g" && e.Value("id") != "" || name == "defs" || name == "style"
	}
	return true
}

// isPartOf reports whether an element has no field that another has not.
func isPartOf(e, other *domains.Element) bool {
	return !slices.ContainsFunc(e.Fields, func(f domains.Field) bool { return !slices.Contains(other.Fields, f) })
}

// fileOf is the number of the last file of a document.
func fileOf(elements []domains.Element) int {
	last := 0
	for i := range elements {
		last = max(last, elements[i].Position>>fileShift)
	}
	return last
}

// inOrder merges the files of a document by where what they have stands on the other side: names
// say nothing about what lies on top, nor does it matter where a drawing was divided. Within a
// file the order stays.
func inOrder(elements, other []domains.Element) []domains.Element {
	type source struct{ kind, key string }
	places := map[source]int{}
	for i := range other {
		e := &other[i]
		if _, known := places[source{e.Kind, e.Key}]; !known {
			places[source{e.Kind, e.Key}] = e.Position
		}
	}
	ordered := slices.Clone(elements)
	reached := make([]map[string]int, fileOf(elements)+1) // the last place of a file, by kind
	numbers := make([]int, len(ordered))
	var moving []int
	for i := range ordered {
		e := &ordered[i]
		if e.Position == 0 {
			continue
		}
		file := e.Position >> fileShift
		if reached[file] == nil {
			reached[file] = map[string]int{}
		}
		reached[file][e.Kind] = max(reached[file][e.Kind], places[source{e.Kind, e.Key}])
		numbers[i] = reached[file][e.Kind]
		moving = append(moving, i)
	}
	slices.SortStableFunc(moving, func(a, b int) int {
		return cmp.Or(cmp.Compare(numbers[a], numbers[b]), cmp.Compare(elements[a].Position, elements[b].Position))
	})
	for place, i := range moving {
		ordered[i].Position = place + 1
	}
	return ordered
}

// onePlace numbers the elements of all files through.
func onePlace(elements []domains.Element) []domains.Element {
	if fileOf(elements) == 0 {
		return elements
	}
	numbered := slices.Clone(elements)
	byPosition := func(a, b int) int { return cmp.Compare(numbered[a].Position, numbered[b].Position) }
	place := 0
	for _, i := range lists.Order(len(numbered), byPosition) {
		if numbered[i].Position > 0 {
			place++
			numbered[i].Position = place
		}
	}
	return numbered
}
