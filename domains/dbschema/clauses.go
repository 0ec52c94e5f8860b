package dbschema

import (
	"fmt"
	"slices"
	"strings"

	"agentd/domains"
)

// clauses reads tokens of a definition one after the other. A comment that MySQL runs stands for what is in it.
type clauses struct {
	tokens []token
	at     int
}

func newClauses(tokens []token) *clauses {
	if slices.ContainsFunc(tokens, func(t token) bool { return t.kind == versionToken }) {
		var all []token
		for _, t := range tokens {
			if t.kind != versionToken {
				all = append(all, t)
				continue
			}
			inner := strings.TrimSuffix(strings.TrimPrefix(t.text, "/*!"), "*/")
			all = append(all, tokensOf(strings.TrimLeft(inner, "0123456789"))...)
		}
		tokens = all
	}
	return &clauses{tokens: tokens}
}

func (c *clauses) more() bool { return c.at < len(c.tokens) }

func (c *clauses) peek() token {
	if c.more() {
		return c.tokens[c.at]
	}
	return token{}
}

func (c *clauses) next() token {
	t := c.peek()
	if c.more() {
		c.at++
	}
	return t
}

// words moves after words that come next.
func (c *clauses) words(words ...string) bool {
	if len(c.tokens)-c.at < len(words) {
		return false
	}
	for i, word := range words {
		if !c.tokens[c.at+i].is(word) {
			return false
		}
	}
	c.at += len(words)
	return true
}

// then reports whether the token after the next one is a word.
func (c *clauses) then(word string) bool {
	return c.at+1 < len(c.tokens) && c.tokens[c.at+1].is(word)
}

// any moves after the first of several words that comes next.
func (c *clauses) any(words ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return c.words(word) })
}

// list returns what stands in parentheses, cut at its commas; nil if nothing does.
func (c *clauses) list() [][]token {
	if !c.peek().is("(") {
		return nil
	}
	rest := c.tokens[c.at:]
	end := partner(rest)
	if end < 0 {
		c.at = len(c.tokens)
		return atCommas(rest[1:])
	}
	c.at += end + 1
	if end == 1 {
		return [][]token{}
	}
	return atCommas(rest[1:end])
}

// atCommas cuts tokens at the commas outside of parentheses.
func atCommas(tokens []token) [][]token {
	var parts [][]token
	start, depth := 0, 0
	for i, t := range tokens {
		switch {
		case t.is("("):
			depth++
		case t.is(")"):
			depth--
		case t.is(",") && depth == 0:
			parts = append(parts, tokens[start:i])
			start = i + 1
		}
	}
	return append(parts, tokens[start:])
}

// name reads a name, of which one in front of a dot is a part.
func (c *clauses) name() string {
	name := word(c.next())
	for c.peek().is(".") {
		c.at++
		name += "." + word(c.next())
	}
	return name
}

// definition is a column, key or constraint of a table as the format has it.
type definition struct {
	column string // its name; empty of a key
	kind   string // the type of a column, the kind of a key
	name   string // of a key
	// collation of a column that holds text, empty if it is the table's.
	collation string
	charset   string
	size      []string // or the members of an ENUM
	nullable  bool
	value     string // the default
	fields    []domains.Field
	keys      []*definition // written at the column
	parts     []string      // of a key: columns with their lengths and directions
	using     []string      // of a key: names of the columns
}

func (d *definition) set(name, value string) {
	d.fields = append(d.fields, domains.Field{Name: name, Value: value})
}

// allKeys are the keys that an entry makes.
func (d *definition) allKeys() []*definition {
	if d.column == "" {
		return []*definition{d}
	}
	return d.keys
}

// entryDefinition reads an entry of a table.
func entryDefinition(tokens []token) *definition {
	c := newClauses(tokens)
	if key := c.key(); key != nil {
		return key
	}
	return c.column()
}

// The kinds of keys.
const (
	primaryKey = "primary key"
	uniqueKey  = "unique key"
	plainKey   = "key"
	foreignKey = "foreign key"
	checkKey   = "check"
)

