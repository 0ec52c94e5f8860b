package dbschema

import (
	"strings"
	"sync"
	"unicode/utf8"

	"agentd/domains/internal/pytext"
	"agentd/internal/lazyregexp"
)

// forSQLite rewrites MySQL's language to what SQLite takes, as the published evaluator does: rules run over the whole
// text, one after the other, without regard to strings and comments, and a list ends at its first parenthesis. What comes
// out is in lower case, which is the same to SQLite and to those who read the schema back.
func forSQLite(text string) string {
	text = lowerASCII(text)
	for _, r := range rules() {
		text = r.apply(text)
	}
	return text
}

func lowerASCII(text string) string {
	b := []byte(text)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// rule replaces every stretch of a text that a word begins.
type rule struct {
	lead lead
	word string // in lower case, as with is
	rest string // pattern of what follows the word; what its group matches is put after the replacement
	with string

	pattern *lazyregexp.Regexp
	// until is the mark up to which the rest goes. Without one further on nothing matches, which spares looking for it
	// again and again.
	until string
}

// lead finds where the stretch begins whose word stands at a place. It does not
// reach back over done, where the stretch before ended.
type lead func(text string, done, word int) (start int, ok bool)

// apply rewrites a text in lower case.
func (r rule) apply(text string) string {
	var out strings.Builder
	last := strings.LastIndex(text, r.until)
	done, from := 0, 0
	for {
		word := strings.Index(text[from:], r.word)
		if word += from; word < from || word > last {
			break
		}
		from = word + 1
		start, ok := r.lead(text, done, word)
		rest := word + len(r.word)
		if !ok {
			continue
		}
		m := r.pattern.FindStringSubmatchIndex(text[rest:])
		if m == nil {
			continue
		}
		if done == 0 {
			out.Grow(len(text))
		}
		out.WriteString(text[done:start])
		out.WriteString(r.with)
		if len(m) > 2 {
			out.WriteString(text[rest+m[2] : rest+m[3]])
		}
		done = rest + m[1]
		from = done
	}
	if done == 0 {
		return text
	}
	out.WriteString(text[done:])
	return out.String()
}

// Parts of patterns.
const (
	end     = `\s+[^;]*;`
	equals  = `\s*=\s*`
	width   = `\(\d+\)`
	list    = `\s*\([^)]+\)`
	quoted  = `"[^"]+"`
	actions = `(?:\s+on\s+(?:delete|update)\s+(?:cascade|set\s+null|set\s+default|restrict|no\s+action))*`
)

// nested matches parentheses with what they hold, up to the depth that a generated column has.
func nested() string {
	inside := `[^()]*`
	for range 8 {
		inside = `(?:[^()]|\(` + inside + `\))*`
	}
	return `\(` + inside + `\)`
}

// rules are in the order in which they run.
var rules = sync.OnceValue(func() []rule {
	all := []rule{
		// What SQLite has no word for.
		{lead: atLine, word: "set", rest: end},
		{lead: atWord, word: "/*!", rest: `\d+\s+[^*]*\*/`},
		{lead: atLine, word: "#", rest: `[^\n]*`},
		{lead: atLine, word: "insert", rest: `\s+into` + end},
		{lead: atLine, word: "update", rest: end},
		{lead: atLine, word: "delete", rest: end},
		{lead: atWord, word: "engine", rest: equals + `\w+`},
		{lead: atWord, word: "default", rest: `\s+charset` + equals + `\w+`},
		{lead: atWord, word: "row_format", rest: equals + `\w+`},
		{lead: atDefault, word: "character", rest: `\s+set\s+\w+(?:\s+collate\s+\w+)?`},
		{lead: atWord, word: "collate", rest: `\s*=?\s*\w+`},
		{lead: atWhole("collation"), word: "collation", rest: `\s*=?\s*\w*`},
		{lead: atWord, word: "auto_increment", rest: equals + `\d+`},
		{lead: atWord, word: "auto_increment"},
		{lead: atWord, word: "comment", rest: equals + `'[^']*'`},
		{lead: atWord, word: "comment", rest: equals + `"[^"]*"`},
		{lead: atWord, word: "comment", rest: `\s+'(?:[^']|'')*'`},
		{lead: atWord, word: "comment", rest: `\s+"(?:[^"]|"")*"`},
		{lead: atWord, word: "on", rest: `\s+update\s+current_timestamp(?:\([0-9]*\))?`},
		{lead: after("timestamp", atBoundary), word: "timestamp", rest: `\s*` + width},
		{lead: after("datetime", atBoundary), word: "datetime", rest: `\s*` + width},
		{lead: after("current_timestamp", atWord), word: "current_timestamp", rest: `\s*\([0-9]*\)`},
		{lead: atWord, word: "/*", rest: `(?:[^!].*?)??\*/`, until: "*/"},
	}
	for _, word := range []string{"max_rows", "avg_row_length", "pack_keys", "checksum", "delay_key_write", "min_rows"} {
		all = append(all, rule{lead: atWord, word: word, rest: equals + `\d+`})
	}
	all = append(
		all,
		rule{lead: atWord, word: "`", with: `"`},
		rule{lead: atWord, word: "enum", rest: list, with: "text"},
		rule{lead: atBoundary, word: "set", rest: list, with: "text"},
	)
	is := func(with, rest string, words ...string) {
		for _, word := range words {
			all = append(all, rule{lead: atWhole(word), word: word, rest: rest, with: with})
		}
	}
	is("integer", `(?:`+width+`)?`, "tinyint", "smallint", "mediumint", "bigint", "int")
	is("", "", "unsigned")
	is("text", "", "tinytext", "mediumtext", "longtext")
	is("blob", "", "mediumblob", "longblob", "tinyblob")
	is("blob", `\s*`+width, "binary")
	is("", "", "binary")
	is("real", "", "double")
	is("text", "", "json")

	drop := func(lead lead, word string, rests ...string) {
		for _, rest := range rests {
			all = append(all, rule{lead: lead, word: word, rest: rest})
		}
	}
	foreign := func(table string) string { return `\s+key` + list + `\s*references\s+` + table + list + actions }
	drop(atWord, "generated", `\s+always\s+as\s*`+nested()+`(?:\s*(?:virtual|stored))?`)
	drop(atAnyComma, "constraint", `\s+`+quoted+`\s+foreign`+foreign(quoted), `\s+\w+\s+foreign`+foreign(`\w+`))
	drop(atAnyComma, "foreign", foreign(quoted))
	drop(atComma, "key", `\s+`+quoted+list, `\s+\w+`+list, list)
	drop(atComma, "index", `\s+`+quoted+list, `\s+\w+`+list, list)
	drop(atComma, "unique", `\s+index\s+`+quoted+list, `\s+index\s+\w+`+list)
	drop(atComma, "fulltext", `\s+(?:key|index)\s+`+quoted+list, `\s+(?:key|index)\s+\w+`+list, list)

	// Keys lose their names, quoted ones the length of a prefix, and a table what is between it and its semicolon.
	renamed := func(word, with string, rests ...string) {
		for _, rest := range rests {
			all = append(all, rule{lead: atWord, word: word, rest: rest + `\s*(\([^)]+\))`, with: with})
		}
	}
	renamed("unique", "unique ", `\s+key`, `\s+key\s+`+quoted, `\s+key\s+\w+`, `\s+`+quoted)
	renamed("primary", "primary key ", `\s+key\s+`+quoted, `\s+key\s+\w+`)
	all = append(
		all,
		rule{lead: atQuoted, word: "(", rest: `\d+\)`},
		rule{lead: after(")", atWord), word: ")", rest: `(?:[ \t]+\w[\w \t]*|\s*=\s*);`, with: ";"},
	)
	for i := range all {
		all[i].pattern = pytext.Pattern("(?s)^" + all[i].rest)
		for _, mark := range []string{";", ")", "*"} {
			if strings.Contains(all[i].rest, "[^"+mark+"]") {
				all[i].until = mark
			}
		}
	}
	return all
})

// tableScripts are the statements that are run one by one where the whole text
// does not run: each CREATE TABLE up to the next semicolon, with the DROP TABLE
// before it.
func tableScripts(text string) []string { return tableScript.FindAllString(text, -1) }

var tableScript = pytext.Pattern(`(?:drop\s+table\s+if\s+exists\s+[^;]*;\s*)?create\s+table\s+[^;]*;`)

// The leads that rules have.

func atWord(_ string, _, word int) (int, bool) { return word, true }

// atBoundary wants a word that is not the end of a longer one.
func atBoundary(text string, _, word int) (int, bool) {
	r, size := utf8.DecodeLastRuneInString(text[:word])
	return word, size == 0 || !pytext.IsWord(r)
}

// atWhole wants a word that is no part of a longer one.
func atWhole(whole string) lead {
	return func(text string, done, word int) (int, bool) {
		r, size := utf8.DecodeRuneInString(text[word+len(whole):])
		start, ok := atBoundary(text, done, word)
		return start, ok && (size == 0 || !pytext.IsWord(r))
	}
}

// atLine wants a word with only blanks before it on its line, and takes blank lines above.
func atLine(text string, done, word int) (int, bool) {
	start := blanksBefore(text, done, word)
	if start == 0 || start == done && text[start-1] == '\n' {
		return start, true
	}
	line := strings.IndexByte(text[start:word], '\n')
	return start + line + 1, line >= 0
}

// atComma takes the comma and blanks before the word.
func atComma(text string, done, word int) (int, bool) {
	start := blanksBefore(text, done, word)
	if start > done && text[start-1] == ',' {
		return start - 1, true
	}
	return start, false
}

// atAnyComma takes the blanks before the word, and the comma if there is one.
func atAnyComma(text string, done, word int) (int, bool) {
	start, _ := atComma(text, done, word)
	return start, true
}

// atDefault takes the word DEFAULT before the word.
func atDefault(text string, done, word int) (int, bool) {
	const before = "default"
	end := blanksBefore(text, done, word)
	if start := end - len(before); end < word && start >= done && text[start:end] == before {
		return start, true
	}
	return word, true
}

// atQuoted wants a name in double quotes before the word, and takes the blanks between.
func atQuoted(text string, done, word int) (int, bool) {
	end := blanksBefore(text, done, word)
	before, closed := strings.CutSuffix(text[done:end], `"`)
	if !closed {
		return end, false
	}
	open := strings.LastIndexByte(before, '"')
	return end, open >= 0 && open < len(before)-1
}

// after keeps the word, so that only what follows it is replaced.
func after(word string, where lead) lead {
	return func(text string, done, at int) (int, bool) {
		start, ok := where(text, done, at)
		return start + len(word), ok
	}
}

// blanksBefore is where the blanks begin that end at a place.
func blanksBefore(text string, done, end int) int {
	return done + len(pytext.StripRight(text[done:end]))
}
