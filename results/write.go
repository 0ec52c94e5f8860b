package results

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"agentd/vfs"
)

// ErrStored says that the interaction of a relay was stored by somebody else.
var ErrStored = errors.New("interaction stored already")

// PutContents stores texts, such as environments, by the SHA-256 of each.
func (s *Store) PutContents(ctx context.Context, texts []string) error {
	return s.Transaction(ctx, "storing environments in", func(tx Tx) error {
		_, err := s.putContents(ctx, tx, texts)
		return err
	})
}

// Append stores an interaction with its trace, scores and documents, in one
// transaction, and sets its ID and Use. within, if not nil, runs in the same
// transaction, before anything is stored; its error is returned as it is. If
// somebody else has stored that interaction, the error is ErrStored.
func (s *Store) Append(ctx context.Context, in *Interaction, within func(Tx) error) error {
	return s.Transaction(ctx, "storing an interaction in", func(tx Tx) error {
		if within != nil {
			if err := within(tx); err != nil {
				return err
			}
		}
		output, err := s.putFiles(ctx, tx, in.Output)
		if err != nil {
			return err
		}
		fresh, err := insertInteraction(ctx, tx, in, output)
		if err != nil || !fresh {
			return err
		}
		if err := s.insertTrace(ctx, tx, in); err != nil {
			return err
		}
		return countInArm(ctx, tx, in)
	})
}

const insertInteractionStatement = `INSERT INTO interactions (relay, number, edit, direction, started, duration,
	ending, failure, detail, turns, prompt, cached, completion, reasoning, cost, value, strict, forward,
	reference_elements, candidate_elements, components, problem, strays, output, distractors,
	calls, scripts, writes, distractors_read, read_by_tools, read_by_scripts, tools, unknown_attempts,
	judge, fallback, judge_asked, judge_prompt, judge_completion, judge_cost)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33,
	$34, $35, $36, $37, $38, $39)
	ON CONFLICT (relay, number) DO NOTHING RETURNING id`

