package main

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"agentd/environments"
)

// choose returns the names that the wanted names or glob patterns select, in
// the order of all. What selects nothing is a usage error that lists near names.
func choose(kind string, wanted, all []string) ([]string, error) {
	if len(wanted) == 0 {
		return all, nil
	}
	selected := map[string]bool{}
	for _, w := range wanted {
		found := false
		for _, name := range all {
			ok, err := path.Match(w, name)
			if err != nil {
				return nil, usagef("%s %q is not a pattern: %w", kind, w, err)
			}
			if ok || w == name {
				selected[name], found = true, true
			}
		}
		if !found {
			return nil, unknown(kind, w, all)
		}
	}
	var chosen []string
	for _, name := range all {
		if selected[name] {
			chosen = append(chosen, name)
		}
	}
	return chosen, nil
}

// firstOfEach keeps of each domain the first n environments that can be scored.
func firstOfEach(envs []environments.Environment, n int) ([]environments.Environment, error) {
	taken := map[string]int{}
	var first []environments.Environment
	for _, env := range envs {
		if taken[env.Domain] == n || env.Unscorable() != "" {
			continue
		}
		taken[env.Domain]++
		first = append(first, env)
	}
	if len(first) == 0 {
		return nil, usagef("per_domain: none of the environments chosen can be scored")
	}
	return first, nil
}

// unknown says that a name is not known, and what near it is.
func unknown(kind, name string, all []string) error {
	const most = 5
	near := slices.Clone(all)
	slices.SortStableFunc(near, func(a, b string) int {
		return cmp.Compare(distance(name, a), distance(name, b))
	})
	label := "the nearest are"
	if len(near) <= most {
		label = "there are"
	}
	return usagef("unknown %s %q; %s %s", kind, name, label, strings.Join(near[:min(most, len(near))], ", "))
}

// distance is the number of single-byte edits between two names.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			substituted := diagonal
			if a[i] != b[j] {
				substituted++
			}
			diagonal = row[j+1]
			row[j+1] = min(substituted, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
