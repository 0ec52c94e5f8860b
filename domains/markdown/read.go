package markdown

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	gfm "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"agentd/domains"
	"agentd/domains/internal/pytext"
	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// document is a text with its tree.
type document struct {
	front  []string // lines of the front matter
	source []byte   // the text after it
	offset int      // of source in the text
	tree   ast.Node
	notes  []parser.Reference // definitions that look like footnotes
}

// frontMatter stands between two lines of dashes at the top.
var frontMatter = lazyregexp.New(`\A---[ \t]*\n(?s:(.*?)\n)?---[ \t]*(?:\n|\z)`)

// parse reads a text, of which line ends are line feeds.
func parse(content string) document {
	var d document
	if at := frontMatter.FindStringSubmatchIndex(content); at != nil {
		if at[2] >= 0 {
			d.front = strings.Split(content[at[2]:at[3]], "\n")
		}
		d.offset = at[1]
	}
	d.source = []byte(content[d.offset:])
	md := goldmark.New(goldmark.WithExtensions(extension.GFM))
	context := parser.NewContext()
	d.tree = md.Parser().Parse(text.NewReader(mask(d.source)), parser.WithContext(context))
	for _, r := range context.References() {
		if bytes.HasPrefix(r.Label(), []byte("^")) {
			d.notes = append(d.notes, r)
		}
	}
	return d
}

// normal is a text as it is read: without a byte order mark, with line feeds.
func normal(content string) string {
	return pytext.UniversalNewlines(strings.TrimPrefix(content, "\ufeff"))
}

func elements(files vfs.Files) []domains.Element {
	var all []domains.Element
	for _, name := range files.Names() {
		r := reader{document: parse(normal(files[name]))}
		if len(files) > 1 {
			r.file = name + ", "
		}
		r.read()
		for i := range r.all {
			r.all[i].Position += len(all)
		}
		all = append(all, r.all...)
	}
	return all
}

// reader makes elements of a document.
type reader struct {
	document
	file    string
	section string // the last heading
	all     []domains.Element
}

func (r *reader) read() {
	for _, line := range r.front {
		if trimmed := strings.TrimRight(line, " \t"); trimmed != "" {
			name, _, _ := strings.Cut(trimmed, ":")
			r.add("front matter", name, domains.Field{Value: trimmed})
		}
	}
	r.children(r.tree, "")
	for _, note := range r.notes {
		r.add("footnote", string(note.Label()), domains.Field{Name: "label", Value: string(note.Label())},
			domains.Field{Name: "text", Value: string(note.Destination())})
	}
}

// add appends an element; fields without a value are left out.
func (r *reader) add(kind, key string, fields ...domains.Field) {
	const longest = 48
	if runes := []rune(key); len(runes) > longest {
		key = string(runes[:longest]) + "…"
	}
	e := domains.Element{Kind: kind, Key: r.file + kind + " " + strconv.Quote(key), Position: len(r.all) + 1}
	for _, f := range fields {
		if f.Value != "" {
			e.Fields = append(e.Fields, f)
		}
	}
	r.all = append(r.all, e)
}

// children reads the blocks of a block; in says what they stand in.
func (r *reader) children(n ast.Node, in string) {
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		r.block(child, in)
	}
}

func (r *reader) block(n ast.Node, in string) {
	within := domains.Field{Name: "in", Value: in}
	switch n := n.(type) {
	case *ast.Heading:
		fields, said := r.inline(n)
		r.section = said
		r.add("heading", said, append(fields, domains.Field{Name: "level", Value: strconv.Itoa(n.Level)}, within)...)
	case *ast.Paragraph, *ast.TextBlock:
		fields, said := r.inline(n)
		r.add(counted, said, append(fields, within)...)
	case *ast.List:
		r.list(n, in)
	case *ast.Blockquote:
		r.children(n, below(in, "quote"))
	case *ast.FencedCodeBlock:
		language := ""
		if n.Info != nil {
			language = plain(n.Info.Segment.Value(r.source))
		}
		r.code(n, strings.TrimSpace(language), within)
	case *ast.CodeBlock:
		r.code(n, "", within)
	case *ast.HTMLBlock:
		content := string(n.Lines().Value(r.source))
		if n.HasClosure() {
			content += string(n.ClosureLine.Value(r.source))
		}
		content = strings.TrimSpace(content)
		r.add("HTML", content, domains.Field{Value: content}, within)
	case *ast.ThematicBreak:
		r.add("rule", "after "+r.section, domains.Field{Name: "rule", Value: "yes"}, within)
	case *gfm.Table:
		r.table(n, within)
	case *ast.LinkReferenceDefinition: // a definition shows in the links that use it
	default:
		r.children(n, in)
	}
}

// below is what a block stands in that is in a block which stands in another one.
func below(in, kind string) string { return strings.TrimPrefix(in+" > "+kind, " > ") }

// list reads the items of a list. The text of an item is its first paragraph; what follows stands in it.
func (r *reader) list(n *ast.List, in string) {
	kind := "list"
	if n.IsOrdered() {
		kind = "numbered list"
	}
	number := n.Start
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		fields := []domains.Field{{Name: "in", Value: below(in, kind)}}
		if item.PreviousSibling() == nil && n.IsOrdered() && number != 1 {
			fields = append(fields, domains.Field{Name: "first number", Value: strconv.Itoa(number)})
		}
		first, said := item.FirstChild(), ""
		switch first.(type) {
		case *ast.TextBlock, *ast.Paragraph:
			var own []domains.Field
			own, said = r.inline(first)
			fields = append(own, fields...)
			first = first.NextSibling()
		}
		if len(fields) == 1 && said == "" {
			fields = append(fields, domains.Field{Name: "empty", Value: "yes"})
		}
		r.add("list item", said, fields...)
		for child := first; child != nil; child = child.NextSibling() {
			r.block(child, below(in, kind))
		}
	}
}

