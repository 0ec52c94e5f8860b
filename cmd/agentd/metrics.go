package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"agentd/fleet"
	"agentd/harness"
	"agentd/results"
)

// metering counts what this process does, if somebody wants to know.
type metering struct {
	metrics *fleet.Metrics // nil if nobody does
	server  *http.Server
}

// startMetering serves metrics on the address, if it is not empty.
func (a *app) startMetering(address string, store *results.Store) (*metering, error) {
	if address == "" {
		return &metering{}, nil
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, usagef("--metrics: %w", err)
	}
	m := &metering{metrics: fleet.NewMetrics(store)}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", m.metrics.Handler())
	m.server = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = m.server.Serve(listener) }() // it ends with stop
	a.log.Info().Str("url", fmt.Sprintf("http://%s/metrics", listener.Addr())).Msg("serving metrics")
	return m, nil
}

func (m *metering) stop() error {
	if m.server == nil {
		return nil
	}
	if err := m.server.Shutdown(context.Background()); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// stored counts an interaction.
func (m *metering) stored(relay results.Relay, in *results.Interaction) {
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
