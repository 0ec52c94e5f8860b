package viewer

import (
	"net/http"
	"strings"
	"testing"

	"agentd/results"
)

func TestTheMatrixShowsTheRelaysThatAFilterLetsThrough(t *testing.T) {
	t.Parallel()
	s := newSite(t, Options{}) // relay 1 is agentic and ends at 50, relay 2 is direct and failed
	for query, want := range map[string][2]bool{
		"": {true, true}, "arm=m" + "%3Cscript%3Ealert(%22x%22)%3C/script%3E+direct": {false, true},
		"domain=accounting": {true, true}, "domain=chess": {}, "most=50": {true, false}, "most=49": {},
		"reason=missing": {}, "reason=document+not+readable": {true, false}, "reason=missing_target": {false, true}, "reason=missing_target&most=50": {},
	} {
		page := s.get(name + "/matrix?" + query).Body.String()
		for i, shown := range want {
			if strings.Contains(page, `href="`+relayAddress(s.relays[i].ID)+`"`) != shown {
				t.Errorf("%s: relay %d is shown: %v", query, i+1, !shown)
			}
		}
		if none := strings.Contains(page, "No relay is left"); none != (want == [2]bool{}) {
			t.Errorf("%s says that no relay is left: %v", query, none)
		}
	}
	if answer := s.get(name + "/matrix?most=x"); answer.Code != http.StatusBadRequest {
		t.Errorf("status %d", answer.Code)
	}
	for _, choice := range []string{"<option>document not readable: ", "<option>missing_target"} {
		if page := s.get(name + "/matrix").Body.String(); !strings.Contains(page, choice) {
			t.Errorf("the filter does not offer %q", choice)
		}
	}
	if said := pageText(s.get(name + "/matrix").Body.String()); !strings.Contains(said, "50.0 Strict 40.0") {
		t.Errorf("no Strict: %s", said)
	}
}

// Two arms on one step stand side by side.
func TestAStepIsComparedWithThatOfAnotherArm(t *testing.T) {
	t.Parallel()
	s := newSite(t, Options{})
	first, second := interactionAddress(s.relays[0].ID, 1), interactionAddress(s.relays[1].ID, 1)
	if page := s.get(first).Body.String(); !strings.Contains(page, `href="`+second+`"`) || !strings.Contains(pageText(page), "The same step by 1 other arm") {
		t.Errorf("the other arm is not named: %s", pageText(page))
	}
	said := pageText(s.get(first + "?against=relay-2").Body.String())
	for _, want := range []string{"compared with those of m" + evil + " direct", "food.ledger : new", "books.ledger : gone"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in %s", want, said)
		}
	}
	if answer := s.get(first + "?against=relay-9"); answer.Code != http.StatusBadRequest {
		t.Errorf("status %d", answer.Code)
	}
}

// A score of 0 of a document that could not be read says so on every page.
func TestAnUnreadableDocumentIsNamed(t *testing.T) {
	t.Parallel()
	s := newSite(t, Options{})
	in := results.Interaction{Relay: s.relays[1].ID, Number: 2, Edit: "split", Direction: results.Backward, Ending: "finished", Score: &results.Score{Problem: "line 1: no date"}}
	if err := s.store.Append(t.Context(), &in, nil); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		name + "/matrix": "0.0 unreadable Strict 0.0", "/relays/2": "RS after 2 interactions 0.0 unreadable", "/relays/2/2": "RS 0.0 unreadable",
		"/search": "0.0 RS, unreadable document not readable: line 1: no date",
	} {
		if said := pageText(s.get(path).Body.String()); !strings.Contains(said, want) {
			t.Errorf("%s does not say %q: %s", path, want, said)
		}
	}
}

// A search shows what it finds first; its form is open where nothing is found.
func TestASearchShowsResultsFirst(t *testing.T) {
	t.Parallel()
	s := newSite(t, Options{})
	for path, want := range map[string]string{
		"/search": "<details><summary>Search among all interactions", "/search?tool=run_python": "<details><summary>Search for tool run_python", "/search?tool=none": "<details open><summary>Search for tool none",
	} {
		if page := s.get(path).Body.String(); !strings.Contains(page, want) {
			t.Errorf("%s: no %s", path, want)
		}
	}
}

// Nothing is paid for a stand-in, so pages say what it would have cost.
func TestACostOfAStandInIsNoCost(t *testing.T) {
	t.Parallel()
	s := newSite(t, Options{})
	manifest := s.experiment.Manifest
	for _, path := range []string{"/relays/1", "/relays/1/1"} {
		if said := strings.ToLower(pageText(s.get(path).Body.String())); strings.Contains(said, "would have cost") {
			t.Errorf("%s of a model: %s", path, said)
		}
	}
	manifest.Models = []results.Model{{Name: "m" + evil, StandIn: true}}
	if _, err := s.store.Begin(t.Context(), s.experiment.Name, manifest, nil, true); err != nil {
		t.Fatal(err)
	}
	for path, grey := range map[string]string{
		"/relays/1": `class="quiet" data-label="would have cost`, "/relays/1/1": `Would have cost</dt><dd class="quiet">`,
		"/": `<span class="quiet">would have cost`, name: `data-label="cost" class="quiet">`,
	} {
		body := s.get(path).Body.String()
		if said := strings.ToLower(pageText(body)); !strings.Contains(said, "would have cost") || !strings.Contains(body, grey) {
			t.Errorf("%s of a stand-in, without %s: %s", path, grey, said)
		}
	}
}
