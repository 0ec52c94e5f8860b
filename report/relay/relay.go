// Package relay prints what is stored of a relay as text, step by step.
package relay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/aymanbagabas/go-udiff"

	"agentd/domains"
	"agentd/environments"
	"agentd/internal/layout"
	"agentd/internal/picture"
	"agentd/internal/printable"
	"agentd/internal/usage"
	"agentd/report"
	"agentd/results"
	"agentd/results/record"
	"agentd/vfs"
)

// Printer prints what is stored of relays. Find finds a domain by name; false if it is not
// built.
type Printer struct {
	Store  *results.Store
	Out    io.Writer
	Screen layout.Screen
	Find   func(name string) (domains.Domain, bool)
	// Contents prints what was said and what went through tools, as far as it was kept.
	Contents bool
}

func (t *Printer) printf(format string, args ...any) { printable.Fprintf(t.Out, format, args...) }

// print prints a text that is laid out.
func (t *Printer) print(laidOut string) { t.printf("%s", printable.Block(laidOut)) }

func title(r results.Relay) string {
	return strings.TrimSpace(fmt.Sprintf("%s %s on %s, repeat %d", r.Model, r.Policy, r.Environment, r.Repeat))
}

// load returns a relay with its environment and interactions.
func (t *Printer) load(ctx context.Context, id int64) (results.Relay, environments.Environment, []results.Interaction, error) {
	var env environments.Environment
	r, err := t.Store.Relay(ctx, id)
	if errors.Is(err, results.ErrNotFound) {
		return r, env, nil, usage.Errorf("%w; agentd trace lists the relays", err)
	}
	if err != nil {
		return r, env, nil, err
	}
	experiments, err := t.Store.Experiments(ctx)
	if err != nil {
		return r, env, nil, err
	}
	for _, e := range experiments {
		if e.ID != r.Experiment {
			continue
		}
		text, err := t.Store.Content(ctx, e.Manifest.Environments[r.Environment])
		if err != nil {
			return r, env, nil, fmt.Errorf("reading environment %s: %w", r.Environment, err)
		}
		if env, err = environments.Decode(text); err != nil {
			return r, env, nil, err
		}
	}
	interactions, err := t.Store.Interactions(ctx, id)
	return r, env, interactions, err
}

// Relay prints a line for each interaction of a relay. A relay that is not stored is a
// usage.Error.
func (t *Printer) Relay(ctx context.Context, id int64) error {
	r, _, interactions, err := t.load(ctx, id)
	if err != nil {
		return err
	}
	t.printf("Relay %d: %s\n", r.ID, title(r))
	for _, in := range interactions {
		t.printf("%3d  %-8s  %-24s  %s", in.Number, in.Direction, in.Edit, Outcome(in))
		if sequence := Operations(in); sequence != "" {
			t.printf("  [%s]", sequence)
		}
		t.printf("\n")
	}
	return nil
}

// Outcome describes the result of an interaction in a few words.
func Outcome(in results.Interaction) string {
	var parts []string
	if in.Score != nil {
		judged := ""
		if in.Score.Judge != "" {
			judged = " (judged by " + in.Score.Judge + ")"
		}
		if in.Score.Unreadable {
			judged += " (unreadable to the published reader)"
		}
		parts = append(parts, fmt.Sprintf("RS %.4f%s strict %.4f", in.Score.RS, judged, in.Score.Strict))
	}
	if len(in.Broken) > 0 {
		parts = append(parts, "broken: "+strings.Join(in.Broken, ", "))
	}
	if words := in.Bytes.Words(); words != "" {
		parts = append(parts, "bytes: "+words)
	}
	if in.Unscored != "" && in.Direction == results.Backward {
		parts = append(parts, "unscored: "+string(in.Unscored))
	}
	if in.Fallback != nil {
		parts = append(parts, fmt.Sprintf("no RS (no judge), similarity of texts %.4f strict %.4f", in.Fallback.Similarity, in.Fallback.Strict))
	}
	if in.Forward != nil {
		parts = append(parts, fmt.Sprintf("forward %.4f", *in.Forward))
	}
	if o := in.ForwardOpinion; o != nil {
		parts = append(parts, fmt.Sprintf("forward %.4f (judged by %s)", o.Score(), o.Judge))
	}
	if in.Approximate != "" {
		parts = append(parts, "approximate: "+in.Approximate)
	}
	if in.Executed != nil && !*in.Executed {
		parts = append(parts, "not done")
	}
	if in.Failure != "" {
		parts = append(parts, "failed: "+in.Failure)
	}
	return strings.Join(append(parts, in.Ending), ", ")
}

