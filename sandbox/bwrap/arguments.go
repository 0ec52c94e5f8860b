package bwrap

import (
	"fmt"
	"slices"
	"strings"

	"agentd/sandbox"
)

const (
	insideUID = 1000 // never 0, whoever agentd runs as
	scriptAt  = "/run/script.py"
	siteAt    = "/run/site"
)

// Numbers of the file descriptors that bwrap inherits, in the order of
// exec.Cmd.ExtraFiles. Those that a shell uses have one digit.
const (
	statusFD   = 3 + iota // bwrap reports here
	blockFD               // bwrap waits here before it starts the shell
	goFD                  // the shell waits here before it starts Python
	readyFD               // the shell says here that all is mounted
	argsFD                // the rest of bwrap's command line
	seccompFD             // the filter of system calls
	scriptFD              // the text of the script
	siteFD                // what Python imports first: nothing, or a server
	listenerFD            // a command's launcher sends its listener here
	lastFD     = listenerFD
	channelFD  = scriptFD // a zygote has no script, but this
	taskFD     = scriptFD // nor has a command
)

// gate is what the shell runs inside of the sandbox: it holds the script back
// until its files are there. Should we die meanwhile, its reading ends.
var gate = fmt.Sprintf(`echo >&%d; read -r go <&%d || exit; exec %[1]d>&- %[2]d<&-; exec "$@"`, readyFD, goFD)

// environment is all that a script finds in os.environ, besides PWD.
var environment = [][2]string{
	{"PATH", "/usr/local/bin:/usr/bin:/bin"},
	{"HOME", "/tmp"},
	{"LANG", "C.UTF-8"},
	// The script does not lie in a folder that it can write to, so this is how it
	// imports modules that do. Those that every interpreter imports as it starts
	// must not be planted there, so they are found before.
	{"PYTHONPATH", siteAt + ":" + sandbox.Workspace + ":" + sandbox.Above},
	{"PYTHONDONTWRITEBYTECODE", "1"}, // or they would leave a __pycache__
	{"PYTHONHASHSEED", "0"},          // the same script does the same again
	// Address space is limited, of which glibc and BLAS otherwise reserve large
	// pieces for each thread or core.
	{"MALLOC_ARENA_MAX", "2"},
	{"OPENBLAS_NUM_THREADS", "1"},
	{"OMP_NUM_THREADS", "1"},
}

// aloneCommand is what bwrap starts for a single script.
func (b *Backend) aloneCommand(limits sandbox.Limits) []string {
	return slices.Concat([]string{"/bin/sh", "-c", gate, "sh"}, b.limited(limits, "as"), b.interpreter())
}

// interpreter is what bwrap starts for a zygote, and what scripts see as their
// command line either way.
func (b *Backend) interpreter() []string { return []string{b.host.python, scriptAt} }

// options returns bwrap's options for a single script, as --args reads them.
// The workspace and the folder above have room for so many bytes.
func (b *Backend) options(cwd sandbox.Cwd, limits sandbox.Limits, room int64) string {
	return joined(b.shared(), writable(limits, room), []string{"--ro-bind-data", fmt.Sprint(scriptFD), scriptAt}, finish(cwd))
}

// writable are the options for a filter of system calls and the folders that a script
// or a command can write to.
func writable(limits sandbox.Limits, room int64) []string {
	return []string{
		"--seccomp", fmt.Sprint(seccompFD),
		"--size", fmt.Sprint(max(limits.DiskBytes, 1)), "--tmpfs", "/tmp", // 0 would be no limit
		"--size", fmt.Sprint(max(room, 1)), "--tmpfs", sandbox.Above, "--dir", sandbox.Workspace,
	}
}

// zygoteOptions returns those for a zygote. Each script brings its own filter of
// system calls and its own folders, so here there are none.
func (b *Backend) zygoteOptions() string {
	return joined(b.shared(), []string{"--dir", "/tmp", "--dir", sandbox.Above}, finish(sandbox.AboveWorkspace))
}

// finish are the options that come after all that is mounted.
func finish(cwd sandbox.Cwd) []string {
	return []string{
		"--chdir", cwd.Path(),
		"--remount-ro", "/", // a tmpfs too, on which the mounts lie
	}
}

// joined puts arguments as --args reads them.
func joined(parts ...[]string) string {
	return strings.Join(slices.Concat(parts...), "\x00") + "\x00"
}

// shared are the options that all sandboxes have.
func (b *Backend) shared() []string {
	args := []string{
		"--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup",
		"--uid", fmt.Sprint(insideUID), "--gid", fmt.Sprint(insideUID), "--cap-drop", "ALL",
		"--hostname", "sandbox", "--new-session", "--die-with-parent",
		"--json-status-fd", fmt.Sprint(statusFD), "--block-fd", fmt.Sprint(blockFD),
		"--clearenv",
	}
	for _, variable := range environment {
		args = append(args, "--setenv", variable[0], variable[1])
	}
	args = append(args, b.host.mounts...)
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
	return append(args,
		"--ro-bind-data", fmt.Sprint(siteFD), siteAt+"/sitecustomize.py",
		"--symlink", "sitecustomize.py", siteAt+"/usercustomize.py",
	)
}

// addressSpace is how much more address space than memory a process may have
// where memory itself is limited: some programs reserve far more than they use.
const addressSpace = 4

// processLimits returns the limits that each process has for itself: address
// space, and processes and threads, which only inside of a user namespace are
// counted for this sandbox alone.
func (b *Backend) processLimits(limits sandbox.Limits) (memory int64, processes int) {
	memory, processes = limits.MemoryBytes, limits.Processes+own
	if b.parent != nil { // the cgroup counts, and should be the one to say no
		memory, processes = addressSpace*memory, processes+1
	}
	return memory, processes
}

// limited returns the program that sets limits for one process, to be followed
// by the one they are for. memory is the resource that its memory is limited by.
func (b *Backend) limited(limits sandbox.Limits, memory string) []string {
	most, processes := b.processLimits(limits)
	return []string{b.host.prlimit, limit(memory, most), limit("nproc", int64(processes)),
		limit("fsize", limits.FileBytes), limit("core", 0)}
}

// own is how many processes of a sandbox are bwrap's, or a warm interpreter's, and
// not the script's.
const own = 1

func limit(resource string, most int64) string {
	return fmt.Sprintf("--%s=%d", resource, max(0, most))
}
