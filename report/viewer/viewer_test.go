package viewer

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/results"
	"agentd/results/record"
	"agentd/vfs"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// evil is what must never reach a page as markup.
const evil = `<script>alert("x")</script>`

const seed = `2016-06-01 * Coffee
    Expenses:Food            3.20 USD
    Assets:Cash

2016-06-02 * Uber
    Expenses:Transport       6.55 USD
    Assets:Cash

`

// site is a viewer of a store with one experiment. Relay 1 loses 45 points in its
// second round trip; relay 2, of another arm, has one failed step.
type site struct {
	*Viewer
	store      *results.Store
	experiment results.Experiment
	relays     []results.Relay
}

func to[T any](v T) *T { return &v }

func newSite(t testing.TB, options Options) *site {
	t.Helper()
	store, err := results.Open(filepath.Join(t.TempDir(), "results.db"))
	if err != nil {
		t.Fatal(err)
	}
	env := environments.Environment{
		Name: "books1", Domain: "accounting", Seed: vfs.Files{"books.ledger": seed}, Targets: []string{"*.ledger"},
		Edits: []environments.Edit{{Name: "split", Forward: "Split it. " + evil, Backward: "Merge it again.", Judged: []string{"It is split. " + evil}}},
	}
	if err := store.PutContents(t.Context(), []string{env.Encode()}); err != nil {
		t.Fatal(err)
	}
	s := &site{store: store}
	s.experiment, err = store.Begin(t.Context(), "a/b "+evil, results.Manifest{
		Models: []results.Model{{Name: "m" + evil}}, Environments: map[string]string{"books1": env.Hash()}, RoundTrips: 2, Repeats: 1,
	}, new(2.0), false)
	if err != nil {
		t.Fatal(err)
	}
	for _, policy := range []string{"agentic", "direct"} {
		s.relays = append(s.relays, results.Relay{
			Experiment: s.experiment.ID, Model: "m" + evil, Policy: policy, Environment: "books1", Domain: "accounting", Repeat: 1,
			Schedule: []string{"split", "split"},
		})
	}
	if s.relays, err = store.Plan(t.Context(), s.relays, nil); err != nil {
		t.Fatal(err)
	}
	damaged := strings.Replace(seed, "6.55", "65.50", 1)
	s.append(t, 0,
		results.Interaction{
			Forward: to(0.5), Distractors: 3, Strays: []string{"stray" + evil}, Output: vfs.Files{"food.ledger": "; " + evil + "\n", "rest.ledger": "r\n"},
			Turns: []record.Turn{{Text: to("I said " + evil)}},
			ToolCalls: []record.Call{
				{Turn: 1, Tool: "read_file", ArgNames: []string{evil}, Arguments: to(`{"path": "books.ledger"}`), Answer: to("answered " + evil)},
				{Turn: 1, Tool: "run_python", Error: "NameError: " + evil, Arguments: to("{\"code\": \"a = 1\\nprint(a)\"}")},
			},
			Reads: []record.Read{{File: "notes" + evil, Origin: "distractor", Tool: "read_file"}},
		},
		results.Interaction{Score: &results.Score{RS: 0.95, Strict: 0.8}, Output: vfs.Files{"books.ledger": seed}},
		results.Interaction{
			ForwardOpinion: &results.Opinion{Judge: "critic" + evil, Ratings: []int{1}}, Output: vfs.Files{"food.ledger": "f\n", "rest.ledger": "r\n"},
		},
		results.Interaction{
			Score: &results.Score{RS: 0.5, Strict: 0.4, Components: map[string]float64{"coverage": 1}, Problem: evil}, Output: vfs.Files{"books.ledger": damaged},
		})
	s.append(t, 1, results.Interaction{Failure: "missing_target", Detail: "no ledger " + evil, Output: vfs.Files{"books.ledger": seed}})
	options.Lookup = catalog.Lookup
	if s.Viewer, err = New(store, options); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Close()
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// append stores the next interactions of a relay.
func (s *site) append(t testing.TB, relay int, steps ...results.Interaction) {
	t.Helper()
	for i, in := range steps {
		in.Relay, in.Number, in.Edit, in.Direction, in.Started, in.Ending = s.relays[relay].ID, i+1, "split", results.Forward, time.Unix(0, 0), "finished"
		if in.Number%2 == 0 {
			in.Direction = results.Backward
		}
		if err := s.store.Append(t.Context(), &in, nil); err != nil {
			t.Fatal(err)
		}
	}
}

func (s *site) get(path string) *httptest.ResponseRecorder {
	answer := httptest.NewRecorder()
	s.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, path, nil))
	return answer
}

