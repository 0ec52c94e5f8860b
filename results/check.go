package results

import (
	"errors"
	"fmt"
	"math"

	"agentd/internal/jsonsafe"
)

// A database may come from someone else, and could exhaust memory by accident or on purpose. So
// agentd neither reads nor stores anything beyond these limits.
const (
	// MostRoundTrips is how many round trips a relay may have, and how many repeats an
	// experiment.
	MostRoundTrips = 10_000
	// mostContentBytes is the largest text that is stored by its hash: a document, an
	// environment, what a model said.
	mostContentBytes = 32 << 20
	// mostReadBytes limits the documents and texts of a relay that are read at once, in bytes.
	// Equal texts count once.
	mostReadBytes = 96 << 20
	// mostValueBytes is the largest field or row that SQLite returns.
	mostValueBytes = mostContentBytes + 1<<20
	// mostRowBytes is the largest sum of an interaction's texts, without its documents and
	// trace; mostNoteBytes is the longest error text that is kept.
	mostRowBytes  = 8 << 20
	mostNoteBytes = 64 << 10
	// mostTurns is how many completions an interaction may have.
	mostTurns = 100_000
)

// Kinds of errors.
var (
	// ErrDamaged means that agentd cannot have stored such a record.
	ErrDamaged = errors.New("damaged database")
	// ErrTooLarge means that a text is too large to be stored, or several are too large to
	// be read at once.
	ErrTooLarge = errors.New("too large")
)

// decode decodes JSON from the database.
func decode(raw []byte, into any) error {
	return jsonsafe.Unmarshal(raw, into, jsonsafe.DefaultLimits())
}

// check refuses a relay that agentd would not have planned.
func (r *Relay) check() error {
	if len(r.Schedule) > MostRoundTrips || r.Repeat < 1 || r.Repeat > MostRoundTrips {
		return fmt.Errorf("%w: relay %d has %d round trips and is repeat %d", ErrDamaged, r.ID, len(r.Schedule), r.Repeat)
	}
	return nil
}

// check refuses an interaction that agentd would not have stored, because code that reads
// interactions uses their numbers as indexes.
func (in *Interaction) check() error {
	damaged := func(what string) error {
		return fmt.Errorf("%w: interaction %d of relay %d %s", ErrDamaged, in.Number, in.Relay, what)
	}
	if in.Number < 1 || in.Number > 2*MostRoundTrips {
		return damaged("has a number that none has")
	}
	numbers := []*float64{in.Cost, in.Forward, in.ForwardRS, in.Judging.Cost}
	if in.Score != nil {
		numbers = append(numbers, &in.Score.RS, &in.Score.Strict)
		for _, value := range in.Score.Components {
			numbers = append(numbers, &value)
		}
	}
	if in.Fallback != nil {
		numbers = append(numbers, &in.Fallback.Similarity, &in.Fallback.Strict)
	}
	if in.Bytes != nil {
		numbers = append(numbers, &in.Bytes.Rest)
	}
	if o := in.ForwardOpinion; o != nil {
		if len(o.Ratings) == 0 {
			return damaged("has an opinion without ratings")
		}
		for _, rating := range o.Ratings {
			if rating < 0 || rating > MostRating {
				return damaged("has a rating that no judge can give")
			}
		}
	}
	for _, number := range numbers {
		if number != nil && (math.IsNaN(*number) || math.IsInf(*number, 0)) {
			return damaged("has a number that is infinite")
		}
	}
	return nil
}
