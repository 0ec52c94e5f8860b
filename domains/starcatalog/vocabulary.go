package starcatalog

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"agentd/domains/edit"
)

// vocabulary makes parts of the rows of the first table that has any, whose fields are their attributes.
func vocabulary() edit.Format {
	format := edit.Format{Document: "star catalogue", Part: "row", Parts: "rows", Cut: edit.Outer("TR")}
	adapted := format
	format.Adapt = func(_, text string) edit.Format {
		adapted := adapted
		adapted.Attributes = fieldsOf(adapted.Cut(text))
		return adapted
	}
	return format
}

var (
	tableStart = regexp.MustCompile(`<(?:[\w.-]+:)?TABLE[\s>]`)
	fieldName  = regexp.MustCompile(edit.ValueOf("FIELD", "name"))
)

// fieldsOf makes an attribute of each field of the table that the rows are from, and of the first
// letter where it has one, as spectral types do.
func fieldsOf(rows edit.Pieces) []edit.Attribute {
	head := rows.Before
	if tables := tableStart.FindAllStringIndex(head, -1); tables != nil {
		head = head[tables[len(tables)-1][0]:]
	}
	const cell = `\s*<(?:\w+:)?TD(?:\s[^<>]*)?(?:/>|>[^<>]*</(?:\w+:)?TD\s*>)`
	var all []edit.Attribute
	for k, name := range fieldName.FindAllStringSubmatch(head, -1) {
		place := fmt.Sprintf(`\A<[^<>]*>(?:%s){%d}\s*<(?:\w+:)?TD(?:\s[^<>]*)?>\s*`, cell, k)
		name := strings.ToLower(name[1])
		all = append(all, edit.Sized(edit.Has(name, name+" values", place+`([^<>]*[^<>\s])`), rows.Parts))
		letter := edit.Has("first letter of "+name, "first letters of "+name, place+`([A-Za-z])`)
		if slices.ContainsFunc(rows.Parts, letter.Find.MatchString) {
			all = append(all, letter)
		}
	}
	return all
}
