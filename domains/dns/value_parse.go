package dns

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// recordSet is what the published reading makes of the records of one owner and
// type.
type recordSet struct {
	name string // relative to the zone's origin, "@" for the origin itself
	typ  string
	ttl  uint32
	data []string
}

// parse is the published reading: the record sets of all zone files in name
// order. A file that cannot be read, not even with repairs, fails the document.
func parse(files vfs.Files) ([]recordSet, error) {
	var sets []recordSet
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
func parseFile(name, text string) ([]recordSet, error) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if first, rest, _ := strings.Cut(text, "\n"); pytext.Strip(first) == name {
		text = rest
	}
	return repaired(text, firstOrigin(text))
}

// firstOrigin is the argument of the first $ORIGIN, valid or not, with a final
// dot.
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

func (e *zoneError) Error() string {
	if e.line == 0 {
		return e.text
	}
	return "line " + strconv.Itoa(e.line) + ": " + e.text
}

// readZone reads a text without repairs.
func readZone(text, origin string) ([]recordSet, *zoneError) {
	zone, err := readName(origin, root)
	if err != nil {
		return nil, &zoneError{text: err.Error()}
	}
	r := &zoneReader{
		tokens: newTokenizer(text), zone: zone, origin: zone, owner: zone,
		nodes: map[string]*node{}, known: map[datum]bool{},
	}
	if err := r.run(); err != nil {
		failure := &zoneError{text: err.Error()}
		var syntax syntaxError
		if errors.As(err, &syntax) {
			failure.line = r.tokens.line
		}
		return nil, failure
	}
	return r.sets(), nil
}

type zoneReader struct {
	tokens     *tokenizer
	zone       string // the zone's origin
	origin     string // the current one
	owner      string // the last one, absolute
	defaultTTL *uint32
	lastTTL    *uint32
	nodes      map[string]*node // by name without letter case
	inOrder    []*node
	known      map[datum]bool
	generated  int // records made by $GENERATE
}

// datum is data of a set, by its key.
type datum struct {
	set *nodeSet
	key string
}

// node has the record sets of one name.
type node struct {
	name string
	sets []*nodeSet
}

type nodeSet struct {
	recordSet
	covers string // the type that a signature is of
}

func (r *zoneReader) sets() []recordSet {
	var sets []recordSet
	for _, n := range r.inOrder {
		for _, s := range n.sets {
			sets = append(sets, s.recordSet)
		}
	}
	return sets
}

func (r *zoneReader) run() error {
	for {
		tok, err := r.tokens.next(true, true)
		switch {
		case err != nil:
			return err
		case tok.kind == endOfFile:
			return nil
		case tok.kind == endOfLine:
			continue
		case tok.kind == commentToken:
			err = r.endLine()
		case tok.value == "":
			return errors.New("string index out of range")
		case tok.value[0] == '$':
			err = r.directive(strings.ToUpper(tok.value))
		default:
			r.tokens.hold(tok)
			err = r.record()
		}
		if err != nil {
			return err
		}
	}
}

func (r *zoneReader) endLine() error {
	tok, err := r.tokens.next(false, false)
	if err == nil && !tok.ends() {
		err = syntaxError(fmt.Sprintf(`expected EOL or EOF, got %d "%s"`, tok.kind, tok.value))
	}
	return err
}

// word returns the next token, which must be one without quotes.
func (r *zoneReader) word() (string, error) {
	tok, err := r.tokens.next(false, false)
	if err == nil && tok.kind != identifier {
		err = syntaxError("Text input is malformed.")
	}
	return tok.value, err
}

func (r *zoneReader) directive(name string) error {
	switch name {
	case "$GENERATE":
		return r.generate()
	case "$TTL", "$ORIGIN":
	default:
		return syntaxError("zone file directive '" + name + "' is not allowed")
	}
	text, err := r.word()
	if err == nil && name == "$ORIGIN" {
		// Without a final dot it stays relative, and all below it is outside
		// the zone.
		r.origin, err = readName(text, "")
	} else if err == nil {
		ttl, ok := readTTL(text)
		if !ok {
			return syntaxError("DNS TTL value is not well-formed.")
		}
		r.defaultTTL = &ttl
	}
	if err != nil {
		return err
	}
	return r.endLine()
}

