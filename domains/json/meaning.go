package json

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/jsontext"
	"agentd/domains/internal/plain"
	published "agentd/domains/published/json"
	"agentd/vfs"
)

// counted is the kind of element that is counted.
const counted = "key path"

// elements flattens the documents in all files into key paths, the documents
// themselves, anchors, comments and lines outside.
func elements(files vfs.Files) []domains.Element {
	var f flattening
	var empty *published.Node // the first document without content
	for _, name := range files.Names() {
		c := read(name, files[name])
		for _, root := range c.roots {
			if root.IsContainer() && entries(root) == 0 {
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
	fields    []domains.Field // of key paths; room for many is made at once
	documents int
	place     int // of what is in the list item at hand; the order of members means nothing
}

// add adds an element of a kind that is not counted.
func (f *flattening) add(kind, key string, fields ...domains.Field) {
	f.elements = plain.Append(f.elements, domains.Element{Kind: kind, Key: key, Fields: fields})
}

func (f *flattening) document(root *published.Node) {
	f.documents++
	key := fmt.Sprintf("document %d", f.documents)
	f.elements = slices.Grow(f.elements, 1+size(root))
	f.add("document", key, domains.Field{Value: inBrief(root)})
	f.extras(root, key)
	f.below(root, "", "", 0)
}

// deepestPath is how deep values are taken apart.
const deepestPath = 64

// below adds what is in a list or an object. at is its path with the places of items, general that without.
func (f *flattening) below(n *published.Node, at, general string, depth int) {
	if depth == deepestPath {
		if entries(n) > 0 {
			f.keyPath(n, at+"…", general+"…", compact(n))
		}
		return
	}
	if n.Kind == published.List {
		f.items(n, at, general, depth)
		return
	}
	members := n.Members
	byName := func(a, b published.Member) int { return strings.Compare(nameOf(a), nameOf(b)) }
	if !slices.IsSortedFunc(members, byName) {
		members = slices.Clone(members)
		slices.SortStableFunc(members, byName)
	}
	for i, m := range members {
		name, dot := pathName(nameOf(m)), ""
		if at != "" {
			dot = "."
		}
		if i+1 < len(members) && nameOf(members[i+1]) == nameOf(m) {
			name += " (repeated below)"
		}
		memberAt := short(at + dot + name)
		memberGeneral := memberAt
		if general != at {
			memberGeneral = short(general + dot + name)
		}
		f.keyPath(m.Value, memberAt, memberGeneral, inBrief(m.Value))
		f.below(m.Value, memberAt, memberGeneral, depth+1)
	}
}

func (f *flattening) items(n *published.Node, at, general string, depth int) {
	itemGeneral := short(general + "[]")
	for i, item := range n.Items {
		f.place++
		label, name := nameOr(item, i)
		itemAt := short(at + "[" + label + name + "]")
		f.keyPath(item, itemAt, itemGeneral, inBrief(item))
		f.place++ // what is in an item comes after it
		f.below(item, itemAt, itemGeneral, depth+1)
	}
}

// nameOr is how a person would call an item of a list: by its id or name, with a label, otherwise by its place.
func nameOr(n *published.Node, place int) (label, name string) {
	const longest = 40
	for _, by := range []string{"id", "uid", "key", "code", "name", "title", "refId"} {
		if value := lastNamed(n, by); (value.Is(published.Text) || value.Is(published.Number)) && value.Text != "" && len(value.Text) <= longest {
			return by + "=", value.Text
		}
	}
	return "", strconv.Itoa(place)
}

// keyPath adds a counted element.
func (f *flattening) keyPath(n *published.Node, at, general, value string) {
	if cap(f.fields)-len(f.fields) < 2 {
		const most = 1024
		f.fields = make([]domains.Field, 0, min(most, 2*(1+cap(f.elements)-len(f.elements))))
	}
	f.fields = append(f.fields, domains.Field{Name: "path", Value: general}, domains.Field{Value: value})
	f.elements = plain.Append(f.elements, domains.Element{
		Kind: counted, Key: at, Fields: slices.Clip(f.fields[len(f.fields)-2:]), Position: f.place,
	})
	f.extras(n, at)
}

// extras adds what YAML says of a value in addition to it.
func (f *flattening) extras(n *published.Node, at string) {
	if n.Anchor != nil && n.Kind != published.Alias {
		f.add("anchor", at+", anchor "+n.Anchor.Name, domains.Field{Name: "anchor", Value: n.Anchor.Name}, domains.Field{Name: "at", Value: at})
	}
}

// inBrief is a scalar, or the kind of a list or an object. Text is in quotes.
func inBrief(n *published.Node) string {
	switch n.Kind {
	case published.Null:
		return "null"
	case published.Number:
		return jsontext.CanonicalNumber(n.Text)
	case published.Text:
		return `"` + n.Text + `"`
	case published.List:
		return strings.TrimSuffix("list, "+n.Text, ", ")
	case published.Object:
		return strings.TrimSuffix("object, "+n.Text, ", ")
	case published.Alias:
		return "*" + n.Text
	}
	return n.Text
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
	h := fnv.New64a()
	_, _ = h.Write([]byte(text)) // it cannot fail
	return text[:longest/2] + "…" + strconv.FormatUint(h.Sum64(), 16)
}
