package dbschema

import (
	"fmt"
	"slices"
	"strings"

	"agentd/domains"
)

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

// takesValue reports whether an option has a value after it, with a sign of
// equality or without.
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

// optionFields are options as they are compared. A charset that the collation
// tells is left out.
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
