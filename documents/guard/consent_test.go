package guard

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"agentd/internal/usage"
	"agentd/vfs"
)

// Each answer is given on a terminal, to changes of two documents: a.ledger loses a transaction,
// b.ledger has one more.
func TestConsent(t *testing.T) {
	t.Parallel()
	before := vfs.Files{"a.ledger": cafe + rent, "b.ledger": rent}
	after := vfs.Files{"a.ledger": rent, "b.ledger": cafe + rent}
	for name, c := range map[string]struct {
		allow, deny string
		yes         bool
		answers     string // empty without a terminal
		taken       string // of the documents, in order
		reason      string
		refused     bool
	}{
		"yes":                         {answers: "y\n", taken: "a.ledger b.ledger", reason: "consent"},
		"in a full word and capitals": {answers: " YES \n", taken: "a.ledger b.ledger", reason: "consent"},
		"no":                          {answers: "n\n", refused: true},
		"an empty line":               {answers: "\n", refused: true},
		"the end of the input":        {answers: "?", refused: true},
		"one of two":                  {answers: "d\nn\ny\n", taken: "b.ledger", reason: "consent, document by document"},
		"the end in between":          {answers: "d\ny\n", taken: "a.ledger", reason: "consent, document by document"},
		"allowed, so not asked":       {allow: "lost,added", answers: "n\n", taken: "a.ledger b.ledger", reason: "rule --allow"},
		"denied, so not asked":        {deny: "lost", answers: "y\n", refused: true},
		"--yes":                       {yes: true, taken: "a.ledger b.ledger", reason: "--yes"},
		"--yes against a rule":        {yes: true, deny: "lost", refused: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, dir := opened(t, before)
			p := Proposal{before: before}
			if err := f.propose(&p, after); err != nil {
				t.Fatal(err)
			}
			rule, err := NewRule(split(c.allow), split(c.deny))
			if err != nil {
				t.Fatal(err)
			}
			consent := Consent{Yes: c.yes, Out: io.Discard, Errors: io.Discard}
			if c.answers != "" {
				consent.In = strings.NewReader(c.answers)
			}
			decision, err := consent.Decide(t.Context(), &p, rule)
			if c.refused {
				if !errors.Is(err, ErrRefused) {
					t.Errorf("%v, want a refusal", err)
				}
				return
			}
			if err != nil || !strings.HasPrefix(decision.Reason, c.reason) {
				t.Fatalf("%q, %v, want %q", decision.Reason, err, c.reason)
			}
			if _, err := f.Accept(t.Context(), &p, decision); err != nil {
				t.Fatal(err)
			}
			var taken []string
			got := on(t, dir)
			for _, name := range got.Names() {
				if got[name] == after[name] {
					taken = append(taken, name)
				}
			}
			if strings.Join(taken, " ") != c.taken {
				t.Errorf("applied: %v, want %s", taken, c.taken)
			}
		})
	}
	p := Proposal{before: before}
	f, _ := opened(t, before)
	if err := f.propose(&p, after); err != nil {
		t.Fatal(err)
	}
	var wrong usage.Error
	if _, err := (Consent{Out: io.Discard, Errors: io.Discard}).Decide(t.Context(), &p, Rule{}); !errors.As(err, &wrong) {
		t.Errorf("without a terminal: %v", err)
	}
}

// Somebody who is asked and presses Ctrl-C is asked no more.
func TestAQuestionEndsWithItsContext(t *testing.T) {
	t.Parallel()
	before := vfs.Files{"a.ledger": cafe + rent}
	f, _ := opened(t, before)
	p := Proposal{before: before}
	if err := f.propose(&p, vfs.Files{"a.ledger": rent}); err != nil {
		t.Fatal(err)
	}
	in, answers := io.Pipe() // nothing comes
	defer answers.Close()
	ctx, end := context.WithCancel(t.Context())
	asked := writer(func(b []byte) (int, error) { end(); return len(b), nil })
	if _, err := (Consent{In: in, Out: asked, Errors: io.Discard}).Decide(ctx, &p, Rule{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want the context's end", err)
	}
}

type writer func([]byte) (int, error)

func (w writer) Write(b []byte) (int, error) { return w(b) }
