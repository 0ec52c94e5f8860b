package exec

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agentd/models"
	"agentd/policies"
	"agentd/policies/exec/acp"
)

// acpAgent begins agents of the tests: it answers until it is prompted. request asks
// agentd.
const acpAgent = client + `
import itertools, sys
ids = itertools.count(100)
def say(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()
def hear():
    return json.loads(sys.stdin.readline())
def request(method, **params):
    id = next(ids)
    say({"id": id, "method": method, "params": {"sessionId": "s", **params}})
    while True:
        answer = hear()
        if answer.get("id") == id:
            return answer
def until(method, **result):
    message = hear()
    assert message["method"] == method, message
    say({"id": message["id"], "result": result})
    return message["params"]
def prompted():
    assert until("initialize", protocolVersion=1, agentCapabilities={})["clientCapabilities"]["fs"] == {"readTextFile": True, "writeTextFile": True}
    assert until("session/new", sessionId="s")["cwd"] == "/work/workspace"
    message = hear()
    assert message["method"] == "session/prompt" and 'Make b.csv of "a.txt".' in message["params"]["prompt"][0]["text"], message
    return message["id"]
def stop(id, reason="end_turn"):
    say({"id": id, "result": {"stopReason": reason}})
`

// acp is a command for such an agent.
func byAgent(program string) []string { return []string{"python3", "-c", acpAgent + program} }

func TestAnAgentOfTheClientProtocol(t *testing.T) {
	t.Parallel()
	m := &model{answer: models.Message{ToolCalls: []models.ToolCall{{ID: "1", Name: "write_file", Arguments: `{"file":"b.csv"}`}}}}
	task, err := edit(t, m, byAgent(`
id = prompted()
assert request("fs/read_text_file", path="/work/workspace/a.txt")["result"]["content"] == "seed"
ask()
assert "result" in request("fs/write_text_file", path="/work/workspace/b.csv", content="1\n2\n3\n")
assert open("b.csv").read() == "1\n2\n3\n"
open("c.x", "w").write("mine")
assert request("fs/read_text_file", path="c.x")["result"]["content"] == "mine"
assert request("fs/read_text_file", path="/work/workspace/b.csv", line=2, limit=1)["result"]["content"] == "2\n"
options = [{"kind": "reject_once", "name": "no", "optionId": "n"}, {"kind": "allow_once", "name": "yes", "optionId": "y"}]
for path, want in (("/work/workspace/b.csv", "y"), ("/etc/passwd", "n")):
    assert request("session/request_permission", toolCall={"toolCallId": "1", "locations": [{"path": path}]}, options=options)["result"]["outcome"] == {"outcome": "selected", "optionId": want}
assert request("fs/read_text_file", path="/work/workspace/none")["error"]["code"] == -32002
assert request("terminal/create", command="sh")["error"]["code"] == -32601
say({"method": "session/update", "params": {"sessionId": "s", "update": {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "done"}}}})
stop(id)
hear_nothing = sys.stdin.read()
assert hear_nothing == ""
`), func(o *Options) { o.ACP = true })
	if err != nil || task.Trace.Ending != policies.Exited {
		complaint := ""
		if task.Trace.Complaint != nil {
			complaint = *task.Trace.Complaint
		}
		t.Fatalf("%v, ended %q: %s", err, task.Trace.Ending, complaint)
	}
	if got := fileText(t, task, "b.csv"); got != "1\n2\n3\n" {
		t.Errorf("b.csv is %q", got)
	}
	var calls []string
	for _, c := range task.Trace.Calls {
		calls = append(calls, fmt.Sprint(c.Turn, " ", c.Tool, " ", c.Changed))
	}
	// What the model asked for and the agent has agentd do is one call, as is what it does
	// itself.
	if diff := cmp.Diff([]string{"0 read_text_file 0", "1 write_file 2", "1 read_text_file 0", "1 read_text_file 0"}, calls); diff != "" {
		t.Error(diff)
	}
	reads := 0
	for _, r := range task.Workspace.Reads() {
		if r.Tool == acp.ReadTextFile {
			reads++
		}
	}
	if reads != 3 {
		t.Errorf("%d reads: %+v", reads, task.Workspace.Reads())
	}
}

