// Package completion says what a shell offers for the values of flags and arguments: models,
// policies, domains, environments, sections of the report, experiments of the store, presets of
// agents. The scripts of agentd completion ask for it by agentd __complete.
//
// What is offered comes from files that others may have made. A name with a character that a
// shell could take for more than a name is left out.
package completion

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	domaincatalog "agentd/domains/catalog"
	"agentd/harness"
	"agentd/harness/experiment"
	"agentd/internal/lazyregexp"
	"agentd/models"
	"agentd/policies"
	policycatalog "agentd/policies/catalog"
	"agentd/policies/exec/agents"
	"agentd/report"
	"agentd/results"
)

// value is something to offer.
type value struct{ name, about string }

// source finds what can be offered. What it cannot find, it leaves out: a shell has no place for
// errors.
type source func(c *cobra.Command, args []string) []value

// Enumerated is a flag's value that is one of several names.
type Enumerated interface{ Names() []string }

// Register has the values of flags and arguments completed, of a command and of all below it.
// A command's flags must be there already.
func Register(c *cobra.Command) {
	for _, set := range []*pflag.FlagSet{c.Flags(), c.PersistentFlags()} {
		set.VisitAll(func(f *pflag.Flag) { registerFlag(c, f) })
	}
	registerArguments(c)
	for _, child := range c.Commands() {
		Register(child)
	}
}

func registerFlag(c *cobra.Command, f *pflag.Flag) {
	from := sourceOf(c, f)
	if from == nil {
		return
	}
	_, many := f.Value.(pflag.SliceValue)
	complete := func(c *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		before := ""
		if many { // complete the last name of a list, or the policy that another one is over
			before = typed[:strings.LastIndexAny(typed, ",(")+1]
		}
		return offered(from(c, args), before, typed), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
	if err := c.RegisterFlagCompletionFunc(f.Name, complete); err != nil {
		panic(err) // the flag exists, and is registered once
	}
}

// sourceOf finds what a flag takes; nil for a file, a number and any other text.
func sourceOf(c *cobra.Command, f *pflag.Flag) source {
	if one, ok := f.Value.(Enumerated); ok {
		return fixed(one.Names()...)
	}
	switch f.Name {
	case "model", "judge":
		return listedModels
	case "policy":
		return allPolicies
	case "domain":
		return allDomains
	case "env", "except":
		return allEnvironments
	case "section":
		return fixed(report.SectionNames...)
	case "schedule":
		return fixed(texts(harness.Kinds())...)
	case "protocol":
		return fixed(texts(policies.Protocols())...)
	case "on-fault":
		return fixed(texts(harness.FaultRules())...)
	case "api":
		return fixed(texts(models.APIs())...)
	case "name", "against", "pause", "resume", "cancel", "watch":
		if c.Flags().Lookup("db") != nil {
			return experiments
		}
	}
	return nil
}

// registerArguments has the arguments completed of commands that take names.
func registerArguments(c *cobra.Command) {
	var from source
	most := 0 // how many arguments the source gives; 0 for any number
	switch c.CommandPath() {
	case "agentd pause", "agentd resume", "agentd cancel", "agentd watch":
		from, most = experiments, 1
	case "agentd env show":
		from, most = allEnvironments, 1
	case "agentd env validate", "agentd env test", "agentd env properties", "agentd env interference", "agentd env resize", "agentd env export":
		from = allEnvironments
	case "agentd agents install":
		from = presets
	case "agentd agents show":
		from, most = presets, 1
	case "agentd run":
		c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return []cobra.Completion{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
		}
	}
	if from == nil {
		return
	}
	c.ValidArgsFunction = func(c *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if most > 0 && len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		left := slices.DeleteFunc(from(c, args), func(v value) bool { return slices.Contains(args, v.name) })
		return offered(left, "", typed), cobra.ShellCompDirectiveNoFileComp
	}
}

// harmless are names that every shell takes for one word or quotes without loss.
var harmless = lazyregexp.New(`^[\pL\pN_.:/,()@+=%~ -]+$`)

// offered are the values that begin with what was typed. before is the part of it that stays.
func offered(all []value, before, typed string) []cobra.Completion {
	var some []cobra.Completion
	for _, v := range all {
		if name := before + v.name; strings.HasPrefix(name, typed) && harmless.MatchString(name) {
			about, _, _ := strings.Cut(v.about, "\n")
			some = append(some, cobra.CompletionWithDesc(name, strings.ReplaceAll(about, "\t", " ")))
		}
	}
	return some
}

// fixed offers the same names always.
func fixed(names ...string) source {
	all := make([]value, len(names))
	for i, name := range names {
		all[i].name = name
	}
	return func(*cobra.Command, []string) []value { return all }
}

func texts[T ~string](names []T) []string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = string(name)
	}
	return all
}

// listedModels are the stand-ins and the models that have a list price.
func listedModels(*cobra.Command, []string) []value {
	prices, err := models.ListPrices()
	if err != nil {
		return nil
	}
	var all []value
	for _, name := range prices.Names() {
		p := prices.Models[name]
		about := fmt.Sprintf("%g in, %g out, USD for a million tokens", p.Input, p.Output)
		if p.Fictitious {
			about = "stand-in"
		}
		all = append(all, value{name, about})
	}
	return all
}

// allPolicies are the policies, and agents by their presets.
func allPolicies(c *cobra.Command, args []string) []value {
	var all []value
	for _, e := range policycatalog.All() {
		name := e.Name
		if e.Over {
			name += "("
		}
		if _, takes := e.Options.(*agents.Options); takes {
			for _, p := range presets(c, args) {
				all = append(all, value{name + ":" + p.name, p.about})
			}
			continue
		}
		all = append(all, value{name, e.Summary})
	}
	return all
}

// presets are those of agents.
func presets(*cobra.Command, []string) []value {
	known, err := agents.All()
	if err != nil {
		return nil
	}
	var all []value
	for _, p := range known {
		all = append(all, value{p.Name, p.Summary})
	}
	return all
}

// allDomains are the domains and what people call their formats.
func allDomains(*cobra.Command, []string) []value {
	var all []value
	for _, name := range domaincatalog.Names() {
		about := ""
		if d, err := domaincatalog.Find(name); err == nil {
			about = d.Info().Title
		}
		all = append(all, value{name, about})
	}
	return all
}

// allEnvironments are those of --data, or the built-in ones.
func allEnvironments(c *cobra.Command, _ []string) []value {
	from := experiment.Environments{Data: text(c, "data")}
	envs, err := from.LoadAll()
	if err != nil {
		return nil
	}
	var all []value
	for i := range envs {
		all = append(all, value{envs[i].Name, envs[i].Title})
	}
	return all
}

// experiments are those of the file that --db names, the newest first. Of a database that is
// reached over a network there are none: a shell would wait for it.
func experiments(c *cobra.Command, _ []string) []value {
	db := text(c, "db")
	if results.IsShared(db) {
		return nil
	}
	store, err := results.OpenReading(db)
	if err != nil {
		return nil
	}
	defer store.Close()
	stored, err := store.Experiments(cmp.Or(c.Context(), context.Background()))
	if err != nil {
		return nil
	}
	var all []value
	for _, e := range slices.Backward(stored) {
		all = append(all, value{e.Name, "begun " + e.Created.Format("2006-01-02 15:04")})
	}
	return all
}

// text is the value of a flag; empty if the command does not have it.
func text(c *cobra.Command, flag string) string {
	if f := c.Flag(flag); f != nil {
		return f.Value.String()
	}
	return ""
}
