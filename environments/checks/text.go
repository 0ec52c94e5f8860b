package checks

import (
	"fmt"
	"io"

	"agentd/domains"
	"agentd/environments"
	"agentd/internal/layout"
	"agentd/internal/printable"
)

// WriteRules prints what each check asks for.
func WriteRules(w io.Writer) error {
	var list layout.List
	for _, check := range All() {
		list.Add(check.Name, string(check.Kind)+": "+check.Rule)
	}
	return list.Write(w)
}

// Write makes all checks on drafts and prints a line for each that failed, or with everything
// for each of its findings. If any failed it ends with an error. find finds a domain by name.
func Write(w io.Writer, drafts []environments.Draft, everything bool, find func(name string) (domains.Domain, bool)) error {
	failed := map[string]bool{}
	for _, f := range Run(drafts, find) {
		failed[f.Environment] = true
		shown, more := f.Findings, ""
		if rest := len(shown) - 1; rest > 0 && !everything {
			shown, more = shown[:1], fmt.Sprintf(" (and %d more like it)", rest)
		}
		for _, found := range shown {
			if _, err := printable.Fprintf(w, "%-14s %-20s %s%s\n", f.Environment, f.Check, found, more); err != nil {
				return err
			}
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("%d of %d environments fail checks; docs/environments.md says what an environment is", len(failed), len(drafts))
	}
	_, err := printable.Fprintf(w, "%d environments pass all %d checks\n", len(drafts), len(All()))
	return err
}
