package guard

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"agentd/changes"
	"agentd/internal/usage"
	"agentd/sandbox"
	"agentd/vfs"
)

// Proposal is what a command made of a copy of the folder.
type Proposal struct {
	Report changes.Report
	Result sandbox.Result

	before  vfs.Files
	changed Changed
	pairs   []changes.Pair
	command []string
}

// Run runs a command on a copy of the files and says what it changed. Nothing is applied yet. A command
// that fails, or leaves what cannot be taken back, is an error, and the proposal still says what it printed.
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
	result, err := runner.RunCommand(ctx, ws, command)
	if err != nil {
		return Proposal{}, err
	}
	p = Proposal{Result: result, before: before, command: command.Args}
	switch {
	case result.Limit != sandbox.NoLimit:
		return p, fmt.Errorf("the command was ended by its limit of %s; nothing was applied", result.Limit)
	case result.ExitCode != 0:
		return p, fmt.Errorf("the command ended with exit code %d; nothing was applied", result.ExitCode)
	case len(result.Skipped) > 0:
		return p, fmt.Errorf("the command left what is not taken back, so nothing was applied: %s: %s", result.Skipped[0].File, result.Skipped[0].Reason)
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

// propose compares the files with what became of them.
func (f *Folder) propose(p *Proposal, after vfs.Files) error {
	p.changed = changed(p.before, after)
	if _, refused := f.reserved(p.changed); len(refused) > 0 {
		return fmt.Errorf("%s cannot be written, so nothing was applied: %s", refused[0].Path, refused[0].Why)
	}
	p.Report = changes.Report{Same: true, Documents: []changes.Document{}, Skipped: []changes.Skipped{}}
	for _, pair := range changes.Pairs(p.before, after, nil) {
		if pair.Before.Equal(pair.After) {
			continue
		}
		d := pair.Compare()
		p.pairs = append(p.pairs, pair)
		p.Report.Documents = append(p.Report.Documents, d)
		p.Report.Same = p.Report.Same && d.Status == changes.Same
	}
	return nil
}

// Changed reports whether the command changed any file.
func (p *Proposal) Changed() bool { return len(p.changed) > 0 }

// Judge is what a rule says of all documents together.
func (p *Proposal) Judge(r Rule) Verdict {
	verdict := Allowed
	for _, d := range p.Report.Documents {
		verdict = max(verdict, r.Judge(d))
	}
	return verdict
}

// Accept applies the changes of the documents that take accepts, all or none.
func (f *Folder) Accept(p *Proposal, take func(changes.Document) bool, reason string) (int, error) {
	some := Changed{}
	for i, pair := range p.pairs {
		if !take(p.Report.Documents[i]) {
			continue
		}
		for _, files := range []vfs.Files{pair.Before, pair.After} {
			for name := range files {
				if c, is := p.changed[name]; is {
					some[name] = c
				}
			}
		}
	}
	return f.Apply(some, reason, p.command)
}

// Refusal says what a rule refuses, for a client that wants to mend it. At most so many changes of a document are named.
func (p *Proposal) Refusal(r Rule, most int) string {
	var b strings.Builder
	for _, d := range p.Report.Documents {
		if r.Unattended(r.Judge(d)) != Denied {
			continue
		}
		refused := r.Refused(d)
		fmt.Fprintf(&b, "%s (%s, %s) %s:\n", d.Name, d.Domain, d.Status, strings.TrimSpace(d.Note))
		for _, c := range refused[:min(len(refused), most)] {
			fmt.Fprintf(&b, "  %s %s\n", c.Kind, c)
		}
		if more := len(refused) - most; more > 0 {
			fmt.Fprintf(&b, "  and %d more\n", more)
		}
	}
	return b.String()
}

// ErrRefused says that the rule, or the person who was asked, refused the changes.
var ErrRefused = errors.New("refused; nothing was applied")
