package export

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"agentd/results"
	"agentd/results/record"
)

const (
	// tracesPath is where collectors take spans.
	tracesPath = "/v1/traces"
	// waitingSpans is how many spans may wait to be sent. Further ones are dropped, so that
	// the work never waits for a collector.
	waitingSpans = 1 << 16
	// lastSpans is how long a process waits at its end until the collector has its last spans.
	lastSpans = 10 * time.Second
)

// Spans sends interactions to an OpenTelemetry collector over OTLP/HTTP: a span
// for each, with children for its turns and tool calls.
type Spans struct {
	provider *sdktrace.TracerProvider
	tracer   trace.Tracer
}

// NewSpans returns a sender to the collector at an address such as
// http://127.0.0.1:4318. Headers and the like come from the environment, as
// OpenTelemetry has them (OTEL_EXPORTER_OTLP_HEADERS).
func NewSpans(ctx context.Context, address, version string) (*Spans, error) {
	to, err := url.Parse(address)
	if err != nil || to.Host == "" {
		return nil, fmt.Errorf("%q is not an address such as http://127.0.0.1:4318", address)
	}
	if to.Path == "" || to.Path == "/" {
		to.Path = tracesPath
	}
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(to.String()))
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", address, err)
	}
	provider := sdktrace.NewTracerProvider(
		sdktrace.WithBatcher(exporter, sdktrace.WithMaxQueueSize(waitingSpans)),
		sdktrace.WithResource(resource.NewSchemaless(
			attribute.String("service.name", "agentd"), attribute.String("service.version", version))))
	return &Spans{provider, provider.Tracer("agentd")}, nil
}

// Close sends what is left.
func (s *Spans) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), lastSpans)
	defer cancel()
	if err := s.provider.Shutdown(ctx); err != nil && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("sending the last spans: %w", err)
	}
	return nil
}

// Stored sends an interaction. Turns and calls have durations but no times of
// their own; they are laid end to end.
func (s *Spans) Stored(relay results.Relay, in *results.Interaction) {
	ctx, root := s.start(context.Background(), "invoke_agent", relay.Policy, in.Started, trace.SpanKindInternal, append(
		tokenAttributes(in.Usage),
		attribute.String("gen_ai.agent.name", relay.Policy),
		attribute.String("gen_ai.request.model", relay.Model),
		attribute.String("gen_ai.conversation.id", fmt.Sprintf("%s/%d/%d", relay.Experiment, relay.ID, in.Number)),
		attribute.String("agentd.environment", relay.Environment),
		attribute.String("agentd.domain", relay.Domain),
		attribute.Int("agentd.repeat", relay.Repeat),
		attribute.Int64("agentd.relay", relay.ID),
		attribute.Int("agentd.interaction", in.Number),
		attribute.String("agentd.edit", in.Edit),
		attribute.String("agentd.direction", string(in.Direction)),
		attribute.String("agentd.ending", in.Ending),
	)...)
	if in.Score != nil {
		root.SetAttributes(attribute.Float64("agentd.rs", in.Score.RS), attribute.Float64("agentd.strict", in.Score.Strict))
		if in.Score.Judge != "" {
			root.SetAttributes(attribute.String("agentd.judge", in.Score.Judge))
		}
	}
	if in.Fallback != nil {
		root.SetAttributes(attribute.Float64("agentd.fallback", in.Fallback.Similarity), attribute.Float64("agentd.strict", in.Fallback.Strict))
	}
	if in.Forward != nil {
		root.SetAttributes(attribute.Float64("agentd.forward", *in.Forward))
	}
	if o := in.ForwardOpinion; o != nil {
		root.SetAttributes(attribute.Float64("agentd.forward_judged", o.Score()), attribute.String("agentd.judge", o.Judge))
	}
	at := in.Started
	for i, turn := range in.Turns {
		at = s.turn(ctx, relay, turn, at)
		for _, call := range in.ToolCalls {
			if call.Turn == i+1 {
				at = s.call(ctx, call, at)
			}
		}
	}
	if in.Failure != "" {
		root.SetAttributes(attribute.String("error.type", in.Failure))
		root.SetStatus(codes.Error, in.Detail)
	}
	root.End(trace.WithTimestamp(in.Started.Add(in.Duration)))
}

func (s *Spans) start(ctx context.Context, operation, of string, at time.Time, kind trace.SpanKind, attributes ...attribute.KeyValue) (context.Context, trace.Span) {
	return s.tracer.Start(ctx, operation+" "+of, trace.WithTimestamp(at), trace.WithSpanKind(kind),
		trace.WithAttributes(append(attributes, attribute.String("gen_ai.operation.name", operation))...))
}

func tokenAttributes(u record.Usage) []attribute.KeyValue {
	all := []attribute.KeyValue{
		attribute.Int("gen_ai.usage.input_tokens", u.Prompt),
		attribute.Int("gen_ai.usage.cache_read.input_tokens", u.Cached),
		attribute.Int("gen_ai.usage.cache_creation.input_tokens", u.CacheWrite),
		attribute.Int("gen_ai.usage.output_tokens", u.Completion),
		attribute.Int("gen_ai.usage.reasoning.output_tokens", u.Reasoning),
	}
	if u.Cost != nil {
		all = append(all, attribute.Float64("agentd.cost_usd", *u.Cost))
	}
	return all
}

// turn sends a completion and returns when it ended.
func (s *Spans) turn(ctx context.Context, relay results.Relay, turn record.Turn, at time.Time) time.Time {
	_, span := s.start(ctx, "chat", relay.Model, at, trace.SpanKindClient, append(
		tokenAttributes(turn.Usage),
		attribute.String("gen_ai.request.model", relay.Model),
		attribute.StringSlice("gen_ai.response.finish_reasons", []string{turn.Finish}),
		attribute.Int("agentd.retries", turn.Retries),
		attribute.Int("agentd.unknown_attempts", turn.UnknownAttempts),
	)...)
	ended := at.Add(turn.Duration)
	span.End(trace.WithTimestamp(ended))
	return ended
}

// call sends a tool call and returns when it ended.
func (s *Spans) call(ctx context.Context, call record.Call, at time.Time) time.Time {
	_, span := s.start(ctx, "execute_tool", call.Tool, at, trace.SpanKindInternal,
		attribute.String("gen_ai.tool.name", call.Tool),
		attribute.StringSlice("agentd.argument_names", call.ArgNames),
		attribute.Int("agentd.bytes_in", call.In),
		attribute.Int("agentd.bytes_out", call.Out),
		attribute.Int("agentd.files_changed", call.Changed),
	)
	if call.Arguments != nil {
		span.SetAttributes(attribute.String("gen_ai.tool.call.arguments", *call.Arguments))
	}
	if call.Answer != nil {
		span.SetAttributes(attribute.String("gen_ai.tool.call.result", *call.Answer))
	}
	if call.Error != "" {
		span.SetAttributes(attribute.String("error.type", "tool_error"))
		span.SetStatus(codes.Error, call.Error)
	}
	ended := at.Add(call.Duration)
	span.End(trace.WithTimestamp(ended))
	return ended
}
