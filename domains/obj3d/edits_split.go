package obj3d

import (
	"fmt"
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
		others := slices.DeleteFunc(slices.Clone(b.entries), func(e *entry) bool { return e.keyword == "usemtl" })
		count := len(b.entries) - len(others)
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
	mesh, heading, table string, place func(*block) (file string, cells []string, err error), columns ...string,
) exact.Steps {
	forward := func(d *document) (vfs.Files, error) {
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
			text, err := printEntries(part)
			if err != nil {
				return nil, err
			}
			made[name] = text
		}
		return made, nil
	}
	backward := func(files vfs.Files) (*document, error) { return mergeListed(files, heading, table) }
	return withMaterials(meshes.Whole(mesh, forward, backward))
}

// mergeListed puts blocks together in the order in which a table lists their files
// by position. Blocks of one file follow each other; what it does not list comes
// last.
func mergeListed(files vfs.Files, heading, table string) (*document, error) {
	rows, err := plain.Table(files, table, "position", "file")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	merged, err := readNamed(files, heading)
	if err != nil {
		return nil, err
	}
	left := map[string][]*block{heading: merged.blocks}
	for _, name := range files.Names() {
		if hasSuffix(name, meshSuffix) && name != heading {
			part, err := readNamed(files, name)
			if err != nil {
				return nil, err
			}
			left[name] = part.blocks
		}
	}
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
	_, err = printEntries(merged.all()) // what the faces of a part refer to may be lost
	return merged, err
}
