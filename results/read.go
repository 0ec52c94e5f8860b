package results

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"

	"agentd/vfs"
)

// Relays returns the relays of an experiment in the order of their IDs.
func (s *Store) Relays(ctx context.Context, experiment string) ([]Relay, error) {
	return s.relays(ctx, "experiment = $1", experiment)
}

// Relay returns one relay, or ErrNotFound.
func (s *Store) Relay(ctx context.Context, id int64) (Relay, error) {
	relays, err := s.relays(ctx, "id = $1", id)
	if err == nil && len(relays) == 0 {
		return Relay{}, fmt.Errorf("relay %d in %s: %w", id, s.db.name(), ErrNotFound)
	}
	if err != nil {
		return Relay{}, err
	}
	return relays[0], nil
}

func (s *Store) relays(ctx context.Context, where string, arg any) ([]Relay, error) {
	var relays []Relay
	err := s.scanAll(ctx, "SELECT id, experiment, model, policy, environment, domain, repeat, schedule FROM relays WHERE "+where+" ORDER BY id",
		[]any{arg}, func(rows Rows) error {
			var r Relay
			var schedule []byte
			if err := rows.Scan(&r.ID, &r.Experiment, &r.Model, &r.Policy, &r.Environment, &r.Domain, &r.Repeat, &schedule); err != nil {
				return err
			}
			if err := decode(schedule, &r.Schedule); err != nil {
				return fmt.Errorf("the schedule of relay %d: %w", r.ID, err)
			}
			relays = append(relays, r)
			return r.check()
		})
	return relays, err
}

// Last is the last stored interaction of a relay.
type Last struct {
	Number    int       // 0 if there is none
	Documents vfs.Files // after the interaction
	Ended     bool      // the relay ended early with it
}

// Last returns the last stored interaction of a relay.
func (s *Store) Last(ctx context.Context, relay int64) (Last, error) {
	var last Last
	var unscored Unscored
	var output []byte
	err := s.row(ctx, "SELECT number, unscored, output FROM interactions WHERE relay = $1 ORDER BY number DESC LIMIT 1",
		[]any{relay}, &last.Number, &unscored, &output)
	if errors.Is(err, errNoRow) {
		return last, nil
	}
	if err != nil {
		return last, err
	}
	last.Ended = unscored == ServiceFault
	last.Documents, err = s.reading().files(ctx, output)
	return last, err
}

// Said is the conversation after an interaction, for policies.Restore.
type Said struct {
	Number int // of the interaction
	Text   string
}

// Conversation returns the conversation after each interaction of a relay, in order, as far as it
// was stored.
func (s *Store) Conversation(ctx context.Context, relay int64) ([]Said, error) {
	var all []Said
	err := s.scanAll(ctx, "SELECT number, conversation FROM interactions WHERE relay = $1 AND conversation <> '' ORDER BY number", []any{relay}, func(rows Rows) error {
		var said Said
		err := rows.Scan(&said.Number, &said.Text)
		all = append(all, said)
		return err
	})
	if err != nil {
		return nil, err
	}
	from := s.reading()
	for i, said := range all { // Text still holds the hash
		if all[i].Text, err = from.content(ctx, said.Text); err != nil {
			return nil, fmt.Errorf("reading the conversation of relay %d: %w", relay, err)
		}
	}
	return all, nil
}

// reading reads the texts of a relay, each once. It fails for more than mostReadBytes.
type reading struct {
	store *Store
	texts map[string]string // by hash
	bytes int
}

func (s *Store) reading() *reading { return &reading{store: s, texts: map[string]string{}} }

func (r *reading) content(ctx context.Context, hash string) (string, error) {
	if text, known := r.texts[hash]; known {
		return text, nil
	}
	text, err := r.store.Content(ctx, hash)
	if err != nil {
		return "", err
	}
	if r.bytes += len(text); r.bytes > mostReadBytes {
		return "", fmt.Errorf("%w: the documents and texts have more than %d MiB together", ErrTooLarge, mostReadBytes>>20)
	}
	r.texts[hash] = text
	return text, nil
}

