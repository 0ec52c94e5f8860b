package dns

import (
	"cmp"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// splitByType makes a file of the records of each type. All other lines stay in the frame.
func splitByType(p struct{ Document, Frame, Table string }) exact.Steps {
	change := func(f *zoneFile) (vfs.Files, error) {
		table := [][]string{{"line", "owner", "ttl", "file"}}
		made := vfs.Files{}
		for _, record := range f.takeOut(func(*entry) bool { return true }) {
			name := strings.ToLower(record.entry.typeName) + ".zone"
			owner, ttl := record.entry.spelling()
			table = append(table, []string{strconv.Itoa(record.line), owner, ttl, name})
			made[name] += record.entry.standalone() + "\n"
		}
		made[p.Table] = plain.WriteCSV(table)
		return made, nil
	}
	return zones.Rewrite(p.Document, p.Frame, change, func(f *zoneFile, files vfs.Files) error {
		var records []placed
		for _, of := range readFiles(files.Match(zones.Patterns)) {
			for _, e := range of.entries {
				if of.name != p.Frame && (e.kind == recordEntry || e.kind == otherEntry) {
					records = append(records, placed{entry: e, about: of.name})
				}
			}
		}
		return f.putIn(records, files, p.Table, "file")
	})
}

// groupAliases moves the CNAMEs to a file, grouped by target.
func groupAliases(p struct{ Document, Aliases, Others, Table string }) exact.Steps {
	change := func(f *zoneFile) (vfs.Files, error) {
		table := [][]string{{"line", "alias", "owner", "ttl", "target"}}
		groups := map[string][]placed{}
		for _, alias := range f.takeOut(func(e *entry) bool { return e.typeName == "CNAME" }) {
			e := &alias.entry
			written := e.word(e.typ + 1)
			alias.about = e.name
			table = append(table, append(alias.row(), written))
			target := absolute(written, e.origin)
			groups[target] = append(groups[target], alias)
		}
		var lines []string
		for n, target := range slices.Sorted(maps.Keys(groups)) {
			group := groups[target]
			slices.SortStableFunc(group, func(a, b placed) int { return cmp.Compare(a.entry.name, b.entry.name) })
			if n > 0 {
				lines = append(lines, "")
			}
			lines = append(lines, fmt.Sprintf("; %s (%d)", target, len(group)))
			for _, alias := range group {
				lines = append(lines, alias.entry.standalone())
			}
		}
		return vfs.Files{p.Aliases: plain.Text(lines), p.Table: plain.WriteCSV(table)}, nil
	}
	return zones.Rewrite(p.Document, p.Others, change, func(f *zoneFile, files vfs.Files) error {
		aliases, err := zones.Named(files, p.Aliases)
		if err != nil {
			return err
		}
		targets, err := exact.ReadRegister(files, p.Table, "alias", "target")
		if err != nil {
			return err
		}
		var records []placed
		for _, e := range aliases.records() {
			records = append(records, placed{entry: *e, about: e.name})
		}
		err = f.putIn(records, files, p.Table, "alias")
		for _, e := range f.records() {
			if e.typeName == "CNAME" {
				e.shorten(e.typ+1, targets[e.name])
			}
		}
		return err
	})
}

const reverseRoot = "in-addr.arpa."

// pointers makes the reverse zone of a network from its A records, which it replaces.
func pointers(p struct {
	Document                string
	Network                 string // such as 10.0.0.0/8, of one to three whole octets
	Pointers, Others, Table string
}) exact.Steps {
	network, err := netip.ParsePrefix(p.Network)
	if err != nil || !network.Addr().Is4() || network.Bits()%8 != 0 || network.Bits() < 8 || network.Bits() > 24 {
		return exact.Refuse("network must be one of IPv4 with a length of 8, 16 or 24")
	}
	first := reversed(network.Addr(), 0, network.Bits()/8)
	change := func(f *zoneFile) (vfs.Files, error) {
		taken := f.takeOut(func(e *entry) bool {
			address, ok := e.ipv4()
			return ok && network.Contains(address)
		})
		table := [][]string{{"line", "address", "owner", "ttl"}}
		for _, record := range taken {
			record.about = record.entry.word(record.entry.typ + 1)
			table = append(table, record.row())
		}
		slices.SortStableFunc(taken, func(a, b placed) int {
			x, _ := a.entry.ipv4()
			y, _ := b.entry.ipv4()
			return cmp.Or(x.Compare(y), cmp.Compare(a.entry.name, b.entry.name))
		})
		lines := []string{"$ORIGIN " + first + "." + reverseRoot}
		for _, record := range taken {
			address, _ := record.entry.ipv4()
			lines = append(lines, record.entry.pointer(reversed(address, network.Bits()/8, 4)))
		}
		return vfs.Files{p.Pointers: plain.Text(lines), p.Table: plain.WriteCSV(table)}, nil
	}
	return zones.Rewrite(p.Document, p.Others, change, func(f *zoneFile, files vfs.Files) error {
		from, err := zones.Named(files, p.Pointers)
		if err != nil {
			return err
		}
		var records []placed
		for _, e := range from.records() {
			record := placed{entry: *e}
			address := pointedFrom(e.name)
			if a, ok := e.address(address); ok {
				record.entry, record.about = a, address
			}
			records = append(records, record)
		}
		return f.putIn(records, files, p.Table, "address")
	})
}

// ipv4 is the address of an A record.
func (e *entry) ipv4() (netip.Addr, bool) {
	if e.typeName != "A" {
		return netip.Addr{}, false
	}
	address, err := netip.ParseAddr(e.word(e.typ + 1))
	return address, err == nil && len(e.data()) == 1 && address.Is4()
}

// reversed are some octets of an address, the last one first.
func reversed(address netip.Addr, from, to int) string {
	octets := strings.Split(address.String(), ".")[from:to]
	slices.Reverse(octets)
	return strings.Join(octets, ".")
}

// pointer is the PTR record of an A record.
func (e *entry) pointer(owner string) string {
	if e.seconds != noTTL {
		owner += " " + decimal(e.seconds)
	}
	return owner + " IN PTR " + e.name + e.remark()
}

// pointedFrom is the address that the owner of a PTR record stands for.
func pointedFrom(owner string) string {
	octets := strings.Split(strings.TrimSuffix(strings.ToLower(owner), "."+reverseRoot), ".")
	slices.Reverse(octets)
	return strings.Join(octets, ".")
}

// address is the A record of a PTR record.
func (e *entry) address(address string) (entry, bool) {
	if _, err := netip.ParseAddr(address); err != nil || e.typeName != "PTR" {
		return entry{}, false
	}
	name := absolute(e.word(e.typ+1), e.origin)
	text := name + "\t"
	if e.seconds != noTTL {
		text += decimal(e.seconds) + "\t"
	}
	a := readEntry(text + "IN\tA\t" + address + e.remark())
	a.name, a.seconds = name, e.seconds
	return a, a.kind == recordEntry
}
