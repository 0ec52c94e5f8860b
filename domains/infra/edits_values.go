package infra

import (
	"cmp"
	"fmt"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	declarationsFile = "declarations.tf"
	valuesFile       = "terraform.tfvars"
	defaultsFile     = "defaults.csv"
)

// takeDefaults moves the defaults of variables to a .tfvars file.
func takeDefaults(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	type setting struct{ name, text string }
	var settings []setting
	table := [][]string{{"variable", "line"}}
	for k := range d.parts {
		p := &d.parts[k]
		at := p.defaultItem()
		if at == nil {
			continue
		}
		name := p.item.labels[0]
		line := 1 + strings.Count(p.source[p.item.start:at.start], "\n")
		settings = append(settings, setting{name, name + " = " + strings.TrimSpace(p.source[at.valueStart:at.end])})
		table = append(table, []string{name, strconv.Itoa(line)})
		p.rewrite([]change{{p.wholeLines(at), ""}})
	}
	slices.SortStableFunc(settings, func(a, b setting) int { return cmp.Compare(a.name, b.name) })
	var lines []string
	for _, s := range settings {
		lines = append(lines, s.text)
	}
	return vfs.Files{
		declarationsFile: d.print(), valuesFile: plain.Text(lines), defaultsFile: plain.WriteCSV(table),
	}, nil
}

// defaultItem is the default of a variable block, nil if the part has none.
func (p *part) defaultItem() *item {
	if p.kind != blockPart || p.item.name != "variable" || len(p.item.labels) != 1 {
		return nil
	}
	for i := range p.item.items {
		if at := &p.item.items[i]; at.kind == attributeItem && at.name == "default" {
			return at
		}
	}
	return nil
}

// wholeLines is the span of an item with the blanks before it and, if it stands
// on lines of its own, the line end.
func (p *part) wholeLines(i *item) span {
	s := span{i.start, i.end}
	for s.start > 0 && (p.source[s.start-1] == ' ' || p.source[s.start-1] == '\t') {
		s.start--
	}
	if s.start > 0 && p.source[s.start-1] == '\n' && s.end < len(p.source) && p.source[s.end] == '\n' {
		s.end++
	}
	return s
}

// writeDefaults writes values as defaults on the lines where they belong, or
// after the last line of the block.
func writeDefaults(files vfs.Files) (vfs.Files, error) {
	d, err := readNamed(files, declarationsFile)
	if err != nil {
		return nil, err
	}
	values, err := readNamed(files, valuesFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, defaultsFile, "variable", "line")
	if err != nil {
		return nil, err
	}
	lineOf := map[string]int{}
	for _, row := range rows {
		lineOf[strings.TrimSpace(row[0])] = wholeNumber(row[1])
	}
	for k := range d.parts {
		p := &d.parts[k]
		if p.kind != blockPart || p.item.name != "variable" || len(p.item.labels) != 1 {
			continue
		}
		name := p.item.labels[0]
		for v := range values.parts {
			if s := &values.parts[v]; s.kind == settingPart && s.item.name == name {
				p.insertDefault(strings.TrimSpace(s.source[s.item.valueStart:]), lineOf[name])
				break
			}
		}
	}
	return asDocument(d), nil
}

func (p *part) insertDefault(value string, line int) {
	if !strings.Contains(p.source[p.item.start:], "\n") { // the block has one line
		p.rewrite([]change{{span{p.item.bodyStart, p.item.bodyStart}, "\n  default = " + value + "\n"}})
		return
	}
	lines := strings.Split(p.source[p.item.start:], "\n")
	if line < 2 || line > len(lines) {
		line = len(lines)
	}
	lines = slices.Insert(lines, line-1, "  default = "+value)
	p.source = p.source[:p.item.start] + strings.Join(lines, "\n")
}

func wholeNumber(text string) int {
	n, _ := strconv.Atoi(strings.TrimSpace(text)) // 0 where it is none
	return n
}

const (
	movedFile  = "moved.tf"
	rangesFile = "ranges.csv"
	shift      = 100
)

var addressPattern = regexp.MustCompile(`\b10\.(\d{1,3})\.\d{1,3}\.\d{1,3}(/\d{1,2})?\b`)

// moveAddresses adds to the second number of every address that begins with 10.
func moveAddresses(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	ranges := map[string]string{} // where each has moved
	d.shiftAddresses(shift, func(was, is string) { ranges[was] = is })
	return vfs.Files{movedFile: d.print(), rangesFile: plain.WriteCSV(rangeTable(ranges))}, nil
}

func returnAddresses(files vfs.Files) (vfs.Files, error) {
	d, err := readNamed(files, movedFile)
	if err != nil {
		return nil, err
	}
	if _, err := plain.File(files, rangesFile); err != nil {
		return nil, err
	}
	d.shiftAddresses(-shift, func(string, string) {})
	return asDocument(d), nil
}

// shiftAddresses changes the texts in quotes and heredocs, and tells done of
// each address.
func (d document) shiftAddresses(by int, done func(was, is string)) {
	for i := range d.parts {
		p := &d.parts[i]
		var changes []change
		p.eachNode(func(n *node) {
			if n.kind != chunkNode {
				return
			}
			for _, m := range addressPattern.FindAllStringSubmatchIndex(n.text, -1) {
				was := n.text[m[0]:m[1]]
				number := n.text[m[2]:m[3]]
				second := wholeNumber(number)
				if second > 255 || strconv.Itoa(second) != number {
					continue
				}
				moved := strconv.Itoa((second + by + 256) % 256)
				changes = append(changes, change{span{n.start + m[2], n.start + m[3]}, moved})
				done(was, "10."+moved+was[m[3]-m[0]:])
			}
		})
		p.rewrite(changes)
	}
}

// rangeTable lists ranges, the lowest first, with their sizes and ends after
// the move.
func rangeTable(moved map[string]string) [][]string {
	type row struct {
		first  uint32
		length int
		cells  []string
	}
	var rows []row
	for was, is := range moved {
		address, length, ok := parseRange(was)
		if !ok {
			continue
		}
		first, _, _ := parseRange(is)
		size := uint64(1) << (32 - length)
		first &^= uint32(size - 1)
		rows = append(rows, row{address, length, []string{
			was, is, strconv.FormatUint(size, 10), dotted(first), dotted(first + uint32(size-1)),
		}})
	}
	slices.SortFunc(rows, func(a, b row) int { return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.length, b.length)) })
	table := [][]string{{"range", "moved_to", "addresses", "first", "last"}}
	for _, r := range rows {
		table = append(table, r.cells)
	}
	return table
}

// parseRange reads an address and the length of its prefix.
func parseRange(text string) (address uint32, length int, ok bool) {
	numbers, prefix, ok := strings.Cut(text, "/")
	for number := range strings.SplitSeq(numbers, ".") {
		n := wholeNumber(number)
		ok = ok && n < 256
		address = address<<8 | uint32(n)
	}
	length = wholeNumber(prefix)
	return address, length, ok && length <= 32 && bits.Len32(address) == 28
}

func dotted(address uint32) string {
	return fmt.Sprintf("%d.%d.%d.%d", address>>24, address>>16&255, address>>8&255, address&255)
}
