package main

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"agentd/documents/compare"
	domaincatalog "agentd/domains/catalog"
	"agentd/harness/experiment"
	"agentd/internal/layout"
	policycatalog "agentd/policies/catalog"
	"agentd/vfs"
)

func domainsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "domains [FILE…]", Short: "The domains: their formats, elements and components; which one reads a document",
		Long: "List the domains. With a file, or a folder that is one document, say which domains read it, the most likely\n" +
			"first, why, and what each finds in it. With several, say it of each in short.",
		Example: "  agentd domains\n  agentd domains budget.csv\n  agentd domains feed/\n  agentd domains *",
		RunE: func(c *cobra.Command, paths []string) error {
			if len(paths) == 0 {
				return domaincatalog.WriteList(c.OutOrStdout())
			}
			var found []domaincatalog.Document
			for _, path := range paths {
				files, err := compare.Documents(path)
				if err != nil {
					return err
				}
				for _, document := range domaincatalog.Documents(files) {
					found = append(found, named(document, path, files))
				}
			}
			if len(found) == 1 {
				return domaincatalog.Describe(c.OutOrStdout(), found[0].Files)
			}
			return domaincatalog.DescribeEach(c.OutOrStdout(), found)
		},
	}
}

// named gives a document of the files at a path the name that a user knows it by.
func named(document domaincatalog.Document, at string, files vfs.Files) domaincatalog.Document {
	if document.Name = filepath.Join(at, document.Name); len(files) == 1 || len(document.Files) > 1 && len(document.Files) == len(files) {
		document.Name = at
	}
	return document
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
