package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"agentd/internal/eventually"
)

// gymOf starts a gym on a port of its own and returns it with its address once it serves.
func gymOf(t *testing.T, in io.Reader, env []string, args ...string) (gym *exec.Cmd, address string) {
	t.Helper()
	gym = exec.CommandContext(t.Context(), "agentd", append([]string{"gym", "--listen", "127.0.0.1:0"}, args...)...)
	gym.Stdin, gym.Stderr, gym.Env = in, os.Stderr, append(gym.Environ(), env...)
	out, err := gym.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := gym.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = gym.Process.Kill(); _ = gym.Wait() }) // it may have ended
	if _, err := fmt.Fscanln(bufio.NewReader(out), &address); err != nil {
		t.Fatal(err)
	}
	return gym, address
}

// asked posts a body and returns the status and the answer.
func asked(t *testing.T, address, body string) (status int, answer string) {
	t.Helper()
	response, err := http.Post(address, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

// A pipe to a program ends when the program at its other end is killed.
func TestAGymUntilEOFEndsWithWhoStartedIt(t *testing.T) {
	t.Parallel()
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	parent := exec.CommandContext(t.Context(), "sleep", "600")
	parent.Stdout = out
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	gym, _ := gymOf(t, in, nil, "--env", "accounting1", "--until-eof")
	in.Close()
	out.Close()
	_ = parent.Process.Kill()
	_ = parent.Wait() // it was killed
	ended := make(chan error, 1)
	go func() { ended <- gym.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Error("it goes on")
	}
}

// Services have no input, and a gym that a shell starts in the background may have none.
func TestAGymServesWithoutAnInput(t *testing.T) {
	t.Parallel()
	_, address := gymOf(t, nil, nil, "--env", "accounting1")
	for range 2 {
		if status, answer := asked(t, address+"/reset", `{}`); status != http.StatusOK {
			t.Errorf("%d %s", status, answer)
		}
	}
}

func TestAGymInProductionHasNoResetOverHTTP(t *testing.T) {
	t.Parallel()
	for mode, want := range map[string]int{"production": http.StatusNotFound, "simulation": http.StatusOK} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			_, address := gymOf(t, nil, []string{"OPENENV_MODE=" + mode}, "--env", "accounting1")
			if status, answer := asked(t, address+"/reset", `{}`); status != want {
				t.Errorf("/reset: %d %s", status, answer)
			}
			if status, answer := asked(t, address+"/gym/num_tasks", `{"split":"train"}`); status != http.StatusOK {
				t.Errorf("the task API: %d %s", status, answer)
			}
		})
	}
}

// The scripts of a gym that is killed end with it, and the next start removes their cgroups and folders.
func TestAKilledGymLeavesNothing(t *testing.T) {
	t.Parallel()
	temporary := t.TempDir()
	gym, address := gymOf(t, nil, []string{"TMPDIR=" + temporary}, "--env", "accounting1")
	const marker = "the script of a gym that is to be killed"
	script := "import os, sys, time\nprint('begun')\nif os.fork(): os.setsid()\nos.execv(sys.executable, [sys.executable, '-c', 'import time; time.sleep(600)', '" + marker + "'])"
	body, err := json.Marshal(map[string]any{"action": map[string]any{"type": "call_tool", "tool_name": "run_python", "arguments": map[string]string{"code": script}}})
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		if response, err := http.Post(address+"/step", "application/json", bytes.NewReader(body)); err == nil { // it is killed before it answers
			response.Body.Close()
		}
	}()
	eventually.Holds(t, "scripts run", func() bool { return len(running(t, marker)) >= 2 })
	space, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		t.Fatal(err)
	}
	owned := fmt.Sprintf("agentd-%s-%d-", strings.Trim(space, "pid:[]"), gym.Process.Pid)
	if len(running(t, owned))+len(groups(owned)) == 0 {
		t.Fatalf("no process and no cgroup is named %s", owned)
	}
	if err := gym.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	eventually.Holds(t, "no script runs", func() bool { return len(running(t, marker)) == 0 })
	// Its parent has not asked how it ended, as after the parent's own end nothing may.
	_, address = gymOf(t, nil, []string{"TMPDIR=" + temporary}, "--env", "accounting1")
	if status, answer := asked(t, address+"/step", strings.ReplaceAll(string(body), "os.execv", "str")); status != http.StatusOK || !strings.Contains(answer, "begun") {
		t.Errorf("%d %s", status, answer)
	}
	if left := append(running(t, owned), groups(owned)...); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// running are the processes whose command lines hold a text.
func running(t *testing.T, text string) (found []string) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if line, err := os.ReadFile(file); err == nil && strings.Contains(string(line), text) { // one that has ended has none
			found = append(found, string(line))
		}
	}
	return found
}

// groups are the cgroups whose names begin so.
func groups(prefix string) (found []string) {
	_ = filepath.WalkDir("/sys/fs/cgroup", func(path string, entry fs.DirEntry, err error) error { // others may go meanwhile
		if err == nil && entry.IsDir() && strings.HasPrefix(entry.Name(), prefix) {
			found = append(found, path)
		}
		return nil
	})
	return found
}