// Operations lists the tools that were called, in order, with the length of runs.
func Operations(in results.Interaction) string {
	var parts []string
	for i := 0; i < len(in.ToolCalls); {
		n := 1
		for i+n < len(in.ToolCalls) && in.ToolCalls[i+n].Tool == in.ToolCalls[i].Tool {
			n++
		}
		part := in.ToolCalls[i].Tool
		if n > 1 {
			part += fmt.Sprintf(" ×%d", n)
		}
		parts = append(parts, part)
		i += n
	}
	return strings.Join(parts, ", ")
}

// Interaction prints everything that is known of an interaction, by its number from 1.
// One that is not stored is a usage.Error.
func (t *Printer) Interaction(ctx context.Context, id int64, number int) error {
	r, env, interactions, err := t.load(ctx, id)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(interactions, func(in results.Interaction) bool { return in.Number == number })
	if at < 0 {
		return usage.Errorf("of relay %d interaction %d is not stored; agentd trace %d lists those that are", id, number, id)
	}
	in := interactions[at]
	before, err := t.before(env, interactions[:at], in)
	if err != nil {
		return err
	}
	t.printf("Relay %d: %s\nInteraction %d: %s, %s\n", r.ID, title(r), in.Number, in.Edit, in.Direction)
	if reason := report.ReasonOf(&in); reason != "" {
		t.print(t.Screen.Paragraph("What failed: "+reason, 0))
	}
	t.printf("Instruction: %s\n", printable.Indented(env.Instruction(in.Edit, in.Direction == results.Backward), 2))
	for i, said := range in.UserTurns {
		of := ""
		if said.Edit != in.Edit {
			of = " of " + said.Edit
		}
		t.printf("User turn %d, %s%s: %s\n", i+1, said.Kind, of, printable.Indented(said.Text, 2))
	}
	t.printf("Outcome: %s\n", Outcome(in))
	if in.Detail != "" {
		t.printf("Failure: %s\n", in.Detail)
	}
	if in.Complaint != nil {
		t.printf("The command's standard error:\n  %s\n", strings.ReplaceAll(strings.TrimRight(*in.Complaint, "\n"), "\n", "\n  "))
	}
	t.text("The command's standard output", in.Printed, 0)
	t.printf("Tokens: %s; %v\n", tokens(in.Usage), in.Duration)
	if err := t.replaced(ctx, id, number); err != nil {
		return err
	}
	t.turns(in)
	t.calls(in)
	if !t.Contents && hasWords(in) {
		t.print(t.Screen.Paragraph(fmt.Sprintf("What was said and what went through tools is kept: agentd trace %d %d --contents", id, number), 0))
	}
	t.reads(in)
	t.diffs(before, in.Output)
	if in.Direction == results.Backward {
		t.differences(env, in)
	}
	return nil
}

// before returns the documents before an interaction. If the previous interaction is not stored, as in a backward
// episode of agentd gym, it returns the result of the edit's exact program on the seed.
func (t *Printer) before(env environments.Environment, earlier []results.Interaction, in results.Interaction) (vfs.Files, error) {
	if n := len(earlier); n > 0 {
		return earlier[n-1].Output, nil
	}
	if in.Number == 1 {
		return env.Seed, nil
	}
	d, ok := env.Scoring(t.Find)
	edit := slices.IndexFunc(env.Edits, func(e environments.Edit) bool { return e.Name == in.Edit })
	if !ok || edit < 0 {
		return env.Seed, nil
	}
	oracle, ok := env.OracleFor(env.Edits[edit], d)
	if !ok {
		return env.Seed, nil
	}
	made, err := oracle.Forward(env.Seed)
	if err != nil {
		return nil, fmt.Errorf("what interaction %d began with: %w", in.Number, err)
	}
	return made, nil
}

// replaced shows the former attempts.
func (t *Printer) replaced(ctx context.Context, relay int64, number int) error {
	former, err := t.Store.Replaced(ctx, relay, number)
	for _, r := range former {
		t.printf("Done again at %s; before: %s, %s\n", r.At.Format(time.DateTime), Outcome(r.Interaction), r.Detail)
	}
	return err
}

// tokens is a usage with its cost.
func tokens(u record.Usage) string {
	cost := "cost unknown"
	if u.Cost != nil {
		cost = fmt.Sprintf("%.6f USD", *u.Cost)
	}
	written := ""
	if u.CacheWrite > 0 {
		written = fmt.Sprintf(", %d written to the cache", u.CacheWrite)
	}
	return fmt.Sprintf("%d in (%d cached%s), %d out (%d reasoning), %s", u.Prompt, u.Cached, written, u.Completion, u.Reasoning, cost)
}