// What an agent does that it should not is a failure of that interaction.
func TestHostileAgentsOfTheClientProtocol(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		program string
		reason  policies.Reason
		says    string
	}{
		"never answers":                         {"import time; time.sleep(100)", policies.TimeBudget, "longer than"},
		"never ends":                            {"prompted()\nwhile True: hear()", policies.TimeBudget, "longer than"},
		"leaves":                                {"prompted()", policies.CommandFailure, "the conversation broke off"},
		"fails":                                 {"sys.exit(3)", policies.CommandFailure, "the conversation broke off"},
		"is not there":                          {"", policies.CommandFailure, "No such file"},
		"no JSON":                               {"prompted()\nprint('Welcome!', flush=True)\nhear()", policies.CommandFailure, `it said what is no message: \"Welcome!`},
		"half a message":                        {"hear()\nprint('{\"id\": 1, \"result\": {}', flush=True)\nhear()", policies.CommandFailure, "it said what is no message"},
		"another version":                       {`until("initialize", protocolVersion=9)` + "\nhear()", policies.CommandFailure, "version 9 of the protocol"},
		"refuses":                               {`id = hear()["id"]; say({"id": id, "error": {"code": -32000, "message": "Authentication required"}})` + "\nhear()", policies.CommandFailure, "Authentication required"},
		"a long message":                        {"prompted()\nwhile True: sys.stdout.write('x' * 1000000)", policies.CommandFailure, "a message of more than"},
		"floods with messages":                  {"prompted()\nwhile True: sys.stdout.write('{\"method\": \"session/update\", \"params\": {}}\\n' * 1000)", policies.CommandFailure, "it said more than"},
		"floods with requests":                  {"prompted()\nwhile True: sys.stdout.write('{\"id\": 1, \"method\": \"fs/read_text_file\", \"params\": {\"path\": \"/etc/passwd\"}}\\n' * 1000)", policies.TimeBudget, "longer than"},
		"asks and does not read":                {"prompted()\nsys.stdout.write('{\"id\": 1, \"method\": \"x\"}\\n' * 90000)\nimport time; time.sleep(100)", policies.TimeBudget, "longer than"},
		"stops for want of turns":               {`stop(prompted(), "max_turn_requests")`, policies.CommandFailure, "max_turn_requests"},
		"uses up its turns":                     {"prompted()\nwhile True: ask()", policies.TurnBudget, "after 3 turns"},
		"stays when it should go":               {"stop(prompted())\nimport time; time.sleep(100)", "", ""},
		"has others hold its output":            {"import subprocess; subprocess.Popen(['sleep', '100']); stop(prompted())", "", ""},
		"asks for what is outside":              {`id = prompted(); assert all("error" in request("fs/" + m, path=p, content="x") for m in ("read_text_file", "write_text_file") for p in ("/etc/passwd", "/work/workspace/../x", "../x", "/work/workspacex/y", "")); stop(id)`, "", ""},
		"sends what is no such request":         {`id = prompted(); assert all("error" in request(m, path=5, options=7) for m in ("fs/read_text_file", "fs/write_text_file", "session/request_permission", "nothing")); stop(id)`, "", ""},
		"opens a second conversation":           {`id = prompted(); assert "409" in subprocess_get("/acp"); stop(id)`, "", ""},
		"reads what is not there, and a folder": {`id = prompted(); assert all("error" in request("fs/read_text_file", path=p) for p in ("none", "/work/workspace", ".")); stop(id)`, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			program := `
def subprocess_get(path):
    try:
        urllib.request.urlopen("http://127.0.0.1:8000" + path)
    except urllib.error.HTTPError as e:
        return str(e.code)
` + c.program
			command := byAgent(program)
			if c.program == "" {
				command = []string{"no-such-agent"}
			}
			task, err := edit(t, &model{}, command, func(o *Options) {
				o.ACP, o.Turns, o.Limits.WallTime = true, 3, 20*time.Second
				if c.reason == policies.TimeBudget {
					o.Limits.WallTime = 4 * time.Second
				}
			})
			var failure *policies.Failure
			switch {
			case c.reason == "" && err != nil:
				complaint := ""
				if task.Trace.Complaint != nil {
					complaint = *task.Trace.Complaint
				}
				t.Errorf("%v: %s", err, complaint)
			case c.reason == "":
			case !errors.As(err, &failure) || failure.Reason != c.reason || !strings.Contains(failure.Detail, strings.ReplaceAll(c.says, `\"`, `"`)):
				t.Errorf("%v, want %s: …%s…", err, c.reason, c.says)
			}
			if got := fileText(t, task, "a.txt"); got != "seed" {
				t.Errorf("the document is %q", got)
			}
			if strings.Contains(name, "outside") {
				for _, call := range task.Trace.Calls {
					if !strings.Contains(call.Error, "is not in /work/workspace") {
						t.Errorf("the trace has %+v", call)
					}
				}
				if len(task.Trace.Calls) != 10 {
					t.Errorf("%d calls in the trace", len(task.Trace.Calls))
				}
			}
		})
	}
}
