package gym

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/rs/zerolog"

	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/harness"
	"agentd/internal/sameorigin"
	"agentd/policies"
	"agentd/results"
	"agentd/vfs"
)

// lines is a log that tests read.
type lines struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.Write(p)
}

// have waits for a text.
func (l *lines) have(t testing.TB, text string) {
	t.Helper()
	eventually(t, "the log says "+text, func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		return strings.Contains(l.all.String(), text)
	})
}

// eventually waits until something holds.
func eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within a minute: %s", what)
		}
	}
}

// builtin are built-in environments by their names.
func builtin(t testing.TB, names ...string) []environments.Environment {
	t.Helper()
	all, err := environments.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(env environments.Environment) bool { return !slices.Contains(names, env.Name) })
}

// gym is a server that listens.
type gym struct {
	*Server
	url string
	log *lines
}

// serve starts a server on built-in environments; it ends with the test.
func serve(t testing.TB, o Options, names ...string) *gym {
	t.Helper()
	x := &harness.Experiment{
		Name: "gym", Environments: builtin(t, names...), Domain: catalog.Lookup, Arms: []harness.Arm{{Policy: Policy{}}},
		Protocol: policies.Clean, Schedule: harness.RoundRobin, Distractors: true, Seed: 1, RoundTrips: 1, Repeats: 1, FullTrace: true,
	}
	g := &gym{log: &lines{}}
	o.Log = zerolog.New(g.log)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	o.Hosts = sameorigin.LoopbackHosts(listener.Addr())
	ctx, stop := context.WithCancel(context.Background())
	if g.Server, err = New(ctx, x, o); err != nil {
		t.Fatal(err)
	}
	g.url = "http://" + listener.Addr().String()
	ended := make(chan error, 1)
	go func() { ended <- g.Serve(ctx, listener) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if n := g.active(); n != 0 {
			t.Errorf("%d sessions are left", n)
		}
	})
	return g
}

// client speaks on one connection.
type client struct {
	*websocket.Conn
	t testing.TB
}

func (g *gym) dial(t testing.TB, path string) *client {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), g.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	conn.SetReadLimit(-1)
	t.Cleanup(func() { _ = conn.CloseNow() })
	return &client{conn, t}
}

// say sends a text and returns what is answered.
func (c *client) say(text string) (answer struct {
	Type string
	Data json.RawMessage
}) {
	c.t.Helper()
	if err := json.Unmarshal(c.raw(text), &answer); err != nil {
		c.t.Fatalf("%.80s: %v", text, err)
	}
	return answer
}

// raw sends a text and returns what is answered as it comes. A connection that is being refused
// takes no text but has an answer.
func (c *client) raw(text string) []byte {
	c.t.Helper()
	_ = c.Write(c.t.Context(), websocket.MessageText, []byte(text))
	_, raw, err := c.Read(c.t.Context())
	if err != nil {
		c.t.Fatalf("%.80s: %v", text, err)
	}
	return raw
}

// shown is a reply as a client reads it.
type shown struct {
	Observation struct {
		Instruction, Result string
		Failed              bool
		Files, Targets      []string
		Documents           vfs.Files
		Tools               []struct{ Name string }
		Step                int
	}
	Reward   *float64
	Done     bool
	Metadata struct {
		Done                                        *bool
		Forward, Idle, Kept, Reward                 float64
		Environment, Edit, Direction, Domain, Split string
		Failure                                     string
		Episode                                     string `json:"episode_id"`
		Interaction, Interactions                   int
	}
}

func (c *client) observed(text string) (s shown) {
	c.t.Helper()
	answer := c.say(text)
	if answer.Type != "observation" {
		c.t.Fatalf("%.200s is answered with %s %s", text, answer.Type, answer.Data)
	}
	if err := json.Unmarshal(answer.Data, &s); err != nil {
		c.t.Fatal(err)
	}
	return s
}

