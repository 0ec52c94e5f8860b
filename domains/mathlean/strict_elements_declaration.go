package mathlean

import (
	"slices"

	"agentd/domains"
	"agentd/domains/internal/plain"
)

// head are the fields of what stands before a keyword.
func (f *flattener) head(c *command) []domains.Field {
	var fields []domains.Field
	var prefix []token
	for n := c.first; n < c.at; n++ {
		switch t := f.tokens[n]; {
		case t.kind == comment:
		case t.kind == docText:
			fields = append(fields, domains.Field{Name: "doc", Value: prose(inside(f.of(t)))})
		case f.of(t) == "@[":
			end := min((&commandReader{file: &f.file}).afterAttributes(n), c.at)
			f.attributes(n, end, func(attribute string) {
				fields = plain.Append(fields, domains.Field{Name: "attribute", Value: attribute})
			})
			n = end - 1
		case keywords[f.of(t)] == modifier:
			fields = append(fields, domains.Field{Name: "modifier", Value: f.of(t)})
		default:
			prefix = append(prefix, t)
		}
	}
	if len(prefix) > 0 {
		fields = append(fields, domains.Field{Name: "before it", Value: f.printed(prefix)})
	}
	return fields
}

// attributes calls do with each attribute of the list from token first to last.
func (f *flattener) attributes(first, last int, do func(attribute string)) {
	from, depth := first+1, 0
	for n := from; n < last; n++ {
		switch text := f.at(n); {
		case f.tokens[n].kind != symbol:
		case depth == 0 && (text == "," || text == "]"):
			if from < n {
				do(f.printed(f.tokens[from:n]))
			}
			from = n + 1
		default:
			depth += bracket(text)
		}
	}
	if from < last {
		do(f.printed(f.tokens[from:last]))
	}
}

// declaration adds a declaration.
func (f *flattener) declaration(c *command) {
	p := f.partsOf(c)
	keyword := c.keyword
	if keyword == "lemma" {
		keyword = "theorem"
	}
	fields := append(make([]domains.Field, 0, 8), domains.Field{Name: "keyword", Value: keyword})
	fields = append(fields, f.head(c)...)
	key := f.name(p)
	if key != "" {
		fields = append(fields, domains.Field{Name: "name", Value: key})
		key = joined(f.namespace(), key)
	}
	binder := func(first, last int) { fields = f.argument(fields, "binder", first, last) }
	f.groups(c.at+1, p.name, binder)
	f.groups(p.binders, p.statement, binder)
	if p.statement < p.body {
		fields = plain.Append(fields, domains.Field{Name: "statement", Value: f.statement(p)})
	}
	if key == "" {
		key = cut(keyword + " " + f.statement(p))
	}
	for _, item := range f.items(p.body, p.end) {
		fields = plain.Append(fields, domains.Field{Name: "body", Value: item})
	}
	f.add(kindOf(c, p, &f.file), key, withOrder(fields))
}

func (f *flattener) statement(p parts) string {
	if p.statement >= p.body {
		return ""
	}
	return f.printed(f.tokens[p.statement+1 : p.body])
}

// kindOf tells the declarations that are counted from the others: the published
// evaluator reads neither those after a modifier nor those without `:=`.
func kindOf(c *command, p parts, f *file) string {
	if !slices.Contains(opening, c.keyword) {
		return otherDeclaration
	}
	for n := c.first; n < c.at; n++ {
		if keywords[f.at(n)] == modifier {
			return otherDeclaration
		}
	}
	for n := p.body; n < p.end; n++ {
		if f.at(n) == ":=" {
			return counted
		}
	}
	return otherDeclaration
}