var (
	tags   = regexp.MustCompile(`<[^>]*>`)
	blanks = regexp.MustCompile(`\s+`)
)

// words are what a page says.
func pageText(page string) string {
	text := tags.ReplaceAllString(page, " ")
	text = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&#34;", `"`, "&#43;", "+", "&amp;", "&").Replace(text)
	return blanks.ReplaceAllString(text, " ")
}

const name = `/experiments/a%2Fb%20%3Cscript%3Ealert%28%22x%22%29%3C%2Fscript%3E`

func TestEveryPageSaysWhatIsStored(t *testing.T) {
	t.Parallel()
	s := newSite(t, Options{})
	for path, wants := range map[string][]string{
		"/":                          {"Experiments", "a/b <script>", "agentic, direct running", "5 of 8", "running", "50.0", "@4"},
		name:                         {"5 of 8 interactions stored, running", "Matrix of all relays", "1 failed interaction", "of 2.00 USD", "RS@4: how much of the documents is left", "RS@k Mean published score", "Not finished: 5 of 8", "What failed: 1 × document not readable: <script>", "Why interactions failed or changed nothing"},
		name + "/matrix":             {"books1 accounting", "Drops of 10 points or more 1", "50.0", "agentic", "direct"},
		"/relays/1":                  {"Stored 4 of 4", "RS after 4 interactions 50.0", "Biggest drop 45.0 points interaction 4", "split", "forward", "95.0", "−5.0", "−45.0", "50.0", "read_file, run_python", "1 of 3"},
		"/relays/2":                  {"Stored 1 of 4", "no round trip lost 10 points or more", "missing_target"},
		"/relays/1/1":                {"Split it. <script>", "Forward score 50.0 %", "food.ledger : new", "books.ledger : gone", "I said", "a = 1 print(a)", "answered", "NameError", "notes<script>alert(\"x\")</script> (distractor) by read_file", "stray", "Next, 2", "Next drop in the relay, 4 (45.0 points)", "compared with the seed"},
		"/relays/1/2":                {"Merge it again.", "Nothing differs.", "books.ledger : unchanged", "compared with the seed", "with interaction 1", "RS, published score 95.0 %", "Next drop in the experiment, relay 1, 4"},
		"/relays/1/3":                {"Forward score 25.0", "opinion of critic<script>", "Judged 1 of 4 It is split. <script>"},
		"/relays/1/4":                {"New in this round trip", "changed 2016-06-02 Uber, posting: Expenses:Transport $6.55 → Expenses:Transport $65.5", "books.ledger : changed", "Expenses:Transport 6.55 USD", "Parts of RS coverage 100.0 %", "Previous, 3", "compared with interaction 2"},
		"/relays/1/4?against=seed":   {"compared with the seed", "books.ledger : changed"},
		"/relays/1/4?against=before": {"compared with interaction 3", "books.ledger : new"},
		"/relays/2/1":                {"missing_target", "What failed missing_target no ledger <script>", "In the whole relay: 1 × missing_target.", "books.ledger : unchanged", "No turn and no tool call was reported."},
		"/search":                    {"relay 1, step 4", "relay 2, step 1"},
	} {
		answer := s.get(path)
		if answer.Code != http.StatusOK {
			t.Errorf("%s: status %d: %s", path, answer.Code, answer.Body)
			continue
		}
		said := pageText(answer.Body.String())
		for _, want := range wants {
			if !strings.Contains(said, want) {
				t.Errorf("%s does not say %q:\n%s", path, want, said)
			}
		}
		if strings.Contains(said, "%!") {
			t.Errorf("%s: a value is printed as what it is not:\n%s", path, said)
		}
		if strings.Contains(answer.Body.String(), "<script>alert") || strings.Contains(answer.Body.String(), "ZgotmplZ") {
			t.Errorf("%s holds markup of others", path)
		}
		if kind := answer.Header().Get("Content-Type"); kind != "text/html; charset=utf-8" {
			t.Errorf("%s is of type %s", path, kind)
		}
	}
}

