package main

import (
	"strings"

	"github.com/spf13/cobra"

	"agentd/documents/compare"
	domaincatalog "agentd/domains/catalog"
	"agentd/harness/experiment"
	"agentd/internal/layout"
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
				document, err := compare.OneDocument(files)
				if err != nil {
					return err
				}
				return domaincatalog.Describe(c.OutOrStdout(), document)
			}
			return domaincatalog.WriteList(c.OutOrStdout())
		},
	}
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
			return experiment.WriteModels(c.OutOrStdout())
		},
	}
	c.AddCommand(pricesCommand())
	return c
}
