package interference

import (
	"context"
	"fmt"
	"io"

	"agentd/domains"
	"agentd/environments"
	"agentd/internal/opinion"
	"agentd/internal/printable"
)

// Write looks at every edit as Find does and prints what interferes. If anything does, the
// error says how often, and how to mend it.
func Write(ctx context.Context, w io.Writer, envs []environments.Environment, find func(name string) (domains.Domain, bool), ask opinion.Asker) error {
	counted, err := Find(ctx, envs, find, ask, func(f Interference) {
		printable.Fprintf(w, "%s, %s: %s: %s\n", f.Environment, f.Edit, Kinds()[f.Kind].Head, printable.Line(f.Why))
	})
	if err != nil {
		return err
	}
	if counted.Unanswered > 0 {
		printable.Fprintf(w, "of %d edits the judge gave no answer that can be read\n", counted.Unanswered)
	}
	if counted.Disturbed > 0 {
		return fmt.Errorf("distractors interfere with %d of %d edits; mend in this order: dismiss it, name files exactly, delete the distractor, delete the edit (docs/environments.md)", counted.Disturbed, counted.Edits)
	}
	_, err = printable.Fprintf(w, "distractors interfere with none of %d edits\n", counted.Edits)
	return err
}
