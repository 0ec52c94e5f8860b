package process

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/rs/zerolog"
	"go.opentelemetry.io/otel"

	"agentd/harness"
	"agentd/harness/experiment"
	"agentd/harness/fleet"
	"agentd/internal/usage"
	"agentd/report/export"
	"agentd/results"
)

// headerTimeout bounds how long a client of the metrics may take to send a request's
// header.
const headerTimeout = 10 * time.Second

// telemetry serves metrics and sends spans, as far as the options ask for them.
type telemetry struct {
	metrics *fleet.Metrics // nil without metrics
	server  *http.Server   // likewise
	spans   *export.Spans  // nil without spans
	log     *zerolog.Logger
}

// startTelemetry begins to serve metrics and to send spans. An address that cannot be
// used is a usage.Error.
func startTelemetry(ctx context.Context, o *Options, store *results.Store) (*telemetry, error) {
	t := &telemetry{log: o.Log}
	if o.OTLP != "" {
		spans, err := export.NewSpans(ctx, o.OTLP, experiment.Version)
		if err != nil {
			return nil, usage.Errorf("--otlp: %w", err)
		}
		otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { o.Log.Warn().Err(err).Msg("sending spans") }))
		t.spans = spans
	}
	if o.Metrics == "" {
		return t, nil
	}
	if err := t.serve(o.Metrics, store); err != nil {
		return nil, errors.Join(err, t.stop())
	}
	return t, nil
}

func (t *telemetry) serve(address string, store *results.Store) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return usage.Errorf("--metrics: %w", err)
	}
	t.metrics = fleet.NewMetrics(store)
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", t.metrics.Handler())
	t.server = &http.Server{Handler: mux, ReadHeaderTimeout: headerTimeout}
	go func() { _ = t.server.Serve(listener) }() // it ends with stop
	t.log.Info().Str("url", fmt.Sprintf("http://%s/metrics", listener.Addr())).Msg("serving metrics")
	return nil
}

// stop sends the spans that are left and ends the server. Spans that cannot be sent are
// logged: the interactions themselves are stored.
func (t *telemetry) stop() error {
	if t.spans != nil {
		if err := t.spans.Close(); err != nil {
			t.log.Warn().Err(err).Msg("sending spans")
		}
	}
	if t.server == nil {
		return nil
	}
	if err := t.server.Shutdown(context.Background()); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// stored counts an interaction and sends its spans.
func (t *telemetry) stored(relay results.Relay, in *results.Interaction) {
	if t.spans != nil {
		t.spans.Stored(relay, in)
	}
	if t.metrics != nil {
		t.metrics.Stored(relay, in)
	}
}

// watch counts the scripts of an experiment.
func (t *telemetry) watch(x *harness.Experiment) {
	if t.metrics != nil && x.Sandbox != nil {
		x.Sandbox = t.metrics.Watch(x.Sandbox)
	}
}
