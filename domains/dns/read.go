package dns

import (
	"cmp"
	"path"
	"strings"

	"agentd/domains/internal/plain"
	published "agentd/domains/published/dns"
	"agentd/vfs"
)

// zoneFile is a file as a name server reads it, in entries that print puts together again without loss.
type zoneFile struct {
	name    string
	origin  string // empty if the file does not say it
	entries []entry
}

type entryKind uint8

const (
	blankEntry entryKind = iota
	commentEntry
	directiveEntry
	recordEntry
	placeholderEntry // an owner with a TTL or a class and nothing else
	otherEntry       // what a name server would not take
)

// entry is a line, or the lines that parentheses join.
type entry struct {
	kind     entryKind
	text     string
	words    []word
	comments []string
	typeName string // of a record, in upper case
	// Where a record's parts are in words; -1 for a part it leaves out.
	owner, ttl, class, typ int

	// What the entry means at its place in the file: see resolveEntries.
	origin  string
	name    string // the owner, fully qualified
	seconds int64  // the TTL in force
}

// noTTL are the seconds of a record for which nothing says any.
const noTTL = -1

// word is a token of an entry, quotes included.
type word struct {
	start, end int32
	quoted     bool
}

func (e *entry) word(n int) string {
	w := e.words[n]
	return e.text[w.start:w.end]
}

// value is a word without its quotes.
func (e *entry) value(n int) string {
	text := e.word(n)
	if e.words[n].quoted {
		text = strings.TrimSuffix(text[1:], `"`)
	}
	return text
}

// data are the words after the type.
func (e *entry) data() []word { return e.words[e.typ+1:] }

// readFiles reads all files but those of the server's configuration.
func readFiles(files vfs.Files) []zoneFile {
	var zone []zoneFile
	for _, name := range files.Names() {
		if path.Ext(name) != ".conf" {
			entries := readLines(name, files[name])
			zone = append(zone, zoneFile{name, fileOrigin(entries), entries})
		}
	}
	origin := documentOrigin(zone)
	for _, f := range zone {
		resolveEntries(f.entries, cmp.Or(f.origin, origin))
	}
	return zone
}

func readLines(name, text string) []entry {
	lines := plain.Lines(text)
	if len(lines) > 0 && isFileName(strings.TrimSpace(lines[0]), name) {
		lines = lines[1:]
	}
	closing := len(lines) - 1 // the last line that can close parentheses
	for closing >= 0 && !strings.Contains(lines[closing], ")") {
		closing--
	}
	entries := make([]entry, 0, len(lines))
	for at := 0; at < len(lines); {
		n := 1
		if at <= closing {
			n = joinedLines(lines[at : closing+1])
		}
		entries = append(entries, readEntry(strings.Join(lines[at:at+n], "\n")))
		at += n
	}
	return entries
}

func isFileName(line, name string) bool { return line == name || line == path.Base(name) }

// mostJoined bounds how many lines parentheses join, so that one that never
// closes does not swallow the rest of the file.
const mostJoined = 50

// joinedLines is how many lines make up the first entry.
func joinedLines(lines []string) int {
	depth := 0
	for n := range min(len(lines), mostJoined) {
		if n > 0 && strings.HasPrefix(lines[n], "$") {
			break
		}
		if depth = depthAfter(lines[n], depth); depth <= 0 {
			return n + 1
		}
	}
	return 1
}

// depthAfter is the depth of parentheses at a line's end.
func depthAfter(line string, depth int) int {
	if depth == 0 && strings.IndexByte(line, '(') < 0 {
		return 0
	}
	quoted := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == ';':
			return depth
		case c == '(':
			depth++
		case c == ')':
			depth--
		}
	}
	return depth
}

func readEntry(text string) entry {
	e := entry{text: strings.TrimRight(text, " \t"), owner: -1, ttl: -1, class: -1, typ: -1}
	if strings.HasPrefix(e.text, ";") && !strings.Contains(e.text, "\n") {
		e.kind = commentEntry
		return e
	}
	e.scan()
	switch {
	case len(e.words) == 0 && len(e.comments) == 0:
		e.kind = blankEntry
		if strings.Trim(e.text, " \t") != "" {
			e.kind = otherEntry // nothing but parentheses
		}
	case len(e.words) == 0:
		e.kind = commentEntry
	case e.text[0] == '$':
		e.kind = directiveEntry
	default:
		e.kind = e.readRecord()
	}
	return e
}

// scan finds the words and comments of an entry.
func (e *entry) scan() {
	text := e.text
	for i := 0; i < len(text); {
		start := i
		switch text[i] {
		case ' ', '\t', '\n', '(', ')':
			i++
			continue
		case ';':
			end := len(text)
			if length := strings.IndexByte(text[i:], '\n'); length >= 0 {
				end = i + length
			}
			e.comments = append(e.comments, text[i:end])
			i = end
			continue
		case '"':
			end, closed := quoteEnd(text, i+1)
			i = end
			e.words = append(e.words, word{int32(start), int32(i), closed})
			continue
		}
		for i < len(text) && strings.IndexByte(" \t\n();\"", text[i]) < 0 {
			if text[i] == '\\' && i+1 < len(text) {
				i++
			}
			i++
		}
		e.words = append(e.words, word{int32(start), int32(i), false})
	}
}

