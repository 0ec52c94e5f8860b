package exec

import (
	"errors"
	"strings"
	"testing"

	"agentd/policies"
	"agentd/sandbox"
	"agentd/vfs"
)

// userTurns runs a command once for each user turn of one conversation, and returns the task
// of them all.
func userTurns(t *testing.T, program string, change func(*Options), instructions ...string) (*policies.Task, error) {
	t.Helper()
	b, err := backend()
	if err != nil {
		t.Fatal(err)
	}
	options := Options{Name: "exec:test", Program: Program{Args: python(program), Resumes: true}, Limits: DefaultLimits(), Turns: 25, Tokens: 500_000, Dialogue: policies.Dialogue{Continues: true}}
	if change != nil {
		change(&options)
	}
	policy, err := New(&model{}, nil, options)
	if err != nil {
		t.Fatal(err)
	}
	ws, err := vfs.New(vfs.Files{"a.txt": "seed"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	task := &policies.Task{
		Workspace: ws, Targets: []string{"b.csv"}, FileOrder: []string{"a.txt"}, Trace: &policies.Trace{},
		NewRunner: func() (sandbox.Runner, error) { return b.NewRunner(sandbox.DefaultLimits()) },
	}
	for i, instruction := range instructions {
		task.Instruction, task.Part, task.UserTurn = instruction, i == 2, i+1
		if err := policy.Edit(t.Context(), task); err != nil {
			return task, err
		}
	}
	return task, nil
}

const sessions = `
import subprocess, sys, pathlib
def session(what, folder):
    return subprocess.run([sys.executable, "-c", os.environ["AGENTD_SESSION"], what, folder]).returncode
`

func TestACommandGoesOnWithItsSession(t *testing.T) {
	t.Parallel()
	task, err := userTurns(t, sessions+`
before = "nothing"
if session("restore", "/tmp/mine") == 0:
    before = open("/tmp/mine/deep/said").read()
os.makedirs("/tmp/mine/deep", exist_ok=True)
said = before + "|" + os.environ["AGENTD_PROMPT"].split("\n")[0]
open("/tmp/mine/deep/said", "w").write(said)
open("b.csv", "w").write(said + "|" + str("Files to produce" in os.environ["AGENTD_PROMPT"]))
sys.exit(session("keep", "/tmp/mine"))
`, nil, "First.", "Second.", "Third.")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fileText(t, task, "b.csv"), "nothing|First.|Second.|Third.|False"; got != want {
		t.Errorf("it knew %q, want %q", got, want)
	}
}

func TestACommandThatKeepsNoSessionHasFailed(t *testing.T) {
	t.Parallel()
	var failure *policies.Failure
	_, err := userTurns(t, "open('b.csv', 'w').write('x')", nil, "First.")
	if !errors.As(err, &failure) || failure.Reason != policies.CommandFailure || !strings.Contains(failure.Detail, "AGENTD_SESSION_URL") {
		t.Errorf("%v", err)
	}
	if _, err := userTurns(t, "open('b.csv', 'w').write(str('AGENTD_SESSION_URL' in os.environ))", func(o *Options) { o.Dialogue.Continues = false }, "First."); err != nil {
		t.Errorf("a command whose conversation does not go on: %v", err)
	}
}

func TestASessionThatIsTooLargeIsRefused(t *testing.T) {
	t.Parallel()
	task, err := userTurns(t, sessions+`
url = os.environ["AGENTD_SESSION_URL"]
def put(size):
    try:
        return urllib.request.urlopen(urllib.request.Request(url, b"x" * size, method="PUT")).status
    except urllib.error.HTTPError as e:
        return e.code
open("b.csv", "w").write(f"{put((16 << 20) + 1)} {put(3)}")
`, nil, "First.")
	if err != nil {
		t.Fatal(err)
	}
	if got := fileText(t, task, "b.csv"); got != "413 200" {
		t.Errorf("answered %s", got)
	}
	if string(task.Conversation.Session) != "xxx" {
		t.Errorf("%q is kept", task.Conversation.Session)
	}
}
