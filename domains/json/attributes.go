package json

import (
	"strconv"

	"agentd/domains/edit"
	published "agentd/domains/published/json"
)

// vocabulary makes parts of the elements of the outermost list, in JSON or in YAML.
func vocabulary() edit.Format {
	return edit.Lists("document", edit.ComputedNumber("scalars", "numbers of scalars", scalars))
}

// scalars is how many values without members or items an element has, at any depth: texts, numbers, booleans and
// null; empty if it has none.
func scalars(part string) string {
	n := 0
	for _, root := range read("", part).roots {
		each(root, func(value *published.Node) {
			if !value.IsContainer() {
				n++
			}
		})
	}
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
