// Package dns is the published reading and score of the domain dns.
//
// score = coverage^2 x rdata x sqrt((ttl + soa) / 2); a parse error on either side gives 0 with an error text.
//
//   - Key of a record set: (lower-cased name, type). When several files give the same key, coverage uses it once and
//     the last set read is compared.
//   - coverage: Jaccard of the two key sets; both lists empty 1, one empty 0.
//   - rdata: mean over common keys of the Jaccard of the two rdata sets, after lower-casing, trimming and removing all
//     final dots from each text; both empty 1, one empty 0. No common key: 0.
//   - ttl: mean over common keys of 1 if equal, 0 if exactly one is 0, else min/max. No common key: 0.
//   - soa: neither side has an SOA 1; one side only 0. Otherwise the first SOA of each side, lower-cased and split at
//     blanks, seven fields: name server and mailbox (final dots removed) and serial by equality, the four timers by the
//     TTL rule above; mean of the seven. With fewer than seven fields: difflib ratio of the joined texts (characters,
//     autojunk on).
//   - Two empty zones: coverage 1, rdata 0, score 0. Identity of a zone without records is therefore 0.
//   - The SOA is counted twice: as one rdata set and in soa.
//   - The published page lists comments in the formula; the code leaves them out. The vectors follow the code.
//
// R, or ratio, is that of package ratio, with the reference first.
package dns

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/sets"
	"agentd/vfs"
)

// RecordSet is what the published reading makes of the records of one owner and type.
type RecordSet struct {
	name string // relative to the zone's origin, "@" for the origin itself
	typ  string
	ttl  uint32
	data []string
}

// Parse is the published reading: the record sets of all zone files in name
// order. A file that cannot be read, not even with repairs, fails the document.
func Parse(files vfs.Files) ([]RecordSet, error) {
	var sets []RecordSet
	for _, name := range files.Names() {
		switch path.Ext(name) {
		case ".zone", ".db", ".txt":
			of, err := parseFile(name, files[name])
			if err != nil {
				return nil, fmt.Errorf("parsing %s: %w", name, err)
			}
			sets = append(sets, of...)
		}
	}
	return sets, nil
}

// parseFile reads a file whose lines end in a newline, or in a carriage return and one.
func parseFile(name, text string) ([]RecordSet, error) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if first, rest, _ := strings.Cut(text, "\n"); pytext.Strip(first) == name {
		text = rest
	}
	return repaired(text, firstOrigin(text))
}

// firstOrigin is the argument of the first $ORIGIN, valid or not, with a final dot.
func firstOrigin(text string) string {
	for line := range strings.SplitSeq(text, "\n") {
		if len(line) >= len("$ORIGIN") && strings.EqualFold(line[:len("$ORIGIN")], "$ORIGIN") {
			origin := pytext.Strip(line[len("$ORIGIN"):])
			if !strings.HasSuffix(origin, ".") {
				origin += "."
			}
			return origin
		}
	}
	return "example.com."
}

// zoneError is why a file cannot be read.
type zoneError struct {
	line int // 0 if the published reader gives none
	text string
}

// readZone reads a text without repairs.
func readZone(text, origin string) (sets []RecordSet, failure *zoneError) {
	r := &zoneReader{tokens: &tokenizer{text: text}, nodes: map[string][]*nodeSet{}, known: map[datum]bool{}}
	defer func() {
		switch found := recover().(type) {
		case nil:
		case runtime.Error:
			panic(found)
		case syntaxError:
			failure = &zoneError{r.tokens.line(), found.Error()}
		case error:
			failure = &zoneError{text: found.Error()}
		}
	}()
	r.zone = must(ReadName(origin, Root))
	r.origin, r.owner = r.zone, r.zone
	r.run()
	for _, name := range r.names {
		for _, s := range r.nodes[name] {
			sets = append(sets, s.RecordSet)
		}
	}
	return sets, nil
}

// must panics with an error, at which reading ends.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

type zoneReader struct {
	tokens     *tokenizer
	zone       string // the zone's origin
	origin     string // the current one
	owner      string // the last one, absolute
	defaultTTL *uint32
	lastTTL    *uint32
	nodes      map[string][]*nodeSet // by name without letter case
	known      map[datum]bool
	names      []string // of nodes, in order
	generated  int      // records made by $GENERATE
}

// nodeSet is a record set of a node, which is what has a name.
type nodeSet struct {
	RecordSet
	covers string // the type that a signature is of
}

// datum is what a record set has by the key of the data.
type datum struct {
	set *nodeSet
	key string
}

