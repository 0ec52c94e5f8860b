package guard

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"agentd/documents/compare"
	"agentd/internal/fidelity"
	"agentd/internal/usage"
	"agentd/sandbox"
	"agentd/vfs"
)

// Proposal is what a command made of a copy of the folder.
type Proposal struct {
	Report compare.Report
	Result sandbox.Result

	before  vfs.Files
	after   vfs.Files
	changed Changed
	asked   []Protected
	pairs   []compare.Pair
	command []string
	// executable says of the files before and after whether anybody may execute them; empty if that cannot change.
	executable [2]map[string]bool
}

// Run runs a command on a copy of the files and says what it changed. Nothing is applied yet. It is an error if the command
// fails, or leaves files that cannot be taken over; the proposal still has what it printed.
func (f *Folder) Run(ctx context.Context, backend sandbox.Backend, command sandbox.Command) (p Proposal, err error) {
	before, skipped, err := f.Files()
	if err != nil {
		return Proposal{}, err
	}
	ws, err := vfs.New(before, nil)
	if err != nil {
		return Proposal{}, usage.Wrap(err)
	}
	runner, err := backend.NewRunner(command.Limits)
	if err != nil {
		return Proposal{}, err
	}
	defer func() { err = errors.Join(err, runner.Close()) }()
	command.Executable = f.executable(before)
	result, err := runner.RunCommand(ctx, ws, command)
	if err != nil {
		return Proposal{}, fmt.Errorf("running the command: %w; nothing was applied", err)
	}
	p = Proposal{Result: result, before: before, command: command.Args}
	switch {
	case result.Limit != sandbox.NoLimit:
		return p, fmt.Errorf("the command was ended by its limit of %s; nothing was applied", result.Limit)
	case result.ExitCode != 0:
		return p, fmt.Errorf("the command ended with exit code %d; nothing was applied%s", result.ExitCode, f.misnamed(command.Args, before))
	case len(result.Skipped) > 0:
		return p, fmt.Errorf("the command left a file that cannot be taken over, so nothing was applied: %s: %s", result.Skipped[0].File, result.Skipped[0].Reason)
	}
	after, err := ws.Output()
	if err != nil {
		return p, err
	}
	if err := f.propose(&p, after); err != nil {
		return p, err
	}
	p.Report.Skipped = skipped
	return p, nil
}

// executable returns the names of the files that the user may execute.
func (f *Folder) executable(files vfs.Files) (names []string) {
	for _, name := range files.Names() {
		if info, err := os.Lstat(filepath.Join(f.path, filepath.FromSlash(name))); err == nil && info.Mode().IsRegular() && info.Mode()&0o100 != 0 {
			names = append(names, name)
		}
	}
	return names
}

// misnamed is a hint for a command that names a file by a path that its copy of the folder does not have; "" if it names none.
func (f *Folder) misnamed(args []string, files vfs.Files) string {
	for _, arg := range args {
		_, known := files[filepath.ToSlash(filepath.Clean(arg))]
		path, err := filepath.Abs(arg)
		if err == nil {
			path, err = filepath.EvalSymlinks(path)
		}
		if known || err != nil || strings.HasPrefix(path, "/usr/") {
			continue
		}
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
			continue
		}
		if within, err := filepath.Rel(f.path, path); err == nil && filepath.IsLocal(within) {
			return fmt.Sprintf(". It runs in a copy of the folder, where %s is %s", arg, within)
		}
		return fmt.Sprintf(". It sees a copy of the folder and /usr, and %s is in neither: put it into the folder", arg)
	}
	return ""
}

// propose compares the files with what became of them.
func (f *Folder) propose(p *Proposal, after vfs.Files) error {
	p.after, p.changed = after, changed(p.before, after)
	if err := f.reserved(p.changed); err != nil {
		return err
	}
	t, err := openTree(f.calls, f.path)
	if err != nil {
		return err
	}
	defer t.close()
	ops, err := t.plan(p.changed) // to find obstacles; it is planned again when it is applied
	if err != nil {
		return explained(err)
	}
	p.asked = ops.protected(t, nil)
	p.compare(after)
	return nil
}