func TestOnlyPagesThatChangeHaveAScript(t *testing.T) {
	t.Parallel()
	s := newSite(t, Options{})
	if page := s.get("/").Body.String(); !strings.Contains(page, `<script src="/live.js" defer>`) {
		t.Error("the page does not follow a running experiment")
	}
	if err := s.store.SetState(t.Context(), s.experiment.ID, results.Paused); err != nil {
		t.Fatal(err)
	}
	if page := s.get("/").Body.String(); strings.Contains(page, "<script") || !strings.Contains(page, "paused") {
		t.Error("the page follows a paused experiment")
	}
	for path, kind := range map[string]string{"/viewer.css": "text/css; charset=utf-8", "/live.js": "text/javascript; charset=utf-8"} {
		if answer := s.get(path); answer.Code != http.StatusOK || answer.Header().Get("Content-Type") != kind || answer.Body.Len() == 0 {
			t.Errorf("%s: status %d, %v", path, answer.Code, answer.Header())
		}
	}
}

func TestSearchPages(t *testing.T) {
	t.Parallel()
	s := newSite(t, Options{})
	for query, want := range map[string]int{
		"": 5, "tool=read_file": 1, "tool=read": 0, "file=notes": 1, "file=rest.ledger": 2, "error=nameerror": 1, "error=no+ledger": 1,
		"tool=run_python&error=nameerror": 1, "tool=read_file&error=nameerror": 0, "domain=accounting": 5, "domain=chess": 0,
		"failure=any": 1, "failure=missing_target": 1, "failure=budget": 0,
		"experiment=" + strings.TrimPrefix(name, "/experiments/"): 5, "experiment=other": 0, "tool=read_file&failure=any": 0,
	} {
		answer := s.get("/search?" + query)
		if got := strings.Count(answer.Body.String(), "<tr>") - 1; answer.Code != http.StatusOK || max(got, 0) != want {
			t.Errorf("%s: status %d, %d interactions, want %d", query, answer.Code, got, want)
		}
	}
	for i := 1; i < 80; i++ {
		in := results.Interaction{Relay: s.relays[1].ID, Number: i + 1, Started: time.Unix(0, 0), ToolCalls: []record.Call{{Tool: "a b&c"}}}
		if err := s.store.Append(t.Context(), &in, nil); err != nil {
			t.Fatal(err)
		}
	}
	first := s.get("/search?tool=a+b%26c").Body.String()
	next := regexp.MustCompile(`href="(/search\?[^"]*before[^"]*)"`).FindStringSubmatch(first)
	if n := strings.Count(first, "<tr>") - 1; n != pageLength || next == nil {
		t.Fatalf("%d of 79 on the first page, which goes on with %v", n, next)
	}
	second := s.get(html.UnescapeString(next[1])).Body.String()
	if n := strings.Count(second, "<tr>") - 1; n != 29 || strings.Contains(second, "Next page") || !strings.Contains(second, "First page") {
		t.Errorf("%d on the second page, want 29, the last", n)
	}
}

func TestWhatIsNotThere(t *testing.T) {
	t.Parallel()
	s := newSite(t, Options{})
	for path, want := range map[string]int{
		"/nothing": 404, "/experiments/none": 404, "/experiments/none/matrix": 404, "/experiments": 404, "/relays/99": 404, "/relays/1/99": 404,
		"/relays/0": 404, "/relays/x": 404, "/relays/01": 404, "/relays/1/-1": 404, "/relays/1/x": 404, "/relays/9999999999999999999": 404,
		"/search?before=x": 400, "/relays/1/4?against=x": 400, "/relays/1/1?against=trip": 400,
		"/" + evil: 404,
	} {
		answer := s.get((&urlPath{path}).escaped())
		if body := answer.Body.String(); answer.Code != want || !strings.Contains(body, "</html>") || strings.Contains(body, evil) {
			t.Errorf("%s: status %d, want %d: %s", path, answer.Code, want, body)
		}
	}
}

