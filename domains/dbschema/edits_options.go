package dbschema

import (
	"slices"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// storage is what a table said of how it is stored; nil where it said nothing.
type storage struct {
	Table     string  `json:"table"`
	Engine    *string `json:"engine"`
	Charset   *string `json:"charset"`
	Collate   *string `json:"collate"`
	RowFormat *string `json:"row_format"`
}

// settings are the options in the order in which they are written.
func (s *storage) settings() []setting {
	return []setting{
		{"engine", "ENGINE", &s.Engine}, {"charset", "DEFAULT CHARSET", &s.Charset},
		{"collate", "COLLATE", &s.Collate}, {"row_format", "ROW_FORMAT", &s.RowFormat},
	}
}

type setting struct {
	name, written string
	value         **string
}

// setStorage gives every table the same storage and notes what it had.
func setStorage(p struct{ Document, To, Engine, Charset, Collate, List string }) exact.Steps {
	change := func(d *document) ([]storage, error) {
		profile := []storage{}
		d.tables(func(t *part, table string) {
			was := t.takeStorage()
			was.Table = table
			profile = append(profile, was)
			t.giveStorage(storage{Engine: &p.Engine, Charset: &p.Charset, Collate: &p.Collate})
		})
		return profile, nil
	}
	return exact.Keeping(&schemas, p.Document, p.To, p.List, change, func(d *document, profile []storage) error {
		of := map[string]storage{}
		for _, s := range profile {
			of[s.Table] = s
		}
		d.tables(func(t *part, table string) {
			if was, known := of[table]; known {
				t.takeStorage()
				t.giveStorage(was)
			}
		})
		return nil
	})
}

// takeStorage takes the options that storage knows out of a table.
func (p *part) takeStorage() storage {
	var was storage
	c := clauses{tokens: p.options}
	options := optionsOf(&c)
	var kept []token
	for _, o := range options {
		at := slices.IndexFunc(was.settings(), func(s setting) bool { return s.name == o.name })
		if at < 0 {
			kept = append(kept, p.options[o.from:o.to]...)
			continue
		}
		value := p.options[o.to-1].value()
		*was.settings()[at].value = &value
	}
	p.options = kept
	return was
}

// giveStorage puts options before those that a table has.
func (p *part) giveStorage(s storage) {
	var b strings.Builder
	for _, set := range s.settings() {
		if value := *set.value; value != nil {
			b.WriteString(" " + set.written + "=" + *value)
		}
	}
	added := tokensOf(b.String())
	if len(p.options) > 0 {
		p.options[0].space = true
	}
	p.options = append(added, p.options...)
}

// commentsAside moves the COMMENT clauses of tables and columns to a list.
func commentsAside(p struct{ Document, To, Title, List string }) exact.Steps {
	change := func(d *document) (vfs.Files, error) {
		var list strings.Builder
		list.WriteString("# " + p.Title + "\n")
		d.tables(func(t *part, table string) {
			if text := t.takeComments(); text != "" {
				list.WriteString("\n## " + table + "\n" + text)
			}
		})
		return vfs.Files{p.List: list.String()}, nil
	}
	return schemas.Rewrite(p.Document, p.To, change, func(d *document, files vfs.Files) error {
		text, err := plain.File(files, p.List)
		descriptions := readDescriptions(text)
		d.tables(func(t *part, table string) {
			if comment, has := descriptions[place{table: table}]; has {
				t.options = append(t.options, wordOf("COMMENT"), mark("="), tight(stringOf(comment)))
			}
		})
		d.columns(func(_ *part, table string, e *entry, column string) {
			if comment, has := descriptions[place{table, column}]; has {
				e.tokens = append(e.tokens, wordOf("COMMENT"), stringOf(comment))
			}
		})
		return err
	})
}

// takeComments takes the comments of a table and its columns, in Markdown.
func (p *part) takeComments() (text string) {
	if comment, has := p.takeComment(); has {
		text = "\n" + comment + "\n"
	}
	rows := ""
	for _, e := range p.entries {
		if column := entryDefinition(e.tokens).column; column != "" {
			if comment, has := takeClause(&e.tokens); has {
				rows += "| " + column + " | " + strings.ReplaceAll(comment, "|", `\|`) + " |\n"
			}
		}
	}
	if rows != "" {
		text += "\n| column | description |\n| --- | --- |\n" + rows
	}
	return text
}

// takeComment takes the COMMENT out of the options of a table.
func (p *part) takeComment() (string, bool) {
	options := optionsOf(&clauses{tokens: p.options})
	at := slices.IndexFunc(options, func(o option) bool { return o.name == "comment" })
	if at < 0 {
		return "", false
	}
	p.options = slices.Delete(slices.Clone(p.options), options[at].from, options[at].to)
	return options[at].value, true
}

// takeClause takes COMMENT 'text' out of the definition of a column.
func takeClause(tokens *[]token) (string, bool) {
	depth := 0
	for i, t := range *tokens {
		switch {
		case t.is("("):
			depth++
		case t.is(")"):
			depth--
		case i > 0 && depth == 0 && t.is("COMMENT") && i+1 < len(*tokens):
			if text := (*tokens)[i+1]; text.kind == stringToken || text.kind == nameToken {
				*tokens = slices.Delete(slices.Clone(*tokens), i, i+2)
				return text.value(), true
			}
		}
	}
	return "", false
}

// readDescriptions reads the list of a heading for each table. What it says of
// the table itself has no column.
func readDescriptions(text string) map[place]string {
	found := map[place]string{}
	table := ""
	for _, line := range plain.Lines(text) {
		line = strings.TrimSpace(line)
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			table = strings.TrimSpace(heading)
			continue
		}
		row, isRow := strings.CutPrefix(line, "|")
		switch {
		case table == "" || line == "":
		case !isRow:
			found[place{table: table}] = line
		default:
			column, comment, _ := strings.Cut(row, "|")
			comment = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(comment), "|"))
			column = strings.TrimSpace(column)
			isHead := func(cell, title string) bool { return cell == title || strings.Trim(cell, "-: ") == "" }
			if !isHead(column, "column") || !isHead(comment, "description") {
				found[place{table, column}] = strings.ReplaceAll(comment, `\|`, "|")
			}
		}
	}
	return found
}
