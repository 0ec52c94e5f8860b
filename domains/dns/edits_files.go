package dns

import (
	"cmp"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	frameFile    = "frame.zone"
	manifestFile = "manifest.csv"
)

// splitByType makes a file of the records of each type. All other lines stay in
// the frame.
func splitByType(files vfs.Files) (vfs.Files, error) {
	f, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	taken, rest := f.takeOut(func(*entry) bool { return true })
	manifest := [][]string{{"line", "owner", "ttl", "file"}}
	of := map[string][]string{}
	for _, p := range taken {
		name := strings.ToLower(p.entry.typeName) + ".zone"
		owner, ttl := p.entry.spelling()
		manifest = append(manifest, []string{strconv.Itoa(p.line), owner, ttl, name})
		of[name] = append(of[name], p.entry.standalone())
	}
	out := vfs.Files{
		frameFile:    (&zoneFile{entries: rest}).print(),
		manifestFile: plain.WriteCSV(manifest),
	}
	for name, lines := range of {
		out[name] = plain.Text(lines)
	}
	return out, nil
}

func mergeTypes(files vfs.Files) (vfs.Files, error) {
	manifest, err := plain.Table(files, manifestFile, "line", "owner", "ttl", "file")
	if err != nil {
		return nil, err
	}
	frame, err := readNamed(files, frameFile)
	if err != nil {
		return nil, err
	}
	records := map[string][]entry{}
	var names []string
	for _, f := range readFiles(files.Match([]string{"*.zone"})) {
		if f.name != frameFile {
			names = append(names, f.name)
			records[f.name] = slices.DeleteFunc(f.entries, func(e entry) bool {
				return e.kind != recordEntry && e.kind != otherEntry
			})
		}
	}
	slices.SortStableFunc(manifest, plain.ByNumber)
	var taken []placed
	for _, row := range manifest {
		if of := records[row[3]]; len(of) > 0 {
			e := of[0]
			records[row[3]] = of[1:]
			if e.kind == recordEntry {
				e.spell(row[1], row[2])
			}
			taken = append(taken, placed{plain.LineNumber(row[0]), e})
		}
	}
	for _, name := range names {
		for _, e := range records[name] {
			taken = append(taken, placed{entry: e})
		}
	}
	return asDocument(putIn(taken, frame.entries)), nil
}

const (
	hostsFile    = "hosts.zone"
	aliasesFile  = "aliases.zone"
	aliasMapFile = "cname_map.csv"
)

// groupAliases moves the CNAMEs to a file, grouped by target.
func groupAliases(files vfs.Files) (vfs.Files, error) {
	f, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	taken, rest := f.takeOut(func(e *entry) bool { return e.typeName == "CNAME" })
	settle(rest, topOrigin(f))
	table := [][]string{{"line", "alias", "owner", "ttl", "target"}}
	groups := map[string][]placed{}
	for _, p := range taken {
		e := &p.entry
		owner, ttl := e.spelling()
		written := e.word(e.typ + 1)
		table = append(table, []string{strconv.Itoa(p.line), e.name, owner, ttl, written})
		target := absolute(written, e.origin)
		groups[target] = append(groups[target], p)
	}
	var lines []string
	for n, target := range slices.Sorted(maps.Keys(groups)) {
		group := groups[target]
		slices.SortStableFunc(group, func(a, b placed) int { return cmp.Compare(a.entry.name, b.entry.name) })
		if n > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, fmt.Sprintf("; %s (%d)", target, len(group)))
		for _, p := range group {
			lines = append(lines, p.entry.standalone())
		}
	}
	return vfs.Files{
		hostsFile:    (&zoneFile{entries: rest}).print(),
		aliasesFile:  plain.Text(lines),
		aliasMapFile: plain.WriteCSV(table),
	}, nil
}

