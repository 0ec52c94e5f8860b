package dbschema

import (
	"slices"
	"strings"

	"agentd/domains/internal/pytext"
)

// forSQLite rewrites MySQL's language to what SQLite takes, as the published evaluator does: rules run over the whole
// text, one after the other, without regard to strings and comments, and a list ends at its first parenthesis.
func forSQLite(text string) string {
	s := newScript(text)
	for _, r := range rules {
		s.apply(r)
	}
	return s.text
}

var rules = slices.Concat(
	optionRules(), []rule{{word: "`", lead: atWord, rest: nothing, with: `"`}}, typeRules(), clauseRules(), leftoverRules(),
)

// drop takes out what a rule matches.
func drop(lead lead, word string, rest ...pattern) rule {
	return rule{word: word, lead: lead, rest: sequence(rest...)}
}

// optionRules take out what SQLite has no word for.
func optionRules() []rule {
	end := sequence(gap, upTo(';'))
	perhapsEquals := sequence(blanks, optional(literal("=")), blanks)
	precision := sequence(literal("("), while(0, isNumeral), literal(")"))
	rules := []rule{
		drop(atLine, "set", end),
		drop(atWord, "/*!", digits, gap, upTo('*'), literal("/")),
		drop(atLine, "#", toLineEnd),
		drop(atLine, "insert", words("into"), end),
		drop(atLine, "update", end),
		drop(atLine, "delete", end),
		drop(atWord, "engine", equals, name),
		drop(atWord, "default", words("charset"), equals, name),
		drop(atWord, "row_format", equals, name),
		drop(atDefault, "character", words("set"), gap, name, optional(words("collate"), gap, name)),
		drop(atWord, "collate", perhapsEquals, name),
		drop(atBoundary, "collation", wordEnds, perhapsEquals, while(0, pytext.IsWord)),
		drop(atWord, "auto_increment", equals, digits),
		drop(atWord, "auto_increment"),
		drop(atWord, "comment", equals, between('\'')),
		drop(atWord, "comment", equals, between('"')),
		drop(atWord, "comment", gap, doubled('\'')),
		drop(atWord, "comment", gap, doubled('"')),
		drop(atWord, "on", words("update", "current_timestamp"), optional(precision)),
		drop(after("timestamp", atBoundary), "timestamp", blanks, width),
		drop(after("datetime", atBoundary), "datetime", blanks, width),
		drop(after("current_timestamp", atWord), "current_timestamp", blanks, precision),
		drop(atWord, "/*", comment),
	}
	for _, word := range []string{"max_rows", "avg_row_length", "pack_keys", "checksum", "delay_key_write", "min_rows"} {
		rules = append(rules, drop(atWord, word, equals, digits))
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
	actions := repeated(
		words("on"), either(words("delete"), words("update")),
		either(words("cascade"), words("set", "null"), words("set", "default"), words("restrict"), words("no", "action")),
	)
	references := func(table pattern) pattern {
		return sequence(list, blanks, literal("references"), gap, table, list, actions)
	}
	kept := optional(blanks, either(literal("virtual"), literal("stored")))
	rules := []rule{
		drop(atWord, "generated", words("always", "as"), blanks, balanced, kept),
		drop(atAnyComma, "constraint", gap, quoted, words("foreign", "key"), references(quoted)),
		drop(atAnyComma, "constraint", gap, name, words("foreign", "key"), references(name)),
		drop(atAnyComma, "foreign", words("key"), references(quoted)),
	}
	names := []pattern{sequence(gap, quoted), sequence(gap, name), nothing}
	keys := func(first string, more pattern, names ...pattern) {
		for _, named := range names {
			rules = append(rules, drop(atComma, first, more, named, list))
		}
	}
	keys("key", nothing, names...)
	keys("index", nothing, names...)
	keys("unique", words("index"), names[:2]...)
	keys("fulltext", either(words("key"), words("index")), names[:2]...)
	keys("fulltext", nothing, nothing)

	renamed := func(first string, with string, rest ...pattern) {
		all := sequence(append(rest, list)...)
		rules = append(rules, rule{word: first, lead: atWord, rest: all, with: with, keepList: true})
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
		drop(atQuoted, "(", digits, literal(")")),
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
