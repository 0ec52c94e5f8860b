package fleet

import (
	"context"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"agentd/results"
	"agentd/sandbox"
	"agentd/vfs"
)

// Metrics counts the work of this process, for Prometheus.
type Metrics struct {
	registry     *prometheus.Registry
	interactions *prometheus.CounterVec
	tokens       *prometheus.CounterVec
	cost         *prometheus.CounterVec
	retries      *prometheus.CounterVec
	scripts      *prometheus.HistogramVec
}

// NewMetrics returns metrics of a process that works on the store.
func NewMetrics(store *results.Store) *Metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "agentd", Name: name, Help: help}, labels)
	}
	m := &Metrics{
		registry:     prometheus.NewRegistry(),
		interactions: counter("interactions_total", "Interactions stored, by why they failed; empty if they did not.", "model", "policy", "failure"),
		tokens:       counter("tokens_total", "Tokens: prompt, cached and cache_write (parts of prompt), completion, reasoning (part of completion).", "model", "kind"),
		cost:         counter("cost_usd_total", "Cost of interactions whose price is known.", "model"),
		retries:      counter("retries_total", "Requests to models that had to be made again.", "model"),
		scripts: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: "agentd", Name: "script_seconds", Help: "Duration of scripts, sandbox included.",
			Buckets: prometheus.ExponentialBuckets(0.002, 2, 15), // 2 ms to 33 s
		}, []string{"backend"}),
	}
	m.registry.MustRegister(m.interactions, m.tokens, m.cost, m.retries, m.scripts, queueDepth{store})
	return m
}

// Stored counts an interaction.
func (m *Metrics) Stored(relay results.Relay, in *results.Interaction) {
	m.interactions.WithLabelValues(relay.Model, relay.Policy, in.Failure).Inc()
	for kind, n := range map[string]int{
		"prompt": in.Prompt, "cached": in.Cached, "cache_write": in.CacheWrite, "completion": in.Completion, "reasoning": in.Reasoning,
	} {
		m.tokens.WithLabelValues(relay.Model, kind).Add(float64(n))
	}
	if in.Cost != nil {
		m.cost.WithLabelValues(relay.Model).Add(*in.Cost)
	}
	for _, turn := range in.Turns {
		m.retries.WithLabelValues(relay.Model).Add(float64(turn.Retries))
	}
}

// Handler serves the metrics.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// Watch wraps a back end so that its scripts are counted.
func (m *Metrics) Watch(backend sandbox.Backend) sandbox.Backend {
	return watchedBackend{backend, m.scripts.WithLabelValues(backend.Name())}
}

type watchedBackend struct {
	sandbox.Backend
	scripts prometheus.Observer
}

func (b watchedBackend) NewRunner(limits sandbox.Limits) (sandbox.Runner, error) {
	runner, err := b.Backend.NewRunner(limits)
	if err != nil {
		return nil, err
	}
	return watchedRunner{runner, b.scripts}, nil
}

type watchedRunner struct {
	sandbox.Runner
	scripts prometheus.Observer
}

func (r watchedRunner) RunPython(ctx context.Context, ws *vfs.Workspace, script sandbox.Script) (sandbox.Result, error) {
	start := time.Now()
	result, err := r.Runner.RunPython(ctx, ws, script)
	if err == nil {
		r.scripts.Observe(time.Since(start).Seconds())
	}
	return result, err
}

// queueDepth counts the jobs of the queue at each scrape.
type queueDepth struct{ store *results.Store }

var jobsDesc = prometheus.NewDesc("agentd_queue_relays", "Relays in the queue of all processes, by state.", []string{"state"}, nil)

// scrapeTimeout bounds the reading of the queue.
const scrapeTimeout = 5 * time.Second

func (queueDepth) Describe(into chan<- *prometheus.Desc) { into <- jobsDesc }

func (q queueDepth) Collect(into chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTimeout)
	defer cancel()
	depth, err := q.depth(ctx)
	if err != nil {
		into <- prometheus.NewInvalidMetric(jobsDesc, err)
		return
	}
	for state, n := range depth {
		into <- prometheus.MustNewConstMetric(jobsDesc, prometheus.GaugeValue, float64(n), state)
	}
}

func (q queueDepth) depth(ctx context.Context) (map[string]int, error) {
	rows, err := q.store.Query(ctx, "SELECT state, count(*) FROM river_job WHERE kind = $1 GROUP BY state", relayJob{}.Kind())
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	depth := map[string]int{"available": 0, "running": 0}
	for rows.Next() {
		var state string
		var n int
		if err := rows.Scan(&state, &n); err != nil {
			return nil, err
		}
		depth[state] = n
	}
	return depth, rows.Err()
}
