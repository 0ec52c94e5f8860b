package cgroup

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"agentd/sandbox"
)

// Keeper keeps the groups of sandboxes that have ended for those to come: to make and
// remove one takes longer than a short script. Its zero value is ready for use, and
// its methods may be called concurrently.
type Keeper struct {
	mu     sync.Mutex
	kept   []*Group // all of one kind
	closed bool
}

// kind is what groups have to have in common to stand for each other.
type kind struct {
	parent    Parent
	limits    sandbox.Limits
	processes int
}

// mostKept is how many groups are kept at most.
const mostKept = 128

// Take is Make, or returns a group like one just made.
func (k *Keeper) Take(parent Parent, limits sandbox.Limits, processes int) (*Group, error) {
	wanted := kind{parent, limits, processes}
	k.mu.Lock()
	if last := len(k.kept) - 1; last >= 0 && k.kept[last].kind == wanted {
		g := k.kept[last]
		k.kept = k.kept[:last]
		k.mu.Unlock()
		return g, nil
	}
	k.mu.Unlock()
	return Make(parent, limits, processes)
}

// Give takes back a group in which nothing is to run any more. It is removed unless it
// is as good as new.
func (k *Keeper) Give(g *Group) error {
	if g == nil {
		return nil
	}
	asNew := g.asNew()
	k.mu.Lock()
	keep := asNew && !k.closed && len(k.kept) < mostKept && (len(k.kept) == 0 || k.kept[0].kind == g.kind)
	if keep {
		k.kept = append(k.kept, g)
	}
	k.mu.Unlock()
	if keep {
		return nil
	}
	return g.Remove()
}

// asNew reports whether a group is empty and its limits were never met.
func (g *Group) asNew() bool {
	_, pids := g.group.files()
	living, err := os.ReadFile(filepath.Join(filepath.Dir(pids), "pids.current"))
	if err != nil || strings.TrimSpace(string(living)) != "0" {
		return false
	}
	hits, err := g.Hits()
	return err == nil && hits == (Hits{})
}

// Close removes the groups that are kept, and from now on those that are given back.
func (k *Keeper) Close() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.closed = true
	var failed []error
	for _, g := range k.kept {
		failed = append(failed, g.Remove())
	}
	k.kept = nil
	return errors.Join(failed...)
}
