package dns

import (
	"errors"
	"iter"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// document is the file that every backward step leaves.
const document = "dulasrailway.org.uk.zone"

func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "split_by_type", Forward: splitByType, Backward: mergeTypes},
		{Name: "zone_json", Forward: toJSON, Backward: fromJSON},
		{Name: "address_legend", Forward: labelAddresses, Backward: nameAddresses},
		{Name: "explicit_ttls", Forward: writeTTLs, Backward: shortenTTLs},
		{Name: "absolute_names", Forward: writeNames, Backward: shortenNames},
		{Name: "alias_groups", Forward: groupAliases, Backward: placeAliases},
		{Name: "reverse_zone", Forward: toPointers, Backward: fromPointers},
		{Name: "renumber_block", Forward: renumber, Backward: numberBack},
	}
}

var errNoRecord = errors.New("no zone file with a record")

// readDocument reads the zone files that a forward step is given, as one.
func readDocument(files vfs.Files) (zoneFile, error) {
	whole := zoneFile{name: document}
	for _, f := range readFiles(files.Match([]string{"*.zone"})) {
		whole.entries = append(whole.entries, f.entries...)
	}
	if !slices.ContainsFunc(whole.entries, isRecord) {
		return zoneFile{}, errNoRecord
	}
	return whole, nil
}

func isRecord(e entry) bool { return e.kind == recordEntry }

// readNamed reads the zone file that a backward step needs.
func readNamed(files vfs.Files, name string) (zoneFile, error) {
	text, err := plain.File(files, name)
	if err != nil {
		return zoneFile{}, err
	}
	return readFiles(vfs.Files{name: text})[0], nil
}

func asDocument(entries []entry) vfs.Files {
	return vfs.Files{document: (&zoneFile{entries: entries}).print()}
}

// eachRecord calls do with every record, to change it, and its number from 1.
func (f *zoneFile) eachRecord(do func(n int, e *entry)) {
	n := 0
	for i := range f.entries {
		if f.entries[i].kind == recordEntry {
			n++
			do(n, &f.entries[i])
		}
	}
}

// takeOut divides a document into the records that are taken, with the lines on
// which they begin, and the rest.
func (f *zoneFile) takeOut(takes func(*entry) bool) (taken []placed, rest []entry) {
	line := 1
	for i := range f.entries {
		e := f.entries[i]
		if e.kind == recordEntry && takes(&e) {
			taken = append(taken, placed{line, e})
		} else {
			rest = append(rest, e)
		}
		line += e.lines()
	}
	return taken, rest
}

func (e *entry) lines() int { return 1 + strings.Count(e.text, "\n") }

// placed is a record with the line on which it begins.
type placed struct {
	line  int
	entry entry
}

// putIn is the reverse of takeOut. Records without a line come last.
func putIn(taken []placed, rest []entry) []entry {
	all := plain.PutIn(taken, rest, func(p placed) (int, entry) { return p.line, p.entry }, func(e entry) int { return e.lines() })
	settle(all, fileOrigin(all))
	return all
}

// spelling is how an owner and a TTL are written: empty for one left out.
func (e *entry) spelling() (owner, ttl string) {
	if e.owner >= 0 {
		owner = e.word(e.owner)
	}
	if e.ttl >= 0 {
		ttl = e.word(e.ttl)
	}
	return owner, ttl
}

// spell writes the owner and TTL in the given way.
func (e *entry) spell(owner, ttl string) {
	e.setOwner(owner)
	e.spellTTL(ttl)
}

// spellTTL writes the TTL in the given way, if that says the same.
func (e *entry) spellTTL(ttl string) {
	if seconds, ok := readTTL(ttl); ttl == "" || ok && int64(seconds) == e.seconds {
		e.setTTL(ttl)
	}
}

// standalone is the record as it can stand anywhere: absolute names, a TTL in
// seconds, all on one line if the data is.
func (e *entry) standalone() string {
	whole := *e
	whole.splice(whole.dataNames()...)
	parts := []string{whole.name}
	if whole.seconds != noTTL {
		parts = append(parts, decimal(whole.seconds))
	}
	data := strings.TrimLeft(whole.text[whole.words[whole.typ].end:], " \t")
	if strings.Contains(whole.text[:whole.words[whole.typ].start], "(") {
		data = strings.Join(whole.dataWords(), " ") + whole.remark()
	}
	return strings.Join(append(parts, "IN", whole.typeName, data), " ")
}

func (e *entry) dataWords() []string {
	var words []string
	for n := e.typ + 1; n < len(e.words); n++ {
		words = append(words, e.word(n))
	}
	return words
}

// remark is the record's comments as one at the end of a line.
func (e *entry) remark() string {
	if text := commentText(e.comments); text != "" {
		return "\t; " + text
	}
	return ""
}

// dataNames are the splices that make the names in the data absolute.
func (e *entry) dataNames() []splice {
	var changes []splice
	for _, n := range e.namePlaces() {
		if name := absolute(e.word(n), e.origin); name != e.word(n) {
			changes = append(changes, e.replace(n, name))
		}
	}
	return changes
}

// namePlaces yields where in the data, counted from 1, there are names, and which
// words they are.
func (e *entry) namePlaces() iter.Seq2[int, int] {
	return func(yield func(place, n int) bool) {
		for i, it := range forms[e.typeName] {
			if n := e.typ + 1 + i; it == nameItem && n < len(e.words) && !yield(i+1, n) {
				return
			}
		}
	}
}
