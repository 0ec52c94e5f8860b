package dbschema

import (
	"strings"

	"agentd/domains/internal/pytext"
)

// forSQLite rewrites MySQL's language to what SQLite takes, as the published
// evaluator does: rules run over the whole text, one after the other, without
// regard to strings and comments, and a list ends at its first parenthesis.
func forSQLite(text string) string {
	s := newScript(text)
	for _, set := range ruleSets {
		for _, r := range set {
			s.apply(r)
		}
	}
	return s.text
}

var ruleSets = [][]rule{
	optionRules(), {{word: "`", lead: atWord, rest: nothing, with: `"`}}, typeRules(), clauseRules(), leftoverRules(),
}

// optionRules take out what SQLite has no word for.
func optionRules() []rule {
	statement := func(first string, more ...string) rule {
		return rule{word: first, lead: atLine, rest: sequence(words(more...), gap, upTo(';'))}
	}
	rules := []rule{
		statement("set"),
		{word: "/*!", lead: atWord, rest: sequence(digits, gap, upTo('*'), literal("/"))},
		{word: "#", lead: atLine, rest: toLineEnd},
		statement("insert", "into"),
		statement("update"),
		statement("delete"),
	}
	setting := func(word string, rest ...pattern) {
		rules = append(rules, rule{word: word, lead: atWord, rest: sequence(rest...)})
	}
	setting("engine", equals, name)
	setting("default", words("charset"), equals, name)
	setting("row_format", equals, name)
	rules = append(rules, rule{word: "character", lead: atDefault, rest: sequence(
		words("set"), gap, name, optional(words("collate"), gap, name),
	)})
	setting("collate", blanks, optional(literal("=")), blanks, name)
	rules = append(rules, rule{word: "collation", lead: atBoundary, rest: sequence(
		wordEnds, blanks, optional(literal("=")), blanks, while(0, pytext.IsWord),
	)})
	setting("auto_increment", equals, digits)
	setting("auto_increment")
	setting("comment", equals, between('\''))
	setting("comment", equals, between('"'))
	setting("comment", gap, doubled('\''))
	setting("comment", gap, doubled('"'))
	precision := sequence(literal("("), while(0, isNumeral), literal(")"))
	setting("on", words("update", "current_timestamp"), optional(precision))
	for _, word := range []string{"timestamp", "datetime"} {
		rules = append(rules, rule{word: word, lead: after(word, atBoundary), rest: sequence(blanks, width)})
	}
	const now = "current_timestamp"
	rules = append(rules, rule{word: now, lead: after(now, atWord), rest: sequence(blanks, precision)})
	rules = append(rules, rule{word: "/*", lead: atWord, rest: comment})
	for _, word := range []string{"max_rows", "avg_row_length", "pack_keys", "checksum", "delay_key_write", "min_rows"} {
		setting(word, equals, digits)
	}
	return rules
}

func isNumeral(r rune) bool { return '0' <= r && r <= '9' }

func toLineEnd(c *cursor) bool {
	c.at = c.finder.find(c.text, '\n', c.at)
	return true
}

// comment matches the rest of a block comment that is none of MySQL's own.
func comment(c *cursor) bool {
	if strings.HasPrefix(c.text[c.at:], "!") {
		return false
	}
	for {
		star := c.finder.find(c.text, '*', c.at)
		if star == len(c.text) {
			return false
		}
		if c.at = star + 1; strings.HasPrefix(c.text[c.at:], "/") {
			c.at++
			return true
		}
	}
}

// between matches a text between two marks.
func between(mark byte) pattern { return sequence(literal(string(mark)), upTo(mark)) }

// doubled matches a text between two marks in which a doubled mark stands for
// one. If no mark closes it, a doubled one does.
func doubled(mark byte) pattern {
	return func(c *cursor) bool {
		if !strings.HasPrefix(c.text[c.at:], string(mark)) {
			return false
		}
		last := -1
		for at := c.at + 1; ; at += 2 {
			if at = c.finder.find(c.text, mark, min(at, len(c.text))); at == len(c.text) {
				break
			}
			if last = at; at+1 == len(c.text) || c.text[at+1] != mark {
				break
			}
		}
		c.at = last + 1
		return last >= 0
	}
}

// after keeps the word, so that only what follows it is replaced.
func after(word string, where lead) lead {
	return func(text string, done, at int) (int, bool) {
		start, ok := where(text, done, at)
		return start + len(word), ok
	}
}

