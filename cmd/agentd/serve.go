package main

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"

	"github.com/spf13/cobra"

	domaincatalog "agentd/domains/catalog"
	"agentd/harness/runner"
	"agentd/internal/printable"
	"agentd/internal/sameorigin"
	"agentd/internal/usage"
	"agentd/report/viewer"
	"agentd/results"
)

func (a *app) serveCommand() *cobra.Command {
	var db, address string
	c := &cobra.Command{
		Use:   "serve",
		Short: "The results in a browser",
		Long: "Show experiments, reports, relays and interactions in a browser, also while another process\n" +
			"runs them. Nothing can be changed by it. It serves this machine alone unless --listen says otherwise.",
		Example: "  agentd serve\n  agentd serve --db postgres://agentd@db/agentd --listen 127.0.0.1:8400",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return results.Using(runner.OpenReading, db, func(store *results.Store) error {
				return a.serve(c.Context(), c.OutOrStdout(), store, address)
			})
		},
	}
	registerDB(c.Flags(), &db)
	c.Flags().StringVar(&address, "listen", "127.0.0.1:8400", "address to listen on")
	return c
}

func (a *app) serve(ctx context.Context, out io.Writer, store *results.Store, address string) error {
	listener, hosts, err := a.listen(address, "other machines can read all results; there is no password")
	if err != nil {
		return err
	}
	pages, err := viewer.New(store, viewer.Options{Lookup: domaincatalog.Lookup, Hosts: hosts, Failed: func(r *http.Request, err error) {
		a.log.Error().Err(err).Str("path", r.URL.Path).Msg("showing a page")
	}})
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer pages.Close()
	if _, err := printable.Fprintf(out, "http://%s/\n", listener.Addr()); err != nil {
		return errors.Join(err, listener.Close())
	}
	return pages.Serve(ctx, listener)
}

// listen listens on the address of --listen. hosts are the Host headers of requests that
// were meant for this server; nil if other machines reach it, which warning is logged for.
func (a *app) listen(address, warning string) (listener net.Listener, hosts []string, err error) {
	if listener, err = net.Listen("tcp", address); err != nil {
		return nil, nil, usage.Errorf("--listen: %w", err)
	}
	if hosts = sameorigin.LoopbackHosts(listener.Addr()); hosts == nil {
		a.log.Warn().Stringer("address", listener.Addr()).Msg(warning)
	}
	return listener, hosts, nil
}