type urlPath struct{ path string }

func (p *urlPath) escaped() string {
	return strings.NewReplacer("<", "%3C", ">", "%3E", `"`, "%22").Replace(p.path)
}

func TestErrorsOfTheStoreAreToldAndShown(t *testing.T) {
	t.Parallel()
	var told []string
	s := newSite(t, Options{Failed: func(r *http.Request, err error) { told = append(told, r.URL.Path) }})
	ghost := results.Relay{
		Experiment: s.experiment.ID, Policy: "direct", Environment: "ghost1", Repeat: 1, Schedule: []string{"split"},
	}
	relays, err := s.store.Plan(t.Context(), []results.Relay{ghost}, nil)
	if err != nil {
		t.Fatal(err)
	}
	in := results.Interaction{Relay: relays[0].ID, Number: 2, Direction: results.Backward, Output: vfs.Files{"a": "b"}}
	if err := s.store.Append(t.Context(), &in, nil); err != nil {
		t.Fatal(err)
	}
	path := fmt.Sprintf("/relays/%d/2", relays[0].ID)
	if answer := s.get(path); answer.Code != http.StatusOK || !strings.Contains(answer.Body.String(), "The environment is not kept") {
		t.Errorf("an environment that is not kept: status %d: %s", answer.Code, answer.Body)
	}
	if _, err := s.store.SQLite().Exec("UPDATE interactions SET output = '{'"); err != nil {
		t.Fatal(err)
	}
	answer := s.get(path)
	if answer.Code != http.StatusInternalServerError || !strings.Contains(answer.Body.String(), "reading a snapshot") || len(told) != 1 || told[0] != path {
		t.Errorf("status %d, told of %v: %s", answer.Code, told, answer.Body)
	}
}

func TestNothingCanBeChanged(t *testing.T) {
	t.Parallel()
	s := newSite(t, Options{})
	for _, path := range []string{"/", "/relays/1", "/nothing", "/viewer.css"} {
		for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodPatch, http.MethodOptions, http.MethodConnect, "BREW"} {
			answer := httptest.NewRecorder()
			request := httptest.NewRequest(http.MethodGet, path, strings.NewReader("x"))
			request.Method = method
			s.ServeHTTP(answer, request)
			if answer.Code != http.StatusMethodNotAllowed || answer.Header().Get("Allow") != "GET, HEAD" {
				t.Errorf("%s %s: status %d, %v", method, path, answer.Code, answer.Header())
			}
		}
	}
	server := httptest.NewServer(s)
	defer server.Close()
	answer, err := http.Head(server.URL + "/relays/1")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK || answer.ContentLength == 0 {
		t.Errorf("HEAD: %+v", answer)
	}
	http.DefaultClient.CloseIdleConnections()
}

func TestEveryAnswerHasTheHeaders(t *testing.T) {
	t.Parallel()
	s := newSite(t, Options{})
	for _, path := range []string{"/", "/relays/1/1", "/nothing", "/viewer.css", "/live.js", "/search?before=x"} {
		h := s.get(path).Header()
		policy := h.Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'none'", "style-src 'self'", "img-src 'self' data:", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"} {
			if !strings.Contains(policy+";", want+";") {
				t.Errorf("%s: the policy lacks %s: %s", path, want, policy)
			}
		}
		for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"} {
			if got := h.Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", path, name, got, want)
			}
		}
	}
	for _, path := range []string{"/", name, name + "/matrix", "/relays/1", "/relays/1/4", "/search"} {
		page := s.get(path).Body.String()
		for _, inline := range []string{" style=", "<style", " onclick", "javascript:"} {
			if strings.Contains(page, inline) {
				t.Errorf("%s has %q, which the policy forbids", path, inline)
			}
		}
	}
}

