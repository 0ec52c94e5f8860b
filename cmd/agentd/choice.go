package main

import (
	"slices"

	"github.com/spf13/pflag"

	"agentd/internal/usage"
)

// choice is a flag whose value is one of several names.
type choice struct {
	value *string
	what  string // what messages call a name
	names []string
	old   map[string]string // former names that are still accepted, with the present ones
	given string            // the former name that was given; empty for none
}

// oneOf adds a flag that takes one of several names. Its default is what value holds.
func oneOf(flags *pflag.FlagSet, value *string, flag, what string, names []string, help string) *choice {
	c := &choice{value: value, what: what, names: names}
	flags.Var(c, flag, help)
	return c
}

func (c *choice) String() string { return *c.value }
func (c *choice) Type() string   { return "string" }

// Names lists what can be chosen, for a shell's completion.
func (c *choice) Names() []string { return c.names }

func (c *choice) Set(name string) error {
	if present, ok := c.old[name]; ok {
		name, c.given = present, name
	}
	if !slices.Contains(c.names, name) {
		return usage.Unknown(c.what, name, c.names)
	}
	*c.value = name
	return nil
}
