package guard

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// Environment variables of a test binary that is started again.
const (
	killedChild = "AGENTD_GUARD_KILLED" // the folder to change until it is killed
	placeChild  = "AGENTD_GUARD_PLACE"  // the file system to test on
	userChild   = "AGENTD_GUARD_USER"   // the user to be
	writerChild = "AGENTD_GUARD_WRITER" // the file to write to
	writerHow   = "AGENTD_GUARD_HOW"    // in place, or by renaming
)

const ordinary = 65534

func TestMain(m *testing.M) {
	if dir := os.Getenv(killedChild); dir != "" {
		changeForEver(dir)
	}
	if name := os.Getenv(writerChild); name != "" {
		writeVersions(name, os.Getenv(writerHow) == "in place")
		os.Exit(0)
	}
	if place := os.Getenv(placeChild); place != "" {
		if err := enter(place, os.Getenv(userChild) != ""); err != nil {
			fmt.Fprintf(os.Stderr, "preparing %s: %v\n", place, err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// enter mounts a file system in the process's own namespace of mounts, has temporary files made there, and becomes an ordinary
// user if told to.
func enter(place string, asUser bool) error {
	at := os.Getenv("TMPDIR")
	make := func(name string) string {
		dir := filepath.Join(at, name)
		_ = os.Mkdir(dir, 0o755) // an error shows below
		return dir
	}
	var err error
	work := at
	switch place {
	case "disk":
	case "tmpfs", "mount point":
		err = unix.Mount("tmpfs", at, "tmpfs", 0, "size=512m")
	case "overlay":
		if err = unix.Mount("tmpfs", at, "tmpfs", 0, "size=512m"); err != nil {
			break
		}
		work = make("merged")
		if err = lower(filepath.Join(make("lower"), lowered)); err != nil {
			break
		}
		options := fmt.Sprintf("lowerdir=%s,upperdir=%s,workdir=%s", make("lower"), make("upper"), make("work"))
		err = unix.Mount("overlay", work, "overlay", 0, options)
	default:
		err = errors.New("there is no such place")
	}
	if err == nil {
		err = errors.Join(os.Chmod(work, 0o777), os.Setenv("TMPDIR", work))
	}
	if err != nil || !asUser {
		return err
	}
	return errors.Join(syscall.Setgroups(nil), syscall.Setresgid(ordinary, ordinary, ordinary), syscall.Setresuid(ordinary, ordinary, ordinary),
		unix.Prctl(unix.PR_SET_DUMPABLE, 1, 0, 0, 0))
}

// lowered is a folder in the lower layer of the overlay.
const lowered = "lowered"

// lower makes it.
func lower(dir string) error {
	if err := os.MkdirAll(filepath.Join(dir, "sub"), 0o755); err != nil {
		return err
	}
	var problems error
	for name, mode := range map[string]os.FileMode{"a": 0o640, "moved": 0o600, "gone": 0o600, "sub/b": 0o644} {
		at := filepath.Join(dir, name)
		problems = errors.Join(problems, os.WriteFile(at, []byte(name+"\n"), mode), os.Chmod(at, mode), unix.Setxattr(at, "user.tag", []byte(name), 0))
	}
	if os.Getenv(userChild) == "" {
		return problems
	}
	return errors.Join(problems, filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		return errors.Join(err, os.Chown(path, ordinary, ordinary))
	}))
}

// everywhere are the tests that hold on every file system and for every user.
const everywhere = "^(TestChangesAreAppliedAndUndone|TestAFolderThatSomebodyElse.*|TestRights.*|TestEveryFault.*|TestStopped.*|TestAKilled.*|TestNobodysChange.*|TestRandom.*|TestFoldersAndFiles.*)$"

// The promises of docs/guard.md hold on a disk, in memory, on an overlay as containers have it, and on a mount point with another
// one inside; for root and for an ordinary user.
func TestThePromisesHoldEverywhere(t *testing.T) {
	t.Parallel()
	if os.Getenv(placeChild) != "" {
		return
	}
	if os.Getuid() != 0 {
		t.Skip("mounting file systems and being several users takes root; the tests themselves run here as this user")
	}
	for _, place := range []string{"disk", "tmpfs", "overlay", "mount point"} {
		for _, user := range []string{"", "ordinary"} {
			t.Run(place+" "+user, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				for above := dir; above != os.TempDir() && above != "/"; above = filepath.Dir(above) {
					if err := os.Chmod(above, 0o755); err != nil {
						t.Fatal(err)
					}
				}
				run := exec.Command(os.Args[0], "-test.run", everywhere, "-test.short")
				run.Env = append(os.Environ(), placeChild+"="+place, userChild+"="+user, "TMPDIR="+dir)
				run.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS, Pdeathsig: syscall.SIGKILL}
				runtime.LockOSThread() // the child ends with the thread that started it
				defer runtime.UnlockOSThread()
				out, err := run.CombinedOutput()
				if err != nil || !strings.Contains(string(out), "PASS") || strings.Contains(string(out), "no tests to run") {
					t.Errorf("%v\n%s", err, out)
				}
			})
		}
	}
}
