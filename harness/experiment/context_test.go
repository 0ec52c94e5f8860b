package experiment

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"agentd/internal/usage"
	"agentd/models"
	"agentd/policies/catalog"
)

// serving returns the address of a server whose model takes so many tokens, one request at a time.
func serving(t *testing.T, tokens int) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v1/models":
			fmt.Fprintf(w, `{"data":[{"id":"small","owned_by":"llamacpp"}]}`)
		case "/props":
			fmt.Fprintf(w, `{"total_slots":1,"default_generation_settings":{"n_ctx":%d}}`, tokens)
		case "/v1/chat/completions":
			fmt.Fprint(w, `{"choices":[{"finish_reason":"tool_calls","message":{"role":"assistant","content":"I read it.","tool_calls":[{"id":"1","type":"function","function":{"name":"read_file","arguments":"{}"}}]}}],"usage":{"prompt_tokens":80,"completion_tokens":20}}`)
		default:
			t.Errorf("%s %s was asked for", r.Method, r.URL)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL + "/v1"
}

func localSpec(base string, policies ...string) Spec {
	spec := Default()
	spec.Models = []Model{{models.Spec{Name: "small", BaseURL: base}}}
	for _, p := range policies {
		spec.Policies = append(spec.Policies, catalog.Spec{Use: p})
	}
	spec.Environments = Environments{Data: "../../examples/small"}
	return spec
}

func names(x *Experiment) (all []string) {
	for i := range x.Environments {
		all = append(all, x.Environments[i].Name)
	}
	return all
}

// One request says what a person wants to know of a model before a run.
func TestAModelIsTried(t *testing.T) {
	t.Parallel()
	tried, err := TryModel(t.Context(), AllNamed([]string{"small"}, models.Spec{BaseURL: serving(t, 16_000)})[0])
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	if err := tried.Write(&said); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`tool calls +yes`, `context +16,000 tokens, as the server says`, `at a time +1 request`, `speed +[0-9]+ tokens a second`, `an edit +about [0-9]+ s for each 1,000 tokens`, `documents +[0-9]+ of [0-9]+ built-in environments fit`} {
		if !regexp.MustCompile(want).MatchString(said.String()) {
			t.Errorf("no %q in %s", want, &said)
		}
	}
	if tried.Fitting == 0 || tried.Fitting == tried.Builtins {
		t.Errorf("%d of %d fit", tried.Fitting, tried.Builtins)
	}
}

// Of a stand-in nothing is said that holds for servers alone, and the environments are as many as agentd doctor counts.
func TestAStandInIsTried(t *testing.T) {
	t.Parallel()
	tried, err := TryModel(t.Context(), AllNamed([]string{"sim:weak"}, models.Spec{})[0])
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	if err := tried.Write(&said); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"sim:weak, a stand-in: a program of agentd that plays a model", "tool calls  yes", "context     unlimited"} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("no %q in %s", want, &said)
		}
	}
	for _, not := range []string{"127.0.0.1", "server does not", "tokens a second", "answers"} {
		if strings.Contains(said.String(), not) {
			t.Errorf("%q in %s", not, &said)
		}
	}
	var doctor strings.Builder
	checks := slices.DeleteFunc(Checks(""), func(c Check) bool { return c.Name != "environments" })
	if err := Diagnose(t.Context(), &doctor, checks); err != nil {
		t.Fatal(err)
	}
	if all := builtIn(tried.Builtins); !strings.Contains(said.String(), " of "+all+" fit") || !strings.Contains(doctor.String(), "  "+all+", ") {
		t.Errorf("check says\n%s\nand doctor\n%s", &said, &doctor)
	}
}

// What an experiment can do without is not called a fault.
func TestWhatIsNotNeededIsSaid(t *testing.T) {
	t.Parallel()
	var said strings.Builder
	absent := func(context.Context) ([]string, error) { return nil, errors.New("there is no daemon") }
	if err := Diagnose(t.Context(), &said, []Check{{"sandbox containerd", "with --sandbox containerd", absent}}); err != nil {
		t.Error(err)
	}
	if want := "sandbox containerd: not found; needed only with --sandbox containerd\n  there is no daemon\n"; said.String() != want {
		t.Errorf("said %q, want %q", said.String(), want)
	}
	if err := Diagnose(t.Context(), &said, []Check{{"sandbox bwrap", "", absent}}); err == nil {
		t.Error("what every experiment needs may be missing")
	}
}

func TestWhatDoesNotFitTheContextIsLeftOut(t *testing.T) {
	t.Parallel()
	whole := []string{"allotment", "boat_hire", "ferry_talk", "tea_stall"}
	for name, test := range map[string]struct {
		tokens int // that the server says
		own    int // that the spec says
		want   []string
	}{
		"all fit":                        {8192, 0, whole},
		"the longest does not":           {900, 0, []string{"boat_hire", "ferry_talk", "tea_stall"}},
		"what the user says comes first": {1, 8192, whole},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			spec := localSpec(serving(t, test.tokens), "direct")
			spec.Models[0].Context = test.own
			x, err := Open(t.Context(), spec, Options{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { x.Close() })
			if got := names(x); !slices.Equal(got, test.want) {
				t.Errorf("environments %v, want %v", got, test.want)
			}
			if left := x.TooLong(); (left == nil) != (len(test.want) == 4) {
				t.Errorf("left out: %v", left)
			} else if left != nil && left.String() != "1 environment left out: longer than the 900 tokens that a request to small and its answer may have" {
				t.Errorf("said: %s", left)
			}
			if x.Seats["small"] != 1 {
				t.Errorf("seats %v, want the server's one slot", x.Seats)
			}
		})
	}

	_, err := Open(t.Context(), localSpec(serving(t, 100), "direct"), Options{})
	var wrong usage.Error
	if !errors.As(err, &wrong) || !strings.Contains(err.Error(), "no environment fits into the 100 tokens") {
		t.Errorf("nothing fits: error %v", err)
	}
}

// A wrong address ends a run, but not a worker, and a plan asks nothing.
func TestAServerThatIsAway(t *testing.T) {
	t.Parallel()
	const nowhere = "http://127.0.0.1:1/v1"
	if _, err := Open(t.Context(), localSpec(nowhere, "direct"), Options{}); err == nil || !strings.Contains(err.Error(), "server not reached") {
		t.Errorf("error %v", err)
	}
	for name, options := range map[string]Options{"a worker": {MayBeAway: true}, "a plan": {PlanOnly: true}} {
		x, err := Open(t.Context(), localSpec(nowhere, "direct"), options)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(x.Environments) != 4 || len(x.Seats) != 0 {
			t.Errorf("%s: %d environments, seats %v", name, len(x.Environments), x.Seats)
		}
		if away := x.Away(); (away != nil) != options.MayBeAway {
			t.Errorf("%s: away: %v", name, away)
		}
		x.Close()
	}
}
