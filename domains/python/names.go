package python

import "slices"

// names are all names that stand in a program, attributes left out.
func (p *program) names() map[string]bool {
	all := map[string]bool{}
	note := func(source string, tokens []token) {
		eachName(source, tokens, func(t token) { all[t.in(source)] = true })
	}
	for i := range p.definitions {
		note(p.definitions[i].source, p.definitions[i].header)
	}
	for i := range p.statements {
		note(p.statements[i].source, p.statements[i].tokens)
	}
	return all
}

// variables are the names that a program gives to values and parameters: not
// those of definitions, of imports, or of what stands in the body of a class.
// Attributes of the same name make that name none of them.
func (p *program) variables() map[string]bool {
	all := map[string]bool{}
	isClass := map[string]bool{}
	for i := range p.definitions {
		d := &p.definitions[i]
		if isClass[d.name] = d.header[0].in(d.source) == "class"; isClass[d.name] {
			continue
		}
		parameters, _ := d.parts()
		for _, parameter := range parameters {
			if at := slices.IndexFunc(parameter, func(t token) bool { return t.kind == nameToken }); at >= 0 {
				all[parameter[at].in(d.source)] = true
			}
		}
	}
	for i := range p.statements {
		if s := &p.statements[i]; !isClass[s.scope] {
			s.bound(all)
		}
	}
	for i := range p.statements {
		s := &p.statements[i]
		for k, t := range s.tokens {
			if t.kind == nameToken && isAttribute(s.source, s.tokens, k) {
				delete(all, t.in(s.source))
			}
		}
	}
	return all
}

// bound adds the names to which a statement gives values.
func (s *statement) bound(into map[string]bool) {
	first := s.tokens[0].in(s.source)
	if first == "import" || first == "from" {
		return
	}
	end, depth := 0, 0 // of the targets of an assignment
	for i, t := range s.tokens {
		text := t.in(s.source)
		switch {
		case t.kind == operatorToken && opens(text[0]):
			depth++
		case t.kind == operatorToken && closes(text[0]):
			depth--
		case depth == 0 && t.kind == operatorToken && isAssignment(text):
			end = i
		case depth == 0 && text == ":" && i == 1:
			end = max(end, i)
		}
		switch {
		case text == ":=" && i > 0:
			s.bind(i-1, into)
		case text == "as" && i+1 < len(s.tokens):
			s.bind(i+1, into)
		case text == "for":
			for k := i + 1; k < len(s.tokens) && !keywords[s.tokens[k].in(s.source)]; k++ {
				s.bind(k, into)
			}
		}
	}
	for i := range end {
		s.bind(i, into)
	}
}

func isAssignment(operator string) bool {
	switch operator {
	case "=", "+=", "-=", "*=", "/=", "//=", "%=", "**=", "@=", "&=", "|=", "^=", ">>=", "<<=":
		return true
	}
	return false
}

// bind adds the name at a place, unless it is part of something larger.
func (s *statement) bind(i int, into map[string]bool) {
	name := s.tokens[i].in(s.source)
	if s.tokens[i].kind != nameToken || keywords[name] || values[name] || isAttribute(s.source, s.tokens, i) {
		return
	}
	if i+1 < len(s.tokens) {
		switch s.tokens[i+1].in(s.source) {
		case "(", "[", ".":
			return
		}
	}
	into[name] = true
}

func isAttribute(source string, tokens []token, i int) bool {
	return i > 0 && tokens[i-1].in(source) == "."
}
