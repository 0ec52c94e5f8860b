package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/rs/zerolog"
	"go.opentelemetry.io/otel"

	"agentd/experiment"
	"agentd/export"
	"agentd/fleet"
	"agentd/harness"
	"agentd/internal/usage"
	"agentd/results"
)

// metering tells what this process does, if somebody wants to know.
type metering struct {
	metrics *fleet.Metrics // nil if nobody counts
	server  *http.Server
	spans   *export.Spans // nil if nobody takes them
	log     zerolog.Logger
}

// startMetering begins to serve metrics and to send spans, as far as the
// settings say.
func (a *app) startMetering(ctx context.Context, s *machine, store *results.Store) (*metering, error) {
	m := &metering{log: a.log}
	if s.otlp != "" {
		spans, err := export.NewSpans(ctx, s.otlp, experiment.Version)
		if err != nil {
			return nil, usage.Errorf("--otlp: %w", err)
		}
		otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { a.log.Warn().Err(err).Msg("sending spans") }))
		m.spans = spans
	}
	if s.metrics == "" {
		return m, nil
	}
	if err := a.serveMetrics(m, s.metrics, store); err != nil {
		return nil, errors.Join(err, m.stop())
	}
	return m, nil
}

func (a *app) serveMetrics(m *metering, address string, store *results.Store) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return usage.Errorf("--metrics: %w", err)
	}
	m.metrics = fleet.NewMetrics(store)
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", m.metrics.Handler())
	m.server = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = m.server.Serve(listener) }() // it ends with stop
	a.log.Info().Str("url", fmt.Sprintf("http://%s/metrics", listener.Addr())).Msg("serving metrics")
	return nil
}

func (m *metering) stop() error {
	if m.spans != nil {
		if err := m.spans.Close(); err != nil { // what is stored is stored
			m.log.Warn().Err(err).Msg("sending spans")
		}
	}
	if m.server == nil {
		return nil
	}
	if err := m.server.Shutdown(context.Background()); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// stored tells of an interaction.
func (m *metering) stored(relay results.Relay, in *results.Interaction) {
	if m.spans != nil {
		m.spans.Stored(relay, in)
	}
	if m.metrics != nil {
		m.metrics.Stored(relay, in)
	}
}

// watch counts the scripts of an experiment.
func (m *metering) watch(x *harness.Experiment) {
	if m.metrics != nil && x.Sandbox != nil {
		x.Sandbox = m.metrics.Watch(x.Sandbox)
	}
}
