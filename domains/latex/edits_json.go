package latex

import (
	"errors"
	"fmt"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// jsonItem is an item of a .bib file; only what is set of it is written.
type jsonItem struct {
	Comment *string       `json:"comment,omitempty"`
	String  string        `json:"string,omitempty"`
	Value   string        `json:"value,omitempty"`
	Type    string        `json:"type,omitempty"`
	Key     string        `json:"key,omitempty"`
	Fields  plain.Members `json:"fields,omitempty"`
}

// bibliographyJSON turns the bibliography into an array of its items.
func bibliographyJSON(p struct{ Document, Bibliography, To, List string }) exact.Steps {
	forward := func(_ *source, bibliography string, _ vfs.Files) (r revision, err error) {
		items, err := jsonItems(bibliography)
		if err != nil {
			return r, err
		}
		r.bibliography, err = plain.JSONArray(items)
		return r, err
	}
	backward := func(_ *source, _ string, files vfs.Files) (r revision, err error) {
		var items []jsonItem
		if err := plain.JSON(files, p.List, &items); err != nil {
			return r, err
		}
		r.bibliography, err = written(items)
		return r, err
	}
	return revise(papers{p.Document, p.Bibliography}, papers{p.To, p.List}, forward, backward)
}

func jsonItems(text string) ([]jsonItem, error) {
	var items []jsonItem
	entries := 0
	for _, it := range readBib(text) {
		switch {
		case it.open:
			return nil, errOpen
		case it.kind == commentItem && strings.HasPrefix(it.text, "%"):
			comment := strings.TrimSpace(strings.TrimLeft(it.text, "%"))
			items = append(items, jsonItem{Comment: &comment})
		case it.kind == abbreviationItem && len(it.fields) == 1:
			items = append(items, jsonItem{String: it.fields[0].name, Value: it.fields[0].value})
		case it.kind == entryItem && it.key != "":
			if err := it.plainLayout(text); err != nil {
				return nil, err
			}
			entries++
			members := lists.Map(it.fields, func(f bibField) plain.Member { return plain.Member{Name: f.name, Value: f.value} })
			items = append(items, jsonItem{Type: it.name, Key: it.key, Fields: members})
		default:
			const foreign = "the bibliography has something that is neither entry, abbreviation nor comment: %.40q"
			return nil, fmt.Errorf(foreign, text[it.at:it.end])
		}
	}
	if entries == 0 {
		return nil, errNoEntries
	}
	return items, nil
}

// plainLayout refuses an entry that would not be the same when printed.
func (it *item) plainLayout(text string) error {
	if it.at > 0 && text[it.at-1] != '\n' {
		return errLayout
	}
	if text[it.end-1] != '}' {
		return fmt.Errorf("the entry %s has parentheses", it.key)
	}
	names := map[string]bool{}
	for _, f := range it.fields {
		name := strings.ToLower(f.name)
		if name == "" || names[name] {
			return fmt.Errorf("the entry %s has a field without a name, or one twice", it.key)
		}
		names[name] = true
	}
	return nil
}

// written is the reverse of jsonItems.
func written(items []jsonItem) (string, error) {
	var b strings.Builder
	for n, it := range items {
		if n > 0 && items[n-1].Comment == nil {
			b.WriteByte('\n')
		}
		switch {
		case it.Type != "":
			fmt.Fprintf(&b, "@%s{%s", it.Type, it.Key)
			for _, f := range it.Fields {
				fmt.Fprintf(&b, ",\n  %s = %s", f.Name, f.Value)
			}
			b.WriteString("\n}\n")
		case it.String != "":
			fmt.Fprintf(&b, "@string{%s = %s}\n", it.String, it.Value)
		case it.Comment != nil:
			fmt.Fprintf(&b, "%% %s\n", *it.Comment)
		default:
			return "", errors.New("an item of the library is neither entry, string nor comment")
		}
	}
	return b.String(), nil
}
