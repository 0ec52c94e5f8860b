package infra

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// layers are files of resources by how their type begins.
type layers struct {
	Document string
	Layers   []struct {
		File  string
		Types []string // how they begin
	}
	Others string // of the other resources
	Rest   string // of the other blocks
	Table  string
}

// splitByType makes a file of each layer. What stands apart goes with the block below it.
func splitByType(p layers) exact.Steps {
	return blocks.Whole(p.Document, func(c divided) (vfs.Files, error) {
		table := [][]string{{"position", "address", "file"}}
		main := p.Rest
		if len(c.closing) == 0 {
			main = ""
		}
		made := blocks.Divide(c, main, func(g *group) string {
			file := p.fileOf(&g.block().item)
			table = append(table, []string{strconv.Itoa(len(table)), g.block().item.address(), file})
			return file
		})
		made[p.Table] = plain.WriteCSV(table)
		return made, nil
	}, func(files vfs.Files) (c divided, err error) {
		position, err := listed(files, p.Table)
		if err != nil {
			return c, err
		}
		c, err = blocks.Merge(files, "", nil)
		blocks.SortByNumber(&c, position)
		return c, err
	})
}

func (p *layers) fileOf(i *item) string {
	if i.name != "resource" || len(i.labels) == 0 {
		return p.Rest
	}
	for _, layer := range p.Layers {
		if slices.ContainsFunc(layer.Types, func(begins string) bool { return strings.HasPrefix(i.labels[0], begins) }) {
			return layer.File
		}
	}
	return p.Others
}

// entry is a block in JSON, comments that stand apart, or foreign text.
type entry struct {
	Comments []string `json:"comments,omitempty"`
	Kind     string   `json:"kind,omitempty"`
	Labels   []string `json:"labels,omitempty"`
	Body     []string `json:"body,omitempty"`
	After    string   `json:"after,omitempty"`
	Lines    []string `json:"lines,omitempty"`
}

// inJSON makes an object of each block.
func inJSON(p struct{ Document, To string }) exact.Steps {
	return exact.JSON(&blocks, p.Document, p.To, func(c divided) (entries []entry, err error) {
		for part := range c.parts() {
			entries = append(entries, part.entry())
		}
		return entries, nil
	}, func(entries []entry) (divided, error) {
		var d document
		for _, e := range entries {
			d.parts = append(d.parts, part{source: strings.Join(e.lines(), "\n")})
		}
		return blocks.Read(d.print()), nil
	})
}

func (p *part) entry() entry {
	if p.item.kind == remarkItem {
		return entry{Comments: strings.Split(p.source, "\n")}
	}
	if p.item.kind != blockItem || p.item.fault != "" {
		return entry{Lines: strings.Split(p.source, "\n")}
	}
	end := p.item.bodyEnd
	e := entry{Kind: p.item.name, Labels: p.item.labels, After: strings.TrimSpace(p.source[end+1:])}
	if above := strings.TrimRight(p.source[:p.item.start], " \t\n"); above != "" {
		e.Comments = strings.Split(above, "\n")
	}
	if body := p.source[p.item.bodyStart:end]; strings.TrimSpace(body) != "" {
		body = strings.TrimRight(body, " \t\n")
		if first, rest, several := strings.Cut(body, "\n"); several && strings.TrimSpace(first) == "" {
			e.Body = strings.Split(rest, "\n")
		} else {
			e.Body = strings.Split(strings.TrimLeft(body, " \t"), "\n")
		}
	}
	return e
}

// lines are those of a configuration.
func (e *entry) lines() []string {
	lines := slices.Concat(e.Comments, e.Lines)
	if e.Kind == "" {
		return lines
	}
	head := e.Kind
	for _, label := range e.Labels {
		head += ` "` + label + `"`
	}
	after := strings.TrimRight(" "+e.After, " ")
	if len(e.Body) == 0 {
		return append(lines, head+" {}"+after)
	}
	return slices.Concat(lines, []string{head + " {"}, e.Body, []string{"}" + after})
}

// heredocsAside makes a file of the text of each heredoc.
func heredocsAside(p struct{ Document, To, Begins, Table string }) exact.Steps {
	return blocks.Whole(p.Document, func(c divided) (vfs.Files, error) {
		made := vfs.Files{}
		table := [][]string{{"file", "opening", "indent"}}
		for part := range c.parts() {
			var changes []change
			end := 0 // of the last heredoc; one may stand in another
			part.eachNode(func(n *node) {
				if n.kind != heredocNode || n.start < end {
					return
				}
				end = n.end
				name := p.Begins + strconv.Itoa(len(table)) + ".txt"
				opening, rest, _ := strings.Cut(n.text, "\n")
				at := strings.LastIndexByte(rest, '\n') + 1
				closing := rest[at:]
				made[name] = rest[:at]
				indent := len(closing) - len(strings.TrimLeft(closing, " \t"))
				table = append(table, []string{name, opening, strconv.Itoa(indent)})
				changes = append(changes, change{span{n.start, n.end}, `"[` + name + `]"`})
			})
			part.rewrite(changes)
		}
		made[p.To], made[p.Table] = blocks.Print(c), plain.WriteCSV(table)
		return made, nil
	}, func(files vfs.Files) (c divided, err error) {
		text, err := plain.File(files, p.To)
		if err != nil {
			return c, err
		}
		rows, err := plain.Table(files, p.Table, "file", "opening", "indent")
		return blocks.Read(withHeredocs(text, rows, files)), err
	})
}

// withHeredocs puts the texts of files in the places of their names.
func withHeredocs(text string, rows [][]string, files vfs.Files) string {
	var pairs []string
	for _, row := range rows {
		content, known := files[row[0]]
		if !known {
			continue
		}
		if content != "" && !strings.HasSuffix(content, "\n") {
			content += "\n"
		}
		closing := strings.Repeat(" ", min(plain.LineNumber(row[2]), 100)) + strings.TrimLeft(row[1], "<-")
		pairs = append(pairs, `"[`+row[0]+`]"`, row[1]+"\n"+content+closing)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}
