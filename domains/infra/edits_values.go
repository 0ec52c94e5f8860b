package infra

import (
	"cmp"
	"encoding/binary"
	"maps"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// defaultsAside moves the defaults of variables to a .tfvars file.
func defaultsAside(p struct{ Document, To, Values, Table string }) exact.Steps {
	change := func(c *divided) (vfs.Files, error) {
		var lines []string
		table := [][]string{{"variable", "line"}}
		for v := range c.parts() {
			if at := v.defaultItem(); at != nil {
				name := v.item.labels[0]
				line := 1 + strings.Count(v.source[v.item.start:at.start], "\n")
				lines = append(lines, name+" = "+strings.TrimSpace(v.source[at.valueStart:at.end]))
				table = append(table, []string{name, strconv.Itoa(line)})
				v.rewrite([]change{{v.wholeLines(at), ""}})
			}
		}
		name := func(line string) string { return line[:strings.IndexByte(line, ' ')] }
		slices.SortStableFunc(lines, func(a, b string) int { return cmp.Compare(name(a), name(b)) })
		return vfs.Files{p.Values: plain.Text(lines), p.Table: plain.WriteCSV(table)}, nil
	}
	return blocks.Rewrite(p.Document, p.To, change, func(c *divided, files vfs.Files) error {
		text, err := plain.File(files, p.Values)
		if err != nil {
			return err
		}
		rows, err := exact.ReadRegister(files, p.Table, "variable", "line")
		values := read(text).parts
		for v := range c.parts() {
			if !v.isVariable() {
				continue
			}
			name := v.item.labels[0]
			at := slices.IndexFunc(values, func(s part) bool { return s.item.kind == attributeItem && s.item.name == name })
			if at >= 0 {
				s := &values[at]
				v.insertDefault(strings.TrimSpace(s.source[s.item.valueStart:]), plain.LineNumber(rows[name]))
			}
		}
		return err
	})
}

func (p *part) isVariable() bool {
	return p.item.kind == blockItem && p.item.name == "variable" && len(p.item.labels) == 1
}

// defaultItem is the default of a variable block, nil if the part has none.
func (p *part) defaultItem() *item {
	if !p.isVariable() {
		return nil
	}
	return lists.First(p.item.items, func(i *item) bool { return i.kind == attributeItem && i.name == "default" })
}

// wholeLines is the span of an item with the blanks before it and, if it stands
// on lines of its own, the line end.
func (p *part) wholeLines(i *item) span {
	s := span{len(strings.TrimRight(p.source[:i.start], " \t")), i.end}
	if s.start > 0 && p.source[s.start-1] == '\n' && s.end < len(p.source) && p.source[s.end] == '\n' {
		s.end++
	}
	return s
}

// insertDefault writes a default on a line of the block, or after the last one.
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

// plan moves the addresses that begin with a number.
type plan struct {
	Document, To string
	First        int // how they begin
	Add          int // to the second number, less 256 above 255
	Table        string
}

// moveAddresses moves the addresses in quotes and heredocs, and lists their ranges.
func moveAddresses(p plan) exact.Steps {
	if min(p.First, p.Add) < 0 || max(p.First, p.Add) > 255 {
		return exact.Refuse("the numbers of an address are from 0 to 255")
	}
	change := func(c *divided) (vfs.Files, error) {
		return vfs.Files{p.Table: plain.WriteCSV(rangeTable(p.shift(c, p.Add)))}, nil
	}
	return blocks.Rewrite(p.Document, p.To, change, func(c *divided, files vfs.Files) error {
		_, err := plain.File(files, p.Table)
		p.shift(c, 256-p.Add)
		return err
	})
}

// shift returns where each address has moved.
func (p *plan) shift(c *divided, by int) map[string]string {
	begins := strconv.Itoa(p.First) + "."
	address := regexp.MustCompile(`\b` + regexp.QuoteMeta(begins) + `(\d{1,3})\.\d{1,3}\.\d{1,3}(/\d{1,2})?\b`)
	ranges := map[string]string{}
	for part := range c.parts() {
		var changes []change
		part.eachNode(func(n *node) {
			if n.kind != chunkNode {
				return
			}
			for _, m := range address.FindAllStringSubmatchIndex(n.text, -1) {
				was, number := n.text[m[0]:m[1]], n.text[m[2]:m[3]]
				second := plain.LineNumber(number)
				if second > 255 || strconv.Itoa(second) != number {
					continue
				}
				moved := strconv.Itoa((second + by) % 256)
				changes = append(changes, change{span{n.start + m[2], n.start + m[3]}, moved})
				ranges[was] = begins + moved + was[m[3]-m[0]:]
			}
		})
		part.rewrite(changes)
	}
	return ranges
}

// rangeTable lists ranges, the lowest first, with their sizes and ends after the move.
func rangeTable(moved map[string]string) [][]string {
	was := slices.SortedFunc(maps.Keys(moved), func(a, b string) int {
		p, _ := netip.ParsePrefix(a)
		q, _ := netip.ParsePrefix(b)
		return cmp.Or(p.Addr().Compare(q.Addr()), cmp.Compare(p.Bits(), q.Bits()))
	})
	table := [][]string{{"range", "moved_to", "addresses", "first", "last"}}
	for _, text := range was {
		to, err := netip.ParsePrefix(moved[text])
		if err != nil {
			continue // an address alone, or none
		}
		size := uint64(1) << (32 - to.Bits())
		first := to.Masked().Addr().As4()
		last := binary.BigEndian.AppendUint32(nil, binary.BigEndian.Uint32(first[:])+uint32(size-1))
		table = append(table, []string{
			text, moved[text], strconv.FormatUint(size, 10), netip.AddrFrom4(first).String(), netip.AddrFrom4([4]byte(last)).String(),
		})
	}
	return table
}
