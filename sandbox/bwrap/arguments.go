package bwrap

import (
	"fmt"

	"agentd/sandbox"
)

const (
	insideUID = 1000 // never 0, whoever agentd runs as
	scriptAt  = "/run/script.py"
)

// Numbers of the file descriptors that bwrap inherits, in the order of
// exec.Cmd.ExtraFiles.
const (
	statusFD = 3 + iota
	blockFD
	syncFD
)

// environment is all that a script finds in os.environ, besides PWD.
var environment = [][2]string{
	{"PATH", "/usr/local/bin:/usr/bin:/bin"},
	{"HOME", "/tmp"},
	{"LANG", "C.UTF-8"},
	// As the script does not lie in the workspace, this is how it imports
	// modules that do.
	{"PYTHONPATH", "/workspace"},
	{"PYTHONDONTWRITEBYTECODE", "1"}, // or they would leave a __pycache__
	{"PYTHONHASHSEED", "0"},          // the same script does the same again
	// Memory is limited as address space, of which glibc and BLAS otherwise
	// reserve large pieces for each thread or core.
	{"MALLOC_ARENA_MAX", "2"},
	{"OPENBLAS_NUM_THREADS", "1"},
	{"OMP_NUM_THREADS", "1"},
}

// arguments returns the command line of bwrap for one script.
func (h *host) arguments(workspace, script string, limits sandbox.Limits) []string {
	args := []string{
		"--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup",
		"--uid", fmt.Sprint(insideUID), "--gid", fmt.Sprint(insideUID), "--cap-drop", "ALL",
		"--hostname", "sandbox", "--new-session", "--die-with-parent",
		// While it waits for us, the first process must not take our death for
		// the word to go on, so it holds the other end of the pipe as well.
		"--json-status-fd", fmt.Sprint(statusFD), "--block-fd", fmt.Sprint(blockFD), "--sync-fd", fmt.Sprint(syncFD),
		"--clearenv",
	}
	for _, variable := range environment {
		args = append(args, "--setenv", variable[0], variable[1])
	}
	args = append(args, h.mounts...)
	args = append(args, "--proc", "/proc")
	// Not --dev: it costs a millisecond for terminals that no script needs, and
	// is a writable tmpfs without a limit.
	for _, device := range []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"} {
		args = append(args, "--dev-bind", device, device)
	}
	args = append(args,
		"--symlink", "/proc/self/fd", "/dev/fd",
		"--symlink", "/proc/self/fd/0", "/dev/stdin",
		"--symlink", "/proc/self/fd/1", "/dev/stdout",
		"--symlink", "/proc/self/fd/2", "/dev/stderr",
		"--symlink", "/tmp", "/dev/shm", // for semaphores of multiprocessing
	)
	if h.canSizeTmpfs {
		args = append(args, "--size", fmt.Sprint(max(limits.DiskBytes, 1))) // 0 would be no limit
	}
	return append(args,
		"--tmpfs", "/tmp",
		"--bind", workspace, "/workspace",
		"--ro-bind", script, scriptAt,
		"--chdir", "/workspace",
		"--remount-ro", "/", // a tmpfs too, on which the mounts lie
		"--",
		// Only inside of the new user namespace does a limit on processes count
		// those of this sandbox alone.
		h.prlimit, limit("as", limits.MemoryBytes), limit("nproc", int64(limits.Processes)+1), // one is bwrap's
		limit("fsize", limits.FileBytes), limit("core", 0),
		h.python, scriptAt,
	)
}

func limit(resource string, most int64) string {
	return fmt.Sprintf("--%s=%d", resource, max(0, most))
}
