package libcatalog

import (
	"strconv"
	"strings"

	"agentd/domains/edit"
	"agentd/internal/lazyregexp"
)

// vocabulary makes parts of records, or of the fields of a catalogue that has few.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "library catalogue", Part: "record", Parts: "records", Cut: edit.XML("record"),
		Remark: "<!-- {} -->", RemarkAt: edit.Inside, Tree: edit.XMLTree(),
		Attributes: []edit.Attribute{
			edit.Has("title", "titles", subfieldOf("245", "a")),
			edit.Has("control number", "control numbers", edit.TextOf(`controlfield(?:\s[^<>]*)?\stag\s*=\s*["']001["']`)),
			edit.Has("language", "languages", `\stag\s*=\s*["']008["'][^<>]*>[^<>]{35}([a-z]{3})`),
			edit.Has("author", "authors", subfieldOf("100", "a")),
			edit.Has("place of publication", "places of publication", subfieldOf("26[04]", "a")),
			edit.Has("publisher", "publishers", subfieldOf("26[04]", "b")),
			edit.Has("subject", "subjects", subfieldOf("650", "a")),
			edit.Has("collection", "collections", subfieldOf("852", "b")),
			edit.HasNumber("barcode", "barcodes", subfieldOf("852", "p")),
			edit.ComputedNumber("year", "years", year), edit.ComputedNumber("number of fields", "numbers of fields", fields),
			edit.Has("note", "notes", subfieldOf("5\\d\\d", "a")),
		},
		Finer: &edit.Format{
			Document: "library catalogue", Part: "field", Parts: "fields",
			Cut: edit.Outer("leader", "controlfield", "datafield"),
			Attributes: []edit.Attribute{
				edit.Has("tag", "tags", edit.ValueOf(`controlfield|datafield`, "tag")),
				edit.Has("first indicator", "first indicators", edit.ValueOf("datafield", "ind1")),
				edit.Has("subfield code", "subfield codes", edit.ValueOf("subfield", "code")),
				edit.Has("subfield text", "subfield texts", edit.TextOf("subfield")),
				edit.Has("control field text", "control field texts", edit.TextOf("controlfield")),
			},
		},
	}
}

// subfieldOf is a pattern for the text of a subfield, with those before it.
func subfieldOf(tag, code string) string {
	const one = `\s*<(?:\w+:)?subfield\s[^<>]*>[^<>]*</[^<>]*>`
	return `\stag\s*=\s*["']` + tag + `["'][^<>]*>(?:` + one + `)*?` +
		`\s*<(?:\w+:)?subfield\s[^<>]*?code\s*=\s*["']` + code + `["'][^<>]*>([^<>]+)<`
}

var (
	fixedField = lazyregexp.New(`\stag\s*=\s*["']008["'][^<>]*>([^<>]*)<`)
	fieldStart = lazyregexp.New(`<(?:\w+:)?(?:controlfield|datafield)\b`)
)

// year is that of publication: date 1 of control field 008, if its four characters are digits.
func year(part string) string {
	m := fixedField.FindStringSubmatch(part)
	if m == nil || len(m[1]) < 11 || strings.Trim(m[1][7:11], "0123456789") != "" {
		return ""
	}
	return m[1][7:11]
}

// fields is how many control and data fields a record has.
func fields(part string) string { return strconv.Itoa(len(fieldStart.FindAllString(part, -1))) }
