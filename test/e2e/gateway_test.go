package e2e

import (
	"bufio"
	"context"
	"encoding/csv"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// LiteLLM's proxy, which is another project's, stands between agentd's clients and the
// stand-in server: in each dialect relays have the same scores through it as without it.
// Models reason, answers are streamed or not, and the stand-ins refuse a turn that does
// not come back as it was sent.
func TestRelaysAgreeThroughAnIndependentGateway(t *testing.T) {
	t.Parallel()
	standIns := startStandIns(t)
	gateway := startGateway(t, strings.TrimSuffix(standIns, "/v1"))
	for _, api := range []string{"messages", "responses", "gemini"} {
		for _, streamed := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, streamed %t", api, streamed), func(t *testing.T) {
				path := "/v1"
				if api == "gemini" {
					path = "/v1beta"
				}
				without := relays(t, api, streamed, strings.TrimSuffix(standIns, "/v1")+path, "sim:weak")
				with := relays(t, api, streamed, gateway+path, "weak-"+api)
				if diff := cmp.Diff(without, with); diff != "" {
					t.Error(diff)
				}
				if damaged := strings.Contains(strings.Join(without, " "), " 0."); !damaged || len(without) != 12 {
					t.Errorf("nothing was measured: %q", without)
				}
			})
		}
	}
}

// relays runs two round trips of three policies and returns what they came to.
func relays(t *testing.T, api string, streamed bool, url, model string) []string {
	t.Helper()
	dir := t.TempDir()
	experiment, db := filepath.Join(dir, "x.yaml"), filepath.Join(dir, "x.db")
	agent, err := filepath.Abs(filepath.Join("..", "..", "examples", "python"))
	if err != nil {
		t.Fatal(err)
	}
	err = os.WriteFile(experiment, fmt.Appendf(nil, `
name: gateway
models: [{name: m, model: %q, base_url: %q, api: %s, reasoning: high, stream: %t}]
policies: [direct, agentic, {use: exec, command: [%q]}]
environments: {names: [accounting1]}
relay: {round_trips: 2}
`, model, url, api, streamed, agent), 0o644)
	if err != nil {
		t.Fatal(err)
	}
	run(t, nil, nil, agentd, "run", experiment, "--db", db)
	out, _ := run(t, nil, nil, agentd, "export", "--db", db, "--rows", "interactions", "--format", "csv")
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, row := range rows[1:] {
		var line []string
		for i, name := range rows[0] {
			switch name {
			case "gen_ai.agent.name", "interaction", "rs", "strict", "forward", "error.type", "error.message":
				line = append(line, row[i])
			}
		}
		all = append(all, strings.Join(line, " "))
	}
	return all
}

// startStandIns starts agentd sim-server and returns its address.
func startStandIns(t *testing.T) string {
	t.Helper()
	command := exec.Command(agentd, "sim-server", "--listen", "127.0.0.1:0")
	command.Stderr = os.Stderr
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	start(t, command)
	url, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(url)
}

// start starts a program that ends with the test.
func start(t *testing.T, command *exec.Cmd) {
	t.Helper()
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Signal(os.Interrupt)
		ended := make(chan struct{})
		go func() { _ = command.Wait(); close(ended) }()
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			_ = command.Process.Kill()
			<-ended
		}
	})
}

// gatewayStart is how long the gateway may take to start on a busy machine.
const gatewayStart = 5 * time.Minute

// startGateway starts LiteLLM's proxy before the stand-ins and returns its address.
func startGateway(t *testing.T, standIns string) string {
	t.Helper()
	dir := t.TempDir()
	var config strings.Builder
	config.WriteString("model_list:\n")
	for _, m := range [][3]string{{"messages", "anthropic", ""}, {"responses", "openai", "/v1"}, {"gemini", "gemini", "/v1beta"}} {
		fmt.Fprintf(&config, `  - model_name: weak-%s
    litellm_params: {model: "%s/sim:weak", api_base: "%s%s", api_key: none}
    model_info: {supports_reasoning: true}
`, m[0], m[1], standIns, m[2])
	}
	config.WriteString("litellm_settings: {drop_params: false, num_retries: 0}\nrouter_settings: {disable_cooldowns: true, num_retries: 0}\n")
	file := filepath.Join(dir, "config.yaml")
	if err := os.WriteFile(file, []byte(config.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	port := freePort(t)
	command := exec.Command(python(t), filepath.Join(filepath.Dir(python(t)), "litellm"), "--config", file, "--host", "127.0.0.1", "--port", port, "--telemetry", "False")
	command.Dir = dir
	command.Env = append(os.Environ(), "LITELLM_LOCAL_MODEL_COST_MAP=True", "LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY=true", "HOME="+dir)
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	command.Stdout, command.Stderr = log, log
	start(t, command)
	url := "http://127.0.0.1:" + port
	ctx, cancel := context.WithTimeout(t.Context(), gatewayStart)
	defer cancel()
	for ctx.Err() == nil {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/health/liveliness", nil)
		if err != nil {
			t.Fatal(err)
		}
		if answer, err := http.DefaultClient.Do(request); err == nil {
			_ = answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return url
			}
		}
		time.Sleep(200 * time.Millisecond)
	}
	said, _ := os.ReadFile(log.Name())
	t.Fatalf("the gateway did not start: %s", said)
	return ""
}

// freePort is one that no server listens on.
func freePort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}
