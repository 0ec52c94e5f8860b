package guard

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentd/vfs"
)

// changeForEver applies one change after the other until the process is killed.
func changeForEver(dir string) {
	ctx := context.Background()
	one, two := versions()
	for {
		f, err := Open(ctx, dir, filepath.Join(filepath.Dir(dir), "state"))
		if err == nil {
			_, err = f.Apply(ctx, changed(one, two), Acceptance{Reason: "there"})
		}
		if err == nil {
			_, err = f.Apply(ctx, changed(two, one), Acceptance{Reason: "back"})
		}
		if err != nil {
			_, _ = os.Stderr.WriteString(err.Error() + "\n")
			os.Exit(1)
		}
	}
}

// versions are two states of a folder, of which many files differ.
func versions() (one, two vfs.Files) {
	one, two = vfs.Files{}, vfs.Files{}
	for _, n := range strings.Split("abcdefghijklmnopqrst", "") {
		one["sub/"+n+".txt"] = strings.Repeat("one "+n+"\n", 100)
		two["sub/"+n+".txt"] = strings.Repeat("two "+n+"\n", 100)
	}
	one["only.txt"], two["other/only.txt"] = "one\n", "two\n"
	return one, two
}

func TestAKilledProcessLeavesTheFolderAsBeforeOrAfter(t *testing.T) {
	t.Parallel()
	one, two := versions()
	f, dir := opened(t, one)
	kills := 40
	if testing.Short() {
		kills = 4
	}
	seen := map[bool]int{}
	for n := range kills {
		logs := func() int {
			logs, _ := filepath.Glob(filepath.Join(f.log, "*.json")) // the pattern is well formed
			return len(logs)
		}
		already := logs()
		run := exec.Command("/proc/self/exe")
		run.Env = append(os.Environ(), killedChild+"="+dir, placeChild+"=")
		var stderr strings.Builder
		run.Stderr = &stderr
		if err := run.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error)
		go func() { ended <- run.Wait() }()
		for logs() == already { // until it works, so that killing it means something
			select {
			case err := <-ended:
				t.Fatalf("the child: %v: %s", err, &stderr)
			case <-time.After(time.Millisecond):
			}
		}
		time.Sleep(time.Duration(rand.IntN(50_000)) * time.Microsecond)
		_ = run.Process.Kill() // it may have failed before, which is told below
		<-ended
		if stderr.Len() > 0 {
			t.Fatal(stderr.String())
		}
		f, err := Open(t.Context(), dir, filepath.Dir(f.log))
		if err != nil {
			t.Fatal(err)
		}
		got := on(t, dir)
		log, err := f.Log()
		if err != nil || !got.Equal(one) && !got.Equal(two) || got.Equal(one) != (len(log)%2 == 0) {
			t.Fatalf("kill %d: %d entries, %v, and the folder is neither before nor after as the log says: %v", n, len(log), err, got)
		}
		seen[got.Equal(one)]++
		if got.Equal(two) {
			if _, err := f.Apply(t.Context(), changed(two, one), Acceptance{Reason: "reset"}); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("before %d times, after %d times", seen[true], seen[false])
}
