package results

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"
)

// interactionRow is a row of the table of interactions. One list binds its columns to fields
// by name, for writing and for reading.
type interactionRow struct {
	in                                *Interaction
	started, duration                 int64 // milliseconds since 1970, microseconds
	turns, unreadable, publishedTools int
	rs, strict, fallback              *float64
	reference, candidate              *int
	executed                          *int
	components, strays, output        []byte // JSON
	said, opinion                     []byte // JSON; opinion is empty for none
	problem, judge, detail, complaint string
	conversation                      string
}

// column is a column of the table, and the field that holds its value.
type column struct {
	name  string
	field any // a pointer
}

func (r *interactionRow) columns() []column {
	in := r.in
	return []column{
		{"relay", &in.Relay}, {"number", &in.Number}, {"edit", &in.Edit}, {"direction", &in.Direction},
		{"started", &r.started}, {"duration", &r.duration},
		{"ending", &in.Ending}, {"failure", &in.Failure}, {"detail", &r.detail}, {"complaint", &r.complaint},
		{"turns", &r.turns}, {"published_tools", &r.publishedTools}, {"prompt", &in.Prompt}, {"cached", &in.Cached}, {"completion", &in.Completion}, {"reasoning", &in.Reasoning}, {"cache_write", &in.CacheWrite},
		{"cost", &in.Cost}, {"unknown_attempts", &in.UnknownAttempts},
		{"rs", &r.rs}, {"strict", &r.strict}, {"fallback", &r.fallback}, {"unscored", &in.Unscored}, {"unreadable", &r.unreadable}, {"approximate", &in.Approximate},
		{"reference_elements", &r.reference}, {"candidate_elements", &r.candidate}, {"components", &r.components}, {"problem", &r.problem},
		{"judge", &r.judge}, {"judge_asked", &in.Judging.Asked}, {"judge_prompt", &in.Judging.Prompt},
		{"judge_completion", &in.Judging.Completion}, {"judge_cost", &in.Judging.Cost},
		{"executed", &r.executed}, {"forward", &in.Forward}, {"forward_rs", &in.ForwardRS}, {"forward_opinion", &r.opinion},
		{"strays", &r.strays}, {"output", &r.output}, {"distractors", &in.Distractors}, {"given_up", &in.GivenUp},
		{"user_turns", &r.said}, {"conversation", &r.conversation},
		{"calls", &in.Use.Calls}, {"scripts", &in.Use.Scripts}, {"writes", &in.Use.Writes}, {"edits", &in.Use.Edits}, {"patches", &in.Use.Patches}, {"tools", &in.Use.Tools},
		{"distractors_read", &in.Use.DistractorsRead}, {"read_by_tools", &in.Use.ReadByTools}, {"read_by_scripts", &in.Use.ReadByScripts},
	}
}

var insertInteractionStatement, selectInteractions = statements()

func statements() (insert, read string) {
	row := interactionRow{in: &Interaction{}}
	names := namesOf(row.columns())
	placeholders := make([]string, len(names))
	for i := range names {
		placeholders[i] = fmt.Sprintf("$%d", i+1)
	}
	all := strings.Join(names, ", ")
	insert = fmt.Sprintf("INSERT INTO interactions (%s) VALUES (%s) ON CONFLICT (relay, number) DO NOTHING RETURNING id", all, strings.Join(placeholders, ", "))
	return insert, fmt.Sprintf("SELECT id, %s FROM interactions WHERE ", all)
}

// namesOf, fieldsOf and valuesOf are the names of columns, the fields that a row is scanned
// into, and the values that are written.
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
		values[i] = reflect.ValueOf(c.field).Elem().Interface()
		if raw, ok := values[i].([]byte); ok {
			values[i] = string(raw)
		}
	}
	return values
}

// rowOf returns the row of an interaction. output is its snapshot as JSON; hashes name
// the texts that were kept.
func rowOf(in *Interaction, output string, hashes map[string]string) (*interactionRow, error) {
	r := &interactionRow{
		in: in, started: in.Started.UnixMilli(), duration: in.Duration.Microseconds(), turns: len(in.Turns),
		detail: note(in.Detail), complaint: hashOf(in.Complaint, hashes),
		components: []byte("{}"), output: []byte(output), said: []byte("[]"),
	}
	var err error
	if in.Conversation != nil {
		r.conversation = hashes[*in.Conversation]
	}
	if len(in.UserTurns) > 0 {
		if r.said, err = json.Marshal(in.UserTurns); err != nil {
			return nil, err
		}
	}
	if r.strays, err = json.Marshal(in.Strays); err != nil {
		return nil, err
	}
	if in.ForwardOpinion != nil {
		if r.opinion, err = json.Marshal(in.ForwardOpinion); err != nil {
			return nil, err
		}
	}
	if in.Executed != nil {
		r.executed = new(0)
		if *in.Executed {
			r.executed = new(1)
		}
	}
	if in.PublishedTools {
		r.publishedTools = 1
	}
	if s := in.Score; s != nil {
		r.rs, r.strict, r.reference, r.candidate, r.problem, r.judge = &s.RS, &s.Strict, &s.Reference, &s.Candidate, note(s.Problem), s.Judge
		if s.Unreadable {
			r.unreadable = 1
		}
		r.components, err = json.Marshal(s.Components)
	}
	if f := in.Fallback; f != nil {
		r.fallback, r.strict, r.reference, r.candidate, r.problem = &f.Similarity, &f.Strict, &f.Reference, &f.Candidate, note(f.Problem)
	}
	return r, err
}

// hashOf names a text that was kept, empty for none.
func hashOf(text *string, hashes map[string]string) string {
	if text == nil {
		return ""
	}
	return hashes[cut(*text, mostContentBytes)]
}

// bytes is how long the texts of the row are.
func (r *interactionRow) bytes() int {
	n := 0
	for _, c := range r.columns() {
		switch field := c.field.(type) {
		case *string:
			n += len(*field)
		case *[]byte:
			n += len(*field)
		}
	}
	return n
}

// scanInteraction reads a row that selectInteractions found, and returns its snapshot.
func scanInteraction(rows Rows, in *Interaction) (output []byte, err error) {
	r := interactionRow{in: in}
	if err := rows.Scan(append([]any{&in.ID}, fieldsOf(r.columns())...)...); err != nil {
		return nil, err
	}
	if n := r.bytes(); n > mostRowBytes {
		return nil, fmt.Errorf("%w: interaction %d of relay %d has texts of %d bytes", ErrDamaged, in.Number, in.Relay, n)
	}
	if (r.rs != nil || r.fallback != nil) && (r.strict == nil || r.reference == nil || r.candidate == nil) {
		return nil, fmt.Errorf("%w: interaction %d of relay %d has half a score", ErrDamaged, in.Number, in.Relay)
	}
	in.Started, in.Duration, in.Detail = time.UnixMilli(r.started), time.Duration(r.duration)*time.Microsecond, r.detail
	in.PublishedTools = r.publishedTools != 0
	if r.executed != nil {
		in.Executed = new(*r.executed != 0)
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
			return nil, err
		}
	}
	if err := decode(r.strays, &in.Strays); err != nil {
		return nil, err
	}
	if string(r.said) != "[]" {
		if err := decode(r.said, &in.UserTurns); err != nil {
			return nil, err
		}
	}
	if len(r.opinion) > 0 {
		in.ForwardOpinion = &Opinion{}
		if err := decode(r.opinion, in.ForwardOpinion); err != nil {
			return nil, err
		}
	}
	return r.output, in.check()
}
