package results

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agentd/results/record"
)

// A field of a turn without a column of its own would come back empty.
func TestEveryFieldOfATurnIsStored(t *testing.T) {
	onEach(t, func(t *testing.T, store *Store) {
		relay := plan(t, store, "m")[0]
		var turn record.Turn
		number := 0
		var fill func(reflect.Value)
		fill = func(v reflect.Value) {
			for i := range v.NumField() {
				number++
				switch field := v.Field(i).Addr().Interface().(type) {
				case *record.Usage:
					fill(v.Field(i))
				case *int:
					*field = number
				case *bool:
					*field = true
				case *string:
					*field = fmt.Sprint("text ", number)
				case **string:
					*field = new(fmt.Sprint("kept ", number))
				case **float64:
					*field = new(float64(number))
				case *time.Duration:
					*field = time.Duration(number) * time.Microsecond
				default:
					t.Fatalf("%s has a type that no column holds", v.Type().Field(i).Name)
				}
			}
		}
		fill(reflect.ValueOf(&turn).Elem())
		store.append(t, &Interaction{Relay: relay.ID, Number: 1, Turns: []record.Turn{{}, turn}})
		got, err := store.Interaction(t.Context(), relay.ID, 1)
		if diff := cmp.Diff([]record.Turn{{}, turn}, got.Turns); diff != "" || err != nil {
			t.Errorf("%v\n%s", err, diff)
		}
	})
}