// typeRules give types SQLite's names.
func typeRules() []rule {
	rules := []rule{
		{word: "enum", lead: atWord, rest: list, with: "TEXT"},
		{word: "set", lead: atBoundary, rest: list, with: "TEXT"},
	}
	is := func(with string, rest pattern, words ...string) {
		for _, word := range words {
			rules = append(rules, rule{word: word, lead: atBoundary, rest: sequence(wordEnds, rest), with: with})
		}
	}
	is("INTEGER", optional(width), "tinyint", "smallint", "mediumint", "bigint", "int")
	is("", nothing, "unsigned")
	is("TEXT", nothing, "tinytext", "mediumtext", "longtext")
	is("BLOB", nothing, "mediumblob", "longblob", "tinyblob")
	is("BLOB", sequence(blanks, width), "binary")
	is("", nothing, "binary")
	is("REAL", nothing, "double")
	is("TEXT", nothing, "json")
	return rules
}

// clauseRules take out what SQLite does not take in a table, and names of keys.
func clauseRules() []rule {
	rules := []rule{{word: "generated", lead: atWord, rest: sequence(
		words("always", "as"), blanks, balanced, optional(blanks, either(literal("virtual"), literal("stored"))),
	)}}
	actions := repeated(
		words("on"), either(words("delete"), words("update")),
		either(words("cascade"), words("set", "null"), words("set", "default"), words("restrict"), words("no", "action")),
	)
	references := func(table pattern) pattern {
		return sequence(list, blanks, literal("references"), gap, table, list, actions)
	}
	for _, named := range []pattern{quoted, name} {
		rules = append(rules, rule{word: "constraint", lead: atAnyComma, rest: sequence(
			gap, named, words("foreign", "key"), references(named),
		)})
	}
	rules = append(rules, rule{word: "foreign", lead: atAnyComma, rest: sequence(words("key"), references(quoted))})
	names := []pattern{sequence(gap, quoted), sequence(gap, name), nothing}
	keys := func(first string, more pattern, names ...pattern) {
		for _, named := range names {
			rules = append(rules, rule{word: first, lead: atComma, rest: sequence(more, named, list)})
		}
	}
	keys("key", nothing, names...)
	keys("index", nothing, names...)
	keys("unique", words("index"), names[:2]...)
	keys("fulltext", either(words("key"), words("index")), names[:2]...)
	keys("fulltext", nothing, nothing)

	renamed := func(first string, with string, rest ...pattern) {
		rules = append(rules, rule{word: first, lead: atWord, rest: sequence(append(rest, list)...), with: with, keepList: true})
	}
	renamed("unique", "UNIQUE ", words("key"))
	renamed("unique", "UNIQUE ", words("key"), gap, quoted)
	renamed("unique", "UNIQUE ", words("key"), gap, name)
	renamed("unique", "UNIQUE ", gap, quoted)
	renamed("primary", "PRIMARY KEY ", words("key"), gap, quoted)
	renamed("primary", "PRIMARY KEY ", words("key"), gap, name)
	return rules
}

// balanced matches a parenthesis up to its partner, or the rest of the text.
func balanced(c *cursor) bool {
	if !literal("(")(c) {
		return false
	}
	for depth := 1; c.at < len(c.text) && depth > 0; c.at++ {
		switch c.text[c.at] {
		case '(':
			depth++
		case ')':
			depth--
		}
	}
	return true
}

// leftoverRules take (10) from after names in double quotes, and words between a closing
// parenthesis and a semicolon.
func leftoverRules() []rule {
	return []rule{
		{word: "(", lead: atQuoted, rest: sequence(digits, literal(")"))},
		{word: ")", lead: after(")", atWord), with: ";", rest: sequence(
			while(1, isBlank), while(1, pytext.IsWord),
			while(0, func(r rune) bool { return pytext.IsWord(r) || isBlank(r) }), literal(";"),
		)},
		{word: ")", lead: after(")", atWord), with: ";", rest: sequence(equals, literal(";"))},
	}
}

func isBlank(r rune) bool { return r == ' ' || r == '\t' }

// tableScripts are the statements that are run one by one where the whole text
// does not run: each CREATE TABLE up to the next semicolon, with the DROP TABLE
// before it.
func tableScripts(text string) []string {
	create := sequence(literal("create"), words("table"), gap, upTo(';'))
	drop := sequence(literal("drop"), words("table", "if", "exists"), gap, upTo(';'), blanks, create)
	c := cursor{script: newScript(text)}
	var found []string
	for at := 0; at < len(text); {
		start := at + strings.IndexAny(c.lower[at:], "cd")
		if start < at {
			break
		}
		if c.at = start; !drop(&c) {
			if c.at = start; !create(&c) {
				at = start + 1
				continue
			}
		}
		found = append(found, text[start:c.at])
		at = c.at
	}
	return found
}
