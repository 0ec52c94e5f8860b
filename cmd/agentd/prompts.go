package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"agentd/internal/download"
	"agentd/internal/printable"
	"agentd/internal/usage"
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
			return pullPrompts(c.Context(), c.OutOrStdout(), release, dir)
		},
	}
	c.Flags().StringVar(&release.URL, "url", release.URL, "address that the path of each file is added to")
	c.Flags().StringVar(&dir, "to", "", "folder to write (default one in the user's cache)")
	return c
}

// pullPrompts downloads a release into a folder, or into the user's cache if that is
// empty.
func pullPrompts(ctx context.Context, w io.Writer, release published.Release, dir string) error {
	if err := download.CheckURL(release.URL); err != nil {
		return usage.Errorf("--url %w", err)
	}
	use := "--prompts published"
	if dir != "" {
		use += ":" + dir
	} else {
		var err error
		if dir, err = release.CacheDir(); err != nil {
			return usage.Errorf("%w; name a folder with --to", err)
		}
	}
	err := release.Pull(ctx, dir, func(f published.File, before bool) {
		how := "downloaded"
		if before {
			how = "there already"
		}
		printable.Fprintf(w, "%-31s %6d bytes, %s\n", f.Path, f.Bytes, how)
	})
	if errors.Is(err, download.ErrInTheWay) {
		return usage.Wrap(err)
	}
	if err != nil {
		return err
	}
	_, err = printable.Fprintf(w, "%s at %.7s, under its %s licence, is in %s\nMeasure with it: agentd run %s\n",
		published.Repository, release.Commit, published.Licence, dir, use)
	return err
}