// run reads the zone. Its methods panic with what stops them.
func (r *zoneReader) run() {
	for {
		switch tok := r.tokens.next(true, true); {
		case tok.kind == endOfFile:
			return
		case tok.kind == endOfLine:
		case tok.kind == commentToken:
			r.endLine()
		case strings.HasPrefix(tok.value, "$"):
			r.directive(strings.ToUpper(tok.value))
		default:
			r.tokens.hold(tok)
			r.record()
		}
	}
}

func (r *zoneReader) endLine() {
	if tok := r.tokens.next(false, false); !tok.ends() {
		panic(syntaxError(fmt.Sprintf(`expected EOL or EOF, got %d "%s"`, tok.kind, tok.value)))
	}
}

// word returns the next token, which must be one without quotes.
func (r *zoneReader) word() string {
	tok := r.tokens.next(false, false)
	if tok.kind != identifier {
		panic(syntaxError("Text input is malformed."))
	}
	return tok.value
}

func (r *zoneReader) directive(name string) {
	switch name {
	case "$GENERATE":
		r.generate()
		return
	case "$TTL":
		ttl, ok := ReadTTL(r.word())
		if !ok {
			panic(syntaxError("DNS TTL value is not well-formed."))
		}
		r.defaultTTL = &ttl
	case "$ORIGIN":
		// Without a final dot it stays relative, and all below it is outside the zone.
		r.origin = must(ReadName(r.word(), ""))
	default:
		panic(syntaxError("zone file directive '" + name + "' is not allowed"))
	}
	r.endLine()
}

// record reads a line: owner, TTL, class, type and data.
func (r *zoneReader) record() {
	switch first := r.tokens.next(true, false); first.kind {
	case leadingBlank:
		next := r.tokens.next(false, false)
		if next.ends() {
			return
		}
		r.tokens.hold(next)
	case identifier:
		r.owner = must(ReadName(first.value, r.origin))
	default:
		panic(syntaxError("expecting an identifier"))
	}
	name, inside := cutOrigin(r.owner, r.zone)
	if !inside {
		r.skipLine()
		return
	}
	ttl := r.ttl()
	r.class()
	typ := r.typeWord()
	text, key := r.rdata(typ)
	if typ == "SOA" && r.defaultTTL == nil {
		minimum, _ := ReadTTL(text[strings.LastIndexByte(text, ' ')+1:])
		r.defaultTTL = &minimum
		if ttl == nil {
			ttl = &minimum
		}
	}
	if ttl == nil {
		panic(syntaxError("Missing default TTL value"))
	}
	r.add(name, typ, *ttl, text, key)
}

func (r *zoneReader) skipLine() {
	for !r.tokens.next(false, false).ends() {
	}
}

// ttl reads a TTL if there is one; otherwise it is the default, or the last one.
func (r *zoneReader) ttl() *uint32 {
	text := r.word()
	if ttl, ok := ReadTTL(text); ok {
		r.lastTTL = &ttl
		return &ttl
	}
	r.tokens.hold(token{identifier, text})
	return cmp.Or(r.defaultTTL, r.lastTTL)
}

// class takes IN, or nothing.
func (r *zoneReader) class() {
	if text := r.word(); !isClass(text) {
		r.tokens.hold(token{identifier, text})
	} else if !IsInternet(text) {
		panic(syntaxError("RR class is not zone's class"))
	}
}

func isClass(text string) bool {
	upper := strings.ToUpper(text)
	number, ok := strings.CutPrefix(upper, "CLASS")
	return ok && plain.IsDigits(number) || slices.Contains(classes, upper)
}

var classes = strings.Fields("IN CH HS NONE ANY INTERNET CHAOS HESIOD RESERVED0")

// IsInternet reports whether a text names the class of the Internet.
func IsInternet(text string) bool {
	upper := strings.ToUpper(text)
	return upper == "IN" || upper == "INTERNET" || upper == "CLASS1"
}

func (r *zoneReader) typeWord() string {
	text := r.word()
	typ, ok := RecordType(text)
	if !ok {
		panic(syntaxError("unknown rdatatype '" + text + "'"))
	}
	return typ
}

// singletons are types of which a name has one record: the last one read.
var singletons = []string{"CNAME", "DNAME", "NSEC", "NXT", "SOA"}

func (r *zoneReader) add(name, typ string, ttl uint32, text, key string) {
	if typ == "SOA" && name != "" {
		panic(errors.New("add() has non-origin SOA"))
	}
	covers := ""
	if typ == "RRSIG" {
		covers, _, _ = strings.Cut(strings.ToUpper(text), " ")
	}
	node := strings.ToLower(name)
	there := r.nodes[node]
	var set *nodeSet
	if at := slices.IndexFunc(there, func(s *nodeSet) bool { return s.typ == typ && s.covers == covers }); at >= 0 {
		set = there[at]
	} else {
		if clashes(there, typ, covers) {
			panic(errors.New("CNAME and other data at one name"))
		}
		if len(there) == 0 {
			r.names = append(r.names, node)
		} else {
			name = there[0].name
		}
		set = &nodeSet{RecordSet{name: OrApex(name), typ: typ, ttl: ttl}, covers}
		r.nodes[node] = append(there, set)
	}
	set.ttl = min(set.ttl, ttl)
	if slices.Contains(singletons, typ) {
		set.data = []string{text}
	} else if d := (datum{set, key}); !r.known[d] {
		r.known[d] = true
		set.data = append(set.data, text)
	}
}

