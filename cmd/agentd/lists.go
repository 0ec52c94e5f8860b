package main

import (
	"strings"

	"github.com/spf13/cobra"

	"agentd/domains"
	domaincatalog "agentd/domains/catalog"
	"agentd/internal/printable"
	"agentd/models"
	"agentd/models/sim"
	policycatalog "agentd/policies/catalog"
)

func domainsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "domains", Short: "The domains: their formats, elements and components",
		Example: "  agentd domains", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			for _, d := range domaincatalog.All() {
				info := d.Info()
				printable.Fprintf(c.OutOrStdout(), "%-12s %s\n             %s; files %s; counts each %s; %s; %d edits with oracles\n",
					info.Name, info.Title, info.Category, strings.Join(info.Patterns, ", "), info.Element,
					scoredBy(d), len(d.Edits()))
			}
			return nil
		},
	}
}

// scoredBy says what Value is made of.
func scoredBy(d domains.Domain) string {
	if _, runs := d.(domains.Executing); runs {
		return "scored by the environment's tests, run in the sandbox"
	}
	if _, judged := d.(domains.Judged); judged {
		return "scored by a judge, a model (--judge NAME): " + strings.Join(d.Info().Components, ", ")
	}
	return "score of " + strings.Join(d.Info().Components, ", ")
}

func policiesCommand() *cobra.Command {
	return &cobra.Command{
		Use: "policies", Short: "The policies that an experiment can name",
		Example: "  agentd policies", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			for _, e := range policycatalog.All() {
				printable.Fprintf(c.OutOrStdout(), "%-12s %s\n", e.Name, e.Summary)
				if len(e.Options) > 0 {
					printable.Fprintf(c.OutOrStdout(), "             options: %s\n", strings.Join(e.Options, ", "))
				}
			}
			return nil
		},
	}
}

func modelsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "models", Short: "The models that an experiment can name, with list prices",
		Example: "  agentd models", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			prices, err := models.ListPrices()
			if err != nil {
				return err
			}
			w := c.OutOrStdout()
			printable.Fprintf(w, "List prices of %s, USD for a million tokens: input, cached input, output\n", prices.Date)
			for _, name := range prices.Names() {
				p := prices.Models[name]
				note := ""
				if p.Fictitious {
					profile, _ := sim.ProfileNamed(strings.TrimPrefix(name, sim.Prefix))
					note = "  stand-in, price made up: " + profile.Summary
				}
				printable.Fprintf(w, "%-30s %8.3f %8.3f %8.3f%s\n", name, p.Input, p.CachedInput(), p.Output, note)
			}
			printable.Fprintf(w, "Any other model of an OpenAI-compatible server: name it with its base_url in an experiment file,\n"+
				"with a price if its cost is to be known. replay:FILE are the models of a recording (agentd run --record FILE).\n")
			return nil
		},
	}
}
