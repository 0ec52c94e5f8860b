package treebank

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// counted is the kind of element that is counted.
const counted = "token"

// elements flattens all files, under any name: sentences with their
// comments, words, multiword tokens, empty nodes, and lines that are none of
// the format.
func elements(files vfs.Files) []domains.Element {
	var f flattening
	for _, s := range interleave(readAll(files)) {
		f.add(&s)
	}
	return f.elements
}

type flattening struct {
	elements          []domains.Element
	sentences, tokens int
}

func (f *flattening) add(s *sentence) {
	for _, line := range s.foreign {
		f.elements = plain.Append(f.elements, domains.Element{
			Kind: "line", Key: "line outside of the format", Fields: []domains.Field{{Value: line}},
		})
	}
	if len(s.comments) == 0 && len(s.tokens) == 0 {
		return
	}
	f.sentences++
	id := s.id()
	name := cmp.Or(id, strconv.Itoa(f.sentences))
	f.elements = plain.Append(f.elements, domains.Element{
		Kind: "sentence", Key: "sentence " + name, Fields: commentFields(s.comments), Position: f.sentences,
	})
	for _, t := range s.tokens {
		f.tokens++
		f.elements = plain.Append(f.elements, domains.Element{
			Kind: t.kind(), Key: name + ": " + t[colID] + " " + t[colForm],
			Fields: t.fields(id), Position: f.tokens,
		})
	}
}

func commentFields(comments []string) []domains.Field {
	fields := make([]domains.Field, 0, len(comments))
	for _, c := range comments {
		name, value, named := strings.Cut(c, "=")
		if !named {
			fields = append(fields, domains.Field{Name: "comment", Value: pytext.Strip(c)})
			continue
		}
		fields = append(fields, domains.Field{Name: pytext.Strip(name), Value: pytext.Strip(value)})
	}
	return fields
}

func (t token) kind() string {
	switch {
	case t.isRange():
		return "multiword token"
	case t.isEmpty():
		return "empty node"
	}
	return counted
}

// fields are the columns that have a value, and the sentence's ID, which tells
// the many like words of a text apart.
func (t token) fields(sentence string) []domains.Field {
	fields := make([]domains.Field, 0, len(t)+1)
	if sentence != "" {
		fields = append(fields, domains.Field{Name: "sentence", Value: sentence})
	}
	for k, value := range t {
		switch {
		case value == none && k != colForm && k != colLemma:
			continue
		case k >= columnCount:
			fields = append(fields, domains.Field{Name: "column " + strconv.Itoa(k+1), Value: value})
			continue
		case k == colFeats, k == colDeps, k == colMisc:
			value = sortedParts(value)
		}
		fields = append(fields, domains.Field{Name: columnNames[k], Value: value})
	}
	return fields
}

// sortedParts brings a list, which the format leaves in any order or asks to
// be sorted, into one order.
func sortedParts(list string) string {
	if !strings.Contains(list, "|") {
		return list
	}
	parts := strings.Split(list, "|")
	slices.Sort(parts)
	return strings.Join(parts, "|")
}
