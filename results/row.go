package results

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// interactionRow is a row of the table of interactions: the columns that the db tags of Interaction declare (a new one
// also needs a migration), and those that a score and a fallback share.
type interactionRow struct {
	*bound
	in                   *Interaction
	turns, unreadable    int
	rs, strict, fallback *float64
	reference, candidate *int
	components, output   []byte // JSON
	problem, judge       string
}

var interactionLayout = layoutOf(reflect.TypeFor[Interaction]())

func (r *interactionRow) all() []column {
	return append(r.columns, []column{
		{"turns", &r.turns}, {"rs", &r.rs}, {"strict", &r.strict}, {"fallback", &r.fallback}, {"unreadable", &r.unreadable},
		{"reference_elements", &r.reference}, {"candidate_elements", &r.candidate}, {"components", &r.components}, {"problem", &r.problem},
		{"judge", &r.judge}, {"output", &r.output},
	}...)
}

var insertInteractionStatement, selectInteractions = statements()

func statements() (insert, read string) {
	names := namesOf(newInteractionReader().whole)
	placeholders := make([]string, len(names))
	for i := range names {
		placeholders[i] = fmt.Sprintf("$%d", i+1)
	}
	all := strings.Join(names, ", ")
	insert = fmt.Sprintf("INSERT INTO interactions (%s) VALUES (%s) ON CONFLICT (relay, number) DO NOTHING RETURNING id", all, strings.Join(placeholders, ", "))
	return insert, fmt.Sprintf("SELECT id, %s FROM interactions WHERE ", all)
}

// rowOf returns the row of an interaction. output is its snapshot as JSON; hashes name
// the texts that were kept.
func rowOf(in *Interaction, output string, hashes map[string]string) (*interactionRow, error) {
	r := &interactionRow{
		bound: interactionLayout.bind(in, hashes), in: in, turns: len(in.Turns), components: []byte("{}"), output: []byte(output),
	}
	var err error
	if s := in.Score; s != nil {
		r.rs, r.strict, r.reference, r.candidate, r.problem, r.judge = &s.RS, &s.Strict, &s.Reference, &s.Candidate, note(s.Problem), s.Judge
		r.unreadable = numberOf(s.Unreadable)
		r.components, err = json.Marshal(s.Components)
	}
	if f := in.Fallback; f != nil {
		r.fallback, r.strict, r.reference, r.candidate, r.problem = &f.Similarity, &f.Strict, &f.Reference, &f.Candidate, note(f.Problem)
	}
	return r, err
}

// interactionReader reads rows that selectInteractions found. It binds its fields once, for all rows.
type interactionReader struct {
	interactionRow
	whole  []column
	fields []any // that a row is scanned into
}

func newInteractionReader() *interactionReader {
	in := &Interaction{}
	r := &interactionReader{interactionRow: interactionRow{bound: interactionLayout.bind(in, nil), in: in}}
	r.whole = r.all()
	r.fields = append([]any{&in.ID}, fieldsOf(r.whole)...)
	return r
}

// read returns an interaction and its snapshot.
func (r *interactionReader) read(rows Rows) (in Interaction, output []byte, err error) {
	*r.in = Interaction{}
	if err := rows.Scan(r.fields...); err != nil {
		return in, nil, err
	}
	err = r.complete()
	return *r.in, r.output, err
}

// complete sets the fields that no column holds alone.
func (r *interactionReader) complete() error {
	in := r.in
	if n := bytesOf(r.whole); n > mostRowBytes {
		return fmt.Errorf("%w: interaction %d of relay %d has texts of %d bytes", ErrDamaged, in.Number, in.Relay, n)
	}
	if (r.rs != nil || r.fallback != nil) && (r.strict == nil || r.reference == nil || r.candidate == nil) {
		return fmt.Errorf("%w: interaction %d of relay %d has half a score", ErrDamaged, in.Number, in.Relay)
	}
	if r.fallback != nil {
		in.Fallback = &Fallback{Similarity: *r.fallback, Strict: *r.strict, Problem: r.problem, Reference: *r.reference, Candidate: *r.candidate}
	}
	if r.rs != nil {
		in.Score = &Score{
			RS: *r.rs, Strict: *r.strict, Problem: r.problem, Reference: *r.reference, Candidate: *r.candidate,
			Judge: r.judge, Unreadable: r.unreadable != 0,
		}
		if err := decode(r.components, &in.Score.Components); err != nil {
			return err
		}
	}
	if err := r.settle(); err != nil {
		return err
	}
	return in.check()
}

// bytesOf returns the total length of a row's texts in bytes.
func bytesOf(columns []column) (n int) {
	for _, c := range columns {
		switch field := c.field.(type) {
		case *string:
			n += len(*field)
		case *[]byte:
			n += len(*field)
		}
	}
	return n
}
