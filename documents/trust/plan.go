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

// LeastRepeats returns how many relays, of that many edits, each document needs with each arm for a yes if all of them
// keep it; 0 if no number is enough.
func (r Rule) LeastRepeats(edits, documents int) int {
	b := bar{r.FailUnder, edits, evidence}
	documents = max(documents, 1)
	for n := documents; n <= mostRelays; n += documents {
		if all := (statistics.Share{Succeeded: float64(n)}); b.verdict(all, all) == Yes {
			return n / documents
		}
	}
	return 0
}

// WritePlan says which kinds of edits are planned for each document, and whether so many relays can be enough for a yes.
func (r Rule) WritePlan(w io.Writer, envs []environments.Environment, edits, repeats int) {
	screen := layout.ScreenOf(w)
	for _, env := range envs {
		var names []string
		for _, e := range env.Edits {
			names = append(names, words(e.Name))
		}
		fmt.Fprint(w, screen.Paragraph(printable.Sprintf("%s, %s of edit: %s", env.Name, counted(len(names), "kind"), strings.Join(names, "; ")), 0))
	}
	switch least := r.LeastRepeats(edits, len(envs)); {
	case least == 0:
		fmt.Fprintf(w, "No number of edits can show that %s %% of them keep a document.\n", percent(r.FailUnder))
	case least > repeats:
		fmt.Fprint(w, screen.Paragraph(fmt.Sprintf("So many edits can show that fewer than %s %% of them keep a document. A yes takes --repeats %d or more (now %d).",
			percent(r.FailUnder), least, repeats), 0))
	}
}