func TestPagesOfOtherSitesGetNothing(t *testing.T) {
	t.Parallel()
	local := newSite(t, Options{Hosts: []string{"localhost:8400"}})
	for _, c := range []struct {
		host, origin string
		want         int
	}{
		{"localhost:8400", "", 200},
		{"localhost:8400", "http://localhost:8400", 200},
		{"evil.example:8400", "", 421},
		{"localhost:8400", "http://evil.example", 403},
	} {
		answer := httptest.NewRecorder()
		request := httptest.NewRequest(http.MethodGet, "/", nil)
		request.Host = c.host
		if c.origin != "" {
			request.Header.Set("Origin", c.origin)
		}
		local.ServeHTTP(answer, request)
		if answer.Code != c.want || c.want != 200 && strings.Contains(answer.Body.String(), "a/b") {
			t.Errorf("host %q, origin %q: status %d, want %d", c.host, c.origin, answer.Code, c.want)
		}
	}
}

// A step that was not carried out says so, and a forward step is compared with what its exact
// program makes; long lists of differences are folded away.
func TestAForwardStepAgainstItsProgram(t *testing.T) {
	t.Parallel()
	s := newSite(t, Options{})
	env := environments.Environment{
		Name: "notes1", Domain: "text", Seed: vfs.Files{"notes.txt": strings.Repeat("a line\n", 3)}, Targets: []string{"*.txt"},
		Edits: []environments.Edit{{Name: "same", Forward: "Do it.", Backward: "Undo it."}},
	}
	if err := s.store.PutContents(t.Context(), []string{env.Encode()}); err != nil {
		t.Fatal(err)
	}
	var lines strings.Builder
	for i := range mostUnfolded + 5 {
		fmt.Fprintf(&lines, "another line %d\n", i)
	}
	before, expected := env.Seed, vfs.Files{"notes.txt": env.Seed["notes.txt"]}
	page := interactionPage{Interaction: results.Interaction{Number: 1, Direction: results.Forward, Edit: "same", Output: vfs.Files{"notes.txt": lines.String()}, Executed: to(false)}}
	s.Viewer.deviate(&page, &env, before)
	if page.Deviation != nil {
		t.Error("an edit without a program deviates from it")
	}
	d, _ := catalog.Lookup("text")
	page.compareExact(d, expected)
	if len(page.Choices) != 1 || page.Choices[0].Name != "exact" || len(page.Deviation.Fresh) < mostUnfolded {
		t.Fatalf("%+v, %d differences", page.Choices, len(page.Deviation.Fresh))
	}
	page.Against = page.Choices[0]
	var b strings.Builder
	if err := s.Viewer.pages.ExecuteTemplate(&b, "interaction", view{Data: page}); err != nil {
		t.Fatal(err)
	}
	said := pageText(b.String())
	for _, want := range []string{"Carried out no", "Against what the edit should give", "more differences", "compared with what the edit should give"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in %s", want, said)
		}
	}
}

// A gym stores a way back alone. Its page leads to nothing that is not stored.
func TestAWayBackWithoutItsWayThere(t *testing.T) {
	t.Parallel()
	s := newSite(t, Options{})
	planned, err := s.store.Plan(t.Context(), []results.Relay{{
		Experiment: s.experiment.ID, Model: "m", Policy: "gym", Environment: "books1", Domain: "accounting", Repeat: 1, Schedule: []string{"split"},
	}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	id := planned[0].ID
	back := results.Interaction{Relay: id, Number: 2, Edit: "split", Direction: results.Backward, Ending: "answered", Output: vfs.Files{"books.ledger": seed}}
	if err := s.store.Append(t.Context(), &back, nil); err != nil {
		t.Fatal(err)
	}
	page := s.get(interactionAddress(id, 2)).Body.String()
	for _, address := range regexp.MustCompile(`(?:href|src)="(/relays/[^"#]+)`).FindAllStringSubmatch(page, -1) {
		if answer := s.get(html.UnescapeString(address[1])); answer.Code != http.StatusOK {
			t.Errorf("%s: status %d", address[1], answer.Code)
		}
	}
	if !strings.Contains(page, "the seed") && !strings.Contains(page, "interaction 0") {
		t.Error("the documents are compared with nothing")
	}
}
