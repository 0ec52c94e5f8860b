package viewer

import (
	"bytes"
	"encoding/json"
	"html/template"
	"reflect"
	"strings"
	"testing"
	"time"

	"agentd/domains"
	"agentd/results"
)

// fill sets every field that can be set: pointers point to something, lists have an item,
// numbers are not 0. depth ends what holds itself.
func fill(v reflect.Value, depth int) {
	if depth == 0 || !v.CanSet() {
		return
	}
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(time.Unix(1, 0)))
		return
	case json.RawMessage:
		v.Set(reflect.ValueOf(json.RawMessage("{}")))
		return
	case domains.Change:
		v.Set(reflect.ValueOf(domains.Changed))
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), depth-1)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), depth-1)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fill(v.Index(i), depth-1)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, depth-1)
		fill(value, depth-1)
		v.SetMapIndex(key, value)
	case reflect.String:
		v.SetString("backward")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Int, reflect.Int64:
		v.SetInt(2)
	case reflect.Uint64:
		v.SetUint(2)
	}
}

// No template prints a value as what it is not, whether all that a page may have is there, or
// nothing.
func TestNoTemplatePrintsAPointerOrAWrongVerb(t *testing.T) {
	t.Parallel()
	pages := template.Must(template.New("").Funcs(functions).ParseFS(templateFiles, "templates/*.gohtml"))
	for name, data := range map[string]any{
		"experiments": []progress{{}}, "experiment": experimentPage{}, "matrix": matrixPage{}, "relay": relayPage{}, "interaction": interactionPage{},
		"search": searchPage{}, "problem": "", "matrix table": matrixTable{},
	} {
		if pages.Lookup(name) == nil {
			t.Errorf("there is no template %s", name)
			continue
		}
		for _, filled := range []bool{false, true} {
			v := reflect.New(reflect.TypeOf(data)).Elem()
			v.Set(reflect.ValueOf(data))
			if filled {
				fill(v, 6)
			}
			if table, ok := v.Addr().Interface().(*matrixTable); ok && filled {
				table.Arms = make([]results.Arm, len(table.Rows[0].Cells)) // one for each cell
			}
			if page, ok := v.Addr().Interface().(*matrixPage); ok && filled {
				page.Table.Arms = make([]results.Arm, len(page.Table.Rows[0].Cells))
			}
			var shown any = view{Title: "a title", Trail: []link{{"/", "above"}}, Live: filled, Data: v.Interface()}
			if name == "matrix table" {
				shown = v.Interface()
			}
			var b bytes.Buffer
			if err := pages.ExecuteTemplate(&b, name, shown); err != nil {
				t.Errorf("%s, filled %v: %v", name, filled, err)
				continue
			}
			for _, wrong := range []string{"%!", "ZgotmplZ", "0xc0", "<nil>"} {
				if at := strings.Index(b.String(), wrong); at >= 0 {
					t.Errorf("%s, filled %v: %s in %q", name, filled, wrong, b.String()[max(0, at-60):min(b.Len(), at+60)])
				}
			}
		}
	}
}
