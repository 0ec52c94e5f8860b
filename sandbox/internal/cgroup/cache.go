//go:build linux

package cgroup

import (
	"errors"
	"slices"
	"sync"

	"agentd/sandbox"
)

// Cache keeps the groups of sandboxes that have ended and hands them out again, because making and
// removing a group takes longer than a short script. The zero value is ready for use. The methods
// may be called concurrently.
type Cache struct {
	mu     sync.Mutex
	kept   []*Group // all of one kind
	closed bool
}

// kind is what a group is made of. Groups of one kind can replace each other.
type kind struct {
	parent    *Parent
	limits    sandbox.Limits
	processes int
}

// mostKept is how many groups are kept at most.
const mostKept = 128

// Get is Make, but may return a kept group that is like a new one.
func (c *Cache) Get(parent *Parent, limits sandbox.Limits, processes int) (*Group, error) {
	wanted := kind{parent, limits, processes}
	c.mu.Lock()
	if last := len(c.kept) - 1; last >= 0 && c.kept[last].kind == wanted {
		g := c.kept[last]
		c.kept = c.kept[:last]
		c.mu.Unlock()
		return g, nil
	}
	c.mu.Unlock()
	return Make(parent, limits, processes)
}

// Put takes back a group in which nothing runs any more. It removes a group whose limits were ever
// met.
func (c *Cache) Put(g *Group) error {
	if g == nil {
		return nil
	}
	asNew := g.asNew()
	c.mu.Lock()
	keep := asNew && !c.closed && len(c.kept) < mostKept && (len(c.kept) == 0 || c.kept[0].kind == g.kind)
	if keep {
		c.kept = append(c.kept, g)
	}
	c.mu.Unlock()
	if keep {
		return nil
	}
	return g.Remove()
}

// asNew reports whether a group is empty and its limits were never met.
func (g *Group) asNew() bool {
	processes, err := words(g.file(g.parent.pids, "pids.current"))
	if err != nil || !slices.Equal(processes, []string{"0"}) {
		return false
	}
	hits, err := g.Hits()
	return err == nil && hits == (Hits{})
}

// Close removes the groups that are kept, and all groups that are put back later.
func (c *Cache) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	var failed []error
	for _, g := range c.kept {
		failed = append(failed, g.Remove())
	}
	c.kept = nil
	return errors.Join(failed...)
}