// key reads a key or constraint; nil, at the same place, if there is none.
func (c *clauses) key() *definition {
	start := c.at
	d := &definition{}
	if c.words("CONSTRAINT") && !slices.ContainsFunc([]string{"PRIMARY", "UNIQUE", "FOREIGN", "CHECK"}, c.peek().is) {
		d.name = c.name()
	}
	switch {
	case c.words("PRIMARY", "KEY"):
		d.kind = primaryKey
	case c.words("UNIQUE"):
		d.kind = uniqueKey
		c.any("KEY", "INDEX")
	case c.words("FULLTEXT"), c.words("SPATIAL"):
		d.kind = strings.ToLower(c.tokens[c.at-1].text) + " key"
		c.any("KEY", "INDEX")
	case c.words("FOREIGN", "KEY"):
		d.kind = foreignKey
	case c.words("CHECK"):
		d.kind = checkKey
	case (c.peek().is("KEY") || c.peek().is("INDEX")) && c.beginsKey():
		c.at++
		d.kind = plainKey
	default:
		c.at = start
		return nil
	}
	if d.kind == checkKey {
		d.set("condition", expression(slices.Concat(c.list()...)))
		c.keyOptions(d)
		return d
	}
	if !c.peek().is("(") && !c.peek().is("USING") && c.more() {
		if name := c.name(); d.name == "" {
			d.name = name
		}
	}
	c.using(d)
	d.columns(c.list())
	if d.kind == foreignKey {
		c.references(d)
	}
	c.keyOptions(d)
	return d
}

// beginsKey tells a key from a column that is called key: a list follows, with
// a name before it or not, and neither a number nor a text in it, as types have.
func (c *clauses) beginsKey() bool {
	ahead := clauses{tokens: c.tokens, at: c.at + 1}
	if !ahead.peek().is("(") && !ahead.peek().is("USING") {
		ahead.name()
	}
	ahead.any("UNIQUE")
	ahead.any("CLUSTERED", "NONCLUSTERED")
	if ahead.words("USING") {
		ahead.next()
	}
	list := ahead.list()
	return list != nil && !slices.ContainsFunc(list, func(item []token) bool {
		return len(item) > 0 && (item[0].kind == numberToken || item[0].kind == stringToken)
	})
}

func (d *definition) columns(items [][]token) {
	for _, item := range items {
		c := &clauses{tokens: item}
		name := c.name()
		part := name
		if c.peek().is("(") {
			part += "(" + expression(slices.Concat(c.list()...)) + ")"
		}
		if c.words("DESC") {
			part += " DESC"
		}
		c.any("ASC")
		if c.more() || name == "(" {
			part = expression(item)
		}
		d.parts = append(d.parts, part)
		d.using = append(d.using, name)
	}
}

// references reads what a foreign key leads to.
func (c *clauses) references(d *definition) {
	if !c.words("REFERENCES") {
		return
	}
	d.set("references", c.name())
	for n, item := range c.list() {
		d.set(fmt.Sprintf("referenced column %d", n+1), expressionName(item))
	}
	for c.more() {
		switch {
		case c.words("ON", "DELETE"), c.words("ON", "UPDATE"):
			when := "on " + strings.ToLower(c.tokens[c.at-1].text)
			action := strings.ToUpper(c.next().text)
			if action == "SET" || action == "NO" {
				action += " " + strings.ToUpper(c.next().text)
			}
			if action != "RESTRICT" && action != "NO ACTION" { // what MySQL does anyway
				d.set(when, action)
			}
		case c.words("MATCH"):
			if match := strings.ToUpper(c.next().text); match != "SIMPLE" {
				d.set("match", match)
			}
		default:
			return
		}
	}
}

func expressionName(tokens []token) string {
	if len(tokens) == 1 {
		return word(tokens[0])
	}
	return expression(tokens)
}

// using reads how a key is kept, if it is said.
func (c *clauses) using(d *definition) bool {
	said := c.words("USING")
	if said {
		d.set("using", strings.ToLower(c.name()))
	}
	return said
}

