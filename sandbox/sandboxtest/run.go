//go:build linux

// Package sandboxtest holds the attacks that every sandbox must withstand.
//
// The attacks are one table. Each row is a script that a model could write, or be persuaded to
// write, and its expected result. docs/security.md has the results.
package sandboxtest

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"agentd/sandbox"
	"agentd/vfs"
)

// Attack is one row of the table.
type Attack struct {
	Area, Name string
	Files      vfs.Files             // files of the workspace, in addition to keep.txt
	Limits     func(*sandbox.Limits) // changes the defaults
	Cwd        sandbox.Cwd
	Code       string // %MARKER% in it names the run on command lines; see also openDoors
	Check      Check
	Once       bool // takes seconds of a processor and depends neither on the user nor on how a script starts
}

// Again, in the environment of a test program, says that the same tests run as another user, too. It leaves out
// what Attack.Once says, and most of the races of commands.
const Again = "AGENTD_TEST_AGAIN=1"

func again() bool {
	name, value, _ := strings.Cut(Again, "=")
	return os.Getenv(name) == value
}

// Check returns an error if a result is not as expected.
type Check func(sandbox.Result) error

// Attacks returns the table.
func Attacks() []Attack {
	inside := slices.Concat(filesOut(), filesBack(), processes(), kernel(), limits(), outputs(), network(), secrets(), leftovers())
	for i := range inside {
		inside[i].Cwd = sandbox.InWorkspace
	}
	return append(inside, folders()...)
}

// once marks an attack, see Attack.Once.
func once(a Attack) Attack { a.Once = true; return a }

// keep is a file in every workspace. It shows that an attack leaves other files alone.
const keep, kept = "keep.txt", "keep"

// secretVariable is in the environment of the test program while attacks run.
const secretVariable, secret = "AGENTD_TEST_API_KEY", "sk-not-a-real-key"

// reserve is how long after its wall time an attack may end on a busy machine.
const reserve = 15 * time.Second

// slower is the factor by which all times are longer on this machine, such as an emulated one.
// The environment says so.
var slower = sync.OnceValue(func() time.Duration {
	times, _ := strconv.Atoi(os.Getenv("AGENTD_TEST_SLOWER"))
	return time.Duration(max(1, times))
})

// Run runs every attack in the back end, with Again those that are not marked Once.
func Run(t *testing.T, backend sandbox.Backend) {
	run(t, backend, func(a Attack) bool { return !a.Once || !again() })
}

// RunAreas runs the attacks of some areas, for a back end that differs only in these from another, which Run is for.
func RunAreas(t *testing.T, backend sandbox.Backend, areas ...string) {
	for _, area := range areas {
		if !slices.ContainsFunc(Attacks(), func(a Attack) bool { return a.Area == area }) {
			t.Fatalf("no attack is of the area %q", area)
		}
	}
	run(t, backend, func(a Attack) bool { return !a.Once && slices.Contains(areas, a.Area) })
}

func run(t *testing.T, backend sandbox.Backend, concerned func(Attack) bool) {
	t.Setenv(secretVariable, secret)
	doors := openDoors(t)
	inherited := MustRun(t, NewRunner(t, backend, nil), Workspace(t, nil), standing).Stdout
	if inherited == "" {
		t.Fatal("nothing is known of what processes inherit")
	}
	t.Run("attacks", func(t *testing.T) {
		// These areas look and ask, but leave nothing. Starting an interaction is most of their cost, so that the attacks of
		// an area are scripts of one. All have the default limits.
		shared := []string{"files out", "kernel", "network", "secrets"}
		together := make(map[string][]Attack)
		for _, attack := range Attacks() {
			switch {
			case !concerned(attack):
			case slices.Contains(shared, attack.Area):
				together[attack.Area] = append(together[attack.Area], attack)
			default:
				t.Run(attack.Area+"/"+attack.Name, func(t *testing.T) {
					t.Parallel()
					attack.run(t, backend, nil, doors, inherited)
				})
			}
		}
		for area, attacks := range together {
			t.Run(area, func(t *testing.T) {
				t.Parallel()
				runner := NewRunner(t, backend, func(l *sandbox.Limits) { l.WallTime *= slower() })
				for _, attack := range attacks {
					t.Run(attack.Name, func(t *testing.T) { attack.run(t, backend, runner, doors, inherited) })
				}
			})
		}
	})
	t.Run("files in", func(t *testing.T) { filesIn(t, backend) })
}

