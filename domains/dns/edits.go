package dns

import (
	"errors"
	"iter"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// zones says how zone files, which are lists of entries, are taken apart and put together.
var zones = exact.Format[zoneFile, entry]{
	Patterns: []string{"*.zone"},
	Read:     func(text string) zoneFile { return readFiles(vfs.Files{"db.zone": text})[0] },
	Print:    func(f zoneFile) string { return f.print() },
	Parts:    func(f *zoneFile) *[]entry { return &f.entries },
	Empty:    errors.New("no zone file with a record"),
	Counts:   func(e *entry) bool { return e.kind == recordEntry },
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("split_by_type", splitByType),
		domains.Taking("json", inJSON),
		domains.Taking("label_addresses", labelAddresses),
		domains.Taking("write_ttls", writeTTLs),
		domains.Taking("write_names", writeNames),
		domains.Taking("group_aliases", groupAliases),
		domains.Taking("pointers", pointers),
		domains.Taking("renumber", renumber),
	}
}

// records yields the records, to change them, and their numbers from 1.
func (f *zoneFile) records() iter.Seq2[int, *entry] {
	return func(yield func(int, *entry) bool) {
		n := 0
		for i := range f.entries {
			if f.entries[i].kind == recordEntry {
				if n++; !yield(n, &f.entries[i]) {
					return
				}
			}
		}
	}
}

// takeOut takes records out of a file and returns them with the lines on which they begin.
func (f *zoneFile) takeOut(takes func(*entry) bool) (taken []placed) {
	origin, line := topOrigin(*f), 1
	var rest []entry
	for _, e := range f.entries {
		if e.kind == recordEntry && takes(&e) {
			taken = append(taken, placed{line: line, entry: e})
		} else {
			rest = append(rest, e)
		}
		line += e.lines()
	}
	settle(rest, origin)
	f.entries = rest
	return taken
}

func (e entry) lines() int { return 1 + strings.Count(e.text, "\n") }

// placed is a record with the line on which it begins, 0 for one that comes last.
type placed struct {
	line  int
	entry entry
	about string // what tells it in a table
}

// place reads a row with a record's line, owner and TTL.
func (p *placed) place(line, owner, ttl string) {
	p.line = plain.LineNumber(line)
	if p.entry.kind == recordEntry {
		p.entry.setOwner(owner)
		p.entry.spellTTL(ttl)
	}
}

// row has the record's line, what tells it, and its owner and TTL as written.
func (p *placed) row() []string {
	owner, ttl := p.entry.spelling()
	return []string{strconv.Itoa(p.line), p.about, owner, ttl}
}

// putIn is the reverse of takeOut. A table has the lines, owners and TTLs of records by a
// column with what tells them, in any letter case.
func (f *zoneFile) putIn(records []placed, files vfs.Files, table, column string) error {
	rows, err := plain.Table(files, table, "line", column, "owner", "ttl")
	slices.SortStableFunc(rows, plain.ByNumber)
	of := plain.NotesBy(rows, func(row []string) string { return strings.ToLower(row[1]) })
	for n := range records {
		if row := of.Take(strings.ToLower(records[n].about)); row != nil {
			records[n].place(row[0], row[2], row[3])
		}
	}
	f.entries = plain.PutIn(records, f.entries, func(p placed) (int, entry) { return p.line, p.entry }, entry.lines)
	settle(f.entries, fileOrigin(f.entries))
	return err
}

// spelling is how an owner and a TTL are written: empty for one left out.
func (e *entry) spelling() (owner, ttl string) { return e.part(e.owner), e.part(e.ttl) }

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
		data = strings.Join(whole.wordsFrom(whole.typ+1), " ") + whole.remark()
	}
	return strings.Join(append(parts, "IN", whole.typeName, data), " ")
}

// wordsFrom are the texts of the words from one on.
func (e *entry) wordsFrom(n int) []string {
	var words []string
	for ; n < len(e.words); n++ {
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
