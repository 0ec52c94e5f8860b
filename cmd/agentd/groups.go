package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"agentd/internal/printable"
)

// helpWidth is how many columns the flags of a command take in its help.
const helpWidth = 80

// flagGroup is a part of a command's help.
type flagGroup struct {
	title string
	flags []string
}

// showInGroups has the help of a command show its flags in groups. Flags of no group are not shown.
func showInGroups(c *cobra.Command, groups []flagGroup) {
	c.SetUsageFunc(func(c *cobra.Command) error {
		var text strings.Builder
		text.WriteString("Usage:\n  " + c.UseLine() + "\n\nExamples:\n" + c.Example + "\n")
		for _, group := range append(groups, flagGroup{"Other", []string{"help", "log-format"}}) {
			some := pflag.NewFlagSet("", pflag.ContinueOnError)
			some.SortFlags = false
			for _, name := range group.flags {
				some.AddFlag(c.Flag(name))
			}
			text.WriteString("\n" + group.title + ":\n" + some.FlagUsagesWrapped(helpWidth))
		}
		_, err := printable.Fprintf(c.OutOrStderr(), "%s", printable.Block(text.String()))
		return err
	})
}
