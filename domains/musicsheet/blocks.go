package musicsheet

import (
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"

	published "agentd/domains/published/musicsheet"
)

// block flattens what stands in braces that hold no music: the fields of a header, the settings of the others. The
// value of a variable that is no music is a setting, too.
func (f *flattener) block(i int) {
	k := &f.tokens[i]
	if i > 0 && f.tokens[i-1].kind == nameToken {
		f.setting("variable", []string{variableName(f.tokens[i-1].text) + " = " + k.text})
		f.in = ""
		return
	}
	name := commandName(k.text)
	if name == "" {
		f.setting("scheme", []string{k.text})
		return
	}
	inside, comments := partedComments(k.text[len(name):])
	for _, comment := range comments {
		f.comment(comment)
	}
	inside = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(inside), "{"), "}")
	where := name[1:]
	if f.in != "" && k.depth > 0 {
		where += " of " + f.in
	}
	if name != `\header` {
		f.setting(where, append([]string{""}, statements(inside)...))
		return
	}
	for _, field := range statements(inside) {
		label, value, _ := strings.Cut(field, "=")
		label, value = squeezed(label), squeezed(value)
		if strings.HasPrefix(value, `"`) {
			value = squeezed(published.Unquoted(value))
		}
		f.all = plain.Append(f.all, domains.Element{
			Kind: headerKind, Key: where + ", " + label,
			Fields: []domains.Field{{Name: "field", Value: where + " " + label}, {Name: "value", Value: strings.ToLower(pytext.Strip(value))}},
		})
	}
}

// setting appends an element for each statement.
func (f *flattener) setting(where string, statements []string) {
	for _, s := range statements {
		label, value, named := strings.Cut(s, "=")
		label = squeezed(label)
		fields := []domains.Field{{Name: "of", Value: where}, {Name: "value", Value: label}}
		if named {
			fields = []domains.Field{fields[0], {Name: "name", Value: label}, {Name: "value", Value: squeezed(value)}}
		}
		key := strings.TrimSpace(where + " " + label)
		f.all = plain.Append(f.all, domains.Element{Kind: "setting", Key: key, Fields: fields})
	}
}

// mostStatements bounds those of one block; beyond, the rest counts as one.
const mostStatements = 1 << 15

// statements divides what stands in a block: each begins with a name and =, or with a command that is no value.
func statements(text string) []string {
	s := scanner{published.Scanner{Text: text}}
	var all []string
	start, valued := 0, true
	cut := func(at int) {
		if part := strings.TrimSpace(text[start:at]); part != "" {
			all = append(all, part)
		}
		start = at
	}
	for !s.AtEnd() && len(all) < mostStatements {
		at := s.Pos
		switch c := s.Peek(); {
		case strings.IndexByte(`"#$`, c) >= 0:
			s.value()
			valued = true
		case c == '{':
			s.Block()
			valued = true
		case c == '\\':
			if valued {
				cut(at)
			}
			command := s.Command()
			if command == `\` {
				s.Take(1)
			}
			valued = command != `\context` && command != `\markup` && command != `\remove` && command != `\consists`
		case published.IsLetter(c):
			s.Take(published.NameLength(s.Rest()))
			for s.Peek() == '.' || s.Peek() == '-' {
				s.Pos++
				s.Take(published.NameLength(s.Rest()))
			}
			if valued = !s.Comes("="); !valued {
				cut(at)
				s.Pos++
			}
		default:
			s.SkipOne()
		}
	}
	cut(len(text))
	return all
}

// foreign flattens a line that is no part of the notation, or a stray character.
func (f *flattener) foreign(k *token) {
	f.numbers["line"]++
	f.all = plain.Append(f.all, domains.Element{
		Kind: "line", Key: "text outside the notation", Position: f.numbers["line"],
		Fields: []domains.Field{{Value: squeezed(k.text)}},
	})
}
