package viewer

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/environments"
	"agentd/report"
	"agentd/results"
	"agentd/results/record"
	"agentd/vfs"
)

const (
	// mostCompared is the largest total size of the texts of seed and output, in bytes, for
	// which the domain names the differences. This takes about a second. Pictures do not
	// count: picture.MostPixels limits their time.
	mostCompared = 1_000_000
	// mostDifferences is how many of them are listed.
	mostDifferences = 500
	// mostText limits the shown bytes of a text, mostTexts those of all texts on a page.
	mostText  = 20_000
	mostTexts = 2_000_000
)

// turn is a completion with the tool calls it made.
type turn struct {
	Number int
	record.Turn
	Said    *text
	Thought *text // its reasoning, if the provider discloses it
	Calls   []call
}

type call struct {
	record.Call
	Given  []named // the arguments, if they were kept
	Answer *text
}

// named is a text with a name, such as an argument of a call.
type named struct {
	Name string
	text
}

// text is the shown part of a text.
type text struct {
	Shown string
	Left  int // bytes left out
}

// budget is how many bytes of texts a page may still show.
type budget int

func (b *budget) text(all string) text {
	shown := cut(all, min(mostText, int(*b)))
	*b -= budget(len(shown))
	return text{shown, len(all) - len(shown)}
}

// kept returns a text if it was stored.
func (b *budget) kept(all *string) *text {
	if all == nil || *all == "" {
		return nil
	}
	t := b.text(*all)
	return &t
}

// arguments returns the arguments of a tool call; strings are shown unquoted, so that a
// script keeps its lines.
func (b *budget) arguments(kept *string) []named {
	if kept == nil || *kept == "" {
		return nil
	}
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(*kept), &object) != nil {
		return []named{{"arguments", b.text(*kept)}}
	}
	var all []named
	for _, name := range slices.Sorted(maps.Keys(object)) {
		var value string
		if json.Unmarshal(object[name], &value) != nil {
			value = string(object[name])
		}
		all = append(all, named{name, b.text(value)})
	}
	return all
}

func turns(in *results.Interaction) []turn {
	b := budget(mostTexts)
	all := make([]turn, len(in.Turns))
	for i, t := range in.Turns {
		all[i] = turn{Number: i + 1, Turn: t, Said: b.kept(t.Text), Thought: b.kept(t.Thought)}
	}
	for _, c := range in.ToolCalls {
		for len(all) < c.Turn { // a policy may report calls without turns
			all = append(all, turn{Number: len(all) + 1})
		}
		if len(all) == 0 {
			all = append(all, turn{Number: 1})
		}
		at := &all[max(c.Turn, 1)-1]
		at.Calls = append(at.Calls, call{c, b.arguments(c.Arguments), b.kept(c.Answer)})
	}
	return all
}

// damage holds the differences between the seed and a document.
type damage struct {
	// Fresh are the differences that this round trip made, Older the earlier ones.
	Fresh, Older []domains.Difference
	Left         int // differences beyond those listed
	Repaired     int // earlier differences that are gone after this round trip
	Note         string
	Warnings     []string // see domains.Warnings
}

// damage names the differences from the seed. before are the documents after the previous
// round trip, nil for the first.
func (v *Viewer) damage(env *environments.Environment, before, output vfs.Files) *damage {
	if env == nil {
		return &damage{Note: "The environment is not kept, so there is no seed to compare with."}
	}
	d, ok := v.options.Lookup(env.Domain)
	if !ok {
		return &damage{Note: fmt.Sprintf("The domain %s is not built.", env.Domain)}
	}
	if n := textBytes(env.Seed) + textBytes(output) + textBytes(before); n > mostCompared {
		return &damage{Note: fmt.Sprintf("The documents are too large (%s) to name differences here; agentd trace does.", bytesText(n))}
	}
	seed := env.Apply(d).Against(env.Seed)
	old := map[domains.Difference]int{}
	if before != nil {
		for _, difference := range seed.Differences(before) {
			old[difference]++
		}
	}
	all := &damage{Warnings: domains.Warnings(env.Apply(d), env.Seed, output)}
	for _, difference := range seed.Differences(output) {
		if old[difference] > 0 {
			old[difference]--
			all.Older = append(all.Older, difference)
		} else {
			all.Fresh = append(all.Fresh, difference)
		}
	}
	for _, n := range old {
		all.Repaired += n
	}
	n := len(all.Fresh) + len(all.Older)
	all.Fresh = all.Fresh[:min(len(all.Fresh), mostDifferences)]
	all.Older = all.Older[:min(len(all.Older), mostDifferences-len(all.Fresh))]
	all.Left = n - len(all.Fresh) - len(all.Older)
	return all
}

// textBytes is the size of the files that hold text, in bytes.
func textBytes(files vfs.Files) int {
	n := 0
	for name, content := range files {
		if !vfs.Binary(name) {
			n += len(content)
		}
	}
	return n
}

