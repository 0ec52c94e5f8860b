package results

import (
	"context"
	"fmt"
	"math"
	"strings"
)

// Curves returns the curves of an experiment by relay, without those that have no data.
// unscoredZero counts round trips that the protocol leaves unscored as 0.
func (s *Store) Curves(ctx context.Context, experiment string, unscoredZero bool) (map[int64]Curve, error) {
	curves := map[int64]Curve{}
	var steps []Interaction // of the relay that is read
	end := func() {
		if len(steps) == 0 {
			return
		}
		if curve := CurveOf(Trips(steps), unscoredZero); curve.Work.Edits > 0 || curve.RoundTrips() > 0 {
			curves[steps[0].Relay] = curve
		}
		steps = steps[:0]
	}
	err := s.scanAll(ctx, "SELECT relay, number, rs, strict, unscored, judge, unreadable, executed, problem FROM interactions WHERE (rs IS NOT NULL OR executed IS NOT NULL OR unscored <> '') AND "+ofExperiment, []any{experiment}, func(rows Rows) error {
		var in Interaction
		var rs, strict *float64
		var judge, problem string
		var unreadable int
		var executed *int
		if err := rows.Scan(&in.Relay, &in.Number, &rs, &strict, &in.Unscored, &judge, &unreadable, &executed, &problem); err != nil {
			return err
		}
		if in.Number < 1 || rs != nil && (in.Number < 2 || strict == nil) || in.Number > 2*MostRoundTrips {
			return fmt.Errorf("%w: interaction %d of relay %d has a score or a number that none has", ErrDamaged, in.Number, in.Relay)
		}
		if rs != nil {
			in.Score = &Score{RS: *rs, Strict: *strict, Judge: judge, Unreadable: unreadable != 0, Problem: problem}
		}
		if executed != nil {
			in.Executed = new(*executed != 0)
		}
		if len(steps) > 0 && steps[0].Relay != in.Relay {
			end()
		}
		steps = append(steps, in)
		return nil
	})
	end()
	return curves, err
}

// Search selects interactions. An empty field matches all. Texts match as substrings, regardless
// of the case of ASCII letters.
type Search struct {
	Experiment string // its name
	Domain     string
	Tool       string // that was called
	// File is a part of the name of a file that the step read, created or changed.
	File string
	// Error is a substring of a failed tool call's error; of the named tool if Tool is set.
	// If Tool is empty, the failure of the interaction itself also matches.
	Error   string
	Failure string // the reason; AnyFailure for any
	// Before selects only interactions stored before the one with this ID; 0 for all.
	Before int64
}

// AnyFailure finds all interactions that failed.
const AnyFailure = "any"

// Found is an interaction that matches a Search, without its trace and documents.
type Found struct {
	Experiment string // its name
	In         Relay
	Interaction
}

// Search returns interactions, the last stored ones first, at most limit.
func (s *Store) Search(ctx context.Context, q Search, limit int) ([]Found, error) {
	if q.Before == 0 {
		q.Before = math.MaxInt64
	}
	var all []Found
	owners := owners{store: s, relays: map[int64]Relay{}, experiments: map[string]string{}}
	for {
		where, args := q.where()
		batch, outputs, err := s.interactions(ctx, fmt.Sprintf("%s ORDER BY id DESC LIMIT %d", where, limit), args...)
		if err != nil {
			return nil, err
		}
		for i, in := range batch {
			q.Before = in.ID
			if q.File != "" {
				if touched, err := s.touched(ctx, &in, outputs[i], q.File); err != nil {
					return nil, err
				} else if !touched {
					continue
				}
			}
			found, err := owners.find(ctx, in)
			if err != nil {
				return nil, err
			}
			if all = append(all, found); len(all) == limit {
				return all, nil
			}
		}
		if len(batch) < limit {
			return all, nil
		}
	}
}