// keyOptions reads what follows the list of a key.
func (c *clauses) keyOptions(d *definition) {
	for n := 1; c.more(); {
		switch {
		case c.using(d):
		case c.words("COMMENT"):
			d.set("comment", c.next().value())
		case c.any("VISIBLE", "ENFORCED"):
		default:
			d.set(fmt.Sprintf("clause %d", n), word(c.next()))
			n++
		}
	}
}

// word is a token in which the letter case of keywords, and of names without quotes, does not matter.
func word(t token) string {
	if t.kind == wordToken {
		return strings.ToLower(t.text)
	}
	return t.value()
}

// expression writes tokens with single blanks, words in lower case, without parentheses around the whole.
func expression(tokens []token) string {
	for len(tokens) > 1 && tokens[0].is("(") && partner(tokens) == len(tokens)-1 {
		tokens = tokens[1 : len(tokens)-1]
	}
	var b strings.Builder
	for i, t := range tokens {
		if t.kind == wordToken && t.text[0] == '_' && i+1 < len(tokens) && tokens[i+1].kind == stringToken {
			continue // _utf8mb4'text', as MySQL writes conditions
		}
		joined := i > 0 && (t.is("=") || t.is(">")) && isComparison(tokens[i-1]) && !t.space
		if b.Len() > 0 && !joined {
			b.WriteByte(' ')
		}
		switch t.kind {
		case stringToken:
			b.WriteString("'" + t.value() + "'")
		case nameToken:
			b.WriteString(strings.ToLower(t.value()))
		default:
			b.WriteString(strings.ToLower(t.text))
		}
	}
	return strings.ReplaceAll(b.String(), "!=", "<>")
}

func isComparison(t token) bool { return t.is("<") || t.is(">") || t.is("!") }

// partner is the place of the parenthesis that closes the first token.
func partner(tokens []token) int {
	depth := 0
	for i, t := range tokens {
		switch {
		case t.is("("):
			depth++
		case t.is(")"):
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// option is a table's ENGINE, COMMENT or the like.
type option struct {
	name  string // in lower case
	value string
	from  int // where its tokens begin
	to    int // and end
}

// optionsOf reads what follows the parenthesis of a table.
func optionsOf(c *clauses) []option {
	var options []option
	unknown := 0
	for c.more() {
		o := option{from: c.at}
		c.any(",")
		c.words("DEFAULT")
		switch {
		case c.words("CHARACTER", "SET"), c.any("CHARSET"):
			o.name = "charset"
			c.any("=")
			o.value = strings.ToLower(c.next().value())
		case c.peek().is("PARTITION"):
			o.name, o.value = "partitions", expression(c.tokens[c.at:])
			c.at = len(c.tokens)
		case c.at+1 < len(c.tokens) && c.peek().kind == wordToken && takesValue(c.peek().text, c.tokens[c.at+1]):
			o.name = strings.ToLower(c.next().text)
			c.any("=")
			o.value = c.next().value()
			if o.name != "comment" {
				o.value = strings.ToLower(o.value)
			}
		default:
			unknown++
			o.name, o.value = fmt.Sprintf("clause %d", unknown), word(c.next())
		}
		if o.name == "type" {
			o.name = "engine" // as MySQL 4 called it
		}
		o.to = c.at
		options = append(options, o)
	}
	return options
}

// takesValue reports whether an option has a value after it, with a sign of equality or without.
func takesValue(name string, after token) bool {
	valued := []string{"ENGINE", "COLLATE", "AUTO_INCREMENT", "COMMENT", "ROW_FORMAT", "TABLESPACE"}
	return after.is("=") || after.kind != markToken && slices.Contains(valued, strings.ToUpper(name))
}

// optionValue is the value of the last option of that name.
func optionValue(options []option, name string) string {
	value := ""
	for _, o := range options {
		if o.name == name {
			value = o.value
		}
	}
	return value
}

// optionFields are options as they are compared. A charset that the collation tells is left out.
func optionFields(options []option) []domains.Field {
	var fields []domains.Field
	collation := optionValue(options, "collate")
	for _, o := range options {
		if o.name == "charset" && strings.HasPrefix(collation, o.value+"_") {
			continue
		}
		fields = append(fields, domains.Field{Name: o.name, Value: o.value})
	}
	return fields
}