type interactionPage struct {
	found
	results.Interaction
	Instruction string
	Why         string // it failed; empty if it did not
	InRelay     string // why interactions of the relay failed, with how many
	Components  []component
	Rated       []rated // the statements of a judged edit
	Turns       []turn
	FullTrace   bool // texts were kept
	// Against is the one of Choices that the documents are compared with; Diff is the result.
	Against against
	Choices []against
	Diff    documentsDiff
	Damage  *damage // of a backward step
	// Deviation is how a forward step's documents differ from what its exact program makes, in
	// Fresh; nil where that is not known.
	Deviation *damage
	Peers     []peer
	// Interactions that the page links to; nil where there is none.
	Previous, Next        *link
	NextDrop, NextDropAll *drop
}

// rated is a statement of a judged edit with the judge's rating.
type rated struct {
	Statement    string
	Rating, Most int
}

// ratings are the statements that a judge rated; nil where that is not known.
func ratings(env *environments.Environment, in *results.Interaction) (all []rated) {
	if env == nil || in.ForwardOpinion == nil {
		return nil
	}
	for _, edit := range env.Edits {
		if edit.Name != in.Edit || len(edit.Judged) != len(in.ForwardOpinion.Ratings) {
			continue
		}
		for i, statement := range edit.Judged {
			all = append(all, rated{statement, in.ForwardOpinion.Ratings[i], results.MostRating})
		}
	}
	return all
}

type component struct {
	Name  string
	Value *float64
}

// interaction makes the page of one step.
func (v *Viewer) interaction(r *http.Request) (view, error) {
	f, err := v.find(r)
	if err != nil {
		return view{}, err
	}
	n, err := number(r, "number")
	if err != nil {
		return view{}, err
	}
	ctx := r.Context()
	in, err := v.store.Interaction(ctx, f.ID, int(n))
	if err != nil {
		return view{}, err
	}
	env, err := v.environment(ctx, f)
	if err != nil {
		return view{}, err
	}
	page := interactionPage{found: f, Interaction: in, Instruction: env.Instruction(in.Edit, in.Direction == results.Backward), Why: report.ReasonOf(&in), Rated: ratings(env, &in), Turns: turns(&in)}
	page.FullTrace = slices.ContainsFunc(in.Turns, func(t record.Turn) bool { return t.Text != nil }) ||
		slices.ContainsFunc(in.ToolCalls, func(c record.Call) bool { return c.Arguments != nil || c.Answer != nil })
	if in.Score != nil {
		for _, name := range slices.Sorted(maps.Keys(in.Score.Components)) {
			value := in.Score.Components[name]
			page.Components = append(page.Components, component{name, &value})
		}
	}
	if err := v.neighbours(ctx, &page); err != nil {
		return view{}, err
	}
	if page.Peers, err = v.peers(ctx, f, &in); err != nil {
		return view{}, err
	}
	if err := v.documents(ctx, &page, env, r.URL.Query().Get("against")); err != nil {
		return view{}, err
	}
	return view{
		Template: "interaction", Title: fmt.Sprintf("Relay %d, interaction %d: %s, %s", f.ID, in.Number, in.Edit, in.Direction),
		Trail: append(f.trail(), link{relayAddress(f.ID), fmt.Sprintf("Relay %d", f.ID)}), Data: page,
	}, nil
}

// against is a state to compare documents with: the one after an interaction, or the seed
// if the number is 0.
type against struct {
	Name   string // in the address
	Text   string
	number int
	files  vfs.Files // of a state that no interaction made
}

// choices returns the states that an interaction's documents can be compared with, the
// most useful first. Edits write to new files, so a backward step is compared with the
// documents that it should have restored.
func choices(in *results.Interaction) []against {
	state := func(name string, number int) against {
		if number == 0 {
			return against{Name: name, Text: "the seed"}
		}
		return against{Name: name, Text: fmt.Sprintf("interaction %d", number), number: number}
	}
	if in.Direction != results.Backward {
		return []against{state("before", in.Number-1)}
	}
	all := []against{state("trip", in.Number-2), state("before", in.Number-1)}
	if in.Number > 2 {
		all = append(all, state("seed", 0))
	}
	return all
}

// exact returns the result of a forward step's exact program on the documents before it; nil
// if there is none, or it is a script, which cannot be run here.
func (v *Viewer) exact(env *environments.Environment, in *results.Interaction, before vfs.Files) (domains.Domain, vfs.Files) {
	if env == nil || textBytes(before) > mostCompared {
		return nil, nil
	}
	d, ok := v.options.Lookup(env.Domain)
	if !ok {
		return nil, nil
	}
	d = env.Apply(d)
	at := slices.IndexFunc(env.Edits, func(e environments.Edit) bool { return e.Name == in.Edit })
	if at < 0 {
		return nil, nil
	}
	oracle, ok := env.OracleFor(env.Edits[at], d)
	if !ok {
		return nil, nil
	}
	expected, err := oracle.Forward(before)
	if err != nil {
		return nil, nil
	}
	return d, expected
}

