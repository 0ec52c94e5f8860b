package guard

import (
	"bufio"
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"agentd/documents/compare"
	"agentd/internal/printable"
	"agentd/internal/usage"
)

// Consent says whom to ask when a rule does not decide.
type Consent struct {
	Yes bool      // apply what no rule denies, without asking
	In  io.Reader // a terminal; nil if there is none
	// Out gets the questions, Errors the refusals.
	Out, Errors io.Writer
}

// Decide decides which documents of a proposal are applied: by the rule, or by answers on a terminal. Each protected
// file needs its own yes, unless the rule names it. The error is ErrRefused if the rule or the user refuses, a usage.Error if
// there is no terminal to ask on, and the context's error if it ends before the answer.
func (c Consent) Decide(ctx context.Context, p *Proposal, rule Rule) (Decision, error) {
	d := Decision{Reason: strings.TrimSpace("rule " + rule.String()), named: rule.Named}
	verdict, asked := p.Judge(rule), p.Unnamed(rule)
	if verdict == Undecided && c.Yes {
		d.Reason, verdict = strings.TrimSpace("--yes "+rule.String()), Allowed
	}
	switch {
	case verdict == Denied:
		printable.Fprintf(c.Errors, "the rule %s refuses:\n%s", rule.String(), printable.Block(p.RefusedLines(rule, 20)))
		return d, ErrRefused
	case verdict == Allowed && len(asked) == 0:
		return d, nil
	case len(asked) > 0 && (c.Yes || c.In == nil):
		printable.Fprintf(c.Errors, "%s", printable.Block(protectedLines(asked)))
		return d, ErrRefused
	case c.In == nil:
		return d, usage.Errorf("the rule does not say whether to apply this, and there is no terminal to ask on; give --allow, or --yes")
	}
	t := terminal{c, ctx, bufio.NewReader(c.In)}
	if verdict == Undecided {
		switch t.ask("apply these changes? [y]es, [n]o, [d]ocument by document: ") {
		case "y", "yes":
			d.Reason = "consent"
		case "d":
			return t.byDocument(p, asked, d)
		default:
			return d, errors.Join(ErrRefused, ctx.Err())
		}
	}
	for _, a := range asked {
		if !t.agrees(a) {
			return d, errors.Join(ErrRefused, ctx.Err())
		}
	}
	return d.naming(asked), nil
}

// Agrees asks a question. The error is nil for a yes, ErrRefused for a no, and a usage.Error if there is no terminal to ask on.
func (c Consent) Agrees(ctx context.Context, question string) error {
	switch {
	case c.Yes:
		return nil
	case c.In == nil:
		return usage.Errorf("there is no terminal to ask on; give --yes")
	case terminal{c, ctx, bufio.NewReader(c.In)}.yes(question):
		return nil
	}
	return errors.Join(ErrRefused, ctx.Err())
}

// naming adds the protected files that the user approved.
func (d Decision) naming(asked []Protected) Decision {
	before := d.named
	d.Reason += said(asked)
	d.named = func(name string) bool {
		return before(name) || slices.ContainsFunc(asked, func(a Protected) bool { return a.Name == name })
	}
	return d
}

func said(asked []Protected) string {
	var names []string
	for _, a := range asked {
		names = append(names, a.Name)
	}
	if len(names) == 0 {
		return ""
	}
	return ", consent to " + strings.Join(names, ", ")
}

// terminal asks the user.
type terminal struct {
	Consent
	ctx context.Context
	in  *bufio.Reader
}

// ask prints a question and returns the answer in lower case; empty at the end of the input or of the context. Reading a
// terminal cannot be interrupted, so its goroutine may run until the program ends.
func (t terminal) ask(question string) string {
	printable.Fprintf(t.Out, "%s", question)
	answer := make(chan string, 1)
	go func() {
		line, _ := t.in.ReadString('\n') // end of input means no
		answer <- line
	}()
	select {
	case line := <-answer:
		return strings.ToLower(strings.TrimSpace(line))
	case <-t.ctx.Done():
		return ""
	}
}

func (t terminal) yes(question string) bool {
	answer := t.ask(question + "? [y]es, [n]o: ")
	return answer == "y" || answer == "yes"
}

// agrees asks whether one protected file may be changed.
func (t terminal) agrees(a Protected) bool { return t.yes(a.Name + ": " + a.Why + ". Apply it") }

// byDocument asks about each document, and about the protected files in it.
func (t terminal) byDocument(p *Proposal, asked []Protected, d Decision) (Decision, error) {
	taken := map[string]bool{}
	var agreed []Protected
	for i, pair := range p.pairs {
		name := p.Report.Documents[i].Name
		own := slices.DeleteFunc(slices.Clone(asked), func(a Protected) bool { return !slices.Contains(p.files(pair), a.Name) })
		taken[name] = t.yes(name) && !slices.ContainsFunc(own, func(a Protected) bool { return !t.agrees(a) })
		if taken[name] {
			agreed = append(agreed, own...)
		}
	}
	d.Reason, d.takes = "consent, document by document", func(d compare.Document) bool { return taken[d.Name] }
	return d.naming(agreed), t.ctx.Err()
}
