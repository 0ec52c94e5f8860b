package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"agentd/harness/experiment"
)

// Of a flag that was given and an experiment file, the flag counts; of any other flag,
// the file.
func TestFlagsComeBeforeTheFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "x.yaml")
	text := "name: filed\nmodels: [{name: m, price: {input: 1, output: 2}}]\npolicies: [editor]\nenvironments: {names: [a, b], data: d}\n" +
		"relay: {round_trips: 3, schedule: [x, y], distractors: false, seed: 7}\nlimits: {usd: 5}\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	type part struct {
		Name, Model, Policy, Data, Schedule string
		Environments                        []string
		RoundTrips, Concurrency             int
		Distractors                         bool
		Seed                                uint64
		USD                                 float64
	}
	filed := part{"filed", "m", "editor", "d", "x,y", []string{"a", "b"}, 3, experiment.DefaultMachine().Concurrency, false, 7, 5}
	for name, c := range map[string]struct {
		flags []string
		want  func(*part)
	}{
		"no flags":                         {nil, func(*part) {}},
		"a list takes the place of a list": {[]string{"--env", "c,d", "--env", "e"}, func(p *part) { p.Environments = []string{"c", "d", "e"} }},
		"a number":                         {[]string{"--round-trips", "10"}, func(p *part) { p.RoundTrips = 10 }},
		"the default, given":               {[]string{"--seed", "1"}, func(p *part) { p.Seed = 1 }},
		"a schedule":                       {[]string{"--schedule", "single-edit"}, func(p *part) { p.Schedule = "single-edit" }},
		"models and policies":              {[]string{"--model", "n", "--policy", "noop"}, func(p *part) { p.Model, p.Policy = "n", "noop" }},
		"a limit, and how it is worked on": {[]string{"--max-usd", "2.5", "--concurrency", "9"}, func(p *part) { p.USD, p.Concurrency = 2.5, 9 }},
		"a name":                           {[]string{"--name", "given"}, func(p *part) { p.Name = "given" }},
	} {
		flags, registered := pflag.NewFlagSet("", pflag.ContinueOnError), defaultSettings()
		registered.register(flags)
		if err := flags.Parse(c.flags); err != nil {
			t.Fatal(err)
		}
		s, err := readSettings(flags, file)
		if err != nil {
			t.Fatal(err)
		}
		want := filed
		c.want(&want)
		got := part{
			s.Name, s.Models[0].Name, s.Policies[0].Use, s.Environments.Data, s.Relay.Schedule.String(), s.Environments.Names,
			s.Relay.RoundTrips, s.Machine.Concurrency, s.Relay.Distractors, s.Relay.Seed, *s.Limits.USD,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
