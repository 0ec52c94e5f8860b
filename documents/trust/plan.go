package trust

import (
	"fmt"
	"io"
	"strings"

	"agentd/environments"
	"agentd/internal/layout"
	"agentd/internal/printable"
	"agentd/report/statistics"
)

// leastRepeats returns how many relays, of that many edits, each document needs with each arm for a yes if all of them
// keep it; 0 if no number is enough.
func (r Rule) leastRepeats(edits, documents int) int {
	b := bar{r.FailUnder, edits, evidence}
	documents = max(documents, 1)
	for n := documents; n <= mostRelays; n += documents {
		if all := (statistics.Share{Succeeded: float64(n)}); b.verdict(all, all) == Yes {
			return n / documents
		}
	}
	return 0
}

// WritePlan says which kinds of edits are planned for each document, and whether so many relays of each document with each of the arms
// can be enough for a yes.
func (r Rule) WritePlan(w io.Writer, envs []environments.Environment, arms, edits, repeats int) {
	screen := layout.ScreenOf(w)
	for _, env := range envs {
		var names []string
		for _, e := range env.Edits {
			names = append(names, words(e.Name))
		}
		fmt.Fprint(w, screen.Paragraph(printable.Sprintf("%s, %s of edit: %s", env.Name, counted(len(names), "kind"), strings.Join(names, "; ")), 0))
	}
	if note := r.OnlyNo(len(envs), arms, edits, repeats); note != "" {
		fmt.Fprint(w, screen.Paragraph(note, 0))
	}
}

// OnlyNo says that so many relays of each document with each of the arms cannot end in a yes, and how many can; empty if
// they can.
func (r Rule) OnlyNo(documents, arms, edits, repeats int) string {
	switch least := r.leastRepeats(edits, documents); {
	case least == 0:
		return fmt.Sprintf("No number of edits can show that %s %% of them keep a document.", percent(r.FailUnder))
	case least > repeats:
		return fmt.Sprintf("%s can end in a no, never in a yes. For a yes: --repeats %d (%d edits).",
			counted(arms*repeats*documents*edits, "edit"), least, arms*least*documents*edits)
	}
	return ""
}