// files reads the files of a snapshot.
func (r *reading) files(ctx context.Context, output []byte) (vfs.Files, error) {
	var hashes map[string]string
	if err := decode(output, &hashes); err != nil {
		return nil, fmt.Errorf("reading a snapshot: %w", err)
	}
	files := make(vfs.Files, len(hashes))
	for name, hash := range hashes {
		content, err := r.content(ctx, hash)
		if err != nil {
			return nil, fmt.Errorf("reading %.300s: %w", name, err)
		}
		files[name] = content
	}
	return files, nil
}

// Content returns a stored text by its SHA-256, or ErrNotFound.
func (s *Store) Content(ctx context.Context, hash string) (string, error) {
	key, err := hex.DecodeString(hash)
	if err != nil {
		return "", fmt.Errorf("%.80q is not a hash: %w", hash, err)
	}
	var packed []byte
	err = s.row(ctx, "SELECT zstd FROM contents WHERE hash = $1", []any{key}, &packed)
	if errors.Is(err, errNoRow) {
		return "", fmt.Errorf("content %s in %s: %w", hash, s.db.name(), ErrNotFound)
	}
	if err != nil {
		return "", err
	}
	content, err := s.unzip.DecodeAll(packed, nil)
	if err != nil {
		return "", fmt.Errorf("unpacking content %s: %w", hash, err)
	}
	return string(content), nil
}

// Interactions returns a relay's interactions in order, with traces and
// documents.
func (s *Store) Interactions(ctx context.Context, relay int64) ([]Interaction, error) {
	all, outputs, err := s.interactions(ctx, "relay = $1 ORDER BY number", relay)
	if err != nil {
		return nil, err
	}
	texts := s.reading()
	for i := range all {
		if all[i].Output, err = texts.files(ctx, outputs[i]); err != nil {
			return nil, err
		}
		if err := s.readTrace(ctx, &all[i], texts); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Interaction returns one interaction of a relay with its trace and documents,
// or ErrNotFound.
func (s *Store) Interaction(ctx context.Context, relay int64, number int) (Interaction, error) {
	all, outputs, err := s.interactions(ctx, "relay = $1 AND number = $2", relay, number)
	if err != nil {
		return Interaction{}, err
	}
	if len(all) == 0 {
		return Interaction{}, fmt.Errorf("interaction %d of relay %d in %s: %w", number, relay, s.db.name(), ErrNotFound)
	}
	in := &all[0]
	texts := s.reading()
	if in.Output, err = texts.files(ctx, outputs[0]); err != nil {
		return Interaction{}, err
	}
	return *in, s.readTrace(ctx, in, texts)
}

// Documents returns the documents that an interaction of a relay left, or
// ErrNotFound.
func (s *Store) Documents(ctx context.Context, relay int64, number int) (vfs.Files, error) {
	var output []byte
	err := s.row(ctx, "SELECT output FROM interactions WHERE relay = $1 AND number = $2", []any{relay, number}, &output)
	if errors.Is(err, errNoRow) {
		return nil, fmt.Errorf("interaction %d of relay %d in %s: %w", number, relay, s.db.name(), ErrNotFound)
	}
	if err != nil {
		return nil, err
	}
	return s.reading().files(ctx, output)
}

// RelaySummaries returns a relay's interactions in order, without documents,
// turns, tool calls and reads.
func (s *Store) RelaySummaries(ctx context.Context, relay int64) ([]Interaction, error) {
	all, _, err := s.interactions(ctx, "relay = $1 ORDER BY number", relay)
	return all, err
}

// Summaries returns all interactions of an experiment, relay by relay, in
// order, without documents, turns, tool calls and reads.
func (s *Store) Summaries(ctx context.Context, experiment string) ([]Interaction, error) {
	all, _, err := s.interactions(ctx, ofExperiment, experiment)
	return all, err
}

const ofExperiment = "relay IN (SELECT id FROM relays WHERE experiment = $1) ORDER BY relay, number"

func (s *Store) interactions(ctx context.Context, where string, args ...any) ([]Interaction, [][]byte, error) {
	var all []Interaction
	var outputs [][]byte
	reader := newInteractionReader()
	err := s.scanAll(ctx, selectInteractions+where, args, func(rows Rows) error {
		in, output, err := reader.read(rows)
		all = append(all, in)
		outputs = append(outputs, output)
		return err
	})
	return all, outputs, err
}
