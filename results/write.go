package results

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"agentd/vfs"
)

// Plan stores the relays of an experiment that are not stored yet and returns
// all of them with their IDs, in the order given.
func (s *Store) Plan(ctx context.Context, relays []Relay) ([]Relay, error) {
	planned := make([]Relay, len(relays))
	err := s.transaction(ctx, "planning in", func(tx *sql.Tx) error {
		for i, r := range relays {
			schedule, err := json.Marshal(r.Schedule)
			if err != nil {
				return err
			}
			_, err = tx.ExecContext(ctx, `INSERT INTO relays (experiment, model, policy, environment, domain, repeat, schedule)
				VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
				r.Experiment, r.Model, r.Policy, r.Environment, r.Domain, r.Repeat, string(schedule))
			if err != nil {
				return err
			}
			err = tx.QueryRowContext(ctx, `SELECT id FROM relays
				WHERE experiment = ? AND model = ? AND policy = ? AND environment = ? AND repeat = ?`,
				r.Experiment, r.Model, r.Policy, r.Environment, r.Repeat).Scan(&r.ID)
			if err != nil {
				return err
			}
			planned[i] = r
		}
		return nil
	})
	return planned, err
}

// PutContents stores texts, such as environments, by the SHA-256 of each.
func (s *Store) PutContents(ctx context.Context, texts []string) error {
	return s.transaction(ctx, "storing environments in", func(tx *sql.Tx) error {
		for _, text := range texts {
			if _, err := s.putContent(ctx, tx, text); err != nil {
				return err
			}
		}
		return nil
	})
}

// Append stores an interaction with its trace, scores and documents, in one
// transaction, and sets its ID.
func (s *Store) Append(ctx context.Context, in *Interaction) error {
	return s.transaction(ctx, "storing an interaction in", func(tx *sql.Tx) error {
		output, err := s.putFiles(ctx, tx, in.Output)
		if err != nil {
			return err
		}
		if err := insertInteraction(ctx, tx, in, output); err != nil {
			return err
		}
		return insertTrace(ctx, tx, in)
	})
}

func insertInteraction(ctx context.Context, tx *sql.Tx, in *Interaction, output string) error {
	strays, err := json.Marshal(in.Strays)
	if err != nil {
		return err
	}
	var value, strict sql.NullFloat64
	var reference, candidate sql.NullInt64
	components, problem := []byte("{}"), ""
	if in.Score != nil {
		value = sql.NullFloat64{Float64: in.Score.Value, Valid: true}
		strict = sql.NullFloat64{Float64: in.Score.Strict, Valid: true}
		reference = sql.NullInt64{Int64: int64(in.Score.Reference), Valid: true}
		candidate = sql.NullInt64{Int64: int64(in.Score.Candidate), Valid: true}
		problem = in.Score.Problem
		if components, err = json.Marshal(in.Score.Components); err != nil {
			return err
		}
	}
	result, err := tx.ExecContext(ctx, `INSERT INTO interactions (relay, number, edit, direction, started, duration,
			ending, failure, detail, turns, prompt, cached, completion, reasoning, cost, value, strict, forward,
			reference_elements, candidate_elements, components, problem, strays, output, distractors)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		in.Relay, in.Number, in.Edit, in.Direction, in.Started.UnixMilli(), in.Duration.Microseconds(),
		in.Ending, in.Failure, in.Detail, len(in.Turns), in.Prompt, in.Cached, in.Completion, in.Reasoning, in.Cost,
		value, strict, in.Forward, reference, candidate, string(components), problem, string(strays), output, in.Distractors)
	if err != nil {
		return err
	}
	in.ID, err = result.LastInsertId()
	return err
}

func insertTrace(ctx context.Context, tx *sql.Tx, in *Interaction) error {
	var turns, calls, reads [][]any
	for i, t := range in.Turns {
		turns = append(turns, []any{in.ID, i + 1, t.Prompt, t.Cached, t.Completion, t.Reasoning, t.Cost,
			t.Duration.Microseconds(), t.Retries, t.Finish})
	}
	for i, c := range in.ToolCalls {
		arguments, err := json.Marshal(c.Arguments)
		if err != nil {
			return err
		}
		calls = append(calls, []any{in.ID, i + 1, c.Turn, c.Tool, string(arguments), c.In, c.Out, c.Changed, c.Error,
			c.Duration.Microseconds()})
	}
	for i, r := range in.Reads {
		reads = append(reads, []any{in.ID, i + 1, r.File, r.Origin, r.Tool})
	}
	return cmp.Or(
		insertRows(ctx, tx, "turns", turns),
		insertRows(ctx, tx, "tool_calls", calls),
		insertRows(ctx, tx, "reads", reads))
}

// rowsAtOnce keeps a statement's values well below SQLite's limit of 32,766.
const rowsAtOnce = 500

// insertRows inserts many rows with few statements, which is most of the work.
func insertRows(ctx context.Context, tx *sql.Tx, table string, rows [][]any) error {
	for some := range slices.Chunk(rows, rowsAtOnce) {
		places := "(?" + strings.Repeat(", ?", len(some[0])-1) + ")"
		statement := "INSERT INTO " + table + " VALUES " + places + strings.Repeat(", "+places, len(some)-1)
		if _, err := tx.ExecContext(ctx, statement, slices.Concat(some...)...); err != nil {
			return err
		}
	}
	return nil
}

// putFiles stores contents that are not stored yet and returns the snapshot as
// JSON, file to hash.
func (s *Store) putFiles(ctx context.Context, tx *sql.Tx, files vfs.Files) (string, error) {
	hashes := make(map[string]string, len(files))
	for _, name := range files.Names() {
		hash, err := s.putContent(ctx, tx, files[name])
		if err != nil {
			return "", err
		}
		hashes[name] = hash
	}
	raw, err := json.Marshal(hashes)
	return string(raw), err
}

// putContent stores a text that is not stored yet and returns its hash.
func (s *Store) putContent(ctx context.Context, tx *sql.Tx, text string) (string, error) {
	sum := sha256.Sum256([]byte(text))
	hash := hex.EncodeToString(sum[:])
	var known int
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM contents WHERE hash = ?", sum[:]).Scan(&known); err != nil || known > 0 {
		return hash, err
	}
	_, err := tx.ExecContext(ctx, "INSERT INTO contents (hash, zstd) VALUES (?, ?)", sum[:], s.zip.EncodeAll([]byte(text), nil))
	return hash, err
}
