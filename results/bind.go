package results

import (
	"reflect"
	"strings"
	"time"
)

// bound is a record of package record, whose fields are bound to the columns that their tags name.
type bound struct {
	columns []column
	// settles give the fields their values after the columns were read.
	settles []func()
	// hashes are those of texts that were kept, in the order of their fields.
	hashes []*string
}

// bind binds a record, given by a pointer. hashes name the texts that are kept, when it is written.
func bind(record any, hashes map[string]string) *bound {
	b := &bound{}
	b.add(reflect.ValueOf(record).Elem(), hashes)
	return b
}

func (b *bound) add(record reflect.Value, hashes map[string]string) {
	for i := range record.NumField() {
		of := record.Type().Field(i)
		if of.Anonymous {
			b.add(record.Field(i), hashes)
			continue
		}
		if name, form, _ := strings.Cut(of.Tag.Get("db"), ","); name != "" {
			b.columns = append(b.columns, column{name, b.held(record.Field(i).Addr().Interface(), form, hashes)})
		}
	}
}

// held is a pointer to a field as its column holds it.
func (b *bound) held(field any, form string, hashes map[string]string) any {
	switch field := field.(type) {
	case *time.Duration:
		held := new(field.Microseconds())
		b.settles = append(b.settles, func() { *field = time.Duration(*held) * time.Microsecond })
		return held
	case *bool:
		held := new(0)
		if *field {
			*held = 1
		}
		b.settles = append(b.settles, func() { *field = *held != 0 })
		return held
	case **string:
		held := new(hashOf(*field, hashes))
		b.hashes = append(b.hashes, held)
		return held
	case *string:
		if form == "" {
			return field
		}
		held := new(note(*field))
		if form == "name" {
			*held = shortName(*field)
		}
		b.settles = append(b.settles, func() { *field = *held })
		return held
	}
	return field
}

// settle ends the reading of a record, and returns the hashes of its texts.
func (b *bound) settle() (hashes []string) {
	for _, settle := range b.settles {
		settle()
	}
	for _, hash := range b.hashes {
		hashes = append(hashes, *hash)
	}
	return hashes
}
