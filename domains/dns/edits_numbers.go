package dns

import (
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// writeTTLs gives every record its TTL in seconds and takes the $TTL lines out.
func writeTTLs(p struct{ Document, To, Table string }) exact.Steps {
	change := func(f *zoneFile) (vfs.Files, error) {
		table := [][]string{{"record", "kind", "spelling"}}
		number := 1
		f.entries = slices.DeleteFunc(f.entries, func(e entry) bool {
			name, value := e.directive()
			switch {
			case name == "$TTL":
				table = append(table, []string{strconv.Itoa(number), "directive", value})
			case e.kind == recordEntry:
				kind := "explicit"
				if e.ttl < 0 {
					kind = "inherited"
				}
				table = append(table, []string{strconv.Itoa(number), kind, e.part(e.ttl)})
				number++
			}
			return name == "$TTL"
		})
		for _, e := range f.records() {
			if e.seconds != noTTL {
				e.setTTL(decimal(e.seconds))
			}
		}
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	return zones.Rewrite(p.Document, p.To, change, func(f *zoneFile, files vfs.Files) error {
		table, err := plain.Table(files, p.Table, "record", "kind", "spelling")
		byRecord := plain.NotesBy(table, func(row []string) string { return strings.TrimSpace(row[0]) })
		origin := topOrigin(*f)
		var all []entry
		number := 1
		// put writes the directives above a record, nil standing for the end, and its TTL.
		put := func(record *entry) {
			for _, row := range byRecord[strconv.Itoa(number)] {
				if row[1] == "directive" {
					all = append(all, readEntry("$TTL "+row[2]))
				} else if record != nil {
					record.spellTTL(row[2])
				}
			}
			number++
		}
		for _, e := range f.entries {
			if e.kind == recordEntry {
				put(&e)
			}
			all = append(all, e)
		}
		put(nil)
		settle(all, origin)
		f.entries = all
		return err
	})
}

// renumber moves the addresses of a block and raises the serial by 1.
func renumber(p struct {
	Document, To string
	Block, Into  string // of the same size, such as 192.0.2.0/28
	Table        string
}) exact.Steps {
	if !sameSize(p.Block, p.Into) {
		return exact.Refuse("block and into must be blocks of IPv4 of the same size")
	}
	change := func(f *zoneFile) (vfs.Files, error) {
		table := [][]string{{"item", "old", "new"}, {"block", p.Block, p.Into}}
		f.moveBlock(p.Block, p.Into)
		if soa := findSOA(f.entries); soa != nil && len(soa.data()) == soaFields {
			serial := soa.word(soa.typ + 3)
			if n, err := strconv.ParseUint(serial, 10, 32); err == nil {
				next := strconv.FormatUint((n+1)&0xffffffff, 10)
				soa.splice(soa.replace(soa.typ+3, next))
				table = append(table, []string{"serial", serial, next})
			}
		}
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	return zones.Rewrite(p.Document, p.To, change, func(f *zoneFile, files vfs.Files) error {
		table, err := plain.Table(files, p.Table, "item", "old", "new")
		for _, row := range table {
			switch row[0] {
			case "block":
				f.moveBlock(row[2], row[1])
			case "serial":
				if soa := findSOA(f.entries); soa != nil && len(soa.data()) == soaFields {
					soa.splice(soa.replace(soa.typ+3, row[1]))
				}
			}
		}
		return err
	})
}

// sameSize reports whether two texts are blocks of IPv4 of the same size.
func sameSize(a, b string) bool {
	x, err := netip.ParsePrefix(a)
	y, err2 := netip.ParsePrefix(b)
	return err == nil && err2 == nil && x.Addr().Is4() && y.Addr().Is4() && x.Bits() == y.Bits()
}

var spfAddress = regexp.MustCompile(`\bip4:[0-9.]+`)

// moveBlock moves the IPv4 addresses of one block to another of its size, in A
// records and in the ip4: terms of TXT records. Other blocks are moved nowhere.
func (f *zoneFile) moveBlock(from, to string) {
	if !sameSize(from, to) {
		return
	}
	old, fresh := netip.MustParsePrefix(from), netip.MustParsePrefix(to)
	move := func(text string) string { return movedAddress(text, old, fresh) }
	for _, e := range f.records() {
		var changes []splice
		for n := e.typ + 1; n < len(e.words); n++ {
			word := e.word(n)
			moved := word
			switch e.typeName {
			case "A":
				moved = move(word)
			case "TXT":
				moved = spfAddress.ReplaceAllStringFunc(word, func(term string) string {
					return "ip4:" + move(strings.TrimPrefix(term, "ip4:"))
				})
			}
			if moved != word {
				changes = append(changes, e.replace(n, moved))
			}
		}
		e.splice(changes...)
	}
}

// movedAddress keeps an address's place in its block.
func movedAddress(text string, old, fresh netip.Prefix) string {
	address, err := netip.ParseAddr(text)
	if err != nil || !old.Contains(address) {
		return text
	}
	from, to, octets := old.Masked().Addr().As4(), fresh.Masked().Addr().As4(), address.As4()
	for i := range octets {
		octets[i] += to[i] - from[i]
	}
	return netip.AddrFrom4(octets).String()
}
