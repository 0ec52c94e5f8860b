package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"

	"agentd/domains/edit"
)

// cutBlocks cuts before each block, such as a paragraph, a list or a table.
func cutBlocks(content string) edit.Pieces {
	return cutBefore(content, func(ast.Node) bool { return true })
}

// cutSections cuts before each heading.
func cutSections(content string) edit.Pieces {
	return cutBefore(content, func(n ast.Node) bool { return n.Kind() == ast.KindHeading })
}

// cutBefore cuts before the blocks that begin a part. Text with other line ends than line feeds has no
// parts, since places in it are not those of what is read.
func cutBefore(content string, begins func(ast.Node) bool) edit.Pieces {
	if strings.ContainsRune(content, '\r') {
		return edit.Pieces{Before: content}
	}
	d := parse(content)
	var starts []int
	for n := d.tree.FirstChild(); n != nil; n = n.NextSibling() {
		if at := n.Pos(); at >= 0 && begins(n) {
			at = d.offset + lineStart(d.source, at)
			if len(starts) == 0 || at > starts[len(starts)-1] {
				starts = append(starts, at)
			}
		}
	}
	return edit.Begun(content, starts, len(content))
}

// lineStart is where the line begins that a place is in.
func lineStart(source []byte, at int) int {
	return bytes.LastIndexByte(source[:at], '\n') + 1
}

// without leaves out paragraphs, counted over all files in the order of their names.
func without(_, text string, leave func() bool) string {
	content := normal(text)
	d := parse(content)
	var b strings.Builder
	end := 0
	for _, paragraph := range paragraphs(d.tree) {
		if !leave() {
			continue
		}
		lines := paragraph.Lines()
		from := d.offset + lineStart(d.source, lines.At(0).Start)
		to := d.offset + lines.At(lines.Len()-1).Stop
		b.WriteString(content[end:from])
		end = to
	}
	b.WriteString(content[end:])
	return b.String()
}

// paragraphs are the blocks that are elements of that kind, in order: all but the first of a list item.
func paragraphs(tree ast.Node) []ast.Node {
	var all []ast.Node
	for n := tree.FirstChild(); n != nil; n = n.NextSibling() {
		switch n.Kind() {
		case ast.KindParagraph, ast.KindTextBlock:
			if tree.Kind() != ast.KindListItem || n.PreviousSibling() != nil {
				all = append(all, n)
			}
		default:
			if n.Type() == ast.TypeBlock {
				all = append(all, paragraphs(n)...)
			}
		}
	}
	return all
}