var runs atomic.Int64

// run runs an attack, with a runner of its own if it is given none.
func (a Attack) run(t *testing.T, backend sandbox.Backend, runner sandbox.Runner, doors *strings.Replacer, inherited string) {
	limits := sandbox.DefaultLimits()
	if a.Limits != nil {
		a.Limits(&limits)
	}
	limits.WallTime *= slower()
	files := vfs.Files{keep: kept}
	for name, content := range a.Files {
		files[name] = content
	}
	ws, err := vfs.New(files, nil)
	if err != nil {
		t.Fatal(err)
	}
	if runner == nil {
		runner = NewRunner(t, backend, func(l *sandbox.Limits) { *l = limits })
	}
	marker := fmt.Sprintf("agentd-attack-%d-%d", os.Getpid(), runs.Add(1))
	began := time.Now()
	code := doors.Replace(strings.ReplaceAll(a.Code, "%MARKER%", marker))
	got, err := runner.RunPython(t.Context(), ws, sandbox.Script{Code: code, Cwd: a.Cwd})
	if err != nil {
		t.Fatal(err)
	}
	if running(marker) {
		t.Error("something of it still runs")
	}
	if took := time.Since(began); took > limits.WallTime+reserve*slower() {
		t.Errorf("it took %v", took)
	}
	if err := errors.Join(a.Check(got), bounded(got, limits)); err != nil {
		t.Errorf("%v\n%s", err, summary(got))
	}
	aftermath(t, runner, ws, inherited)
}

// bounded checks what holds for every result.
func bounded(got sandbox.Result, limits sandbox.Limits) error {
	if text := got.Stdout + got.Stderr; !utf8.ValidString(got.Stdout) || !utf8.ValidString(got.Stderr) || utf8.RuneCountInString(text) > limits.OutputChars {
		return fmt.Errorf("the output is not valid or %d characters long", utf8.RuneCountInString(text))
	} else if strings.Contains(text, secret) {
		return errors.New("it printed the secret")
	}
	if int64(got.Changed.Bytes()) > limits.DiskBytes || len(got.Changed) > limits.Files {
		return fmt.Errorf("it left %d files of %d bytes", len(got.Changed), got.Changed.Bytes())
	}
	if len(got.Skipped) > 100 {
		return fmt.Errorf("%d entries are skipped by name", len(got.Skipped))
	}
	if got.TimedOut != (got.Limit == sandbox.LimitTime) || got.OOMKilled != (got.Limit == sandbox.LimitMemory) {
		return errors.New("the limits named do not agree")
	}
	return nil
}

// look is what a clean machine shows: the workspace, an empty /tmp, nothing next to the
// workspace, and no processes but this one and those that hold it.
const look = `
import glob, os, sys
print(sum(len(files) for _, _, files in os.walk(".")), any(os.path.islink(f) for f in os.listdir()))
print(os.listdir("/tmp"), os.listdir(".."), os.listxattr(".."), oct(os.stat("..").st_mode), glob.glob("/dev/shm/*") == glob.glob("/tmp/*"))
print(sorted(k for k in os.environ if k.startswith("LEFT")), [m for m in sys.modules if m in ("sitecustomize_was_here", "planted")])
me = os.getpid()
others = [p for p in map(int, filter(str.isdigit, os.listdir("/proc"))) if p != me]
lines = [open(f"/proc/{p}/cmdline").read() for p in others]
print([line for line in lines if "attack" in line or "sleep" in line])
`

