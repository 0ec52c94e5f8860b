package dns

import (
	"cmp"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/wellformed"
	published "agentd/domains/published/dns"
	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// elements flattens files by the rules of a name server: an element for each record set, and one for each comment on a
// line of its own and for each line that is none of a zone file's.
func elements(files vfs.Files) []domains.Element {
	var all []domains.Element
	at := map[published.SetKey]int{} // in all
	for _, f := range readFiles(files) {
		entries := generated(f.entries)
		all = slices.Grow(all, len(entries))
		for i := range entries {
			switch e := &entries[i]; e.kind {
			case recordEntry:
				key := e.setKey()
				n, ok := at[key]
				if !ok {
					n = len(all)
					at[key] = n
					all = append(all, newSet(key))
				}
				all[n].Fields = append(all[n].Fields, e.fields()...)
			case commentEntry:
				if text := commentText([]string{strings.TrimLeft(e.text, " \t")}); text != "" {
					all = append(all, line("comment", "; "+text))
				}
			case otherEntry:
				all = append(all, line("line outside records", plain.SingleBlanks(e.text)))
			case directiveEntry:
				if name, _ := e.directive(); name != "$ORIGIN" && name != "$TTL" {
					all = append(all, line("directive", plain.SingleBlanks(e.text)))
				} else if text := commentText(e.comments); text != "" {
					all = append(all, line(besideDirective, "; "+text))
				}
			}
		}
	}
	for i := range all {
		// Sets that differ only in the order of their fields are recognised as identical.
		slices.SortFunc(all[i].Fields, func(a, b domains.Field) int {
			return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Value, b.Value))
		})
	}
	return all
}

// besideDirective is the key of comments on the lines of $ORIGIN and $TTL.
const besideDirective = "comment beside a directive"

// optionalDirectives leaves out the comments on the lines of $ORIGIN and $TTL, since a zone may have no such line. If each document has one
// that the other lacks, a comment was changed, and all are compared.
func optionalDirectives(reference, candidate []domains.Element) (ref, got []domains.Element) {
	if hasAnother(reference, candidate) && hasAnother(candidate, reference) {
		return reference, candidate
	}
	return slices.DeleteFunc(slices.Clone(reference), isBeside), slices.DeleteFunc(slices.Clone(candidate), isBeside)
}

func isBeside(e domains.Element) bool { return e.Key == besideDirective }

// hasAnother reports whether one document has a comment on the line of a directive that the other lacks.
func hasAnother(one, other []domains.Element) bool {
	known := map[string]int{}
	for _, e := range other {
		if isBeside(e) {
			known[e.Fields[0].Value]++
		}
	}
	for _, e := range one {
		if isBeside(e) {
			if known[e.Fields[0].Value]--; known[e.Fields[0].Value] < 0 {
				return true
			}
		}
	}
	return false
}

func (e *entry) setKey() published.SetKey {
	return published.SetKey{Name: strings.ToLower(e.name), Typ: e.typeName}
}

func newSet(key published.SetKey) domains.Element {
	fields := make([]domains.Field, 0, 3)
	return domains.Element{
		Kind: counted, Key: published.OrApex(key.Name) + " " + key.Typ,
		Fields: append(fields, domains.Field{Name: "owner", Value: key.Name}, domains.Field{Name: "type", Value: key.Typ}),
	}
}

func line(key, text string) domains.Element {
	return domains.Element{Kind: "line", Key: key, Fields: []domains.Field{{Value: text}}}
}

// commentText is what comments say, without their semicolons.
func commentText(comments []string) string {
	var said []string
	for _, comment := range comments {
		for part := range strings.SplitSeq(comment, " ;") {
			if part = plain.SingleBlanks(strings.TrimLeft(part, "; \t")); part != "" {
				said = append(said, part)
			}
		}
	}
	return strings.Join(said, "; ")
}

var soaNames = [...]string{"name server", "mailbox", "serial", "refresh", "retry", "expire", "minimum"}

// withoutNames is what a comment on an SOA says in addition to the names of its fields.
func withoutNames(comment string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(comment), func(word string) bool {
		return slices.Contains(soaNames[2:], strings.ToLower(strings.Trim(word, ",.:")))
	}), " ")
}

