package crystal

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

var errBlocks = errors.New("want one data block")

// splitByTag divides a block: items and loops by how their first tags begin.
func splitByTag(p struct {
	Document, Rest string
	Files          []struct {
		Name string
		Tags []string // their beginnings, in lower case
	}
	Table string
}) exact.Steps {
	fileOf := func(tag string) string {
		begins := func(with string) bool { return strings.HasPrefix(strings.ToLower(tag), with) }
		for _, file := range p.Files {
			if slices.ContainsFunc(file.Tags, begins) {
				return file.Name
			}
		}
		return p.Rest
	}
	names := []string{p.Rest}
	for _, file := range p.Files {
		names = append(names, file.Name)
	}
	forward := func(d document) (vfs.Files, error) {
		heading, err := d.heading()
		if err == nil {
			err = d.wellFormed()
		}
		if err != nil {
			return nil, err
		}
		return d.divided(heading, names, fileOf, p.Table), nil
	}
	return structures.Whole(p.Document, forward, func(files vfs.Files) (joined document, err error) {
		rows, err := plain.Table(files, p.Table, "position", "file")
		slices.SortStableFunc(rows, plain.ByNumber)
		waiting := map[string][]part{}
		for _, name := range names {
			d, missing := structures.Named(files, name)
			if missing != nil {
				return joined, missing
			}
			at := slices.IndexFunc(d.parts, func(p part) bool { return p.kind == blockPart })
			if name == p.Rest {
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
		for _, name := range names {
			joined.parts = append(joined.parts, waiting[name]...)
		}
		return joined, err
	})
}

// divided puts items and loops into files of one block name, comments with what they stand
// above. The first of the files has the heading, and what stands above it and at the end.
func (d document) divided(heading *part, names []string, fileOf func(tag string) string, table string) vfs.Files {
	rows := [][]string{{"position", "file", "tag"}}
	parts := map[string]*document{}
	for _, name := range names {
		parts[name] = &document{[]part{{kind: blockPart, text: heading.text}}}
	}
	first := parts[names[0]]
	first.parts = []part{*heading}
	var waiting []part // for the item that they stand above
	for _, p := range d.parts {
		if p.kind == blockPart {
			first.parts = slices.Insert(first.parts, 0, waiting...)
			waiting = nil
			continue
		}
		waiting = append(waiting, p)
		if tag := p.tag(); tag != "" {
			name := fileOf(tag)
			parts[name].parts = append(parts[name].parts, waiting...)
			waiting = nil
			rows = append(rows, []string{strconv.Itoa(len(rows)), name, tag})
		}
	}
	first.parts = append(first.parts, waiting...)
	made := vfs.Files{table: plain.WriteCSV(rows)}
	for name, part := range parts {
		made[name] = part.print()
	}
	return made
}

// heading is the heading of the only data block.
func (d document) heading() (*part, error) {
	var heading *part
	headings := 0
	for i := range d.parts {
		switch p := &d.parts[i]; p.kind {
		case framePart:
			return nil, errBlocks
		case blockPart:
			headings++
			heading = p
		}
	}
	if headings != 1 {
		return nil, errBlocks
	}
	return heading, nil
}

// tags are the tag of an item or those of a loop.
func (p *part) tags() []string {
	switch p.kind {
	case itemPart:
		return []string{p.text}
	case loopPart:
		return p.loop.tags
	}
	return nil
}

// tag is the tag of an item or the first one of a loop, empty for other parts.
func (p *part) tag() string {
	if tags := p.tags(); len(tags) > 0 {
		return tags[0]
	}
	return ""
}

const tableMark = "# TABLE "

// inTables makes a CSV file of each loop and leaves a comment in its place.
func inTables(p struct {
	Document, Rest string
	Begins         string // names of files: a number of two figures and .csv follow
}) exact.Steps {
	change := func(d *document) (vfs.Files, error) {
		made := vfs.Files{}
		var left []part
		for _, of := range d.parts {
			if of.kind != loopPart {
				if strings.HasPrefix(of.text, tableMark) {
					return nil, fmt.Errorf("there is a comment %s", of.text)
				}
				left = append(left, of)
				continue
			}
			name := fmt.Sprintf("%s%02d.csv", p.Begins, len(made)+1)
			made[name] = of.loop.csv()
			left = append(left, part{kind: commentPart, text: tableMark + name})
			left = append(left, of.loop.remarks()...)
		}
		d.parts = left
		return made, nil
	}
	restore := func(d *document, files vfs.Files) error {
		if len(exact.Numbered(files, p.Begins, ".csv")) == 0 {
			return fmt.Errorf("no %s*.csv", p.Begins)
		}
		for i := range d.parts {
			name, marked := strings.CutPrefix(d.parts[i].text, tableMark)
			if d.parts[i].kind != commentPart || !marked {
				continue
			}
			text, err := plain.File(files, strings.TrimSpace(name))
			if err != nil {
				return err
			}
			l, err := readTable(text)
			if err != nil {
				return fmt.Errorf("reading %s: %w", name, err)
			}
			d.parts[i] = part{kind: loopPart, loop: l}
		}
		return nil
	}
	return rewrite(p.Document, p.Rest, change, restore)
}

// csv is a loop as a table, with values as they are written.
func (l *loop) csv() string {
	return plain.WriteCSV(append([][]string{l.tags}, lists.Each(l.rows, (*row).written)...))
}

// written are the values as they are written.
func (w *row) written() []string {
	return lists.Map(w.values, func(v value) string { return v.raw })
}

// remarks are the comments in a loop, as parts of their own.
func (l *loop) remarks() []part {
	comments := slices.Clone(l.comments)
	for _, w := range l.rows {
		comments = append(comments, w.comments...)
	}
	return lists.Map(comments, func(text string) part { return part{kind: commentPart, text: text} })
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
		l.rows = append(l.rows, row{values: lists.Map(record, readValue)})
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
