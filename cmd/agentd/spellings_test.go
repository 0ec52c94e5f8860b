package main

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"agentd/harness/experiment"
	"agentd/internal/printable"
)

// commands returns all commands of the program.
func commands() *cobra.Command {
	return (&app{out: printable.NewOutput(os.Stdout), stderr: printable.NewRedirect(os.Stderr)}).command()
}

// The help of agentd run fits one screen, and shows about as many flags as people remember.
func TestTheHelpOfRunFitsAScreen(t *testing.T) {
	t.Parallel()
	const screen, columns = 60, 90
	root := commands()
	root.SetArgs([]string{"run", "--help"})
	var help bytes.Buffer
	root.SetOut(&help)
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimRight(help.String(), "\n"), "\n")
	for _, line := range lines {
		if len([]rune(line)) > columns {
			t.Errorf("a line of %d characters: %s", len([]rune(line)), line)
		}
	}
	if len(lines) > screen {
		t.Errorf("%d lines, want at most %d:\n%s", len(lines), screen, &help)
	}
	for _, group := range runFlags() {
		if !strings.Contains(help.String(), "\n"+group.title+":\n") {
			t.Errorf("no group %q", group.title)
		}
	}
}

// Each flag of agentd run is shown in a group, or tells those who use it what to write instead; a key that it
// names is one of experiment files.
func TestEachFlagOfRunHasAPlace(t *testing.T) {
	t.Parallel()
	run, _, err := commands().Find([]string{"run"})
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{"help": true}
	for _, group := range runFlags() {
		for _, name := range group.flags {
			shown[name] = true
		}
	}
	keys := map[string]bool{}
	fileKeysOf(reflect.TypeFor[experiment.Spec](), "", keys)
	run.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		key, now := f.Annotations[keySaid], f.Annotations[nowSaid]
		if shown[f.Name] == f.Hidden || f.Hidden && len(key)+len(now) != 1 {
			t.Errorf("--%s: shown %t, hidden %t, key %q, now %q", f.Name, shown[f.Name], f.Hidden, key, now)
		}
		if len(key) == 1 && !keys[key[0]] {
			t.Errorf("--%s: an experiment file has no key %s", f.Name, key[0])
		}
	})
}

// fileKeysOf collects the keys of a struct as they stand in files, with those of the structs in it.
func fileKeysOf(of reflect.Type, above string, keys map[string]bool) {
	for i := range of.NumField() {
		f := of.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if name == "" || name == "-" {
			continue
		}
		keys[above+name] = true
		if f.Type.Kind() == reflect.Struct {
			fileKeysOf(f.Type, above+name+".", keys)
		}
	}
}

// A key of an experiment file and the flag that it took the place of set the same.
func TestAKeyDoesWhatItsFlagDid(t *testing.T) {
	t.Parallel()
	const file = `judge: {model: sim:perfect}
prompts: words
unscored: zero
environments: {except: [a], derived: 3, judged: true}
relay: {protocol: clean, on_fault: go-on, repeats: 2, schedule: single-edit, distractors: false, seed: 7, conversation: carried, turns: parts, revisions: 1, compact: drop-oldest-results}
limits: {max_faults: 5%, usd: 3}
machine:
  sandbox: {name: containerd, image: i, address: s}
  concurrency: 9
  trace: full
  record: r.jsonl
  metrics: :9090
  otlp: http://o
  grace: 5s
  take_over_after: 6s
`
	given := strings.Fields("--judge sim:perfect --prompts words --unscored zero --except a --derived 3 --judged --protocol clean --on-fault go-on " +
		"--repeats 2 --schedule single-edit --no-distractors --seed 7 --conversation carried --turns parts --revisions 1 --compact drop-oldest-results --max-faults 5% " +
		"--max-usd 3 --sandbox containerd --image i --containerd s --concurrency 9 --trace full --record r.jsonl --metrics :9090 --otlp http://o " +
		"--grace 5s --take-over-after 6s")
	path := filepath.Join(t.TempDir(), "x.yaml")
	if err := os.WriteFile(path, []byte(file), 0o644); err != nil {
		t.Fatal(err)
	}
	read := func(file string, args []string) experiment.Spec {
		flags, registered := pflag.NewFlagSet("", pflag.ContinueOnError), defaultSettings()
		registered.register(flags)
		if err := flags.Parse(args); err != nil {
			t.Fatal(err)
		}
		s, err := readSettings(flags, file)
		if err != nil {
			t.Fatal(err)
		}
		return s.Spec
	}
	if diff := cmp.Diff(read("", given), read(path, nil), cmp.AllowUnexported(experiment.Spec{})); diff != "" {
		t.Error(diff)
	}
	said := strings.Join(given, " ")
	for flag := range fileKeys() {
		if !strings.Contains(said, "--"+flag) {
			t.Errorf("--%s is not tried", flag)
		}
	}
}

// A flag that had another name takes its value under both.
func TestFormerNamesAreNoFlagsOfTheirOwn(t *testing.T) {
	t.Parallel()
	takes := map[string]bool{}
	var look func(c *cobra.Command)
	look = func(c *cobra.Command) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) { takes[f.Name] = true })
		for _, child := range c.Commands() {
			look(child)
		}
	}
	look(commands())
	for former, present := range presentNames() {
		if takes[former] || !takes[present] {
			t.Errorf("--%s is a flag: %t; --%s is a flag: %t", former, takes[former], present, takes[present])
		}
	}
}
