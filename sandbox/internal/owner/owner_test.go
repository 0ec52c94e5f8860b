package owner

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
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