// clashes reports whether a CNAME would come next to other data.
func clashes(sets []*nodeSet, typ, covers string) bool {
	isAlias, neutral := aliasKind(typ, covers)
	return !neutral && slices.ContainsFunc(sets, func(s *nodeSet) bool {
		alias, neutral := aliasKind(s.typ, s.covers)
		return !neutral && alias != isAlias
	})
}

// aliasKind tells a CNAME, signature included, from the types that may stand next to one and from all others.
func aliasKind(typ, covers string) (alias, neutral bool) {
	if typ == "RRSIG" {
		typ = covers
	}
	return typ == "CNAME", typ == "NSEC" || typ == "NSEC3" || typ == "KEY"
}

func (e syntaxError) Error() string { return string(e) }

// Stats counts the parts of a document.
func Stats(zone []RecordSet) domains.Stats {
	hosts := map[string]bool{}
	types := map[string]int{}
	records := 0
	for i := range zone {
		hosts[zone[i].name] = true
		types[zone[i].typ]++
		records += len(zone[i].data)
	}
	return domains.Stats{Elements: len(zone), Counts: []domains.Count{
		{Name: "Hostnames", Value: strconv.Itoa(len(hosts))},
		{Name: "Record Sets", Value: strconv.Itoa(len(zone))},
		{Name: "Total RRs", Value: strconv.Itoa(records)},
		{Name: "Record Types", Value: strconv.Itoa(len(types))},
		{Name: "Type Distribution", Value: fmt.Sprint(types)},
	}}
}

// SetKey is what record sets are paired by.
type SetKey struct{ Name, Typ string }

func keysOf(zone []RecordSet) []SetKey {
	return lists.Each(zone, func(s *RecordSet) SetKey { return SetKey{strings.ToLower(s.name), s.typ} })
}

// Score is coverage² · rdata · √((ttl + soa) / 2).
func Score(reference, candidate []RecordSet) domains.Reading {
	refKeys, gotKeys := keysOf(reference), keysOf(candidate)
	coverage := sets.Jaccard(refKeys, gotKeys)
	var data, ttls sets.Mean
	for _, pair := range sets.LastPairs(refKeys, gotKeys) {
		ref, got := &reference[pair[0]], &candidate[pair[1]]
		data.Add(sets.Jaccard(plainData(ref.data), plainData(got.data)))
		ttls.Add(sets.Quotient(ref.ttl, got.ttl))
	}
	rdata, ttl, soa := data.Or(0), ttls.Or(0), soaShare(firstSOA(reference), firstSOA(candidate))
	return domains.Reading{
		RS:         coverage * coverage * rdata * math.Sqrt((ttl+soa)/2),
		Components: map[string]float64{"coverage": coverage, "rdata": rdata, "ttl": ttl, "soa": soa},
		Elements:   domains.Elements{Reference: len(reference), Candidate: len(candidate)},
	}
}

// plainData are the texts without letter case and final dots.
func plainData(data []string) []string {
	return lists.Map(data, func(text string) string { return withoutDots(pytext.Strip(strings.ToLower(text))) })
}

func withoutDots(text string) string { return strings.TrimRight(text, ".") }

func firstSOA(zone []RecordSet) []string {
	for i := range zone {
		if zone[i].typ == "SOA" {
			return strings.Fields(strings.ToLower(zone[i].data[0]))
		}
	}
	return nil
}

// soaFields are the name server, the mailbox, the serial and four timers.
const soaFields = 7

func soaShare(ref, got []string) float64 {
	switch {
	case ref == nil && got == nil:
		return 1
	case len(ref) != soaFields || len(got) != soaFields:
		return 0
	}
	sum := 0.0
	for i := range ref {
		const timers = 3
		if i >= timers {
			was, _ := strconv.ParseUint(ref[i], 10, 32)
			is, _ := strconv.ParseUint(got[i], 10, 32)
			sum += sets.Quotient(uint32(was), uint32(is))
		} else if withoutDots(ref[i]) == withoutDots(got[i]) {
			sum++
		}
	}
	return sum / soaFields
}

func (e *zoneError) Error() string {
	if e.line == 0 {
		return e.text
	}
	return "line " + strconv.Itoa(e.line) + ": " + e.text
}
