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
				if options := e.OptionNames(); len(options) > 0 {
					printable.Fprintf(c.OutOrStdout(), "             options: %s\n", strings.Join(options, ", "))
				}
			}
			return nil
		},
	}
}

func modelsCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "models", Short: "The models that an experiment can name: how each will be asked, and its list price",
		Example: "  agentd models\n  agentd models prices --from model_prices_and_context_window.json", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			prices, err := models.ListPrices()
			if err != nil {
				return err
			}
			profiles, err := models.KnownProfiles()
			if err != nil {
				return err
			}
			w := c.OutOrStdout()
			printable.Fprintf(w, "List prices of %s, USD for a million tokens: input, cached input, output; what models take, as known on %s\n", prices.Date, profiles.Date)
			for _, name := range prices.Names() {
				p := prices.Models[name]
				profile, _ := profiles.Find(name)
				note := profile.How()
				if p.Fictitious {
					profile, _ := sim.ProfileNamed(strings.TrimPrefix(name, sim.Prefix))
					note = "stand-in, price made up: " + profile.Summary
				}
				if p.Source != "" {
					note += printable.Sprintf("; price of %s from %s", p.Date, p.Source)
				}
				printable.Fprintf(w, "%-30s %8.3f %8.3f %8.3f  %s\n", name, p.Input, p.CachedInput(), p.Output, note)
			}
			printable.Fprintf(w, "Any other model runs too, with the defaults of its server's dialect: name it with --base-url, or in an experiment\n"+
				"file with its base_url, and with a price if its cost is to be known. replay:FILE are the models of a recording\n"+
				"(agentd run --record FILE).\n")
			return nil
		},
	}
	c.AddCommand(pricesCommand())
	return c
}
