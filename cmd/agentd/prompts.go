package main

import (
	"github.com/spf13/cobra"

	"agentd/policies/prompt/published"
)

func promptsCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "prompts",
		Short: "The published prompts",
		Long: "The prompts of the paper's own program belong to its authors and are no part of agentd, whose\n" +
			"own prompts say the same points in other words. Fetch them once to measure with the very words\n" +
			"of the paper (docs/fidelity.md).",
		Example: "  agentd prompts pull\n  agentd run --model gpt-5.4 --prompts published",
	}
	c.AddCommand(pullPromptsCommand())
	return c
}

func pullPromptsCommand() *cobra.Command {
	release := published.Pinned()
	dir := ""
	c := &cobra.Command{
		Use:   "pull",
		Short: "Download the published prompts",
		Long: "Download the files that hold the published prompts, once, into the user's cache. A download\n" +
			"that was cut off is resumed by the same command; a file with another hash is refused.",
		Example: "  agentd prompts pull\n" +
			"  agentd run --model gpt-5.4 --prompts published\n" +
			"  agentd prompts pull --url http://mirror.example/delegate52 --to words\n" +
			"  agentd run --model gpt-5.4 --prompts published:words",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return release.Fetch(c.Context(), c.OutOrStdout(), dir)
		},
	}
	c.Flags().StringVar(&release.URL, "url", release.URL, "address that the path of each file is added to")
	c.Flags().StringVar(&dir, "to", "", "folder to write (default one in the user's cache)")
	return c
}