// quoteEnd is the place after a closing quote, or the end of a line without one.
func quoteEnd(text string, i int) (end int, closed bool) {
	for ; i < len(text) && text[i] != '\n'; i++ {
		if text[i] == '"' {
			return i + 1, true
		}
		if text[i] == '\\' && i+1 < len(text) && text[i+1] != '\n' {
			i++
		}
	}
	return i, false
}

// readRecord finds the parts of a record: owner, TTL and class in either order, type, data.
func (e *entry) readRecord() entryKind {
	at := 0
	if e.text[0] != ' ' && e.text[0] != '\t' {
		e.owner = 0
		at = 1
	}
	for ; at < len(e.words) && !e.words[at].quoted; at++ {
		text := e.word(at)
		if _, ok := published.ReadTTL(text); ok && e.ttl < 0 {
			e.ttl = at
		} else if published.IsInternet(text) && e.class < 0 {
			e.class = at
		} else {
			break
		}
	}
	if at == len(e.words) && e.owner >= 0 && at > 1 {
		return placeholderEntry
	}
	if at+1 < len(e.words) && !e.words[at].quoted {
		if typ, ok := published.RecordType(e.word(at)); ok {
			e.typ, e.typeName = at, typ
			if e.isRecord() {
				return recordEntry
			}
		}
	}
	e.owner, e.ttl, e.class, e.typ, e.typeName = -1, -1, -1, -1, ""
	return otherEntry
}

// isRecord tells records from prose, in which "a" is a word.
func (e *entry) isRecord() bool {
	if e.owner >= 0 && e.words[e.owner].quoted {
		return false
	}
	if e.ttl >= 0 || e.class >= 0 {
		return true
	}
	if typ := e.word(e.typ); typ == e.typeName && len(typ) > 1 {
		return true
	}
	form := published.Forms[e.typeName]
	if len(form) == 0 || len(e.data()) != len(form) {
		return false
	}
	_, ok := published.Canonical(form[0], e.value(e.typ+1))
	return ok && (form[0] != published.NameItem || strings.HasSuffix(e.value(e.typ+1), "."))
}

// directive returns the name of a directive in upper case and its first argument.
func (e *entry) directive() (name, argument string) {
	if e.kind != directiveEntry {
		return "", ""
	}
	if len(e.words) > 1 {
		argument = e.word(1)
	}
	return strings.ToUpper(e.word(0)), argument
}

// fileOrigin is the first $ORIGIN of a file, or otherwise the owner of its SOA; empty if neither is absolute.
func fileOrigin(entries []entry) string {
	for i := range entries {
		if name, argument := entries[i].directive(); name == "$ORIGIN" {
			return absolute(argument, published.Root)
		}
	}
	if soa := findSOA(entries); soa != nil && soa.owner >= 0 && published.IsAbsolute(soa.word(0)) {
		return absolute(soa.word(0), published.Root)
	}
	return ""
}

func findSOA(entries []entry) *entry {
	for i := range entries {
		if e := &entries[i]; e.kind == recordEntry && e.typeName == "SOA" {
			return e
		}
	}
	return nil
}

// documentOrigin is the origin of the file with the SOA, or otherwise of the first
// file that has one. Files without an origin are of that zone.
func documentOrigin(zone []zoneFile) string {
	first := ""
	for _, f := range zone {
		if f.origin != "" && findSOA(f.entries) != nil {
			return f.origin
		}
		first = cmp.Or(first, f.origin)
	}
	return first
}

// resolveEntries finds what every record inherits: its origin, owner and TTL.
func resolveEntries(entries []entry, origin string) {
	owner := origin
	standard, last := int64(noTTL), int64(noTTL)
	for i := range entries {
		e := &entries[i]
		e.origin = origin
		switch e.kind {
		case directiveEntry:
			e.seconds = cmp.Or(standard+1, last+1) - 1
			switch name, argument := e.directive(); name {
			case "$ORIGIN":
				origin = absolute(argument, origin)
			case "$TTL":
				if seconds, ok := published.ReadTTL(argument); ok {
					standard = int64(seconds)
				}
			}
		case recordEntry:
			if e.owner >= 0 {
				owner = absolute(e.word(e.owner), origin)
			}
			e.name = owner
			if e.ttl >= 0 {
				seconds, _ := published.ReadTTL(e.word(e.ttl))
				last = int64(seconds)
			}
			standard = e.findTTL(standard, last)
		}
	}
}

// findTTL sets the TTL in force: the record's own, the one of $TTL or of the SOA
// above, or the last that was written. It returns the one that is now given.
func (e *entry) findTTL(standard, last int64) int64 {
	given := standard != noTTL
	if !given && e.typeName == "SOA" {
		if seconds, ok := published.ReadTTL(e.word(len(e.words) - 1)); ok {
			standard = int64(seconds)
		}
	}
	switch {
	case e.ttl >= 0 || !given && last != noTTL:
		e.seconds = last
	default:
		e.seconds = standard
	}
	return standard
}

// absolute is a name as written made absolute. Below an unknown origin it stays relative.
func absolute(text, origin string) string {
	if name, err := published.ReadName(text, origin); err == nil {
		return name
	}
	if len(origin) > longestName {
		return text
	}
	return published.Under(text, origin)
}

// longestName is the most characters of a name: 255 octets, each written as a backslash and three digits (RFC 1035,
// sections 2.3.4 and 5.1). Without it, names that are each relative to the one before grow with every line.
const longestName = 4 * 255
