package results

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"agentd/vfs"
)

// ErrStored says that another process has stored the interaction.
var ErrStored = errors.New("interaction stored already")

// PutContents stores texts, such as environments, by the SHA-256 of each.
func (s *Store) PutContents(ctx context.Context, texts []string) error {
	contents, _, err := s.pack(texts)
	if err != nil {
		return err
	}
	err = s.Transaction(ctx, "storing environments in", func(tx Tx) error { return putContents(ctx, tx, contents) })
	if err == nil {
		s.stored.add(contents)
	}
	return err
}

// Append stores an interaction with its trace, scores and documents, in one
// transaction, and sets its ID and Use. within, if not nil, runs in the same
// transaction, before anything is stored; its error is returned as it is. If
// another process has stored that interaction, the error is ErrStored.
func (s *Store) Append(ctx context.Context, in *Interaction, within func(Tx) error) error {
	contents, hashes, err := s.pack(in.texts())
	if err != nil {
		return err
	}
	output, err := snapshot(in.Output, hashes)
	if err != nil {
		return err
	}
	err = s.Transaction(ctx, "storing an interaction in", func(tx Tx) error {
		if within != nil {
			if err := within(tx); err != nil {
				return err
			}
		}
		if err := putContents(ctx, tx, contents); err != nil {
			return err
		}
		return insertWhole(ctx, tx, in, output, hashes)
	})
	if err == nil {
		s.stored.add(contents)
	}
	return err
}

// insertWhole stores an interaction with its trace and counts it, unless it is stored.
func insertWhole(ctx context.Context, tx Tx, in *Interaction, output string, hashes map[string]string) error {
	fresh, err := insertInteraction(ctx, tx, in, output, hashes)
	if err != nil || !fresh {
		return err
	}
	if err := insertTrace(ctx, tx, in, hashes); err != nil {
		return err
	}
	return countInArm(ctx, tx, in, 1)
}

// AppendRelay stores a relay that was not planned, with all of its interactions, in one
// transaction. It sets its Repeat to the next one that is free, the IDs of both, and what
// Append sets. Interactions may begin and end within the schedule.
func (s *Store) AppendRelay(ctx context.Context, r *Relay, interactions []*Interaction) error {
	var texts []string
	for _, in := range interactions {
		texts = append(texts, in.texts()...)
	}
	contents, hashes, err := s.pack(texts)
	if err != nil {
		return err
	}
	err = s.Transaction(ctx, "storing a relay in", func(tx Tx) error {
		if err := putContents(ctx, tx, contents); err != nil {
			return err
		}
		if err := addRelay(ctx, tx, r, len(interactions)); err != nil {
			return err
		}
		for _, in := range interactions {
			in.Relay = r.ID
			output, err := snapshot(in.Output, hashes)
			if err == nil {
				err = insertWhole(ctx, tx, in, output, hashes)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		s.stored.add(contents)
	}
	return err
}

// insertInteraction reports whether it stored the interaction. It may be stored already if
// the answer to an earlier commit of the same interaction was lost.
func insertInteraction(ctx context.Context, tx Tx, in *Interaction, output string, hashes map[string]string) (fresh bool, err error) {
	in.Use = in.toolUse()
	r, err := rowOf(in, output, hashes)
	if err != nil {
		return false, err
	}
	err = row(ctx, tx, insertInteractionStatement, valuesOf(r.all()), &in.ID)
	if !errors.Is(err, errNoRow) {
		return err == nil, err
	}
	var started, duration int64
	err = row(ctx, tx, "SELECT id, started, duration FROM interactions WHERE relay = $1 AND number = $2",
		[]any{in.Relay, in.Number}, &in.ID, &started, &duration)
	if err == nil && (started != in.Started.UnixMilli() || duration != in.Duration.Microseconds()) {
		err = fmt.Errorf("%w: relay %d, interaction %d", ErrStored, in.Relay, in.Number)
	}
	return false, err
}

// clean makes a text fit for any database: UTF-8 without NUL.
func clean(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), "\x00", "\ufffd")
}

// Bounds of the names and texts of models and servers that are kept, in bytes, and of the
// number of a call's arguments whose names are kept.
const (
	mostNameBytes = 200
	mostArguments = 100
)

// cut keeps the beginning of a text.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "")
}

// note shortens an error for the store, shortName a name that a model or a server chose.
func note(text string) string      { return clean(cut(text, mostNoteBytes)) }
func shortName(text string) string { return clean(cut(text, mostNameBytes)) }

func shortNames(texts []string) []string {
	if texts == nil {
		return nil
	}
	kept := make([]string, min(len(texts), mostArguments))
	for i := range kept {
		kept[i] = shortName(texts[i])
	}
	return kept
}

// texts are those of the documents, and what was said and what went through tools as
// far as it is kept.
func (in *Interaction) texts() []string {
	texts := slices.Collect(maps.Values(in.Output))
	keep := func(text *string) {
		if text != nil {
			texts = append(texts, cut(*text, mostContentBytes))
		}
	}
	keep(in.Complaint)
	keep(in.Printed)
	if in.Conversation != nil {
		texts = append(texts, *in.Conversation)
	}
	for i := range in.Turns {
		keep(in.Turns[i].Text)
		keep(in.Turns[i].Thought)
	}
	for i := range in.ToolCalls {
		keep(in.ToolCalls[i].Arguments)
		keep(in.ToolCalls[i].Answer)
	}
	return texts
}

// countStatement adds to the sums of an arm. The parentheses hold whether the relay's
// last interaction is stored.
const countStatement = `UPDATE arms SET done = done + $2, failed = failed + $3, scored = scored + $4, rs = rs + $5,
	strict = strict + $6, cost = cost + $7, unpriced = unpriced + $8, given_up = given_up + $9, faults = faults + $10,
	forwards = forwards + $11, executed = executed + $12,
	ended = ended + $2 * (CASE WHEN ($13 + $9 * $2) * arms.relays = arms.planned THEN 1 ELSE 0 END)
	WHERE id = (SELECT arm FROM relays WHERE relays.id = $1)`

// countInArm adds an interaction to the sums of its arm, or subtracts it. The cost is never
// subtracted, because it was paid. It comes last in the transaction, because other
// transactions wait for that row.
func countInArm(ctx context.Context, tx Tx, in *Interaction, times int) error {
	var failed, scored, unpriced, faults, forwards, executed int
	var rs, strict, cost float64
	if in.Failure != "" {
		failed = times
	}
	if in.Score != nil {
		scored, rs, strict = times, float64(times)*in.Score.RS, float64(times)*in.Score.Strict
	}
	if in.Unscored == ServiceFault {
		faults = times
	}
	if in.Executed != nil {
		forwards = times
		if *in.Executed {
			executed = times
		}
	}
	if times > 0 {
		if in.Cost != nil {
			cost = *in.Cost
		}
		if in.Judging.Cost != nil {
			cost += *in.Judging.Cost
		}
		if in.Cost == nil || in.Judging.Cost == nil && in.Judging.Asked > 0 {
			unpriced = 1
		}
	}
	_, err := tx.Exec(ctx, countStatement, in.Relay, times, failed, scored, rs, strict, cost, unpriced,
		times*in.GivenUp, faults, forwards, executed, in.Number)
	return err
}

// snapshot is a stored snapshot of files: JSON of file names and hashes.
func snapshot(files vfs.Files, hashes map[string]string) (string, error) {
	of := make(map[string]string, len(files))
	for name, content := range files {
		of[name] = hashes[content]
	}
	raw, err := json.Marshal(of)
	return string(raw), err
}