// fields are those of a record in its set: its TTL, data and comment in one, so
// that they stay together; of an SOA one each.
func (e *entry) fields() []domains.Field {
	ttl := "no TTL"
	if e.seconds != noTTL {
		ttl = decimal(e.seconds)
	}
	data, comment := e.normalData(), commentText(e.comments)
	if e.typeName == "SOA" && len(data) == len(soaNames) {
		fields := []domains.Field{{Name: "ttl", Value: ttl}, {Name: "comment", Value: withoutNames(comment)}}
		for i, name := range soaNames {
			fields = append(fields, domains.Field{Name: name, Value: data[i]})
		}
		return fields
	}
	value := ttl + " " + strings.Join(data, " ")
	if comment != "" {
		value += " ; " + comment
	}
	return []domains.Field{{Name: "record", Value: value}}
}

func decimal(seconds int64) string { return strconv.FormatInt(seconds, 10) }

// normalData is a record's data in one spelling: names absolute, numbers and addresses by value, the strings of a text
// as one. What does not fit the type stays as it is written.
func (e *entry) normalData() []string {
	form, words := published.Forms[e.typeName], e.data()
	data := make([]string, 0, len(words))
	first := e.typ + 1
	for i := range words {
		it := published.WordsItem
		if i < len(form) {
			it = form[i]
		}
		if it >= published.TextsItem {
			return append(data, e.normalRest(it, first+i))
		}
		data = append(data, e.normalItem(it, first+i))
	}
	return data
}

func (e *entry) normalItem(it published.Item, n int) string {
	if it == published.NameItem {
		return strings.ToLower(absolute(e.word(n), e.origin))
	}
	value, err := published.Unescape(e.value(n), false)
	if err != nil {
		return e.word(n)
	}
	if it == published.TagItem {
		return strings.ToLower(value)
	}
	if text, ok := published.Canonical(it, value); ok {
		return text
	}
	return e.word(n)
}

func (e *entry) normalRest(it published.Item, n int) string {
	parts := make([]string, 0, len(e.words)-n)
	for ; n < len(e.words); n++ {
		part := e.value(n)
		if plain, err := published.Unescape(part, true); err == nil && it != published.WordsItem {
			part = plain
		}
		parts = append(parts, part)
	}
	switch it {
	case published.TextsItem:
		return published.Quote(strings.Join(parts, ""))
	case published.HexItem:
		return strings.ToLower(strings.Join(parts, ""))
	case published.Base64Item:
		return strings.Join(parts, "")
	}
	return strings.Join(parts, " ")
}

// generated puts the records of $GENERATE in place of the directive.
func generated(entries []entry) []entry {
	has := func(e entry) bool { name, _ := e.directive(); return name == "$GENERATE" }
	if !slices.ContainsFunc(entries, has) {
		return entries
	}
	var all []entry
	most := published.MostGenerated
	for _, e := range entries {
		made := []entry{e}
		if has(e) && len(e.words) > 3 {
			if span, ok := published.ReadRange(e.word(1)); ok && span.Count() <= most {
				if records := e.generate(span); records != nil {
					made = records
					most -= len(made)
				}
			}
		}
		all = append(all, made...)
	}
	return all
}

// generate makes the records of a $GENERATE; nil if it is malformed. Its TTL is
// its own, or that of $TTL or the SOA above it.
func (e *entry) generate(span published.NumberRange) []entry {
	var made []entry
	for n := span.First; n <= span.Last; n += span.Step {
		words := e.wordsFrom(2)
		for k := range words {
			words[k] = published.Numbered(words[k], n)
		}
		record := readEntry(strings.Join(words, " ") + e.remark())
		if record.kind != recordEntry {
			return nil
		}
		record.origin, record.seconds = e.origin, e.seconds
		record.name = absolute(record.word(0), e.origin)
		if record.ttl >= 0 {
			seconds, _ := published.ReadTTL(record.word(record.ttl))
			record.seconds = int64(seconds)
		}
		made = append(made, record)
	}
	return made
}

// without leaves out record sets; comments and directives stay.
func without(files vfs.Files, leave func() bool) vfs.Files {
	left := files.Clone()
	for _, f := range readFiles(files) {
		leaves := map[published.SetKey]bool{}
		entries := generated(f.entries)
		kept := slices.DeleteFunc(slices.Clone(entries), func(e entry) bool {
			if e.kind != recordEntry {
				return false
			}
			key := e.setKey()
			if _, known := leaves[key]; !known {
				leaves[key] = leave()
			}
			return leaves[key]
		})
		if len(kept) < len(entries) {
			settle(kept, topOrigin(f))
			f.entries = kept
			left[f.name] = f.print()
		}
	}
	return left
}

