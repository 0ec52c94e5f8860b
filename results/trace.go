package results

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"agentd/results/record"
)

// traceRow is a row of a table whose rows are parts of an interaction's trace.
type traceRow interface {
	// columns binds the table's columns to fields, for writing and for reading.
	columns() []column
}

// rowKey is where a row belongs: its interaction, and its number in it from 1.
type rowKey struct {
	interaction int64
	number      int
}

// turnRow is a turn as its table has it.
type turnRow struct {
	rowKey
	turn *bound
}

func (r *turnRow) columns() []column {
	return append([]column{{"interaction", &r.interaction}, {"number", &r.number}}, r.turn.columns...)
}

// callRow is a tool call as its table has it.
type callRow struct {
	rowKey
	call                             *ToolCall
	duration                         int64 // microseconds
	tool, failed, argsText, answered string
	arguments                        []byte // JSON
}

func (r *callRow) columns() []column {
	c := r.call
	return []column{
		{"interaction", &r.interaction}, {"number", &r.number}, {"turn", &c.Turn},
		{"tool", &r.tool}, {"arguments", &r.arguments}, {"bytes_in", &c.In}, {"bytes_out", &c.Out}, {"changed", &c.Changed},
		{"error", &r.failed}, {"duration", &r.duration}, {"arguments_text", &r.argsText}, {"answer", &r.answered}, {"way", &c.Way},
	}
}

// readRow is a read as its table has it.
type readRow struct {
	rowKey
	read     *Read
	file     string
	byScript int
}

func (r *readRow) columns() []column {
	return []column{
		{"interaction", &r.interaction}, {"number", &r.number},
		{"file", &r.file}, {"origin", &r.read.Origin}, {"tool", &r.read.Tool}, {"by_script", &r.byScript},
	}
}

// Names of the columns, in the order of their rows.
var (
	turnColumns = namesOf((&turnRow{turn: bind(&record.Turn{}, nil)}).columns())
	callColumns = namesOf((&callRow{call: &ToolCall{}}).columns())
	readColumns = namesOf((&readRow{read: &Read{}}).columns())
)

// insertTrace stores turns, tool calls and reads. Texts are named by their hashes.
func insertTrace(ctx context.Context, tx Tx, in *Interaction, hashes map[string]string) error {
	var turns, calls, reads [][]any
	for i := range in.Turns {
		turns = append(turns, valuesOf((&turnRow{rowKey{in.ID, i + 1}, bind(&in.Turns[i], hashes)}).columns()))
	}
	for i := range in.ToolCalls {
		c := &in.ToolCalls[i]
		arguments, err := json.Marshal(shortNames(c.Arguments))
		if err != nil {
			return err
		}
		calls = append(calls, valuesOf((&callRow{
			rowKey: rowKey{in.ID, i + 1}, call: c, duration: c.Duration.Microseconds(), tool: shortName(c.Tool), failed: note(c.Error),
			arguments: arguments, argsText: hashOf(c.ArgumentsText, hashes), answered: hashOf(c.Answer, hashes),
		}).columns()))
	}
	for i := range in.Reads {
		r := &in.Reads[i]
		row := readRow{rowKey: rowKey{in.ID, i + 1}, read: r, file: clean(r.File)}
		if r.ByScript {
			row.byScript = 1
		}
		reads = append(reads, valuesOf(row.columns()))
	}
	return cmp.Or(
		tx.insert(ctx, "turns", turnColumns, turns),
		tx.insert(ctx, "tool_calls", callColumns, calls),
		tx.insert(ctx, "reads", readColumns, reads))
}

