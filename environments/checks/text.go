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
		about := string(check.Kind)
		if check.Weight == Incomparable {
			about += ", to be comparable with the paper"
		}
		list.Add(check.Name, about+": "+check.Rule)
	}
	return list.Write(w)
}

// Options controls Write.
type Options struct {
	Everything bool // print a line for each finding; else only the first of a check, but each place that is left to fill in
	Strict     bool // an environment that is only not comparable with the paper is an error
}

// Write makes all checks on drafts and prints a line for each that failed, by its weight. It
// ends with an error if an environment is broken or unfinished. find finds a domain by name.
func Write(w io.Writer, drafts []environments.Draft, o Options, find func(name string) (domains.Domain, bool)) error {
	byWeight := map[Weight][]Failure{}
	failed := map[Weight]map[string]bool{Broken: {}, Unfinished: {}, Incomparable: {}}
	unusable, all := map[string]bool{}, map[string]bool{}
	for _, f := range Run(drafts, find) {
		byWeight[f.Weight] = append(byWeight[f.Weight], f)
		failed[f.Weight][f.Environment], all[f.Environment] = true, true
		if f.Weight != Incomparable || o.Strict {
			unusable[f.Environment] = true
		}
	}
	for weight := Broken; weight <= Incomparable; weight++ {
		if len(byWeight[weight]) == 0 {
			continue
		}
		printable.Fprintf(w, "%s\n", weight.heading())
		for _, f := range byWeight[weight] {
			f.write(w, o.Everything || weight == Unfinished)
		}
		printable.Fprintf(w, "\n")
	}
	if len(unusable) > 0 {
		return fmt.Errorf("%d of %s fail checks: %d broken, %d unfinished, %d not comparable with the paper; docs/environments.md says what an environment is",
			len(unusable), printable.Count(len(drafts), "environment"), len(failed[Broken]), len(failed[Unfinished]), len(failed[Incomparable]))
	}
	passing, pass := len(drafts)-len(all), "pass"
	if passing == 1 {
		pass = "passes"
	}
	_, err := printable.Fprintf(w, "%s %s all %d checks\n", printable.Count(passing, "environment"), pass, len(All()))
	if n := len(all); n > 0 && err == nil {
		_, err = printable.Fprintf(w, "%d can be run, and are not comparable with the paper; --strict makes that an error\n", n)
	}
	return err
}

// write prints the first finding, or with everything each one.
func (f Failure) write(w io.Writer, everything bool) {
	shown, more := f.Findings, ""
	if rest := len(shown) - 1; rest > 0 && !everything {
		shown, more = shown[:1], fmt.Sprintf(" (and %d more like it)", rest)
	}
	for _, found := range shown {
		printable.Fprintf(w, "%-14s %-20s %s%s\n", f.Environment, f.Check, found, more)
	}
}
