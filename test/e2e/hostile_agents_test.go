package e2e

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// hostileAgents are programs that an experiment brings along as agents, and how their steps
// end. %MARK% is a file of the host that every user could write.
var hostileAgents = map[string]struct {
	script string
	wall   string   // wall time; "" for a minute
	errors []string // one of them
	says   string   // part of the error's message
}{
	"hangs":           {"sleep 1000", "3s", []string{"time budget"}, "ran longer than 3s"},
	"ignores signals": {"trap '' 1 2 15; while :; do sleep 1000; done", "3s", []string{"time budget"}, "ran longer than 3s"},
	"forks":           {"while :; do sleep 1000 & done", "5s", []string{"time budget", "command failure"}, ""},
	"leaves daemons":  {"for i in 1 2 3; do setsid sleep 1000 >/dev/null 2>&1 </dev/null & done; exit 0", "", []string{"missing target"}, ""},
	"writes outside": {`for f in %MARK% /agent/run /agent/x /etc/x /usr/x /usr/bin/python3 /root/x /var/x /run/task.json /proc/sys/kernel/core_pattern; do
  echo owned 2>/dev/null >>$f && [ $f != %MARK% ] && echo "wrote $f" >../wrote
done
cp -r /agent /work/agent; mkdir -p ../../../tmp/x; ln -s / everything; ln -s %MARK% makerspace.ledger.bak; echo owned >makerspace.ledger.bak
[ ! -e ../wrote ] || cp ../wrote explicit.ledger; exit 0`, "", []string{"missing target"}, ""},
	"calls another host": {"exec python3 -c 'import urllib.request; urllib.request.urlopen(\"http://1.1.1.1/\", timeout=20)'", "", []string{"command failure"}, "Network is unreachable"},
	"calls this host":    {"exec python3 -c 'import socket; socket.create_connection((\"127.0.0.1\", 22), 20)'", "", []string{"command failure"}, "Connection refused"},
	"eats memory":        {"exec python3 -c 'x = []\nwhile True: x.append(b\"x\" * (1 << 24))'", "", []string{"command failure"}, "memory"},
	"fills the disk":     {"i=0; while :; do i=$((i+1)); head -c 9000000 /dev/zero >/tmp/$i || exit 3; done", "", []string{"command failure"}, "disk"},
	"does nothing":       {"exit 0", "", []string{"missing target"}, ""},
	"only says it did":   {"echo 'All files are as asked.'; exit 0", "", []string{"missing target"}, ""},
	"kills all it sees":  {"kill -9 -1; kill -9 1; kill -9 $PPID; kill -9 $$", "", []string{"command failure"}, ""},
	"removes all":        {"cd /; rm -rf /work/workspace /agent /tmp 2>/dev/null; exit 0", "", []string{"missing target"}, ""},
	"asks for more":      {`for p in /v1/files /v1/realtime /admin; do python3 -c "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000$p', b'{}')"; done`, "", []string{"model error", "command failure"}, ""},
}

// Whatever an agent does, its step is recorded as one that failed and was not carried out.
// Nothing else of the run or of the machine is affected.
func TestHostileAgents(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mark := filepath.Join(dir, "mark")
	if err := os.WriteFile(mark, []byte("as it was"), 0o666); err != nil {
		t.Fatal(err)
	}
	var list []any
	for name, agent := range hostileAgents {
		folder := filepath.Join(dir, strings.ReplaceAll(name, " ", "-"))
		script := "#!/bin/sh\n" + strings.ReplaceAll(agent.script, "%MARK%", mark) + "\n"
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "run"), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
		wall := agent.wall
		if wall == "" {
			wall = "1m"
		}
		list = append(list, map[string]any{"use": "exec", "name": name, "command": []string{"/agent/run"}, "files": folder, "wall_time": wall, "memory_mb": 128})
	}
	rows := conducted(t, nil, map[string]any{
		"name": "hostile", "models": []string{"sim:perfect"}, "policies": list,
		"environments": map[string]any{"names": []string{"accounting1"}}, "relay": map[string]any{"round_trips": 1},
	})
	steps := map[string]int{}
	for _, r := range rows {
		steps[r.Policy]++
		want := hostileAgents[r.Policy]
		if r.Direction == "backward" && want.errors[0] == "missing target" && r.Error == "" {
			continue // the document that it should make is there still, since nothing was done before
		}
		if !slices.Contains(want.errors, r.Error) || !strings.Contains(r.Message, want.says) || r.Executed != nil && *r.Executed {
			t.Errorf("%s, %s: %s, error %q (%s), want one of %q", r.Policy, r.Direction, r.Ending, r.Error, r.Message, want.errors)
		}
	}
	for name := range maps.Keys(hostileAgents) {
		if steps[name] != 2 {
			t.Errorf("%s: %d steps are recorded, want 2", name, steps[name])
		}
	}
	if text, err := os.ReadFile(mark); err != nil || string(text) != "as it was" {
		t.Errorf("the file of the host holds %q, %v", text, err)
	}
}
