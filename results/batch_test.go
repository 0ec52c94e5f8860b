package results

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"
)

// What many store at once is committed together; what fails of it is undone
// alone, and everybody is told of their own.
func TestTogetherButEachForItself(t *testing.T) {
	onEach(t, func(t *testing.T, store *Store) {
		var models []string
		for i := range 40 {
			models = append(models, fmt.Sprint("m", i))
		}
		relays := plan(t, store, models...)
		refused := errors.New("refused")
		cancelled, cancel := context.WithCancel(t.Context())
		cancel()
		var group errgroup.Group
		for i, r := range relays {
			group.Go(func() error {
				for number := 1; number <= 10; number++ {
					in := typical(r.ID, number)
					switch i % 4 {
					case 1: // its part fails once it has stored something
						err := store.Transaction(t.Context(), "trying", func(tx Tx) error {
							if _, err := tx.Exec(t.Context(), "INSERT INTO contents (hash, zstd) VALUES ($1, $1)", []byte(fmt.Sprint(i, number))); err != nil {
								return err
							}
							return refused
						})
						if !errors.Is(err, refused) {
							return fmt.Errorf("%v, want refused", err)
						}
					case 2:
						if err := store.Append(cancelled, in, nil); !errors.Is(err, context.Canceled) {
							return fmt.Errorf("%v, want cancelled", err)
						}
					case 3:
						err := store.Append(t.Context(), &Interaction{Relay: 10_000, Number: number}, nil)
						if err == nil {
							return errors.New("an interaction of no relay was stored")
						}
					}
					if err := store.Append(t.Context(), in, nil); err != nil {
						return err
					}
				}
				return nil
			})
		}
		if err := group.Wait(); err != nil {
			t.Fatal(err)
		}
		if n := count(t, store, "interactions"); n != 400 {
			t.Errorf("%d interactions stored, want 400", n)
		}
		// Two that never change, and one a number.
		if n := count(t, store, "contents"); n != 2+10 {
			t.Errorf("%d contents stored, want 12: those of refused transactions were kept", n)
		}
	})
}

func TestAPanicInATransactionHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	store := create(t)
	relay := plan(t, store, "m")[0]
	err := store.Transaction(t.Context(), "trying", func(Tx) error { panic("a bug") })
	if err == nil || !strings.Contains(err.Error(), "a bug") {
		t.Errorf("%v", err)
	}
	if err := store.Append(t.Context(), typical(relay.ID, 1), nil); err != nil {
		t.Error(err)
	}
}