// compare sets the report and the pairs: what became of each document with a changed file.
func (p *Proposal) compare(after vfs.Files) {
	p.Report = compare.Report{Same: true, Documents: []compare.Document{}, Skipped: []compare.Skipped{}}
	for _, pair := range compare.Pairs(p.before, after, nil) {
		bits := p.changedBits(pair)
		if pair.Before.Equal(pair.After) && len(bits) == 0 {
			continue
		}
		d := pair.Compare()
		for _, name := range bits {
			d.Bytes = fidelity.Add(d.Bytes, name, !p.executable[1][name], p.executable[1][name])
		}
		p.pairs = append(p.pairs, pair)
		p.Report.Documents = append(p.Report.Documents, d)
		p.Report.Same = p.Report.Same && d.Status == compare.Same
	}
}

// changedBits are the files after a change that may be executed now and could not before, or the other way about.
func (p *Proposal) changedBits(pair compare.Pair) (names []string) {
	for _, name := range pair.After.Names() {
		from := name
		if pair.From != "" {
			from = pair.From
		}
		if p.changedBit(from, name) {
			names = append(names, name)
		}
	}
	return names
}

func (p *Proposal) changedBit(from, name string) bool {
	was, known := p.executable[0][from]
	is, there := p.executable[1][name]
	return known && there && was != is
}

// Check is a usage.Error if a pattern of the rule names an element or a field that no document has, before or after: such
// a rule would never say anything.
func (p *Proposal) Check(r Rule) error {
	asked := slices.DeleteFunc(slices.Concat(r.allow, r.deny), func(q pattern) bool {
		return q.what == "" || q.kind == compare.KindBytes || q.kind == compare.KindRenamed
	})
	if len(asked) == 0 {
		return nil
	}
	differences := []compare.Difference{{Element: "file"}, {Element: "line"}, {Field: "column"}}
	for _, d := range p.Report.Documents {
		differences = append(differences, d.Differences...)
	}
	for _, pair := range compare.Pairs(p.before, p.after, nil) {
		if pair.Domain == nil {
			continue
		}
		for _, files := range []vfs.Files{pair.Before, pair.After} {
			for _, e := range pair.Domain.Elements(files) {
				differences = append(differences, compare.Difference{Element: e.Kind})
				for _, f := range e.Fields {
					differences = append(differences, compare.Difference{Element: e.Kind, Field: f.Name})
				}
			}
		}
	}
	for _, q := range asked {
		if slices.ContainsFunc(differences, func(d compare.Difference) bool { d.Kind = q.kind; return q.fits(d) }) {
			continue
		}
		names := map[string]bool{}
		for _, d := range differences {
			names[words(d.Element)], names[words(d.Field)] = true, true
		}
		delete(names, "")
		return usage.Unknown("element or field", q.what, slices.Sorted(maps.Keys(names)))
	}
	return nil
}

// Changed reports whether the command changed any file.
func (p *Proposal) Changed() bool { return len(p.changed) > 0 }

// Judge is the strictest verdict of a rule on the documents.
func (p *Proposal) Judge(r Rule) Verdict {
	verdict := Allowed
	for _, d := range p.Report.Documents {
		verdict = max(verdict, r.Judge(d))
	}
	return verdict
}

// Decision says which documents of a proposal are applied, and why.
type Decision struct {
	Reason string
	takes  func(compare.Document) bool // nil for all
	named  func(string) bool           // see Acceptance
}

// Accept applies the changes of all documents that the decision takes, or none of them.
func (f *Folder) Accept(ctx context.Context, p *Proposal, d Decision) (int, error) {
	some := Changed{}
	for i, pair := range p.pairs {
		if d.takes != nil && !d.takes(p.Report.Documents[i]) {
			continue
		}
		for _, name := range p.files(pair) {
			some[name] = p.changed[name]
		}
	}
	return f.Apply(ctx, some, Acceptance{Reason: d.Reason, Command: p.command, Named: d.named})
}

// files are the changed files of a document.
func (p *Proposal) files(pair compare.Pair) []string {
	var names []string
	for _, files := range []vfs.Files{pair.Before, pair.After} {
		for name := range files {
			if _, is := p.changed[name]; is && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// Unnamed are the protected files of the proposal that the rule does not name.
func (p *Proposal) Unnamed(r Rule) []Protected {
	return slices.DeleteFunc(slices.Clone(p.asked), func(a Protected) bool { return r.Named(a.Name) })
}

// ErrRefused says that the rule or the user refused the changes.
var ErrRefused = errors.New("refused; nothing was applied")