// where returns the SQL condition on interactions. It may select too many for a file.
// The sign before relay keeps SQLite from finding relays first and then sorting all
// their interactions.
func (q *Search) where() (string, []any) {
	var args []any
	arg := func(v any) string {
		args = append(args, v)
		return fmt.Sprintf("$%d", len(args))
	}
	like := func(column, part string) string {
		return "lower(" + column + ") LIKE lower(" + arg("%"+likeEscapes.Replace(part)+"%") + `) ESCAPE '\'`
	}
	conditions := []string{"id < " + arg(q.Before)}
	var relays []string
	if q.Experiment != "" {
		relays = append(relays, "experiment IN (SELECT id FROM experiments WHERE name = "+arg(q.Experiment)+")")
	}
	if q.Domain != "" {
		relays = append(relays, "domain = "+arg(q.Domain))
	}
	if len(relays) > 0 {
		conditions = append(conditions, "+relay IN (SELECT id FROM relays WHERE "+strings.Join(relays, " AND ")+")")
	}
	if q.Tool != "" {
		conditions = append(conditions, "' ' || tools || ' ' LIKE "+arg("% "+likeEscapes.Replace(toolWord(q.Tool))+" %")+` ESCAPE '\'`)
	}
	switch {
	case q.Error == "":
	case q.Tool == "":
		conditions = append(conditions, "("+like("detail", q.Error)+" OR "+called+"error <> '' AND "+like("error", q.Error)+"))")
	default:
		conditions = append(conditions, called+"error <> '' AND tool = "+arg(clean(q.Tool))+" AND "+like("error", q.Error)+")")
	}
	if q.File != "" {
		conditions = append(conditions, "("+like("output", q.File)+" OR EXISTS (SELECT 1 FROM reads WHERE interaction = interactions.id AND "+like("file", q.File)+"))")
	}
	switch q.Failure {
	case "":
	case AnyFailure:
		conditions = append(conditions, "failure <> ''")
	default:
		conditions = append(conditions, "failure = "+arg(q.Failure))
	}
	return strings.Join(conditions, " AND "), args
}

// called finds failed calls by their index.
const called = "id IN (SELECT interaction FROM tool_calls WHERE "

var likeEscapes = strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`)

// touched reports whether a step read, created or changed a file whose name contains the
// given text. The documents before the first step are not stored with it, so all files after
// it count as created, unless it failed.
func (s *Store) touched(ctx context.Context, in *Interaction, output []byte, part string) (bool, error) {
	part = strings.ToLower(part)
	read := false
	err := s.scanAll(ctx, "SELECT file FROM reads WHERE interaction = $1", []any{in.ID}, func(rows Rows) error {
		var file string
		err := rows.Scan(&file)
		read = read || strings.Contains(strings.ToLower(file), part)
		return err
	})
	if err != nil || read {
		return read, err
	}
	var before, after map[string]string
	if err := decode(output, &after); err != nil {
		return false, fmt.Errorf("reading a snapshot: %w", err)
	}
	if in.Number == 1 && in.Failure != "" {
		return false, nil
	}
	if in.Number > 1 {
		var earlier []byte
		err := s.row(ctx, "SELECT output FROM interactions WHERE relay = $1 AND number = $2", []any{in.Relay, in.Number - 1}, &earlier)
		if err != nil {
			return false, err
		}
		if err := decode(earlier, &before); err != nil {
			return false, fmt.Errorf("reading a snapshot: %w", err)
		}
	}
	for name, hash := range after {
		if before[name] != hash && strings.Contains(strings.ToLower(name), part) {
			return true, nil
		}
	}
	return false, nil
}

// owners finds the relays and experiments that interactions belong to, each once.
type owners struct {
	store       *Store
	relays      map[int64]Relay
	experiments map[string]string // names by ID
}

func (p *owners) find(ctx context.Context, in Interaction) (Found, error) {
	relay, known := p.relays[in.Relay]
	if !known {
		var err error
		if relay, err = p.store.Relay(ctx, in.Relay); err != nil {
			return Found{}, err
		}
		p.relays[in.Relay] = relay
	}
	name, known := p.experiments[relay.Experiment]
	if !known {
		if err := p.store.row(ctx, "SELECT name FROM experiments WHERE id = $1", []any{relay.Experiment}, &name); err != nil {
			return Found{}, err
		}
		p.experiments[relay.Experiment] = name
	}
	return Found{Experiment: name, In: relay, Interaction: in}, nil
}
