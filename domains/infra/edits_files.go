package infra

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	baseFile     = "base.tf"
	manifestFile = "manifest.csv"
)

// layers are the files of resources by how their type begins.
var layers = []struct {
	file     string
	prefixes []string
}{
	{"network.tf", []string{"aws_vpc", "aws_vpn", "aws_subnet", "aws_route", "aws_internet_gateway", "aws_nat_gateway", "aws_eip"}},
	{"security.tf", []string{"aws_security_group", "aws_iam", "aws_kms"}},
	{"storage.tf", []string{"aws_s3", "aws_db", "aws_efs", "aws_backup"}},
	{"monitoring.tf", []string{"aws_cloudwatch", "aws_sns"}},
}

const otherResources = "compute.tf"

func layerOf(i *item) string {
	if i.name != "resource" || len(i.labels) == 0 {
		return baseFile
	}
	for _, layer := range layers {
		if slices.ContainsFunc(layer.prefixes, func(p string) bool { return strings.HasPrefix(i.labels[0], p) }) {
			return layer.file
		}
	}
	return otherResources
}

// splitLayers makes a file of each layer. What stands apart goes with the block
// below it.
func splitLayers(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	groups, closing := d.groups()
	split := map[string]*document{}
	add := func(name string, parts []part) {
		if split[name] == nil {
			split[name] = &document{}
		}
		split[name].parts = append(split[name].parts, parts...)
	}
	table := [][]string{{"position", "address", "file"}}
	for i, g := range groups {
		file := layerOf(&g.block().item)
		add(file, g)
		table = append(table, []string{strconv.Itoa(i + 1), g.block().item.address(), file})
	}
	if len(closing) > 0 {
		add(baseFile, closing)
	}
	out := vfs.Files{manifestFile: plain.WriteCSV(table)}
	for name, d := range split {
		out[name] = d.print()
	}
	return out, nil
}

// mergeLayers puts the blocks in the listed order. What stands below the last
// block of base.tf comes last.
func mergeLayers(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, manifestFile, "position", "address")
	if err != nil {
		return nil, err
	}
	if _, err := readDocument(files); err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	var all []group
	var last []part
	for _, name := range files.Match([]string{"*.tf"}).Names() {
		groups, closing := read(files[name]).groups()
		all = append(all, groups...)
		last = append(last, closing...)
	}
	return asDocument(joined(arranged(all, rows), last)), nil
}

const blocksFile = "blocks.json"

// entry is a block in JSON, comments that stand apart, or foreign text.
type entry struct {
	Comments []string `json:"comments,omitempty"`
	Kind     string   `json:"kind,omitempty"`
	Labels   []string `json:"labels,omitempty"`
	Body     []string `json:"body,omitempty"`
	After    string   `json:"after,omitempty"`
	Lines    []string `json:"lines,omitempty"`
}

// toJSON makes an object of each block.
func toJSON(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	entries := make([]entry, len(d.parts))
	for i := range d.parts {
		entries[i] = d.parts[i].entry()
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(entries); err != nil {
		return nil, fmt.Errorf("writing %s: %w", blocksFile, err)
	}
	return vfs.Files{blocksFile: b.String()}, nil
}

func (p *part) entry() entry {
	if p.kind == remarkPart {
		return entry{Comments: strings.Split(p.source, "\n")}
	}
	if p.kind != blockPart || p.item.fault != "" {
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

func fromJSON(files vfs.Files) (vfs.Files, error) {
	var entries []entry
	if err := plain.JSON(files, blocksFile, &entries); err != nil {
		return nil, err
	}
	var d document
	for _, e := range entries {
		lines := slices.Concat(e.Comments, e.Lines)
		if e.Kind != "" {
			lines = append(lines, e.block()...)
		}
		d.parts = append(d.parts, part{source: strings.Join(lines, "\n")})
	}
	if len(entries) == 0 {
		return nil, errNoBlock
	}
	return asDocument(d), nil
}

func (e *entry) block() []string {
	head := e.Kind
	for _, label := range e.Labels {
		head += ` "` + label + `"`
	}
	after := strings.TrimRight(" "+e.After, " ")
	if len(e.Body) == 0 {
		return []string{head + " {}" + after}
	}
	return slices.Concat([]string{head + " {"}, e.Body, []string{"}" + after})
}

const (
	templatesFile = "without_heredocs.tf"
	heredocsFile  = "heredocs.csv"
)

func heredocName(number int) string { return "heredoc_" + strconv.Itoa(number) + ".txt" }

// takeHeredocs makes a file of the text of each heredoc.
func takeHeredocs(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	out := vfs.Files{}
	table := [][]string{{"file", "opening", "indent"}}
	for i := range d.parts {
		var changes []change
		d.parts[i].item.eachValue(func(value *node) {
			value.eachHeredoc(func(n *node) {
				name := heredocName(len(table))
				opening, rest, _ := strings.Cut(n.text, "\n")
				text, closing := "", rest
				if at := strings.LastIndexByte(rest, '\n'); at >= 0 {
					text, closing = rest[:at+1], rest[at+1:]
				}
				out[name] = text
				indent := len(closing) - len(strings.TrimLeft(closing, " \t"))
				table = append(table, []string{name, opening, strconv.Itoa(indent)})
				changes = append(changes, change{span{n.start, n.end}, `"[` + name + `]"`})
			})
		})
		d.parts[i].rewrite(changes)
	}
	out[templatesFile], out[heredocsFile] = d.print(), plain.WriteCSV(table)
	return out, nil
}

// eachValue calls do with the value of every attribute.
func (i *item) eachValue(do func(*node)) {
	if i.value != nil {
		do(i.value)
	}
	for k := range i.items {
		i.items[k].eachValue(do)
	}
}

// eachHeredoc calls do with every heredoc that stands in no other.
func (n *node) eachHeredoc(do func(*node)) {
	n.each(func(n *node) {
		if n.kind == heredocNode {
			do(n)
		}
	})
}

func writeHeredocs(files vfs.Files) (vfs.Files, error) {
	text, err := plain.File(files, templatesFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, heredocsFile, "file", "opening", "indent")
	if err != nil {
		return nil, err
	}
	var pairs []string
	for _, row := range rows {
		content, known := files[row[0]]
		if !known {
			continue
		}
		if content != "" && !strings.HasSuffix(content, "\n") {
			content += "\n"
		}
		closing := strings.Repeat(" ", min(max(wholeNumber(row[2]), 0), 100)) + strings.TrimLeft(row[1], "<-")
		pairs = append(pairs, `"[`+row[0]+`]"`, row[1]+"\n"+content+closing)
	}
	return vfs.Files{mainFile: strings.NewReplacer(pairs...).Replace(text)}, nil
}