func placeAliases(files vfs.Files) (vfs.Files, error) {
	hosts, err := readNamed(files, hostsFile)
	if err != nil {
		return nil, err
	}
	aliases, err := readNamed(files, aliasesFile)
	if err != nil {
		return nil, err
	}
	table, err := plain.Table(files, aliasMapFile, "line", "alias", "owner", "ttl", "target")
	if err != nil {
		return nil, err
	}
	byAlias := plain.NotesBy(table, func(row []string) string { return strings.ToLower(row[1]) })
	var taken []placed
	targets := map[string]string{}
	aliases.eachRecord(func(_ int, e *entry) {
		p := placed{entry: *e}
		if row := byAlias.Take(strings.ToLower(e.name)); row != nil {
			p.line = plain.LineNumber(row[0])
			p.entry.spell(row[2], row[3])
			targets[e.name] = row[4]
		}
		taken = append(taken, p)
	})
	whole := zoneFile{entries: putIn(taken, hosts.entries)}
	whole.eachRecord(func(_ int, e *entry) {
		if e.typeName == "CNAME" {
			e.shorten(e.typ+1, targets[e.name])
		}
	})
	return asDocument(whole.entries), nil
}

const (
	forwardFile = "forward.zone"
	reverseFile = "61.10.in-addr.arpa.zone"
	pointerFile = "ptr_notes.csv"
	reverseZone = "61.10.in-addr.arpa."
)

// internalBlock is the network of the reverse zone.
var internalBlock = netip.MustParsePrefix("10.61.0.0/16")

// internalAddress is the address of an A record in that network.
func (e *entry) internalAddress() (netip.Addr, bool) {
	if e.typeName != "A" {
		return netip.Addr{}, false
	}
	address, err := netip.ParseAddr(e.word(e.typ + 1))
	return address, err == nil && len(e.data()) == 1 && internalBlock.Contains(address)
}

// toPointers makes the reverse zone of the internal network from its A records,
// which it replaces.
func toPointers(files vfs.Files) (vfs.Files, error) {
	f, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	taken, rest := f.takeOut(func(e *entry) bool { _, ok := e.internalAddress(); return ok })
	settle(rest, topOrigin(f))
	table := [][]string{{"line", "address", "owner", "ttl"}}
	for _, p := range taken {
		owner, ttl := p.entry.spelling()
		table = append(table, []string{strconv.Itoa(p.line), p.entry.word(p.entry.typ + 1), owner, ttl})
	}
	slices.SortStableFunc(taken, func(a, b placed) int {
		x, _ := a.entry.internalAddress()
		y, _ := b.entry.internalAddress()
		return cmp.Or(x.Compare(y), cmp.Compare(a.entry.name, b.entry.name))
	})
	lines := []string{"$ORIGIN " + reverseZone}
	for _, p := range taken {
		lines = append(lines, p.entry.pointer())
	}
	return vfs.Files{
		forwardFile: (&zoneFile{entries: rest}).print(),
		reverseFile: plain.Text(lines),
		pointerFile: plain.WriteCSV(table),
	}, nil
}

// pointer is the PTR record of an internal A record.
func (e *entry) pointer() string {
	address, _ := e.internalAddress()
	octets := address.As4()
	text := fmt.Sprintf("%d.%d", octets[3], octets[2])
	if e.seconds != noTTL {
		text += " " + decimal(e.seconds)
	}
	return text + " IN PTR " + e.name + e.remark()
}

func fromPointers(files vfs.Files) (vfs.Files, error) {
	forward, err := readNamed(files, forwardFile)
	if err != nil {
		return nil, err
	}
	pointers, err := readNamed(files, reverseFile)
	if err != nil {
		return nil, err
	}
	table, err := plain.Table(files, pointerFile, "line", "address", "owner", "ttl")
	if err != nil {
		return nil, err
	}
	byAddress := plain.NotesBy(table, func(row []string) string { return row[1] })
	var taken []placed
	pointers.eachRecord(func(_ int, e *entry) {
		address := pointedFrom(e.name)
		a, ok := e.address(address)
		if !ok {
			taken = append(taken, placed{entry: *e})
			return
		}
		p := placed{entry: a}
		if row := byAddress.Take(address); row != nil {
			p.line = plain.LineNumber(row[0])
			p.entry.spell(row[2], row[3])
		}
		taken = append(taken, p)
	})
	return asDocument(putIn(taken, forward.entries)), nil
}

// pointedFrom is the address that the owner of a PTR record stands for.
func pointedFrom(owner string) string {
	octets := strings.Split(strings.TrimSuffix(strings.ToLower(owner), ".in-addr.arpa."), ".")
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
