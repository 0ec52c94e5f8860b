package json

import (
	"errors"
	"fmt"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

var patterns = []string{"*.json", "*.yaml", "*.yml"}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("split_list", splitList),
		domains.Taking("group_list", groupList),
		domains.Taking("texts_apart", textsApart),
		domains.Taking("yaml", inYAML),
		domains.Taking("scale_members", scaleMembers),
		domains.Taking("key_list", keyList),
		domains.Taking("name_objects", nameObjects),
		domains.Taking("sort_texts", sortTexts),
		domains.Taking("table_apart", tableApart),
	}
}

// find returns the outermost value of the document among the files: of the one of its name, or
// of the first one. It must have a list, if one is named.
func find(files vfs.Files, document, list string) (*node, error) {
	files = files.Match(patterns)
	names := files.Names()
	if _, ok := files[document]; ok {
		names = []string{document}
	}
	for _, name := range names {
		if root := readRoot(name, files[name]); root != nil && (list == "" || root.get(list).is(listKind)) {
			return root, nil
		}
	}
	if list == "" {
		return nil, errors.New("no JSON file")
	}
	return nil, fmt.Errorf("no JSON file with a list of %s", list)
}

// readNamed returns the outermost value of a file.
func readNamed(files vfs.Files, name string) (*node, error) {
	text, err := plain.File(files, name)
	if err != nil {
		return nil, err
	}
	root := readRoot(name, text)
	if root == nil {
		return nil, fmt.Errorf("%s has no JSON value", name)
	}
	return root, nil
}

// readRoot returns the outermost list or object in a text, nil if there is none.
func readRoot(name, text string) *node {
	for _, root := range read(name, text).roots {
		if root.isContainer() {
			return root
		}
	}
	return nil
}

// documents says how a document is read, which must have a list if one is named, and printed.
func documents(document, list string) *exact.Single[*node] {
	return &exact.Single[*node]{
		Document: func(files vfs.Files) (*node, error) { return find(files, document, list) },
		Named:    readNamed,
		Print:    (*node).printJSON,
	}
}

// list returns the items of a list, none if there is no such list.
func (n *node) list(name string) []*node {
	if list := n.get(name); list.is(listKind) {
		return list.items
	}
	return nil
}

// at is the value at a path of names, nil if there is none.
func (n *node) at(path []string) *node {
	for _, name := range path {
		n = n.get(name)
	}
	return n
}

// number returns a value that is a whole number, -1 for any other.
func (n *node) number() int {
	if !n.is(numberKind) {
		return -1
	}
	return atoi(n.text)
}
