// Command hook measures a whole call of agentd guard hook, the start of the program included, in a folder of 200 documents.
//
//	go build -o bin/agentd ./cmd/agentd && go run ./test/bench/hook
//
// An agent calls the hook before and after each tool and waits for it, so the time that counts is that of the two calls together. Both
// the time that passed and the processor time of the program are printed, as the first depends on what else the machine does.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// The folder that is measured.
const (
	documents = 200
	settling  = 2500 * time.Millisecond // files that were just written are read again
)

func main() {
	program := flag.String("program", "bin/agentd", "the program")
	times := flag.Int("times", 30, "pairs of calls")
	flag.Parse()
	if err := measure(*program, *times); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func measure(program string, times int) error {
	program, err := filepath.Abs(program)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "hook")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	folder := filepath.Join(work, "folder")
	if err := fill(folder); err != nil {
		return err
	}
	h := hook{program: program, folder: folder, log: filepath.Join(work, "log")}
	time.Sleep(settling)
	if _, err := h.call("SessionStart"); err != nil {
		return err
	}
	if _, err := h.call("PreToolUse"); err != nil {
		return err
	}
	document := filepath.Join(folder, "000.md")
	whole, err := os.ReadFile(document)
	if err != nil {
		return err
	}
	for _, kind := range []struct {
		name   string
		change func(i int) []byte // what the tool leaves of a document; nil if it changes nothing
	}{
		{"nothing changed", nil},
		{"a document grew", func(i int) []byte { return append(slices.Clone(whole), strings.Repeat("\nMore.\n", i+1)...) }},
		{"a document was cut and is put back", func(int) []byte { return whole[:len(whole)/2] }},
	} {
		if err := os.WriteFile(document, whole, 0o644); err != nil {
			return err
		}
		if _, err := h.call("SessionStart"); err != nil {
			return err
		}
		var passed, worked []time.Duration
		for i := range times {
			before, err := h.call("PreToolUse")
			if err != nil {
				return err
			}
			if kind.change != nil {
				if err := os.WriteFile(document, kind.change(i), 0o644); err != nil {
					return err
				}
			}
			after, err := h.call("PostToolUse")
			if err != nil {
				return err
			}
			passed, worked = append(passed, before.passed+after.passed), append(worked, before.worked+after.worked)
		}
		fmt.Printf("%-36s passed: %s   processor: %s\n", kind.name, summary(passed), summary(worked))
	}
	return nil
}

// fill makes the folder: texts and tables of 4 to 8 kB.
func fill(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for i := range documents {
		name, text := fmt.Sprintf("%03d.md", i), strings.Repeat("# Rules\n\nBoats are tied up.\n\nThe crane takes two.\n\n", 100)
		if i%2 == 1 {
			name, text = fmt.Sprintf("%03d.csv", i), strings.Repeat("a,b,c,d\n1,2,3,4\n", 250)
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// hook calls the program as an agent does.
type hook struct{ program, folder, log string }

// spent is the time of one call or of several.
type spent struct{ passed, worked time.Duration }

func (h hook) call(event string) (spent, error) {
	c := exec.Command(h.program, "guard", "hook", "claude", "--files", h.folder, "--log", h.log, "--deny", "lost")
	c.Stdin = strings.NewReader(`{"session_id":"s","hook_event_name":"` + event + `","tool_name":"Bash","tool_input":{"command":"true"}}`)
	var said bytes.Buffer
	c.Stderr = &said
	begun := time.Now()
	if err := c.Run(); err != nil {
		return spent{}, fmt.Errorf("%s: %w: %s", event, err, &said)
	}
	return spent{time.Since(begun), c.ProcessState.UserTime() + c.ProcessState.SystemTime()}, nil
}

func summary(all []time.Duration) string {
	slices.Sort(all)
	ms := func(d time.Duration) int64 { return d.Round(time.Millisecond).Milliseconds() }
	return fmt.Sprintf("least %d, median %d, most %d ms", ms(all[0]), ms(all[len(all)/2]), ms(all[len(all)-1]))
}