// readTrace reads turns, tool calls and reads, and the texts that were kept of
// them.
func (s *Store) readTrace(ctx context.Context, in *Interaction, from *reading) error {
	var complaint string // the hash of it
	if err := s.row(ctx, "SELECT complaint FROM interactions WHERE id = $1", []any{in.ID}, &complaint); err != nil {
		return err
	}
	texts := []string{complaint} // hashes: then of each turn, of the arguments and the answer of each call
	err := s.scanTrace(ctx, "turns", turnColumns, in, func(scan func(traceRow) error) error {
		var t record.Turn
		row := turnRow{turn: bind(&t, nil)}
		if err := scan(&row); err != nil {
			return err
		}
		texts = append(texts, row.turn.settle()...)
		in.Turns = append(in.Turns, t)
		return nil
	})
	if err != nil {
		return err
	}
	err = s.scanTrace(ctx, "tool_calls", callColumns, in, func(scan func(traceRow) error) error {
		var c ToolCall
		row := callRow{call: &c}
		if err := scan(&row); err != nil {
			return err
		}
		if c.Turn < 0 || c.Turn > mostTurns {
			return fmt.Errorf("%w: interaction %d of relay %d has a tool call of turn %d", ErrDamaged, in.Number, in.Relay, c.Turn)
		}
		if err := decode(row.arguments, &c.Arguments); err != nil {
			return err
		}
		c.Duration, c.Tool, c.Error = time.Duration(row.duration)*time.Microsecond, row.tool, row.failed
		in.ToolCalls = append(in.ToolCalls, c)
		texts = append(texts, row.argsText, row.answered)
		return nil
	})
	if err != nil {
		return err
	}
	if err := from.fill(ctx, in, texts); err != nil {
		return err
	}
	return s.scanTrace(ctx, "reads", readColumns, in, func(scan func(traceRow) error) error {
		var r Read
		row := readRow{read: &r}
		if err := scan(&row); err != nil {
			return err
		}
		r.File, r.ByScript = row.file, row.byScript != 0
		in.Reads = append(in.Reads, r)
		return nil
	})
}

// scanTrace hands each row that a table has of an interaction to take, in order.
func (s *Store) scanTrace(ctx context.Context, table string, columns []string, in *Interaction, take func(scan func(traceRow) error) error) error {
	query := fmt.Sprintf("SELECT %s FROM %s WHERE interaction = $1 ORDER BY number", strings.Join(columns, ", "), table)
	return s.scanAll(ctx, query, []any{in.ID}, func(rows Rows) error {
		return take(func(r traceRow) error { return rows.Scan(fieldsOf(r.columns())...) })
	})
}

// fill reads the texts of a trace.
func (r *reading) fill(ctx context.Context, in *Interaction, hashes []string) error {
	into := []**string{&in.Complaint}
	for i := range in.Turns {
		into = append(into, &in.Turns[i].Text, &in.Turns[i].Thought)
	}
	for i := range in.ToolCalls {
		into = append(into, &in.ToolCalls[i].ArgumentsText, &in.ToolCalls[i].Answer)
	}
	for i, hash := range hashes {
		if hash == "" {
			continue
		}
		text, err := r.content(ctx, hash)
		if err != nil {
			return err
		}
		*into[i] = &text
	}
	return nil
}

// toolWord is a tool's name as ToolUse.Tools holds it.
func toolWord(tool string) string { return shortName(strings.Join(strings.Fields(tool), "_")) }

// The ways in which files are changed, as ToolCall.Way and Turn.Way name them.
const (
	ByScript  = "script"  // a program did it
	ByWriting = "writing" // the model wrote the whole text
	ByEditing = "editing" // the model wrote what takes the place of a part
	ByPatch   = "patch"   // likewise, as a patch
)

// addChange counts what a call or an answer changed.
func (use *ToolUse) addChange(files int, way string) {
	if files == 0 {
		return
	}
	switch way {
	case ByScript:
		use.Scripts++
	case ByWriting:
		use.Writes++
	case ByEditing:
		use.Edits++
	case ByPatch:
		use.Edits++
		use.Patches++
	}
}

// toolUse sums up the trace, so that reports do not have to read it.
func (in *Interaction) toolUse() ToolUse {
	use := ToolUse{Calls: len(in.ToolCalls)}
	tools := make([]string, len(in.ToolCalls))
	for i, call := range in.ToolCalls {
		tools[i] = toolWord(call.Tool)
		use.addChange(call.Changed, call.Way)
	}
	for _, turn := range in.Turns {
		use.addChange(turn.Changed, turn.Way)
	}
	use.Tools = strings.Join(tools, " ")
	read, byTools, byScripts := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, r := range in.Reads {
		if r.Origin != "distractor" {
			continue
		}
		read[r.File] = true
		if r.ByScript {
			byScripts[r.File] = true
		} else {
			byTools[r.File] = true
		}
	}
	use.DistractorsRead, use.ReadByTools, use.ReadByScripts = len(read), len(byTools), len(byScripts)
	return use
}