func (t *Printer) turns(in results.Interaction) {
	if len(in.Turns) == 0 {
		return
	}
	t.printf("\nTurns:\n")
	for i, turn := range in.Turns {
		t.printf("  %d  %s, %v, %s", i+1, tokens(turn.Usage), turn.Duration, turn.Finish)
		if turn.Retries > 0 {
			t.printf("; %d retries, %d in and %d out of them thrown away", turn.Retries, turn.WastedPrompt, turn.WastedCompletion)
		}
		if turn.UnknownAttempts > 0 {
			t.printf(", %d of unknown cost", turn.UnknownAttempts)
		}
		if len(in.UserTurns) > 1 {
			t.printf("; user turn %d", turn.UserTurn)
		}
		t.printf("\n")
		if turn.AsText {
			t.printf("     the tool calls were written as text\n")
		}
		if turn.Compacted != "" {
			t.printf("     the conversation was made shorter: %s\n", turn.Compacted)
		}
		if turn.Without != "" {
			t.printf("     the server refused settings, which were left out: %s\n", turn.Without)
		}
		t.text("thought", turn.Thought, 4)
		t.text("said", turn.Text, 4)
	}
}

// text shows what was kept of a text, if that was asked for, so many blanks from the left.
func (t *Printer) text(what string, text *string, indent int) {
	if t.Contents && kept(text) {
		t.printf("%*s%s:\n%*s%s\n", indent, "", what, indent+2, "", printable.Indented(strings.TrimRight(*text, "\n"), indent+2))
	}
}

func kept(text *string) bool { return text != nil && *text != "" }

// hasWords reports whether anything was kept of what was said and went through tools.
func hasWords(in results.Interaction) bool {
	return kept(in.Printed) || slices.ContainsFunc(in.Turns, func(turn record.Turn) bool { return kept(turn.Text) || kept(turn.Thought) }) ||
		slices.ContainsFunc(in.ToolCalls, func(c record.Call) bool { return kept(c.Arguments) || kept(c.Answer) })
}

func (t *Printer) calls(in results.Interaction) {
	if len(in.ToolCalls) == 0 {
		return
	}
	t.printf("\nTool calls:\n")
	for _, c := range in.ToolCalls {
		t.printf("  turn %d  %s(%s)  %d bytes in, %d out, %v", c.Turn, c.Tool, strings.Join(c.ArgNames, ", "), c.In, c.Out, c.Duration)
		if c.Error != "" {
			t.printf("  %s", c.Error)
		}
		t.printf("\n")
		t.text("arguments", c.Arguments, 4)
		t.text("answer", c.Answer, 4)
	}
}

func (t *Printer) reads(in results.Interaction) {
	if len(in.Reads) == 0 {
		return
	}
	t.printf("\nReads:\n")
	for _, read := range in.Reads {
		t.printf("  %s (%s) by %s\n", read.File, read.Origin, read.Tool)
	}
}

func (t *Printer) diffs(before, after vfs.Files) {
	t.printf("\nDocuments:\n")
	names := vfs.Files{}
	maps.Copy(names, before)
	maps.Copy(names, after)
	for _, name := range names.Names() {
		was, existed := before[name]
		is, exists := after[name]
		switch {
		case !existed && vfs.Binary(name):
			t.printf("  %s: new, %s\n", name, picture.Describe(is))
		case !existed:
			t.printf("  %s: new, %d lines\n", name, strings.Count(is, "\n"))
		case !exists:
			t.printf("  %s: gone\n", name)
		case was == is:
			t.printf("  %s: unchanged\n", name)
		case vfs.Binary(name):
			t.printf("  %s: %s\n", name, picture.Between(was, is))
		default:
			shown := printable.Line(name)
			t.printf("%s", printable.Block(udiff.Unified(shown+" before", shown+" after", was, is)))
		}
	}
}

// differences names how the document differs from the seed so far.
func (t *Printer) differences(env environments.Environment, in results.Interaction) {
	d, ok := t.Find(env.Domain)
	if !ok {
		return
	}
	var found []domains.Difference = d.With(env.Metadata).Differences(env.Seed, in.Output)
	t.printf("\nAgainst the seed: %s\n", printable.Count(len(found), "difference"))
	for _, difference := range found {
		t.printf("  %s\n", difference)
	}
}