// deviate compares a forward step with its correct result, and adds that to the states to
// compare with.
func (v *Viewer) deviate(page *interactionPage, env *environments.Environment, before vfs.Files) {
	if d, expected := v.exact(env, &page.Interaction, before); expected != nil {
		page.compareExact(d, expected)
	}
}

// compareExact compares the documents with the result of an exact program.
func (page *interactionPage) compareExact(d domains.Domain, expected vfs.Files) {
	page.Choices = append([]against{{Name: "exact", Text: "what the edit should give", files: expected}}, page.Choices...)
	page.Deviation = &damage{}
	if textBytes(expected)+textBytes(page.Output) > mostCompared {
		page.Deviation.Note = "The documents are too large to name differences here."
		return
	}
	_, all := domains.Expect(d, nil, expected).Compare(page.Output)
	page.Deviation.Fresh = all[:min(len(all), mostDifferences)]
	page.Deviation.Left = len(all) - len(page.Deviation.Fresh)
}

// documents compares the files with those that were asked for, those of a backward step with
// the seed, and those of a forward step with what it should have made.
func (v *Viewer) documents(ctx context.Context, page *interactionPage, env *environments.Environment, asked string) error {
	in := &page.Interaction
	state := func(number int) (vfs.Files, error) {
		switch {
		case number > 0:
			return v.store.Documents(ctx, page.found.ID, number)
		case env != nil:
			return env.Seed, nil
		}
		return nil, nil
	}
	page.Choices = choices(in)
	if page.Previous == nil { // a way back of a gym, whose way there is not stored
		page.Choices = slices.DeleteFunc(page.Choices, func(a against) bool { return a.number > 0 })
	}
	if in.Direction != results.Backward {
		before, err := state(in.Number - 1)
		if err != nil {
			return err
		}
		v.deviate(page, env, before)
	}
	page.Against = page.Choices[0]
	for _, p := range page.Peers {
		if p.Name() == asked {
			page.Choices = append(page.Choices, p.choice())
		}
	}
	if asked != "" {
		at := slices.IndexFunc(page.Choices, func(a against) bool { return a.Name == asked })
		if at < 0 {
			return problem{http.StatusBadRequest, fmt.Sprintf("Documents are not compared against %q.", asked)}
		}
		page.Against = page.Choices[at]
	}
	base := page.Against.files
	if base == nil {
		var err error
		if base, err = state(page.Against.number); err != nil {
			return err
		}
	}
	if page.Against.number == 0 && env == nil {
		page.Against.Text = "the seed, which is not kept"
	}
	page.Diff = diffFiles(base, in.Output)
	before := page.Against.number
	if page.Against.files != nil {
		before = notStored
	}
	page.Diff.showPictures(page.found.ID, before, in.Number, base, in.Output)
	if in.Direction != results.Backward {
		return nil
	}
	var trip vfs.Files // the documents at the beginning of the round trip; nil for the seed itself
	if in.Number > 2 {
		var err error
		if trip, err = state(in.Number - 2); err != nil {
			return err
		}
	}
	page.Damage = v.damage(env, trip, in.Output)
	return nil
}

// neighbours finds the interactions that the page of an interaction links to.
func (v *Viewer) neighbours(ctx context.Context, page *interactionPage) error {
	all, err := v.store.RelaySummaries(ctx, page.found.ID)
	if err != nil {
		return err
	}
	to := func(number int) *link {
		if !slices.ContainsFunc(all, func(in results.Interaction) bool { return in.Number == number }) {
			return nil
		}
		return &link{interactionAddress(page.found.ID, number), fmt.Sprintf("%d", number)}
	}
	page.InRelay = report.InOneLine(report.Reasons(all), report.MostReasons)
	page.Previous, page.Next = to(page.Number-1), to(page.Number+1)
	page.NextDrop = after(dropsOf(page.found.ID, results.CurveOf(results.Trips(all), false).Scores), page.found.ID, page.Number)
	p, err := v.progress(ctx, page.found.Experiment, nil)
	if err != nil {
		return err
	}
	o, err := v.overviews.get(ctx, p.Experiment, p.Stored)
	if err != nil {
		return err
	}
	page.NextDropAll = after(o.drops, page.found.ID, page.Number)
	return nil
}

// RelayID is the number of the relay; both embedded records have one.
func (p interactionPage) RelayID() int64 { return p.found.ID }

// ReadFiles lists the files that were read, each once, with the tools that read it.
func (p interactionPage) ReadFiles() []readFile {
	var all []readFile
	for _, r := range p.Reads {
		at := slices.IndexFunc(all, func(f readFile) bool { return f.File == r.File && f.Origin == r.Origin })
		if at < 0 {
			at = len(all)
			all = append(all, readFile{File: r.File, Origin: r.Origin})
		}
		if !slices.Contains(all[at].tools, r.Tool) {
			all[at].tools = append(all[at].tools, r.Tool)
		}
	}
	slices.SortStableFunc(all, func(a, b readFile) int { return cmp.Compare(a.Origin, b.Origin) })
	return all
}

type readFile struct {
	File, Origin string
	tools        []string
}

func (f readFile) By() string { return strings.Join(f.tools, ", ") }
