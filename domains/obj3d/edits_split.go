package obj3d

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// splitByMaterial writes the groups of each material to a file of its own.
func splitByMaterial(p struct{ Document, Heading, Table string }) exact.Steps {
	return split(p.Document, p.Heading, p.Table, func(b *block) (string, []string, error) {
		count := 0
		for _, e := range b.entries {
			if e.keyword == "usemtl" {
				count++
			}
		}
		name := b.material + meshSuffix
		switch {
		case count != 1:
			return "", nil, fmt.Errorf("the group %.60q has %d usemtl lines", b.name(), count)
		case b.material == "" || strings.ContainsAny(b.material, `/\`) || name == p.Heading:
			return "", nil, fmt.Errorf("the material %.60q cannot be the name of a file", b.material)
		}
		return name, nil, nil
	})
}

// splitByHeight takes off the groups that lie above a height as a whole.
func splitByHeight(p struct {
	Document, Lower, Upper string
	From                   decimal.Decimal
	Table                  string
}) exact.Steps {
	return split(p.Document, p.Lower, p.Table, func(b *block) (string, []string, error) {
		least, most, err := b.box()
		name := p.Lower
		if least[2].GreaterThanOrEqual(p.From) {
			name = p.Upper
		}
		return name, []string{least[2].String(), most[2].String()}, err
	}, "lowest", "highest")
}

// split writes the groups to the files that place names, and what stands above the first into
// the file heading. place also returns cells for further columns of the table.
func split(
	document, heading, table string, place func(*block) (file string, cells []string, err error), columns ...string,
) exact.Steps {
	forward := func(files vfs.Files) (vfs.Files, error) {
		d, err := readDocument(files)
		if err != nil {
			return nil, err
		}
		rows := [][]string{append([]string{"position", "group", "file"}, columns...)}
		parts := map[string][]*entry{heading: d.heading}
		for n, b := range d.blocks {
			name, cells, err := place(b)
			if err != nil {
				return nil, err
			}
			parts[name] = append(parts[name], b.entries...)
			rows = append(rows, append([]string{strconv.Itoa(n + 1), b.name(), name}, cells...))
		}
		made := vfs.Files{table: plain.WriteCSV(rows)}
		for name, part := range parts {
			printed, err := withMaterials(files, name, part)
			if err != nil {
				return nil, err
			}
			maps.Copy(made, printed)
		}
		return made, nil
	}
	return exact.Steps{Forward: forward, Backward: func(files vfs.Files) (vfs.Files, error) {
		return mergeListed(files, document, heading, table)
	}}
}

// mergeListed puts blocks together in the order in which a table lists their files
// by position. Blocks of one file follow each other; what it does not list comes
// last.
func mergeListed(files vfs.Files, document, heading, table string) (vfs.Files, error) {
	rows, err := plain.Table(files, table, "position", "file")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	first, err := readNamed(files, heading)
	if err != nil {
		return nil, err
	}
	left := map[string][]*block{heading: first.blocks}
	for name := range files {
		if hasSuffix(name, meshSuffix) && name != heading {
			part, err := readNamed(files, name)
			if err != nil {
				return nil, err
			}
			left[name] = part.blocks
		}
	}
	merged := first
	merged.blocks = nil
	for _, row := range rows {
		if name := strings.TrimSpace(row[1]); len(left[name]) > 0 {
			merged.blocks = append(merged.blocks, left[name][0])
			left[name] = left[name][1:]
		}
	}
	for _, name := range files.Names() {
		merged.blocks = append(merged.blocks, left[name]...)
	}
	if len(merged.blocks) == 0 {
		return nil, errNoGroup
	}
	return withMaterials(files, document, merged.all())
}
