package python_test

import (
	"math"
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/domains/python"
	"agentd/environments"
	"agentd/environments/ablation"
	"agentd/harness/programs/programstest"
	"agentd/vfs"
)

// builtin is the built-in environment with its domain, which runs its programs.
func builtin(t *testing.T) (environments.Environment, domains.Domain) {
	t.Helper()
	all, err := environments.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for _, env := range all {
		if env.Name == "python1" {
			return env, env.Apply(programstest.Bound(t, python.New()))
		}
	}
	t.Fatal("no python1")
	return environments.Environment{}, nil
}

func TestValueIsWhatTheTestsSay(t *testing.T) {
	t.Parallel()
	env, d := builtin(t)
	for rule, c := range map[string]struct {
		was, is string
		want    float64
	}{
		"nothing changed":        {"", "", 1},
		"layout":                 {"GAP = 0.45          #", "GAP = .45 #", 1},
		"a wrong fare":           {"(12.0, 'AP5', 506)", "(12.0, 'AP5', 560)", 2.0 / 8},
		"a printed text":         {"Nobody stays on the quay.", "Nobody left.", 5.0 / 8},
		"a syntax error":         {"def load(vehicles):", "def load(vehicles)", 0},
		"an ending in a crash":   {`print("takings: NOK"`, `print("takings: NOK" + 1`, 1.0 / 8},
		"what no test gets to":   {"vehicle.height > 4.5", "vehicle.height > 4.52", 1},
		"the help":               {"m/s at Stangnes lighthouse", "m/s", 7.0 / 8},
		"written to the workdir": {"    args = parse_arguments(argv)\n", "    args = parse_arguments(argv)\n    open('new.txt', 'w').close()\n", 1},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			text := strings.Replace(env.Seed["main.py"], c.was, c.is, 1)
			if text == env.Seed["main.py"] && c.was != "" {
				t.Fatalf("the seed has no %q", c.was)
			}
			score := d.Compare(env.Seed, vfs.Files{"main.py": text})
			if math.Abs(score.RS-c.want) > 1e-9 || score.Fault != nil {
				t.Errorf("Value is %v, want %v; %s", score.RS, c.want, score.Problem)
			}
		})
	}
}

func TestACandidateHasNoHandInItsScore(t *testing.T) {
	t.Parallel()
	env, d := builtin(t)
	const overwriting = "import pathlib, sys\npathlib.Path('basic_state/main.py').write_text('')\npathlib.Path('testing.py').write_text('')\n"
	const crashes = "the published evaluator crashes: "
	for rule, c := range map[string]struct {
		files   vfs.Files
		crash   bool
		problem string
	}{
		"it overwrites the reference": {vfs.Files{"main.py": overwriting}, false, ""},
		"tests of its own":            {vfs.Files{"testing.py": "def run_tests(s): return {'score': 1.0}"}, false, ""},
		"data of its own":             {vfs.Files{"main.py": "", "quiet.csv": ""}, true, crashes + "quiet.csv is there already, next to the program"},
		"a folder":                    {vfs.Files{"main.py": "", "deck/lanes.py": ""}, true, crashes + "deck/lanes.py is in a folder, and programs have none"},
		"nothing":                     {vfs.Files{}, false, "the published reading finds no definition"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			score := d.Compare(env.Seed, c.files)
			if score.RS != 0 || score.Fault != nil || score.Crash != c.crash || c.problem != "" && score.Problem != c.problem {
				t.Errorf("Value %v, crash %v, problem %q", score.RS, score.Crash, score.Problem)
			}
			if err := d.CheckReference(c.files); c.crash && err == nil {
				t.Error("it can be a reference")
			}
		})
	}
}

func TestAnEndlessProgramIsEnded(t *testing.T) {
	t.Parallel()
	tests := "import subprocess, sys\ndef run_tests(s):\n    subprocess.run([sys.executable, 'main.py'], timeout=0.5)\n    return {'score': 1}\n"
	d := environments.WithScaffold(programstest.Bound(t, python.New()), vfs.Files{"testing.py": tests})
	score := d.Compare(vfs.Files{"main.py": "x = 1\n"}, vfs.Files{"main.py": "while True: pass\n"})
	if score.RS != 0 || !score.Crash || !strings.HasPrefix(score.Problem, "the published evaluator crashes: TimeoutExpired: ") {
		t.Errorf("Value %v, crash %v, problem %q", score.RS, score.Crash, score.Problem)
	}
}

func TestOraclesKeepTheSeedRunning(t *testing.T) {
	t.Parallel()
	env, d := builtin(t)
	for _, edit := range env.Edits {
		if err := env.Exact(edit, d); err != nil {
			t.Errorf("%s: %v", edit.Name, err)
		}
	}
}

func TestLosingDefinitionsCostsTheirShare(t *testing.T) {
	t.Parallel()
	env, d := builtin(t)
	stats, err := d.Statistics(env.Seed)
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n < stats.Elements; n += 4 { // a run of the tests takes its time
		left := d.Without(env.Seed, func(k int) bool { return k == n })
		if score := d.Compare(env.Seed, left); score.RS > 1-1/float64(stats.Elements) {
			t.Errorf("without definition %d Value is %v", n, score.RS)
		}
	}
	results, err := ablation.Check(d, env.Seed, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if r.ValueAbove() || r.StrictAbove() || r.Miscounted {
			t.Errorf("%+v", r)
		}
	}
}

func TestWithoutASandboxThereIsNoScore(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, "python1")
	score := python.New().Compare(seed, seed)
	if score.Fault == nil || score.Problem != score.Fault.Error() || score.Strict != 1 {
		t.Errorf("%+v", score)
	}
}
