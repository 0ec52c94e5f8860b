package python

import (
	"iter"
	"slices"
	"strings"
)

// names are all names that stand in a program, attributes left out.
func (p *program) names() map[string]bool {
	all := map[string]bool{}
	for tokens := range p.code() {
		eachName(tokens, func(t token) { all[t.text] = true })
	}
	return all
}

// code are the headers of definitions, and the statements.
func (p *program) code() iter.Seq[[]token] {
	return func(yield func([]token) bool) {
		for i := range p.definitions {
			if !yield(p.definitions[i].header) {
				return
			}
		}
		for i := range p.statements {
			if !yield(p.statements[i].tokens) {
				return
			}
		}
	}
}

// variables are the names that a program gives to values and parameters: not
// those of definitions, of imports, or of what stands in the body of a class.
// Attributes of the same name make that name none of them.
func (p *program) variables() map[string]bool {
	all := map[string]bool{}
	isClass := map[string]bool{}
	for i := range p.definitions {
		d := &p.definitions[i]
		if isClass[d.name] = d.header[0].text == "class"; isClass[d.name] {
			continue
		}
		parameters, _ := d.parts()
		for _, parameter := range parameters {
			if at := slices.IndexFunc(parameter, func(t token) bool { return t.kind == nameToken }); at >= 0 {
				all[parameter[at].text] = true
			}
		}
	}
	for i := range p.statements {
		if s := &p.statements[i]; !isClass[s.scope] {
			s.bound(all)
		}
	}
	for i := range p.statements {
		for k, t := range p.statements[i].tokens {
			if t.kind == nameToken && isAttribute(p.statements[i].tokens, k) {
				delete(all, t.text)
			}
		}
	}
	return all
}

// bound adds the names to which a statement gives values.
func (s *statement) bound(into map[string]bool) {
	first := s.tokens[0].text
	if first == "import" || first == "from" {
		return
	}
	end := 0 // of the targets of an assignment
	for i, t := range outside(s.tokens) {
		if isAssignment(t.text) || t.text == ":" && i == 1 {
			end = i
		}
	}
	for i, t := range s.tokens {
		switch {
		case t.text == ":=" && i > 0:
			s.bind(i-1, into)
		case t.text == "as" && i+1 < len(s.tokens):
			s.bind(i+1, into)
		case t.text == "for":
			for k := i + 1; k < len(s.tokens) && !keywords[s.tokens[k].text]; k++ {
				s.bind(k, into)
			}
		}
	}
	for i := range end {
		s.bind(i, into)
	}
}

// assignments are the operators that give values to what stands before them.
var assignments = strings.Fields("= += -= *= /= //= %= **= @= &= |= ^= >>= <<=")

func isAssignment(operator string) bool { return slices.Contains(assignments, operator) }

// bind adds the name at a place, unless it is part of something larger.
func (s *statement) bind(i int, into map[string]bool) {
	name := s.tokens[i].text
	if s.tokens[i].kind != nameToken || keywords[name] || values[name] || isAttribute(s.tokens, i) {
		return
	}
	if i+1 < len(s.tokens) {
		switch s.tokens[i+1].text {
		case "(", "[", ".":
			return
		}
	}
	into[name] = true
}

func isAttribute(tokens []token, i int) bool { return i > 0 && tokens[i-1].text == "." }
