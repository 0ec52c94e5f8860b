package crystal

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	modelFile       = "model.cif"
	geometryFile    = "geometry.cif"
	publicationFile = "publication.cif"
	orderFile       = "order.csv"
)

var errBlocks = errors.New("want one data block")

// splitFiles divides a block into the model, its geometry and its publication.
func splitFiles(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	heading, err := d.heading()
	if err != nil {
		return nil, err
	}
	order := [][]string{{"position", "file", "tag"}}
	parts := map[string]*document{}
	for _, name := range []string{modelFile, geometryFile, publicationFile} {
		parts[name] = &document{[]part{{kind: blockPart, text: heading.text}}}
	}
	*parts[modelFile] = document{[]part{*heading}}
	var waiting []part // for the item that they stand above
	for _, p := range d.parts {
		if p.kind == blockPart {
			parts[modelFile].parts = slices.Insert(parts[modelFile].parts, 0, waiting...)
			waiting = nil
			continue
		}
		waiting = append(waiting, p)
		if tag := p.tag(); tag != "" {
			name := fileOf(tag)
			parts[name].parts = append(parts[name].parts, waiting...)
			waiting = nil
			order = append(order, []string{strconv.Itoa(len(order)), name, tag})
		}
	}
	parts[modelFile].parts = append(parts[modelFile].parts, waiting...)
	out := vfs.Files{orderFile: plain.WriteCSV(order)}
	for name, part := range parts {
		out[name] = part.print()
	}
	return out, nil
}

// heading is the heading of the only data block.
func (d document) heading() (*part, error) {
	var heading *part
	for i := range d.parts {
		switch p := &d.parts[i]; {
		case p.kind == framePart, p.kind == blockPart && heading != nil:
			return nil, errBlocks
		case p.kind == blockPart:
			heading = p
		}
	}
	if heading == nil {
		return nil, errBlocks
	}
	return heading, nil
}

// tag is the tag of an item or the first one of a loop, empty for other parts.
func (p *part) tag() string {
	switch p.kind {
	case itemPart:
		return p.text
	case loopPart:
		return p.loop.tags[0]
	}
	return ""
}

func fileOf(tag string) string {
	tag = strings.ToLower(tag)
	switch {
	case strings.HasPrefix(tag, "_geom_"):
		return geometryFile
	case strings.HasPrefix(tag, "_publ_"), strings.HasPrefix(tag, "_journal_"):
		return publicationFile
	}
	return modelFile
}

func joinFiles(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, orderFile, "position", "file")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	waiting := map[string][]part{}
	var joined document
	for _, name := range []string{modelFile, geometryFile, publicationFile} {
		d, err := readNamed(files, name)
		if err != nil {
			return nil, err
		}
		at := slices.IndexFunc(d.parts, func(p part) bool { return p.kind == blockPart })
		if name == modelFile {
			joined.parts = append(joined.parts, d.parts[:at+1]...)
		}
		waiting[name] = d.parts[at+1:]
	}
	for _, r := range rows {
		parts := waiting[r[1]]
		end := 1 + slices.IndexFunc(parts, func(p part) bool { return p.tag() != "" })
		joined.parts = append(joined.parts, parts[:end]...)
		waiting[r[1]] = parts[end:]
	}
	for _, name := range []string{modelFile, geometryFile, publicationFile} {
		joined.parts = append(joined.parts, waiting[name]...)
	}
	return vfs.Files{structureFile: joined.print()}, nil
}

const (
	itemsFile  = "items.cif"
	tableMark  = "# TABLE "
	tableFiles = "table_*.csv"
)

// toTables makes a CSV file of each loop and leaves a comment in its place.
func toTables(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	out := vfs.Files{}
	var left document
	for _, p := range d.parts {
		if p.kind != loopPart {
			if strings.HasPrefix(p.text, tableMark) {
				return nil, fmt.Errorf("there is a comment %s", p.text)
			}
			left.parts = append(left.parts, p)
			continue
		}
		name := fmt.Sprintf("table_%02d.csv", len(out)+1)
		records := [][]string{p.loop.tags}
		for _, w := range p.loop.rows {
			record := make([]string, len(w.values))
			for i, v := range w.values {
				record[i] = v.raw
			}
			records = append(records, record)
		}
		out[name] = plain.WriteCSV(records)
		left.parts = append(left.parts, part{kind: commentPart, text: tableMark + name})
		left.parts = append(left.parts, p.loop.remarks()...)
	}
	out[itemsFile] = left.print()
	return out, nil
}

// remarks are the comments in a loop, as parts of their own.
func (l *loop) remarks() []part {
	comments := slices.Clone(l.comments)
	for _, w := range l.rows {
		comments = append(comments, w.comments...)
	}
	parts := make([]part, len(comments))
	for i, text := range comments {
		parts[i] = part{kind: commentPart, text: text}
	}
	return parts
}

func fromTables(files vfs.Files) (vfs.Files, error) {
	d, err := readNamed(files, itemsFile)
	if err != nil {
		return nil, err
	}
	if len(files.Match([]string{tableFiles})) == 0 {
		return nil, fmt.Errorf("no %s", tableFiles)
	}
	for i := range d.parts {
		name, marked := strings.CutPrefix(d.parts[i].text, tableMark)
		if d.parts[i].kind != commentPart || !marked {
			continue
		}
		text, err := plain.File(files, strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		l, err := readTable(text)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", name, err)
		}
		d.parts[i] = part{kind: loopPart, loop: l}
	}
	return vfs.Files{structureFile: d.print()}, nil
}

func readTable(text string) (*loop, error) {
	records, err := plain.ReadCSV(text)
	if err != nil {
		return nil, err
	}
	if len(records) == 0 {
		return nil, errors.New("no header")
	}
	l := &loop{tags: records[0]}
	for _, record := range records[1:] {
		w := row{values: make([]value, len(record))}
		for i, raw := range record {
			w.values[i] = readValue(raw)
		}
		l.rows = append(l.rows, w)
	}
	return l, nil
}

// readValue is a value as it is written in a file.
func readValue(raw string) value {
	switch {
	case strings.HasPrefix(raw, ";") && strings.Contains(raw, "\n"):
		return value{raw: raw, form: fieldForm}
	case raw != "" && strings.IndexByte(`'"`, raw[0]) >= 0:
		return value{raw: raw, form: quotedForm}
	}
	return value{raw: raw}
}

func jsonText(v any) (string, error) {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(v)
	return b.String(), err
}
