package dbschema

import "strings"

// print writes a document, tables with an entry on each line.
func (d *document) print() string {
	var b strings.Builder
	for n, p := range d.parts {
		if p.gap && n > 0 {
			b.WriteByte('\n')
		}
		p.print(&b)
	}
	for _, c := range d.closing {
		b.WriteString(c + "\n")
	}
	return b.String()
}

func (p *part) print(b *strings.Builder) {
	for _, c := range p.above {
		b.WriteString(c + "\n")
	}
	switch {
	case p.kind == tablePart:
		p.printTable(b)
	case p.version != "":
		b.WriteString("/*!" + strings.TrimPrefix(p.version, "0") + " " + p.text + " */" + p.end)
	default:
		b.WriteString(p.text + strings.TrimSuffix(p.end, "\n"))
	}
	if p.beside != "" {
		b.WriteString(" " + p.beside)
	}
	b.WriteByte('\n')
}

func (p *part) printTable(b *strings.Builder) {
	b.WriteString(printTokens(p.head) + " (\n")
	for n, e := range p.entries {
		for _, c := range e.above {
			b.WriteString("  " + c + "\n")
		}
		b.WriteString("  " + printTokens(e.tokens))
		if n < len(p.entries)-1 {
			b.WriteByte(',')
		}
		if e.beside != "" {
			b.WriteString(" " + e.beside)
		}
		b.WriteByte('\n')
	}
	for _, c := range p.closing {
		b.WriteString("  " + c + "\n")
	}
	b.WriteByte(')')
	if len(p.options) > 0 {
		b.WriteString(" " + printTokens(p.options))
	}
	b.WriteString(p.end)
}

// printTokens writes tokens with one blank where there was white space.
func printTokens(tokens []token) string {
	var b strings.Builder
	for i, t := range tokens {
		if i > 0 && t.space {
			b.WriteByte(' ')
		}
		b.WriteString(t.text)
	}
	return b.String()
}

// tokensOf reads a piece of SQL, without its comments.
func tokensOf(text string) []token {
	l := lexer{text: text, mysql: true}
	var tokens []token
	for {
		t := l.next()
		switch t.kind {
		case endToken:
			return tokens
		case commentToken:
			continue
		}
		tokens = append(tokens, t)
	}
}
