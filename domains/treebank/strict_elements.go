package treebank

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// counted is the kind of element that is counted.
const counted = "token"

// elements flattens all files, under any name: sentences with their
// comments, words, multiword tokens, empty nodes, and lines that are none of
// the format.
func elements(files vfs.Files) []domains.Element {
	var all []domains.Element
	add := func(kind, key string, fields []domains.Field, position int) {
		all = plain.Append(all, domains.Element{Kind: kind, Key: key, Fields: fields, Position: position})
	}
	sentences, tokens := 0, 0
	for _, s := range interleave(readAll(files)) {
		for _, line := range s.foreign {
			add("line", "line outside of the format", []domains.Field{{Value: line}}, 0)
		}
		if len(s.comments) == 0 && len(s.tokens) == 0 {
			continue
		}
		sentences++
		id := s.id()
		name := cmp.Or(id, strconv.Itoa(sentences))
		add("sentence", "sentence "+name, commentFields(s.comments), sentences)
		for _, t := range s.tokens {
			tokens++
			add(t.kind(), name+": "+t[colID]+" "+t[colForm], t.fields(id), tokens)
		}
	}
	return all
}

func commentFields(comments []string) []domains.Field {
	fields := make([]domains.Field, 0, len(comments))
	for _, c := range comments {
		name, value := cutComment(c)
		if !strings.Contains(c, "=") {
			name, value = "comment", name
		}
		fields = append(fields, domains.Field{Name: name, Value: value})
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
