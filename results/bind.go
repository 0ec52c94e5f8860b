package results

import (
	"encoding/json"
	"reflect"
	"strings"
	"time"
)

// column is a column of a table and the field with its value.
type column struct {
	name  string
	field any // a pointer
}

// layout maps the fields of a type to columns, by the tags of package record.
type layout []place

// place is a column with its form, the text for the zero value, and the field.
type place struct {
	name, form, zero string
	field            []int
}

// layoutOf returns the layout of a struct.
func layoutOf(of reflect.Type) (all layout) {
	for i := range of.NumField() {
		field := of.Field(i)
		tag := strings.SplitN(field.Tag.Get("db")+",,", ",", 3)
		switch {
		case field.Anonymous || tag[0] == "*":
			for _, inner := range layoutOf(field.Type) {
				inner.field = append([]int{i}, inner.field...)
				all = append(all, inner)
			}
		case tag[0] != "":
			all = append(all, place{tag[0], tag[1], strings.Trim(tag[2], ","), []int{i}})
		}
	}
	return all
}

// bound is a record whose fields are bound to columns, for writing and for reading.
type bound struct {
	columns []column
	writes  bool // nothing is read, so nothing must settle
	// settles set the fields after the columns were read.
	settles []func() error
	texts   []kept
}

// kept is a text that is stored by its hash; the hash is empty without a text.
type kept struct {
	text **string
	hash *string
}

// bind binds a record, given by a pointer. For writing, hashes holds the hashes of its stored texts.
func (l layout) bind(record any, hashes map[string]string) *bound {
	value := reflect.ValueOf(record).Elem()
	b := &bound{columns: make([]column, len(l), len(l)+2), writes: hashes != nil}
	for i, p := range l {
		b.columns[i] = column{p.name, b.held(value.FieldByIndex(p.field).Addr().Interface(), p, hashes)}
	}
	return b
}

// fits makes texts of each form valid for a database.
var fits = map[string]func(string) string{"name": shortName, "note": note, "text": clean}

// held returns a pointer to the value that is stored for a field.
func (b *bound) held(field any, p place, hashes map[string]string) any {
	switch p.form {
	case "json":
		return b.heldJSON(field, field, p.zero)
	case "names":
		return b.heldJSON(field, shortNames(*field.(*[]string)), "null")
	}
	switch field := field.(type) {
	case *time.Duration:
		return settled(b, field.Microseconds(), func(held int64) { *field = time.Duration(held) * time.Microsecond })
	case *time.Time:
		return settled(b, field.UnixMilli(), func(held int64) { *field = time.UnixMilli(held) })
	case *bool:
		return settled(b, numberOf(*field), func(held int) { *field = held != 0 })
	case **bool:
		var number *int
		if *field != nil {
			number = new(numberOf(**field))
		}
		return settled(b, number, func(held *int) {
			if held != nil {
				*field = new(*held != 0)
			}
		})
	case **string:
		hash := new("")
		switch {
		case *field == nil:
		case p.form == "whole":
			*hash = hashes[**field]
		default:
			*hash = hashes[cut(**field, mostContentBytes)]
		}
		b.texts = append(b.texts, kept{field, hash})
		return hash
	case *string:
		if fit := fits[p.form]; fit != nil {
			return settled(b, fit(*field), func(held string) { *field = held })
		}
	}
	return field
}

// settled returns a pointer to the stored form of a field. settle sets the field from it after reading.
func settled[T any](b *bound, holds T, settle func(T)) *T {
	held := new(holds)
	if !b.writes {
		b.settles = append(b.settles, func() error {
			settle(*held)
			return nil
		})
	}
	return held
}

// heldJSON is a field that is stored as JSON.
func (b *bound) heldJSON(field, value any, zero string) any {
	held := new([]byte(zero))
	if !reflect.ValueOf(field).Elem().IsZero() {
		*held, _ = json.Marshal(value) // cannot fail for texts and numbers
	}
	if b.writes {
		return held
	}
	b.settles = append(b.settles, func() error {
		if string(*held) == zero {
			return nil
		}
		return decode(*held, field)
	})
	return held
}

func numberOf(is bool) int {
	if is {
		return 1
	}
	return 0
}

// settle completes the reading of a record, except for its texts.
func (b *bound) settle() error {
	for _, settle := range b.settles {
		if err := settle(); err != nil {
			return err
		}
	}
	return nil
}

// namesOf, fieldsOf and valuesOf return the names of columns, the fields to scan a row into, and
// the values to write.
func namesOf(columns []column) []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.name
	}
	return names
}

func fieldsOf(columns []column) []any {
	fields := make([]any, len(columns))
	for i, c := range columns {
		fields[i] = c.field
	}
	return fields
}

func valuesOf(columns []column) []any {
	values := make([]any, len(columns))
	for i, c := range columns {
		switch field := c.field.(type) { // the usual ones without reflection, which allocates for each
		case *string:
			values[i] = *field
		case *int:
			values[i] = *field
		case *int64:
			values[i] = *field
		case *float64:
			values[i] = *field
		case *[]byte:
			values[i] = string(*field)
		default:
			values[i] = reflect.ValueOf(field).Elem().Interface()
		}
	}
	return values
}
