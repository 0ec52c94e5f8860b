package obj3d

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	headingFile = "heading.obj"
	manifest    = "manifest.csv"
	lowerFile   = "walls.obj"
	upperFile   = "roof.obj"
	levelsFile  = "levels.csv"
)

// eaves is the height from which on a group belongs to the roof.
var eaves = decimal.RequireFromString("2.00")

// splitMaterials writes the groups of each material to a file of its own.
func splitMaterials(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	table := [][]string{{"position", "group", "file"}}
	parts := map[string][]*block{}
	for n, b := range d.blocks {
		name, err := b.materialFile()
		if err != nil {
			return nil, err
		}
		parts[name] = append(parts[name], b)
		table = append(table, []string{strconv.Itoa(n + 1), b.name(), name})
	}
	return printParts(files, d, headingFile, parts, manifest, table)
}

// materialFile is the file for the groups with the material of a block.
func (b *block) materialFile() (string, error) {
	count := 0
	for _, e := range b.entries {
		if e.keyword == "usemtl" {
			count++
		}
	}
	name := b.material + meshSuffix
	switch {
	case count != 1:
		return "", fmt.Errorf("the group %.60q has %d usemtl lines", b.name(), count)
	case b.material == "" || strings.ContainsAny(b.material, `/\`) || name == headingFile:
		return "", fmt.Errorf("the material %.60q cannot be the name of a file", b.material)
	}
	return name, nil
}

// printParts prints blocks into several files, what stands above the first into
// one of them, and a table.
func printParts(
	files vfs.Files, d *document, heading string, parts map[string][]*block, tableName string, table [][]string,
) (vfs.Files, error) {
	if parts[heading] == nil {
		parts[heading] = []*block{}
	}
	result := vfs.Files{}
	for name, blocks := range parts {
		part := &document{blocks: blocks}
		if name == heading {
			part.heading = d.heading
		}
		printed, err := withMaterials(files, name, part.all())
		if err != nil {
			return nil, err
		}
		maps.Copy(result, printed)
	}
	result[tableName] = plain.WriteCSV(table)
	return result, nil
}

func mergeMaterials(files vfs.Files) (vfs.Files, error) {
	return mergeListed(files, headingFile, manifest)
}

// mergeListed puts blocks together in the order in which a table lists their files
// by position. Blocks of one file follow each other; what it does not list comes
// last.
func mergeListed(files vfs.Files, heading, table string) (vfs.Files, error) {
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
	merged := &document{heading: first.heading}
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
	return asDocument(files, merged.all())
}

// splitByHeight takes off the groups that lie above the eaves as a whole.
func splitByHeight(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	table := [][]string{{"position", "group", "file", "lowest", "highest"}}
	parts := map[string][]*block{}
	for n, b := range d.blocks {
		least, most, err := b.box()
		if err != nil {
			return nil, err
		}
		name := lowerFile
		if least[2].GreaterThanOrEqual(eaves) {
			name = upperFile
		}
		parts[name] = append(parts[name], b)
		table = append(table, []string{strconv.Itoa(n + 1), b.name(), name, least[2].String(), most[2].String()})
	}
	return printParts(files, d, lowerFile, parts, levelsFile, table)
}

func joinByHeight(files vfs.Files) (vfs.Files, error) {
	return mergeListed(files, lowerFile, levelsFile)
}
