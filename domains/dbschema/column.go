package dbschema

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"
)

// column reads the definition of a column.
func (c *clauses) column() *definition {
	d := &definition{column: c.name(), nullable: true}
	c.typeOf(d)
	unsigned, unknown := false, 0
	for c.more() {
		switch {
		case c.any("UNSIGNED"):
			unsigned = true
		case c.any("SIGNED", "VISIBLE"):
		case c.words("ZEROFILL"):
			unsigned = true
			d.set("zerofill", "yes")
		case c.words("CHARACTER", "SET"), c.words("CHARSET"):
			d.charset = strings.ToLower(c.next().value())
		case c.words("COLLATE"):
			d.collation = strings.ToLower(c.next().value())
		case c.words("NOT", "NULL"):
			d.nullable = false
		case c.words("NULL"):
		case c.words("DEFAULT"):
			d.value = c.constant()
		case c.any("AUTO_INCREMENT", "AUTOINCREMENT"):
			d.set("auto_increment", "yes")
		case c.words("COMMENT"):
			d.set("comment", c.next().value())
		case c.words("ON", "UPDATE"):
			d.set("on update", c.constant())
		case c.words("GENERATED", "ALWAYS", "AS"), c.words("AS"):
			d.set("generated", expression(slices.Concat(c.list()...)))
			if c.any("STORED", "PERSISTENT") {
				d.set("storage", "stored")
			}
			c.any("VIRTUAL")
		case c.keyHere(d):
		default:
			unknown++
			d.set(fmt.Sprintf("clause %d", unknown), word(c.next()))
		}
	}
	if unsigned {
		d.set("unsigned", "yes")
	}
	d.value = normalDefault(d)
	return d
}

// keyHere reads a key or constraint that is written at a column.
func (c *clauses) keyHere(d *definition) bool {
	start := c.at
	name := ""
	if c.words("CONSTRAINT") {
		name = c.name()
	}
	key := &definition{name: name, parts: []string{d.column}, using: []string{d.column}}
	switch {
	case c.words("PRIMARY", "KEY"), c.words("KEY"):
		key.kind = primaryKey
	case c.words("UNIQUE"):
		key.kind = uniqueKey
		c.any("KEY")
	case c.words("CHECK"):
		key.kind, key.parts, key.using = checkKey, nil, nil
		key.set("condition", expression(slices.Concat(c.list()...)))
	case c.peek().is("REFERENCES"):
		key.kind = foreignKey
		c.references(key)
	default:
		c.at = start
		return false
	}
	d.keys = append(d.keys, key)
	return true
}

// synonyms are types by their other names.
var synonyms = map[string]string{
	"integer": "int", "dec": "decimal", "numeric": "decimal", "fixed": "decimal", "character": "char",
	"double precision": "double", "real": "double", "character varying": "varchar", "char varying": "varchar",
	"int4": "int", "int8": "bigint", "int2": "smallint", "int1": "tinyint", "int3": "mediumint", "float8": "double",
	"float4": "float", "middleint": "mediumint", "long varchar": "mediumtext", "long": "mediumtext",
}

// typeOf reads a type with its size, or its members.
func (c *clauses) typeOf(d *definition) {
	if c.peek().kind != wordToken {
		return
	}
	d.kind = strings.ToLower(c.next().text)
	for _, second := range []string{"PRECISION", "VARYING", "VARCHAR"} {
		if c.words(second) {
			d.kind += " " + strings.ToLower(second)
		}
	}
	d.kind = cmp.Or(synonyms[d.kind], d.kind)
	for _, item := range c.list() {
		d.size = append(d.size, expressionName(item))
	}
	switch {
	case d.kind == "bool" || d.kind == "boolean":
		d.kind, d.size = "tinyint", []string{"1"}
	case d.kind == "decimal" && len(d.size) == 0:
		d.size = []string{"10", "0"}
	case d.kind == "decimal" && len(d.size) == 1:
		d.size = append(d.size, "0")
	case (d.kind == "char" || d.kind == "bit") && len(d.size) == 0:
		d.size = []string{"1"}
	case d.isTime() && len(d.size) == 1 && d.size[0] == "0":
		d.size = nil
	}
	for c.peek().kind == wordToken && (c.words("WITH", "TIME", "ZONE") || c.words("WITHOUT", "TIME", "ZONE")) {
		if c.tokens[c.at-3].is("WITH") {
			d.kind += " with time zone"
		}
	}
}

func (d *definition) isTime() bool {
	return d.kind == "timestamp" || d.kind == "datetime" || d.kind == "time"
}

func (d *definition) isNumber() bool {
	return slices.Contains([]string{
		"tinyint", "smallint", "mediumint", "int", "bigint", "decimal", "float", "double", "year", "bit",
	}, d.kind)
}

func (d *definition) isText() bool {
	return d.kind == "char" || d.kind == "varchar" || d.kind == "enum" || d.kind == "set" ||
		strings.HasSuffix(d.kind, "text")
}

// constant reads a default: a literal, an expression in parentheses or a call.
func (c *clauses) constant() string {
	start := c.at
	c.any("+", "-")
	if c.peek().is("(") {
		c.list()
	} else if first := c.next(); first.kind == wordToken {
		switch {
		case c.peek().is("(") && !c.peek().space || c.peek().is("(") && isNow(first.text):
			c.list()
		case c.peek().kind == stringToken && !c.peek().space: // b'0'
			c.at++
		}
	}
	for c.words(":", ":") { // a cast of PostgreSQL's
		c.name()
		c.words("VARYING")
		c.list()
	}
	return expression(c.tokens[start:c.at])
}

func isNow(word string) bool {
	return slices.Contains([]string{"current_timestamp", "now", "localtime", "localtimestamp"}, strings.ToLower(word))
}

// normalDefault is equal for defaults that mean the same for the type.
func normalDefault(d *definition) string {
	value := d.value
	function, rest, _ := strings.Cut(value, " ")
	switch {
	case value == "null":
		return ""
	case isNow(function) && (rest == "" || rest == "( )" || rest == "( 0 )"):
		return "current_timestamp"
	case isNow(function):
		return "current_timestamp " + rest
	case !d.isNumber():
		return value
	case value == "true":
		return "1"
	case value == "false":
		return "0"
	}
	number, err := decimal.NewFromString(strings.ReplaceAll(strings.Trim(value, "'"), "- ", "-"))
	if err == nil && len(value) < 40 && number.Exponent() > -40 && number.Exponent() < 40 {
		return number.String()
	}
	return value
}
