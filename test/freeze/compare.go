package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// compareAll compares two recordings and returns how many entries differ. What of a domain is in one recording
// alone differs, unless the domain was not asked for.
func compareAll(out io.Writer, o options, before, after string) (differ int, err error) {
	names := o.domains
	if len(names) == 0 {
		if names, err = recorded(before, after); err != nil {
			return 0, err
		}
	}
	for _, name := range names {
		var both [2]*recording
		for i, dir := range []string{before, after} {
			both[i], err = load(file(dir, name))
			if errors.Is(err, fs.ErrNotExist) {
				both[i] = newRecording()
			} else if err != nil {
				return differ, err
			}
		}
		changes := compare(both[0], both[1])
		show(out, name, changes, len(both[1].entries), o.shown)
		differ += len(changes)
	}
	if differ == 0 {
		fmt.Fprintf(out, "no difference in %d domains\n", len(names))
	}
	return differ, nil
}

// recorded are the domains that one of the folders has.
func recorded(dirs ...string) ([]string, error) {
	all := map[string]bool{}
	for _, dir := range dirs {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, fmt.Errorf("reading a recording: %w", err)
		}
		for _, e := range entries {
			if name, ok := strings.CutSuffix(filepath.Base(e.Name()), ending); ok {
				all[name] = true
			}
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no recording in %s", strings.Join(dirs, " or "))
	}
	return slices.Sorted(maps.Keys(all)), nil
}

// change is an entry that differs. Texts are nil where a recording has no such entry.
type change struct {
	entry
	was, is []string
}

// compare returns what differs, in the order of the earlier recording; what is new comes last.
func compare(before, after *recording) []change {
	type key struct{ row, field string }
	later := map[key]entry{}
	for _, e := range after.entries {
		later[key{e.Row, e.Field}] = e
	}
	var changes []change
	for _, e := range before.entries {
		k := key{e.Row, e.Field}
		now, found := later[k]
		delete(later, k)
		if !found {
			changes = append(changes, change{e, before.of(e), nil})
		} else if was, is := before.of(e), after.of(now); !slices.Equal(was, is) {
			changes = append(changes, change{e, was, is})
		}
	}
	for _, e := range after.entries {
		if _, isNew := later[key{e.Row, e.Field}]; isNew {
			changes = append(changes, change{e, nil, after.of(e)})
		}
	}
	return changes
}

// show prints how many entries of a domain differ, by their fields, and the first of them.
func show(out io.Writer, domain string, changes []change, entries, shown int) {
	if len(changes) == 0 {
		return
	}
	fields := map[string]int{}
	for _, c := range changes {
		fields[c.Field]++
	}
	var counts []string
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		counts = append(counts, fmt.Sprintf("%d × %s", fields[field], field))
	}
	fmt.Fprintf(out, "%s: %d of %d entries differ: %s\n", domain, len(changes), entries, strings.Join(counts, ", "))
	for _, c := range changes[:min(shown, len(changes))] {
		fmt.Fprintf(out, "  %s: %s\n", c.Row, c.Field)
		c.print(out)
	}
	if more := len(changes) - shown; more > 0 {
		fmt.Fprintf(out, "  and %d more\n", more)
	}
}

// Bounds on what is shown of an entry.
const (
	mostTexts  = 4   // of each side
	mostOfText = 160 // bytes
)

// print shows the texts in which an entry differs, from the first that does to the last.
func (c change) print(out io.Writer) {
	was, is := c.was, c.is
	switch {
	case was == nil:
		fmt.Fprintln(out, "    (was not recorded)")
	case is == nil:
		fmt.Fprintln(out, "    (is not recorded any more)")
	}
	for len(was) > 0 && len(is) > 0 && was[0] == is[0] {
		was, is = was[1:], is[1:]
	}
	for len(was) > 0 && len(is) > 0 && was[len(was)-1] == is[len(is)-1] {
		was, is = was[:len(was)-1], is[:len(is)-1]
	}
	for _, side := range []struct {
		mark  string
		texts []string
	}{{"-", was}, {"+", is}} {
		for _, text := range side.texts[:min(mostTexts, len(side.texts))] {
			fmt.Fprintf(out, "    %s %.*q\n", side.mark, mostOfText, text)
		}
		if more := len(side.texts) - mostTexts; more > 0 {
			fmt.Fprintf(out, "    %s and %d more\n", side.mark, more)
		}
	}
}
