package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"agentd/environments/pull"
	"agentd/internal/download"
	"agentd/internal/printable"
	"agentd/internal/usage"
)

func pullCommand() *cobra.Command {
	d := pull.Released()
	c := &cobra.Command{
		Use:   "pull",
		Short: "Download the released data set",
		Long: "Download the data set file of the paper, once: 19 MB, 234 environments of 48 domains. A download\n" +
			"that was cut off is resumed by the same command; a file with another hash is refused.",
		Example: "  agentd env pull\n  agentd env list --data " + pull.Name,
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if c.Flags().Changed("sha256") {
				d.Bytes = 0 // it is another file
			}
			return pullFile(c.Context(), c.OutOrStdout(), d)
		},
	}
	c.Flags().StringVar(&d.To, "to", d.To, "file to write")
	c.Flags().StringVar(&d.URL, "url", d.URL, "address to download from")
	c.Flags().StringVar(&d.SHA256, "sha256", d.SHA256, "hash that the file must have")
	c.Flags().DurationVar(&d.Silence, "timeout", d.Silence, "how long the server may send nothing")
	c.Flags().DurationVar(&d.Total, "total-timeout", d.Total, "how long the download may take; what came is kept")
	return c
}

func pullFile(ctx context.Context, w io.Writer, d download.Download) error {
	if err := download.CheckSHA256(d.SHA256); err != nil {
		return usage.Errorf("--sha256 %w", err)
	}
	if err := download.CheckURL(d.URL); err != nil {
		return usage.Errorf("--url %w", err)
	}
	if d.Silence <= 0 {
		return usage.Errorf("--timeout %v: use a time above zero", d.Silence)
	}
	if d.Total <= 0 {
		return usage.Errorf("--total-timeout %v: use a time above zero", d.Total)
	}
	bar := download.NewBar(os.Stderr)
	d.Progress = bar.Show
	pulled, err := pull.Run(ctx, d)
	bar.End()
	switch {
	case errors.Is(err, download.ErrInTheWay):
		return usage.Wrap(err)
	case errors.Is(err, download.ErrWrongFile):
		return fmt.Errorf("%w; if it shall serve another file, give that file's hash with --sha256", err)
	case err != nil:
		return err
	}
	how := "downloaded"
	if pulled.There {
		how = "there already"
	}
	_, err = printable.Fprintf(w, "%s (%s): %s of %s with %s\n", d.To, how,
		printable.Count(pulled.Environments, "environment"), printable.Count(pulled.Domains, "domain"), printable.Count(pulled.Edits, "edit"))
	return err
}