// insertInteraction reports whether the interaction was not stored yet: it may
// have been, if the answer to an earlier commit of the same was lost.
func insertInteraction(ctx context.Context, tx Tx, in *Interaction, output string) (fresh bool, err error) {
	strays, err := json.Marshal(in.Strays)
	if err != nil {
		return false, err
	}
	var value, strict, fallback *float64
	var reference, candidate *int
	components, problem, judge := []byte("{}"), "", ""
	if s := in.Score; s != nil {
		value, strict, reference, candidate, problem, judge = &s.Value, &s.Strict, &s.Reference, &s.Candidate, s.Problem, s.Judge
		if components, err = json.Marshal(s.Components); err != nil {
			return false, err
		}
	}
	if f := in.Fallback; f != nil {
		fallback, strict, reference, candidate, problem = &f.Similarity, &f.Strict, &f.Reference, &f.Candidate, f.Problem
	}
	in.Use = in.toolUse()
	err = row(ctx, tx, insertInteractionStatement, []any{
		in.Relay, in.Number, in.Edit, in.Direction, in.Started.UnixMilli(), in.Duration.Microseconds(),
		in.Ending, in.Failure, clean(in.Detail), len(in.Turns), in.Prompt, in.Cached, in.Completion, in.Reasoning, in.Cost,
		value, strict, in.Forward, reference, candidate, string(components), clean(problem), string(strays), output, in.Distractors,
		in.Use.Calls, in.Use.Scripts, in.Use.Writes, in.Use.DistractorsRead,
		in.Use.ReadByTools, in.Use.ReadByScripts, in.Use.Tools, in.UnknownAttempts,
		judge, fallback, in.Judging.Asked, in.Judging.Prompt, in.Judging.Completion, in.Judging.Cost,
	}, &in.ID)
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

var (
	turnColumns = []string{"interaction", "number", "prompt", "cached", "completion", "reasoning", "cost", "duration", "retries", "finish",
		"wasted_prompt", "wasted_completion", "unknown_attempts", "text"}
	callColumns = []string{"interaction", "number", "turn", "tool", "arguments", "bytes_in", "bytes_out", "changed", "error", "duration",
		"arguments_text", "answer"}
	readColumns = []string{"interaction", "number", "file", "origin", "tool"}
)

// putTexts stores what was said and what went through tools, as far as it was
// kept, and returns the hash of each; that of nil is empty.
func (s *Store) putTexts(ctx context.Context, tx Tx, in *Interaction) (map[*string]string, error) {
	var kept []*string
	for i := range in.Turns {
		kept = append(kept, in.Turns[i].Text)
	}
	for i := range in.ToolCalls {
		kept = append(kept, in.ToolCalls[i].ArgumentsText, in.ToolCalls[i].Answer)
	}
	kept = slices.DeleteFunc(kept, func(text *string) bool { return text == nil })
	texts := make([]string, len(kept))
	for i, text := range kept {
		texts[i] = *text
	}
	hashes, err := s.putContents(ctx, tx, texts)
	of := make(map[*string]string, len(hashes))
	for i, hash := range hashes {
		of[kept[i]] = hash
	}
	return of, err
}

func (s *Store) insertTrace(ctx context.Context, tx Tx, in *Interaction) error {
	hashes, err := s.putTexts(ctx, tx, in)
	if err != nil {
		return err
	}
	var turns, calls, reads [][]any
	for i, t := range in.Turns {
		turns = append(turns, []any{in.ID, i + 1, t.Prompt, t.Cached, t.Completion, t.Reasoning, t.Cost,
			t.Duration.Microseconds(), t.Retries, clean(t.Finish),
			t.WastedPrompt, t.WastedCompletion, t.UnknownAttempts, hashes[t.Text]})
	}
	for i, c := range in.ToolCalls {
		arguments, err := json.Marshal(c.Arguments)
		if err != nil {
			return err
		}
		calls = append(calls, []any{in.ID, i + 1, c.Turn, clean(c.Tool), string(arguments), c.In, c.Out, c.Changed, clean(c.Error),
			c.Duration.Microseconds(), hashes[c.ArgumentsText], hashes[c.Answer]})
	}
	for i, r := range in.Reads {
		reads = append(reads, []any{in.ID, i + 1, clean(r.File), r.Origin, r.Tool})
	}
	return cmp.Or(
		tx.insert(ctx, "turns", turnColumns, turns),
		tx.insert(ctx, "tool_calls", callColumns, calls),
		tx.insert(ctx, "reads", readColumns, reads))
}

// The parentheses hold whether the relay's last interaction is stored.
const countStatement = `UPDATE arms SET done = done + 1, failed = failed + $2, scored = scored + $3, value = value + $4,
	strict = strict + $5, cost = cost + $6, unpriced = unpriced + $7,
	ended = ended + (CASE WHEN $8 * arms.relays = arms.planned THEN 1 ELSE 0 END)
	WHERE id = (SELECT arm FROM relays WHERE relays.id = $1)`

// countInArm adds an interaction to the sums of its arm. It comes last in the
// transaction, for others wait for that row.
func countInArm(ctx context.Context, tx Tx, in *Interaction) error {
	var failed, scored, unpriced int
	var value, strict, cost float64
	if in.Failure != "" {
		failed = 1
	}
	if in.Score != nil {
		scored, value, strict = 1, in.Score.Value, in.Score.Strict
	}
	if in.Cost != nil {
		cost = *in.Cost
	}
	if in.Judging.Cost != nil {
		cost += *in.Judging.Cost
	}
	if in.Cost == nil || in.Judging.Cost == nil && in.Judging.Asked > 0 {
		unpriced = 1
	}
	_, err := tx.Exec(ctx, countStatement, in.Relay, failed, scored, value, strict, cost, unpriced, in.Number)
	return err
}

// putFiles stores contents that are not stored yet and returns the snapshot as
// JSON, file to hash.
func (s *Store) putFiles(ctx context.Context, tx Tx, files vfs.Files) (string, error) {
	names := files.Names()
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = files[name]
	}
	hashes, err := s.putContents(ctx, tx, texts)
	if err != nil {
		return "", err
	}
	snapshot := make(map[string]string, len(names))
	for i, name := range names {
		snapshot[name] = hashes[i]
	}
	raw, err := json.Marshal(snapshot)
	return string(raw), err
}

const (
	knownContent  = "SELECT count(*) FROM contents WHERE hash = $1"
	insertContent = "INSERT INTO contents (hash, zstd) VALUES ($1, $2) ON CONFLICT DO NOTHING"
)

// putContents stores texts that are not stored yet and returns their hashes.
// They are stored in the order of the hashes, so that two transactions never
// wait for each other.
func (s *Store) putContents(ctx context.Context, tx Tx, texts []string) ([]string, error) {
	type content struct {
		hash []byte
		text string
	}
	hashes := make([]string, len(texts))
	contents := make([]content, len(texts))
	for i, text := range texts {
		sum := sha256.Sum256([]byte(text))
		hashes[i] = hex.EncodeToString(sum[:])
		contents[i] = content{sum[:], text}
	}
	slices.SortFunc(contents, func(a, b content) int { return bytes.Compare(a.hash, b.hash) })
	for _, c := range contents {
		var known int
		if err := row(ctx, tx, knownContent, []any{c.hash}, &known); err != nil {
			return nil, err
		}
		if known > 0 {
			continue
		}
		if _, err := tx.Exec(ctx, insertContent, c.hash, s.zip.EncodeAll([]byte(c.text), nil)); err != nil {
			return nil, err
		}
	}
	return hashes, nil
}