// Edits that a gym derives have the same names for the commands that do and grade single steps, and what the exact program
// makes earns 1.
func TestDerivedEditsHaveTheNamesOfTheGym(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	own := filepath.Join(folder, "own.ledger")
	var ledger strings.Builder
	for n := range 60 {
		fmt.Fprintf(&ledger, "2024/%02d/%02d Shop %d\n    expenses:food  %d.50 EUR\n    assets:cash\n\n", n/20+1, n%20+1, n%7, n+3)
	}
	if err := os.WriteFile(own, []byte(ledger.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, source := range map[string]struct{ flags, fields string }{
		"of own documents":                   {"--documents " + own + " --derived 3", `"paths":["` + own + `"],"derived":3`},
		"of own documents, as many as usual": {"--documents " + own, `"paths":["` + own + `"]`},
		"of a built-in environment":          {"--derived 2", `"derived":2`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			flags := strings.Fields(source.flags)
			only := flags
			if flags[0] == "--derived" {
				only = append(slices.Clone(flags), "--env", "accounting1")
			}
			_, address := gymOf(t, nil, nil, only...)
			var task struct {
				Task struct{ Env, Edit, Direction string }
			}
			var count struct {
				Tasks int `json:"num_tasks"`
			}
			for _, split := range []string{"train", "test"} {
				if _, answer := asked(t, address+"/gym/num_tasks", `{"split":"`+split+`"}`); json.Unmarshal([]byte(answer), &count) != nil || count.Tasks == 0 {
					continue
				}
				_, answer := asked(t, address+"/gym/task", fmt.Sprintf(`{"split":%q,"index":%d}`, split, count.Tasks-2)) // derived ones are the last
				if err := json.Unmarshal([]byte(answer), &task); err != nil {
					t.Fatal(err)
				}
				break
			}
			env, edit := task.Task.Env, task.Task.Edit
			to := t.TempDir()
			said(t, append([]string{"env", "oracle", env, edit, "--to", to}, flags...)...)
			files := map[string]string{}
			entries, err := os.ReadDir(to)
			if err != nil || len(entries) == 0 {
				t.Fatalf("%+v has no exact result: %v", task, err)
			}
			for _, entry := range entries {
				text, err := os.ReadFile(filepath.Join(to, entry.Name()))
				if err != nil {
					t.Fatal(err)
				}
				files[entry.Name()] = string(text)
			}
			body, err := json.Marshal(map[string]any{
				"reset":  map[string]string{"env": env, "edit": edit, "direction": "forward"},
				"action": map[string]any{"type": "answer", "files": files},
			})
			if err != nil {
				t.Fatal(err)
			}
			if status, answer := asked(t, address+"/step", string(body)); status != http.StatusOK || !strings.Contains(answer, `"reward":1,`) {
				t.Errorf("the gym: %d %s", status, answer)
			}
			score := said(t, append([]string{"score", "--env", env, "--edit", edit, "--candidate", to, "--format", "json"}, flags...)...)
			if !strings.Contains(score, `"reward":1`) {
				t.Errorf("agentd score: %s", score)
			}
			answers := exec.Command("agentd", "answer")
			answers.Stdin = strings.NewReader(fmt.Sprintf(`{"id":"1","do":"oracle","env":%q,"edit":%q,%s}`, env, edit, source.fields) + "\n")
			answer, err := answers.Output()
			if err != nil {
				t.Fatal(err)
			}
			var made struct {
				Result struct{ Expected map[string]string }
			}
			if err := json.Unmarshal(answer, &made); err != nil || !maps.Equal(made.Result.Expected, files) {
				t.Errorf("agentd answer: %v, %s", err, answer)
			}
		})
	}
}

// A finished episode is all there is of it, also one of a single edit.
func TestAReportOfAGymIsOfFinishedEpisodes(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "gym.db")
	_, address := gymOf(t, nil, nil, "--env", "accounting1", "--db", db)
	for _, body := range []string{
		`{"reset":{"direction":"forward"},"action":{"type":"answer","text":"no files"}}`,
		`{"reset":{"direction":"backward"},"action":{"type":"answer","text":"no files"}}`,
		`{"reset":{"round_trips":1},"action":{"type":"answer","text":"no files"}}`, // given up after its first step
	} {
		if status, answer := asked(t, address+"/step", body); status != http.StatusOK {
			t.Fatalf("%d %s", status, answer)
		}
	}
	report := said(t, "report", "--db", db)
	if !strings.Contains(report, ": finished episodes of a gym, ") || strings.Contains(report, "Not finished") {
		t.Errorf("%.500s", report)
	}
	if _, told := program(t, 2, "export", "--layout", "sft", "--db", db); !strings.Contains(told, "is of a gym: its prompts were the trainer's") {
		t.Error(told)
	}
	if row := said(t, "export", "--contents", "--db", db); !strings.Contains(row, `"instruction":"`) {
		t.Errorf("no instruction: %.500s", row)
	}
	if trace := said(t, "trace", "--db", db); strings.Contains(trace, "repeat 3") || !strings.Contains(trace, "repeat 2") {
		t.Errorf("not the two finished episodes: %s", trace)
	}
}