// standing prints what else a process inherits.
const standing = `
import os, resource
print(os.nice(0), os.sched_getscheduler(0), os.sched_getaffinity(0), open("/proc/self/oom_score_adj").read())
print([resource.getrlimit(r) for r in (resource.RLIMIT_NOFILE, resource.RLIMIT_STACK, resource.RLIMIT_CPU, resource.RLIMIT_CORE)])
`

// aftermath checks that the next script finds the workspace and nothing else, and
// inherits what the first one did.
func aftermath(t *testing.T, runner sandbox.Runner, ws *vfs.Workspace, inherited string) {
	t.Helper()
	files := len(ws.Names())
	next, err := runner.RunPython(t.Context(), ws, Inside(look+standing))
	if err != nil {
		t.Errorf("the next script: %v", err)
		return
	}
	want := fmt.Sprintf("%d False\n[] ['workspace'] [] 0o40755 True\n[] []\n[]\n", files) + inherited
	if next.Stdout != want {
		t.Errorf("the next script sees\n%s%s, want\n%s", next.Stdout, next.Stderr, want)
	}
	if got, err := ws.Read("test", keep); err == nil && got != kept && !strings.HasPrefix(got, "changed") {
		t.Errorf("%s holds %.100q", keep, got)
	}
}

// openDoors listens on this machine, where no attack may connect, and returns what replaces
// the addresses in scripts.
func openDoors(t *testing.T) *strings.Replacer {
	t.Helper()
	abstract := fmt.Sprintf("agentd-test-%d", os.Getpid())
	path := filepath.Join(t.TempDir(), "socket")
	var addresses []string
	for _, door := range []struct{ network, address string }{{"tcp", "127.0.0.1:0"}, {"unix", "@" + abstract}, {"unix", path}} {
		listener, err := net.Listen(door.network, door.address)
		if err != nil {
			t.Fatal(err)
		}
		addresses = append(addresses, listener.Addr().String())
		t.Cleanup(func() { listener.Close() })
	}
	_, port, err := net.SplitHostPort(addresses[0])
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer("%PORT%", port, "%ABSTRACT%", abstract, "%SOCKET%", path)
}

// running reports whether a process with the marker in its command line exists
// on this machine.
func running(marker string) bool {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	return slices.ContainsFunc(files, func(file string) bool {
		line, err := os.ReadFile(file)
		return err == nil && strings.Contains(string(line), marker)
	})
}

// AsOrdinaryUser runs the tests whose names the pattern matches once more in a process of a user without any rights,
// with Again. Where that is what we are, there is nothing to do.
func AsOrdinaryUser(t *testing.T, test string) {
	if os.Geteuid() != 0 {
		t.Skip("this is an ordinary user")
	}
	const nobodyElse = 54321
	program, err := os.Open("/proc/self/exe") // lies where others cannot go
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	command := exec.Command("/proc/self/fd/3", "-test.run", "^"+test+"$", "-test.timeout", "10m")
	command.ExtraFiles = []*os.File{program}
	command.Dir = "/"
	command.Env = []string{"PATH=" + os.Getenv("PATH"), "TMPDIR=/tmp", "HOME=/nonexistent", Again}
	command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobodyElse, Gid: nobodyElse}, Pdeathsig: syscall.SIGKILL}
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("as uid %d: %v\n%s", nobodyElse, err, out)
	}
}

func summary(got sandbox.Result) string {
	return fmt.Sprintf("exit code %d, limit %q after %v, truncated: %v\nstdout: %.2000q\nstderr: %.2000q\nchanged %.200q, deleted %.200q, skipped %.1000v",
		got.ExitCode, got.Limit, got.Duration, got.Truncated, got.Stdout, got.Stderr, got.Changed.Names(), got.Deleted, got.Skipped)
}
