package main

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/domains/domaintest/equivalences"
	"agentd/domains/edit"
	"agentd/environments"
	"agentd/vfs"
)

// sources are the folders of documents that are not in the repository.
type sources struct{ golden, released string }

// finding is an entry before it is in a recording.
type finding struct {
	row, field string
	texts      []string
}

// recorder collects the work on one domain, of which each piece can be done on its own.
type recorder struct {
	domain domains.Domain
	work   []func() []finding
	known  map[[sha256.Size]byte]bool // documents that are recorded already
}

// record finds all that is recorded of a domain, working on so many rows at a time.
func record(d domains.Domain, from sources, jobs int) (*recording, error) {
	r := &recorder{domain: d, known: map[[sha256.Size]byte]bool{}}
	if err := r.plan(from); err != nil {
		return nil, err
	}
	found := make([][]finding, len(r.work))
	var group errgroup.Group
	group.SetLimit(jobs)
	for i, work := range r.work {
		group.Go(func() error {
			found[i] = work()
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	all, rows := newRecording(), map[string]int{}
	for _, findings := range found {
		for _, f := range findings {
			if rows[f.row+f.field]++; rows[f.row+f.field] > 1 {
				f.row += fmt.Sprintf(" (%d)", rows[f.row+f.field])
			}
			all.add(f.row, f.field, f.texts)
		}
	}
	return all, nil
}

// plan collects the work.
func (r *recorder) plan(from sources) error {
	name := r.domain.Info().Name
	rows, err := domaintest.Rows(from.golden, name)
	if err != nil {
		return err
	}
	for _, row := range rows {
		r.pair(row.Domain(r.domain), row.Folder+" "+row.ID, row.Reference, row.Candidate, row.Metadata)
		if row.Corrupting != nil {
			r.edits(row.Domain(r.domain), "reference of "+row.ID, row.Reference)
		}
	}
	builtin, err := environments.Builtin()
	if err != nil {
		return err
	}
	for _, env := range builtin {
		if env.Domain == name {
			r.edits(env.Apply(r.domain), "seed of "+env.Name, env.Seed)
		}
		if env.Name == name+"1" {
			r.generated(env)
		}
	}
	files, err := filepath.Glob(filepath.Join(from.released, "*.jsonl"))
	if err != nil {
		return err
	}
	for _, file := range files {
		released, err := environments.Load(file)
		if err != nil {
			return fmt.Errorf("reading released environments: %w", err)
		}
		for _, env := range released {
			if env.Domain == name {
				r.edits(env.Apply(r.domain), filepath.Base(file)+" "+env.Name, env.Seed)
			}
		}
	}
	return nil
}

// generated plans the equivalences and near misses of a seed. They are about Strict, so no program is run.
func (r *recorder) generated(env environments.Environment) {
	d := r.domain
	if executing, ok := d.(domains.Executing); ok {
		d = executing.WithPrograms(nil)
	}
	for _, e := range equivalences.All()[env.Domain] {
		for n, candidate := range e.Candidates(env.Seed, 0, domaintest.EquivalenceTrials) {
			r.pair(env.Apply(d), fmt.Sprintf("generated %s %d", e.Name, n), env.Seed, candidate, nil)
		}
	}
}

// pair plans what is recorded of two documents.
func (r *recorder) pair(d domains.Domain, row string, reference, candidate vfs.Files, options map[string]any) {
	r.work = append(r.work, func() []finding {
		against := d.Against(reference)
		score := against.Compare(candidate)
		var differences []string
		for _, difference := range against.Differences(candidate) {
			differences = append(differences, difference.String())
		}
		return []finding{
			{row, "RS", published(score)}, {row, "Strict", []string{number(score.Strict)}}, {row, "differences", differences},
		}
	})
	r.document(d, row+", reference", reference, options)
	r.document(d, row+", candidate", candidate, options)
}

// published is all of a score that RS is, and says of itself.
func published(score domains.Score) []string {
	texts := []string{
		number(score.RS), "basis " + string(score.Basis),
		fmt.Sprintf("elements %d %d", score.Elements.Reference, score.Elements.Candidate),
		fmt.Sprintf("crash %t, unreadable %t, problem %t", score.Crash, score.Unreadable, score.Problem != ""),
		"approximate " + score.Approximate,
	}
	for _, name := range slices.Sorted(maps.Keys(score.Components)) {
		texts = append(texts, name+" "+number(score.Components[name]))
	}
	return texts
}

// number writes a number such that each bit of it counts.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// document plans what is recorded of one document, unless it is already.
func (r *recorder) document(d domains.Domain, row string, files vfs.Files, options map[string]any) {
	if !r.first("document", files, options) {
		return
	}
	r.work = append(r.work, func() []finding {
		left := d.Without(files, func(n int) bool { return n%3 == 1 })
		return []finding{{row, "elements", read(d, files)}, {row, "elements left without every third", read(d, left)}}
	})
}

// read writes the elements of files.
func read(d domains.Domain, files vfs.Files) []string {
	elements := d.Elements(files)
	texts := make([]string, len(elements))
	for i := range elements {
		texts[i] = text(&elements[i])
	}
	return texts
}

// first reports whether something is to be recorded of files for the first time.
func (r *recorder) first(what string, files vfs.Files, options map[string]any) bool {
	key := sha256.Sum256(fmt.Appendf(nil, "%s %v %q", what, options, lines(files)))
	known := r.known[key]
	r.known[key] = true
	return !known
}

// text writes an element. The order of its fields means nothing.
func text(e *domains.Element) string {
	fields := slices.Clone(e.Fields)
	slices.SortStableFunc(fields, func(a, b domains.Field) int {
		if a.Name != b.Name {
			return strings.Compare(a.Name, b.Name)
		}
		return strings.Compare(a.Value, b.Value)
	})
	var b strings.Builder
	b.WriteString(e.Kind + " " + e.Key + ", place " + strconv.Itoa(e.Position))
	for _, f := range fields {
		b.WriteString(" | " + f.Name + ": " + f.Value)
	}
	return b.String()
}

// lines are those of files, each file under its name.
func lines(files vfs.Files) []string {
	var all []string
	for _, name := range files.Names() {
		all = append(all, "file "+name)
		all = slices.AppendSeq(all, strings.Lines(files[name]))
	}
	return all
}

// edits plans all edits that are derived of a document.
func (r *recorder) edits(d domains.Domain, row string, document vfs.Files) {
	format := d.Vocabulary()
	if format == nil || !r.first("edits", document, nil) {
		return
	}
	r.work = append(r.work, func() []finding {
		proposals, err := format.Propose(document, 1)
		if err != nil {
			return []finding{{row, "edits", []string{err.Error()}}}
		}
		var found []finding
		for _, p := range proposals {
			found = append(found, steps(format, p.Verb, row+", "+p.Name(), document)...)
		}
		return found
	})
}

// steps are the documents that an edit makes, there and back.
func steps(format *edit.Format, verb edit.Verb, row string, document vfs.Files) []finding {
	program, err := format.Program(verb)
	if err != nil {
		return []finding{{row, "there", []string{err.Error()}}}
	}
	there, err := program.Forward(document)
	if err != nil {
		return []finding{{row, "there", []string{err.Error()}}}
	}
	found := []finding{{row, "there", lines(there)}}
	back, err := program.Backward(there)
	if err != nil {
		return append(found, finding{row, "back", []string{err.Error()}})
	}
	return append(found, finding{row, "back", lines(back)})
}
