package harness

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sashabaranov/go-openai"

	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/models"
	"agentd/policies"
	"agentd/policies/agentic"
	"agentd/policies/prompt"
	"agentd/results"
	"agentd/vfs"
)

// serverVariable makes the test binary a model server: a process of its own,
// so that the CPU time measured is agentd's alone.
const serverVariable = "AGENTD_BENCH_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(serverVariable) != "" {
		serveModel()
		return
	}
	os.Exit(m.Run())
}

// serveModel answers with six tool calls, one a turn: three reads, two writes,
// finish. It ends with its standard input.
func serveModel() {
	content := strings.Repeat("2023/03/14 * Menards | plywood for the loft\n    Expenses:Shop:Wood:Supplies   $146.38\n", 120)
	write := func(name string) openai.FunctionCall {
		raw, _ := json.Marshal(map[string]string{"path": name, "content": content})
		return openai.FunctionCall{Name: "write_file", Arguments: string(raw)}
	}
	read := func(name string) openai.FunctionCall {
		return openai.FunctionCall{Name: "read_file", Arguments: `{"path":"` + name + `"}`}
	}
	turns := []openai.FunctionCall{read("a.txt"), read("d1.md"), read("d2.md"), write("b.txt"), write("c.txt"), {Name: "finish", Arguments: "{}"}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request openai.ChatCompletionRequest
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		turn := (len(request.Messages) - 2) / 2
		_ = json.NewEncoder(w).Encode(openai.ChatCompletionResponse{Choices: []openai.ChatCompletionChoice{{
			Message: openai.ChatCompletionMessage{Role: "assistant", ToolCalls: []openai.ToolCall{
				{ID: fmt.Sprint("call_", turn), Type: openai.ToolTypeFunction, Function: turns[turn]},
			}},
		}}})
	}))
	defer server.Close()
	fmt.Println(server.URL + "/v1")
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
}

func startServer(b *testing.B) (url string) {
	b.Helper()
	server := exec.Command(os.Args[0])
	server.Env = append(os.Environ(), serverVariable+"=1")
	server.Stderr = os.Stderr
	stdin, err := server.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	stdout, err := server.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := server.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = stdin.Close()
		_ = server.Wait()
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	return strings.TrimSpace(line)
}

func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// BenchmarkInteraction measures the CPU time of one agentic interaction: about
// 15,000 tokens of files (60 kB), six turns with one tool call each, none a
// script, over HTTP, stored in SQLite, with the garbage collector set as agentd
// sets it.
func BenchmarkInteraction(b *testing.B) {
	model, err := models.Open(models.Spec{Name: "bench", BaseURL: startServer(b)}, nil)
	if err != nil {
		b.Fatal(err)
	}
	source, err := prompt.NewSource("")
	if err != nil {
		b.Fatal(err)
	}
	policy, err := agentic.New(agentic.Clean(), agentic.Loop{Model: model, Limits: policies.DefaultLimits()}, source)
	if err != nil {
		b.Fatal(err)
	}
	prose := func(n int) string {
		return strings.Repeat("The board met on the second Tuesday; Inga took the minutes.\n", n)
	}
	env := environments.Environment{
		Name: "bench1", Domain: "none", Targets: []string{"a.txt"},
		Seed:        vfs.Files{"a.txt": prose(340)},
		Distractors: vfs.Files{"d1.md": prose(330), "d2.md": prose(330)},
		Edits:       []environments.Edit{{Name: "e", Forward: "Go.", Backward: "Come.", Targets: []string{"b.txt", "c.txt"}}},
	}
	store, err := results.Open(filepath.Join(b.TempDir(), "results.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	x := Experiment{Name: "bench", Environments: []environments.Environment{env}, Domain: catalog.Lookup,
		Arms: []Arm{{Model: "bench", Policy: policy}}, RoundTrips: 1, Repeats: 1, Distractors: true, Schedule: RoundRobin}
	_, planned, err := x.Begin(b.Context(), store, nil, false, nil)
	if err != nil {
		b.Fatal(err)
	}
	r, err := NewWorker(&x).relay(planned[0])
	if err != nil {
		b.Fatal(err)
	}
	number := 1
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	before := cpuTime(b)
	for b.Loop() {
		a, err := r.attempt(b.Context(), step{number: number, edit: env.Edits[0], direction: results.Forward}, env.Seed, &policies.Conversation{})
		if err != nil {
			b.Fatal(err)
		}
		in := a.in
		if err := r.conclude(b.Context(), a); err != nil || in.Failure != "" || len(in.ToolCalls) != 6 {
			b.Fatalf("%v, %+v", err, in)
		}
		if err := store.Append(b.Context(), in, nil); err != nil {
			b.Fatal(err)
		}
		number++
	}
	b.ReportMetric(float64((cpuTime(b)-before).Microseconds())/1000/float64(b.N), "cpu-ms/op")
}
