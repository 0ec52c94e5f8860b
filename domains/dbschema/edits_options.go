package dbschema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	innoDBFile  = "innodb.sql"
	storageFile = "storage_profile.json"
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

// toInnoDB gives every table the same storage and notes what it had.
func toInnoDB(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	engine, charset, collate := "InnoDB", "utf8mb4", "utf8mb4_unicode_ci"
	profile := []storage{}
	d.tables(func(p *part, table string) {
		was := p.takeStorage()
		was.Table = table
		profile = append(profile, was)
		p.giveStorage(storage{Engine: &engine, Charset: &charset, Collate: &collate})
	})
	text, err := json.MarshalIndent(profile, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("writing %s: %w", storageFile, err)
	}
	return vfs.Files{innoDBFile: d.print(), storageFile: string(text) + "\n"}, nil
}

func fromInnoDB(files vfs.Files) (vfs.Files, error) {
	d, err := readNamed(files, innoDBFile)
	if err != nil {
		return nil, err
	}
	var profile []storage
	if err := plain.JSON(files, storageFile, &profile); err != nil {
		return nil, err
	}
	of := map[string]storage{}
	for _, s := range profile {
		of[s.Table] = s
	}
	d.tables(func(p *part, table string) {
		if was, known := of[table]; known {
			p.takeStorage()
			p.giveStorage(was)
		}
	})
	return d.asDocument(), nil
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

const (
	bareFile         = "bare.sql"
	descriptionsFile = "descriptions.md"
)

// takeComments moves the COMMENT clauses of tables and columns to a list.
func takeComments(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	var list strings.Builder
	list.WriteString("# Tables and columns\n")
	d.tables(func(p *part, table string) {
		comment, has := p.takeComment()
		var rows strings.Builder
		for _, e := range p.entries {
			if column := entryDefinition(e.tokens).column; column != "" {
				if text, has := takeClause(&e.tokens); has {
					rows.WriteString("| " + column + " | " + cell(text) + " |\n")
				}
			}
		}
		if !has && rows.Len() == 0 {
			return
		}
		list.WriteString("\n## " + table + "\n")
		if has {
			list.WriteString("\n" + comment + "\n")
		}
		if rows.Len() > 0 {
			list.WriteString("\n| column | description |\n| --- | --- |\n" + rows.String())
		}
	})
	return vfs.Files{bareFile: d.print(), descriptionsFile: list.String()}, nil
}

func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// takeComment takes the COMMENT out of the options of a table.
func (p *part) takeComment() (string, bool) {
	for _, o := range optionsOf(&clauses{tokens: p.options}) {
		if o.name == "comment" {
			p.options = slices.Delete(slices.Clone(p.options), o.from, o.to)
			return o.value, true
		}
	}
	return "", false
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

func giveComments(files vfs.Files) (vfs.Files, error) {
	d, err := readNamed(files, bareFile)
	if err != nil {
		return nil, err
	}
	text, err := plain.File(files, descriptionsFile)
	if err != nil {
		return nil, err
	}
	descriptions := readDescriptions(text)
	d.tables(func(p *part, table string) {
		if comment, has := descriptions[place{table: table}]; has {
			p.options = append(p.options, wordOf("COMMENT"), mark("="), tight(stringOf(comment)))
		}
	})
	d.columns(func(_ *part, table string, e *entry, column string) {
		if comment, has := descriptions[place{table, column}]; has {
			e.tokens = append(e.tokens, wordOf("COMMENT"), stringOf(comment))
		}
	})
	return d.asDocument(), nil
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
			if column != "column" && strings.Trim(column, "-: ") != "" || comment != "description" && strings.Trim(comment, "-: ") != "" {
				found[place{table, column}] = strings.ReplaceAll(comment, `\|`, "|")
			}
		}
	}
	return found
}
