package main

import (
	"errors"
	"net"
	"net/http"

	"github.com/spf13/cobra"

	domaincatalog "agentd/domains/catalog"
	"agentd/internal/printable"
	"agentd/internal/sameorigin"
	"agentd/internal/usage"
	"agentd/results"
	"agentd/viewer"
)

func (a *app) serveCommand() *cobra.Command {
	var db, address string
	c := &cobra.Command{
		Use:   "serve",
		Short: "The results in a browser",
		Long: "Show experiments, reports, relays and interactions in a browser, also while another process\n" +
			"runs them. Nothing can be changed by it. It serves this machine alone unless --addr says otherwise.",
		Example: "  agentd serve\n  agentd serve --db postgres://agentd@db/agentd --addr 127.0.0.1:8400",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			store, err := results.OpenReading(db)
			if err != nil {
				return usage.Wrap(err)
			}
			defer func() { err = errors.Join(err, store.Close()) }()
			listener, err := net.Listen("tcp", address)
			if err != nil {
				return usage.Errorf("--addr: %w", err)
			}
			hosts := sameorigin.LoopbackHosts(listener.Addr())
			if hosts == nil {
				a.log.Warn().Stringer("address", listener.Addr()).Msg("other machines can read all results; there is no password")
			}
			pages, err := viewer.New(store, viewer.Options{Lookup: domaincatalog.Lookup, Hosts: hosts, Failed: func(r *http.Request, err error) {
				a.log.Error().Err(err).Str("path", r.URL.Path).Msg("showing a page")
			}})
			if err != nil {
				return errors.Join(err, listener.Close())
			}
			defer pages.Close()
			if _, err := printable.Fprintf(c.OutOrStdout(), "http://%s/\n", listener.Addr()); err != nil {
				return errors.Join(err, listener.Close())
			}
			return pages.Serve(c.Context(), listener)
		},
	}
	c.Flags().StringVar(&db, "db", defaultDB, "database of the results: a file, or a postgres:// URL")
	c.Flags().StringVar(&address, "addr", "127.0.0.1:8400", "address to listen on")
	return c
}
