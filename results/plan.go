package results

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// State says whether an experiment may be worked on.
type State string

// The states of an experiment.
const (
	Running   State = "running"   // or done
	Paused    State = "paused"    // until it is resumed
	Spent     State = "spent"     // it has cost as much as it may
	Cancelled State = "cancelled" // for good
)

// Begin returns the experiment of that name and creates it if it is not stored. It sets
// the state to Running and the limit on the cost to maxCost (USD, nil for none). If the
// stored manifest differs, the error is ErrDiffers and lists the differences, unless
// allowChanged is true: then the change is recorded and the manifest replaced.
func (s *Store) Begin(ctx context.Context, name string, manifest Manifest, maxCost *float64, allowChanged bool) (Experiment, error) {
	raw, err := json.Marshal(manifest)
	if err != nil {
		return Experiment{}, fmt.Errorf("storing the manifest: %w", err)
	}
	id, err := uuid.NewV7()
	if err != nil {
		return Experiment{}, fmt.Errorf("naming the experiment: %w", err)
	}
	err = s.Transaction(ctx, "storing the experiment in", func(tx Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO experiments (id, name, created, manifest, state) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (name) DO NOTHING`, id.String(), name, time.Now().UnixMilli(), string(raw), Running)
		if err != nil {
			return err
		}
		var stored []byte
		var existing string
		var state State
		var before Manifest
		err = row(ctx, tx, "SELECT id, manifest, state FROM experiments WHERE name = $1", []any{name}, &existing, &stored, &state)
		if err == nil {
			err = decode(stored, &before)
		}
		if err != nil {
			return err
		}
		if state == Cancelled {
			return refusal{fmt.Errorf("%w: %q; give this run another --name", ErrCancelled, name)}
		}
		if differences := manifest.Differences(before); len(differences) > 0 {
			if !allowChanged {
				return refusal{differs(name, differences)}
			}
			if err := recordChange(ctx, tx, existing, differences, stored); err != nil {
				return err
			}
		}
		_, err = tx.Exec(ctx, "UPDATE experiments SET manifest = $1, state = $2, max_cost = $3 WHERE id = $4", string(raw), Running, maxCost, existing)
		return err
	})
	var refused refusal
	if errors.As(err, &refused) {
		return Experiment{}, refused.error
	}
	if err != nil {
		return Experiment{}, err
	}
	return s.Experiment(ctx, name)
}

// refusal marks an error of a check, not of the database.
type refusal struct{ error }

func (r refusal) Unwrap() error { return r.error }

// differs returns an ErrDiffers that lists the differences.
func differs(name string, differences []string) error {
	return fmt.Errorf("%w: %q was begun with other %s; give this run another --name, or go on with --allow-changed, which records the change",
		ErrDiffers, name, strings.Join(differences, ", "))
}

func recordChange(ctx context.Context, tx Tx, experiment string, differences []string, before []byte) error {
	list, err := json.Marshal(differences)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `INSERT INTO changes (experiment, number, changed, differences, manifest)
		SELECT $1, count(*) + 1, $2, $3, $4 FROM changes WHERE experiment = $1`,
		experiment, time.Now().UnixMilli(), string(list), string(before))
	return err
}

// Change is a change of an experiment's manifest while it ran.
type Change struct {
	At          time.Time
	Differences []string
}

// Changes returns the changes of an experiment's manifest since it began.
func (s *Store) Changes(ctx context.Context, experiment string) ([]Change, error) {
	var all []Change
	err := s.scanAll(ctx, "SELECT changed, differences FROM changes WHERE experiment = $1 ORDER BY number", []any{experiment}, func(rows Rows) error {
		var c Change
		var at int64
		var list []byte
		if err := rows.Scan(&at, &list); err != nil {
			return err
		}
		c.At = time.UnixMilli(at)
		all = append(all, c)
		return decode(list, &all[len(all)-1].Differences)
	})
	return all, err
}

// SetState sets the state of an experiment. A cancelled one stays cancelled.
func (s *Store) SetState(ctx context.Context, experiment string, state State) error {
	return s.Transaction(ctx, "changing an experiment in", func(tx Tx) error {
		_, err := tx.Exec(ctx, "UPDATE experiments SET state = $1 WHERE id = $2 AND state <> $3", state, experiment, Cancelled)
		return err
	})
}

// Standing is the progress of an experiment.
type Standing struct {
	State         State
	Cost          float64  // USD
	MaxCost       *float64 // USD, nil for no limit
	Done, Planned int      // interactions
	GivenUp       int      // interactions that will never be done, because their relays ended early
	Ended, Relays int      // relays that have ended, and all
	Faults        int      // interactions without a score because a service was unavailable
}

// Complete reports whether no interaction is left to do.
func (s Standing) Complete() bool { return s.Done+s.GivenUp >= s.Planned }

// MayGoOn reports whether new interactions may begin.
func (s Standing) MayGoOn() bool { return s.State == Running && !s.OverCost() }

// OverCost reports whether the limit on the cost is reached.
func (s Standing) OverCost() bool { return s.MaxCost != nil && s.Cost >= *s.MaxCost }

// Standing returns the progress of an experiment.
func (s *Store) Standing(ctx context.Context, experiment string) (Standing, error) {
	var now Standing
	err := s.row(ctx, standingQuery, []any{experiment},
		&now.State, &now.MaxCost, &now.Cost, &now.Done, &now.Planned, &now.GivenUp, &now.Ended, &now.Relays, &now.Faults)
	return now, err
}

const standingQuery = `SELECT state, max_cost, coalesce(sum(cost), 0), coalesce(sum(done), 0), coalesce(sum(planned), 0),
	coalesce(sum(given_up), 0), coalesce(sum(ended), 0), coalesce(sum(relays), 0), coalesce(sum(faults), 0)
	FROM experiments LEFT JOIN arms ON arms.experiment = experiments.id
	WHERE experiments.id = $1 GROUP BY experiments.id, state, max_cost`

// Arm is the progress of a policy with a model.
type Arm struct {
	Model, Policy         string
	Relays, Ended         int
	Planned, Done, Failed int // interactions
	GivenUp, Faults       int // as in Standing
	Forwards, Executed    int // forward steps, and those of them that were carried out
	Scored                int // round trips with a score
	RSSum, StrictSum      float64
	Cost                  float64 // USD, of the interactions whose cost is known
	InteractionsOfNoPrice int
}

// Work returns how many of the arm's edits were carried out.
func (a Arm) Work() Work { return Work{a.Executed, a.Forwards} }

// Complete is Standing.Complete for an arm.
func (a Arm) Complete() bool { return a.Done+a.GivenUp >= a.Planned }

// Arms returns the arms of an experiment in the order in which they were
// planned.
func (s *Store) Arms(ctx context.Context, experiment string) ([]Arm, error) {
	var all []Arm
	err := s.scanAll(ctx, `SELECT model, policy, relays, ended, planned, done, failed, scored, rs, strict, cost, unpriced,
		given_up, faults, forwards, executed FROM arms WHERE experiment = $1 ORDER BY id`, []any{experiment}, func(rows Rows) error {
		var a Arm
		err := rows.Scan(&a.Model, &a.Policy, &a.Relays, &a.Ended, &a.Planned, &a.Done, &a.Failed, &a.Scored,
			&a.RSSum, &a.StrictSum, &a.Cost, &a.InteractionsOfNoPrice, &a.GivenUp, &a.Faults, &a.Forwards, &a.Executed)
		all = append(all, a)
		return err
	})
	return all, err
}

// Plan stores those relays of an experiment that are not stored yet, and returns all
// relays with their IDs, in the given order. It calls added with the new ones in the
// same transaction.
func (s *Store) Plan(ctx context.Context, relays []Relay, added func(Tx, []Relay) error) ([]Relay, error) {
	if len(relays) == 0 {
		return nil, nil
	}
	planned := slices.Clone(relays)
	err := s.Transaction(ctx, "planning in", func(tx Tx) error {
		known, arms, err := plannedIn(ctx, tx, relays[0].Experiment)
		if err != nil {
			return err
		}
		var fresh []Relay
		more := map[int64][2]int{} // relays and interactions, by arm
		for i := range planned {
			r := &planned[i]
			if r.ID = known[r.cell()]; r.ID != 0 {
				continue
			}
			arm := [2]string{r.Model, r.Policy}
			if arms[arm] == 0 {
				if arms[arm], err = addArm(ctx, tx, r); err != nil {
					return err
				}
			}
			schedule, err := json.Marshal(r.Schedule)
			if err != nil {
				return err
			}
			err = row(ctx, tx, insertRelay, []any{r.Experiment, arms[arm], r.Model, r.Policy, r.Environment, r.Domain, r.Repeat, string(schedule)}, &r.ID)
			if err != nil {
				return err
			}
			fresh = append(fresh, *r)
			more[arms[arm]] = [2]int{more[arms[arm]][0] + 1, more[arms[arm]][1] + 2*len(r.Schedule)}
		}
		for arm, n := range more {
			if _, err := tx.Exec(ctx, "UPDATE arms SET relays = relays + $2, planned = planned + $3 WHERE id = $1", arm, n[0], n[1]); err != nil {
				return err
			}
		}
		if len(fresh) == 0 || added == nil {
			return nil
		}
		return added(tx, fresh)
	})
	return planned, err
}

const insertRelay = `INSERT INTO relays (experiment, arm, model, policy, environment, domain, repeat, schedule)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id`

// cell identifies a relay in its experiment.
type cell struct {
	model, policy, environment string
	repeat                     int
}

func (r *Relay) cell() cell { return cell{r.Model, r.Policy, r.Environment, r.Repeat} }

// plannedIn returns the relays and arms that are stored for an experiment.
func plannedIn(ctx context.Context, tx Tx, experiment string) (map[cell]int64, map[[2]string]int64, error) {
	known, arms := map[cell]int64{}, map[[2]string]int64{}
	rows, err := tx.Query(ctx, "SELECT id, arm, model, policy, environment, repeat FROM relays WHERE experiment = $1", experiment)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var r Relay
		var arm int64
		if err := rows.Scan(&r.ID, &arm, &r.Model, &r.Policy, &r.Environment, &r.Repeat); err != nil {
			return nil, nil, err
		}
		known[r.cell()] = r.ID
		arms[[2]string{r.Model, r.Policy}] = arm
	}
	return known, arms, rows.Err()
}

// addRelay stores a relay with the next free repeat in its arm, which it creates if it has to. Counting
// the relay in the arm first keeps others from taking the same repeat.
func addRelay(ctx context.Context, tx Tx, r *Relay, interactions int) error {
	var arm int64
	err := row(ctx, tx, "SELECT id FROM arms WHERE experiment = $1 AND model = $2 AND policy = $3", []any{r.Experiment, r.Model, r.Policy}, &arm)
	if errors.Is(err, errNoRow) {
		arm, err = addArm(ctx, tx, r)
	}
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "UPDATE arms SET relays = relays + 1, planned = planned + $2 WHERE id = $1", arm, interactions); err != nil {
		return err
	}
	err = row(ctx, tx, "SELECT COALESCE(MAX(repeat), 0) + 1 FROM relays WHERE experiment = $1 AND model = $2 AND policy = $3 AND environment = $4",
		[]any{r.Experiment, r.Model, r.Policy, r.Environment}, &r.Repeat)
	if err != nil {
		return err
	}
	schedule, err := json.Marshal(r.Schedule)
	if err != nil {
		return err
	}
	return row(ctx, tx, insertRelay, []any{r.Experiment, arm, r.Model, r.Policy, r.Environment, r.Domain, r.Repeat, string(schedule)}, &r.ID)
}

func addArm(ctx context.Context, tx Tx, r *Relay) (int64, error) {
	var id int64
	err := row(ctx, tx, `INSERT INTO arms (experiment, model, policy, relays, planned, done, ended, failed, scored, rs, strict, cost, unpriced)
		VALUES ($1, $2, $3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) RETURNING id`, []any{r.Experiment, r.Model, r.Policy}, &id)
	return id, err
}

// SetMaxCost sets the limit on what an experiment may cost in USD, nil for none.
func (s *Store) SetMaxCost(ctx context.Context, experiment string, maxCost *float64) error {
	return s.Transaction(ctx, "changing an experiment in", func(tx Tx) error {
		_, err := tx.Exec(ctx, "UPDATE experiments SET max_cost = $1 WHERE id = $2", maxCost, experiment)
		return err
	})
}
