package main

import (
	"bufio"
	"context"
	_ "embed"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
)

// agent is the command: it sends requests of 15 and 60 MB, all at once.
//
//go:embed agent.py
var agent []byte

// experiment asks the server here, with the policies of one attack.
const experiment = `
name: hostile
models: [{name: m, base_url: "http://%s/v1", backoff: 1ms, price: {input: 0, output: 0}}]
policies: [%s]
environments: {names: [accounting1]}
relay: {round_trips: 1, repeats: %d}
limits: {max_turns: 3}
`

// measureTraffic measures what a command and a model's server send.
func measureTraffic(ctx context.Context, dir string) error {
	command := filepath.Join(dir, "agent")
	if err := os.WriteFile(command, agent, 0o755); err != nil {
		return err
	}
	for _, attack := range []struct {
		who, size, policies string
		answer              http.HandlerFunc
	}{
		{"requests of 15 and 60 MB of a command", "60 MB", `"exec:` + command + `"`, kind},
		{"answers of a model's server", "64 MiB", "agentic, direct", hostile()},
	} {
		if err := runAgainst(ctx, dir, attack.who, attack.size, attack.policies, attack.answer); err != nil {
			return fmt.Errorf("%s: %w", attack.who, err)
		}
	}
	return nil
}

// runAgainst has an experiment carried out against a server here.
func runAgainst(ctx context.Context, dir, who, size, policies string, answer http.HandlerFunc) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: answer}
	go func() { _ = server.Serve(listener) }() // until it is closed
	defer server.Close()
	file := filepath.Join(dir, "experiment.yaml")
	if err := os.WriteFile(file, fmt.Appendf(nil, experiment, listener.Addr(), policies, *relays), 0o644); err != nil {
		return err
	}
	db := filepath.Join(dir, strings.ReplaceAll(who, " ", "-")+".db")
	return run(ctx, who, size, dir, []string{"run", file, "--db", db, "--concurrency", fmt.Sprint(*relays)})
}

// kind is a server that means well.
func kind(w http.ResponseWriter, _ *http.Request) {
	fmt.Fprint(w, `{"choices":[{"message":{"content":"Done."},"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":2}}`)
}

// hostile is a server that sends 64 MiB of what takes most memory, and what is just
// within the bounds, in turns. It writes answers piece by piece: a child's peak of
// memory counts from what its parent had when it was started.
func hostile() http.HandlerFunc {
	const large, within, calls = 64 << 20, 4_190_000, 10_000
	answers := []struct {
		before, part string
		times        int
		after        string
	}{
		{`{"choices":[`, `{},`, large / 3, `{}]}`},
		{`{"choices":[{"message":{"content":[`, `{},`, large / 3, `{}]}}]}`},
		{`{"choices":[{"message":{"tool_calls":[`, `{},`, large / 3, `{}]}}]}`},
		{`{"choices":[{"message":{"content":"`, `x`, large, `"}}]}`},
		{`{"choices":[{"message":{"content":"`, `\n`, within, `"}}]}`},
		{`{"choices":[{"message":{"tool_calls":[`, `{"id":"1","function":{"name":"run_python","arguments":"{\"code\":\"pass\"}"}},`, calls - 1, `{}]}}]}`},
	}
	var asked atomic.Int64
	return func(w http.ResponseWriter, _ *http.Request) {
		answer := answers[asked.Add(1)%int64(len(answers))]
		out := bufio.NewWriter(w)
		_, err := out.WriteString(answer.before)
		for i := 0; i < answer.times && err == nil; i++ { // until the client has enough
			_, err = out.WriteString(answer.part)
		}
		_, _ = out.WriteString(answer.after)
		_ = out.Flush()
	}
}