// record reads a line: owner, TTL, class, type and data.
func (r *zoneReader) record() error {
	first, err := r.tokens.next(true, false)
	if err != nil {
		return err
	}
	if first.kind == leadingBlank {
		next, err := r.tokens.next(false, false)
		if err != nil || next.ends() {
			return err
		}
		r.tokens.hold(next)
	} else if err := r.setOwner(first); err != nil {
		return err
	}
	name, inside := cutOrigin(r.owner, r.zone)
	if !inside {
		return r.skipLine()
	}
	ttl, err := r.ttl()
	if err != nil {
		return err
	}
	if err := r.class(); err != nil {
		return err
	}
	typ, err := r.typeWord()
	if err != nil {
		return err
	}
	text, key, err := r.rdata(typ)
	if err == nil {
		err = r.endLine()
	}
	if err != nil {
		return err
	}
	if typ == "SOA" && r.defaultTTL == nil {
		minimum, _ := readTTL(text[strings.LastIndexByte(text, ' ')+1:])
		r.defaultTTL = &minimum
		if ttl == nil {
			ttl = &minimum
		}
	}
	if ttl == nil {
		return syntaxError("Missing default TTL value")
	}
	return r.add(name, typ, *ttl, text, key)
}

func (r *zoneReader) setOwner(tok token) error {
	if tok.kind != identifier {
		return syntaxError("expecting an identifier")
	}
	owner, err := readName(tok.value, r.origin)
	if err == nil {
		r.owner = owner
	}
	return err
}

func (r *zoneReader) skipLine() error {
	for {
		if tok, err := r.tokens.next(false, false); err != nil || tok.ends() {
			return err
		}
	}
}

// ttl reads a TTL if there is one; otherwise it is the default, or the last one.
func (r *zoneReader) ttl() (*uint32, error) {
	text, err := r.word()
	if err != nil {
		return nil, err
	}
	if ttl, ok := readTTL(text); ok {
		r.lastTTL = &ttl
		return &ttl, nil
	}
	r.tokens.hold(token{identifier, text})
	if r.defaultTTL != nil {
		return r.defaultTTL, nil
	}
	return r.lastTTL, nil
}

// class takes IN, or nothing.
func (r *zoneReader) class() error {
	text, err := r.word()
	if err != nil {
		return err
	}
	if !isClass(text) {
		r.tokens.hold(token{identifier, text})
	} else if !isInternet(text) {
		return syntaxError("RR class is not zone's class")
	}
	return nil
}

func isClass(text string) bool {
	upper := strings.ToUpper(text)
	number, ok := strings.CutPrefix(upper, "CLASS")
	return ok && plain.IsDigits(number) || slices.Contains(classes, upper)
}

var classes = strings.Fields("IN CH HS NONE ANY INTERNET CHAOS HESIOD RESERVED0")

func isInternet(text string) bool {
	upper := strings.ToUpper(text)
	return upper == "IN" || upper == "INTERNET" || upper == "CLASS1"
}

func (r *zoneReader) typeWord() (string, error) {
	text, err := r.word()
	if err != nil {
		return "", err
	}
	typ, ok := recordType(text)
	if !ok {
		return "", syntaxError("unknown rdatatype '" + text + "'")
	}
	return typ, nil
}

// singletons are types of which a name has one record: the last one read.
var singletons = []string{"CNAME", "DNAME", "NSEC", "NXT", "SOA"}

func (r *zoneReader) add(name, typ string, ttl uint32, text, key string) error {
	if typ == "SOA" && name != "" {
		return errors.New("add() has non-origin SOA")
	}
	covers := ""
	if typ == "RRSIG" {
		covers, _, _ = strings.Cut(strings.ToUpper(text), " ")
	}
	n := r.node(name)
	set := n.set(typ, covers)
	if set == nil {
		if n.clashes(typ, covers) {
			return errors.New("CNAME and other data at one name")
		}
		set = &nodeSet{recordSet: recordSet{name: n.name, typ: typ, ttl: ttl}, covers: covers}
		n.sets = append(n.sets, set)
	}
	set.ttl = min(set.ttl, ttl)
	if slices.Contains(singletons, typ) {
		set.data = []string{text}
	} else if d := (datum{set, key}); !r.known[d] {
		r.known[d] = true
		set.data = append(set.data, text)
	}
	return nil
}

func (r *zoneReader) node(name string) *node {
	key := strings.ToLower(name)
	n := r.nodes[key]
	if n == nil {
		n = &node{name: orApex(name)}
		r.nodes[key] = n
		r.inOrder = append(r.inOrder, n)
	}
	return n
}

func (n *node) set(typ, covers string) *nodeSet {
	for _, s := range n.sets {
		if s.typ == typ && s.covers == covers {
			return s
		}
	}
	return nil
}

// clashes reports whether a CNAME would come next to other data.
func (n *node) clashes(typ, covers string) bool {
	isAlias, neutral := aliasKind(typ, covers)
	return !neutral && slices.ContainsFunc(n.sets, func(s *nodeSet) bool {
		alias, neutral := aliasKind(s.typ, s.covers)
		return !neutral && alias != isAlias
	})
}

// aliasKind tells a CNAME, signature included, from the types that may stand
// next to one and from all others.
func aliasKind(typ, covers string) (alias, neutral bool) {
	if typ == "RRSIG" {
		typ = covers
	}
	return typ == "CNAME", typ == "NSEC" || typ == "NSEC3" || typ == "KEY"
}
