package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"agentd/environments"
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
	const hexDigits = 64
	if len(d.SHA256) != hexDigits || strings.Trim(strings.ToLower(d.SHA256), "0123456789abcdef") != "" {
		return usage.Errorf("--sha256 %q: use the %d hexadecimal digits that sha256sum prints", d.SHA256, hexDigits)
	}
	if address, err := url.Parse(d.URL); err != nil || address.Scheme != "http" && address.Scheme != "https" {
		return usage.Errorf("--url %q: use an http or https address", d.URL)
	}
	if d.Silence <= 0 {
		return usage.Errorf("--timeout %v: use a time above zero", d.Silence)
	}
	if d.Total <= 0 {
		return usage.Errorf("--total-timeout %v: use a time above zero", d.Total)
	}
	bar := downloadBar{out: os.Stderr, terminal: term.IsTerminal(int(os.Stderr.Fd()))}
	d.Progress = bar.show
	there, err := d.Run(ctx)
	bar.end()
	if errors.Is(err, download.ErrInTheWay) {
		return usage.Wrap(err)
	}
	if errors.Is(err, download.ErrWrongFile) {
		return fmt.Errorf("%w; if it shall serve another file, give that file's hash with --sha256", err)
	}
	if err != nil {
		return err
	}
	envs, err := environments.Load(d.To)
	if err != nil {
		return err
	}
	domains := map[string]bool{}
	edits := 0
	for _, env := range envs {
		domains[env.Domain] = true
		edits += len(env.Edits)
	}
	how := "downloaded"
	if there {
		how = "there already"
	}
	_, err = printable.Fprintf(w, "%s (%s): %d environments of %d domains with %d edits\n", d.To, how, len(envs), len(domains), edits)
	return err
}

// downloadBar shows how far a download is: a line drawn over on a terminal, a
// line now and then elsewhere.
type downloadBar struct {
	out      io.Writer
	terminal bool
	shown    time.Time
	open     bool // a line to be drawn over
}

func (b *downloadBar) show(have, total int64) {
	every := reportEvery
	if b.terminal {
		every = redrawEvery
	}
	if have != total && time.Since(b.shown) < every {
		return
	}
	b.shown = time.Now()
	line := downloadLine(have, total)
	if b.terminal {
		printable.Fprintf(b.out, "\r\x1b[2K%s", line)
		b.open = true
		return
	}
	printable.Fprintf(b.out, "%s\n", line)
}

func (b *downloadBar) end() {
	if b.open {
		printable.Fprintf(b.out, "\n")
	}
}

func downloadLine(have, total int64) string {
	const megabyte, width = 1e6, 30
	if total <= 0 {
		return fmt.Sprintf("%.1f MB", float64(have)/megabyte)
	}
	share := min(1, float64(have)/float64(total))
	full := int(share * width)
	return fmt.Sprintf("[%s%s] %3.0f %%, %.1f of %.1f MB", strings.Repeat("=", full), strings.Repeat(" ", width-full),
		100*share, float64(have)/megabyte, float64(total)/megabyte)
}
