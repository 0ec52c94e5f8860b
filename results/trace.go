package results

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"strings"

	"agentd/results/record"
)

// part is a table whose rows are parts of an interaction's trace, as records of one type.
type part[T any] struct {
	table  string
	layout layout
	names  []string // of its columns
}

func partOf[T any](table string) part[T] {
	layout := layoutOf(reflect.TypeFor[T]())
	return part[T]{table, layout, namesOf(layout.numbered(new(T), 0, 0, nil).columns)}
}

var (
	turnTable = partOf[record.Turn]("turns")
	callTable = partOf[record.Call]("tool_calls")
	readTable = partOf[record.Read]("reads")
)

// numbered binds a record that belongs to an interaction, with its number there, from 1.
func (l layout) numbered(record any, interaction int64, number int, hashes map[string]string) *bound {
	b := l.bind(record, hashes)
	b.columns = append(b.columns, column{"interaction", &interaction}, column{"number", &number})
	return b
}

// insert stores the parts of an interaction. Texts are named by their hashes.
func (p part[T]) insert(ctx context.Context, tx Tx, interaction int64, list []T, hashes map[string]string) error {
	rows := make([][]any, len(list))
	for i := range list {
		rows[i] = valuesOf(p.layout.numbered(&list[i], interaction, i+1, hashes).columns)
	}
	return tx.insert(ctx, p.table, p.names, rows)
}

// read reads the parts of an interaction, in order, with the texts that were kept of them.
func (p part[T]) read(ctx context.Context, s *Store, interaction int64, from *reading) (list []T, err error) {
	var all []*T
	var texts []kept
	query := fmt.Sprintf("SELECT %s FROM %s WHERE interaction = $1 ORDER BY number", strings.Join(p.names, ", "), p.table)
	err = s.scanAll(ctx, query, []any{interaction}, func(rows Rows) error {
		one := new(T)
		b := p.layout.numbered(one, 0, 0, nil)
		if err := rows.Scan(fieldsOf(b.columns)...); err != nil {
			return err
		}
		all, texts = append(all, one), append(texts, b.texts...)
		return b.settle()
	})
	if err == nil {
		err = from.fill(ctx, texts)
	}
	for _, one := range all {
		list = append(list, *one)
	}
	return list, err
}

// insertTrace stores turns, tool calls and reads. Texts are named by their hashes.
func insertTrace(ctx context.Context, tx Tx, in *Interaction, hashes map[string]string) error {
	return cmp.Or(
		turnTable.insert(ctx, tx, in.ID, in.Turns, hashes), callTable.insert(ctx, tx, in.ID, in.ToolCalls, hashes),
		readTable.insert(ctx, tx, in.ID, in.Reads, hashes))
}

// readTrace reads turns, tool calls and reads, and the texts that were kept of
// them.
func (s *Store) readTrace(ctx context.Context, in *Interaction, from *reading) error {
	var complaint, printed string // their hashes
	if err := s.row(ctx, "SELECT complaint, printed FROM interactions WHERE id = $1", []any{in.ID}, &complaint, &printed); err != nil {
		return err
	}
	err := from.fill(ctx, []kept{{&in.Complaint, &complaint}, {&in.Printed, &printed}})
	if err != nil {
		return err
	}
	if in.Turns, err = turnTable.read(ctx, s, in.ID, from); err != nil {
		return err
	}
	if in.ToolCalls, err = callTable.read(ctx, s, in.ID, from); err != nil {
		return err
	}
	for i := range in.ToolCalls {
		if turn := in.ToolCalls[i].Turn; turn < 0 || turn > mostTurns {
			return fmt.Errorf("%w: interaction %d of relay %d has a tool call of turn %d", ErrDamaged, in.Number, in.Relay, turn)
		}
	}
	in.Reads, err = readTable.read(ctx, s, in.ID, from)
	return err
}

// fill reads texts that are stored by their hashes.
func (r *reading) fill(ctx context.Context, texts []kept) error {
	for _, k := range texts {
		if *k.hash == "" {
			continue
		}
		text, err := r.content(ctx, *k.hash)
		if err != nil {
			return err
		}
		*k.text = &text
	}
	return nil
}

// toolWord is a tool's name as ToolUse.Tools holds it.
func toolWord(tool string) string { return shortName(strings.Join(strings.Fields(tool), "_")) }

// addChange counts what a call or an answer changed.
func (use *ToolUse) addChange(files int, way record.Way) {
	if files == 0 {
		return
	}
	switch way {
	case record.ByScript:
		use.Scripts++
	case record.ByWriting:
		use.Writes++
	case record.ByEditing:
		use.Edits++
	case record.ByPatch:
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
