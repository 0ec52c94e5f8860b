package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"agentd/domains"
	domaincatalog "agentd/domains/catalog"
	"agentd/harness/pairs"
	"agentd/internal/layout"
	"agentd/internal/printable"
	"agentd/models"
	"agentd/models/sim"
	policycatalog "agentd/policies/catalog"
)

func domainsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "domains [FILE…]", Short: "The domains: their formats, elements and components; which one reads a document",
		Long: "List the domains. With files or folders that together are one document, say which domains read\n" +
			"it, the most likely first, and what each finds in it.",
		Example: "  agentd domains\n  agentd domains budget.csv\n  agentd domains feed/",
		RunE: func(c *cobra.Command, files []string) error {
			if len(files) > 0 {
				document, err := pairs.OneDocument(files)
				if err != nil {
					return err
				}
				return domaincatalog.Describe(c.OutOrStdout(), document)
			}
			var list layout.List
			for _, d := range domaincatalog.All() {
				info := d.Info()
				list.Add(info.Name, fmt.Sprintf("%s\n%s; files %s; counts each %s; %s; %d edits with oracles", info.Title,
					info.Category, strings.Join(info.Patterns, ", "), info.Element, scoredBy(d), len(d.Edits())))
			}
			return list.Write(c.OutOrStdout())
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
			var list layout.List
			for _, e := range policycatalog.All() {
				about := e.Summary
				if options := e.OptionNames(); len(options) > 0 {
					about += "\noptions: " + strings.Join(options, ", ")
				}
				list.Add(e.Name, about)
			}
			return list.Write(c.OutOrStdout())
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
			screen := layout.ScreenOf(c.OutOrStdout())
			var list layout.List
			for _, name := range prices.Names() {
				p := prices.Models[name]
				profile, _ := profiles.Find(name)
				note := profile.How()
				if p.Fictitious {
					profile, _ := sim.ProfileNamed(strings.TrimPrefix(name, sim.Prefix))
					note = "stand-in, price made up: " + profile.Summary
				}
				if p.Source != "" {
					note += fmt.Sprintf("; price of %s from %s", p.Date, p.Source)
				}
				list.Add(name, fmt.Sprintf("%.3f in, %.3f cached, %.3f out; %s", p.Input, p.CachedInput(), p.Output, note))
			}
			printable.Fprintf(c.OutOrStdout(), "%s", printable.Block(screen.Paragraph(fmt.Sprintf("List prices of %s, USD for a million tokens; what models take, as known on %s.",
				prices.Date, profiles.Date), 0)))
			if err := list.Write(c.OutOrStdout()); err != nil {
				return err
			}
			_, err = printable.Fprintf(c.OutOrStdout(), "%s", printable.Block(screen.Paragraph("Any other model runs too, with the defaults of its server's dialect: "+
				"name it with --base-url, or in an experiment file with its base_url, and with a price if its cost is to be known. "+
				"replay:FILE are the models of a recording (agentd run --record FILE).", 0)))
			return err
		},
	}
	c.AddCommand(pricesCommand())
	return c
}
