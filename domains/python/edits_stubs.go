package python

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const stubBody = "    ...\n"

// bodyStart is where the lines below the header of a function begin; false if
// its code stands next to the header.
func (p *part) bodyStart() (int, bool) {
	header := p.header()
	return header.end, headerEnd(header.tokens) == len(header.tokens) && header.end < len(p.code)
}

// stubs moves what functions do to a file next to their headers, and lists their signatures.
// Several functions of a name get their bodies back in their order.
func stubs(p struct {
	Document, To, Bodies string
	Mark                 string // before the name of a function, above its body
	Table                string
}) exact.Steps {
	forward := func(s *sheet) (vfs.Files, error) {
		var bodies, table strings.Builder
		table.WriteString("| function | parameters | lines | raises |\n| --- | --- | --- | --- |\n")
		for _, f := range s.functions() {
			start, ok := f.bodyStart()
			if !ok {
				continue
			}
			body := f.code[start:]
			if strings.HasPrefix(body, p.Mark) || strings.Contains(body, "\n"+p.Mark) {
				return nil, fmt.Errorf("a line of %s begins with %q", f.name, p.Mark)
			}
			fmt.Fprintf(&bodies, "%s%s\n%s", p.Mark, f.name, body)
			fmt.Fprintf(&table, "| %s | %s | %d | %s |\n", f.name, f.signature(), lineCount(body), strings.Join(f.raised(), ", "))
			f.rewrite([]change{{start, len(f.code), stubBody}})
		}
		if bodies.Len() == 0 {
			return nil, errors.New("no function has a body below its header")
		}
		return vfs.Files{p.Bodies: bodies.String(), p.Table: table.String()}, nil
	}
	return programs.Rewrite(p.Document, p.To, forward, func(s *sheet, files vfs.Files) error {
		text, err := plain.File(files, p.Bodies)
		bodies := map[string][]string{}
		for part := range strings.SplitSeq("\n"+plainSource(text), "\n"+p.Mark) {
			name, body, _ := strings.Cut(part, "\n")
			bodies[strings.TrimSpace(name)] = append(bodies[strings.TrimSpace(name)], strings.TrimSuffix(body, "\n")+"\n")
		}
		for _, f := range s.functions() {
			start, ok := f.bodyStart()
			if list := bodies[f.name]; ok && len(list) > 0 && strings.TrimSpace(f.code[start:]) == strings.TrimSpace(stubBody) {
				f.rewrite([]change{{start, len(f.code), list[0]}})
				bodies[f.name] = list[1:]
			}
		}
		return err
	})
}

// signature is what stands in the parentheses of a function, on one line.
func (p *part) signature() string {
	parameters, _ := (&definition{header: p.header().tokens}).parts()
	texts := lists.Map(parameters, func(of []token) string {
		text := p.code[of[0].start:of[len(of)-1].end()]
		return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
	})
	return strings.Join(texts, ", ")
}

// raised are the names after the word raise, sorted.
func (p *part) raised() []string {
	var names []string
	for _, l := range p.lines {
		for i := 1; i < len(l.tokens); i++ {
			name := l.tokens[i]
			if l.tokens[i-1].text == "raise" && name.kind == nameToken && !slices.Contains(names, name.text) {
				names = append(names, name.text)
			}
		}
	}
	slices.Sort(names)
	return names
}
