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
	format := edit.Format{
		Document: "star catalogue", Part: "row", Parts: "rows", Cut: edit.Outer("TR"),
		Remark: " <!-- computed: {} -->", RemarkAt: edit.End,
		Tree: edit.XMLTree(),
	}
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
	fieldStart = regexp.MustCompile(`<(?:[\w.-]+:)?FIELD\s[^<>]*>`)
	fieldName  = regexp.MustCompile(edit.ValueOf("FIELD", "name"))
	fieldUCD   = regexp.MustCompile(edit.ValueOf("FIELD", "ucd"))
)

// fieldsOf makes an attribute of each field of the table that the rows are from, of the first letter where it has
// one, as spectral types do, and of what follows from magnitude and parallax.
func fieldsOf(rows edit.Pieces) []edit.Attribute {
	head := rows.Before
	if tables := tableStart.FindAllStringIndex(head, -1); tables != nil {
		head = head[tables[len(tables)-1][0]:]
	}
	const cell = `\s*<(?:\w+:)?TD(?:\s[^<>]*)?(?:/>|>[^<>]*</(?:\w+:)?TD\s*>)`
	var all []edit.Attribute
	var s star
	for k, field := range fieldStart.FindAllString(head, -1) {
		named := fieldName.FindStringSubmatch(field)
		if named == nil {
			continue
		}
		place := fmt.Sprintf(`\A<[^<>]*>(?:%s){%d}\s*<(?:\w+:)?TD(?:\s[^<>]*)?>\s*`, cell, k)
		name := strings.ToLower(named[1])
		value := edit.Sized(edit.Has(name, name+" values", place+`([^<>]*[^<>\s])`), rows.Parts)
		all = append(all, value)
		letter := edit.Has("first letter of "+name, "first letters of "+name, place+`([A-Za-z])`)
		if slices.ContainsFunc(rows.Parts, letter.Find.MatchString) {
			all = append(all, letter)
		}
		if ucd := fieldUCD.FindStringSubmatch(field); ucd != nil {
			s.take(ucd[1], value)
		}
	}
	return append(all, s.attributes()...)
}