// topOrigin is the origin at the top of a file.
func topOrigin(f zoneFile) string {
	if len(f.entries) == 0 {
		return ""
	}
	return f.entries[0].origin
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

func (f *zoneFile) print() string {
	return plain.Text(lists.Each(f.entries, func(e *entry) string { return e.text }))
}

// insert puts a text into a record, and reads it again. What would make something else of it than
// it is, such as an owner of two words, is not done.
func (e *entry) insert(at int, text string) {
	changed := readEntry(e.text[:at] + text + e.text[at:])
	if changed.kind == recordEntry {
		changed.origin, changed.name, changed.seconds = e.origin, e.name, e.seconds
		*e = changed
	}
}

// settle writes out the owners and TTLs that records no longer inherit, after entries were left out or moved.
func settle(entries []entry, origin string) {
	was := slices.Clone(entries)
	resolveEntries(entries, origin)
	for i := range entries {
		e := &entries[i]
		if e.kind != recordEntry {
			continue
		}
		if e.owner < 0 && !strings.EqualFold(e.name, was[i].name) {
			e.insert(0, was[i].name)
		}
		if e.ttl < 0 && e.seconds != was[i].seconds && was[i].seconds != noTTL {
			e.insert(int(e.words[e.owner+1].start), decimal(was[i].seconds)+" ")
		}
	}
	for i := range entries {
		entries[i].name, entries[i].seconds = was[i].name, was[i].seconds
	}
}

// hazards finds the records that protect a zone's mail and its answers, and an SPF record that protects nothing.
func hazards(elements []domains.Element) domains.Hazards {
	var h domains.Hazards
	for _, e := range elements {
		owner, typ, _ := strings.Cut(e.Key, " ")
		if e.Kind != counted {
			continue
		}
		switch typ {
		case "CAA":
			h.Safeguards = append(h.Safeguards, "CAA records of "+owner)
		case "DNSKEY", "DS":
			h.Safeguards = append(h.Safeguards, "DNSSEC of "+owner)
		case "TXT", "SPF":
			for _, f := range e.Fields {
				if f.Name == "record" {
					text(&h, owner, f.Value)
				}
			}
		}
	}
	return h
}

// text adds what a text record says of who may send mail. record has its TTL first.
func text(h *domains.Hazards, owner, record string) {
	_, data, _ := strings.Cut(record, " ")
	data = strings.ToLower(strings.ReplaceAll(strings.ReplaceAll(data, `" "`, ""), `"`, ""))
	words := strings.FieldsFunc(data, func(r rune) bool { return r == ' ' || r == ';' || r == '\t' })
	if len(words) == 0 {
		return
	}
	if words[0] == "v=spf1" {
		h.Safeguards = append(h.Safeguards, "SPF record of "+owner)
	}
	for _, word := range words {
		switch words[0] + " " + word {
		case "v=spf1 +all", "v=spf1 all":
			h.Dangers = append(h.Dangers, "SPF record of "+owner+" lets everyone send (+all)")
		case "v=dmarc1 p=reject", "v=dmarc1 p=quarantine":
			h.Safeguards = append(h.Safeguards, "DMARC policy of "+owner)
		}
	}
}

var addressRecord = lazyregexp.New(`(?i)^[^;"(]*\s(A|AAAA)\s+([^\s;]+)\s*(?:;.*)?$`)

// addresses finds records whose address is none of their type.
func addresses(_, text string) []domains.Slip {
	var all []domains.Slip
	n := 0
	for line := range strings.Lines(text) {
		n++
		m := addressRecord.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if m == nil || strings.HasPrefix(line, "$") {
			continue
		}
		if a, err := netip.ParseAddr(m[2]); err != nil || a.Is4() != (len(m[1]) == 1) {
			all = append(all, domains.Slip{Line: n, What: "the address is none of its type", Text: strings.TrimSpace(line)})
		}
	}
	return all
}

// wellFormed checks brackets and quotes, addresses, and that each line is a record, a directive or a comment.
var wellFormed = wellformed.All(
	wellformed.Code{Line: []string{";"}, Quotes: "\"", Escape: true, EscapeIn: true, Brackets: "()"}.Check,
	wellformed.Not(`^[^;"(]*[^;"(\s\\][:!?]\s*$`, "the line is no record"),
	wellformed.Not(`^\$GENERATE\s+\S+(?:\s+[^\s;]+){0,1}\s*$`, "$GENERATE has no type or no data"),
	wellformed.Not(`(?i)^[^\s;"(]*(?:\s+(?:\d\S*|IN|CH|HS))*\s+(?:A|AAAA|CNAME|DNAME|NS|PTR)\s+[^\s;]+\s+[^\s;]`, "a record has more data than its type"),
	addresses,
)

const counted = "record set"
