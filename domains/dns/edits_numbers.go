package dns

import (
	"net/netip"
	"regexp"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	explicitFile = "explicit.zone"
	policyFile   = "ttl_policy.csv"
)

// writeTTLs gives every record its TTL in seconds and takes the $TTL lines out.
func writeTTLs(files vfs.Files) (vfs.Files, error) {
	f, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	policy := [][]string{{"record", "kind", "spelling"}}
	var kept []entry
	number := 1
	for _, e := range f.entries {
		if name, value := e.directive(); name == "$TTL" {
			policy = append(policy, []string{strconv.Itoa(number), "directive", value})
			continue
		}
		if e.kind == recordEntry {
			kind, spelling := "inherited", ""
			if e.ttl >= 0 {
				kind, spelling = "explicit", e.word(e.ttl)
			}
			policy = append(policy, []string{strconv.Itoa(number), kind, spelling})
			if e.seconds != noTTL {
				e.setTTL(decimal(e.seconds))
			}
			number++
		}
		kept = append(kept, e)
	}
	return vfs.Files{
		explicitFile: (&zoneFile{entries: kept}).print(),
		policyFile:   plain.WriteCSV(policy),
	}, nil
}

func shortenTTLs(files vfs.Files) (vfs.Files, error) {
	f, err := readNamed(files, explicitFile)
	if err != nil {
		return nil, err
	}
	policy, err := plain.Table(files, policyFile, "record", "kind", "spelling")
	if err != nil {
		return nil, err
	}
	byRecord := plain.NotesBy(policy, func(row []string) string { return strings.TrimSpace(row[0]) })
	var all []entry
	number := 1
	directives := func() {
		for _, row := range byRecord[strconv.Itoa(number)] {
			if row[1] == "directive" {
				all = append(all, readEntry("$TTL "+row[2]))
			}
		}
	}
	for _, e := range f.entries {
		if e.kind == recordEntry {
			directives()
			for _, row := range byRecord[strconv.Itoa(number)] {
				if row[1] != "directive" {
					e.spellTTL(row[2])
				}
			}
			number++
		}
		all = append(all, e)
	}
	directives()
	settle(all, topOrigin(f))
	return asDocument(all), nil
}

const (
	renumberedFile = "renumbered.zone"
	renumberFile   = "renumber.csv"
)

// The public block and the one it moves to.
const (
	publicBlock = "81.187.214.32/28"
	newBlock    = "192.0.2.112/28"
)

// renumber moves the public block and raises the serial.
func renumber(files vfs.Files) (vfs.Files, error) {
	f, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	table := [][]string{{"item", "old", "new"}, {"block", publicBlock, newBlock}}
	f.moveBlock(publicBlock, newBlock)
	if soa := findSOA(f.entries); soa != nil && len(soa.data()) == soaFields {
		serial := soa.word(soa.typ + 3)
		if n, err := strconv.ParseUint(serial, 10, 32); err == nil {
			next := strconv.FormatUint((n+1)&0xffffffff, 10)
			soa.splice(soa.replace(soa.typ+3, next))
			table = append(table, []string{"serial", serial, next})
		}
	}
	return vfs.Files{renumberedFile: f.print(), renumberFile: plain.WriteCSV(table)}, nil
}

func numberBack(files vfs.Files) (vfs.Files, error) {
	f, err := readNamed(files, renumberedFile)
	if err != nil {
		return nil, err
	}
	table, err := plain.Table(files, renumberFile, "item", "old", "new")
	if err != nil {
		return nil, err
	}
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
	return asDocument(f.entries), nil
}

var spfAddress = regexp.MustCompile(`\bip4:[0-9.]+`)

// moveBlock moves the IPv4 addresses of one block to another of its size, in A
// records and in the ip4: terms of TXT records.
func (f *zoneFile) moveBlock(from, to string) {
	old, err := netip.ParsePrefix(from)
	fresh, err2 := netip.ParsePrefix(to)
	if err != nil || err2 != nil || !old.Addr().Is4() || !fresh.Addr().Is4() || old.Bits() != fresh.Bits() {
		return
	}
	move := func(text string) string { return movedAddress(text, old, fresh) }
	f.eachRecord(func(_ int, e *entry) {
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
	})
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