// code reads the lines of a code block.
func (r *reader) code(n ast.Node, language string, within domains.Field) {
	lines := n.Lines()
	first := ""
	if lines.Len() > 0 {
		segment := lines.At(0)
		first = strings.TrimSpace(string(segment.Value(r.source)))
	}
	r.add("code block", first, domains.Field{Name: "code", Value: "yes"}, domains.Field{Name: "language", Value: language}, within)
	for i := range lines.Len() {
		segment := lines.At(i)
		line := strings.TrimRight(string(segment.Value(r.source)), "\n")
		if strings.TrimSpace(line) == "" {
			continue
		}
		r.add("line of code", line, domains.Field{Value: line})
	}
}

// table reads the rows of a table, cells by the names of their columns.
func (r *reader) table(n *gfm.Table, within domains.Field) {
	var columns []string
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		var fields []domains.Field
		key := ""
		at := 0
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			said := r.said(cell)
			if key == "" {
				key = said
			}
			_, head := row.(*gfm.TableHeader)
			name := fmt.Sprintf("column %d", at+1)
			switch {
			case head:
				columns = append(columns, said)
				if at < len(n.Alignments) && n.Alignments[at] != gfm.AlignNone {
					fields = append(fields, domains.Field{Name: name + ", alignment", Value: n.Alignments[at].String()})
				}
			case at < len(columns) && columns[at] != "":
				name = columns[at]
			}
			fields = append(fields, domains.Field{Name: name, Value: said})
			at++
		}
		kind := "table row"
		if _, head := row.(*gfm.TableHeader); head {
			kind = "table"
			fields = append(fields, domains.Field{Name: "columns", Value: strconv.Itoa(at)})
		}
		r.add(kind, key, append(fields, within)...)
	}
}

// inline reads the text of a block: one field for the words and one for each link and picture.
func (r *reader) inline(n ast.Node) ([]domains.Field, string) {
	w := words{source: r.source}
	w.children(n)
	said := squeezed(w.b.String())
	return append([]domains.Field{{Name: "text", Value: said}}, w.fields...), said
}

// said is a cell's text with its links in it.
func (r *reader) said(n ast.Node) string {
	fields, said := r.inline(n)
	for _, f := range fields[1:] {
		said += " (" + f.Value + ")"
	}
	return strings.TrimSpace(said)
}

// squeezed has one blank where there are several, or a line end.
func squeezed(s string) string { return strings.Join(strings.Fields(s), " ") }

// plain resolves what stands for other characters: backslashes before marks, and entities.
func plain(raw []byte) string {
	return string(util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(raw))))
}

// words writes inline text in one normal form: marks as Markdown has them, with a backslash before what looks like a mark
// and is none.
type words struct {
	source []byte
	b      strings.Builder
	fields []domains.Field
}

func (w *words) children(n ast.Node) {
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		w.inline(child)
	}
}

// marked writes what an inline element holds between two marks.
func (w *words) marked(n ast.Node, mark string) {
	w.b.WriteString(mark)
	w.children(n)
	w.b.WriteString(mark)
}

// escaped writes a text so that what looks like a mark or HTML is none.
var escaped = strings.NewReplacer(`\`, `\\`, "*", `\*`, "`", "\\`", "~", `\~`, "<", `\<`)

func (w *words) inline(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		raw := n.Segment.Value(w.source)
		if n.IsRaw() {
			w.b.Write(raw)
		} else {
			w.b.WriteString(escaped.Replace(plain(raw)))
		}
		switch {
		case n.HardLineBreak():
			w.b.WriteString(" <br> ")
		case n.SoftLineBreak():
			w.b.WriteString(" ")
		}
	case *ast.String:
		w.b.Write(n.Value)
	case *ast.CodeSpan:
		w.marked(n, "`")
	case *ast.Emphasis:
		w.marked(n, strings.Repeat("*", min(max(n.Level, 1), 2)))
	case *gfm.Strikethrough:
		w.marked(n, "~~")
	case *gfm.TaskCheckBox:
		state := "open"
		if n.IsChecked {
			state = "done"
		}
		w.fields = append(w.fields, domains.Field{Name: "task", Value: state})
	case *ast.Link:
		w.reference("link", n, n.Destination, n.Title)
	case *ast.Image:
		w.reference("picture", n, n.Destination, n.Title)
	case *ast.AutoLink:
		label := escaped.Replace(string(n.Label(w.source)))
		w.b.WriteString(label)
		w.fields = append(w.fields, domains.Field{Name: "link", Value: "[" + label + "](" + string(n.URL(w.source)) + ")"})
	case *ast.RawHTML:
		w.b.Write(n.Segments.Value(w.source))
	default:
		w.children(n)
	}
}

// reference writes the words of a link or picture, and keeps where it leads.
func (w *words) reference(name string, n ast.Node, destination, title []byte) {
	before := w.b.Len()
	w.children(n)
	target := plain(destination)
	if len(title) > 0 {
		target += " " + strconv.Quote(plain(title))
	}
	w.fields = append(w.fields, domains.Field{Name: name, Value: "[" + squeezed(w.b.String()[before:]) + "](" + target + ")"})
}
