package json

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/jsontext"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// elements flattens the documents in all files into key paths, the documents
// themselves, anchors, comments and lines outside.
func elements(files vfs.Files) []domains.Element {
	var f flattening
	var empty *node // the first document without content
	for _, name := range files.Names() {
		c := read(name, files[name])
		for _, root := range c.roots {
			if root.isContainer() && root.entries() == 0 {
				if empty == nil {
					empty = root
				}
				continue
			}
			f.document(root)
		}
		for _, comment := range c.comments {
			f.add("comment", "comment", domains.Field{Value: comment})
		}
		for _, line := range c.outside {
			f.add("line", "text outside the document", domains.Field{Value: line})
		}
	}
	if f.documents == 0 && empty != nil {
		f.document(empty)
	}
	return f.elements
}

type flattening struct {
	elements  []domains.Element
	documents int
	place     int // of what is in the list item at hand; the order of members means nothing
}

// add adds an element of a kind that is not counted.
func (f *flattening) add(kind, key string, fields ...domains.Field) {
	f.elements = plain.Append(f.elements, domains.Element{Kind: kind, Key: key, Fields: fields})
}

func (f *flattening) document(root *node) {
	f.documents++
	key := fmt.Sprintf("document %d", f.documents)
	f.add("document", key, domains.Field{Value: root.inBrief()})
	f.extras(root, key)
	f.below(root, "", "", 0)
}

// deepestPath is how deep values are taken apart.
const deepestPath = 64

// below adds what is in a list or an object. at is its path with the places of items, general that without.
func (f *flattening) below(n *node, at, general string, depth int) {
	if depth == deepestPath {
		if n.entries() > 0 {
			f.keyPath(n, at+"…", general+"…", n.compact())
		}
		return
	}
	if n.kind == listKind {
		f.items(n, at, general, depth)
		return
	}
	members := n.members
	byName := func(a, b member) int { return strings.Compare(a.name, b.name) }
	if !slices.IsSortedFunc(members, byName) {
		members = slices.Clone(members)
		slices.SortStableFunc(members, byName)
	}
	for i, m := range members {
		name, dot := pathName(m.name), ""
		if at != "" {
			dot = "."
		}
		if i+1 < len(members) && members[i+1].name == m.name {
			name += " (repeated below)"
		}
		memberAt := short(at + dot + name)
		memberGeneral := memberAt
		if general != at {
			memberGeneral = short(general + dot + name)
		}
		f.keyPath(m.value, memberAt, memberGeneral, m.value.inBrief())
		f.below(m.value, memberAt, memberGeneral, depth+1)
	}
}

func (f *flattening) items(n *node, at, general string, depth int) {
	itemGeneral := short(general + "[]")
	for i, item := range n.items {
		f.place++
		label, name := item.nameOr(i)
		itemAt := short(at + "[" + label + name + "]")
		f.keyPath(item, itemAt, itemGeneral, item.inBrief())
		f.place++ // what is in an item comes after it
		f.below(item, itemAt, itemGeneral, depth+1)
	}
}

// nameOr is how a person would call an item of a list: by its id or name, with a label, otherwise by its place.
func (n *node) nameOr(place int) (label, name string) {
	const longest = 40
	for _, by := range []string{"id", "uid", "key", "code", "name", "title", "refId"} {
		if value := n.get(by); (value.is(textKind) || value.is(numberKind)) && value.text != "" && len(value.text) <= longest {
			return by + "=", value.text
		}
	}
	return "", strconv.Itoa(place)
}

// keyPath adds a counted element.
func (f *flattening) keyPath(n *node, at, general, value string) {
	f.elements = plain.Append(f.elements, domains.Element{
		Kind: counted, Key: at, Fields: []domains.Field{{Name: "path", Value: general}, {Value: value}}, Position: f.place,
	})
	f.extras(n, at)
}

// extras adds what YAML says of a value in addition to it.
func (f *flattening) extras(n *node, at string) {
	if n.anchor != nil && n.kind != aliasKind {
		f.add("anchor", at+", anchor "+n.anchor.name, domains.Field{Name: "anchor", Value: n.anchor.name}, domains.Field{Name: "at", Value: at})
	}
}

// inBrief is a scalar, or the kind of a list or an object. Text is in quotes.
func (n *node) inBrief() string {
	switch n.kind {
	case nullKind:
		return "null"
	case numberKind:
		return jsontext.CanonicalNumber(n.text)
	case textKind:
		return `"` + n.text + `"`
	case listKind:
		return strings.TrimSuffix("list, "+n.text, ", ")
	case objectKind:
		return strings.TrimSuffix("object, "+n.text, ", ")
	case aliasKind:
		return "*" + n.text
	}
	return n.text
}

// pathName is a name as a step of a path: in quotes where it could be taken for several steps.
func pathName(name string) string {
	if name == "" || strings.ContainsAny(name, `.["`) {
		return strconv.Quote(name)
	}
	return name
}

// short cuts a path that is too long to be told apart by eye.
func short(text string) string {
	const longest = 400
	if len(text) <= longest {
		return text
	}
	return text[:longest/2] + "…" + strconv.FormatUint(uint64(emptyPath.with(text)), 16)
}
