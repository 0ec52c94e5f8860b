package latex

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	libraryName = "library"
	libraryFile = "library.json"
)

// jsonItem is an item of a .bib file; only what is set of it is written.
type jsonItem struct {
	Comment *string `json:"comment,omitempty"`
	String  string  `json:"string,omitempty"`
	Value   string  `json:"value,omitempty"`
	Type    string  `json:"type,omitempty"`
	Key     string  `json:"key,omitempty"`
	Fields  fields  `json:"fields,omitempty"`
}

// fields are a JSON object whose members keep their order.
type fields []bibField

func (f fields) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	for i, field := range f {
		b.WriteString(map[bool]string{true: "{", false: ","}[i == 0])
		for k, text := range []string{field.name, field.value} {
			if k == 1 {
				b.WriteByte(':')
			}
			encoder := json.NewEncoder(&b)
			encoder.SetEscapeHTML(false)
			if err := encoder.Encode(text); err != nil {
				return nil, err
			}
			b.Truncate(b.Len() - 1) // the line end
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func (f *fields) UnmarshalJSON(raw []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	if _, err := decoder.Token(); err != nil {
		return err
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return err
		}
		field := bibField{name: fmt.Sprint(name)}
		if err := decoder.Decode(&field.value); err != nil {
			return fmt.Errorf("field %s: %w", field.name, err)
		}
		*f = append(*f, field)
	}
	return nil
}

// toJSON turns the bibliography into an array of its items.
func toJSON(files vfs.Files) (vfs.Files, error) {
	s, err := readSource(files, paperFile)
	if err != nil {
		return nil, err
	}
	text, err := plain.File(files, bibliographyFile)
	if err != nil {
		return nil, err
	}
	items, err := jsonItems(text)
	if err != nil {
		return nil, err
	}
	array, err := plain.JSONArray(items)
	if err != nil {
		return nil, err
	}
	paper, err := s.withBibliographyName(documentName, libraryName)
	if err != nil {
		return nil, err
	}
	return vfs.Files{libraryName + ".tex": paper, libraryFile: array}, nil
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
			items = append(items, jsonItem{Type: it.name, Key: it.key, Fields: it.fields})
		default:
			return nil, fmt.Errorf("the bibliography has something that is neither entry, abbreviation nor comment: %.40q", text[it.at:it.end])
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

func fromJSON(files vfs.Files) (vfs.Files, error) {
	var items []jsonItem
	if err := plain.JSON(files, libraryFile, &items); err != nil {
		return nil, err
	}
	var b strings.Builder
	for n, it := range items {
		if n > 0 && items[n-1].Comment == nil {
			b.WriteByte('\n')
		}
		switch {
		case it.Type != "":
			fmt.Fprintf(&b, "@%s{%s", it.Type, it.Key)
			for _, f := range it.Fields {
				fmt.Fprintf(&b, ",\n  %s = %s", f.name, f.value)
			}
			b.WriteString("\n}\n")
		case it.String != "":
			fmt.Fprintf(&b, "@string{%s = %s}\n", it.String, it.Value)
		case it.Comment != nil:
			fmt.Fprintf(&b, "%% %s\n", *it.Comment)
		default:
			return nil, errors.New("an item of the library is neither entry, string nor comment")
		}
	}
	return withPaper(files, libraryName+".tex", libraryName, b.String())
}
