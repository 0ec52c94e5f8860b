package results

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agentd/internal/fidelity"
	"agentd/results/record"
	"agentd/vfs"
)

// A field without a column of its own would come back empty.
func TestEveryFieldOfARecordIsStored(t *testing.T) {
	onEach(t, func(t *testing.T, store *Store) {
		relay := plan(t, store, "m")[0]
		in := Interaction{Number: 1, Turns: make([]record.Turn, 2), ToolCalls: make([]record.Call, 2), Reads: make([]record.Read, 2)}
		number := 0
		fill(t, &number, reflect.ValueOf(&in.Turns[1]).Elem())
		fill(t, &number, reflect.ValueOf(&in.ToolCalls[1]).Elem())
		fill(t, &number, reflect.ValueOf(&in.Reads[1]).Elem())
		fill(t, &number, reflect.ValueOf(&in).Elem())
		in.Relay, in.Started = relay.ID, time.UnixMilli(1_700_000_000_001)
		store.append(t, &in)
		got, err := store.Interaction(t.Context(), relay.ID, in.Number)
		in.Conversation = nil // which Store.Conversation reads
		if diff := cmp.Diff(in, got); diff != "" || err != nil {
			t.Errorf("%v\n%s", err, diff)
		}
	})
}

// fill gives each field of a record a value of its own. Fields that have one are left as they are.
func fill(t *testing.T, number *int, v reflect.Value) {
	for i := range v.NumField() {
		*number++
		if !v.Field(i).IsZero() {
			continue
		}
		switch field := v.Field(i).Addr().Interface().(type) {
		case *record.Usage, *record.Tokens, *Judging, *ToolUse, *Opinion, *UserTurn, *Score:
			fill(t, number, v.Field(i))
		case **Opinion:
			*field = &Opinion{"m", []int{1, 2}}
		case **fidelity.Kept:
			*field = &fidelity.Kept{Changes: []fidelity.Change{{File: "a", What: fidelity.LineEnds, Was: "LF", Is: "CRLF"}}, Rest: 0.5}
		case **Score:
			*field = &Score{Components: map[string]float64{"coverage": 0.5}}
			fill(t, number, v.Field(i).Elem())
		case **Fallback: // of an interaction without a score
		case *[]UserTurn:
			*field = []UserTurn{{Part, "e", fmt.Sprint("text ", *number)}}
		case *vfs.Files:
			*field = vfs.Files{"a.txt": fmt.Sprint("text ", *number)}
		case *[]string:
			*field = []string{fmt.Sprint("text ", *number)}
		case *int:
			*field = *number
		case *bool:
			*field = true
		case **bool:
			*field = new(true)
		case **string:
			*field = new(fmt.Sprint("kept ", *number))
		case *float64:
			*field = float64(*number)
		case **float64:
			*field = new(float64(*number))
		case *time.Duration:
			*field = time.Duration(*number) * time.Microsecond
		case *int64, *time.Time: // what the store sets, and the test
		default:
			if v.Field(i).Kind() != reflect.String {
				t.Fatalf("%s has a type that no column holds", v.Type().Field(i).Name)
			}
			v.Field(i).SetString(fmt.Sprint("text ", *number))
		}
	}
}
