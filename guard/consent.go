package guard

import (
	"bufio"
	"io"
	"strings"

	"agentd/changes"
	"agentd/internal/printable"
	"agentd/internal/usage"
)

// Consent is who is asked where a rule does not decide.
type Consent struct {
	Yes bool      // apply what no rule denies, without asking
	In  io.Reader // of a terminal; nil if there is none to ask on
	// Out gets the questions, Errors what a rule refuses.
	Out, Errors io.Writer
}

// Decide says which documents of a proposal are applied and why: by the rule, or by the answers of
// a terminal. The error is ErrRefused if the rule or the person refuses, and a usage.Error if
// there is no terminal to ask on.
func (c Consent) Decide(p *Proposal, rule Rule) (take func(changes.Document) bool, reason string, err error) {
	all := func(changes.Document) bool { return true }
	switch verdict := p.Judge(rule); {
	case verdict == Allowed:
		return all, strings.TrimSpace("rule " + rule.String()), nil
	case verdict == Undecided && c.Yes:
		return all, strings.TrimSpace("--yes " + rule.String()), nil
	case verdict == Denied:
		printable.Fprintf(c.Errors, "the rule %s refuses:\n%s", rule.String(), printable.Block(p.Refusal(rule, 20)))
		return nil, "", ErrRefused
	case c.In == nil:
		return nil, "", usage.Errorf("the rule does not say whether to apply this, and there is no terminal to ask on; give --allow, or --yes")
	}
	in := bufio.NewReader(c.In)
	ask := func(question string) string {
		printable.Fprintf(c.Out, "%s", question)
		answer, _ := in.ReadString('\n') // its end is no
		return strings.ToLower(strings.TrimSpace(answer))
	}
	switch ask("apply these changes? [y]es, [n]o, [d]ocument by document: ") {
	case "y", "yes":
		return all, "consent", nil
	case "d":
		return func(d changes.Document) bool { return strings.HasPrefix(ask(d.Name+"? [y]es, [n]o: "), "y") },
			"consent, document by document", nil
	}
	return nil, "", ErrRefused
}
