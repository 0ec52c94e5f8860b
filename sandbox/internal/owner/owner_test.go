package owner

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

func TestEnded(t *testing.T) {
	t.Parallel()
	own, err := Prefix()
	if err != nil {
		t.Fatal(err)
	}
	space, _ := namespace()
	ended := exec.Command("true")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		own + "1": false,
		own:       false,
		fmt.Sprintf("agentd-%s-%d-5-x", space, ended.Process.Pid): true,
		fmt.Sprintf("agentd-%s-%d-5-x", space, os.Getpid()):       true, // the number was given anew
		fmt.Sprintf("agentd-%s-%d-5-x", "1", ended.Process.Pid):   false,
		"agentd-1234567": false,
		"agentd-x-y-z-1": false,
		strings.Replace(own, "agentd-", "other-", 1) + "1": false,
		"": false,
	} {
		if got := Ended(name); got != want {
			t.Errorf("Ended(%q) = %v", name, got)
		}
	}
}

// A process that was killed stays in the table of processes until its parent asks how it ended.
func TestAProcessThatItsParentForgetsHasEnded(t *testing.T) {
	t.Parallel()
	child := exec.Command("sleep", "600")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = child.Wait() }() // it was killed
	space, err := namespace()
	if err != nil {
		t.Fatal(err)
	}
	start, err := started(child.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("%s%s-%d-%s-1", mark, space, child.Process.Pid, start)
	if Ended(name) {
		t.Error("it has ended before it was killed")
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); !Ended(name); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it has not ended a minute after it was killed")
		}
	}
}
