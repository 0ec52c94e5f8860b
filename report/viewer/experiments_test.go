package viewer

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/results"
	"agentd/vfs"
)

// An experiment runs while a process works on it. If none does it is finished, ended by a
// service, at its limit of cost, or interrupted.
func TestTheStateOfAnExperimentIsTrue(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.db")
	store, err := results.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	env := environments.Environment{Name: "books1", Domain: "accounting", Seed: vfs.Files{"books.ledger": seed}, Targets: []string{"*.ledger"}}
	if err := store.PutContents(t.Context(), []string{env.Encode()}); err != nil {
		t.Fatal(err)
	}
	experiment := func(name string, steps ...results.Interaction) results.Experiment {
		t.Helper()
		e, err := store.Begin(t.Context(), name, results.Manifest{
			Models: []results.Model{{Name: "gpt"}, {Name: "sim", StandIn: true}}, Environments: map[string]string{"books1": env.Hash()}, RoundTrips: 1, Repeats: 1,
		}, nil, false)
		if err != nil {
			t.Fatal(err)
		}
		model := "sim"
		if name == "paid" {
			model = "gpt"
		}
		relays, err := store.Plan(t.Context(), []results.Relay{{
			Experiment: e.ID, Model: model, Policy: "direct", Environment: "books1", Domain: "accounting", Repeat: 1, Schedule: []string{"split"},
		}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, in := range steps {
			in.Relay, in.Number, in.Edit, in.Direction, in.Started, in.Ending = relays[0].ID, i+1, "split", results.Forward, time.Now(), "finished"
			in.Output = vfs.Files{"books.ledger": seed}
			if in.Cost = new(0.25); i == 0 {
				in.Executed = new(true)
			} else {
				in.Direction = results.Backward
			}
			if err := store.Append(t.Context(), &in, nil); err != nil {
				t.Fatal(err)
			}
		}
		return e
	}
	scored := results.Interaction{Score: &results.Score{RS: 0.5, Strict: 0.25}}
	experiment("whole", results.Interaction{}, scored)
	experiment("paid", results.Interaction{}, scored)
	experiment("refused", results.Interaction{Failure: "model_failed", Unscored: results.ServiceFault, GivenUp: 1})
	spent := experiment("costly", results.Interaction{})
	if err := store.SetState(t.Context(), spent.ID, results.Spent); err != nil {
		t.Fatal(err)
	}
	experiment("older", results.Interaction{})
	experiment("newer", results.Interaction{})
	check := func(when string, want map[string]string) {
		t.Helper()
		reading, err := results.OpenReading(path)
		if err != nil {
			t.Fatal(err)
		}
		defer reading.Close()
		v, err := New(reading, Options{Lookup: catalog.Lookup})
		if err != nil {
			t.Fatal(err)
		}
		defer v.Close()
		home := (&site{Viewer: v}).get("/").Body.String()
		for name, says := range want {
			_, row, found := strings.Cut(home, `<a href="/experiments/`+name+`">`)
			row, _, _ = strings.Cut(row, "</tr>")
			if row = pageText("<" + row); !found || !strings.Contains(row, says) {
				t.Errorf("%s, %s does not say %q: %s", when, name, says, row)
			}
		}
	}
	ended := map[string]string{
		"whole": "sim (stand-in) direct finished 2 of 2 interactions 50.0 @2 25.0 50.0 100.0 0 would have cost 0.5000 USD", "paid": "gpt direct finished 2 of 2 interactions 50.0 @2 25.0 50.0 100.0 0 0.5000 USD",
		"refused": "ended early: a service failed", "costly": "stopped: its limit of cost is reached", "older": "interrupted", "newer": "running",
	}
	check("during the run", ended)
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	ended["newer"] = "interrupted"
	check("after the run", ended)
}