func sent(t testing.TB, kind string, data any) string {
	t.Helper()
	raw, err := json.Marshal(map[string]any{"type": kind, "data": data})
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

type m map[string]any

func (c *client) reset(data m) shown { c.t.Helper(); return c.observed(sent(c.t, "reset", data)) }
func (c *client) step(data m) shown  { c.t.Helper(); return c.observed(sent(c.t, "step", data)) }
func (c *client) answer(files vfs.Files) shown {
	c.t.Helper()
	return c.step(m{"type": "answer", "files": files.Texts()})
}
func (c *client) call(tool string, arguments m) shown {
	c.t.Helper()
	return c.step(m{"type": "call_tool", "tool_name": tool, "arguments": arguments})
}

// code is that of the error with which a text is answered.
func (c *client) code(text string) string {
	c.t.Helper()
	answer := c.say(text)
	if answer.Type != "error" {
		c.t.Fatalf("%.80s is answered with %s %.200s", text, answer.Type, answer.Data)
	}
	var told struct{ Code, Message string }
	if err := json.Unmarshal(answer.Data, &told); err != nil || told.Message == "" {
		c.t.Fatalf("%s, %v", answer.Data, err)
	}
	return told.Code
}

// exact is what the exact program of an episode's interaction makes of its documents.
func (g *gym) exact(t testing.TB, s shown) vfs.Files {
	t.Helper()
	a, err := g.worker.Asked(s.Metadata.Environment, s.Metadata.Edit, results.Direction(s.Metadata.Direction))
	if err != nil {
		t.Fatal(err)
	}
	return a.Expected
}

func TestTheExactProgramIsPaidInFull(t *testing.T) {
	t.Parallel()
	g := serve(t, Options{}, "accounting1")
	c := g.dial(t, "/ws")
	for _, direction := range []string{"forward", "backward"} {
		s := c.reset(m{"env": "accounting1", "direction": direction, "seed": 7})
		if s.Reward != nil || s.Done || s.Observation.Instruction == "" || len(s.Observation.Documents) != len(s.Observation.Files) {
			t.Fatalf("%+v", s)
		}
		answered := c.answer(g.exact(t, s))
		if !answered.Done || answered.Reward == nil || *answered.Reward != 1 || answered.Metadata.Done == nil || !*answered.Metadata.Done {
			t.Errorf("answer, %s: %+v", direction, answered)
		}
		// The same by tools.
		s = c.reset(m{"env": "accounting1", "direction": direction, "seed": 7})
		for _, name := range s.Observation.Files {
			if read := c.call("read_file", m{"path": name}); read.Observation.Result != s.Observation.Documents[name] {
				t.Errorf("%s: %.80q", name, read.Observation.Result)
			}
		}
		for name, text := range g.exact(t, s) {
			if r := c.call("write_file", m{"path": name, "content": text}); r.Reward != nil || r.Observation.Failed {
				t.Fatalf("%+v", r)
			}
		}
		if r := c.call("finish", nil); !r.Done || *r.Reward != 1 {
			t.Errorf("tools, %s: %+v", direction, r)
		}
	}
	if code := c.code(sent(t, "step", m{"type": "list_tools"})); code != executionError {
		t.Errorf("after the end: %s", code)
	}
}

// In a relay each interaction pays its share, and what an interaction has left is what the next one begins with.
func TestARelayPaysTheMean(t *testing.T) {
	t.Parallel()
	g := serve(t, Options{}, "accounting1")
	c := g.dial(t, "/ws")
	for _, way := range []string{"exact", "little is left"} {
		s := c.reset(m{"env": "accounting1", "round_trips": 3, "seed": 1})
		sum, n := 0.0, 0
		for ; !s.Done; n++ {
			var at shown // what is to be done now
			if err := json.Unmarshal(c.say(`{"type":"state"}`).Data, &at.Metadata); err != nil || at.Metadata.Interaction != n+1 || at.Metadata.Interactions != 6 {
				t.Fatalf("%+v, %v", at, err)
			}
			files := g.exact(t, at).Clone()
			if way != "exact" { // a document with which every later edit is easy
				for name, text := range files {
					head, _, _ := strings.Cut(text, "\n")
					files[name] = head + "\n"
				}
			}
			if s = c.answer(files); s.Reward == nil {
				t.Fatalf("%+v", s)
			}
			sum += *s.Reward
		}
		if way == "exact" && (sum < 0.999999 || sum > 1.000001) || way != "exact" && sum > 0.3 || n != 6 {
			t.Errorf("%s: the rewards of %d interactions come to %v", way, n, sum)
		}
	}
}

func TestEpisodesAreFunctionsOfTheirSeed(t *testing.T) {
	t.Parallel()
	names := []string{"accounting1", "calendar1", "dns1", "subtitles1"}
	first, second := serve(t, Options{}, names...).dial(t, "/ws"), serve(t, Options{}, names...).dial(t, "/ws")
	tasks := map[string]bool{}
	for seed := range 12 {
		a, b := first.reset(m{"seed": seed}), second.reset(m{"seed": seed})
		if a.Observation.Instruction != b.Observation.Instruction || !slices.Equal(a.Observation.Files, b.Observation.Files) {
			t.Errorf("seed %d is of %+v and %+v", seed, a.Metadata, b.Metadata)
		}
		tasks[a.Metadata.Environment+a.Metadata.Edit+a.Metadata.Direction] = true
	}
	if len(tasks) < 6 {
		t.Errorf("12 seeds draw %d tasks", len(tasks))
	}
	if a, b := first.reset(nil), second.reset(nil); a.Observation.Instruction != b.Observation.Instruction {
		t.Error("the first task that is drawn is not that of the server's seed")
	}
}

func TestTasksAreChosen(t *testing.T) {
	t.Parallel()
	g := serve(t, Options{}, "accounting1", "accounting2", "calendar1", "dns1", "geodata1", "subtitles1")
	c := g.dial(t, "/ws")
	if g.Tasks(Train) == 0 || g.Tasks(Test) == 0 {
		t.Fatalf("%d and %d tasks", g.Tasks(Train), g.Tasks(Test))
	}
	for _, task := range g.tasks.all {
		if s := c.reset(m{"split": task.Split, "index": task.Index}); s.Observation.Instruction != task.Instruction || s.Metadata.Environment != task.Environment {
			t.Errorf("%+v is %+v", task, s.Metadata)
		}
		if task.Split != SplitOf(task.Environment) {
			t.Errorf("%+v is in another split than its document", task)
		}
		for _, data := range []m{
			{"domain": task.Domain, "verb": task.Verb, "split": task.Split}, {"env": task.Environment, "difficulty": task.Difficulty},
			{"env": task.Environment, "edit": task.Edit, "direction": task.Direction}, {"max_tokens": task.Tokens, "env": "*"},
		} {
			s := c.reset(data)
			is := slices.IndexFunc(g.tasks.all, func(t Task) bool {
				return t.Environment == s.Metadata.Environment && t.Edit == s.Metadata.Edit && string(t.Direction) == s.Metadata.Direction
			})
			found := g.tasks.all[is]
			if d, has := data["domain"]; has && (d != found.Domain || data["verb"] != found.Verb) || data["difficulty"] != nil && data["difficulty"] != found.Difficulty ||
				data["direction"] != nil && (data["direction"] != found.Direction || data["edit"] != found.Edit) || data["max_tokens"] != nil && found.Tokens > task.Tokens {
				t.Errorf("%v is %+v", data, found)
			}
		}
	}
	for seed := range 20 {
		if s := c.reset(m{"seed": seed}); s.Metadata.Split != Train {
			t.Errorf("%+v is held out", s.Metadata)
		}
	}
	for _, wrong := range []m{
		{"env": "nowhere"}, {"split": "validation"}, {"index": -1}, {"index": 1 << 30}, {"seed": -1}, {"round_trips": -1}, {"round_trips": 1000},
		{"round_trips": 1, "direction": "forward"}, {"sede": 1}, {"seed": "one"}, {"max_tokens": 1}, {"episode_id": strings.Repeat("x", 300)},
	} {
		if code := c.code(sent(t, "reset", wrong)); code != validationError {
			t.Errorf("%v: %s", wrong, code)
		}
	}
}

// Where no task fits, the client is told which of its choices leaves none, and what there is.
func TestTheChoiceThatNoTaskFitsIsNamed(t *testing.T) {
	t.Parallel()
	g := serve(t, Options{}, "accounting1", "calendar1", "dns1", "geodata1", "subtitles1")
	held := slices.IndexFunc(g.tasks.all, func(task Task) bool { return task.Split == Test })
	if held < 0 {
		t.Fatal("none of the environments is held out; take others")
	}
	domain := g.tasks.all[held].Domain
	c := g.dial(t, "/ws")
	for says, asked := range map[string]m{
		"without split and env a task is drawn from split train, which leaves none of ": {"domain": domain},
		"split train, which leaves none of ":                                            {"domain": domain, "split": "train"},
		"they have test":                                                                {"domain": domain, "split": "train", "direction": "forward"},
		"env acounting1, which leaves none of %d tasks; they have accounting1":          {"env": "acounting1"},
		"domain dns, which leaves none of ":                                             {"env": "accounting1", "domain": "dns"},
		"verb dance, which leaves none of ":                                             {"env": "accounting1", "verb": "dance"},
		"max_tokens 1, which leaves none of ":                                           {"max_tokens": 1, "difficulty": "easy"},
		" or more":                                                                      {"max_tokens": 1},
	} {
		if strings.Contains(says, "%d") {
			says = fmt.Sprintf(says, len(g.tasks.all))
		}
		if answer := c.say(sent(t, "reset", asked)); answer.Type != "error" || !strings.Contains(string(answer.Data), says) {
			t.Errorf("%v is answered with %s %s; want %s", asked, answer.Type, answer.Data, says)
		}
	}
}

func TestFinishedEpisodesAreStored(t *testing.T) {
	t.Parallel()
	store, err := results.Open(filepath.Join(t.TempDir(), "results.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	g := serve(t, Options{Store: store}, "accounting1")
	c := g.dial(t, "/ws")
	for i := range 2 {
		s := c.reset(m{"env": "accounting1", "direction": "backward", "seed": 7, "prompt": i == 1})
		c.call("read_file", m{"path": s.Observation.Files[0]})
		c.answer(g.exact(t, s))
	}
	s := c.reset(m{"env": "accounting1", "round_trips": 1, "seed": 7})
	c.answer(g.exact(t, s))
	c.reset(m{"env": "accounting1"}) // what was not finished is dropped
	relays, err := store.Relays(t.Context(), g.record.ID)
	if err != nil || len(relays) != 2 {
		t.Fatalf("%+v, %v", relays, err)
	}
	for i, relay := range relays {
		stored, err := store.Interactions(t.Context(), relay.ID)
		if err != nil || relay.Repeat != i+1 || len(stored) != 1 {
			t.Fatalf("%+v: %+v, %v", relay, stored, err)
		}
		in := stored[0]
		if in.Number != 2 || in.Direction != results.Backward || in.Score == nil || in.Score.RS != 1 || in.Score.Strict != 1 || len(in.ToolCalls) != 1 || len(in.Turns) != 1 {
			t.Errorf("%+v", in)
		}
		shown := map[string]int{}
		for _, read := range in.Reads {
			if read.Tool != "prompt" {
				continue
			}
			if shown[read.File]++; shown[read.File] > 1 {
				t.Errorf("the prompt counts %s again", read.File)
			}
		}
	}
	arms, err := store.Arms(t.Context(), g.record.ID)
	if err != nil || len(arms) != 1 || arms[0].Done != 2 || !arms[0].Complete() {
		t.Errorf("%+v, %v", arms, err)
	}
}

func TestToolSpamEnds(t *testing.T) {
	t.Parallel()
	c := serve(t, Options{Steps: 5}, "accounting1").dial(t, "/ws")
	c.reset(m{"env": "accounting1"})
	var s shown
	n := 0
	for ; !s.Done; n++ {
		s = c.call("list", nil)
	}
	if n != 5 || *s.Reward != 0 || !strings.HasPrefix(s.Metadata.Failure, string(policies.TurnBudget)) {
		t.Errorf("after %d steps: %+v", n, s)
	}
}

func TestWhatIsTooLargeEndsTheInteraction(t *testing.T) {
	t.Parallel()
	c := serve(t, Options{}, "accounting1").dial(t, "/ws")
	large := strings.Repeat("x", 3<<20)
	c.reset(m{"env": "accounting1", "direction": "forward"})
	if s := c.call("write_file", m{"path": "large.txt", "content": large}); !s.Done || *s.Reward != 0 || !strings.Contains(s.Metadata.Failure, "larger") {
		t.Errorf("a file: %+v", s)
	}
	c.reset(m{"env": "accounting1", "direction": "forward"})
	s := shown{}
	for n := 0; !s.Done; n++ {
		if s = c.call("read_file", m{"path": large}); n > 5 {
			t.Fatal("arguments without end")
		}
	}
	if *s.Reward != 0 || !strings.HasPrefix(s.Metadata.Failure, string(policies.TokenBudget)) {
		t.Errorf("arguments: %+v", s.Metadata)
	}
}

// get and post return the status and the body.
func (g *gym) post(t testing.TB, path, body string) (int, string) {
	t.Helper()
	response, err := http.Post(g.url+path, "application/json", strings.NewReader(body))
	return read(t, response, err)
}

func (g *gym) get(t testing.TB, path string) (int, string) {
	t.Helper()
	response, err := http.Get(g.url + path)
	return read(t, response, err)
}

func read(t testing.TB, response *http.Response, err error) (int, string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(body)
}

// Nothing was done, and the document is there at the end: the way back is worth what the way there was.
func TestARelayWithoutWorkEarnsNothing(t *testing.T) {
	t.Parallel()
	c := serve(t, Options{}, "accounting1").dial(t, "/ws")
	s := c.reset(m{"env": "accounting1", "round_trips": 2, "seed": 1})
	for n := 1; !s.Done; n++ {
		if s = c.step(m{"type": "answer", "text": "I would rather not."}); s.Reward == nil || *s.Reward != 0 {
			t.Errorf("interaction %d: %+v", n, s)
		}
	}
}
