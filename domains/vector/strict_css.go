package vector

import (
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
)

// declarationsOf are the declarations of a style attribute or rule.
func declarationsOf(style string) []domains.Field {
	var all []domains.Field
	for part := range strings.SplitSeq(style, ";") {
		name, value, _ := strings.Cut(part, ":")
		if name = strings.ToLower(pytext.Strip(name)); name != "" {
			all = plain.Append(all, domains.Field{Name: name, Value: normalValue(name, value)})
		}
	}
	return all
}

// styleSheet flattens the rules of a style element, which have an order, and its
// comments. One that has elements is none.
func (f *flattener) styleSheet(n *xml.Node, s scope) {
	if !n.IsLeaf() {
		f.inside(n, scope{in: f.key(n), defined: s.defined})
		return
	}
	var text strings.Builder
	for _, c := range n.Children {
		text.WriteString(c.Text) // also of a comment: old pages hide the rules in one
	}
	f.rules(f.withoutComments(text.String()))
}

// withoutComments takes the comments out of a style sheet, into elements.
func (f *flattener) withoutComments(sheet string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(sheet, "/*")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		comment, rest, _ := strings.Cut(after, "*/")
		f.add(domains.Element{
			Kind: "comment", Key: "comment", Fields: []domains.Field{{Value: pytext.Collapse(comment)}},
		})
		sheet = rest
	}
}

// rules flattens rules; those inside of another, such as @media, stand under its
// name.
func (f *flattener) rules(sheet string) {
	var within []string
	for sheet != "" {
		end := strings.IndexAny(sheet, "{}")
		if end < 0 {
			f.lines(sheet)
			return
		}
		head, mark := pytext.Collapse(sheet[:end]), sheet[end]
		sheet = sheet[end+1:]
		if mark == '}' {
			within = within[:max(len(within)-1, 0)]
			f.lines(head)
			continue
		}
		inner := strings.IndexAny(sheet, "{}")
		if inner >= 0 && sheet[inner] == '{' {
			const deepest = 8
			if len(within) < deepest {
				within = append(within, head)
			}
			continue
		}
		if inner < 0 {
			inner = len(sheet)
		}
		f.rule(strings.Join(within, " "), head, sheet[:inner])
		sheet = sheet[min(inner+1, len(sheet)):]
	}
}

func (f *flattener) rule(within, selector, declarations string) {
	selector = strings.ReplaceAll(strings.ReplaceAll(selector, ", ", ","), " ,", ",")
	e := domains.Element{Kind: "rule", Key: "rule " + shortened(selector), Position: f.place("rule")}
	e.Fields = append([]domains.Field{{Name: "selector", Value: selector}}, declarationsOf(declarations)...)
	if within != "" {
		e.Fields = append(e.Fields, domains.Field{Name: "within", Value: within})
	}
	f.add(e)
}
