package export

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/parquet-go/parquet-go"

	"agentd/internal/printable"
	"agentd/results"
)

// Formats and kinds of rows that there are.
const (
	JSONL   = "jsonl"
	CSV     = "csv"
	Parquet = "parquet"

	Interactions = "interactions"
	Turns        = "turns"
	Calls        = "calls"
	Reads        = "reads"
)

// Formats lists the formats, the default first.
func Formats() []string { return []string{JSONL, CSV, Parquet} }

// Kinds lists the kinds of rows, the default first.
func Kinds() []string { return []string{Interactions, Turns, Calls, Reads} }

// Options say what is written.
type Options struct {
	Format string
	Kind   string // of rows
	// Contents adds documents, and what was said and what went through tools as
	// far as it was kept.
	Contents bool
}

// Write writes the rows of an experiment, relay by relay. JSON lines of
// interactions hold their turns, tool calls and reads.
func Write(ctx context.Context, w io.Writer, store *results.Store, experiment results.Experiment, o Options) error {
	switch o.Kind {
	case Turns:
		return write(ctx, w, store, experiment, o, func(s source) (rows []Turn) {
			for _, fields := range s.turns(o.Contents) {
				rows = append(rows, Turn{s.key(), fields})
			}
			return rows
		})
	case Calls:
		return write(ctx, w, store, experiment, o, func(s source) (rows []Call) {
			for _, fields := range s.calls(o.Contents) {
				rows = append(rows, Call{s.key(), fields})
			}
			return rows
		})
	case Reads:
		return write(ctx, w, store, experiment, o, func(s source) (rows []Read) {
			for _, fields := range s.reads() {
				rows = append(rows, Read{s.key(), fields})
			}
			return rows
		})
	case Interactions:
		if o.Format != JSONL {
			return write(ctx, w, store, experiment, o, func(s source) []Interaction {
				return []Interaction{s.interaction(o.Contents)}
			})
		}
		return write(ctx, w, store, experiment, o, func(s source) []Trace {
			return []Trace{{s.interaction(o.Contents), s.messages(), s.turns(o.Contents), s.calls(o.Contents), s.reads()}}
		})
	}
	return fmt.Errorf("there are no rows of %q", o.Kind)
}

func write[T any](ctx context.Context, w io.Writer, store *results.Store, experiment results.Experiment, o Options, rows func(source) []T) error {
	out, err := newSink[T](w, o.Format)
	if err != nil {
		return err
	}
	err = each(ctx, store, experiment, o.Contents, func(s source) error {
		for _, row := range rows(s) {
			if err := out.add(row); err != nil {
				return err
			}
		}
		return nil
	})
	return errors.Join(err, out.close())
}

// each calls do for every interaction of an experiment, relay by relay; with contents if they are wanted.
func each(ctx context.Context, store *results.Store, experiment results.Experiment, contents bool, do func(source) error) error {
	return eachRelay(ctx, store, experiment, func(relay []source) error {
		var talks relayTalks
		if contents {
			var err error
			if talks, err = talksOf(ctx, store, &experiment.Manifest, relay[0].relay); err != nil {
				return err
			}
		}
		for _, s := range relay {
			s.env, s.conversation = talks.env, talks.conversations[s.in.Number]
			if err := do(s); err != nil {
				return err
			}
		}
		return nil
	})
}

// eachRelay calls do for the interactions of every relay that has any.
func eachRelay(ctx context.Context, store *results.Store, experiment results.Experiment, do func([]source) error) error {
	relays, err := store.Relays(ctx, experiment.ID)
	if err != nil {
		return err
	}
	for _, relay := range relays {
		interactions, err := store.Interactions(ctx, relay.ID)
		if err != nil {
			return err
		}
		var all []source
		for _, trip := range results.Trips(interactions) {
			for _, in := range trip.Steps() {
				all = append(all, source{experiment: experiment.Name, manifest: &experiment.Manifest, relay: relay, in: in, trip: trip})
			}
		}
		if len(all) == 0 {
			continue
		}
		if err := do(all); err != nil {
			return err
		}
	}
	return nil
}

// sink takes rows of one type.
type sink[T any] interface {
	add(T) error
	close() error
}

func newSink[T any](w io.Writer, format string) (sink[T], error) {
	switch format {
	case JSONL:
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		return jsonSink[T]{encoder}, nil
	case CSV:
		out := csvSink[T]{csv.NewWriter(w), columns[T]()}
		names := make([]string, len(out.columns))
		for i, c := range out.columns {
			names[i] = c.name
		}
		return out, out.w.Write(names)
	case Parquet:
		return newParquetSink[T](w), nil
	}
	return nil, fmt.Errorf("there is no format %q", format)
}

type jsonSink[T any] struct{ encoder *json.Encoder }

func (s jsonSink[T]) add(row T) error { return s.encoder.Encode(row) }
func (s jsonSink[T]) close() error    { return nil }

// parquetSink writes rows without nested structs, because the library loses missing values
// in those.
type parquetSink[T any] struct {
	w       *parquet.GenericWriter[any]
	columns []column
	flat    reflect.Type
}

func newParquetSink[T any](w io.Writer) parquetSink[T] {
	s := parquetSink[T]{columns: columns[T]()}
	fields := make([]reflect.StructField, len(s.columns))
	for i, c := range s.columns {
		fields[i] = reflect.StructField{Name: c.field.Name, Type: c.field.Type, Tag: reflect.StructTag(fmt.Sprintf("parquet:%q", c.name))}
	}
	s.flat = reflect.StructOf(fields)
	schema := parquet.SchemaOf(reflect.New(s.flat).Interface())
	s.w = parquet.NewGenericWriter[any](w, schema, parquet.Compression(&parquet.Zstd))
	return s
}

func (s parquetSink[T]) add(row T) error {
	flat := reflect.New(s.flat)
	for i, c := range s.columns {
		flat.Elem().Field(i).Set(reflect.ValueOf(row).FieldByIndex(c.field.Index))
	}
	_, err := s.w.Write([]any{flat.Interface()})
	return err
}

func (s parquetSink[T]) close() error { return s.w.Close() }

// column is a field of a row, under its name in JSON.
type column struct {
	name  string
	field reflect.StructField
}

func columns[T any]() []column {
	var all []column
	for _, field := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		if !field.Anonymous {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			all = append(all, column{name, field})
		}
	}
	return all
}

type csvSink[T any] struct {
	w       *csv.Writer
	columns []column
}

// add writes a missing value as an empty cell, and lists and maps as JSON. A text that a
// spreadsheet would take for a formula gets an apostrophe in front.
func (s csvSink[T]) add(row T) error {
	cells := make([]string, len(s.columns))
	for i, c := range s.columns {
		value := reflect.ValueOf(row).FieldByIndex(c.field.Index)
		if value.Kind() == reflect.Pointer {
			if value.IsNil() {
				continue
			}
			value = value.Elem()
		}
		switch value.Kind() {
		case reflect.Slice, reflect.Map:
			if value.Len() == 0 {
				continue
			}
			raw, err := json.Marshal(value.Interface())
			if err != nil {
				return err
			}
			cells[i] = string(raw)
		case reflect.String:
			cells[i] = printable.Cell(value.String())
		default:
			cells[i] = fmt.Sprint(value.Interface())
		}
	}
	return s.w.Write(cells)
}

func (s csvSink[T]) close() error {
	s.w.Flush()
	return s.w.Error()
}
